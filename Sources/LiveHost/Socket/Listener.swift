import CSocket
import Glibc

/// A *listener* is the socket at which clients connect to a live app.
final class Listener {
  let descriptor: Int32
  let path: String
  private let lock: SessionLock
  /// The socket's own file.
  private let file: FileIdentity?
  /// A spare descriptor. It is closed when no other is left, to accept a new client and send it away.
  private var spare: Int32
  /// Whether no descriptor was left to accept a client, not even the spare. The loop tries again later.
  private(set) var isExhausted = false

  /// Listens at a path. Throws if another process listens there; replaces the socket of a killed process.
  init(_ path: String) throws(LiveError) {
    guard path.utf8.count <= csocket_longestPath() else {
      throw LiveError(
        .system(errno: ENAMETOOLONG), "the path of a socket has \(csocket_longestPath()) bytes at most: '\(path)'")
    }
    guard let lock = try Self.lock(path) else {
      throw Listener.taken(path, by: SessionLock.holder(of: path) ?? Self.whoListens(path)?.process)
    }
    // A socket without a lock may be alive too.
    if let other = Self.whoListens(path) {
      lock.release()
      throw Listener.taken(path, by: other.process)
    }
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
        lock.release()
        throw LiveError(.unsafe, "'\(path)' already exists, and is no socket of yours")
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

  /// Takes the lock of a socket; nil if another process keeps it.
  ///
  /// Tries for a second, because a process that looks for old sockets holds the lock for a moment too.
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

  /// Returns the process that listens at a path; nil if there is none.
  private static func whoListens(_ path: String) -> csocket_Peer? {
    let other = csocket_connect(path, patience)
    // A stopped process doesn't accept, but still exists.
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

  /// Accepts a waiting client with the spare descriptor and closes its connection. Returns false if no client waits.
  private func sendAway() -> Bool {
    if spare >= 0 { Glibc.close(spare) }
    let connection = csocket_accept(descriptor)
    if connection >= 0 { Glibc.close(connection) }
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return connection >= 0
  }
}

/// The lock next to a socket, which the serving process holds until it ends for any reason. If a socket's lock is free,
/// its process was killed.
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
        // Processes that only look can share the lock for a moment. The serving process doesn't share it.
        let isServing = flock(descriptor, LOCK_SH | LOCK_NB) != 0
        close(descriptor)
        if number != EWOULDBLOCK { throw .system("can't lock '\(path)'", number) }
        if isServing { return nil }
        continue
      }
      // The former holder may have removed the file meanwhile, and another process may have made a new file.
      if let own = FileIdentity(of: descriptor), own == FileIdentity(at: path) {
        let lock = SessionLock(descriptor, path)
        lock.sign()
        return lock
      }
      close(descriptor)
    }
  }

  /// Returns the process that holds the lock, as its file says; nil if the lock is free or the disk was full.
  static func holder(of socket: String) -> Int32? {
    let descriptor = open(path(of: socket), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // A killed process leaves the file, but not the lock. Processes that only look can share the lock.
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

  /// Releases the lock and removes its file, unless another process has made a new file there since.
  func release() {
    FileIdentity(of: descriptor)?.remove(at: path)
    close(descriptor)
  }

  private static func path(of socket: String) -> String { socket + ".lock" }
}

/// The folder of the sockets of live apps, which belongs to the user and is closed to others.
package enum RuntimeFolder {
  /// The folder's path: `$XDG_RUNTIME_DIR/menuctl`, else `menuctl-UID` in the system's temporary folder.
  package static var path: String {
    if let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") { return "\(runtime)/menuctl" }
    return "\(environment("TMPDIR") ?? "/tmp")/menuctl-\(geteuid())"
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Makes the folder if needed, and checks that no other user can access it.
  static func prepared() throws(LiveError) -> String {
    let path = path
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system("can't make the folder '\(path)'") }
    try check(path)
    return path
  }

  /// Throws if the path is no folder, or if the folder belongs to another user or is open to others.
  static func check(_ path: String) throws(LiveError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw .system("can't look at the folder '\(path)'") }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw LiveError(.unsafe, "'\(path)' is no folder") }
    guard status.st_uid == geteuid() else {
      throw LiveError(.unsafe, "the folder '\(path)' belongs to another user, so no live app can be there")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw LiveError(
        .unsafe, "the folder '\(path)' is open to others, so no live app can be there; run chmod 700 '\(path)'")
    }
  }

  /// Returns the names of all sockets in the folder, sorted by bytes. Their apps may have ended.
  package static func names() throws(LiveError) -> [String] {
    if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return [] }
    try check(path)
    guard let stream = opendir(path) else { throw .system("can't look into the folder '\(path)'") }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let file = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if file.hasSuffix(suffix) { names.append(String(file.dropLast(suffix.count))) }
    }
    return names.filter(SessionName.isName).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the path of a name's socket. A name with a '/' is a path itself.
  package static func socket(of name: String) -> String { name.contains("/") ? name : "\(path)/\(name)\(suffix)" }

  private static let suffix = ".sock"
}

/// The allowed names of live apps: at most 64 characters of `[A-Za-z0-9_.-]`.
package enum SessionName {
  static let longest = 64

  /// Makes a name from a text: every other character becomes '-'.
  package static func made(of text: String) -> String {
    let name = text.unicodeScalars.prefix(longest).map { isPart($0) ? Character($0) : "-" }
    return name.isEmpty ? "app" : String(name)
  }

  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longest && text.unicodeScalars.allSatisfy(isPart)
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "-": true
    default: false
    }
  }
}

/// The identity of a file, which shows whether a path still leads to the same file.
struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t

  /// The file at a path; nil if there is none.
  init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }

  /// The file of an open descriptor.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }

  /// Removes the file at a path, if it still has this identity.
  func remove(at path: String) { if FileIdentity(at: path) == self { unlink(path) } }
}
