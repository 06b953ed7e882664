import CSocket
import Glibc

/// A *listener* is the socket at which clients connect to a live app.
final class Listener {
  let descriptor: Int32
  let path: String
  private let lock: SessionLock
  /// The socket's own file.
  private let file: FileIdentity?
  /// A descriptor that is closed for a moment when none is left, so that a new client can be accepted and sent away instead of waiting for ever.
  private var spare: Int32
  /// Whether no descriptor was left to accept a client, not even the spare one. The loop tries again after a while.
  private(set) var isExhausted = false

  /// Listens at a path. Throws if another process listens there; replaces a socket that a killed process has left.
  init(_ path: String) throws(LiveError) {
    guard path.utf8.count <= csocket_longestPath() else {
      throw LiveError(
        .system(errno: ENAMETOOLONG), "the path of a socket has \(csocket_longestPath()) bytes at most: '\(path)'")
    }
    guard let lock = try Self.lock(path) else {
      throw Listener.taken(path, by: SessionLock.holder(of: path) ?? Self.whoListens(path)?.process)
    }
    // A socket that was made without a lock may be alive too.
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

  /// Takes the lock of a socket; nil if another process keeps it. It tries for a second, because a process that only looks for sockets that were
  /// left holds the lock for a moment too.
  private static func lock(_ path: String) throws(LiveError) -> SessionLock? {
    for _ in 0..<50 {
      if let lock = try SessionLock.taken(for: path) { return lock }
      if whoListens(path) != nil { return nil }
      usleep(20_000)
    }
    return nil
  }

  /// The milliseconds within which a listening process has to accept a connection.
  private static let patience: Int32 = 1000

  /// The process that listens at a path; nil if there is none.
  private static func whoListens(_ path: String) -> csocket_Peer? {
    let other = csocket_connect(path, patience)
    // A process that is stopped doesn't accept, but is there all the same.
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

  /// Removes the socket's file, for a process that ends without `close()`. The system drops the lock with the process.
  var leaving: @Sendable () -> Void { { [file, path] in file?.remove(at: path) } }

  func close() {
    leaving()
    Glibc.close(descriptor)
    if spare >= 0 { Glibc.close(spare) }
    lock.release()
  }

  /// Accepts the next connection of the same user; nil if there is none now.
  func accept() -> Int32? {
    isExhausted = false
    while true {
      let connection = csocket_accept(descriptor)
      if connection < 0 {
        switch errno {
        case EINTR, ECONNABORTED: continue
        // The system reports these even if no client waits.
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

  /// Accepts a waiting client with the spare descriptor and closes its connection. Returns whether there was one.
  private func sendAway() -> Bool {
    if spare >= 0 { Glibc.close(spare) }
    let connection = csocket_accept(descriptor)
    if connection >= 0 { Glibc.close(connection) }
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return connection >= 0
  }
}
