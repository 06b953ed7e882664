/// Performs several actions as one, each after the previous one has ended, until one isn't handled (K10).
///
/// It is a handler of the host, so that the actions form one undo group. It succeeds even if one of them doesn't, so that
/// the undo group of those before it is kept. The outcome is that of the last action.
final class PerformingAll: Handler {
  /// The dispatcher outlives its handlers.
  private unowned let dispatcher: Dispatcher
  private let actions: [String]
  private let options: PerformOptions
  /// The outcome of the last performed action.
  private(set) var last = Outcome(.unhandled)

  init(_ dispatcher: Dispatcher, _ actions: [String], _ options: PerformOptions) {
    self.dispatcher = dispatcher
    self.actions = actions
    self.options = options
    super.init(owner: dispatcher.hostResponder.owner)
  }

  override var isOfProgram: Bool { true }

  override func perform(for responder: Responder, in context: Context) -> Reply { Steps(self).resume() }

  /// Performs the action at an index.
  fileprivate func perform(_ place: Int) -> Outcome {
    if place == 0 { return dispatcher.perform(actions[0], options) }
    // The person's answers belong to the first action.
    var options = options
    (options.confirmed, options.asked, options.arguments) = (nil, nil, Arguments())
    let outcome = dispatcher.perform(actions[place], options)
    guard outcome.status == .asks else { return outcome }
    let reason = "'\(actions[place])' asks first, so it isn't performed with the others"
    return Outcome(.disabled, by: outcome.by, reason: reason)
  }

  /// The remaining actions.
  private final class Steps: Suspension {
    private let all: PerformingAll
    private var place = 0

    init(_ all: PerformingAll) { self.all = all }

    override func resume() -> Reply {
      if let ended = awaited?.outcome {
        awaited = nil
        if !notes(ended) { return .value(all.last.result) }
      }
      while place < all.actions.count {
        let outcome = all.perform(place)
        if outcome.status == .running, let job = outcome.job {
          (awaited, isNested) = (job, true)
          return .waiting(self)
        }
        if !notes(outcome) { break }
      }
      return .value(all.last.result)
    }

    /// Notes an action's outcome. Returns true if the next action should run.
    private func notes(_ outcome: Outcome) -> Bool {
      all.last = outcome
      place += 1
      return outcome.status == .handled
    }
  }
}

extension Dispatcher {
  /// Performs actions one after the other, until one isn't handled. Returns the last one's outcome, or `running`.
  func perform(all actions: [String], titled title: String, _ options: PerformOptions) -> Outcome {
    let handler = PerformingAll(self, actions, options)
    let outcome = run(handler, named: title)
    return outcome.status == .running ? outcome : handler.last
  }
}
