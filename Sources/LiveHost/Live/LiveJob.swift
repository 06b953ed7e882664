import ScriptHost

/// A *live job* is an action or a line that waits and that a client has begun, or the app itself.
final class LiveJob {
  let number: Int
  let job: Job
  let undertaking: Undertaking
  /// Whether no client has begun it.
  let isAppsOwn: Bool
  /// Who began it; nil once that one is gone.
  weak var asker: Client?
  /// What the answer is known by that the asker waits for.
  let awaitedAs: JSON?
  let isOwned: Bool

  init(
    _ number: Int, _ job: Job, _ undertaking: Undertaking, asker: Client, awaitedAs: JSON?, isOwned: Bool
  ) {
    self.number = number
    self.job = job
    isAppsOwn = false
    self.undertaking = undertaking
    self.asker = asker
    self.awaitedAs = awaitedAs
    self.isOwned = isOwned
  }

  /// One that no client has begun.
  init(_ number: Int, _ job: Job) {
    self.number = number
    self.job = job
    undertaking = Undertaking(of: job)
    isAppsOwn = true
    awaitedAs = nil
    isOwned = false
  }
}
