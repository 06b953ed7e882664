/// What looking for the nearest names may still take in a turn: with thousands of actions and thousands of items that nobody answers, it
/// would be minutes.
struct Nearing {
  var turn: UInt64?
  var steps = 1 << 22
}
