/// The *resolution cache* of a walk holds resolutions and plans by the index of their reference.
///
/// Every perform reads it, so reading retains nothing. The caller checks whether a resolution is current.
final class ResolutionCache {
  private let storage = Cell(Storage())

  struct Entry {
    /// The resolution, unless the plan retains it.
    private var own: Resolution?
    private(set) var plan: Plan?
    /// Whether no plan was tried yet.
    private(set) var isUntried = true
    /// Plans for the latest series of hook answers, the latest first.
    private(set) var answeredPlans: [Plan] = []
    private static let mostAnsweredPlans = 4
    /// The chain's `tables` and `takerChanges` when this entry was last known to be current.
    var tables = -1
    var takerChanges = -1

    init(_ resolution: Resolution? = nil) { own = resolution }

    var resolution: Resolution? { plan?.resolution ?? own }

    /// The resolution, if a function has to be asked to go on with it.
    var stuck: Resolution? { (plan?.asks ?? true) && resolution?.isStuck ?? false ? resolution : nil }

    var isCurrent: Bool { (plan?.resolution ?? own)?.isCurrent ?? false }

    /// Whether nothing else retains the plan and the resolution, so that changing them is seen by nobody.
    var isFree: Bool {
      mutating get {
        guard plan != nil else { return isKnownUniquelyReferenced(&own) }
        guard isKnownUniquelyReferenced(&plan) else { return false }
        plan?.letGo()
        return plan.map { isKnownUniquelyReferenced(&$0.resolution) } ?? true
      }
    }

    /// Updates the plan if a handler was replaced, and drops answered plans that are stale. False if the plan has to be prepared again,
    /// for example because it is in use.
    mutating func followReplacements() -> Bool {
      if !answeredPlans.isEmpty { answeredPlans.removeAll { !$0.isCurrent } }
      if plan?.isCurrent ?? true { return true }
      return isKnownUniquelyReferenced(&plan) && plan?.follow() ?? false
    }

    /// Keeps a plan for a series of hook answers, as the latest.
    mutating func keep(_ latest: Plan) {
      answeredPlans.removeAll { $0 === latest }
      if answeredPlans.count == Self.mostAnsweredPlans { answeredPlans.removeLast() }
      answeredPlans.insert(latest, at: 0)
      let others = answeredPlans
      go(latest.asks ? latest : nil)
      answeredPlans = others
    }

    /// Sets the plan, or none.
    mutating func go(_ plan: Plan?) {
      own = plan == nil ? resolution : nil
      self.plan = plan
      answeredPlans = []
      isUntried = false
    }

    mutating func forgetPlan() {
      go(nil)
      isUntried = true
    }
  }

  private struct Storage {
    var first = 0
    var count = 0
    var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 0)
    var capacity = 0
  }

  deinit {
    removeAll()
    storage.value.entries.deallocate()
    storage.free()
  }

  /// The entry of a reference.
  @inline(__always)
  func entry(_ index: Int) -> UnsafeMutablePointer<Entry>? {
    let position = index &- storage.value.first
    return position >= 0 && position < storage.value.count ? storage.value.entries + position : nil
  }

  subscript(index: Int) -> Resolution? { entry(index)?.pointee.resolution }

  /// Keeps a resolution; entries before the index `oldest` are dropped.
  func keep(_ resolution: Resolution, at index: Int, oldest: Int) {
    if storage.value.first < oldest {
      removeAll()
      storage.value.first = oldest
    }
    let position = index - storage.value.first
    if position >= storage.value.capacity { grow(to: max(16, 2 * position)) }
    while storage.value.count <= position {
      (storage.value.entries + storage.value.count).initialize(to: Entry())
      storage.value.count += 1
    }
    storage.value.entries[position] = Entry(resolution)
  }

  private func grow(to capacity: Int) {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    larger.moveInitialize(from: storage.value.entries, count: storage.value.count)
    storage.value.entries.deallocate()
    storage.value.entries = larger
    storage.value.capacity = capacity
  }

  func removeAll() {
    storage.value.entries.deinitialize(count: storage.value.count)
    storage.value.count = 0
  }
}

extension Walk {
  /// The cache of resolutions found on this walk.
  var resolutions: ResolutionCache {
    if let known = resolutionsObject { return unsafeDowncast(known, to: ResolutionCache.self) }
    let made = ResolutionCache()
    resolutionsObject = made
    return made
  }
}
