/// Reads the lines that a program prints for a terminal into styled texts (P17). Colours carry over from line to line.
///
/// It reads colours and text attributes (SGR). It drops all other escape sequences, and all control characters except
/// tabs and newlines, so that no text can control the terminal. An unfinished sequence ends with its line.
///
/// ```swift
/// var reader = ANSIReader()
/// let line = reader.read("\u{1B}[1;32m+ added\u{1B}[0m")
/// print(line.text, line.spans[0].style.words)  // + added bold green
/// ```
public struct ANSIReader: Sendable {
  /// The most spans of a text; further changes of style are ignored. No screen is that wide.
  public static let mostSpans = 1000
  /// The most numbers to read from a sequence.
  static let mostNumbers = 32

  private var style = TextStyle()

  public init() {}

  /// Reads the next line or lines.
  public mutating func read(_ text: String) -> StyledText {
    var text = text
    return text.withUTF8 { read($0) }
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> StyledText {
    var spans: [StyledText.Span] = []
    var (run, runStyle) = ([UInt8](), style)
    func end() { if !run.isEmpty { spans.append(StyledText.Span(String(decoding: run, as: UTF8.self), runStyle)) } }
    var place = 0
    while place < bytes.count {
      let start = place
      while place < bytes.count, !bytes.isControl(at: place) { place += 1 }
      if start < place {
        if style != runStyle, spans.count + 1 < Self.mostSpans {
          end()
          (run, runStyle) = ([], style)
        }
        run += bytes[start..<place]
      }
      guard place < bytes.count else { break }
      let (sequence, next) = bytes.sequence(at: place)
      if case .graphics(let parameters) = sequence { apply(Self.numbers(bytes[parameters])) }
      place = next
    }
    end()
    return StyledText(spans)
  }

  // MARK: - Styles

  /// A number of a sequence, with the numbers that follow it after colons.
  private typealias Number = [Int]

  private static func numbers(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [Number] {
    var numbers: [Number] = [[0]]
    var count = 1
    for byte in bytes {
      let last = numbers.count - 1
      switch byte {
      case UInt8(ascii: ";"), UInt8(ascii: ":"):
        count += 1
        if count > mostNumbers { return numbers }
        if byte == UInt8(ascii: ";") { numbers.append([0]) } else { numbers[last].append(0) }
      default:
        let part = numbers[last].count - 1
        numbers[last][part] = min(numbers[last][part] * 10 + Int(byte & 15), 9999)
      }
    }
    return numbers
  }

  private mutating func apply(_ numbers: [Number]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number[0] {
      case 0: style = TextStyle()
      case 1: style.marks.insert(.bold)
      case 2: style.marks.insert(.dim)
      case 3: style.marks.insert(.italic)
      case 4 where number.count > 1 && number[1] == 0: style.marks.remove(.underline)
      case 4, 21: style.marks.insert(.underline)
      case 7: style.marks.insert(.reverse)
      case 22: style.marks.subtract([.bold, .dim])
      case 23: style.marks.remove(.italic)
      case 24: style.marks.remove(.underline)
      case 27: style.marks.remove(.reverse)
      case 30...37: style.ink = .palette(UInt8(number[0] - 30))
      case 38: style.ink = Self.colour(number, &rest) ?? style.ink
      case 39: style.ink = nil
      case 40...47: style.paper = .palette(UInt8(number[0] - 40))
      case 48: style.paper = Self.colour(number, &rest) ?? style.paper
      case 49: style.paper = nil
      // The colour of underlines isn't shown, but its numbers must be skipped.
      case 58: _ = Self.colour(number, &rest)
      case 90...97: style.ink = .palette(UInt8(number[0] - 82))
      case 100...107: style.paper = .palette(UInt8(number[0] - 92))
      default: break
      }
    }
  }

  /// Reads the colour after 38, 48 or 58, either after colons or from the next numbers, which it removes.
  private static func colour(_ number: Number, _ rest: inout ArraySlice<Number>) -> TextStyle.Colour? {
    var parts = Array(number.dropFirst())
    if parts.isEmpty {
      let wanted = rest.first?[0] == 5 ? 2 : rest.first?[0] == 2 ? 4 : 1
      parts = rest.prefix(wanted).map { $0[0] }
      rest = rest.dropFirst(wanted)
    } else if parts[0] == 2, parts.count > 4 {
      // With colons, a colour space comes before red, green and blue.
      parts.remove(at: 1)
    }
    let values = parts.dropFirst().prefix(parts.first == 5 ? 1 : 3).compactMap { UInt8(exactly: $0) }
    switch (parts.first, values.count) {
    case (5, 1): return .palette(values[0])
    case (2, 3): return .rgb(values[0], values[1], values[2])
    default: return nil
    }
  }
}

extension StyledText {
  /// A text with the colours that a program printed in it.
  ///
  /// ```swift
  /// print(StyledText(ansi: "\u{1B}[31mgone\u{1B}[m, \u{1B}]0;title\u{7}kept").text)  // gone, kept
  /// ```
  public init(ansi text: String) {
    var reader = ANSIReader()
    self = reader.read(text)
  }
}

/// The sequence that begins with a control character.
private enum ANSISequence {
  /// Colours and text attributes, with the range of their numbers.
  case graphics(Range<Int>)
  case dropped
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns true if a control character begins here that isn't part of the text, from ASCII or the C1 set.
  fileprivate func isControl(at place: Int) -> Bool {
    switch self[place] {
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"): false
    case 0..<0x20, 0x7F: true
    case 0xC2: place + 1 < count && (0x80...0x9F).contains(self[place + 1])
    default: false
    }
  }

