/// A perform that waits, and what it takes to go on with it.
class PerformJob: Job {
  /// It lives as long as the host, which alone has this go on.
  final let dispatcherReference: Unmanaged<Dispatcher>
  final var taker: Outcome.Taker
  /// What it has registered to be taken back, as long as it waits.
  final var recording: Recording? {
    didSet {
      if (recording == nil) != (oldValue == nil) {
        dispatcherReference._withUnsafeGuaranteedRef { $0.undo.held += recording == nil ? -1 : 1 }
      }
    }
  }
  /// What was recorded around it, as long as it goes on among others.
  final var outer: Recording?
  /// What a person calls what it does, where nobody said.
  final var title: String
  /// What notes how it goes, where somebody traces.
  final var trace: Trace?
  /// Whether it opened a modal session before it waited, which ends if it fails.
  final var hasSession = false
  /// Whether it went on with another's handler than it began with.
  private(set) final var isAnothers = false
  private final var waiting: Waiting?

  /// A perform, and who was asked.
  private final class Waiting {
    var perform: Perform
    let asked: Candidate

    init(_ perform: Perform, _ asked: Candidate) {
      self.perform = perform
      self.asked = asked
    }
  }

  init(_ dispatcher: Dispatcher, _ subject: Subject, taker: Outcome.Taker) {
    dispatcherReference = .passUnretained(dispatcher)
    self.taker = taker
    title = subject.action
    super.init(subject)
  }

  final var dispatcher: Dispatcher { dispatcherReference.takeUnretainedValue() }

  override func wake() { dispatcher.resume(self) }

  override func cancel(because reason: String) {
    if memory.value.state != .ended { dispatcher.cancel(self, because: reason) }
  }

  /// Keeps a perform until its handler goes on.
  final func keep(_ perform: Perform, _ asked: Candidate) {
    let waiting = Waiting(perform, asked)
    waiting.perform.job = nil
    self.waiting = waiting
    memory.value.subject = Subject(asked)
    taker = asked.taker
    isAnothers = true
    title = perform.title
  }

  /// Goes on with what the handler replied after its wait.
  func goOn(with reply: Reply, context: Context?) -> Outcome {
    guard let waiting else { return Outcome(.unhandled) }
    self.waiting = nil
    var perform = waiting.perform
    perform.job = self
    if let context { perform.adopt(context, of: waiting.asked) }
    return perform.goOn(with: reply, of: waiting.asked)
  }

  /// Tells those who watch what came of it, where that is not for its handler to say.
  final func finish(_ outcome: Outcome) -> Outcome {
    guard let waiting else { return outcome }
    self.waiting = nil
    var perform = waiting.perform
    perform.job = self
    return perform.finished(outcome)
  }

  /// Lets go of everything that it took to go on.
  func letGo() {
    if waiting != nil { waiting = nil }
    if recording != nil { recording = nil }
    if trace != nil { trace = nil }
  }

  /// Whether it keeps a perform.
  final var isKept: Bool { waiting != nil }
}

extension Job.Subject {
  init(_ asked: Candidate) {
    self.init(
      action: asked.action, responder: asked.responder, owner: asked.handler.owner,
      isReentrant: asked.handler.isReentrant)
  }
}
