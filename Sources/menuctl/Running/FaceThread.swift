import Glibc
import LiveHost
import ScriptHost
import Terminal

/// Runs the face of an app of this process on a thread of its own, so that a person can look around while a script takes long.
final class FaceThread {
  var settings: FaceSettings
  /// Shows the face, and returns when it ends.
  private let show: @Sendable (LiveClient, FaceSettings) throws(Problem) -> Void
  private let problem = Guarded<Problem?>(nil)
  private let over = Descriptor.pipe()

  init(_ settings: FaceSettings, show: @escaping @Sendable (LiveClient, FaceSettings) throws(Problem) -> Void) {
    self.settings = settings
    self.show = show
  }

  /// Starts the thread. When the face ends, its client disconnects, and the app ends with it.
  func start(at end: FaceEnd) {
    HostThread.start { [settings, show, problem, over] in
      let client = LiveClient(at: end)
      do throws(Problem) { try show(client, settings) } catch { problem.withLock { $0 = error } }
      // `wait` is told before the client goes, since that ends the app.
      var byte: UInt8 = 0
      if let over { _ = write(over.write, &byte, 1) }
      withExtendedLifetime(client) {}
    }
  }

  /// Waits until the face has ended, but for 3 seconds at most, since the app is over.
  func wait() throws(Problem) {
    if let over {
      var polled = pollfd(fd: over.read, events: Int16(POLLIN), revents: 0)
      while poll(&polled, 1, 3000) < 0, errno == EINTR {}
      // Reading the byte orders this thread behind what the face's thread did with the terminal.
      var byte: UInt8 = 0
      if polled.revents != 0 { _ = read(over.read, &byte, 1) }
    }
    TerminalKeeper.restore()
    if let problem = problem.withLock({ $0 }) { throw problem }
  }
}

extension Invocation {
  /// The number of colours for a face: as `--color` says, else as the terminal of this process has.
  func colorDepth() throws(Problem) -> ColorDepth {
    let own = ColorDepth { name in getenv(name).map { String(cString: $0) } }
    switch try choice(.color, of: ColourChoice.self) ?? .auto {
    case .auto: return own
    case .always: return max(own, .sixteen)
    case .never: return .none
    }
  }
}
