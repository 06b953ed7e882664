/// An *asker* is what a resolution asks the host through: who answers last of all, and what functions say.
protocol Asker: AnyObject {
  var chain: Chain { get }
  /// The action of the embedding program's or the host's own, after the last node.
  func native(_ query: Query, after: WalkPosition) -> Candidate?
  /// Asks a function who takes an action.
  func askHook(_ question: HookAnswer.Asked) -> HookAnswer.Said
  /// Marks that a question is being asked while the body runs.
  func whileAsking<Result>(_ body: () -> Result) -> Result
  /// Who would take a reference, as far as it can be told without asking a function; kept until that changes.
  func resolution(_ reference: Reference, raw: String, index: Int?, on walk: Walk) -> Resolution
}
