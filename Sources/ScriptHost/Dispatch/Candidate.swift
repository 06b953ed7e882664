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
  private let allowing: HandlerEntry?
  /// What a function said in the place of `can` and `look` that claims the action.
  private let said: ClaimAnswer?
  /// What it takes, where that is declared.
  let takes: Takes?
  /// Where the walk goes on when it passes.
  let after: Resolution.Position
  /// Whether it takes by its catch-all what it claims.
  let isCatchAll: Bool
  /// Whether it is asked because nobody takes the action.
  let isLastResort: Bool

  /// The nearest catch-all of a walk on which nobody takes a reference.
  convenience init?(lastResortFor reference: Reference, on walk: Walk) {
    guard let (node, handler) = walk.catchAlls.first else { return nil }
    self.init(lastResort: handler, for: reference, on: walk, node)
  }

  /// The catch-all of a node of a walk on which nobody takes a reference.
  init(lastResort handler: Handler, for reference: Reference, on walk: Walk, _ node: Int) {
    responder = walk.nodes[node]
    via = .unknown
    entry = HandlerEntry(handler, number: 0)
    name = nil
    action = reference.name
    prefix = reference.prefix
    position = 0
    needs = []
    said = nil
    allowing = nil
    takes = nil
    after = Resolution.Position(node: node + 1)
    isCatchAll = true
    isLastResort = true
  }

  init(
    _ responder: Responder, via: Outcome.Via, entry: HandlerEntry, query: Query, position: Int,
    after: Resolution.Position, isCatchAll: Bool = false, said: ClaimAnswer? = nil
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
    takes = query.name.flatMap { responder.said(\.takes, $0) }
  }

  /// Why it refuses: what was said, or that it does.
  func refusal(_ said: String) -> String { said.isEmpty ? "'\(responder.name)' refuses it" : said }

  /// Where a walk goes on after it, as far as failures go.
  func step(on walk: Walk) -> Int { via == .native ? walk.nodes.count : after.node }

  /// The node of one that is asked because nobody takes the action.
  var lastResort: Int? { isLastResort ? after.node - 1 : nil }

  /// Who does it, as an outcome tells.
  var taker: Outcome.Taker { Outcome.Taker(name: responder.name, via: via) }

  /// Why it says no: what was said, or that it does.
  func reason(_ said: String?) -> String {
    if let said, !said.isEmpty { return said }
    return "'\(responder.name)' says no to '\(action)'"
  }

  /// Why its handler is not asked any more, though it is there.
  var trouble: String? { handler.owner.trouble }

  var look: Handler? { said ?? name.flatMap { responder.entry(.look, $0)?.entry.content } }
  /// What a person is asked before it does it.
  var confirm: Handler? { name.flatMap { responder.entry(.confirm, $0)?.entry.content } }
}

/// One name that is looked for along a walk.
struct Query {
  let action: String
  /// Nil where nobody ever declared the name: then only hooks can answer.
  let name: Name?
  let prefix: String
  /// Whether it is the reference's last component, which is what `claims = true` claims.
  let isLast: Bool
}
