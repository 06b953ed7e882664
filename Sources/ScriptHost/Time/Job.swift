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
  /// The progress that an action reports.
  public struct Progress: Sendable, Equatable {
    /// From 0 to 1.
    public var fraction: Double
    /// What the action does now, if it says so.
    public var text: String?
  }

  enum State {
    /// Before its first wait, and whenever it has been resumed.
    case executing
    case waiting
    case ended
  }

  /// A job's subject: the action, and the responder and owner of its handler; the job is cancelled if either is removed, or the owner set
  /// aside.
  struct Subject {
    var action: String
    var responder: Responder
    var owner: Owner
    /// Whether the action may be done again while the job waits.
    var isReentrant: Bool
  }

  /// The state of a job.
  struct Memory {
    var subject: Subject
    var state = State.executing
    /// What came of it, once it has ended.
    var outcome = Outcome(.running)
    var progress: Progress?
    /// Why it is cancelled at its next wait.
    var cancellation: String?
    /// The suspended handler with which the job goes on.
    var suspension: Suspension?
    /// The jobs that wait for this one.
    var waiters: [Job] = []
    /// The job that performed this one and waits for it.
    var parent: Unmanaged<Job>?
    var endings: [(Outcome) -> Void] = []
    var onProgress: ((Job) -> Void)?
    /// Whether a timer began it.
    var isOfTimer = false
    /// Whether it only says what is shown, so that nothing of it can be undone.
    var isAside = false
    /// Whether it is the `start` of an app or a plugin.
    var isOfStart = false

    // The positions of the job in the scheduler.
    var heapPosition = -1
    var parkedPosition = -1
    /// When it was last woken because what it waited for had ended.
    var wokenAt = Int64.min
    /// Its place in the order in which jobs began to wait; 0 before.
    var number = 0
    /// The chain's `undoableCount` when the job went on last.
    var undoableCount = 0
    var nextOfResponder: Unmanaged<Job>?
    var previousOfResponder: Unmanaged<Job>?
  }

  let memory: Cell<Memory>

  /// Whether it has just gone on, and hasn't waited again.
  package var isExecuting: Bool { memory.value.state == .executing }

  init(_ subject: Subject) { memory = Cell(Memory(subject: subject)) }

  deinit { memory.free() }

  /// Resumes the job; called when its time has come.
  func wake() {}

  /// Whether it is no action that waits, but only waits for its time to begin something.
  var isTimer: Bool { false }

  /// Cancels the job: none of its code runs any more, what it did is taken back, and its outcome is `cancelled`.
  ///
  /// A job that executes now is cancelled at its next wait.
  public func cancel() { cancel(because: "it was cancelled") }

  func cancel(because reason: String) {}

  /// Cancels the job because its driver was interrupted.
  func interrupt() {}

  /// Whether a person has to answer it.
  var isQuestion: Bool { false }

  /// Whether the script that waits for it gets its `values`, and not its outcome.
  var givesValues: Bool { false }

  /// What the script gets that waits for it; throws if it gets an error.
  var values: [Value] { get throws { [] } }

  /// Called when another job waits for this one, and has been suspended.
  func isAwaitedNow() {}

  /// Cancels a job that nothing would ever wake.
  func giveUp() { cancel(because: "nothing would ever wake it") }
}

extension Job {
  /// The name of the action, as the one who does it calls it.
  public var action: String { memory.value.subject.action }

  /// The responder whose handler it is.
  public var responder: Responder { memory.value.subject.responder }

  /// The name of the responder whose handler it is.
  public var by: String { memory.value.subject.responder.name }

  /// What came of it; nil as long as it goes on.
  public var outcome: Outcome? { memory.value.state == .ended ? memory.value.outcome : nil }

  /// Whether a timer began it, so that nobody has asked for it.
  package var isOfTimer: Bool { memory.value.isOfTimer }

  /// Whether it is the `start` of an app or a plugin, so that nobody has asked for it.
  package var isOfStart: Bool { memory.value.isOfStart }

  /// Whether it waits now: it is neither executing nor ended.
  public var isWaiting: Bool { memory.value.state == .waiting }

  /// The progress that it reports; nil until it reports any.
  public internal(set) var progress: Progress? {
    get { memory.value.progress }
    set {
      memory.value.progress = newValue
      onProgress?(self)
    }
  }

  /// Called whenever it reports progress.
  public var onProgress: ((Job) -> Void)? {
    get { memory.value.onProgress }
    set { memory.value.onProgress = newValue }
  }

  /// Calls a closure once with the outcome: at once if the job has ended already, never if the host is closed first.
  public func onEnd(_ body: @escaping (Outcome) -> Void) {
    if let outcome { body(outcome) } else { memory.value.endings.append(body) }
  }
}

// MARK: What happens to it

extension Job {
  /// The job for which it waits, if it waits for one.
  package final var awaited: Job? { memory.value.suspension?.awaited }

  /// Sets the suspension with which the job waits.
  final func begin(_ suspension: Suspension) {
    memory.value.suspension = suspension
    suspension.awaited?.memory.value.waiters.append(self)
  }

  /// Notes the outcome at the job's end or next wait. Returns its status.
  @inline(__always)
  @discardableResult
  final func note(_ outcome: consuming Outcome) -> Outcome.Status {
    let status = outcome.status
    // A `running` outcome retains the job, so keeping it would be a reference cycle.
    if status != .running { memory.value.outcome = consume outcome }
    return status
  }

  /// Marks the job as ended; its outcome was noted before.
  @inline(__always)
  final func end() {
    memory.value.state = .ended
    memory.value.parent = nil
  }

  /// Takes out the jobs that wait for this one.
  final func takeWaiters() -> [Job] {
    defer { memory.value.waiters = [] }
    return memory.value.waiters
  }

  /// Calls the closures of `onEnd`, after everything else is done.
  final func tellEnd() {
    guard !memory.value.endings.isEmpty, let outcome else { return }
    let told = memory.value.endings
    memory.value.endings = []
    for ending in told { ending(outcome) }
  }

  /// Detaches the job from one that no longer waits for it; what it does from now on is no part of that one.
  final func forget(_ waiter: Job) {
    memory.value.waiters.removeAll { $0 === waiter }
    if memory.value.parent?.toOpaque() == Unmanaged.passUnretained(waiter).toOpaque() { memory.value.parent = nil }
  }

  /// Whether its time is known, or that of a job for which it waits.
  final var isToWake: Bool {
    var job: Job? = self
    while let one = job {
      if one.memory.value.heapPosition >= 0 { return true }
      job = one.awaited
    }
    return false
  }

  /// How many jobs wait for this one, directly or through others.
  final var ancestors: Int {
    var count = 0
    var job = memory.value.parent?.takeUnretainedValue()
    while let known = job {
      count += 1
      job = known.memory.value.parent?.takeUnretainedValue()
    }
    return count
  }

  /// The last job in the line for which it waits; itself if it waits for none.
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
  /// The job that goes on, if the status is `running`.
  public var job: Job? { goesOn.map { unsafeDowncast($0, to: Job.self) } }
}
