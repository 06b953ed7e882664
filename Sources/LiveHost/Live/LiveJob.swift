import ScriptHost

/// A *live job* is an action or a line that waits, as a live host tells clients of it; a client has begun it, or the app itself.
final class LiveJob {
  let number: Int
  let job: Job
  let undertaking: Undertaking
  /// The deed by which a client began it; nil if no client did.
  let asked: Asked?
  /// Whether it is a timer's, or a part of one that is.
  let isOfTimer: Bool
  /// Whether no client has begun it.
  var isAppsOwn: Bool { asked == nil }
  /// The client that began it; nil once it has left.
  weak var asker: Client?
  /// The id of the request whose answer the asker waits for; nil if it doesn't wait.
  let awaitedAs: JSON?
  let isOwned: Bool

  /// A deed of a client, with the answers to its questions.
  struct Asked {
    let deed: Deed
    let answered: Answered
  }

  init(
    _ number: Int, _ job: Job, _ undertaking: Undertaking, _ asked: Asked, asker: Client, awaitedAs: JSON?,
    isOwned: Bool
  ) {
    self.number = number
    self.job = job
    self.undertaking = undertaking
    self.asked = asked
    self.asker = asker
    self.awaitedAs = awaitedAs
    self.isOwned = isOwned
    isOfTimer = false
  }

  /// A job that no client has begun.
  init(_ number: Int, _ job: Job, isOfTimer: Bool) {
    self.isOfTimer = isOfTimer
    self.number = number
    self.job = job
    undertaking = Undertaking(of: job)
    asked = nil
    awaitedAs = nil
    isOwned = false
  }
}
