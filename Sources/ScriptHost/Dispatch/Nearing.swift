/// The steps left in a turn for finding the nearest names: with thousands of actions and thousands of items that nobody answers, it
/// would be minutes.
struct Nearing {
  var turn: UInt64?
  var steps = 1 << 22
}
