import Expectations
import Testing

@testable import ScriptHost

@Suite("P17: The colours that a program prints")
struct ANSIReaderTests {
  /// A text as its spans, each preceded by the words of its style.
  private static func words(_ text: String) -> String { words(StyledText(ansi: text)) }

  private static func words(_ styled: StyledText) -> String {
    styled.spans.map { $0.style.isPlain ? $0.text : "[\($0.style.words)]\($0.text)" }.joined(separator: "|")
  }

  @Test(
    "P17: The reader reads colours and marks, in 16 colours, 256, and all, until a reset",
    arguments: [
      ("\u{1B}[31mred\u{1B}[0m plain", "[red]red| plain"),
      ("\u{1B}[1;32mbold\u{1B}[22m green\u{1B}[m", "[bold green]bold|[green] green"),
      ("\u{1B}[95;104mx\u{1B}[39my\u{1B}[49mz", "[bright-magenta on-bright-blue]x|[on-bright-blue]y|z"),
      ("\u{1B}[38;5;208mx\u{1B}[48;5;17my", "[208]x|[208 on-17]y"),
      ("\u{1B}[38:5:208mx\u{1B}[48:2::1:2:3my\u{1B}[38:2:4:5:6mz", "[208]x|[208 on-#010203]y|[#040506 on-#010203]z"),
      ("\u{1B}[38;2;166;227;161;4mx\u{1B}[24my", "[underline #a6e3a1]x|[#a6e3a1]y"),
      ("\u{1B}[2;3;7mx\u{1B}[23my\u{1B}[27mz\u{1B}[22m.", "[dim italic reverse]x|[dim reverse]y|[dim]z|."),
      ("\u{1B}[4:3mcurly\u{1B}[4:0m, none", "[underline]curly|, none"), ("\u{1B}[21mtwice", "[underline]twice"),
      ("\u{1B}[58;5;9;1mx\u{1B}[58:2::9:9:9my", "[bold]xy"), ("\u{1B}[1;;3mx", "[italic]x"),
      ("\u{9B}31mone byte less", "[red]one byte less"), ("\u{1B}[31m\u{1B}[0mnothing between", "nothing between"),
      ("\u{1B}[31ma\u{1B}[31mb", "[red]ab"),
    ])
  func colours(text: String, expected: String) { expect(Self.words(text), is: expected) }

  @Test(
    "P17: An unfinished or unknown colour changes nothing",
    arguments: ["38;5", "38", "38;5;256", "38;2;1;2", "38;2;1;2;999", "38;9", "999", "38:5:300:7", "5", "8"])
  func noColours(parameters: String) { expect(Self.words("\u{1B}[\(parameters)mx"), is: "x") }

  @Test(
    "P17: The reader drops every other escape, and every control character except tabs",
    arguments: [
      ("a\u{1B}[2J\u{1B}[10;10Hb", "ab"), ("a\u{1B}[?25lb\u{1B}[>4;2mc\u{1B}[1 qd", "abcd"),
      ("\u{1B}]0;title\u{7}a\u{1B}]8;;https://example.org\u{1B}\\link\u{1B}]8;;\u{1B}\\", "alink"),
      ("a\u{1B}P1$r\u{1B}\\b\u{1B}_x\u{1B}\\c\u{1B}^x\u{1B}\\d\u{1B}Xx\u{1B}\\e", "abcde"),
      ("a\u{9D}0;title\u{9C}b\u{90}x\u{9C}c\u{85}d\u{8D}e", "abcde"), ("a\u{1B}cb\u{1B}7c\u{1B}(Bd\u{1B}#8e", "abcde"),
      ("a\u{8}b\u{7}c\rd\u{B}e\u{C}f\u{E}g\u{F}h\u{7F}i\u{0}j", "abcdefghij"), ("a\tb", "a\tb"),
      ("unfinished\u{1B}", "unfinished"), ("unfinished\u{1B}[38;5", "unfinished"),
      ("unfinished\u{1B}]0;title", "unfinished"), ("unfinished\u{1B}(", "unfinished"),
      ("\u{1B}[31\u{7}mno colour", "mno colour"), ("\u{1B}]0;title\u{1B}[31mred", "[red]red"), ("é\u{1B}[1é", "éé"),
      ("\u{1B}\u{1B}[1mx", "[bold]x"), ("", ""),
    ])
  func escapes(text: String, expected: String) { expect(Self.words(text), is: expected) }

  @Test("P17: Colours carry on from line to line, unfinished escapes don't")
  func lines() {
    var reader = ANSIReader()
    let lines = ["\u{1B}[32m+ one", "+ two\u{1B}]0;ti", "tle\u{1B}[", "m\u{1B}[m", "plain"].map { reader.read($0) }
    expect(lines.map(Self.words), is: ["[green]+ one", "[green]+ two", "[green]tle", "[green]m", "plain"])
    expect(Self.words("\u{1B}]0;title\nnext"), is: "\nnext")
  }

  @Test("P17: A text has at most 1,000 spans; the reader uses 32 numbers of a sequence, in linear time")
  func bounds() {
    let motley = (0..<100_000).map { "\u{1B}[3\($0 % 7)mx" }.joined()
    let styled = StyledText(ansi: motley)
    expect(styled.spans.count, is: ANSIReader.mostSpans)
    expect(styled.text, is: String(repeating: "x", count: 100_000))
    expect(Self.words("\u{1B}[\(String(repeating: "1;", count: 100_000))3mx"), is: "[bold]x")
    expect(Self.words("\u{1B}[\(String(repeating: "9", count: 100_000));1mx"), is: "[bold]x")
    expect(StyledText(ansi: String(repeating: "\u{1B}]", count: 200_000)).text, is: "")
    expect(StyledText(ansi: String(repeating: "\u{1B}[1", count: 200_000)).text, is: "")
  }

  @Test("P16: Every style has words, and the words name that style")
  func words() {
    var numbers = Chance(seed: 3)
    func colour() -> TextStyle.Colour? {
      switch Int.random(in: 0..<3, using: &numbers) {
      case 0: nil
      case 1: .palette(.random(in: .min ... .max, using: &numbers))
      default:
        .rgb(
          .random(in: .min ... .max, using: &numbers), .random(in: .min ... .max, using: &numbers),
          .random(in: .min ... .max, using: &numbers))
      }
    }
    for _ in 0..<2000 {
      let style = TextStyle(
        (TextStyle.Meaning.allCases + [nil]).randomElement(using: &numbers) ?? nil, ink: colour(), paper: colour(),
        marks: TextStyle.Marks(rawValue: .random(in: 0..<32, using: &numbers)))
      expect(TextStyle(words: style.words), is: style, "\(style.words)")
    }
    expect(TextStyle(words: ""), is: TextStyle())
    for word in ["loud", "bright-", "on-", "#12345", "#12345g", "#+12345", "256", "-1", "+1", "quiet loud"] {
      expect(TextStyle(words: word), is: nil, "\(word)")
    }
  }
}
