import Glibc

/// A *file lock* is held by one process at a time, until it is released or the process ends. Its file is empty and is never removed, because
/// another process could be waiting for the lock on the removed file.
struct FileLock {
  private let descriptor: Int32

  /// Waits until nobody else has it; nil if another process still has it after ten seconds: it was stopped, most likely.
  init?(_ path: String) throws(Problem) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw Problem(.noSuchFile, "can't write '\(path)': \(systemMessage(errno))") }
    let end = ContinuousClock.now + .seconds(10)
    var pause: UInt32 = 500
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      guard number == EWOULDBLOCK, ContinuousClock.now < end else {
        close(descriptor)
        if number == EWOULDBLOCK { return nil }
        throw Problem(.noSuchFile, "can't lock '\(path)': \(systemMessage(number))")
      }
      usleep(pause)
      pause = min(2 * pause, 10_000)
    }
  }

  func release() { close(descriptor) }
}
