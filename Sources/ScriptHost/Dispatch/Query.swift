/// A name that a resolution looks for along a walk.
struct Query {
  let action: String
  /// Nil if the name was never declared; then only hooks can answer.
  let name: Name?
  let prefix: String
  /// Whether this is the reference's last component, which `claims = true` claims.
  let isLast: Bool
}

/// The progress of a resolution on a walk.
struct WalkPosition {
  var query = 0
  /// The index of the next node.
  var node = 0
  /// Responders that redirections of this query have reached.
  var asked: Set<Int> = []
}

/// Gives a resolution access to the host's native actions and script functions.
protocol Asker: AnyObject {
  var chain: Chain { get }
  /// Returns the native action of the program or the host, which comes after the last node.
  func native(_ query: Query, after: WalkPosition) -> Candidate?
  /// Runs a body as a question, during which nothing may change.
  func whileAsking<Result>(_ body: () -> Result) -> Result
}
