/// Holds the waiting jobs of a host and their wake-up times. It has no thread or timer: the host's driver calls it.
final class Scheduler {
  let clock: HostClock
  /// The changes outside the host for which jobs wait.
  var changes = Changes()
  /// The calls outside the host for which jobs wait.
  var returns = Returns()
  private let memory = Cell(Memory())

  /// Receives changes from outside the host.
  struct Changes {
    /// A descriptor that is readable when there are changes; -1 if nobody waits for any.
    var descriptor: Int32 = -1
    private var isWanted: () -> Bool = { false }
    private var body: () -> Void = {}

    init() {}

    init(descriptor: Int32, isWanted: @escaping () -> Bool, _ body: @escaping () -> Void) {
      self.descriptor = descriptor
      self.isWanted = isWanted
      self.body = body
    }

    /// The descriptor to wait for; -1 if every job already knows of a change, so that further ones wake nobody.
    @inline(__always)
    var polled: Int32 { descriptor >= 0 && isWanted() ? descriptor : -1 }

    /// Passes changes to the jobs, if one of them doesn't know of any yet.
    @inline(__always)
    func take() { if polled >= 0 { body() } }

    /// Passes all changes to the jobs.
    func takeAll() { if descriptor >= 0 { body() } }
  }

  /// Receives the ends of calls outside the host.
  struct Returns {
    /// A descriptor that is readable when a call has ended; -1 before the first call.
    let descriptor: Int32
    private let body: () -> Bool
    /// The number of calls that run, or whose end hasn't been handled.
    var running = 0

    init(descriptor: Int32 = -1, _ body: @escaping () -> Bool = { false }) {
      self.descriptor = descriptor
      self.body = body
    }

    /// The descriptor to wait for; -1 if no call runs.
    @inline(__always)
    var polled: Int32 { running > 0 ? descriptor : -1 }

    /// Wakes the jobs whose calls have ended. Returns true if there were any.
    @inline(__always)
    @discardableResult
    func take() -> Bool { running > 0 && body() }
  }

  private struct Memory {
    /// The jobs with a time, as a heap with the next at the front. Allocated manually, because an array would check for
    /// uniqueness at each access.
    var heap = UnsafeMutablePointer<Waking>.allocate(capacity: 16)
    var capacity = 16
    var count = 0
    /// The jobs that something else wakes, in no order.
    var parked: ContiguousArray<Unmanaged<Job>> = []
    var number = 0
    var waiting = 0
  }

  /// A job and its wake-up time; equal times keep their order. A job is retained once while it waits, in the heap or in
  /// `parked`.
  private struct Waking {
    let time: Int64
    let number: Int
    let job: Unmanaged<Job>

    func isBefore(_ other: Waking) -> Bool { time != other.time ? time < other.time : number < other.number }
  }

  /// The current time of the clock.
  var now: Int64 { clock.nanoseconds }

  /// Jumps the clock to a moment in the future, if no real waiting is needed. Returns false if time has to pass.
  func skip(to moment: Int64) -> Bool { clock.skip(to: moment) }

  init(clock: HostClock) { self.clock = clock }

  deinit {
    for job in waitingJobs { job.release() }
    memory.value.heap.deallocate()
    memory.free()
  }

  private var waitingJobs: [Unmanaged<Job>] {
    UnsafeBufferPointer(start: memory.value.heap, count: memory.value.count).map(\.job) + memory.value.parked
  }

  /// The waiting jobs, in the order in which they began to wait.
  var jobs: [Job] {
    waitingJobs.map { $0.takeUnretainedValue() }.sorted { $0.memory.value.number < $1.memory.value.number }
  }

  /// The number of waiting jobs whose action can't be done again meanwhile.
  @inline(__always)
  var waiting: Int { memory.value.waiting }

  /// The time of the next wake-up.
  @inline(__always)
  var deadline: Int64? { memory.value.count == 0 ? nil : memory.value.heap[0].time }

  // MARK: Waiting

  /// Makes a job wait for a time; if negative, until something wakes it.
  @inline(__always)
  func add(_ job: Job, nanoseconds: Int64) {
    job.memory.value.state = .waiting
    if job.memory.value.number == 0 {
      memory.value.number &+= 1
      job.memory.value.number = memory.value.number
    }
    if !job.memory.value.subject.isReentrant { link(job) }
    let kept = Unmanaged.passRetained(job)
    if nanoseconds >= 0 {
      push(kept, at: now.addingTime(max(nanoseconds, clock.tick)))
    } else {
      job.memory.value.parkedPosition = memory.value.parked.count
      memory.value.parked.append(kept)
    }
  }

  /// Makes a waiting job wake as soon as the host is driven.
  func wakeSoon(_ job: Job) {
    guard job.memory.value.state == .waiting else { return }
    guard let job = takeOut(job) else { return }
    let now = self.now
    // Two jobs that wake each other must not do so forever while the clock stops.
    push(job, at: job.memory.value.wokenAt == now ? now.addingTime(clock.tick) : now)
    job.memory.value.wokenAt = now
  }

