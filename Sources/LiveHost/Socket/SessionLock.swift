import Glibc

/// The lock beside a socket, which the process that serves there has for as long as it lives, however it ends. What lies there while nobody has
/// the lock was left by one that was killed.
final class SessionLock {
  private let descriptor: Int32
  private let path: String

  private init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Takes the lock; nil where another process has it.
  static func taken(for socket: String) throws(LiveError) -> SessionLock? {
    let path = Self.path(of: socket)
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw .system("can't write '\(path)'") }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let number = errno
        close(descriptor)
        if number == EWOULDBLOCK { return nil }
        throw .system("can't lock '\(path)'", number)
      }
      // Whoever had it may have taken the file away meanwhile, and another made a new one.
      if let own = FileIdentity(of: descriptor), own == FileIdentity(at: path) {
        let lock = SessionLock(descriptor, path)
        lock.sign()
        return lock
      }
      close(descriptor)
    }
  }

  /// The process that has the lock, as it wrote it there; nil where it could not, since the disk was full.
  static func holder(of socket: String) -> Int32? {
    let descriptor = open(path(of: socket), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? Int32(String(decoding: bytes[..<count], as: UTF8.self)) : nil
  }

  private func sign() {
    let text = Array("\(getpid())".utf8)
    ftruncate(descriptor, 0)
    pwrite(descriptor, text, text.count, 0)
  }

  /// Gives the lock up, and takes its file away; where the folder was taken away, another's may lie there by now.
  func release() {
    FileIdentity(of: descriptor)?.remove(at: path)
    close(descriptor)
  }

  private static func path(of socket: String) -> String { socket + ".lock" }
}
