import Glibc
import LiveHost
import ScriptHost

/// Runs an assistant's server on two descriptors until the client ends its input or the app is gone.
package final class AssistantLoop {
  private let app: LiveClient
  private let settings: AssistantSettings
  private let ends: (input: Int32, output: Int32)
  private let clock = SystemClock()
  private var lines = IncomingLines()
  /// The buffer for reading, made once: allocating it each time takes longer than reading.
  private var chunk = [UInt8](repeating: 0, count: 64 << 10)
  private var canWrite = true

  package init(
    _ app: LiveClient, _ settings: AssistantSettings, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO
  ) {
    self.app = app
    self.settings = settings
    ends = (input, output)
  }

  /// Runs the loop. Throws if the app is unreachable, or ends before the client.
  package func run() throws(Unanswered) {
    let assistant = try Assistant(app, settings, now: { [clock] in clock.now }, send: { [unowned self] in write($0) })
    var isOpen = true
    while isOpen, canWrite, !assistant.isOver {
      var polled = [
        pollfd(fd: ends.input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: app.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&polled, 2, Self.milliseconds(until: assistant.deadline, from: clock.now)) < 0, errno != EINTR { return }
      if polled[0].revents != 0 { isOpen = read(for: assistant) }
      assistant.turn()
    }
    if assistant.isOver { throw LiveClient.gone }
  }

  private static func milliseconds(until deadline: Duration?, from now: Duration) -> Int32 {
    guard let deadline else { return -1 }
    let (seconds, fraction) = max(.zero, deadline - now).components
    return Int32(clamping: seconds * 1000 + fraction / 1_000_000_000_000_000 + 1)
  }

  /// Reads the received bytes. Returns false at the end of the input.
  private func read(for assistant: Assistant) -> Bool {
    let count = Glibc.read(ends.input, &chunk, chunk.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN }
    if count == 0 { return false }
    for line in lines.take(chunk[..<count]) {
      switch line {
      case .whole(let bytes): assistant.take(bytes)
      case .tooLong: assistant.refuse(lineLongerThan: IncomingLines.longest)
      }
      if assistant.isOver || !canWrite { return false }
    }
    return true
  }

  private func write(_ message: String) {
    var rest = Array((message + "\n").utf8)[...]
    while canWrite, !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(ends.output, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var polled = pollfd(fd: ends.output, events: Int16(POLLOUT), revents: 0)
        poll(&polled, 1, -1)
      } else if errno != EINTR {
        canWrite = false
      }
    }
  }
}
