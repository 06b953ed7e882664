import Glibc
import LiveHost
import ScriptHost

/// An app on its own thread, as `menuctl mcp APP` runs it. It ends when the assistant's end is closed.
final class StagedApp: @unchecked Sendable {
  private let script: String
  private let limits: HostLimits
  private let prepare: (ScriptHost) -> Void
  private let clock: HostClock
  /// The socket for other clients; empty if there is none.
  let path: String
  private let ready = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let over = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private var end: Result<FaceEnd, any Error>?

  struct NoThread: Error {}

  /// - Parameters:
  ///   - script: the text of the app, or the path of its file.
  ///   - isAlone: whether the app has no socket for other clients.
  ///   - prepare: called with the host before it loads the app.
  init(
    _ script: String, limits: HostLimits = HostLimits(), clock: HostClock = SystemClock(), isAlone: Bool = false,
    prepare: @escaping (ScriptHost) -> Void = { _ in }
  ) {
    self.script = script
    self.limits = limits
    self.clock = clock
    self.prepare = prepare
    path = isAlone ? "" : "/tmp/menuctl-assistant-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
    sem_init(ready, 0, 0)
    sem_init(over, 0, 0)
  }

  deinit {
    if !path.isEmpty {
      unlink(path)
      unlink("\(path).lock")
    }
    ready.deallocate()
    over.deallocate()
  }

  /// Starts the app. Returns the assistant's end.
  func start() throws -> FaceEnd {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 16 << 20)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let own = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, &attributes,
      { pointer in
        if let pointer { Unmanaged<StagedApp>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, own.toOpaque())
    guard status == 0 else {
      own.release()
      throw NoThread()
    }
    sem_wait(ready)
    guard let end else { throw NoThread() }
    return try end.get()
  }

  /// Waits until the app has ended.
  func waitForEnd() { sem_wait(over) }

  private func run() {
    runHost()
    sem_post(over)
  }

  private func runHost() {
    let host = ScriptHost(limits: limits, clock: clock)
    let live = LiveHost(host)
    prepare(host)
    end = Result {
      if script.hasSuffix(".lua") { try host.load(path: script) } else { try host.load(text: script, name: "app.lua") }
      if !path.isEmpty { try live.listen(path: path) }
      return try live.faceEnd()
    }
    sem_post(ready)
    if case .success? = end { live.run() }
  }
}
