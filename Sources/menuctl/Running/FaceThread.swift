import Glibc
import LiveHost
import ScriptHost
import Terminal

/// A face of an app of this process, on a thread of its own: a script that takes long keeps nobody from looking around.
final class FaceThread {
  var settings: FaceSettings
  /// Shows it, and ends when the face does.
  private let show: @Sendable (LiveClient, FaceSettings) throws(Problem) -> Void
  private let problem = Guarded<Problem?>(nil)
  private let over = Descriptor.pipe()

  init(_ settings: FaceSettings, show: @escaping @Sendable (LiveClient, FaceSettings) throws(Problem) -> Void) {
    self.settings = settings
    self.show = show
  }

  /// Begins. When it ends it goes, and with it the app.
  func start(at end: FaceEnd) {
    HostThread.start { [settings, show, problem, over] in
      let client = LiveClient(at: end)
      do throws(Problem) { try show(client, settings) } catch { problem.withLock { $0 = error } }
      // Whoever waits is told before the app ends.
      var byte: UInt8 = 0
      if let over { _ = write(over.write, &byte, 1) }
      withExtendedLifetime(client) {}
    }
  }

  /// Waits until it has ended, for some seconds: the app is over.
  func wait() throws(Problem) {
    if let over {
      var polled = pollfd(fd: over.read, events: Int16(POLLIN), revents: 0)
      while poll(&polled, 1, 3000) < 0, errno == EINTR {}
      // What the face did with the terminal is seen from here on.
      var byte: UInt8 = 0
      if polled.revents != 0 { _ = read(over.read, &byte, 1) }
    }
    TerminalKeeper.restore()
    if let problem = problem.withLock({ $0 }) { throw problem }
  }
}

extension Invocation {
  /// How many colours a face has: what `--color` says, else what the terminal of this process has.
  func colorDepth() throws(Problem) -> ColorDepth {
    let own = ColorDepth { name in getenv(name).map { String(cString: $0) } }
    switch try choice(.color, of: ColourChoice.self) ?? .auto {
    case .auto: return own
    case .always: return max(own, .sixteen)
    case .never: return .none
    }
  }
}
