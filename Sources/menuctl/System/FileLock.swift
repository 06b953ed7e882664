import Glibc

/// A *file lock* is held by one process at a time, until it is released or the process ends. Its file is empty and is never removed, because
/// another process could be waiting for the lock on the removed file.
struct FileLock {
  private let descriptor: Int32

  /// Waits until nobody else has it.
  init(_ path: String) throws(Problem) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw Problem(.noSuchFile, "can't write '\(path)': \(systemMessage(errno))") }
    while flock(descriptor, LOCK_EX) != 0 {
      let number = errno
      if number == EINTR { continue }
      close(descriptor)
      throw Problem(.noSuchFile, "can't lock '\(path)': \(systemMessage(number))")
    }
  }

  func release() { close(descriptor) }
}
