import Glibc

/// A live app that runs, as others see it.
package struct LiveSession {
  package let name: String
  /// The title of its app, where it has one.
  package let app: String?
  package let source: String
  package let process: Int
  /// How many are connected besides who asks.
  package let clients: Int
  /// When it began, in seconds since 1970.
  package let since: Int

  fileprivate init?(_ name: String, _ hello: JSON) {
    guard let session = hello["session"], let process = session["pid"]?.integer else { return nil }
    self.name = name
    app = hello["app"]?["title"]?.text
    source = hello["app"]?["source"]?.text ?? ""
    self.process = process
    clients = max(0, (session["clients"]?.integer ?? 1) - 1)
    since = session["since"]?.integer ?? 0
  }

  /// Those that run. What was left by one that was killed is taken away.
  package static func all() -> [LiveSession] {
    RuntimeFolder.names().compactMap { name in
      let path = RuntimeFolder.socket(of: name)
      guard let client = LiveClient(at: path) else {
        forget(path)
        return nil
      }
      guard (try? client.greet(as: "sessions", within: 2000)) != nil else { return nil }
      return LiveSession(name, client.hello)
    }
  }

  /// Takes away a socket on which nobody answers, unless somebody is about to.
  private static func forget(_ path: String) {
    guard let lock = try? SessionLock.taken(for: path) else { return }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() { unlink(path) }
    lock.release()
  }
}
