extension Dispatcher {
  /// The resolutions of the walk from the focus.
  @inline(__always)
  var defaultResolutions: Unmanaged<ResolutionCache>? {
    guard state.value.shape == chain.shape, state.value.focus == chain.focusCount else {
      return Unmanaged.passUnretained(newDefaultWalk().resolutions)
    }
    return state.value.resolutions.map { Unmanaged.fromOpaque($0.toOpaque()) }
  }

  /// The cached entry of a reference on the walk from the focus.
  @inline(__always)
  func entry(of text: String) -> UnsafeMutablePointer<ResolutionCache.Entry>? {
    guard let index = text.withBytes(references.known) else { return nil }
    return defaultResolutions?._withUnsafeGuaranteedRef { $0.entry(index) }
  }

  /// The plan of a reference on the walk from the focus, if there is one that may run now.
  @inline(__always)
  func plan(of text: String) -> Plan? { entry(of: text).flatMap(plan) }

  /// The plan of a cached entry; nil if it has none, or if its action waits and can't be done again meanwhile.
  @inline(__always)
  func plan(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Plan? {
    if entry.pointee.tables != chain.tables || entry.pointee.isUntried {
      guard prepare(entry) else { return nil }
    }
    guard !isAsking, let plan = entry.pointee.plan else { return nil }
    return scheduler.waiting != 0 && isRunning(plan.candidate) ? nil : plan
  }

  /// Checks that an entry still holds, and prepares its plan the first time.
  @inline(never)
  private func prepare(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Bool {
    if entry.pointee.takerChanges != chain.takerChanges {
      guard entry.pointee.isCurrent || refit(entry) else { return false }
      entry.pointee.takerChanges = chain.takerChanges
    }
    entry.pointee.tables = chain.tables
    if !entry.pointee.followReplacements() { entry.pointee.forgetPlan() }
    if entry.pointee.isUntried, let resolution = entry.pointee.resolution {
      entry.pointee.go(firstCandidate(of: resolution).flatMap { prepare($0, resolution) })
    }
    return true
  }

  /// Updates a plan to changed tables, if only tables changed and nobody else holds the resolution.
  private func refit(_ entry: UnsafeMutablePointer<ResolutionCache.Entry>) -> Bool {
    guard entry.pointee.isFree, let resolution = entry.pointee.resolution, resolution.findAgain() else { return false }
    if let plan = entry.pointee.plan, let candidate = firstCandidate(of: resolution), plan.refit(candidate) {
      plan.candidate = candidate
    } else {
      entry.pointee.forgetPlan()
    }
    return true
  }

  /// Makes a candidate's plan; nil if a plan would win nothing.
  func prepare(_ candidate: Candidate, _ resolution: Resolution) -> Plan? {
    guard resolution.walk.isWhole, resolution.reference.arguments?.skipsValidation == nil else { return nil }
    if candidate.via == .native, hostValues.isEmpty {
      if let undo = candidate.handler as? UndoAction { return UndoPlan(undo, candidate, resolution) }
      let isPlain = resolution.walk.providers.isEmpty && candidate.asksNothing
      if isPlain { return NativePlan(candidate, resolution) }
    }
    return engine?.prepare(candidate, resolution)
  }

  /// The candidate that is asked first, maybe a catch-all.
  func firstCandidate(of resolution: Resolution) -> Candidate? {
    if let candidate = resolution.candidate(0, witness: nil) { return candidate }
    guard !resolution.isStuck, resolution.hookFailure == nil else { return nil }
    return Candidate(lastResortFor: resolution.reference, on: resolution.walk)
  }
}
