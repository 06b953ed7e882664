/// A *resolution* finds, one after the other, who would take an action on a walk. What it found without asking a function is kept.
///
/// The order is D2's: at each node its table, `resolve`, `redirect`, `claims`; and for a reference with dots the whole id first,
/// then one leading component less at a time, each as one full walk; last the actions of the embedding program.
final class Resolution {
  let walk: Walk
  /// The reference as it was written.
  let raw: String
  let queries: [Query]
  private unowned let dispatcher: Dispatcher
  private var found: [Candidate] = []
  private var query = 0
  private var node = 0
  /// Responders that a redirection of this walk has asked already.
  private var asked: Set<Int> = []
  private var isFinished = false
  /// Whether a function was asked, so that another perform must ask it again.
  private(set) var askedFunctions = false
  /// What asking came to that is no candidate.
  private(set) var failure: Failure?
  /// How often the answers to each name had changed.
  private let changes: [Int]
  let shape: Int
  /// What an engine made of the first candidate, so that it need not look again.
  var fused: AnyObject?
  var fusedIsTried = false

  init(_ queries: [Query], raw: String, on walk: Walk, dispatcher: Dispatcher) {
    self.raw = raw
    self.queries = queries
    self.walk = walk
    self.dispatcher = dispatcher
    changes = queries.map { $0.name.map(dispatcher.chain.changes) ?? 0 }
    shape = dispatcher.chain.shape
  }

  /// Whether what it found still holds.
  var isCurrent: Bool {
    guard shape == dispatcher.chain.shape else { return false }
    for (query, change) in zip(queries, changes) {
      if let name = query.name, dispatcher.chain.changes(of: name) != change { return false }
    }
    return true
  }

  /// The candidate at an index, found when it is asked for.
  func candidate(_ index: Int, witness: Witness?) -> Candidate? {
    while index >= found.count && !isFinished && failure == nil { step(witness) }
    return index < found.count ? found[index] : nil
  }

  private func step(_ witness: Witness?) {
    guard query < queries.count else {
      isFinished = true
      return
    }
    let current = queries[query]
    guard node < walk.nodes.count else {
      if walk.isWhole, let native = dispatcher.native(current) { found.append(native) }
      query += 1
      node = 0
      asked = []
      return
    }
    let responder = walk.nodes[node]
    node += 1
    guard
      current.name.map({ responder.mayAnswer(Behaviour.bit($0)) }) ?? false || walk.dynamic[node - 1] || witness != nil
    else { return }
    guard !asked.contains(responder.number) else { return }
    if let candidate = ask(responder, current, witness) { found.append(candidate) }
  }

  // MARK: One node

