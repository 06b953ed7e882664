/// A no without words of the one who says it, and how it could have some.
struct Silence {
  /// Where they could be said, as far as that is known.
  let place: Place?
  let help: String

  /// Nil where there are words. What is needed is asked first.
  init?(_ candidate: Candidate, _ said: String?, in context: Context) {
    if let need = candidate.needs.first(where: { !context.has($0.key) }) {
      guard need.reason?.isEmpty ?? true else { return nil }
      place = nil
      help = "needs.\(candidate.action) = { \(need.key) = \"why not\" } says it"
    } else {
      guard said?.isEmpty ?? true else { return nil }
      place = candidate.can?.place
      help = "return false, \"why not\" says it"
    }
  }
}
