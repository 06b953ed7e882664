@testable import Terminal

/// A terminal as far as frames need it: cells, a cursor, and the effect of each sequence. It notes unknown sequences.
struct TerminalModel {
  struct Place: Equatable {
    var text = " "
    var parameters: Set<String> = []
    var isCovered = false
  }

  let columns: Int
  let rows: Int
  private(set) var places: [Place]
  private(set) var unknown: [String] = []
  private(set) var row = 0
  private(set) var column = 0
  private var parameters: Set<String> = []
  /// How many columns this terminal gives to glyphs of doubtful width.
  private let width: (Glyph) -> Int

  init(columns: Int, rows: Int, width: @escaping (Glyph) -> Int = { $0.width }) {
    self.columns = columns
    self.rows = rows
    self.width = width
    places = Array(repeating: Place(), count: columns * rows)
  }

  subscript(row: Int, column: Int) -> Place { places[row * columns + column] }

  mutating func feed(_ bytes: [UInt8]) {
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while let first = rest.first {
      if first == "\u{1B}" {
        rest = rest.dropFirst()
        guard rest.first == "[" else {
          unknown.append(String(rest.prefix(4)))
          continue
        }
        rest = rest.dropFirst()
        let body = rest.prefix { !$0.isLetter }
        rest = rest.dropFirst(body.count)
        guard let final = rest.popFirst() else { return unknown.append("[" + body) }
        control(String(body), final)
      } else if first == "\r\n" {
        rest = rest.dropFirst()
        column = 0
        lineFeed()
      } else if first == "\r" {
        rest = rest.dropFirst()
        column = 0
      } else {
        rest = rest.dropFirst()
        show(String(first))
      }
    }
  }

  private mutating func lineFeed() {
    if row + 1 < rows { row += 1 } else { unknown.append("a line feed in the last row") }
  }

  private mutating func show(_ text: String) {
    guard let glyph = text.glyphs.first, text.glyphs.count == 1 else { return unknown.append(text) }
    let width = width(glyph)
    if column + width > columns { column = max(0, columns - width) }
    for index in 0..<width where column + index < columns { clear(column + index) }
    places[row * columns + column] = Place(text: text, parameters: parameters)
    for index in 1..<max(1, width) where column + index < columns {
      places[row * columns + column + index] = Place(text: "", parameters: parameters, isCovered: true)
    }
    // The model doesn't wrap: the cursor stays in the last column.
    column = min(columns - 1, column + width)
  }

  /// Clears a cell, and the other half of a wide glyph too.
  private mutating func clear(_ column: Int) {
    let first = row * columns
    if places[first + column].isCovered {
      var left = column
      while left > 0, places[first + left].isCovered { left -= 1 }
      places[first + left].text = " "
    }
    var right = column + 1
    while right < columns, places[first + right].isCovered {
      places[first + right] = Place()
      right += 1
    }
    places[first + column] = Place()
  }

  private mutating func control(_ body: String, _ final: Character) {
    let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    let first = numbers.first.flatMap { $0 }
    switch final {
    case "H":
      row = min(rows, max(1, first ?? 1)) - 1
      column = min(columns, max(1, numbers.count > 1 ? numbers[1] ?? 1 : 1)) - 1
    case "C": column = min(columns - 1, column + max(1, first ?? 1))
    case "D": column = max(0, column - max(1, first ?? 1))
    case "J" where first == 2: places = Array(repeating: Place(), count: places.count)
    case "K" where first == nil:
      for index in column..<columns { clear(index) }
      if !parameters.isEmpty { unknown.append("an erased line with \(parameters)") }
    case "m": style(body.split(separator: ";", omittingEmptySubsequences: false).map(String.init))
    case "h", "l": if body != "?2026" { unknown.append(body + String(final)) }
    default: unknown.append(body + String(final))
    }
  }

  private mutating func style(_ list: [String]) {
    var rest = list[...]
    while let parameter = rest.popFirst() {
      switch parameter {
      case "", "0": parameters = []
      case "1", "2", "3", "4", "7": parameters.insert(parameter)
      case "22": parameters.subtract(["1", "2"])
      case "23", "24", "27": parameters.remove(String(parameter.dropFirst()))
      case "38", "48":
        let count = rest.first == "5" ? 2 : 4
        set(parameter == "38" ? "ink" : "paper", ([parameter] + rest.prefix(count)).joined(separator: ";"))
        rest = rest.dropFirst(count)
      case "39", "49": set(parameter == "39" ? "ink" : "paper", nil)
      default:
        guard let number = Int(parameter) else { return unknown.append(parameter) }
        switch number {
        case 30...37, 90...97: set("ink", parameter)
        case 40...47, 100...107: set("paper", parameter)
        default: unknown.append(parameter + "m")
        }
      }
    }
  }

  private mutating func set(_ what: String, _ value: String?) {
    parameters = parameters.filter { !$0.hasPrefix(what) }
    if let value { parameters.insert("\(what) \(value)") }
  }
}

extension Canvas {
  /// The cells, row by row.
  var cells: [Cell] { (0..<rows).flatMap { row in (0..<columns).map { self[row, $0] } } }
}

extension TerminalModel {
  /// The places for a canvas that is drawn whole, cell by cell, without any optimization.
  static func showing(_ canvas: Canvas, depth: ColorDepth) -> [Place] {
    canvas.cells.map { cell in
      Place(
        text: cell.isCovered ? "" : cell.glyph.text, parameters: cell.style.expected(depth), isCovered: cell.isCovered)
    }
  }
}

extension Style {
  /// The parameters that are on in a cell of this style.
  fileprivate func expected(_ depth: ColorDepth) -> Set<String> {
    var all: Set<String> = []
    for (mark, number) in [(Marks.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7")]
    where marks.contains(mark) {
      all.insert(number)
    }
    for (what, color, first, bright, other) in [("ink", ink, 30, 90, 38), ("paper", paper, 40, 100, 48)] {
      switch color.reduced(to: depth) {
      case .standard: break
      case .own(let index): all.insert("\(what) \(index < 8 ? first + Int(index) : bright + Int(index) - 8)")
      case .palette(let index): all.insert("\(what) \(other);5;\(index)")
      case .rgb(let red, let green, let blue): all.insert("\(what) \(other);2;\(red);\(green);\(blue)")
      }
    }
    return all
  }
}

/// Random numbers, the same for the same seed.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    let high = (state ^ state >> 30).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
    return high.high ^ high.low
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
