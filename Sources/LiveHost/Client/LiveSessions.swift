import Glibc

/// A live app that runs, as other processes see it.
package struct LiveSession {
  package let name: String
  package let process: Int
  /// Its answer to `hello`; nil if it doesn't answer.
  package let told: Told?

  package struct Told {
    /// The title of its app, if it has one.
    package let app: String?
    package let source: String
    /// The number of clients besides the asking one.
    package let clients: Int
    /// When it began, in seconds since 1970.
    package let since: Int
  }

  /// A session that accepts no connection.
  private init(silent name: String) {
    self.name = name
    process = Self.process(at: RuntimeFolder.socket(of: name)).map(Int.init) ?? 0
    told = nil
  }

  /// The process that holds a socket's lock, as the lock's file says; nil if nobody holds it, or the file doesn't say.
  package static func process(at path: String) -> Int32? { SessionLock.holder(of: path) }

  private init(_ name: String, _ client: LiveClient) {
    self.name = name
    let session = client.hello["session"]
    process = session?["pid"]?.integer ?? Int(client.process)
    told = session.map { session in
      Told(
        app: client.hello["app"]?["title"]?.text, source: client.hello["app"]?["source"]?.text ?? "",
        clients: max(0, (session["clients"]?.integer ?? 1) - 1), since: session["since"]?.integer ?? 0)
    }
  }

  /// The milliseconds that a session has for accepting a connection, and for answering `hello`.
  private static let patience: Int32 = 2000

  /// The names of the sessions whose lock is held and names a process, found without asking any.
  package static func names() throws(LiveError) -> [String] {
    try RuntimeFolder.names().filter { process(at: RuntimeFolder.socket(of: $0)) != nil }
  }

  /// The sessions that run, even if one is stopped or busy. Removes the sockets that killed processes have left.
  package static func all() throws(LiveError) -> [LiveSession] {
    try RuntimeFolder.names().compactMap { name in
      let path = RuntimeFolder.socket(of: name)
      let found: LiveClient?
      do throws(Unanswered) { found = try LiveClient(at: path, within: patience) } catch {
        return LiveSession(silent: name)
      }
      guard let client = found else {
        forget(path)
        return nil
      }
      do throws(Unanswered) { try client.greet(as: "sessions", within: patience) } catch {
        if error.isGone { return nil }
      }
      return LiveSession(name, client)
    }
  }

  /// Removes a socket at which nobody listens, unless a process holds its lock and is about to.
  private static func forget(_ path: String) {
    guard let lock = try? SessionLock.taken(for: path) else { return }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() { unlink(path) }
    lock.release()
  }
}
