/// An *asker* is how a resolution reaches the host: its native actions, and the functions of scripts that have to be
/// asked.
protocol Asker: AnyObject {
  var chain: Chain { get }
  /// The native action, the embedding program's or the host's own, which is asked after the last node.
  func native(_ query: Query, after: WalkPosition) -> Candidate?
  /// Marks that a question is being asked while the body runs.
  func whileAsking<Result>(_ body: () -> Result) -> Result
}
