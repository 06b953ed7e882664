import Expectations
import LiveHost
import Testing

@testable import menuctl

/// The words of commands, and completions at each position of a line.
@Suite struct CommandWordsTests {
  @Test(
    "A line is split at blanks outside of brackets and quotes",
    arguments: [
      (":menu", [":menu"], nil), (":menu  Image ", [":menu", "Image"], nil),
      (":perform rate(rating: 5)", [":perform", "rate(rating: 5)"], nil),
      (
        #":perform a(b: "x ) y", c: [1, {d: 2}]) --to grid"#,
        [":perform", #"a(b: "x ) y", c: [1, {d: 2}])"#, "--to", "grid"], nil
      ),
      (":pick 'Image/As JPEG'", [":pick", "Image/As JPEG"], nil),
      (#":pick "a 'b'" c"#, [":pick", "a 'b'", "c"], nil),
      (":press g g", [":press", "g", "g"], nil), (":perform rate(rating", [":perform", "rate(rating"], ")"),
      (#":perform a(b: "x"#, [":perform", #"a(b: "x"#], "\""), (":pick 'Ima", [":pick", "Ima"], "'"),
      (#":perform a(b: "\")")"#, [":perform", #"a(b: "\")")"#], nil), (":", [":"], nil), ("", [], nil),
      (#":perform a(b: "\" x) y") c"#, [":perform", #"a(b: "\" x) y")"#, "c"], nil),
      (":perform don't", [":perform", "don't"], nil), (#":perform a(b: "x\"#, [":perform", #"a(b: "x\"#], "\""),
    ] as [(String, [String], Character?)])
  func words(_ line: String, _ words: [String], _ open: Character?) {
    let found = CommandWords(line)
    expect(found.words.map(\.text), is: words)
    expect(found.open.map { Character(Unicode.Scalar($0)) }, is: open)
  }

  @Test("The text after a word is found as it is written")
  func behind() {
    let words = CommandWords(":pick  Image/As  JPEG… ")
    expect(words.text(behind: words.words[0]), is: "Image/As  JPEG…")
    expect(words.text(from: words.words[1], to: words.words[2]), is: "Image/As  JPEG…")
  }

  @Test(
    "The text before the cursor in Lua is a name or a string",
    arguments: [
      ("", .name(path: [], responder: nil, begun: "")), ("gr", .name(path: [], responder: nil, begun: "gr")),
      ("x = gr", .name(path: [], responder: nil, begun: "gr")),
      ("a.b.c", .name(path: ["a", "b"], responder: nil, begun: "c")),
      ("grid:", .name(path: ["grid"], responder: nil, begun: "")),
      ("f(app:fi", .name(path: ["app"], responder: nil, begun: "fi")),
      (#"app:find("grid").on.ra"#, .name(path: ["on"], responder: "grid", begun: "ra")),
      ("app:find('grid'):", .name(path: [], responder: "grid", begun: "")), ("f().x", .nothing), ("a[1].x", .nothing),
      ("12", .nothing), ("1.x", .nothing), ("-- wo", .nothing), ("a - -b", .name(path: [], responder: nil, begun: "b")),
      (#"app:perform("ra"#, .string(begun: "ra", quote: "\"")), ("app:press('", .string(begun: "", quote: "'")),
      (#"f("a\"b"#, .string(begun: #"a\"b"#, quote: "\"")), (#"f("a") b"#, .name(path: [], responder: nil, begun: "b")),
      (#"f("it's"#, .string(begun: "it's", quote: "\"")), (#"f(" -- x"#, .string(begun: " -- x", quote: "\"")),
    ] as [(String, LuaPlace)])
  func places(_ line: String, _ place: LuaPlace) { expect(LuaPlace(line), is: place) }

  @Test("Completing adds the common beginning of all candidates, and ends a single candidate")
  func completions() {
    let two = Completions(["perform", "press", "pick", "press"], begun: "p")
    expect(two.candidates, is: ["perform", "pick", "press"])
    expect(two.addition, is: "")
    expect(Completions(["perform", "persist"], begun: "p").addition, is: "er")
    expect(Completions(["perform"], begun: "p") { _ in " " }.addition, is: "erform ")
    expect(Completions(["★★★", "★★"], begun: "★").addition, is: "★")
    // Two characters that begin with the same byte have nothing in common.
    expect(Completions(["é", "è"], begun: "").addition, is: "")
    expect(Completions(["a"], begun: "b").candidates.isEmpty)
  }

  @Test("Candidates are listed in columns as wide as the widest, without control characters")
  func listing() {
    expect(Completions(["a", "b", "c"], begun: "").listing(columns: 80), is: "a  b  c")
    expect(Completions(["a", "b", "ccc"], begun: "").listing(columns: 11), is: "a    ccc\nb")
    expect(Completions(["星", "b", "c"], begun: "").listing(columns: 9), is: "b   星\nc")
    expect(Completions(["a\u{1B}[31m"], begun: "").listing(columns: 80), is: #"a\x1B[31m"#)
    let many = Completions((0..<300).map { "n\($0)" }, begun: "").listing(columns: 8)
    expect(many.hasSuffix("\n… 100 more"))
  }

  @Test(
    "Entries of several lines are one line of the history, and return unchanged",
    arguments: ["a", "a\nb", "\\n", "\\\n\\", ""])
  func history(_ entry: String) {
    let line = History.escaped(entry)
    expect(!line.contains("\n"))
    expect(History.unescaped(line), is: entry)
  }
}
