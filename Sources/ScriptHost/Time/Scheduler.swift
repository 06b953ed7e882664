/// The *scheduler* of a host knows what waits, and until when. It has no thread and no timer: whoever drives the host asks it.
final class Scheduler {
  let clock: HostClock
  private let memory = Cell(Memory())

  private struct Memory {
    /// What has waited and not ended, in no order.
    var jobs: ContiguousArray<Job> = []
    /// A heap: what is woken next stands first.
    var heap: ContiguousArray<Waking> = []
    var number = 0
    var waiting = 0
  }

  /// When a job is woken; of those of one moment, who came first is.
  private struct Waking {
    let time: Int64
    let number: Int
    unowned(unsafe) let job: Job

    func isBefore(_ other: Waking) -> Bool { time != other.time ? time < other.time : number < other.number }
  }

  init(clock: HostClock) { self.clock = clock }

  deinit { memory.free() }

  /// What has waited and not ended, in the order in which it began to.
  var jobs: [Job] { memory.value.jobs.sorted { $0.number < $1.number } }

  /// How many jobs wait whose action can't be done again meanwhile.
  @inline(__always)
  var waiting: Int { memory.value.waiting }

  /// When the next job is woken.
  var deadline: Int64? { memory.value.heap.first?.time }

  // MARK: Waiting

  /// Has a job wait with what it goes on with.
  func add(_ job: Job, _ suspension: Suspension) {
    job.begin(suspension)
    if job.listPosition < 0 {
      memory.value.number &+= 1
      job.number = memory.value.number
      job.listPosition = memory.value.jobs.count
      memory.value.jobs.append(job)
    }
    if !job.isReentrant { link(job) }
    if suspension.nanoseconds >= 0 {
      push(job, at: clock.nanoseconds.addingTime(max(suspension.nanoseconds, clock.tick)))
    }
  }

  /// Has a job that waits be woken as soon as somebody drives the host.
  func wakeSoon(_ job: Job) {
    guard job.state == .waiting else { return }
    if job.heapPosition >= 0 { _ = remove(at: job.heapPosition, job) }
    let now = clock.nanoseconds
    // Two that wake each other must not do so for ever while the clock stands still.
    push(job, at: job.wokenAt == now ? now.addingTime(clock.tick) : now)
    job.wokenAt = now
  }

  /// Takes out the job that is woken next.
  func takeNext() -> Job? { memory.value.heap.first.map { remove(at: 0, $0.job) } }

  /// A job waits no more; what it goes on with.
  func leave(_ job: Job) -> Suspension? {
    if job.heapPosition >= 0 { _ = remove(at: job.heapPosition, job) }
    if !job.isReentrant { unlink(job) }
    return job.leaveWait()
  }

  /// A job has ended; who waited for it is woken.
  func end(_ job: Job, _ outcome: Outcome) {
    for waiter in job.end(outcome) { wakeSoon(waiter) }
    guard job.listPosition >= 0 else { return }
    let position = job.listPosition
    job.listPosition = -1
    let last = memory.value.jobs.removeLast()
    guard last !== job else { return }
    memory.value.jobs[position] = last
    last.listPosition = position
  }

  // MARK: Those of one responder

  /// Whether an action of a responder's waits that can't be done again meanwhile.
  func isWaiting(_ action: String, of responder: Responder) -> Bool {
    var object = responder.waiting
    while let known = object {
      let job = unsafeDowncast(known, to: Job.self)
      if job.action.hasSameBytes(as: action) { return true }
      object = job.nextOfResponder
    }
    return false
  }

  private func link(_ job: Job) {
    let first = job.responder.waiting.map { unsafeDowncast($0, to: Job.self) }
    job.nextOfResponder = first
    first?.previousOfResponder = job
    job.responder.waiting = job
    memory.value.waiting &+= 1
  }

  private func unlink(_ job: Job) {
    if let previous = job.previousOfResponder {
      previous.nextOfResponder = job.nextOfResponder
    } else {
      job.responder.waiting = job.nextOfResponder
    }
    job.nextOfResponder?.previousOfResponder = job.previousOfResponder
    job.nextOfResponder = nil
    job.previousOfResponder = nil
    memory.value.waiting &-= 1
  }

  // MARK: The heap

  private func push(_ job: Job, at time: Int64) {
    memory.value.number &+= 1
    memory.value.heap.append(Waking(time: time, number: memory.value.number, job: job))
    rise(memory.value.heap.count - 1)
  }

  private func remove(at position: Int, _ job: Job) -> Job {
    job.heapPosition = -1
    let last = memory.value.heap.removeLast()
    guard position < memory.value.heap.count else { return job }
    put(last, at: position)
    rise(position)
    sink(last.job.heapPosition)
    return job
  }

  private func put(_ waking: Waking, at position: Int) {
    memory.value.heap[position] = waking
    waking.job.heapPosition = position
  }

  /// Moves what stands at a position towards the front, as far as it comes before what stands there.
  private func rise(_ position: Int) {
    let risen = memory.value.heap[position]
    var position = position
    while position > 0 {
      let above = memory.value.heap[(position - 1) / 2]
      guard risen.isBefore(above) else { break }
      put(above, at: position)
      position = (position - 1) / 2
    }
    put(risen, at: position)
  }

  /// Moves what stands at a position towards the end, as far as something there comes before it.
  private func sink(_ position: Int) {
    let sunk = memory.value.heap[position]
    let count = memory.value.heap.count
    var position = position
    while 2 * position + 1 < count {
      var child = 2 * position + 1
      if child + 1 < count, memory.value.heap[child + 1].isBefore(memory.value.heap[child]) { child += 1 }
      guard memory.value.heap[child].isBefore(sunk) else { break }
      put(memory.value.heap[child], at: position)
      position = child
    }
    put(sunk, at: position)
  }
}
