/// A *candidate* is a responder that would take an action, with everything that taking it needs.
final class Candidate {
  let responder: Responder
  let via: Outcome.Via
  /// The handler that does the action: the one in `on`, the catch-all if the responder claims the action, or the native one.
  var handler: Handler { entry.content }
  private let entry: HandlerEntry
  /// The name of the action; nil for a catch-all that is asked last, and where nobody declared the name.
  let name: Name?
  let action: String
  let prefix: String
  /// The handler's position in the responder's stack; `super` asks the behaviours below it.
  let position: Int
  let needs: [Need]
  var can: Handler? { allowing?.content }
  private let allowing, looking, confirming: HandlerEntry?
  /// Whether neither `needs` nor `can` decides whether the action can be done.
  var asksNothing: Bool { needs.isEmpty && allowing == nil }
  /// The answer of a `claims` function, which replaces `can` and `look`.
  private let said: ClaimAnswer?
  /// The declared arguments of the action, if there are any.
  let takes: Takes?
  /// Whether a person who picks the action is shown its form, even if no argument is missing (A13).
  private(set) lazy var showsForm =
    takes.map { !$0.arguments.isEmpty } ?? false && name.flatMap { responder.said(\.about, $0) }?.showsForm ?? false
  /// The request of each perform with the usual options, once there was one.
  private var usual: Request?
  /// Where the walk goes on if this candidate passes.
  let after: WalkPosition
  /// Whether its catch-all takes the action, claimed or as a last resort.
  let isCatchAll: Bool
  /// Whether it is a catch-all that is asked because nobody takes the action.
  let isLastResort: Bool
  /// Whether an item may be drawn disabled although a perform would do the action.
  var mayBeDrawnDisabled: Bool { isLastResort || said != nil || looking != nil }

  /// A candidate for the catch-all of a node, asked because nobody takes the reference.
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

  /// The request of a perform with the usual options.
  func usualRequest(_ resolution: Resolution) -> Request {
    if let usual { return usual }
    let made = Request(resolution, self, PerformOptions())
    made.isShared = made.hasPlainArguments
    if made.isShared { usual = made }
    return made
  }

  /// The reason of a refusal: the one that the handler gave, or one that names the responder.
  func refusal(_ said: String) -> String { said.isEmpty ? "'\(responder.name)' refuses it" : said }

  /// The index of its node, if it is asked because nobody takes the action.
  var lastResort: Int? { isLastResort ? after.node - 1 : nil }

  /// The responder that does the action, as an outcome names it.
  var taker: Outcome.Taker { Outcome.Taker(name: responder.name, via: via) }

  /// The reason of a no: the one that `can` gave, or one that names the responder.
  func reason(_ said: String?) -> String {
    if let said, !said.isEmpty { return said }
    return "'\(responder.name)' says no to '\(action)'"
  }

  /// The first of its needs that a context lacks; nil if it has them all.
  func lacks(in context: Context, _ witness: Witness? = nil) -> Need? {
    for need in needs {
      witness?.read(need.key)
      if !context.has(need.key) { return need }
    }
    return nil
  }

  /// Why a verdict keeps the action from being done; nil if it doesn't.
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

  /// Why its handler's owner was set aside; nil if it wasn't. The handler stays in the table, but is not asked.
  var whySetAside: String? { handler.owner.whySetAside }

  var look: Handler? { said ?? looking?.content }
  /// The handler of `confirm`, which answers what a person is asked before the action is done.
  var confirm: Handler? { confirming?.content }
}

extension Candidate {
  /// A candidate for the nearest catch-all of a walk on which nobody takes a reference; nil if there is none.
  convenience init?(lastResortFor reference: Reference, on walk: Walk) {
    guard let (node, handler) = walk.catchAlls.first else { return nil }
    self.init(lastResort: handler, of: walk.nodes[node], for: reference, at: node)
  }

  /// The index in the walk from which a failure of this candidate travels up.
  func step(on walk: Walk) -> Int { via == .native ? walk.nodes.count : after.node }
}
