/// A budget for "did you mean" searches, renewed with each call from outside: with thousands of actions and thousands of items that
/// nobody answers, searching would take minutes.
struct Nearing {
  var turn: UInt64?
  var steps = mostStepsOfNearing
}
