/// A *candidate* is a responder that would take an action, with everything that taking it needs.
final class Candidate {
  let responder: Responder
  let via: Outcome.Via
  /// What does it: from `on`, or the catch-all where the responder claims the action, or an action of the embedding program.
  var handler: Handler { entry.content }
  private let entry: HandlerEntry
  /// The name that it answers to.
  let name: Name?
  let action: String
  let prefix: String
  /// Where in the responder's stack the handler stands, so that `super` asks below.
  let position: Int
  let needs: [Need]
  var can: Handler? { allowing?.content }
  private let allowing, looking, confirming: HandlerEntry?
  /// What a function said in the place of `can` and `look` that claims the action.
  private let said: ClaimAnswer?
  /// What it takes, where that is declared.
  let takes: Takes?
  /// Where the walk goes on when it passes.
  let after: WalkPosition
  /// Whether it takes by its catch-all what it claims.
  let isCatchAll: Bool
  /// Whether it is asked because nobody takes the action.
  let isLastResort: Bool
  /// Whether an item may be drawn disabled although it would do the action.
  var mayBeDrawnDisabled: Bool { isLastResort || said != nil || looking != nil }

  /// The catch-all of a node where nobody takes a reference.
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

  /// Why it refuses: what was said, or that it does.
  func refusal(_ said: String) -> String { said.isEmpty ? "'\(responder.name)' refuses it" : said }

  /// The node of one that is asked because nobody takes the action.
  var lastResort: Int? { isLastResort ? after.node - 1 : nil }

  /// Who does it, as an outcome tells.
  var taker: Outcome.Taker { Outcome.Taker(name: responder.name, via: via) }

  /// Why it says no: what was said, or that it does.
  func reason(_ said: String?) -> String {
    if let said, !said.isEmpty { return said }
    return "'\(responder.name)' says no to '\(action)'"
  }

  /// Why it can't be done as it was asked; nil where it can.
  func reason(of verdict: Verdict) -> String? {
    switch verdict {
    case .yes, .pass: nil
    case .running: Dispatcher.running
    case .unfit(let misfit): misfit.reason
    case .asks(let question): question.text
    case .no(let said): reason(said)
    case .failed(let failure): failure.asReason
    }
  }

  /// Why its handler is not asked any more, though it is there.
  var trouble: String? { handler.owner.trouble }

  var look: Handler? { said ?? looking?.content }
  /// What a person is asked before it does it.
  var confirm: Handler? { confirming?.content }

  /// Whether a handler does it still.
  func isDone(by handler: Handler) -> Bool { entry.holds(handler) }
}
