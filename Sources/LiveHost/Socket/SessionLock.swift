import Glibc

/// The lock beside a socket, which the serving process holds until it ends, in whatever way. A socket whose lock nobody holds was left by a
/// process that was killed.
final class SessionLock {
  private let descriptor: Int32
  private let path: String

  private init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Takes the lock; nil if another process holds it.
  static func taken(for socket: String) throws(LiveError) -> SessionLock? {
    let path = Self.path(of: socket)
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw .system("can't write '\(path)'") }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let number = errno
        // Those who look share it for a moment; with whoever serves it can't be shared.
        let isServing = flock(descriptor, LOCK_SH | LOCK_NB) != 0
        close(descriptor)
        if number != EWOULDBLOCK { throw .system("can't lock '\(path)'", number) }
        if isServing { return nil }
        continue
      }
      // The former holder may have removed the file meanwhile, and another process made a new one.
      if let own = FileIdentity(of: descriptor), own == FileIdentity(at: path) {
        let lock = SessionLock(descriptor, path)
        lock.sign()
        return lock
      }
      close(descriptor)
    }
  }

  /// The process that holds the lock, as it wrote into the file; nil if nobody holds it, or if the disk was too full
  /// to write.
  static func holder(of socket: String) -> Int32? {
    let descriptor = open(path(of: socket), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // A killed process leaves the file, but not the lock. Those that only look can share it.
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? Int32(String(decoding: bytes[..<count], as: UTF8.self)) : nil
  }

  private func sign() {
    let text = Array("\(getpid())".utf8)
    ftruncate(descriptor, 0)
    pwrite(descriptor, text, text.count, 0)
  }

  /// Releases the lock, and removes its file, unless another process's file is there by now because the folder was removed.
  func release() {
    FileIdentity(of: descriptor)?.remove(at: path)
    close(descriptor)
  }

  private static func path(of socket: String) -> String { socket + ".lock" }
}
