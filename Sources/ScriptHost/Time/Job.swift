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

  /// A job's subject: the name of the action, whose handler it is, with whom the handler goes.
  struct Subject {
    var action: String
    var responder: Responder
    var owner: Owner
    /// Whether the action may be done again meanwhile.
    var isReentrant: Bool
  }

  /// What changes while a job waits and goes on.
  struct Memory {
    var subject: Subject
    var state = State.executing
    /// What came of it, once it has ended.
    var outcome = Outcome(.running)
    var progress: Progress?
    /// Why it is cancelled at its next wait.
    var cancellation: String?
    /// What it goes on with.
    var suspension: Suspension?
    /// The jobs that go on when this has ended.
    var waiters: [Job] = []
    /// The job that performed it and waits for it.
    var parent: Unmanaged<Job>?
    var endings: [(Outcome) -> Void] = []
    var onProgress: ((Job) -> Void)?

    // Where the scheduler keeps it.
    var heapPosition = -1
    var parkedPosition = -1
    /// When it was last woken because what it waited for had ended.
    var wokenAt = Int64.min
    /// Its place in the order in which jobs began to wait; 0 before.
    var number = 0
    /// The chain's count of what came to be undone next, when it went on last.
    var undoableCount = 0
    var nextOfResponder: Unmanaged<Job>?
    var previousOfResponder: Unmanaged<Job>?
  }

  let memory: Cell<Memory>

  init(_ subject: Subject) { memory = Cell(Memory(subject: subject)) }

  deinit { memory.free() }

  /// Goes on with it, when its time has come.
  func wake() {}

  /// Ends it: none of its code runs any more, what it did is taken back, its outcome is `cancelled`.
  ///
  /// One that executes now ends at its next wait.
  public func cancel() { cancel(because: "it was cancelled") }

  func cancel(because reason: String) {}

  /// Ends it because whoever waits for it interrupts that.
  func interrupt() {}

  /// Ends what nothing would ever wake.
  func giveUp() { cancel(because: "nothing would ever wake it") }
}

extension Job {
  /// The name of the action, as the one who does it calls it.
  public var action: String { memory.value.subject.action }

  /// Whose handler it is.
  public var responder: Responder { memory.value.subject.responder }

  /// The name of the responder whose handler it is.
  public var by: String { memory.value.subject.responder.name }

  /// What came of it; nil as long as it goes on.
  public var outcome: Outcome? { memory.value.state == .ended ? memory.value.outcome : nil }

  /// Whether it waits now: it is neither executing nor ended.
  public var isWaiting: Bool { memory.value.state == .waiting }

  /// How far it says that it is; nil as long as it says nothing.
  public internal(set) var progress: Progress? {
    get { memory.value.progress }
    set {
      memory.value.progress = newValue
      onProgress?(self)
    }
  }

  /// Told whenever it says how far it is.
  public var onProgress: ((Job) -> Void)? {
    get { memory.value.onProgress }
    set { memory.value.onProgress = newValue }
  }

  /// Has a closure told, once, what came of it: at once where it has ended already, never where the host goes first.
  public func onEnd(_ body: @escaping (Outcome) -> Void) {
    if let outcome { body(outcome) } else { memory.value.endings.append(body) }
  }
}

// MARK: What happens to it

extension Job {
  /// For what it waits, where that is another job.
  package final var awaited: Job? { memory.value.suspension?.awaited }

  /// Waits with what it goes on with.
  final func begin(_ suspension: Suspension) {
    memory.value.suspension = suspension
    suspension.awaited?.memory.value.waiters.append(self)
  }

  /// Notes what came of it up to its end or its next wait; how that is.
  @inline(__always)
  @discardableResult
  final func note(_ outcome: consuming Outcome) -> Outcome.Status {
    let status = outcome.status
    // One that goes on is its own outcome until then, and would hold itself.
    if status != .running { memory.value.outcome = consume outcome }
    return status
  }

  /// Ends it: what came of it is noted.
  @inline(__always)
  final func end() {
    memory.value.state = .ended
    memory.value.parent = nil
  }

  /// Takes the jobs that wait for this one, which do so no more.
  final func takeWaiters() -> [Job] {
    defer { memory.value.waiters = [] }
    return memory.value.waiters
  }

  /// Tells those who wanted to know, once everything else is done.
  final func tellEnd() {
    guard !memory.value.endings.isEmpty, let outcome else { return }
    let told = memory.value.endings
    memory.value.endings = []
    for ending in told { ending(outcome) }
  }

  /// Goes on for itself: one that waited for it doesn't any more, and what it does from now on is no part of what that one did.
  final func forget(_ waiter: Job) {
    memory.value.waiters.removeAll { $0 === waiter }
    if memory.value.parent?.toOpaque() == Unmanaged.passUnretained(waiter).toOpaque() { memory.value.parent = nil }
  }

  /// How many jobs wait, one for the other, for this one.
  final var ancestors: Int {
    var count = 0
    var job = memory.value.parent?.takeUnretainedValue()
    while let known = job {
      count += 1
      job = known.memory.value.parent?.takeUnretainedValue()
    }
    return count
  }

  /// The last of those that it waits for, one through the other: itself where it waits for none.
  final var last: Job {
    var job = self
    while let awaited = job.awaited { job = awaited }
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
  public var job: Job? { goesOn.map { unsafeDowncast($0, to: Job.self) } }
}
