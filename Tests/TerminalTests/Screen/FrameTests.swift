import Expectations
import Testing

@testable import Terminal

/// A frame's bytes change the terminal from one canvas to another.
@Suite("Frames") struct FrameTests {
  private static let words = [
    "a", "Select all", "★", "✓", "日本", "한", "e\u{301}", "👍", "👍🏽", "❤\u{FE0F}", "🇩🇪", "👩\u{200D}👩\u{200D}👦", "─", "│",
    "…",
    "   ", "\u{301}", "ガ",
  ]
  private static let styles: [Style] = [
    .plain, .plain, Style(marks: .reverse), Style(marks: [.bold, .underline]), Style(marks: .bold),
    Style(ink: .own(1)), Style(ink: .own(9), paper: .own(4)), Style(paper: .palette(200)),
    Style(ink: .rgb(10, 200, 30), paper: .rgb(1, 2, 3), marks: .dim),
  ]

  /// Draws at random on a canvas.
  private static func scribble(_ canvas: inout Canvas, _ chance: inout Chance) {
    for _ in 0..<chance.below(12) {
      let style = chance.pick(styles)
      let (row, column) = (chance.below(canvas.rows + 2) - 1, chance.below(canvas.columns + 6) - 3)
      switch chance.below(4) {
      case 0:
        canvas.fill(Area(row: row, column: column, rows: chance.below(4), columns: chance.below(20)), style: style)
      case 1:
        canvas.restyle(Area(row: row, column: column, rows: chance.below(3), columns: chance.below(20))) {
          $0 = style
        }
      default:
        canvas.put(
          (0...chance.below(4)).map { _ in chance.pick(words) }.joined(), row: row, column: column, style: style)
      }
    }
  }

  @Test(
    "X5: The bytes of a frame change screen A to screen B exactly",
    arguments: [ColorDepth.none, .sixteen, .palette, .all])
  func bringsTo(depth: ColorDepth) throws {
    for seed: UInt64 in 0..<400 {
      var chance = Chance(seed: seed)
      let (columns, rows) = (1 + chance.below(30), 1 + chance.below(6))
      var model = TerminalModel(columns: columns, rows: rows)
      var writer = FrameWriter(depth: depth)
      writer.isSynchronized = chance.below(2) == 0
      var canvas = Canvas(columns: columns, rows: rows)
      for frame in 0..<6 {
        // Most frames have rows without any drawing.
        if chance.below(2) == 0 { canvas = Canvas(columns: columns, rows: rows) }
        Self.scribble(&canvas, &chance)
        model.feed(writer.write(canvas))
        try require(model.unknown == [], "seed \(seed), frame \(frame)")
        try require(
          model.places.map(\.text) == TerminalModel.showing(canvas, depth: depth).map(\.text),
          "seed \(seed), frame \(frame)")
        for (place, wanted) in zip(model.places, TerminalModel.showing(canvas, depth: depth)) where !wanted.isCovered {
          try require(place.parameters == wanted.parameters, "seed \(seed), frame \(frame): '\(wanted.text)'")
        }
        expect(writer.write(canvas), is: [], "what is shown already is not written")
      }
    }
  }

  @Test(
    "X4: With any input and any drawing, no key is lost, and nothing shifts where widths are doubtful")
  func random() throws {
    for seed: UInt64 in 0..<(isUnoptimized ? 3000 : 20_000) {
      let bytes = Self.bytes(seed)
      let fault = bytes.withUnsafeBufferPointer(TerminalCheck().fault)
      try require(fault == nil, "seed \(seed)")
    }
  }

  @Test("The check finds frames that forget to turn a style off, and frames that are cut short")
  func checkCanFail() {
    let faulty: [(inout FrameWriter, Canvas) -> [UInt8]] = [
      { writer, canvas in
        let bytes = writer.write(canvas)
        return bytes.suffix(3) == Array("\u{1B}[m".utf8)[...] ? bytes.dropLast(3) : bytes
      },
      { writer, canvas in writer.write(canvas).dropLast() },
    ]
    for write in faulty {
      expect(
        (0..<500).contains { seed in
          Self.bytes(seed).withUnsafeBufferPointer(TerminalCheck(write: write).fault) != nil
        })
    }
  }

