/// An action that waits: it sleeps, or waits for another action.
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
  /// The progress of an action.
  public struct Progress: Sendable, Equatable {
    /// From 0 to 1.
    public var fraction: Double
    /// A description of the current step, if any.
    public var text: String?
  }

  enum State {
    /// Before the first wait, and after each resume.
    case executing
    case waiting
    case ended
  }

  /// The action, and the responder and owner of its handler. The host cancels the job if either is removed, or the
  /// owner set aside.
  struct Subject {
    var action: String
    var responder: Responder
    var owner: Owner
    /// Whether the action can be done again while the job waits.
    var isReentrant: Bool
  }

  /// The state of a job.
  struct Memory {
    var subject: Subject
    var state = State.executing
    /// The outcome, after the job has ended.
    var outcome = Outcome(.running)
    var progress: Progress?
    /// The reason to cancel it at its next wait.
    var cancellation: String?
    /// The suspended handler with which the job continues.
    var suspension: Suspension?
    /// The jobs that wait for this job.
    var waiters: [Job] = []
    /// The job that performed this job and waits for it.
    var parent: Job?
    var endings: [(Outcome) -> Void] = []
    var onProgress: ((Job) -> Void)?
    /// Whether a timer began it.
    var isOfTimer = false
    /// Whether it only computes what to show, so that it can't be undone.
    var isAside = false
    /// Whether a job that only computes what to show began it, and waits for it no longer.
    var wasWithinAside = false
    /// Whether it is the `start` of an app or a plugin.
    var isOfStart = false
    /// Whether it is the action of a row that became current.
    var isOfChoice = false

    // The positions of the job in the scheduler.
    var heapPosition = -1
    var parkedPosition = -1
    /// When the end of another job last woke it.
    var wokenAt = Int64.min
    /// Its number in the order in which jobs began to wait; 0 before.
    var number = 0
    /// The chain's `undoableCount` at the last resume.
    var undoableCount = 0
  }

  final var memory: Memory

  /// Whether it runs now: it hasn't waited since it was created or resumed.
  package var isExecuting: Bool { memory.state == .executing }

  init(_ subject: Subject) { memory = Memory(subject: subject) }

  /// Resumes the job at its time.
  func wake() {}

  /// Whether it isn't a waiting action, but only starts something at its time.
  var isTimer: Bool { false }

  /// Cancels the job: its code stops, its changes are undone, and its outcome is `cancelled`.
  ///
  /// A job that runs now is cancelled at its next wait.
  public func cancel() { cancel(because: "it was cancelled") }

  func cancel(because reason: String) {}

  /// Cancels the job because its driver was interrupted.
  func interrupt() {}

  /// Whether it waits for a person's answer.
  var isQuestion: Bool { false }

  /// Whether the waiting script gets its `values` instead of its outcome.
  var givesValues: Bool { false }

  /// The values for the waiting script. Throws if the script gets an error.
  var values: [Value] { get throws { [] } }

  /// Called after another job was suspended to wait for this job.
  func isAwaitedNow() {}

  /// Cancels a job that nothing would ever wake.
  func giveUp() { cancel(because: "nothing can wake it any more") }
}

extension Job {
  /// The name of the action, as its responder handles it.
  public var action: String { memory.subject.action }

  /// The responder whose handler it runs.
  public var responder: Responder { memory.subject.responder }

  /// The name of that responder.
  public var by: String { memory.subject.responder.name }

  /// The outcome; nil until it ends.
  public var outcome: Outcome? { memory.state == .ended ? memory.outcome : nil }

  /// Whether a timer began it, and not a request.
  package var isOfTimer: Bool { memory.isOfTimer }

  /// Whether it is the `start` of an app or a plugin, and not a request.
  package var isOfStart: Bool { memory.isOfStart }
  /// Whether it is the action of a row that became current.
  package var isOfChoice: Bool { memory.isOfChoice }

  /// Whether it waits now: it is neither running nor ended.
  public var isWaiting: Bool { memory.state == .waiting }

  /// The reported progress; nil before the first report.
  public internal(set) var progress: Progress? {
    get { memory.progress }
    set {
      memory.progress = newValue
      onProgress?(self)
    }
  }

  /// Called at each progress report.
  public var onProgress: ((Job) -> Void)? {
    get { memory.onProgress }
    set { memory.onProgress = newValue }
  }

  /// Calls a closure once with the outcome: at once if the job has ended, never if the host closes first.
  public func onEnd(_ body: @escaping (Outcome) -> Void) {
    if let outcome { body(outcome) } else { memory.endings.append(body) }
  }
}

// MARK: Its life

extension Job {
  /// The job for which it waits, if any.
  package final var awaited: Job? { memory.suspension?.awaited }

  /// Sets the suspension with which the job waits.
  final func begin(_ suspension: Suspension) {
    memory.suspension = suspension
    suspension.awaited?.memory.waiters.append(self)
  }

  /// Records the outcome at the job's end or next wait. Returns its status.
  @inline(__always)
  @discardableResult
  final func note(_ outcome: consuming Outcome) -> Outcome.Status {
    let status = outcome.status
    // A `running` outcome retains the job, so storing it would be a reference cycle.
    if status != .running { memory.outcome = consume outcome }
    return status
  }

  /// Marks the job as ended, after its outcome was recorded.
  @inline(__always)
  final func end() {
    memory.state = .ended
    memory.parent = nil
  }

  /// Removes and returns the jobs that wait for this job.
  final func takeWaiters() -> [Job] {
    defer { memory.waiters = [] }
    return memory.waiters
  }

  /// Calls the closures of `onEnd`, after everything else is done.
  final func tellEnd() {
    guard !memory.endings.isEmpty, let outcome else { return }
    let told = memory.endings
    memory.endings = []
    for ending in told { ending(outcome) }
  }

  /// Detaches the job from a job that no longer waits for it. Its later work is separate from that job.
  final func forget(_ waiter: Job) {
    memory.waiters.removeAll { $0 === waiter }
    guard memory.parent === waiter else { return }
    memory.wasWithinAside = isWithinAside
    memory.parent = nil
  }

  /// Whether it has a wake-up time, or a job for which it waits has one.
  final var isToWake: Bool {
    var job: Job? = self
    while let one = job {
      if one.memory.heapPosition >= 0 { return true }
      job = one.awaited
    }
    return false
  }

  /// The number of jobs that wait for this job, directly or through others.
  final var ancestors: Int {
    var count = 0
    var job = memory.parent
    while let known = job {
      count += 1
      job = known.memory.parent
    }
    return count
  }

  /// Whether it only computes what to show, or was begun for that.
  final var isWithinAside: Bool {
    if memory.isAside || memory.wasWithinAside { return true }
    return memory.parent?.isWithinAside ?? false
  }

  /// The last job in the chain of jobs for which it waits; itself if it waits for none.
  final var last: Job {
    var job = self
    while let awaited = job.awaited { job = awaited }
    return job
  }
}

extension Suspension {
  /// The job for which it waits.
  final var awaited: Job? {
    get { awaitedObject as? Job }
    set { awaitedObject = newValue }
  }
}

extension Outcome {
  /// The waiting job, if the status is `running`.
  public var job: Job? { goesOn as? Job }
}
