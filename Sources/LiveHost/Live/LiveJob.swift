import ScriptHost

/// A *live job* is an action or a line that waits and that a client has begun.
final class LiveJob {
  let number: Int
  let job: Job
  let undertaking: Undertaking
  /// Who began it; nil once that one is gone.
  weak var asker: Client?
  /// What the answer is known by that the asker waits for.
  let awaitedAs: JSON?
  let isOwned: Bool
  /// Whether what changed is told with its outcome.
  let compares: Bool

  init(
    _ number: Int, _ job: Job, _ undertaking: Undertaking, asker: Client, awaitedAs: JSON?, isOwned: Bool,
    compares: Bool
  ) {
    self.number = number
    self.job = job
    self.undertaking = undertaking
    self.asker = asker
    self.awaitedAs = awaitedAs
    self.isOwned = isOwned
    self.compares = compares
  }
}
