/// A *performed reversal* takes back what was done by performing an action.
class PerformedReversal: ActionReversal {
  /// The dispatcher lives as long as the host; this may outlive it, and then nobody reverses it.
  private unowned let dispatcher: Dispatcher
  private let script: Owner

  override var owner: Owner { script }

  init(
    _ reference: Reference, _ arguments: LiteralObject, at start: String, taker: Responder, of script: Owner,
    _ dispatcher: Dispatcher
  ) {
    self.dispatcher = dispatcher
    self.script = script
    super.init(reference, arguments, at: start, taker: taker)
  }

  override var obstacle: String? {
    dispatcher.chain.find(start) == nil ? "'\(start)' is missing, which would have to do '\(reference.id)'" : nil
  }

  /// Performs the action; what that registers is the reversal for the other direction.
  override func reverse(_ makeContext: @escaping () -> Context) -> Reply {
    guard let responder = dispatcher.chain.find(start) else { return .refused(obstacle ?? "") }
    var options = PerformOptions()
    options.from = responder
    options.arguments = Arguments(arguments)
    return Reply(dispatcher.perform(reference.format(), options))
  }
}

extension Reply {
  /// What an action came to that was performed to reverse another.
  fileprivate init(_ outcome: Outcome) {
    switch outcome.status {
    case .handled: self = .value(.null)
    case .running: self = outcome.job.map { .waiting(AwaitedAction($0)) } ?? .pass
    case .failed, .cancelled:
      self = .failed(outcome.error ?? Failure(.cancelled, outcome.reason ?? "it was cancelled"))
    default: self = .refused(outcome.reason ?? outcome.status.rawValue)
    }
  }
}

/// Waits for an action that reverses another.
private final class AwaitedAction: Suspension {
  init(_ job: Job) {
    super.init()
    awaited = job
    isNested = true
  }

  override func resume() -> Reply { awaited?.outcome.map { Reply($0) } ?? .pass }
}
