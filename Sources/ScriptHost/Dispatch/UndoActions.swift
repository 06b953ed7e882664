/// Handles the host's actions `undo` and `redo`, if nobody else does.
final class UndoAction: Handler {
  let direction: UndoStack.Direction
  /// The dispatcher retains this handler.
  private unowned let dispatcher: Dispatcher

  init(_ direction: UndoStack.Direction, dispatcher: Dispatcher, owner: Owner) {
    self.direction = direction
    self.dispatcher = dispatcher
    super.init(owner: owner)
  }

  override var isOfProgram: Bool { true }

  override func perform(for responder: Responder, in context: Context) -> Reply {
    dispatcher.reverse(direction, in: context)
  }

  override func can(for responder: Responder, in context: Context) -> Verdict {
    dispatcher.refusal(to: direction, of: dispatcher.history(direction, in: context)).map { .no($0) } ?? .yes
  }

  override func look(for responder: Responder, in context: Context) -> Result<Look, Failure> {
    var look = Look()
    let title = dispatcher.history(direction, in: context).stack?[direction].map { dispatcher.told($0.title) }
    look.title = [direction == .undo ? "Undo" : "Redo", title].compactMap { $0 }.joined(separator: " ")
    return .success(look)
  }
}

extension Dispatcher {
  /// Registers the actions `undo` and `redo` on a responder.
  func addUndoActions(to responder: Responder, _ owner: Owner) {
    for direction in [UndoStack.Direction.undo, .redo] {
      let action = UndoAction(direction, dispatcher: self, owner: owner)
      let number = chain.newEntryNumber()
      let name = names.intern(direction.rawValue)
      for table in [Behaviour.Table.on, .can, .look] {
        _ = responder.layers[0].set(table, name, action, number: number)
      }
    }
  }
}

/// A reversal that performs an action to undo another.
class PerformedReversal: ActionReversal {
  /// The host owns the dispatcher. This may outlive it, but then nobody reverses it.
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
    dispatcher.chain.find(start) == nil ? "'\(start)' is missing, and only it handles '\(reference.id)'" : nil
  }

  /// Performs the action. The reversals that it registers serve the other direction.
  override func reverse(_ makeContext: @escaping () -> Context) -> Reply {
    guard let responder = dispatcher.chain.find(start) else { return .refused(obstacle ?? "") }
    var options = PerformOptions()
    options.from = responder
    options.arguments = Arguments(arguments)
    return Reply(dispatcher.perform(reference.format(), options), of: reference.id)
  }
}

extension Reply {
  /// Converts the outcome of an action that reverses another.
  fileprivate init(_ outcome: Outcome, of action: String) {
    switch outcome.status {
    case .handled: self = .value(.null)
    case .running: self = outcome.job.map { .waiting(AwaitedAction($0, of: action)) } ?? .pass
    case .asks:
      let missing = (outcome.asks?.arguments ?? []).map { "'\($0.key)'" }.joined(separator: ", ")
      self = .refused("'\(action)' undoes it and needs \(missing), which ctx:undo didn't give")
    case .failed, .cancelled:
      var failure = outcome.error ?? Failure(.cancelled, outcome.reason ?? "it was cancelled")
      failure.hasTravelled = true
      self = .failed(failure)
    default: self = .refused(outcome.reason ?? outcome.status.rawValue)
    }
  }
}

/// Waits for an action that reverses another.
private final class AwaitedAction: Suspension {
  private let action: String

  init(_ job: Job, of action: String) {
    self.action = action
    super.init()
    awaited = job
    isNested = true
  }

  override func resume() -> Reply { awaited?.outcome.map { Reply($0, of: action) } ?? .pass }
}