  /// Bytes with much text, many sequences, and characters of doubtful width.
  private static func bytes(_ seed: UInt64) -> [UInt8] {
    var chance = Chance(seed: seed)
    return (0..<chance.below(60)).flatMap { _ -> [UInt8] in
      switch chance.below(3) {
      case 0: [UInt8(chance.below(256))]
      case 1: Array(chance.pick(words).utf8)
      default: Array(chance.pick(["\u{1B}[", "\u{1B}", "O", "<", ";", "27", "u", "~", "M", "200~", "201~"]).utf8)
      }
    }
  }

  @Test("A frame is as short as possible", arguments: shortest)
  func short(_ one: Short) {
    var writer = FrameWriter(depth: .sixteen)
    _ = writer.write(one.canvas(one.before))
    let bytes = writer.write(one.canvas(one.after))
    expect(String(decoding: bytes, as: UTF8.self).replacing("\u{1B}[", with: "^"), is: one.written)
  }

  struct Short: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: [String]
    let after: [String]
    let written: String

    func canvas(_ lines: [String]) -> Canvas {
      var canvas = Canvas(columns: 20, rows: 4)
      for (row, line) in lines.enumerated() {
        let isMarked = line.hasPrefix(">")
        canvas.put(
          String(line.drop { $0 == ">" }), row: row, column: 0, style: isMarked ? Style(marks: .reverse) : .plain)
      }
      return canvas
    }
  }

  private static let shortest = [
    Short(testDescription: "nothing", before: ["abc"], after: ["abc"], written: ""),
    Short(testDescription: "a letter", before: ["abc"], after: ["abd"], written: "^1;3Hd"),
    Short(
      testDescription: "two letters with a short gap", before: ["abcdef"], after: ["Abcdef".replacing("e", with: "E")],
      written: "^HAbcdE"),
    Short(
      testDescription: "two letters far apart", before: ["a0123456789b"], after: ["A0123456789B"], written: "^HA^10CB"),
    Short(testDescription: "the rest of a line goes", before: ["a long line"], after: ["a"], written: "^1;3H^K"),
    Short(
      testDescription: "the bar moves", before: [">one", "two"], after: ["one", ">two"], written: "^Hone\r\n^7mtwo^m"),
    Short(testDescription: "a letter in the next line", before: ["a", "b"], after: ["A", "B"], written: "^HA\r\nB"),
  ]

  @Test(
    "Colours become the nearest colours of the terminal",
    arguments: [
      (Color.rgb(255, 0, 0), ColorDepth.palette, Color.palette(196)), (.rgb(255, 0, 0), .sixteen, .own(9)),
      (.rgb(128, 0, 0), .sixteen, .own(1)), (.rgb(0, 0, 0), .sixteen, .own(0)),
      (.rgb(255, 255, 255), .sixteen, .own(15)),
      (.palette(196), .sixteen, .own(9)), (.palette(244), .sixteen, .own(8)), (.palette(3), .sixteen, .own(3)),
      (.own(3), .none, .standard), (.rgb(1, 2, 3), .all, .rgb(1, 2, 3)), (.palette(21), .palette, .palette(21)),
    ])
  func reduced(color: Color, depth: ColorDepth, expected: Color) {
    expect(color.reduced(to: depth), is: expected)
  }

  @Test(
    "The environment gives the number of colours",
    arguments: [
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ColorDepth.all), (["TERM": "xterm-256color"], .palette),
      (["TERM": "xterm"], .sixteen), (["TERM": "linux"], .sixteen), (["TERM": "dumb"], .none), ([:], .none),
      (["TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
      (["TERM": "xterm", "NO_COLOR": ""], .sixteen), (["TERM": "foot"], .palette),
    ])
  func depth(environment: [String: String], expected: ColorDepth) {
    expect(ColorDepth { environment[$0] }, is: expected)
  }
}

/// True without an optimizer: then slow tests get fewer rounds.
let isUnoptimized: Bool = {
  #if DEBUG
    true
  #else
    false
  #endif
}()
