/// What a script's handler waits for, if not for a time.
enum Awaited {
  /// A job; nested if the handler that waits performed it, and then cancelled with the handler.
  case job(Job, isNested: Bool)
  /// The candidate that the handler forwarded its action to.
  case forwarded(Forwarding)
}
