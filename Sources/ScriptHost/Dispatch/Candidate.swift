/// A responder that would handle an action, with everything needed to call it.
final class Candidate {
  let responder: Responder
  let via: Outcome.Via
  /// The handler that does the action: from `on`, the catch-all of a responder that claims it, or the native one.
  var handler: Handler { entry.content }
  private let entry: HandlerEntry
  /// The action's name; nil for a catch-all as the last resort, and if the name was never declared.
  let name: Name?
  let action: String
  let prefix: String
  /// The handler's position in the responder's stack. `super` calls the behaviours below it.
  let position: Int
  let needs: [Need]
  var can: Handler? { allowing?.content }
  private let allowing, looking, confirming: HandlerEntry?
  /// Whether the action has neither `needs` nor `can`.
  var asksNothing: Bool { needs.isEmpty && allowing == nil }
  /// The result of a `claims` function, which replaces `can` and `look`.
  private let said: ClaimAnswer?
  /// The action's declared arguments, if any.
  let takes: Takes?
  /// Whether the face shows the action's form to a person even if no argument is missing (A13).
  private(set) lazy var showsForm =
    takes.map { !$0.arguments.isEmpty } ?? false && name.flatMap { responder.said(\.about, $0) }?.showsForm ?? false
  /// Whether the action only moves or shows something (U15).
  private(set) lazy var onlyLooks = name.flatMap { responder.said(\.about, $0) }?.onlyLooks ?? false
  /// The request for performs with the usual options, cached after the first.
  private var usual: Request?
  /// Where the walk continues if this candidate passes.
  let after: WalkPosition
  /// Whether the catch-all handles the action, because it claims it or as the last resort.
  let isCatchAll: Bool
  /// Whether this is a catch-all that the host calls because no responder handles the action.
  let isLastResort: Bool

  /// Creates a candidate for the catch-all of a node, as the last resort.
  init(lastResort handler: Handler, of responder: Responder, for reference: Reference, at node: Int) {
    self.responder = responder
    via = .unknown
    entry = HandlerEntry(handler, number: 0)
    name = nil
    action = reference.name
    prefix = reference.prefix
    position = 0
    needs = []
    said = nil
    (allowing, looking, confirming) = (nil, nil, nil)
    takes = nil
    after = WalkPosition(node: node + 1)
    isCatchAll = true
    isLastResort = true
  }

  init(
    _ responder: Responder, via: Outcome.Via, entry: HandlerEntry, query: Query, position: Int,
    after: WalkPosition, isCatchAll: Bool = false, said: ClaimAnswer? = nil
  ) {
    self.responder = responder
    self.via = via
    self.entry = entry
    name = query.name
    action = query.action
    prefix = query.prefix
    self.position = position
    self.after = after
    self.isCatchAll = isCatchAll
    isLastResort = false
    needs = query.name.map(responder.needs) ?? []
    self.said = said
    allowing = said.map { HandlerEntry($0, number: 0) } ?? query.name.flatMap { responder.entry(.can, $0)?.entry }
    looking = query.name.flatMap { responder.entry(.look, $0)?.entry }
    confirming = query.name.flatMap { responder.entry(.confirm, $0)?.entry }
    takes = query.name.flatMap { responder.said(\.takes, $0) }
  }

  /// Returns the request for a perform with the usual options.
  func usualRequest(_ resolution: Resolution) -> Request {
    if let usual { return usual }
    let made = Request(resolution, self, PerformOptions())
    made.isShared = resolution.isKept && made.hasPlainArguments
    if made.isShared { usual = made }
    return made
  }

  /// Returns the handler's reason for a refusal, or a default that names the responder.
  func refusal(_ said: String) -> String { said.isEmpty ? "'\(responder.name)' refuses it" : said }

  /// The index of its node if this is a last resort; nil otherwise.
  var lastResort: Int? { isLastResort ? after.node - 1 : nil }

  /// The responder that does the action, as outcomes show it.
  var taker: Outcome.Taker { Outcome.Taker(name: responder.name, via: via) }

  /// Returns the reason from `can`, or a default that names the responder.
  func reason(_ said: String?) -> String {
    if let said, !said.isEmpty { return said }
    return "'\(responder.name)' refuses '\(action)'"
  }

  /// Returns the first need that a context doesn't meet; nil if it meets all.
  func lacks(in context: Context, _ witness: Witness? = nil) -> Need? {
    for need in needs {
      witness?.read(need.key)
      if !context.has(need.key) { return need }
    }
    return nil
  }

  /// Returns the title or the number of the rows that its functions read; nil if they read none.
  func rows(in context: Context) -> String? {
    if context.titles.isEmpty { return nil }
    let read = needs.map(\.key) + handler.readKeys + (can?.readKeys ?? [])
    return ["rows", "row"].first(where: read.contains).flatMap { context.titles[$0] }
  }

  /// Returns the reason why a verdict prevents the action; nil if it allows it.
  func reason(of verdict: Verdict) -> String? {
    switch verdict {
    case .yes, .pass: nil
    case .running: Dispatcher.running
    case .unfit(let misfit): misfit.reason
    case .asks(let question): question.text
    case .no(let said): reason(said)
    case .failed(let failure, _): failure.asReason
    }
  }

  /// Why the host set the handler's owner aside; nil if it didn't. The handler stays in its table, but the host doesn't
  /// call it.
  var whySetAside: String? { handler.owner.whySetAside }

  var look: Handler? { said ?? looking?.content }
  /// The `confirm` handler, which returns the question to ask a person before the action.
  var confirm: Handler? { confirming?.content }
}

extension Candidate {
  /// Creates a last-resort candidate for the nearest catch-all of a walk; nil if the walk has none.
  convenience init?(lastResortFor reference: Reference, on walk: Walk) {
    guard let (node, handler) = walk.catchAlls.first else { return nil }
    self.init(lastResort: handler, of: walk.nodes[node], for: reference, at: node)
  }

  /// Returns the index in the walk from which this candidate's failures travel up.
  func step(on walk: Walk) -> Int { via == .native ? walk.nodes.count : after.node }
}
