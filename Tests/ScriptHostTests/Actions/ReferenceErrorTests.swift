import Expectations
import Testing

@testable import ScriptHost

@Suite("References, refused")
struct ReferenceErrorTests {
  /// A text, and its rendered error: the sentence, the text, and below it the caret in its column.
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let rendered: String

    init(_ text: String, _ caret: Int, _ message: String, shown: String? = nil) {
      self.text = text
      rendered = "\(message)\n  \(shown ?? text)\n  \(String(repeating: " ", count: caret - 1))^"
    }

    var testDescription: String { text.debugDescription }
  }

  static let cases: [Case] = [
    Case("", 1, "expected a name but the reference ends"),
    Case("   ", 4, "expected a name but the reference ends"),
    Case("(x: 1)", 1, "expected a name but found '('"),
    Case(".a", 1, "expected a name but found '.'"),
    Case("\"a\"", 1, "expected a name but found '\"'"),
    Case("\u{301}a", 1, "expected a name but found U+0301"),
    Case("a.", 3, "expected a name after '.' but the reference ends"),
    Case("a..b", 3, "expected a name after '.' but found '.'"),
    Case("a. b", 3, "expected a name after '.' but found ' '"),
    Case("5a", 1, "a name can't begin with a digit"),
    Case("a.٣b", 3, "a name can't begin with a digit"),
    Case("a b", 3, "a name can't have blanks; put arguments in parentheses: a(name: b)"),
    Case("Save As…", 6, "a name can't have blanks; put arguments in parentheses: Save(name: As)"),
    Case("write 5 6", 7, "a name can't have blanks; put arguments in parentheses: write(name: 5)"),
    Case("a .b", 3, "expected '(' or the end but found '.'"),
    Case("日本語?", 7, "expected '(' or the end but found '?'"),
    Case("größe?", 6, "expected '(' or the end but found '?'"),
    Case("e\u{301}😀", 2, "expected '(' or the end but found '😀'"),
    Case("a\u{0}", 2, "expected '(' or the end but found U+0000", shown: "a\u{FFFD}"),
    Case("a\u{200B}", 2, "expected '(' or the end but found U+200B", shown: "a\u{FFFD}"),
    Case("a\u{A0}", 2, "expected '(' or the end but found U+00A0", shown: "a\u{FFFD}"),
    Case("a(", 3, "expected a key or ')' but the reference ends"),
    Case("a(,)", 3, "expected a key or ')' but found ','"),
    Case("a(k", 4, "expected ':' after the key but the reference ends"),
    Case("a(k)", 3, "an argument needs its name: a(name: k)"),
    Case("a(\"k\")", 3, "an argument needs its name: a(name: \"k\")"),
    Case("b.save( 5 )", 9, "an argument needs its name: b.save(name: 5)"),
    Case("a(true)", 3, "an argument needs its name: a(name: true)"),
    Case("a(k: 1, 2)", 9, "an argument needs its name: a(name: 2)"),
    Case("a(1, 2)", 3, "an argument needs its name: a(name: 1)"),
    Case("a([1])", 3, "an argument needs its name: a(name: …)"),
    Case("a({k: 1})", 3, "an argument needs its name: a(name: …)"),
    Case("a(k: {x})", 8, "expected ':' after the key but found '}'"),
    Case("a(k: {x, y: 1})", 8, "expected ':' after the key but found ','"),
    Case("a(k=1)", 4, "put a colon between a key and its value: k: 1"),
    Case("a(k: {x=}", 8, "put a colon between a key and its value: x: …"),
    Case("a: b", 2, "put arguments in parentheses: a(name: b)"),
    Case("a:b(k: 1)", 2, "write the action alone, without a responder: b"),
    Case("a:", 2, "expected '(' or the end but found ':'"),
    Case("a k: 1", 3, "a name can't have blanks; put arguments in parentheses: a(k: 1)"),
    Case("a k=", 3, "a name can't have blanks; put arguments in parentheses: a(k: …)"),
    Case("a(k:)", 5, "expected a value after ':' but found ')'"),
    Case("a(k:\u{301}x)", 5, "expected a value after ':' but found U+0301"),
    Case("a(k: 'x')", 6, "put a string in double quotes, not in single ones"),
    Case("a('k': 1)", 3, "put a string in double quotes, not in single ones"),
    Case("a(k: ['x'])", 7, "put a string in double quotes, not in single ones"),
    Case("a(k: 1", 7, "expected ',' or ')' but the reference ends"),
    Case("a(k: 1 2)", 6, "put a text with blanks in double quotes: \"1 2\""),
    Case("a(k: hello big world , n: 1)", 6, "put a text with blanks in double quotes: \"hello big world\""),
    Case("a(k: [x y])", 7, "put a text with blanks in double quotes: \"x y\""),
    Case("a(k: hello wor", 6, "put a text with blanks in double quotes: \"hello wor\""),
    Case("a(k: 1 n: 2)", 8, "expected ',' or ')' but found 'n'"),
    Case("a(k: \"x\" y)", 10, "expected ',' or ')' but found 'y'"),
    Case("a(k: [1] y)", 10, "expected ',' or ')' but found 'y'"),
    Case("a(k: x ?)", 8, "expected ',' or ')' but found '?'"),
    Case("a(k: 1,)", 8, "expected a key after ',' but found ')'"),
    Case("a(k: 1, k : 2)", 9, "the key \"k\" is here twice"),
    Case("a(k: 1, \"\\u006b\": 2)", 9, "the key \"k\" is here twice"),
    Case("a(k: [)", 7, "expected a value or ']' but found ')'"),
    Case("a(k: [1)", 8, "expected ',' or ']' but found ')'"),
    Case("a(k: [1,])", 9, "expected a value after ',' but found ']'"),
    Case("a(k: {", 7, "expected a key or '}' but the reference ends"),
    Case("a(k: {x: 1)", 11, "expected ',' or '}' but found ')'"),
    Case("a(k: {x: 1,})", 12, "expected a key after ',' but found '}'"),
    Case("a(k: {x: 1, x: 2})", 13, "the key \"x\" is here twice"),
    Case("a() b", 5, "expected the end after ')' but found 'b'"),
    Case("a(k: 1))", 8, "expected the end after ')' but found ')'"),
    Case("a(k: \"x", 6, "the string has no closing '\"'"),
    Case("a(k: \"x\\", 6, "the string has no closing '\"'"),
    Case("a(k: \"x\\\")", 6, "the string has no closing '\"'"),
    Case("a(k: \"C:\\dir\")", 9, "'\\' must be followed by one of \" \\ / b f n r t u, not by 'd'"),
    Case(
      "a(k: \"\\\u{7}\")", 7,
      "'\\' must be followed by one of \" \\ / b f n r t u, not by U+0007", shown: "a(k: \"\\\u{FFFD}\")"),
    Case("a(k: \"\\u12\")", 11, "expected four hexadecimal digits after '\\u' but found '\"'"),
    Case("a(k: \"\\u00٣0\")", 11, "expected four hexadecimal digits after '\\u' but found '٣'"),
    Case("a(k: \"\\u1", 10, "expected four hexadecimal digits after '\\u' but the reference ends"),
    Case("a(k: \"\\ud800\")", 7, "\\uD800 is one half of a surrogate pair without the other"),
    Case("a(k: \"\\udc00\")", 7, "\\uDC00 is one half of a surrogate pair without the other"),
    Case("a(k: \"\\ud800\\u0041\")", 7, "\\uD800 is one half of a surrogate pair without the other"),
    Case("a(k: \"\\ud800\\n\")", 7, "\\uD800 is one half of a surrogate pair without the other"),
    Case("a(k: \"x\ny\")", 8, "a control character in a string must be written \\u000A", shown: "a(k: \"x y\")"),
    Case(
      "a(k: \"\u{1B}[0m\")", 7,
      "a control character in a string must be written \\u001B", shown: "a(k: \"\u{FFFD}[0m\")"),
    Case("a(k: 1e999)", 6, "the number is too large for a float"),
    Case("a(k: [2, -1e309])", 10, "the number is too large for a float"),
    Case("a(\n\tk: ?)", 8, "expected a value after ':' but found '?'", shown: "a(  k: ?)"),
  ]

  @Test("I7: A malformed reference reports the error in one sentence, and its place", arguments: cases)
  func rendered(_ wrong: Case) {
    let error = #expect(throws: ReferenceError.self) { try Reference.parse(wrong.text) }
    expect(error?.render(), is: wrong.rendered)
  }

  @Test("I7: An unfinished reference is refused at its end or at the open string")
  func prefixes() throws {
    let text = #"a.b.export(format: jpeg, "n" :[1,2.5,{x:true}])"#
    for length in "a.b.export(".count..<text.count {
      let prefix = String(text.prefix(length))
      let error = try #require(throws: ReferenceError.self) { try Reference.parse(prefix) }
      let place = error.problem == .unclosedString ? 25 : length
      expect(error.offset == place && error.column == place + 1, "\(prefix)")
    }
  }

  @Test("I7: An error has its place in bytes and in scalars")
  func place() {
    let error = #expect(throws: ReferenceError.self) { try Reference.parse("größe(日本: [✓])") }
    expect(error?.problem, is: .unexpected(.valueOr(.bracket), found: "✓"))
    expect(error?.offset, is: 17)
    expect(error?.column, is: 12)
  }

  @Test(
    "I7: Bytes that are not UTF-8 are refused at their place, in names, between tokens and in strings",
    arguments: [
      ([0x61, 0xFF], 1, 0xFF), ([0x61, 0x28, 0x80], 2, 0x80), ([0x61, 0xC3], 1, 0xC3), ([0xC0, 0x80], 0, 0xC0),
      ([0xED, 0xA0, 0x80], 0, 0xED), ([0xF4, 0x90, 0x80, 0x80], 0, 0xF4), ([0xE0, 0x80, 0x80], 0, 0xE0),
      ([0xF0, 0x80, 0x80, 0x80], 0, 0xF0), ([0x61, 0x28, 0x22, 0xE2, 0x82, 0x22], 3, 0xE2),
      ([0x61, 0x28, 0x22, 0x5C, 0xFE], 4, 0xFE), ([0x61, 0x28, 0x22, 0x5C, 0x75, 0xFE], 5, 0xFE),
    ] as [([UInt8], Int, UInt8)])
  func invalidUTF8(bytes: [UInt8], offset: Int, byte: UInt8) throws {
    let error = try require(failure(of: bytes))
    expect(error.problem, is: .invalidUTF8(byte: byte))
    expect(error.offset == offset && error.column == offset + 1)
    let digits = String(byte, radix: 16, uppercase: true)
    expect(error.message, is: "the byte 0x\(digits) is not UTF-8")
  }

  @Test("I7: The error for a long id gives its length")
  func longID() {
    let text = String(repeating: "abcdefg.", count: 40) + "x"
    let error = #expect(throws: ReferenceError.self) { try Reference.parse(text) }
    expect(error?.message, is: "a name has at most 256 bytes, prefixes included, and this one has 321")
    expect(error?.column, is: 1)
  }

  @Test("I7: The error for deep nesting is at the first bracket that is too deep")
  func depth() {
    let text = "a(k: " + String(repeating: "[", count: 70)
    let error = #expect(throws: ReferenceError.self) { try Reference.parse(text) }
    let line = "…" + text.dropFirst(9)
    let caret = String(repeating: " ", count: 61) + "^"
    expect(error?.render(), is: "lists and objects can be nested 64 deep at most\n  \(line)\n  \(caret)")
    expect(error?.column, is: 70)
  }

  @Test("I7: An error shows only the part of a long text near its place")
  func longText() {
    let long = String(repeating: "x", count: 100_000)
    let error = #expect(throws: ReferenceError.self) { try Reference.parse("a(\(long): ?, \(long): 1)") }
    let line = "…" + long.prefix(58) + ": ?, " + long.prefix(57) + "…"
    let caret = String(repeating: " ", count: 61) + "^"
    expect(error?.render(), is: "expected a value after ':' but found '?'\n  \(line)\n  \(caret)")
  }

  @Test("I7: An error clips a long duplicate key, and escapes its invisible characters")
  func longKey() {
    let key = "\\u0000" + String(repeating: "x", count: 1000)
    let error = #expect(throws: ReferenceError.self) { try Reference.parse("a(\"\(key)\": 1, \"\(key)\": 1)") }
    expect(error?.message, is: "the key \"\\u0000" + String(repeating: "x", count: 39) + "…\" is here twice")
  }
}

/// The error of reading the bytes, or nil.
func failure(of bytes: [UInt8]) -> ReferenceError? {
  bytes.withUnsafeBufferPointer { bytes in
    do throws(ReferenceError) {
      _ = try Reference.parse(bytes)
      return nil
    } catch {
      return error
    }
  }
}
