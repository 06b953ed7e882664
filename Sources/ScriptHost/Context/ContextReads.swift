/// The context keys that a function reads, as far as its code tells.
struct ContextReads {
  let keys: [String]
  /// Where the function stands.
  let place: Place?
  /// How many lines it has.
  let lineCount: Int
}
