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
