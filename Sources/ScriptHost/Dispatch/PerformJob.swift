/// A *perform job* is a perform that waits, with what is needed to go on with it.
final class PerformJob: Job {
  /// The dispatcher lives as long as the host, which alone runs this.
  unowned let dispatcher: Dispatcher
  var taker: Outcome.Taker
  /// The recording that was put away while it waits; nil if there is none.
  var recording: Recording? {
    didSet {
      if (recording == nil) != (oldValue == nil) { dispatcher.undo.held += recording == nil ? -1 : 1 }
    }
  }
  /// The recording that was current before it went on, to be restored afterwards.
  var outer: Recording?
  /// The title of what it does, for undo groups.
  var title: String
  /// The trace of the perform, if somebody traces.
  var trace: Trace?
  /// The lowest modal session that it opened before it waited, if that is open; it closes if the perform fails.
  var session: ModalSession?
  /// Counts what came of it, as long as somebody has the job. What the action is given is in its context, which is Lua's.
  private var share: KeptBytes.Share?
  /// The perform that waits; its `job` is set as soon as it goes on.
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

  /// Changes the candidate whose handler waits.
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

  /// Takes the perform that waited, which goes on as this job.
  private func takePerform() -> Perform? {
    defer { perform = nil }
    perform?.job = self
    return perform
  }

  /// Goes on with what the handler replied after its wait.
  func goOn(with reply: Reply) -> Outcome {
    guard let perform = takePerform(), let asked = perform.asked else { return Outcome(.unhandled) }
    // Others may have opened sessions meanwhile, which are below its own or none of its business.
    perform.lastSession = if let session, session.isOpen { session.number - 1 } else { dispatcher.chain.lastSession }
    return perform.goOn(with: reply, of: asked)
  }

  /// Ends the perform with an outcome that its handler did not give, and tells observers.
  func finish(_ outcome: Outcome) -> Outcome { takePerform()?.finished(outcome) ?? outcome }

  /// Releases everything that was kept to go on.
  func letGo() {
    if perform != nil { perform = nil }
    if recording != nil { recording = nil }
    if trace != nil { trace = nil }
    let bytes = memory.value.outcome.result.textBytes
    share = bytes == 0 ? nil : dispatcher.kept.share(bytes)
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
  /// Whether a trace is this job's.
  package func isTraced(by trace: Trace) -> Bool { (self as? PerformJob)?.trace === trace }
}
