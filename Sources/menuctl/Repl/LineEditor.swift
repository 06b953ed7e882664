import Glibc
import LiveHost
import ScriptHost
import Terminal

/// The result of reading a line.
enum LineRead {
  case line(String)
  /// The person typed Ctrl-C: the line so far is dropped.
  case interrupted
  case end
}

/// Reads lines from a terminal, below its earlier output. It changes the terminal only while it reads.
final class LineEditor {
  /// Returns the completions at a place of a line, in bytes.
  var completer: ((_ line: String, _ cursor: Int) -> Completions)?
  private var line = EditedLine()
  private var decoder = InputDecoder()
  /// The inputs before those of the decoder: the rest of a paste, whose lines are entered one by one.
  private var waiting: [TerminalInput] = []
  private let alarm = Alarm()
  private let before: termios
  private let isDumb: Bool
  private var prompt = ""
  /// The cursor's row below the line's first row, at the last drawing; on a dumb terminal the columns of the line.
  private var drawn = 0
  private var isInterrupted = false
  /// Whether the next key is inserted as text.
  private var isQuoted = false

  /// Opens the editor on the terminal; nil if there is none.
  init?() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    before = settings
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    isDumb = name.isEmpty || name == "dumb"
    decoder.erase = withUnsafeBytes(of: settings.c_cc) { $0[Int(VERASE)] }
    alarm.onRing = { [unowned self] byte in
      if byte == Self.interrupt { isInterrupted = true } else { resized() }
    }
    TerminalSignals.ring(alarm.writing, for: [SIGWINCH])
  }

  /// The prompt of a line that continues an entry.
  static let continued = "… "

  /// The byte that rings the alarm for an interrupt; a signal rings it with its number.
  private static let interrupt: UInt8 = 0

  /// Returns a function that ends the current `read`, on any thread.
  var interrupter: @Sendable () -> Void { { [ring = alarm.ring] in ring(Self.interrupt) } }

  /// Returns a function that restores the terminal, on any thread.
  var restorer: @Sendable () -> Void {
    { [before, isDumb] in
      var before = before
      tcsetattr(STDIN_FILENO, TCSANOW, &before)
      if !isDumb { Self.say("\u{1B}[?2004l") }
    }
  }

  func remember(_ entry: String) { line.remember(entry) }

  // MARK: Reading

  func read(_ prompt: String) -> LineRead {
    self.prompt = prompt
    alarm.heard()
    (isInterrupted, isQuoted, drawn) = (false, false, 0)
    line.begin()
    enter()
    defer { restorer() }
    while true {
      while let input = waiting.isEmpty ? decoder.next() : waiting.removeFirst() {
        if let read = take(input) { return read }
      }
      draw()
      guard wait() else { return end(.end) }
      if isInterrupted { return end(.interrupted, "^C") }
    }
  }

  /// Makes the terminal pass each key, even Ctrl-C, without echo.
  private func enter() {
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    if !isDumb { Self.say("\u{1B}[?2004h") }
  }

  /// Waits for inputs, an interrupt or a resize. Returns false if the terminal is gone.
  private func wait() -> Bool {
    var polled = [STDIN_FILENO, alarm.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let ready = poll(&polled, 2, decoder.patience.map { Int32($0) } ?? -1)
    if ready < 0 { return errno == EINTR }
    if ready == 0 { waiting += decoder.endOfWait() }
    if polled[1].revents != 0 { alarm.heard() }
    guard polled[0].revents != 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    decoder.feed(bytes.prefix(max(0, count)))
    return count > 0 || count < 0 && errno == EINTR
  }

  private func take(_ input: TerminalInput) -> LineRead? {
    switch input {
    case .paste(let text):
      // Terminals send a carriage return for the end of a line.
      let lines = text.unicodeScalars.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }
      line.endSearch()
      line.insert(String(lines[0]))
      guard lines.count > 1 else { return nil }
      waiting.insert(.paste(String(lines[1])), at: 0)
      return entered()
    case .key(let stroke, let text): return take(stroke.text, text)
    case .mouse, .focus, .answer: return nil
    }
  }

  private func take(_ key: String, _ text: String?) -> LineRead? {
    if let text = text ?? (isQuoted && key == "tab" ? "\t" : nil) {
      isQuoted = false
      if line.sought == nil { line.insert(text) } else if !line.seek(more: text) { ring() }
      return nil
    }
    isQuoted = false
    switch key {
    case "enter", "kpenter", "ctrl+j": return entered()
    case "ctrl+c":
      // Drops the input typed ahead too.
      waiting = []
      while decoder.next() != nil {}
      return end(.interrupted, "^C")
    case "ctrl+d" where line.characters.isEmpty: return end(.end)
    case "ctrl+z": suspend()
    case "ctrl+l": if !isDumb { (drawn, _) = (0, Self.say("\u{1B}[H\u{1B}[2J")) }
    case "ctrl+v": isQuoted = true
    case "ctrl+space": break
    case "tab": complete()
    default: if !line.take(key) { ring() }
    }
    return nil
  }

  private func entered() -> LineRead { end(.line(line.text)) }

  /// Leaves the line as it is, so that later output appears below it.
  private func end(_ read: LineRead, _ mark: String = "") -> LineRead {
    line.endSearch()
    line.moveToEnd()
    draw(isWhole: true)
    Self.say(mark + "\n")
    return read
  }

  private func complete() {
    guard let completions = completer?(line.text, line.cursorInBytes) else { return }
    line.endSearch()
    line.insert(completions.addition)
    guard completions.addition.isEmpty else { return }
    if completions.candidates.count < 2 { return ring() }
    leaveBelow { Self.say("\n\(completions.listing(columns: columns(of: STDOUT_FILENO)))\n") }
  }

  /// Runs a body that writes below the line, then draws the line below that.
  private func leaveBelow(_ body: () -> Void) {
    let kept = line
    draw(isWhole: true)
    body()
    (line, drawn) = (kept, 0)
  }

  /// Suspends the program. The terminal doesn't, because its signal keys are off because of Ctrl-C.
  private func suspend() {
    leaveBelow {
      restorer()
      Self.say("\n")
      kill(getpid(), SIGTSTP)
      enter()
    }
  }

  // MARK: Drawing

  private static func say(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
    }
  }

  private func ring() { Self.say("\u{7}") }

  private var size: (columns: Int, rows: Int) {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1 && size.ws_row > 0
    return (isDumb ? .max : isKnown ? Int(size.ws_col) : 80, isKnown ? Int(size.ws_row) : 24)
  }

  /// Returns the rows of the prompt and characters of the line, and the columns of the last row.
  private func rows(of characters: ArraySlice<Character>, _ columns: Int) -> (all: [String], column: Int) {
    var (rows, column) = ([""], 0)
    for character in Array(line.sought.map { "search '\($0)': " } ?? prompt) + characters {
      if character == "\n" {
        rows[rows.count - 1] += "\r\n"
        rows.append(Self.continued)
        column = Self.continued.width
        continue
      }
      for part in character == "\t" ? String(repeating: " ", count: 8 - column % 8) : String(character).visible {
        // A character has two columns at most, however many parts it has.
        let width = min(2, String(part).width)
        if column + width > columns {
          rows.append("")
          column = 0
        }
        rows[rows.count - 1].append(part)
        column += width
      }
    }
    // The terminal goes to the next row only with the next character.
    return column == columns ? (rows + [" \r"], 0) : (rows, column)
  }

  /// Adapts to a resized terminal, which has moved the parts of a wide line and the cursor.
  private func resized() {
    if !isDumb { drawn = rows(of: line.characters[..<line.cursor], size.columns).all.count - 1 }
  }

  /// Draws the line, or only its rows around the cursor if the screen is too small.
  ///
  /// - Parameter isWhole: draws all rows, with the cursor after the last, for output below it.
  private func draw(isWhole: Bool = false) {
    if isWhole { line.moveToEnd() }
    let (columns, height) = size
    let (rows, end) = rows(of: line.characters[...], columns)
    let before = self.rows(of: line.characters[..<line.cursor], columns)
    guard !isDumb else {
      Self.say("\r\(rows.joined())\(String(repeating: " ", count: max(0, drawn - end)))\r\(before.all.joined())")
      return drawn = end
    }
    let cursor = before.all.count - 1
    let first = isWhole ? 0 : max(0, min(cursor, rows.count - height))
    let last = isWhole ? rows.count - 1 : min(rows.count, first + height) - 1
    var text = rows[first...last].joined()
    if last < rows.count - 1, text.hasSuffix("\r\n") { text.removeLast() }
    func move(_ count: Int, _ letter: String) -> String { count > 0 ? "\u{1B}[\(count)\(letter)" : "" }
    let back = move(last - cursor, "A") + "\r" + move(before.column, "C")
    Self.say(move(drawn, "A") + "\r\u{1B}[J" + text + back)
    drawn = cursor - first
  }
}

/// Reads the lines of stdin if that is no terminal.
struct LineStream {
  /// The most bytes of a line: more than a script may have, to refuse it.
  private static let most = 256 << 10

  private var bytes: [UInt8] = []
  /// The index of the first byte that was not returned.
  private var start = 0
  /// The index before which there is no newline.
  private var searched = 0
  private var isAtEnd = false

  /// Returns the next line, without its end; nil after the last.
  mutating func next() -> String? {
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) { return take(to: end, and: 1) }
      searched = bytes.count
      if isAtEnd { return start < bytes.count ? take(to: bytes.count, and: 0) : nil }
      fill()
    }
  }

  private mutating func take(to end: Int, and past: Int) -> String {
    let line = bytes[start..<end].prefix(Self.most)
    start = end + past
    searched = start
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }

  private mutating func fill() {
    bytes.removeFirst(start)
    start = 0
    // The rest of a too long line is dropped, up to its end.
    bytes.removeLast(max(0, bytes.count - Self.most))
    searched = bytes.count
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0, errno == EINTR { return }
    if count <= 0 { isAtEnd = true } else { bytes += chunk[..<count] }
  }
}
