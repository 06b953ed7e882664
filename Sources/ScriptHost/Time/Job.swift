/// A *job* is an action that waits: it sleeps, or another action that it waits for goes on.
///
/// ```swift
/// let host = ScriptHost(clock: TestClock())
/// try host.load(text: "function app.on:nap() sleep(2) return 'rested' end", name: "nap.lua")
/// let outcome = host.perform("nap")
/// print(outcome.status)  // running
/// outcome.job?.onEnd { print($0.result) }
/// try host.advance(by: .seconds(2))  // text("rested")
/// ```
public class Job {
  /// How far an action says that it is.
  public struct Progress: Sendable, Equatable {
    /// From 0 to 1.
    public var fraction: Double
    /// What it does now, if it says so.
    public var text: String?
  }

  enum State {
    /// Before its first wait, and whenever it goes on.
    case executing
    case waiting
    case ended
  }

  /// The name of the action, as the one who does it calls it.
  public internal(set) var action: String
  /// Whose handler it is.
  public internal(set) var responder: Responder
  /// With whom the handler goes.
  var owner: Owner
  /// Whether the action may be done again meanwhile.
  var isReentrant: Bool
  /// How far it says that it is; nil as long as it says nothing.
  public internal(set) var progress: Progress? {
    didSet { onProgress?(self) }
  }
  /// Told whenever it says how far it is.
  public var onProgress: ((Job) -> Void)?
  /// What came of it; nil as long as it goes on.
  public private(set) var outcome: Outcome?
  private(set) final var state = State.executing
  /// Why it is cancelled at its next wait.
  final var cancellation: String?
  /// What it goes on with.
  final var suspension: Suspension?
  /// The jobs that go on when this has ended.
  private final var waiters: [Job] = []
  /// The job that performed it and waits for it.
  unowned(unsafe) final var parent: Job?
  private final var endings: [(Outcome) -> Void] = []

  // Where the scheduler keeps it.
  final var listPosition = -1
  final var heapPosition = -1
  /// When it was last woken because what it waited for had ended.
  final var wokenAt = Int64.min
  /// Its place among those of its responder.
  final var number = 0
  unowned(unsafe) final var nextOfResponder: Job?
  unowned(unsafe) final var previousOfResponder: Job?

  init(action: String, responder: Responder, owner: Owner, isReentrant: Bool) {
    self.action = action
    self.responder = responder
    self.owner = owner
    self.isReentrant = isReentrant
  }

  /// Goes on with it, when its time has come.
  func wake() {}

  /// Ends it: none of its code runs any more, what it did is taken back, its outcome is `cancelled`.
  ///
  /// One that executes now ends at its next wait.
  public func cancel() { cancel(because: "it was cancelled") }

  func cancel(because reason: String) {}
}

extension Job {
  /// The name of the responder whose handler it is.
  public var by: String { responder.name }

  /// Whether it waits now: it is neither executing nor ended.
  public var isWaiting: Bool { state == .waiting }

  /// Has a closure told, once, what came of it: at once where it has ended already, never where the host goes first.
  public func onEnd(_ body: @escaping (Outcome) -> Void) {
    if let outcome { body(outcome) } else { endings.append(body) }
  }
}

// MARK: What happens to it

extension Job {
  final func begin(_ suspension: Suspension) {
    self.suspension = suspension
    state = .waiting
    if let awaited = suspension.awaited { awaited.waiters.append(self) }
  }

  /// What it goes on with, which it has no more.
  final func leaveWait() -> Suspension? {
    let left = suspension
    suspension = nil
    state = .executing
    return left
  }

  /// Notes what came of it; who waits for it.
  final func end(_ outcome: Outcome) -> [Job] {
    state = .ended
    self.outcome = outcome
    suspension = nil
    parent = nil
    onProgress = nil
    guard !waiters.isEmpty else { return [] }
    defer { waiters = [] }
    return waiters
  }

  /// Tells those who wanted to know, once everything else is done.
  final func tellEnd() {
    guard !endings.isEmpty, let outcome else { return }
    let told = endings
    endings = []
    for ending in told { ending(outcome) }
  }

  /// Lets nobody be told any more.
  final func forgetEndings() { endings = [] }

  final func forget(_ waiter: Job) { waiters.removeAll { $0 === waiter } }

  /// How many jobs wait, one for the other, for this one.
  final var ancestors: Int {
    var count = 0
    var job = parent
    while let known = job {
      count += 1
      job = known.parent
    }
    return count
  }

  /// The last of those that it waits for, one through the other: itself where it waits for none.
  final var last: Job {
    var job = self
    while let awaited = job.suspension?.awaited { job = awaited }
    return job
  }
}

extension Suspension {
  /// The job for which it waits.
  final var awaited: Job? {
    get { awaitedObject.map { unsafeDowncast($0, to: Job.self) } }
    set { awaitedObject = newValue }
  }
}

extension Outcome {
  /// What goes on, where the status is `running`.
  public var job: Job? { aside as? Job }

  init(running job: Job, by: String, via: Via) {
    self.init(.running, by: by, via: via)
    aside = job
  }
}
