import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("P16: Styled texts on a screen")
struct StyledGlyphTests {
  private static func styled(_ parts: (String, String)...) -> StyledText {
    StyledText(parts.map { StyledText.Span($0.0, TextStyle(words: $0.1) ?? TextStyle()) })
  }

  private static func text(_ glyphs: [StyledGlyph]) -> String { glyphs.map(\.glyph.text).joined() }

  private static func theme(_ name: String) throws -> Theme { try require(Theme(named: name)) }

  @Test("P16: Each meaning has a distinct look in every theme, and the first seven even without colour")
  func looks() throws {
    let seven = TextStyle.Meaning.allCases.prefix(7)
    for name in Theme.names {
      let theme = try Self.theme(name)
      let looks = TextStyle.Meaning.allCases.map { theme.style(of: TextStyle($0), over: .plain) }
      expect(!looks.contains(.plain), "\(name)")
      let bare = theme.shown(with: .none)
      let seen = seven.map { bare.glyphs(of: Self.styled(("text", $0.rawValue))) }
      expect(seen.indices.allSatisfy { index in seen[..<index].allSatisfy { $0 != seen[index] } }, "\(name)")
      expect(seen.joined().allSatisfy { $0.style.ink == .standard && $0.style.paper == .standard })
    }
    expect(Theme().shown(with: .sixteen).hasColour && !Theme().shown(with: .none).hasColour)
  }

  @Test("P16: Without colour a sign marks added, removed or changed text that doesn't begin with it")
  func signs() {
    let text = Self.styled(
      ("new", "added"), (" + old", "added"), ("gone", "removed"), ("~x", "changed"), ("  ", "added"))
    expect(Self.text(Theme().glyphs(of: text)), is: "new + oldgone~x  ")
    expect(Self.text(Theme().shown(with: .none).glyphs(of: text)), is: "+new + old-gone~x  ")
  }

  @Test("P17: A program's colours are the terminal's, over the ground; its reverse inverts a reversed ground")
  func colours() {
    let theme = Theme()
    func style(_ words: String, over ground: Style = .plain) -> Style {
      theme.style(of: TextStyle(words: words) ?? TextStyle(), over: ground)
    }
    expect(style("red on-200 italic"), is: Style(ink: .own(1), paper: .palette(200), marks: .italic))
    let ground = Style(paper: .own(4), marks: .dim)
    expect(style("#010203", over: ground), is: Style(ink: .rgb(1, 2, 3), paper: .own(4), marks: .dim))
    expect(style("reverse bold", over: Style(marks: [.reverse, .dim])), is: Style(marks: .bold))
    expect(style("strong", over: Style(marks: .dim)), is: Style(marks: .bold))
    expect(style("", over: Style(ink: .own(3))), is: Style(ink: .own(3)))
  }

  @Test(
    "P11: A text without room is cut at its end, or in the middle: a path between its folders",
    arguments: [
      (Cut.end, "a long title", 8, "a long …"), (.end, "a title", 7, "a title"), (.end, "漢字漢字", 6, "漢字…"),
      (.end, "漢字", 1, "…"), (.end, "ab", 0, ""), (.middle, "abcdefghij", 7, "abc…hij"),
      (.middle, "Sources/ScriptHost/Core/Validate.swift", 29, "Sources/…/Core/Validate.swift"),
      (.middle, "Sources/ScriptHost/Core/Validate.swift", 28, "Sources/…/Validate.swift"),
      (.middle, "Sources/ScriptHost/Core/Validate.swift", 22, "…/Core/Validate.swift"),
      (.middle, "Sources/ScriptHost/Core/Validate.swift", 16, "…/Validate.swift"),
      (.middle, "Sources/ScriptHost/Core/Validate.swift", 15, "Sources…e.swift"), (.middle, "abc", 1, "…"),
    ])
  func cut(cut: Cut, text: String, columns: Int, expected: String) {
    let glyphs = Theme().glyphs(of: StyledText(text)).cut(toColumns: columns, at: cut)
    expect(Self.text(glyphs), is: expected)
    expect(glyphs.columns <= columns)
  }

  @Test("P16: Cut and drawn texts keep their styles; tabs fill to the next stop")
  func drawing() {
    let text = Self.styled(("a\tb", "red"), ("cdef", "quiet"))
    let glyphs = Theme().glyphs(of: text).cut(toColumns: 11)
    var canvas = Canvas(columns: 12, rows: 2)
    expect(canvas.put(glyphs, row: 0, column: 1), is: 12)
    expect(canvas.text, is: " a       bc…\n")
    expect((1...9).allSatisfy { canvas[0, $0].style == Style(ink: .own(1)) })
    expect(canvas[0, 10].style == Style(marks: .dim) && canvas[0, 11].style == Style(marks: .dim))
    expect(Self.text(Theme().glyphs(of: Self.styled(("1234567\tx", ""), ("\u{1B}y", "")))), is: "1234567 x\\x1By")
  }

  @Test("P10: Letters that narrow the rows are highlighted at their places, over the text's styles")
  func found() {
    let glyphs = Theme().shown(with: .none).glyphs(of: Self.styled(("é", "added"), ("xyz", "")), found: [0, 2])
    expect(glyphs.map(\.isFound), is: [false, true, false, true, false])
    var style = Style(ink: .own(2))
    Theme().find(&style)
    expect(style, is: Style(ink: .own(3), marks: .bold))
    style = Style(marks: .reverse)
    Theme().find(&style)
    expect(style, is: Style(marks: [.reverse, .bold, .underline]))
  }

  @Test("P14: A long line makes only the glyphs that the screen shows, and a sign that there is more")
  func long() {
    let text = StyledText(String(repeating: "x", count: 1_000_000))
    expect(Theme().glyphs(of: text, columns: 80).count, is: 81)
  }
}
