/// A *query* is one name that is looked for along a walk.
struct Query {
  let action: String
  /// Nil if nobody ever declared the name; then only hooks can answer.
  let name: Name?
  let prefix: String
  /// Whether it is the reference's last component, which is what `claims = true` claims.
  let isLast: Bool
}

/// A *walk position* is how far a resolution has come on a walk.
struct WalkPosition {
  var query = 0
  /// The node that is asked next.
  var node = 0
  /// Responders that a redirection of this query has asked already.
  var asked: Set<Int> = []
}

/// An *asker* is how a resolution reaches the host: its native actions, and the functions of scripts that have to be
/// asked.
protocol Asker: AnyObject {
  var chain: Chain { get }
  /// The native action, the embedding program's or the host's own, which is asked after the last node.
  func native(_ query: Query, after: WalkPosition) -> Candidate?
  /// Marks that a question is being asked while the body runs.
  func whileAsking<Result>(_ body: () -> Result) -> Result
}
