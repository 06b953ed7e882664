/// Finds the candidates for an action on a walk, one after the other.
///
/// The order is D2's: at each node its table, `resolve`, `redirect`, `claims`. A reference with dots has one full walk
/// for the whole id, then one for each shorter id without leading components. Native actions come last.
///
/// A *kept* resolution serves many performs. It never calls a function, because each perform must call it again. It is
/// stuck there, and `Candidates` continues with a new resolution.
final class Resolution {
  let walk: Walk
  /// The reference, as written.
  let raw: String
  let reference: Reference
  let queries: [Query]
  /// The arguments in the reference.
  private(set) lazy var arguments = Arguments(reference.arguments)
  /// Whether the arguments say to skip `needs` and `can`.
  let leavesOut: Bool
  private unowned let asker: any Asker
  private var found: [Candidate] = []
  private var keptLastResort: Candidate?
  private var position: WalkPosition
  let isKept: Bool
  private var isFinished = false
  /// Whether finding the next candidate requires a function call, which a kept resolution doesn't make.
  private(set) var isStuck = false
  /// The hook that failed, if any.
  private(set) var hookFailure: HookFailure?
  /// The chain's count of answer changes when this was created.
  private let answers: Int
  private let home: Home

  /// The failure of a hook, and its responder.
  struct HookFailure {
    let failure: Failure
    let responder: Responder
    /// The index in the walk from which the failure travels up.
    let step: Int
  }

  init(
    _ reference: Reference, raw: String, on walk: Walk, dispatcher asker: any Asker,
    from position: WalkPosition = WalkPosition(), isKept: Bool
  ) {
    var reference = reference
    if asker.chain.isExact { reference.isExact = true }
    self.reference = reference
    self.raw = raw
    leavesOut = reference.arguments?.skipsValidation ?? false
    let queries = Self.queries(for: reference, names: asker.chain.names)
    self.queries = queries
    self.walk = walk
    self.asker = asker
    home = asker.chain.home
    self.position = position
    self.isKept = isKept
    answers = home.answerChanges
  }

  private static func queries(for reference: Reference, names: NameTable) -> [Query] {
    let candidates = reference.candidates
    return candidates.enumerated().map { index, candidate in
      Query(
        action: candidate.name, name: names.name(of: candidate.name), prefix: candidate.prefix,
        isLast: index == candidates.count - 1)
    }
  }

  /// Whether the candidates are still valid.
  var isCurrent: Bool { answers == home.answerChanges }

  /// Returns a new resolution from a position on, which calls functions.
  func anew(from position: WalkPosition = WalkPosition()) -> Resolution {
    Resolution(reference, raw: raw, on: walk, dispatcher: asker, from: position, isKept: false)
  }

  /// Returns the candidate at an index. Searches only as far as needed.
  func candidate(_ index: Int, witness: Witness?) -> Candidate? {
    while index >= found.count && !isFinished && !isStopped { step(witness) }
    return index < found.count ? found[index] : nil
  }

  /// Returns the candidate for a node's catch-all, which gets what nobody handles. Each perform of a kept resolution
  /// gets the same one.
  func lastResort(_ handler: Handler, at node: Int) -> Candidate {
    if let kept = keptLastResort, kept.lastResort == node, kept.handler === handler { return kept }
    let made = Candidate(lastResort: handler, of: walk.nodes[node], for: reference, at: node)
    if isKept { keptLastResort = made }
    return made
  }

  private var isStopped: Bool { isStuck || hookFailure != nil }

  private func step(_ witness: Witness?) {
    guard position.query < queries.count else {
      isFinished = true
      return
    }
    let query = queries[position.query]
    if witness == nil { position.node = walk.first(from: position.node, thatMayAnswer: query.name) }
    guard position.node < walk.nodes.count else {
      position = WalkPosition(query: position.query + 1)
      guard walk.isWhole, let native = asker.native(query, after: position) else { return }
      witness?.asked(native.responder, .native, query, answer: .takes, place: native.handler.place)
      found.append(native)
      return
    }
    let node = position.node
    let responder = walk.nodes[node]
    position.node += 1
    guard !responder.isRemoved, !position.asked.contains(responder.number) else { return }
    if let candidate = ask(responder, query, witness) { found.append(candidate) }
  }

