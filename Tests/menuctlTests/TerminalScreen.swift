/// The screen of a small terminal: enough for edited, overwritten and coloured lines.
///
/// It notes unknown sequences, so that a test sees them.
struct TerminalScreen {
  /// A place of the screen.
  struct Cell: Equatable {
    var text: String
    /// The parameters of the last colours.
    var style: String
  }

  let columns: Int
  let rows: Int
  private(set) var row = 0
  private(set) var column = 0
  /// The unknown sequences.
  private(set) var unknown: [String] = []
  /// The modes that aren't as usual: the other screen, the mouse, pastes, no cursor.
  private(set) var modes: Set<String> = []
  /// The title of its window, and the titles kept for later.
  private(set) var title = ""
  private var titles: [String] = []
  /// The usual screen, while the other one is shown.
  private var main: (cells: [[Cell]], row: Int, column: Int)?
  /// The number of bells.
  private(set) var bells = 0
  private var cells: [[Cell]]
  private var style = ""
  /// If true, the last column was written: the next character goes to the next line.
  private var isAtEdge = false
  private var saved = (row: 0, column: 0, hasOrigin: false)
  private var reading = Reading.text
  /// The bytes of a character that is not complete yet.
  private var partial: [UInt8] = []

  private static let blank = Cell(text: " ", style: "")

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: Self.blank, count: columns), count: rows)
  }

  // MARK: The screen

  /// The lines without trailing blanks, and without empty lines at the end.
  var lines: [String] {
    var lines = cells.map { row in
      var text = row.map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  var text: String { lines.joined(separator: "\n") }

  /// The colours of the first place that has a text.
  func style(of text: String) -> String? {
    for row in cells {
      let line = row.map(\.text).joined()
      guard let range = line.firstRange(of: text) else { continue }
      var rest = line.distance(from: line.startIndex, to: range.lowerBound)
      for cell in row {
        if rest <= 0, !cell.text.isEmpty { return cell.style }
        rest -= cell.text.count
      }
    }
    return nil
  }

  // MARK: Input

  mutating func feed(_ bytes: some Sequence<UInt8>) {
    partial += bytes
    var decoder = Unicode.UTF8()
    var input = partial.makeIterator()
    var rest = partial[...]
    decoding: while true {
      switch decoder.decode(&input) {
      case .scalarValue(let scalar):
        feed(scalar)
        rest = rest.dropFirst(String(scalar).utf8.count)
      case .emptyInput: break decoding
      case .error:
        // The rest of a cut character comes later.
        if rest.count < 4 { break decoding }
        feed("\u{FFFD}")
        rest = rest.dropFirst()
        input = Array(rest).makeIterator()
        decoder = Unicode.UTF8()
      }
    }
    partial = Array(rest)
  }

  private enum Reading {
    case text, escape
    case control(String)
    /// A text for the system, such as the title of a window.
    case system(String)
    /// The name of a set of characters.
    case charset
  }

  private mutating func feed(_ scalar: Unicode.Scalar) {
    switch reading {
    case .text: show(scalar)
    case .escape: escape(scalar)
    case .charset:
      reading = .text
      set("characters", scalar != "B")
    case .system(let text):
      guard scalar == "\u{7}" || scalar == "\u{1B}" else { return reading = .system(text + String(scalar)) }
      reading = scalar == "\u{7}" ? .text : .escape
      if text.hasPrefix("2;") || text.hasPrefix("0;") { title = String(text.dropFirst(2)) }
    case .control(let parameters):
      if (0x40...0x7E).contains(scalar.value) {
        reading = .text
        control(parameters, scalar)
      } else {
        reading = .control(parameters + String(scalar))
      }
    }
  }

  private mutating func show(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\u{1B}": reading = .escape
    case "\u{7}": bells += 1
    case "\u{8}": move(to: row, column - 1)
    case "\t": move(to: row, min(columns - 1, (column / 8 + 1) * 8))
    case "\n", "\u{B}", "\u{C}": lineFeed()
    case "\r": move(to: row, 0)
    case "\u{E}": modes.insert("shifted")
    case "\u{F}": modes.remove("shifted")
    default: if scalar.value >= 0x20, scalar.value != 0x7F { write(scalar) } else { note("\\\(scalar.value)") }
    }
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    let width = Self.width(of: scalar)
    if width == 0 {
      let before = isAtEdge ? column : column - 1
      if before >= 0 { cells[row][before].text.unicodeScalars.append(scalar) }
      return
    }
    if isAtEdge || column + width > columns {
      move(to: row, 0)
      lineFeed()
    }
    cells[row][column] = Cell(text: String(scalar), style: style)
    if width == 2 { cells[row][column + 1] = Cell(text: "", style: style) }
    isAtEdge = column + width == columns
    column = min(columns - 1, column + width)
  }

  private mutating func lineFeed() {
    isAtEdge = false
    if row < rows - 1 { return row += 1 }
    cells.removeFirst()
    cells.append(Array(repeating: Self.blank, count: columns))
  }

  private mutating func move(to row: Int, _ column: Int) {
    self.row = max(0, min(rows - 1, row))
    self.column = max(0, min(columns - 1, column))
    isAtEdge = false
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    reading = .text
    switch scalar {
    case "[": reading = .control("")
    case "]": reading = .system("")
    case "(", ")": reading = .charset
    case "7": saved = (row, column, modes.contains("6"))
    case "8":
      move(to: saved.row, saved.column)
      set("6", saved.hasOrigin)
    case "=": modes.insert("keypad")
    case ">": modes.remove("keypad")
    case "\\": break
    case "M": move(to: row - 1, column)
    default: note("ESC \(scalar)")
    }
  }

  private mutating func control(_ parameters: String, _ final: Unicode.Scalar) {
    // Modes such as that of pasting change nothing on the screen.
    if let first = parameters.first, "?><=".contains(first) {
      if !"hlmup".unicodeScalars.contains(final) { note("CSI \(parameters)\(final)") }
      if first == "?", final == "h" || final == "l" { mode(String(parameters.dropFirst()), final == "h") }
      return
    }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let count = max(1, numbers.first ?? 1)
    switch final {
    case "A": move(to: row - count, column)
    case "B": move(to: row + count, column)
    case "C": move(to: row, column + count)
    case "D": move(to: row, column - count)
    case "G": move(to: row, count - 1)
    case "d": move(to: count - 1, column)
    case "H", "f": move(to: count - 1, max(1, numbers.count > 1 ? numbers[1] : 1) - 1)
    case "J": eraseScreen(numbers.first ?? 0)
    case "K": eraseLine(numbers.first ?? 0)
    case "P":
      cells[row].removeSubrange(column..<min(columns, column + count))
      cells[row] += Array(repeating: Self.blank, count: columns - cells[row].count)
    case "@":
      cells[row].insert(contentsOf: Array(repeating: Self.blank, count: count), at: column)
      cells[row].removeLast(cells[row].count - columns)
    case "X": erase(row, column..<min(columns, column + count))
    case "m": style = parameters == "0" ? "" : parameters
    case "h" where parameters == "4": modes.insert("insert")
    case "l" where parameters == "4": modes.remove("insert")
    case "q" where parameters.hasSuffix(" "): set("shape", !["0 ", " "].contains(parameters))
    case "r":
      set("margins", !parameters.isEmpty)
      move(to: 0, 0)
    case "t" where numbers.first == 22: titles.append(title)
    case "t" where numbers.first == 23: title = titles.popLast() ?? title
    case "h", "l", "n", "t", "c": break
    default: note("CSI \(parameters)\(final)")
    }
  }

  private mutating func set(_ mode: String, _ isOn: Bool) {
    if isOn { modes.insert(mode) } else { modes.remove(mode) }
  }

  private mutating func mode(_ number: String, _ isOn: Bool) {
    // The modes of showing the cursor and of wrapping are usually on.
    set(number, isOn == !["7", "25"].contains(number))
    if number == "6" { move(to: 0, 0) }
    guard number == "1049" else { return }
    if isOn {
      main = (cells, row, column)
      eraseScreen(2)
    } else if let before = main {
      (cells, row, column) = before
      main = nil
    }
  }

  private mutating func eraseLine(_ kind: Int) {
    switch kind {
    case 0: erase(row, column..<columns)
    case 1: erase(row, 0..<column + 1)
    default: erase(row, 0..<columns)
    }
  }

  private mutating func eraseScreen(_ kind: Int) {
    switch kind {
    case 0:
      eraseLine(0)
      for row in row + 1..<max(rows, row + 1) { erase(row, 0..<columns) }
    case 1:
      eraseLine(1)
      for row in 0..<row { erase(row, 0..<columns) }
    default: for row in 0..<rows { erase(row, 0..<columns) }
    }
  }

  private mutating func erase(_ row: Int, _ columns: Range<Int>) {
    for column in columns { cells[row][column] = Self.blank }
  }

  private mutating func note(_ sequence: String) { unknown.append(sequence) }

  /// The width in columns: marks take none, East Asian characters and emoji two.
  private static func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
