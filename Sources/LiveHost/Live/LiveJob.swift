import ScriptHost

/// A *live job* is an action or a line that waits and that a client has begun, or the app itself.
final class LiveJob {
  let number: Int
  let job: Job
  let undertaking: Undertaking
  /// What a client did, which began it; nil where none has begun it.
  let asked: Asked?
  /// Whether no client has begun it.
  var isAppsOwn: Bool { asked == nil }
  /// Who began it; nil once that one is gone.
  weak var asker: Client?
  /// What the answer is known by that the asker waits for.
  let awaitedAs: JSON?
  let isOwned: Bool

  /// A deed, and what was answered to its questions.
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
  }

  /// One that no client has begun.
  init(_ number: Int, _ job: Job) {
    self.number = number
    self.job = job
    undertaking = Undertaking(of: job)
    asked = nil
    awaitedAs = nil
    isOwned = false
  }
}
