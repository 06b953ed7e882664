import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("The text field") struct TextFieldTests {
  /// A field after some keys; '|' is the cursor.
  private func edited(_ keys: String, in field: TextField = TextField()) throws -> String {
    var field = field
    for input in try FaceStage.inputs(keys) {
      if case .key(let stroke, let text) = input { _ = field.key(stroke, text) }
    }
    return String(field.text.prefix(field.cursor)) + "|" + field.text.dropFirst(field.cursor)
  }

  @Test(
    "X1: A field moves and erases by characters, by words, and to its ends",
    arguments: [
      ("a b left c", "ac|b"), ("a b home delete", "|b"), ("a b left left left x", "x|ab"), ("a b end right", "ab|"),
      ("a space b space ctrl+w", "a |"), ("space space ctrl+w", "|"), ("a b ctrl+a ctrl+k", "|"),
      ("a b c left ctrl+u", "|c"), ("a b ctrl+a ctrl+e c", "abc|"), ("a backspace backspace", "|"),
      ("a b left alt+backspace", "|b"),
    ])
  func keys(keys: String, text: String) throws {
    try expect(edited(keys), is: text)
  }

  @Test("X4: A grapheme of several scalars is one character")
  func characters() throws {
    try expect(edited("left backspace", in: TextField("e\u{301}👩‍👩‍👧x")), is: "e\u{301}|x")
    try expect(edited("backspace", in: TextField("e\u{301}")), is: "|")
  }

  @Test("The first character replaces a proposal, and a move of the cursor makes it typed text")
  func proposal() throws {
    let field = TextField("Docs", isProposed: true)
    try expect(edited("x", in: field) == "x|" && edited("backspace", in: field) == "|")
    try expect(edited("left x", in: field), is: "Docx|s")
  }

  @Test("A field takes at most its limit of characters, and reports the effect of each key")
  func most() {
    var field = TextField()
    field.most = 3
    expect(field.type("abcd") == .edited && field.text == "abc" && field.type("d") == .none)
    expect(field.key(.enter, nil) == .none && field.erase() == .edited)
  }

  @Test("A long line shows the part with the cursor, and a secret shows dots")
  func drawing() {
    func drawn(_ text: String, isSecret: Bool = false) -> (text: String, cursor: Int?) {
      var canvas = Canvas(columns: 8, rows: 1)
      TextField(text).draw(on: &canvas, in: canvas.frame, isSecret: isSecret, theme: Theme())
      return (canvas.text, (0..<8).first { canvas[0, $0].style.marks.contains(.reverse) })
    }
    expect(drawn("abc") == ("abc", 3) && drawn("abcdefghij") == ("defghij", 7) && drawn("日本語日本語") == ("日本語", 6))
    expect(drawn("abc", isSecret: true) == ("•••", 3))
  }
}
