/// A *silence* is a refusal without a reason, and where the script could give one. `check` reports it.
struct Silence {
  /// Where the reason could be given, if that is known.
  let place: Place?
  let help: String

  /// Nil if there is a reason. `needs` is looked at first.
  init?(_ candidate: Candidate, _ said: String?, in context: Context) {
    if let need = candidate.lacks(in: context) {
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
