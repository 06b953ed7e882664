import Expectations
import Glibc
import Testing

/// A thread with a given stack size. Code beside a test can't be a task: tests occupy every thread of tasks.
final class TestThread: @unchecked Sendable {
  private let body: () throws -> Void
  private var thread = pthread_t()
  private var error: (any Error)?

  init(stack kibibytes: Int = 1 << 10, _ body: @escaping () throws -> Void) throws {
    self.body = body
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    try require(pthread_attr_setstacksize(&attributes, kibibytes << 10) == 0)
    let work = Unmanaged.passRetained(self)
    let started = pthread_create(
      &thread, &attributes,
      { pointer in
        guard let pointer else { return nil }
        let work = Unmanaged<TestThread>.fromOpaque(pointer).takeRetainedValue()
        do { try work.body() } catch { work.error = error }
        return nil
      }, work.toOpaque())
    if started != 0 { work.release() }
    try require(started == 0, "a thread with a stack of \(kibibytes) KiB can't be made")
  }

  /// Waits for the end of the thread, and throws what its body threw.
  func join() throws {
    pthread_join(thread, nil)
    if let error { throw error }
  }
}

/// Runs a body on a new thread with a stack of this size in KiB, and waits for it.
func onThread(stack kibibytes: Int, _ body: @escaping () throws -> Void) throws {
  try TestThread(stack: kibibytes, body).join()
}

/// True without an optimizer, or with sanitizers: then slow tests get fewer rounds, and more time.
let isUnoptimized: Bool = {
  #if DEBUG
    true
  #else
    false
  #endif
}()