  /// Returns the sequence that begins with a control character, and the index after it.
  fileprivate func sequence(at place: Int) -> (ANSISequence, next: Int) {
    // A control character of the C1 set is the same as an escape and a letter.
    let isEscape = self[place] == 0x1B
    guard isEscape || self[place] == 0xC2 else { return (.dropped, place + 1) }
    guard place + 1 < count else { return (.dropped, count) }
    let next = place + 2
    switch isEscape ? self[place + 1] : self[place + 1] - 0x40 {
    case UInt8(ascii: "["): return controlSequence(at: next)
    case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      return (.dropped, endOfString(at: next))
    case 0x20...0x2F where isEscape:
      var end = next
      while end < count, (0x20...0x2F).contains(self[end]) { end += 1 }
      return (.dropped, end < count && (0x30...0x7E).contains(self[end]) ? end + 1 : end)
    case 0x30...0x7E: return (.dropped, next)
    default: return (.dropped, isEscape ? place + 1 : next)
    }
  }

  /// Reads a sequence after `ESC [`. A byte that can't be part of it ends it and becomes text.
  private func controlSequence(at start: Int) -> (ANSISequence, next: Int) {
    var end = start
    while end < count, (0x20...0x3F).contains(self[end]) { end += 1 }
    guard end < count, (0x40...0x7E).contains(self[end]) else { return (.dropped, end) }
    let isGraphics = self[end] == UInt8(ascii: "m") && self[start..<end].allSatisfy { (0x30...0x3B).contains($0) }
    return (isGraphics ? .graphics(start..<end) : .dropped, end + 1)
  }

  /// Returns the index after a terminal string such as a title. It ends with BEL or ST, or before another sequence or
  /// line.
  private func endOfString(at start: Int) -> Int {
    var place = start
    while place < count {
      switch self[place] {
      case 0x07, 0x18, 0x1A: return place + 1
      case UInt8(ascii: "\n"): return place
      case 0x1B: return place + 1 < count && self[place + 1] == UInt8(ascii: "\\") ? place + 2 : place
      case 0xC2 where place + 1 < count && self[place + 1] == 0x9C: return place + 2
      default: place += 1
      }
    }
    return count
  }
}