  /// Removes and returns the next job if it is due, which then runs.
  @inline(__always)
  func takeNext(until now: Int64) -> Job? {
    guard memory.value.count > 0, memory.value.heap[0].time <= now else { return nil }
    let job = remove(at: 0).takeRetainedValue()
    stop(job)
    return job
  }

  /// Removes a job that no longer waits.
  func leave(_ job: Job) {
    guard let kept = takeOut(job) else { return }
    stop(job)
    kept.release()
  }

  /// Ends a job, and wakes those that wait for it.
  @inline(__always)
  func end(_ job: Job) {
    job.end()
    if !job.memory.value.waiters.isEmpty { wakeWaiters(of: job) }
  }

  private func wakeWaiters(of job: Job) {
    for waiter in job.takeWaiters() { wakeSoon(waiter) }
  }

  @inline(__always)
  private func stop(_ job: Job) {
    job.memory.value.state = .executing
    if !job.memory.value.subject.isReentrant { unlink(job) }
  }

  private func takeOut(_ job: Job) -> Unmanaged<Job>? {
    if job.memory.value.heapPosition >= 0 { return remove(at: job.memory.value.heapPosition) }
    let position = job.memory.value.parkedPosition
    guard position >= 0 else { return nil }
    let kept = memory.value.parked[position]
    let last = memory.value.parked.removeLast()
    if position < memory.value.parked.count { memory.value.parked[position] = last }
    last.memory.value.parkedPosition = position
    kept.memory.value.parkedPosition = -1
    return kept
  }

  // MARK: Those of one responder

  /// Returns true if an action of a responder waits, and can't be done again meanwhile.
  func isWaiting(_ action: String, of responder: Responder) -> Bool {
    var job = responder.waiting.value.map { Unmanaged<Job>.fromOpaque($0) }
    while let known = job {
      if known.memory.value.subject.action.hasSameBytes(as: action) { return true }
      job = known.memory.value.nextOfResponder
    }
    return false
  }

  @inline(__always)
  private func link(_ job: Job) {
    let first = job.memory.value.subject.responder.waiting
    let next = first.value.map { Unmanaged<Job>.fromOpaque($0) }
    let own = Unmanaged.passUnretained(job)
    job.memory.value.nextOfResponder = next
    if let next { next.memory.value.previousOfResponder = own }
    first.value = own.toOpaque()
    memory.value.waiting &+= 1
  }

  @inline(__always)
  private func unlink(_ job: Job) {
    let next = job.memory.value.nextOfResponder
    let previous = job.memory.value.previousOfResponder
    if let previous {
      previous.memory.value.nextOfResponder = next
    } else {
      job.memory.value.subject.responder.waiting.value = next?.toOpaque()
    }
    if let next { next.memory.value.previousOfResponder = previous }
    job.memory.value.nextOfResponder = nil
    job.memory.value.previousOfResponder = nil
    memory.value.waiting &-= 1
  }

  // MARK: The heap

  @inline(__always)
  private func push(_ job: Unmanaged<Job>, at time: Int64) {
    memory.value.number &+= 1
    let position = memory.value.count
    if position == memory.value.capacity { grow() }
    (memory.value.heap + position).initialize(to: Waking(time: time, number: memory.value.number, job: job))
    memory.value.count &+= 1
    job.memory.value.heapPosition = position
    if position > 0 { rise(position) }
  }

  @inline(never)
  private func grow() {
    let larger = UnsafeMutablePointer<Waking>.allocate(capacity: 2 * memory.value.capacity)
    larger.moveInitialize(from: memory.value.heap, count: memory.value.count)
    memory.value.heap.deallocate()
    memory.value.heap = larger
    memory.value.capacity *= 2
  }

  @inline(__always)
  private func remove(at position: Int) -> Unmanaged<Job> {
    let last = memory.value.count &- 1
    if position < last { swap(position, last) }
    memory.value.count = last
    let job = (memory.value.heap + last).move().job
    job.memory.value.heapPosition = -1
    if position < last {
      rise(position)
      sink(position)
    }
    return job
  }

  private func swap(_ one: Int, _ other: Int) {
    let moved = memory.value.heap[one]
    memory.value.heap[one] = memory.value.heap[other]
    memory.value.heap[other] = moved
    memory.value.heap[one].job.memory.value.heapPosition = one
    memory.value.heap[other].job.memory.value.heapPosition = other
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    memory.value.heap[one].isBefore(memory.value.heap[other])
  }

  /// Moves an element towards the front of the heap until it is in order.
  private func rise(_ position: Int) {
    var position = position
    while position > 0, isBefore(position, (position - 1) / 2) {
      swap(position, (position - 1) / 2)
      position = (position - 1) / 2
    }
  }

  /// Moves an element towards the end of the heap until it is in order.
  private func sink(_ position: Int) {
    let count = memory.value.count
    var position = position
    while 2 * position + 1 < count {
      var child = 2 * position + 1
      if child + 1 < count, isBefore(child + 1, child) { child += 1 }
      guard isBefore(child, position) else { return }
      swap(child, position)
      position = child
    }
  }
}

extension Unmanaged where Instance == Job {
  /// Reads the job's memory without retaining the job.
  @inline(__always)
  fileprivate var memory: Cell<Job.Memory> { _withUnsafeGuaranteedRef { $0.memory } }
}
