import CSocket
import Glibc

/// A *listener* is where clients connect to a live app.
final class Listener {
  let descriptor: Int32
  let path: String
  private let lock: SessionLock
  /// The socket's own file.
  private let file: FileIdentity?
  /// A descriptor that is given up for a moment where there are no others left: who connects then is sent away, and not kept waiting for ever.
  private var spare: Int32
  /// Whether there was no descriptor left for who waits, not even that one: it is tried again after a while.
  private(set) var isExhausted = false

  /// Listens at a path. One at which somebody listens is refused; what was left there by one that was killed is taken over.
  init(_ path: String) throws(LiveError) {
    guard path.utf8.count <= csocket_longestPath() else {
      throw LiveError(
        .system(errno: ENAMETOOLONG), "the path of a socket has \(csocket_longestPath()) bytes at most: '\(path)'")
    }
    guard let lock = try Self.lock(path) else {
      throw Listener.taken(path, by: SessionLock.holder(of: path) ?? Self.whoListens(path)?.process)
    }
    // One that somebody made without a lock may be alive as well.
    if let other = Self.whoListens(path) {
      lock.release()
      throw Listener.taken(path, by: other.process)
    }
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
        lock.release()
        throw LiveError(.unsafe, "'\(path)' is there already, and no socket of yours")
      }
      unlink(path)
    }
    descriptor = csocket_listen(path, 128)
    guard descriptor >= 0 else {
      let error = LiveError.system("can't listen at '\(path)'")
      lock.release()
      throw error
    }
    self.path = path
    self.lock = lock
    file = FileIdentity(at: path)
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
  }

  /// The lock of a socket; nil where another process has it. Who only looks whether a socket was left there has it for a moment as well.
  private static func lock(_ path: String) throws(LiveError) -> SessionLock? {
    for _ in 0..<50 {
      if let lock = try SessionLock.taken(for: path) { return lock }
      if whoListens(path) != nil { return nil }
      usleep(20_000)
    }
    return nil
  }

  /// How many milliseconds one has for letting somebody in.
  private static let patience: Int32 = 1000

  /// Who listens at a path; nil where nobody does.
  private static func whoListens(_ path: String) -> csocket_Peer? {
    let other = csocket_connect(path, patience)
    // Who is stopped is there all the same.
    if other < 0 { return errno == ETIMEDOUT ? csocket_Peer() : nil }
    defer { Glibc.close(other) }
    var peer = csocket_Peer()
    _ = csocket_peer(other, &peer)
    return peer
  }

  private static func taken(_ path: String, by process: Int32?) -> LiveError {
    let process = process == 0 ? nil : process
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let shown = name.hasSuffix(".sock") ? String(name.dropLast(5)) : path
    return LiveError(
      .taken(process: process),
      "'\(shown)' is a live app already\(process.map { ": process \($0)" } ?? "")")
  }

  /// Takes the socket away: what a process does that ends without closing it. The lock goes with the process.
  var leaving: @Sendable () -> Void { { [file, path] in file?.remove(at: path) } }

  func close() {
    leaving()
    Glibc.close(descriptor)
    if spare >= 0 { Glibc.close(spare) }
    lock.release()
  }

  /// The next connection of the same user; nil where there is none now.
  func accept() -> Int32? {
    isExhausted = false
    while true {
      let connection = csocket_accept(descriptor)
      if connection < 0 {
        switch errno {
        case EINTR, ECONNABORTED: continue
        // The system says so even where nobody waits.
        case EMFILE, ENFILE:
          if sendAway() { continue }
          isExhausted = spare < 0
          return nil
        default: return nil
        }
      }
      var peer = csocket_Peer()
      if csocket_peer(connection, &peer), peer.user == geteuid() { return connection }
      Glibc.close(connection)
    }
  }

  /// Closes the connection of one who waits; whether there was one.
  private func sendAway() -> Bool {
    if spare >= 0 { Glibc.close(spare) }
    let connection = csocket_accept(descriptor)
    if connection >= 0 { Glibc.close(connection) }
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return connection >= 0
  }
}
