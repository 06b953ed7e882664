/// Performs several actions as one: each once the one before has ended, until one isn't handled (K10).
///
/// It is a handler of the host's that is run by itself, so that what the actions register for undo is one group.
final class PerformingAll: Handler {
  /// The dispatcher lives longer than any handler of its own.
  private unowned let dispatcher: Dispatcher
  private let actions: [String]
  private let options: PerformOptions
  /// What came of the last action that was performed.
  private(set) var last = Outcome(.unhandled)

  init(_ dispatcher: Dispatcher, _ actions: [String], _ options: PerformOptions) {
    self.dispatcher = dispatcher
    self.actions = actions
    self.options = options
    super.init(owner: dispatcher.hostResponder.owner)
  }

  override var isOfProgram: Bool { true }

  override func perform(for responder: Responder, in context: Context) -> Reply { Steps(self).resume() }

  /// Performs an action by its place in the list.
  fileprivate func perform(_ place: Int) -> Outcome {
    if place == 0 { return dispatcher.perform(actions[0], options) }
    // What a person has answered was asked by the first one.
    var options = options
    (options.confirmed, options.asked, options.arguments) = (nil, nil, Arguments())
    let outcome = dispatcher.perform(actions[place], options)
    guard outcome.status == .asks else { return outcome }
    let reason = "'\(actions[place])' asks first, so it isn't done with the others"
    return Outcome(.disabled, by: outcome.by, reason: reason)
  }

  /// The actions that are left to be performed.
  private final class Steps: Suspension {
    private let all: PerformingAll
    private var place = 0

    init(_ all: PerformingAll) { self.all = all }

    override func resume() -> Reply {
      if let ended = awaited?.outcome {
        awaited = nil
        if !notes(ended) { return .value(said) }
      }
      while place < all.actions.count {
        let outcome = all.perform(place)
        if outcome.status == .running, let job = outcome.job {
          (awaited, isNested) = (job, true)
          return .waiting(self)
        }
        if !notes(outcome) { break }
      }
      return .value(said)
    }

    /// Notes what came of an action, and returns whether the next one is performed.
    private func notes(_ outcome: Outcome) -> Bool {
      all.last = outcome
      place += 1
      return outcome.status == .handled
    }

    /// The result of the last action; the reason if it wasn't done, since those before it were.
    private var said: Value {
      if all.last.status == .handled || place < 2 { return all.last.result }
      return .text("'\(all.actions[place - 1])' was not done: \(all.last.reason ?? all.last.status.rawValue)")
    }
  }
}

extension Dispatcher {
  /// Performs actions one after the other, until one isn't handled. The outcome is that of the last one performed, or that they wait.
  func perform(all actions: [String], titled title: String, _ options: PerformOptions) -> Outcome {
    let handler = PerformingAll(self, actions, options)
    let outcome = run(handler, named: title)
    return outcome.status == .running ? outcome : handler.last
  }
}
