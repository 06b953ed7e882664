import Expectations
import Testing

@testable import Terminal

@Suite("Glyphs, and how wide terminals draw them") struct GlyphTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    /// Each glyph with its width, and `?` if the width is doubtful.
    let glyphs: [String]
  }

  private static let cases = [
    Case(testDescription: "plain", text: "a b", glyphs: ["a1", " 1", "b1"]),
    Case(testDescription: "a mark", text: "e\u{301}x", glyphs: ["e\u{301}1", "x1"]),
    Case(testDescription: "a mark alone", text: "\u{301}", glyphs: [" \u{301}1"]),
    Case(testDescription: "wide", text: "日本", glyphs: ["日2", "本2"]),
    Case(testDescription: "Hangul in parts", text: "\u{1112}\u{1161}\u{11AB}", glyphs: ["\u{1112}\u{1161}\u{11AB}2?"]),
    Case(testDescription: "a picture", text: "👍", glyphs: ["👍2?"]),
    Case(testDescription: "a picture with a tone", text: "👍🏽", glyphs: ["👍🏽2?"]),
    Case(testDescription: "drawn as a picture", text: "❤\u{FE0F}!", glyphs: ["❤\u{FE0F}2?", "!1"]),
    Case(
      testDescription: "a key around a digit is a picture, around a letter it is none",
      text: "1\u{FE0F}\u{20E3}a\u{FE0F}",
      glyphs: ["1\u{FE0F}\u{20E3}2?", "a\u{FE0F}1"]),
    Case(testDescription: "a heart that is text", text: "❤", glyphs: ["❤1?"]),
    Case(testDescription: "a flag", text: "🇩🇪🇫", glyphs: ["🇩🇪2?", "🇫1?"]),
    Case(testDescription: "a family shows its first", text: "👩\u{200D}👩\u{200D}👦", glyphs: ["👩2?"]),
    Case(testDescription: "stars, ticks and boxes", text: "★✓•│─▸", glyphs: ["★1", "✓1", "•1", "│1", "─1", "▸1"]),
    Case(testDescription: "controls are seen", text: "a\u{1B}[31m\n", glyphs: "a\\x1B[31m\\n".map { "\($0)1" }),
    Case(testDescription: "an override of direction is seen", text: "\u{202E}x", glyphs: "\\u{202E}x".map { "\($0)1" }),
    Case(testDescription: "a joiner alone shows a blank", text: "\u{200D}", glyphs: [" 1"]),
    Case(testDescription: "nothing", text: "", glyphs: []),
  ]

  @Test("Each case of the table has its glyphs and widths", arguments: cases)
  func table(_ one: Case) {
    expect(one.text.glyphs.map { "\($0.text)\($0.width)\($0.isDoubtful ? "?" : "")" }, is: one.glyphs)
    expect(one.text.columns, is: one.text.glyphs.reduce(0) { $0 + $1.width })
  }

  @Test("X4: A hundred combining marks cost a cell")
  func marks() {
    let glyphs = ("a" + String(repeating: "\u{301}", count: 100) + "b").glyphs
    expect(glyphs.count == 2 && glyphs[0].width == 1 && glyphs[0].text.utf8.count <= Glyph.longest)
    expect(glyphs[1].text, is: "b")
  }

  @Test("For any text, no glyph controls the terminal, exceeds the length limit, or lacks a width")
  func any() throws {
    var chance = Chance(seed: 3)
    for round in 0..<3000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<chance.below(12) {
        let bound = chance.pick([0x20, 0x80, 0x300, 0x2100, 0x10000, 0x110000])
        if let scalar = Unicode.Scalar(UInt32(chance.below(bound))) { text.append(scalar) }
      }
      for glyph in String(text).glyphs {
        try require(glyph.width == 1 || glyph.width == 2, "round \(round)")
        try require(glyph.text.utf8.count <= Glyph.longest && !glyph.text.isEmpty, "round \(round)")
        for scalar in glyph.text.unicodeScalars {
          try require(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "round \(round)")
          try require(![0x061C, 0x200E, 0x200F].contains(scalar.value), "round \(round)")
          try require(
            !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value), "round \(round)")
        }
      }
    }
  }
}

@Suite("The canvas") struct CanvasTests {
  @Test("Text outside is cut off, and a half covered wide glyph disappears")
  func cut() {
    var canvas = Canvas(columns: 8, rows: 2)
    expect(canvas.put("abc", row: 0, column: 6), is: 8)
    expect(canvas.put("日本語", row: 1, column: 0), is: 6)
    canvas.put("x", row: 1, column: 1)
    canvas.put("日", row: 1, column: 7)
    canvas.put("gone", row: 2, column: 0)
    canvas.put("gone", row: -1, column: 0)
    canvas.put("12345", row: 0, column: -3)
    expect(canvas.text, is: "45    ab\n x本語")
  }

  @Test("A text keeps to its area")
  func area() {
    var canvas = Canvas(columns: 10, rows: 1)
    canvas.put("abcdef", row: 0, column: 1, in: Area(row: 0, column: 2, rows: 1, columns: 3))
    expect(canvas.text, is: "  bcd")
    expect(
      Area(row: 0, column: 0, rows: 2, columns: 2).common(with: Area(row: 5, column: 5, rows: 1, columns: 1)).isEmpty)
  }
}
