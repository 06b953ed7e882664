import Glibc
import LiveHost
import ScriptHost

/// The loop of a plain face, which reads lines from stdin and writes lines to stdout.
package final class PlainLoop {
  private let line: FaceLine
  private let settings: FaceSettings
  private let alarm = Alarm()
  private let lender: TerminalLender?
  /// Whether a program of the app has the terminal.
  private var isLent = false
  /// The lines to write once the terminal is free again.
  private var held: [String] = []
  private let interrupt: () -> Void
  /// Whether a person writes the lines. If not, each line waits for the jobs of the previous line.
  private let isPerson = isatty(STDIN_FILENO) == 1
  private var bytes: [UInt8] = []
  private var hasEnded = false
  private var end: FaceLoop.End?
  private var isPrompted = false

  package init(
    _ settings: FaceSettings, _ client: LiveClient, lender: TerminalLender? = nil, interrupt: @escaping () -> Void
  ) {
    self.settings = settings
    line = FaceLine(client)
    self.lender = lender
    self.interrupt = interrupt
  }

  /// Wakes the loop from another thread, to end it.
  package var ring: @Sendable (UInt8) -> Void { alarm.ring }

  package func run() -> FaceLoop.End {
    var settings = settings
    // In lines a person sees no current row.
    settings.tellsFirstRow = false
    let face = Face(settings, wish: { [unowned self] in wish($0) }, post: line.post)
    let plain = PlainFace(face) { [unowned self] in write($0 + "\n") }
    alarm.onRing = { [unowned self] in rang($0) }
    // If stdin is a pipe there is no terminal to lend.
    if isPerson { lender?.serve(alarm.ring) }
    defer { lender?.serve(nil) }
    face.isNow(.now)
    face.begin()
    var hasBegun = false
    let beginsBy = Duration.now + Self.patience
    while end == nil {
      if let failure = line.failure {
        end = .gone(failure.message)
        break
      }
      face.isNow(.now)
      // The app's first jobs, such as its 'start', usually end soon, and the first list is then complete.
      if !hasBegun, !face.awaited.isEmpty || !face.jobs.isEmpty, .now < beginsBy {
        wait(face, until: beginsBy)
        continue
      }
      if face.awaited.isEmpty {
        if !hasBegun {
          hasBegun = true
          plain.begin()
        }
        plain.settled()
        // An answer may have caused the next request.
        if !face.awaited.isEmpty { continue }
        if let line = nextLine(face) {
          isPrompted = false
          // A terminal shows the typed lines itself. Elsewhere they are written, so that the output has the answers.
          if !isPerson { write("> \(plain.hidesLine ? "•••" : line.visible)\n") }
          plain.take(line)
          face.isNow(.now)
          face.wasDrawn()
          continue
        }
        if hasEnded, bytes.isEmpty, !face.isWaitedFor || isPerson { end = end ?? .quit }
      }
      if end == nil { wait(face, until: plain.deadline) }
    }
    plain.sayFailure()
    takeBack()
    return end ?? .quit
  }

  /// The longest wait for the app's first jobs.
  private static let patience = Duration.seconds(3)

  /// Writes the lines that were kept while a program had the terminal.
  private func takeBack() {
    isLent = false
    for text in held { write(text) }
    held = []
  }

  private func rang(_ byte: UInt8) {
    switch byte {
    case TerminalLender.leave:
      isLent = true
      lender?.hasLeft()
    case TerminalLender.enter: takeBack()
    default: end = end ?? .quit
    }
  }

  /// Returns the next line, if it may run now.
  private func nextLine(_ face: Face) -> String? {
    guard !isLent, isPerson || !face.isWaitedFor else { return nil }
    if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      defer { bytes.removeFirst(newline + 1) }
      return String(decoding: bytes[..<newline], as: UTF8.self)
    }
    if hasEnded, !bytes.isEmpty {
      defer { bytes = [] }
      return String(decoding: bytes, as: UTF8.self)
    }
    if isPerson, !isPrompted {
      isPrompted = true
      write("> ")
    }
    return nil
  }

  private func wait(_ face: Face, until deadline: Duration?) {
    // Reads no more while many lines wait.
    let reads = !hasEnded && !isLent && bytes.count < 1 << 16
    var polled = [
      pollfd(fd: reads ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: line.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    if poll(&polled, 3, deadline?.milliseconds(from: .now) ?? -1) < 0 { return }
    if polled[2].revents != 0 { alarm.heard() }
    if polled[1].revents != 0 { line.listen(face, .now) }
    if polled[0].revents != 0 { read() }
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
    if count > 0 { bytes += chunk[..<count] } else if count == 0 || errno != EINTR { hasEnded = true }
  }

  private func wish(_ wish: Face.Wish) {
    switch wish {
    case .quit: end = .quit
    case .interrupt: interrupt()
    case .suspend: raise(SIGTSTP)
    // Lines have no key for an editor.
    case .useMouse, .edit: break
    }
  }

  /// Writes text, on a new line after a prompt. Keeps the text while a program has the terminal.
  private func write(_ text: String) {
    if isLent { return held.append(text) }
    let text = isPrompted && text != "> " ? "\n" + text : text
    if text != "> " { isPrompted = false }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return end = end ?? .hungUp }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
