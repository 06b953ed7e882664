/// A text in spans, each with a style, for titles, cells and the lines of a text area (P16, P17).
public struct StyledText: Hashable, Sendable {
  /// A part of a text with one style.
  public struct Span: Hashable, Sendable {
    public let text: String
    public let style: TextStyle

    public init(_ text: String, _ style: TextStyle = TextStyle()) {
      self.text = text
      self.style = style
    }
  }

  /// The spans, none of which is empty.
  public let spans: [Span]

  public init(_ spans: [Span]) { self.spans = spans.filter { !$0.text.isEmpty } }

  /// Creates a text without a style.
  public init(_ text: String) { spans = text.isEmpty ? [] : [Span(text)] }

  /// The text without styles.
  public var text: String { spans.count == 1 ? spans[0].text : spans.reduce(into: "") { $0 += $1.text } }

  /// Whether no span has a style.
  public var isPlain: Bool { spans.allSatisfy(\.style.isPlain) }
}

/// The style of a text: its meaning, or how a program printed it. A theme defines the look of each meaning. As a text,
/// a style is a list of words separated by blanks: `quiet`, `bold red`, `on-#202030 #a6e3a1`.
public struct TextStyle: Hashable, Sendable {
  /// The meaning of a text; a theme defines its look.
  public enum Meaning: String, Sendable, CaseIterable {
    case strong, quiet, accent, heading, added, removed, changed, warning, error, link, match
  }

  /// A colour that a program printed: from the terminal's palette of 256, whose first sixteen the terminal defines, or
  /// any.
  public enum Colour: Hashable, Sendable {
    case palette(UInt8)
    case rgb(UInt8, UInt8, UInt8)
  }

  /// The text attributes that a program printed.
  public struct Marks: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = Marks(rawValue: 1), dim = Marks(rawValue: 2), italic = Marks(rawValue: 4)
    public static let underline = Marks(rawValue: 8), reverse = Marks(rawValue: 16)
    static let named: [(name: String, mark: Marks)] = [
      ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline), ("reverse", .reverse),
    ]
  }

  public var meaning: Meaning?
  public var ink: Colour?
  public var paper: Colour?
  public var marks: Marks

  public init(_ meaning: Meaning? = nil, ink: Colour? = nil, paper: Colour? = nil, marks: Marks = []) {
    self.meaning = meaning
    self.ink = ink
    self.paper = paper
    self.marks = marks
  }

  public var isPlain: Bool { meaning == nil && ink == nil && paper == nil && marks.isEmpty }
}

extension TextStyle {
  /// The words for the style; empty for a plain one.
  public var words: String {
    var words = meaning.map { [$0.rawValue] } ?? []
    words += Marks.named.filter { marks.contains($0.mark) }.map(\.name)
    if let ink { words.append(ink.word) }
    if let paper { words.append("on-" + paper.word) }
    return words.joined(separator: " ")
  }

  /// Reads a style from words; nil if one of them is unknown.
  public init?(words: String) {
    self.init()
    for word in words.split(separator: " ") {
      if let meaning = Meaning(rawValue: String(word)) {
        self.meaning = meaning
      } else if let mark = Marks.named.first(where: { $0.name == word })?.mark {
        marks.insert(mark)
      } else if word.hasPrefix("on-"), let colour = Colour(word: word.dropFirst(3)) {
        paper = colour
      } else if let colour = Colour(word: word) {
        ink = colour
      } else {
        return nil
      }
    }
  }
}

extension TextStyle.Colour {
  static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  /// The name, the number in the palette, or `#rrggbb`.
  public var word: String {
    switch self {
    case .palette(let number) where number < 8: Self.names[Int(number)]
    case .palette(let number) where number < 16: "bright-" + Self.names[Int(number) - 8]
    case .palette(let number): String(number)
    case .rgb(let red, let green, let blue):
      "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  /// Reads a colour from a word; nil if the word is unknown.
  public init?(word: some StringProtocol) {
    if let number = Self.names.firstIndex(where: { $0 == word }) {
      self = .palette(UInt8(number))
    } else if word.hasPrefix("bright-"), let number = Self.names.firstIndex(where: { $0 == word.dropFirst(7) }) {
      self = .palette(UInt8(number + 8))
    } else if word.hasPrefix("#"), word.utf8.count == 7, word.dropFirst().allSatisfy(\.isHexDigit),
      let number = UInt32(word.dropFirst(), radix: 16)
    {
      self = .rgb(UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
    } else if word.allSatisfy(\.isNumber), let number = UInt8(word) {
      self = .palette(number)
    } else {
      return nil
    }
  }
}
