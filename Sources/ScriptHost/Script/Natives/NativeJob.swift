import Glibc

/// A *native job* is a call of an `async` function of the program. It runs outside of the host. Both end together.
final class NativeJob: Job {
  private weak var returns: NativeReturns?
  private let finish: (any Sendable) throws -> Value
  fileprivate var task: Task<Void, Never>?
  /// The number that identifies it when it ends.
  fileprivate var number = 0
  /// The function's result or error.
  private var result: Result<Value, any Error> = .success(.null)

  /// - Parameter finish: converts the function's result.
  init(_ subject: Subject, in returns: NativeReturns, _ finish: @escaping (any Sendable) throws -> Value) {
    self.returns = returns
    self.finish = finish
    super.init(subject)
    memory.state = .waiting
  }

  /// Stores the function's result or error.
  fileprivate func take(_ returned: Result<any Sendable, any Error>) {
    result = returned.flatMap { value in Result { try finish(value) } }
    switch result {
    case .success(let value): note(Outcome(.handled, by: by, result: value))
    case .failure(let error):
      note(Outcome(.failed, by: by, error: Failure(native: error, of: memory.subject.owner)))
    }
  }

  override var givesValues: Bool { true }
  override var values: [Value] { get throws { [try result.get()] } }

  override func cancel(because reason: String) {
    guard isWaiting else { return }
    task?.cancel()
    returns?.forget(self)
    result = .failure(CancellationError())
    note(Outcome(.cancelled, by: by, reason: reason))
    end()
  }

  override func interrupt() { cancel(because: "it was interrupted") }
}

/// The *native returns* are the running calls of `async` functions, and the place where they report their end.
final class NativeReturns {
  private let ends: NativeEnds
  private unowned let dispatcher: Dispatcher
  private var running: [Int: NativeJob] = [:]
  private var last = 0

  init(_ dispatcher: Dispatcher) throws(LuaMisuse) {
    guard let ends = NativeEnds() else {
      throw LuaMisuse("the process has no file descriptor left to wake the host with")
    }
    self.ends = ends
    self.dispatcher = dispatcher
    dispatcher.scheduler.returns = Scheduler.Returns(descriptor: ends.descriptor) { [weak self] in
      self?.take() ?? false
    }
  }

  deinit { for job in running.values { job.task?.cancel() } }

  /// - Parameter executor: where it runs; the tasks' own threads if nil.
  func begin(
    _ job: NativeJob, on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async throws -> any Sendable
  ) {
    last += 1
    job.number = last
    running[last] = job
    dispatcher.scheduler.returns.running = running.count
    job.task = Task(executorPreference: executor) { [ends, number = last] in
      let result: Result<any Sendable, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      ends.report(number, result)
    }
  }

  func forget(_ job: NativeJob) {
    running[job.number] = nil
    dispatcher.scheduler.returns.running = running.count
  }

  /// Ends the jobs of ended calls. Returns false if there were none.
  private func take() -> Bool {
    var isAny = false
    for (number, result) in ends.take() {
      // A job that was cancelled meanwhile isn't there any more.
      guard let job = running[number] else { continue }
      job.take(result)
      forget(job)
      dispatcher.scheduler.end(job)
      isAny = true
    }
    return isAny
  }
}

/// The *native ends* are the ended calls that the host hasn't collected yet. Any thread may report an end.
private final class NativeEnds: @unchecked Sendable {
  // The thread sanitizer doesn't know Swift's `Mutex`, so this is the system's mutex.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let ends: (read: Int32, write: Int32)
  private var ended: [(Int, Result<any Sendable, any Error>)] = []

  init?() {
    guard let ends = Descriptor.pipe() else { return nil }
    self.ends = ends
    _ = fcntl(ends.read, F_SETFL, O_NONBLOCK)
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    close(ends.read)
    close(ends.write)
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// A descriptor that is readable while the host has ended calls to collect.
  var descriptor: Int32 { ends.read }

  func report(_ number: Int, _ result: Result<any Sendable, any Error>) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    ended.append((number, result))
    if ended.count == 1 { _ = Descriptor.write([1], to: ends.write) }
  }

  func take() -> [(Int, Result<any Sendable, any Error>)] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if ended.isEmpty { return [] }
    var byte: UInt8 = 0
    _ = read(ends.read, &byte, 1)
    defer { ended = [] }
    return ended
  }
}