  // MARK: One node

  private func ask(_ responder: Responder, _ query: Query, _ witness: Witness?) -> Candidate? {
    if let candidate = table(responder, query, via: .on, witness) { return candidate }
    guard walk.dynamic[position.node - 1] else { return nil }
    if let candidate = late(responder, query, via: .resolve, witness) { return candidate }
    guard !isStopped else { return nil }
    switch redirected(responder, query, witness) {
    case .none: return claimed(responder, query, via: .claims, witness)
    case .taken(let candidate): return candidate
    case .nobody: return nil
    }
  }

  private func table(_ responder: Responder, _ query: Query, via: Outcome.Via, _ witness: Witness?) -> Candidate? {
    guard let name = query.name, let entry = responder.entry(.on, name) else {
      witness?.asked(responder, .on, query, answer: .nothing)
      return nil
    }
    witness?.asked(responder, .on, query, answer: .takes, place: entry.entry.content.place)
    return Candidate(
      responder, via: via, entry: entry.entry, query: query, position: entry.position, after: position)
  }

  /// Calls `resolve`, once per action until the responder's tables change.
  private func late(_ responder: Responder, _ query: Query, via: Outcome.Via, _ witness: Witness?) -> Candidate? {
    guard let hook = responder.hook(\.resolve), !responder.resolved.contains(ByteText(query.action)) else { return nil }
    guard mayAsk() else { return nil }
    responder.noteResolved(query.action)
    switch asker.whileAsking({ hook.resolve(query.action, for: responder) }) {
    case .failure(let failure):
      responder.resolved.remove(ByteText(query.action))
      return stop(failure, of: responder)
    case .success(let added):
      responder.noteResolved(query.action)
      // If `resolve` returns true but adds no handler, it doesn't handle the action.
      let name = added ? asker.chain.names.name(of: query.action) : nil
      let entry = name.flatMap { responder.entry(.on, $0) }
      witness?.asked(responder, .resolve, query, answer: entry == nil ? .nothing : .takes, place: hook.place)
      guard let name, let entry else { return nil }
      let query = Query(action: query.action, name: name, prefix: query.prefix, isLast: query.isLast)
      return Candidate(
        responder, via: via, entry: entry.entry, query: query, position: entry.position, after: position)
    }
  }

  /// Returns true if it may call a function here. If not, the resolution is stuck.
  private func mayAsk() -> Bool {
    if isKept { isStuck = true }
    return !isKept
  }

  @discardableResult
  private func stop(_ failure: Failure, of responder: Responder) -> Candidate? {
    hookFailure = HookFailure(failure: failure, responder: responder, step: position.node)
    return nil
  }

  private enum Redirected {
    /// The responder doesn't redirect the action.
    case none
    case taken(Candidate)
    /// The target doesn't handle the action, so the walk continues.
    case nobody
  }

  /// Follows redirections from a responder to their end.
  private func redirected(_ responder: Responder, _ query: Query, _ witness: Witness?) -> Redirected {
    var path = [responder]
    var met: Set = [responder.number]
    while true {
      let last = path[path.count - 1]
      guard let target = target(of: last, query, witness) else {
        if isStopped { return .nobody }
        if last === responder { return .none }
        return claimed(last, query, via: .redirect, witness).map { .taken($0) } ?? .nobody
      }
      path.append(target)
      guard met.insert(target.number).inserted else {
        let members = path.map(\.name).joined(separator: " → ")
        stop(Failure(.circle, "redirect leads in a circle: \(members)", place: responder.place), of: responder)
        return .nobody
      }
      guard !wasAsked(target), position.asked.insert(target.number).inserted else { return .nobody }
      if let candidate = table(target, query, via: .redirect, witness) { return .taken(candidate) }
      if let candidate = late(target, query, via: .redirect, witness) { return .taken(candidate) }
      guard !isStopped else { return .nobody }
    }
  }

  /// Returns true if the walk has already passed a responder.
  private func wasAsked(_ responder: Responder) -> Bool {
    walk.places[responder.number].map { $0 < position.node } ?? false
  }

