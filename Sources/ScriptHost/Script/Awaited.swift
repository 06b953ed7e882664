/// What a handler of a script's waits for, beside time.
enum Awaited {
  /// A job; nested if it was performed by the one who waits, and goes with it.
  case job(Job, isNested: Bool)
  /// Whoever it forwarded its action to.
  case forwarded(Forwarding)
}
