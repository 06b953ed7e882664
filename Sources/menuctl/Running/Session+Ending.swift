import LiveHost
import ScriptHost

// What becomes of the actions that still wait when a verb has done what it is for.

extension Session {
  /// Ends a verb: waits for the actions that its deeds have begun, and takes back what else waits, which may go on for ever: what `start` or
  /// a timer began, and in the REPL everything, since the person leaves it.
  func finish() -> ExitStatus {
    guard !isLive else { return .done }
    defer { takeBackAll() }
    var status = ExitStatus.done
    guard invocation.verb.waitsForAll, let before = waitingBefore else { return status }
    while status != .interrupted,
      let job = host.jobs.first(where: { job in
        !job.isOfTimer && !before.contains { $0 === job }
      })
    {
      status = max(status, ExitStatus(interrupts.working { waiting(for: job) }))
    }
    return status
  }

  private func waiting(for job: Job) -> Outcome {
    let reminder = Reminder(
      after: 1,
      """
      menuctl: note: '\(job.action.visible)' goes on, and '\(invocation.verb.name)' waits for its end
      help: ctrl-c takes it back

      """)
    defer {
      reminder.cancel()
      if interrupts.isEnding { takeBackAll() }
    }
    return host.wait(for: job)
  }

  /// Cancels everything that waits, so that nothing is left half done.
  func takeBackAll() {
    if !isLive { host.cancelAll() }
  }
}

extension Verb {
  /// Whether the verb waits for what its deeds began, and doesn't only ask or stay.
  fileprivate var waitsForAll: Bool { [Verb.load, .perform, .press, .pick].contains { $0.name == name } }
}
