/// Holds the waiting jobs of a host and their wake-up times. It has no thread or timer: the host's driver calls it.
final class Scheduler {
  let clock: HostClock
  /// The changes outside the host for which jobs wait.
  var changes = Changes()
  /// The calls outside the host for which jobs wait.
  var returns = Returns()

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

  /// The jobs with a time, as a heap with the next at the front.
  private var heap: ContiguousArray<Waking> = []
  /// The jobs that something else wakes, in no order.
  private var parked: ContiguousArray<Job> = []
  /// The waiting actions that can't be done again meanwhile, each with the number of its jobs.
  private var held: [Held: Int] = [:]
  /// The number of those jobs.
  private(set) var waiting = 0
  private var number = 0

  /// An action of a responder.
  private struct Held: Hashable {
    let responder: ObjectIdentifier
    let action: ByteText

    init(_ responder: Responder, _ action: String) {
      self.responder = ObjectIdentifier(responder)
      self.action = ByteText(action)
    }
  }

  /// A job and its wake-up time; equal times keep their order.
  private struct Waking {
    let time: Int64
    let number: Int
    let job: Job

    func isBefore(_ other: Waking) -> Bool { time != other.time ? time < other.time : number < other.number }
  }

  /// The current time of the clock.
  var now: Int64 { clock.nanoseconds }

  /// Jumps the clock to a moment in the future, if no real waiting is needed. Returns false if time has to pass.
  func skip(to moment: Int64) -> Bool { clock.skip(to: moment) }

  init(clock: HostClock) { self.clock = clock }

  /// The waiting jobs, in the order in which they began to wait.
  var jobs: [Job] {
    (heap.map(\.job) + parked).sorted { $0.memory.number < $1.memory.number }
  }

  /// The time of the next wake-up.
  var deadline: Int64? { heap.first?.time }

  // MARK: Waiting

  /// Makes a job wait for a time; if negative, until something wakes it.
  func add(_ job: Job, nanoseconds: Int64) {
    job.memory.state = .waiting
    if job.memory.number == 0 {
      number &+= 1
      job.memory.number = number
    }
    if !job.memory.subject.isReentrant { hold(job) }
    if nanoseconds >= 0 {
      push(job, at: now.addingTime(max(nanoseconds, clock.tick)))
    } else {
      job.memory.parkedPosition = parked.count
      parked.append(job)
    }
  }

  /// Makes a waiting job wake as soon as the host is driven.
  func wakeSoon(_ job: Job) {
    guard job.memory.state == .waiting, takeOut(job) else { return }
    let now = self.now
    // Two jobs that wake each other must not do so forever while the clock stops.
    push(job, at: job.memory.wokenAt == now ? now.addingTime(clock.tick) : now)
    job.memory.wokenAt = now
  }

  /// Removes and returns the next job if it is due, which then runs.
  func takeNext(until now: Int64) -> Job? {
    guard let next = heap.first, next.time <= now else { return nil }
    remove(at: 0)
    stop(next.job)
    return next.job
  }

  /// Removes a job that no longer waits.
  func leave(_ job: Job) {
    if takeOut(job) { stop(job) }
  }

  /// Ends a job, and wakes those that wait for it.
  func end(_ job: Job) {
    job.end()
    if !job.memory.waiters.isEmpty { wakeWaiters(of: job) }
  }

  private func wakeWaiters(of job: Job) {
    for waiter in job.takeWaiters() { wakeSoon(waiter) }
  }

  private func stop(_ job: Job) {
    job.memory.state = .executing
    if !job.memory.subject.isReentrant { letGo(job) }
  }

  /// Removes a job from those that wait. Returns false if it doesn't wait.
  private func takeOut(_ job: Job) -> Bool {
    if job.memory.heapPosition >= 0 {
      remove(at: job.memory.heapPosition)
      return true
    }
    let position = job.memory.parkedPosition
    guard position >= 0 else { return false }
    let last = parked.removeLast()
    if position < parked.count { parked[position] = last }
    last.memory.parkedPosition = position
    job.memory.parkedPosition = -1
    return true
  }

  // MARK: Those of one responder

  /// Returns true if an action of a responder waits, and can't be done again meanwhile.
  func isWaiting(_ action: String, of responder: Responder) -> Bool {
    held[Held(responder, action)] != nil
  }

  private func hold(_ job: Job) {
    held[Held(job.responder, job.memory.subject.action), default: 0] += 1
    waiting += 1
  }

  private func letGo(_ job: Job) {
    let action = Held(job.responder, job.memory.subject.action)
    held[action] = held[action].flatMap { $0 > 1 ? $0 - 1 : nil }
    waiting -= 1
  }

  // MARK: The heap

  private func push(_ job: Job, at time: Int64) {
    number &+= 1
    job.memory.heapPosition = heap.count
    heap.append(Waking(time: time, number: number, job: job))
    rise(heap.count - 1)
  }

  private func remove(at position: Int) {
    let last = heap.count - 1
    if position < last { swap(position, last) }
    heap.removeLast().job.memory.heapPosition = -1
    if position < last {
      rise(position)
      sink(position)
    }
  }

  private func swap(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    heap[one].job.memory.heapPosition = one
    heap[other].job.memory.heapPosition = other
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    heap[one].isBefore(heap[other])
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
    let count = heap.count
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
