import Glibc
import LiveHost
import ScriptHost

/// The *loop* of a face waits for the terminal, the app and signals, and draws once for all that have come.
package final class FaceLoop {
  /// Why the loop ended.
  package enum End: Equatable, Sendable {
    case quit
    /// The app is gone, with the error's message.
    case gone(String)
    /// The terminal is gone.
    case hungUp
  }

  private let line: FaceLine
  private let device: TerminalDevice
  private let alarm = Alarm()
  private let settings: FaceSettings
  private let lender: TerminalLender?
  /// Whether a program of the app has the terminal.
  private var isLent = false
  private let interrupt: () -> Void
  private var decoder = InputDecoder()
  /// The time of the terminal's last bytes.
  private var heardAt = Duration.zero
  /// The time after which the terminal sends no answers.
  private var answersBy = Duration.zero
  private var writer: FrameWriter
  private var end: End?
  private var face: Face?

  /// Makes a face of a live app on the terminal of this process; nil if it has none.
  ///
  /// - Parameters:
  ///   - lender: lends the terminal to programs of the app, if the app is in this process.
  ///   - interrupt: ends the running script.
  package init?(
    _ settings: FaceSettings, _ client: LiveClient, depth: ColorDepth, lender: TerminalLender? = nil,
    interrupt: @escaping () -> Void
  ) {
    guard let device = TerminalDevice() else { return nil }
    var settings = settings
    settings.theme = settings.theme.shown(with: depth)
    self.settings = settings
    line = FaceLine(client)
    self.device = device
    self.lender = lender
    self.interrupt = interrupt
    writer = FrameWriter(depth: depth)
    decoder.erase = device.erase
  }

  /// Wakes the loop from another thread, to end it.
  package var ring: @Sendable (UInt8) -> Void { alarm.ring }

  package func run() -> End {
    let face = Face(settings, wish: { [unowned self] in wish($0) }, post: line.post)
    self.face = face
    alarm.onRing = { [unowned self] in rang($0) }
    TerminalSignals.ring(alarm.writing)
    lender?.serve(alarm.ring)
    defer { lender?.serve(nil) }
    enter(mouse: settings.usesMouse)
    (face.columns, face.rows) = device.size
    face.isNow(.now)
    face.begin()
    while end == nil {
      draw(face)
      wait(face)
      if let failure = line.failure { end = end ?? .gone(failure.message) }
    }
    device.leave()
    return end ?? .quit
  }

  // MARK: - Waiting

  private func wait(_ face: Face) {
    var polled = [
      pollfd(fd: isLent ? -1 : device.descriptor, events: Int16(POLLIN | (device.isFull ? POLLOUT : 0)), revents: 0),
      pollfd(fd: line.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&polled, 3, timeout(face))
    if count < 0 { for index in polled.indices { polled[index].revents = 0 } }
    let now = Duration.now
    if polled[2].revents != 0 { alarm.heard() }
    if polled[0].revents & Int16(POLLOUT) != 0 { device.flush() }
    if polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { hear(face, now) }
    if let unfinishedUntil, now >= unfinishedUntil { for input in decoder.endOfWait() { take(input, face, now) } }
    if polled[1].revents != 0 { line.listen(face, now) }
    face.isNow(now)
  }

  private func timeout(_ face: Face) -> Int32 {
    guard let deadline = [unfinishedUntil, face.deadline].compactMap({ $0 }).min() else { return -1 }
    return deadline.milliseconds(from: .now)
  }

  /// The time at which an unfinished input, usually a lone escape, is complete. It counts from the terminal's last
  /// byte, so that messages of the app don't postpone it.
  private var unfinishedUntil: Duration? { decoder.patience.map { heardAt + .milliseconds($0) } }

  private func hear(_ face: Face, _ now: Duration) {
    guard let bytes = device.read() else { return end = .hungUp }
    heardAt = now
    if now > answersBy { decoder.expectsPositions = false }
    decoder.feed(bytes)
    while let input = decoder.next() { take(input, face, now) }
  }

  private func take(_ input: TerminalInput, _ face: Face, _ now: Duration) {
    guard case .answer(let answer) = input else { return face.take(input, at: now) }
    switch answer {
    case .keyboard: device.set(.kittyKeys, true)
    // The terminal hasn't answered about the kitty protocol by now, so it doesn't support it.
    case .attributes:
      TerminalKeeper.isAnswered()
      decoder.expectsPositions = false
      if !device.has(.kittyKeys) { device.set(.otherKeys, true) }
    case .mode(TerminalDevice.frames, let isKnown): writer.isSynchronized = isKnown
    case .ground(let ground): if writer.depth == .all { face.isShown(on: ground) }
    case .mode, .cursor: break
    }
    device.flush()
  }

  // MARK: - Drawing

  private func draw(_ face: Face) {
    // Draws nothing before there is content, or while the last frame waits for the terminal.
    guard !isLent, !device.isFull, face.isWorthShowing, end == nil else { return }
    device.show(title: face.title)
    device.write(writer.write(face.draw()))
    face.wasDrawn()
  }

  // MARK: - Signals and wishes

  private func rang(_ byte: UInt8) {
    switch byte {
    case TerminalLender.leave: return lend()
    case TerminalLender.enter: return takeBack()
    default: break
    }
    switch Int32(byte) {
    case SIGWINCH: resized()
    case SIGTSTP: stop()
    case SIGCONT: takeScreen()
    default: end = end ?? .quit
    }
  }

  private func wish(_ wish: Face.Wish) {
    switch wish {
    case .quit: end = .quit
    case .suspend: stop()
    case .interrupt: interrupt()
    case .edit(let text): edit(text)
    case .useMouse(let isOn):
      device.set(.mouse, isOn)
      device.flush()
    }
  }

  /// Waits while the person's editor has the terminal.
  private func edit(_ text: String) {
    device.leave()
    var terminal: Int32 = -1
    let edited = TextEditor.edit(
      text,
      on: HostTerminal(
        lend: {
          terminal = TerminalKeeper.lend() ?? -1
          return terminal < 0 ? nil : terminal
        }, takeBack: { TerminalKeeper.takeBack(terminal) }))
    takeScreen()
    face?.edited(edited)
  }

  private func resized() {
    guard let face else { return }
    (face.columns, face.rows) = device.size
    writer.forget()
  }

  private func stop() {
    device.leave()
    TerminalSignals.stop()
    takeScreen()
  }

  private func lend() {
    device.leave()
    isLent = true
    lender?.hasLeft()
  }

  private func takeBack() {
    isLent = false
    takeScreen()
  }

  private func takeScreen() {
    guard let face, !isLent else { return }
    device.leave()
    enter(mouse: face.usesMouse)
    resized()
  }

  /// Takes the screen. Input before the terminal's replies may be a reply to the former program.
  private func enter(mouse: Bool) {
    device.enter(mouse: mouse, asksGround: writer.depth == .all)
    decoder.expectsPositions = true
    answersBy = .now + TerminalKeeper.longestReply
  }
}
