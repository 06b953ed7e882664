/// A perform that waits, with everything needed to continue it.
final class PerformJob: Job {
  /// The host, which alone runs this, keeps the dispatcher alive.
  unowned let dispatcher: Dispatcher
  var taker: Outcome.Taker
  /// The recording during the wait; nil if there is none.
  var recording: Recording? {
    didSet {
      if (recording == nil) != (oldValue == nil) { dispatcher.undo.held += recording == nil ? -1 : 1 }
    }
  }
  /// The recording that was current before the job resumed, to restore afterwards.
  var outer: Recording?
  /// The action's title, for undo groups.
  var title: String
  /// The trace of the perform, if somebody traces.
  var trace: Trace?
  /// The lowest modal session that the perform opened, if still open. It closes if the perform fails.
  var session: ModalSession?
  /// Counts the memory of the result while somebody holds the job. Lua counts the arguments, which are in the context.
  private var share: KeptBytes.Share?
  /// The handler, if it performs several actions: its last outcome is the job's.
  private let all: PerformingAll?
  /// The waiting perform. Its `job` is set when it resumes.
  private var perform: Perform?

  init(_ dispatcher: Dispatcher, _ asked: Candidate) {
    self.dispatcher = dispatcher
    taker = asked.taker
    title = asked.action
    all = asked.handler as? PerformingAll
    super.init(Subject(asked))
  }

  override func wake() { dispatcher.resume(self) }

  override func cancel(because reason: String) {
    if memory.state != .ended { dispatcher.cancel(self, because: reason) }
  }

  override func interrupt() {
    dispatcher.cancel(self, because: "it was interrupted", error: Failure(.cancelled, "cancelled"))
  }

  /// Changes the candidate whose handler waits.
  func take(_ asked: Candidate) {
    memory.subject = Subject(asked)
    taker = asked.taker
  }

  /// Stores a perform until its handler continues.
  func keep(_ perform: Perform) {
    perform.job = nil
    title = perform.title
    self.perform = perform
  }

  /// Returns the waiting perform, and sets this as its job.
  private func takePerform() -> Perform? {
    defer { perform = nil }
    perform?.job = self
    return perform
  }

  /// Continues with the handler's reply after its wait.
  func goOn(with reply: Reply) -> Outcome {
    guard let perform = takePerform(), let asked = perform.asked else { return Outcome(.unhandled) }
    // Sessions that others opened meanwhile don't belong to this perform.
    perform.lastSession = if let session, session.isOpen { session.number - 1 } else { dispatcher.chain.lastSession }
    return perform.goOn(with: reply, of: asked)
  }

  /// Ends the perform with an outcome that isn't the handler's, and tells observers.
  func finish(_ outcome: Outcome) -> Outcome { takePerform()?.finished(outcome) ?? outcome }

  /// Takes the outcome of the last of several actions, once the undo group is made.
  func takeLast() {
    if let all, memory.outcome.status == .handled { note(all.last) }
  }

  /// Releases everything needed to continue.
  func letGo() {
    if perform != nil { perform = nil }
    if recording != nil { recording = nil }
    if trace != nil { trace = nil }
    let bytes = memory.outcome.result.textBytes
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
  /// Returns true if a trace belongs to this job.
  package func isTraced(by trace: Trace) -> Bool { (self as? PerformJob)?.trace === trace }
}
