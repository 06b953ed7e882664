/// A perform that waits, and what it takes to go on with it.
final class PerformJob: Job {
  /// It lives as long as the host, which alone has this go on.
  unowned let dispatcher: Dispatcher
  var taker: Outcome.Taker
  /// What it has registered to be taken back, as long as it waits.
  var recording: Recording? {
    didSet {
      if (recording == nil) != (oldValue == nil) { dispatcher.undo.held += recording == nil ? -1 : 1 }
    }
  }
  /// What was recorded around it, as long as it goes on among others.
  var outer: Recording?
  /// What a person calls what it does, where nobody said.
  var title: String
  /// What notes how it goes, where somebody traces.
  var trace: Trace?
  /// Whether it opened a modal session before it waited, which ends if it fails.
  var hasSession = false
  /// What waits; it knows this again as soon as it goes on.
  private var perform: Perform?

  init(_ dispatcher: Dispatcher, _ asked: Candidate) {
    self.dispatcher = dispatcher
    taker = asked.taker
    title = asked.action
    super.init(Subject(asked))
  }

  override func wake() { dispatcher.resume(self) }

  override func cancel(because reason: String) {
    if memory.value.state != .ended { dispatcher.cancel(self, because: reason) }
  }

  override func interrupt() {
    dispatcher.cancel(self, because: "it was interrupted", error: Failure(.cancelled, "cancelled"))
  }

  /// Goes on with another's handler than it began with.
  func take(_ asked: Candidate) {
    memory.value.subject = Subject(asked)
    taker = asked.taker
  }

  /// Keeps a perform until its handler goes on.
  func keep(_ perform: Perform) {
    perform.job = nil
    title = perform.title
    self.perform = perform
  }

  /// The perform that waited, which goes on as this.
  private func takePerform() -> Perform? {
    defer { perform = nil }
    perform?.job = self
    return perform
  }

  /// Goes on with what the handler replied after its wait.
  func goOn(with reply: Reply, context: Context?) -> Outcome {
    guard let perform = takePerform(), let asked = perform.asked else { return Outcome(.unhandled) }
    if !hasSession { perform.lastSession = dispatcher.chain.lastSession }
    if let context { perform.adopt(context, of: asked) }
    return perform.goOn(with: reply, of: asked)
  }

  /// Tells those who watch what came of it, where that is not for its handler to say.
  func finish(_ outcome: Outcome) -> Outcome { takePerform()?.finished(outcome) ?? outcome }

  /// Lets go of everything that it took to go on.
  func letGo() {
    if perform != nil { perform = nil }
    if recording != nil { recording = nil }
    if trace != nil { trace = nil }
  }
}

extension Job.Subject {
  init(_ asked: Candidate) {
    self.init(
      action: asked.action, responder: asked.responder, owner: asked.handler.owner,
      isReentrant: asked.handler.isReentrant)
  }
}

extension Job {
  /// Whether a trace says how it goes.
  package func isTraced(by trace: Trace) -> Bool { (self as? PerformJob)?.trace === trace }
}