  private func ask(_ responder: Responder, _ query: Query, _ witness: Witness?) -> Candidate? {
    if let candidate = table(responder, query, via: .on, witness) { return candidate }
    guard walk.dynamic[node - 1] else { return nil }
    if let candidate = late(responder, query, via: .resolve, witness) { return candidate }
    guard failure == nil else { return nil }
    switch redirected(responder, query, path: [responder], witness) {
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
    witness?.asked(responder, .on, query, answer: .takes, place: entry.handler.place)
    return Candidate(
      responder, via: via, handler: entry.handler, query: query, position: entry.position, step: node)
  }

  /// Asks `resolve`, once per action until the responder's tables change.
  private func late(_ responder: Responder, _ query: Query, via: Outcome.Via, _ witness: Witness?) -> Candidate? {
    guard let hook = responder.hook(\.resolve), responder.resolved.insert(ByteText(query.action)).inserted else {
      return nil
    }
    askedFunctions = true
    switch hook.resolve(query.action, for: responder) {
    case .failure(let failure):
      self.failure = failure
      return nil
    case .success(let added):
      responder.resolved.insert(ByteText(query.action))
      witness?.asked(responder, .resolve, query, answer: added ? .takes : .nothing, place: hook.place)
      guard added, let name = dispatcher.chain.names.name(of: query.action) else { return nil }
      guard let entry = responder.entry(.on, name) else { return nil }
      let query = Query(action: query.action, name: name, prefix: query.prefix, isLast: query.isLast)
      return Candidate(responder, via: via, handler: entry.handler, query: query, position: entry.position, step: node)
    }
  }

  private enum Redirected {
    /// The responder hands the action to nobody.
    case none
    case taken(Candidate)
    /// It hands the action to one that doesn't take it: the walk goes on.
    case nobody
  }

  private func redirected(_ responder: Responder, _ query: Query, path: [Responder], _ witness: Witness?) -> Redirected
  {
    guard let redirect = responder.hook(\.redirect) else { return .none }
    guard let target = target(redirect, of: responder, query, witness) else { return failure == nil ? .none : .nobody }
    if path.contains(where: { $0 === target }) {
      let members = (path + [target]).map(\.name).joined(separator: " → ")
      failure = Failure(.circle, "redirect leads in a circle: \(members)", place: responder.place)
      return .nobody
    }
    guard !wasAsked(target), asked.insert(target.number).inserted else { return .nobody }
    if let candidate = table(target, query, via: .redirect, witness) { return .taken(candidate) }
    if let candidate = late(target, query, via: .redirect, witness) { return .taken(candidate) }
    guard failure == nil else { return .nobody }
    switch redirected(target, query, path: path + [target], witness) {
    case .none: return claimed(target, query, via: .redirect, witness).map { .taken($0) } ?? .nobody
    case let answer: return answer
    }
  }

  /// Whether the walk has come past a responder already.
  private func wasAsked(_ responder: Responder) -> Bool {
    walk.nodes[..<node].contains { $0 === responder }
  }

  private func target(
    _ redirect: Redirect, of responder: Responder, _ query: Query, _ witness: Witness?
  ) -> Responder? {
    switch redirect {
    case .to(let name):
      let target = dispatcher.chain.find(name)
      witness?.asked(responder, .redirect, query, answer: target.map { .redirects($0.name) } ?? .nothing)
      return target
    case .asked(let hook):
      askedFunctions = true
      switch hook.redirect(query.action, for: responder) {
      case .failure(let failure):
        self.failure = failure
        return nil
      case .success(let target):
        witness?.asked(
          responder, .redirect, query, answer: target.map { .redirects($0.name) } ?? .nothing, place: hook.place)
        return target.flatMap { $0.isRemoved ? nil : $0 }
      }
    }
  }

  private func claimed(_ responder: Responder, _ query: Query, via: Outcome.Via, _ witness: Witness?) -> Candidate? {
    guard let claims = responder.hook(\.claims), let unknown = responder.hook(\.unknown) else { return nil }
    var claimed = false
    var place: Place?
    switch claims {
    case .all: claimed = query.isLast
    case .these(let names): claimed = names.contains { $0.hasSameBytes(as: query.action) }
    case .asked(let hook):
      askedFunctions = true
      place = hook.place
      switch hook.claims(query.action, for: responder) {
      case .failure(let failure):
        self.failure = failure
        return nil
      case .success(let answer): claimed = answer
      }
    }
    witness?.asked(responder, .claims, query, answer: claimed ? .takes : .nothing, place: place)
    guard claimed else { return nil }
    return Candidate(responder, via: via, handler: unknown, query: query, position: 0, step: node)
  }
}

extension Context {
  /// What is being gone through; `forward` goes on with it.
  var resolution: Resolution? {
    get { resolutionObject as? Resolution }
    set { resolutionObject = newValue }
  }
}

extension Resolution {
  /// The candidates that a handler of a responder can forward to: those after it, but no catch-all.
  func candidate(after responder: Responder, skipping count: Int) -> Candidate? {
    var index = 0
    while let candidate = candidate(index, witness: nil), candidate.responder !== responder { index += 1 }
    var skipped = 0
    while true {
      index += 1
      guard let candidate = candidate(index, witness: nil) else { return nil }
      if candidate.via == .claims { continue }
      if skipped == count { return candidate }
      skipped += 1
    }
  }
}