  private func target(of responder: Responder, _ query: Query, _ witness: Witness?) -> Responder? {
    var target: Responder?
    var place: Place?
    switch responder.hook(\.redirect) {
    case nil: return nil
    case .to(let name)?: target = asker.chain.find(name)
    case .asked(let hook)?:
      guard mayAsk() else { return nil }
      place = hook.place
      switch asker.whileAsking({ hook.redirect(query.action, for: responder) }) {
      case .failure(let failure):
        stop(failure, of: responder)
        return nil
      case .success(let answer): target = answer.flatMap { asker.chain.holds($0) ? $0 : nil }
      }
    }
    witness?.asked(responder, .redirect, query, answer: target.map { .redirects($0.name) } ?? .nothing, place: place)
    return target
  }

  private func claimed(_ responder: Responder, _ query: Query, via: Outcome.Via, _ witness: Witness?) -> Candidate? {
    guard let claims = responder.hook(\.claims), let unknown = responder.hook(\.unknown) else { return nil }
    var claimed = false
    var answer: ClaimAnswer?
    var place: Place?
    switch claims {
    case .all: claimed = query.isLast
    case .these(let names): claimed = names.contains { $0.hasSameBytes(as: query.action) }
    case .asked(let hook):
      guard mayAsk() else { return nil }
      place = hook.place
      switch asker.whileAsking({ hook.claims(query.action, for: responder) }) {
      case .failure(let failure): return stop(failure, of: responder)
      case .success(let claim):
        claimed = claim.isClaimed
        if claim.saysMore { answer = ClaimAnswer(claim, by: hook) }
      }
    }
    witness?.asked(responder, .claims, query, answer: claimed ? .takes : .nothing, place: place)
    guard claimed else { return nil }
    return Candidate(
      responder, via: via, entry: HandlerEntry(unknown, number: 0), query: query, position: 0, after: position,
      isCatchAll: true, said: answer)
  }
}

extension Context {
  /// The current resolution; `forward` continues it.
  var resolution: Resolution? {
    get { resolutionObject as? Resolution }
    set { resolutionObject = newValue }
  }
}

/// The candidates of one perform, in order. Each is found only when needed, because the previous one may change the
/// rest.
struct Candidates {
  private(set) var resolution: Resolution
  private var index = 0
  /// The candidate returned most recently.
  private var last: Candidate?

  /// Creates the candidates of a resolution. A witness must see each question, so with one the resolution starts again.
  init(_ resolution: Resolution, witness: Witness? = nil) {
    self.resolution = witness == nil ? resolution : resolution.anew()
  }

  /// Creates the candidates after a responder that does an action, even if it has since been removed. After a
  /// last-resort catch-all there are none.
  init(
    _ resolution: Resolution, behind responder: Responder, doing action: String, byCatchAll isCatchAll: Bool
  ) {
    self.init(resolution.anew())
    while let candidate = next(nil) {
      if candidate.responder === responder, candidate.action.hasSameBytes(as: action) { return }
    }
    // The responder or its handler was removed meanwhile, so the walk continues from its place.
    let queries = resolution.queries
    guard !isCatchAll, let place = resolution.walk.places[responder.number],
      let query = queries.firstIndex(where: { $0.action.hasSameBytes(as: action) })
    else { return }
    goOn(from: WalkPosition(query: query, node: place + 1))
  }

  /// The hook that failed during the search for a candidate; nil if none did.
  var hookFailure: Resolution.HookFailure? { resolution.hookFailure }

  mutating func next(_ witness: Witness?) -> Candidate? {
    // The candidate that passed may have changed the next one.
    if index > 0 && !resolution.isCurrent { goOn(from: last?.after) }
    var candidate = resolution.candidate(index, witness: witness)
    if resolution.isStuck && candidate == nil {
      goOn(from: last?.after)
      candidate = resolution.candidate(0, witness: witness)
    }
    index += 1
    if candidate != nil { last = candidate }
    return candidate
  }

  private mutating func goOn(from position: WalkPosition?) {
    resolution = resolution.anew(from: position ?? WalkPosition())
    index = 0
  }
}
