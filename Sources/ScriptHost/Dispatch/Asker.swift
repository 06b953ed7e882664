/// An *asker* is how a resolution reaches the host: its native actions, and the functions of scripts that have to be
/// asked.
protocol Asker: AnyObject {
  var chain: Chain { get }
  /// The native action, the embedding program's or the host's own, which is asked after the last node.
  func native(_ query: Query, after: WalkPosition) -> Candidate?
  /// Asks a `redirect` or `claims` function who takes an action.
  func askHook(_ question: HookAnswer.Asked) -> HookAnswer.Said
  /// Marks that a question is being asked while the body runs.
  func whileAsking<Result>(_ body: () -> Result) -> Result
  /// The resolution of a reference, as far as it can be found without asking a function; cached until its answers
  /// change.
  func resolution(_ reference: Reference, raw: String, index: Int?, on walk: Walk) -> Resolution
}
