import Expectations
import LiveHost
import ScriptHost
import Testing

@testable import menuctl

/// Reading JSON, and nothing that only looks like it.
@Suite struct JSONReaderTests {
  @Test("What is read is what stands there", arguments: values)
  func reads(_ text: String, _ value: JSON) throws {
    try expect(JSONReader.read(text.utf8), is: value)
  }

  @Test("What is no JSON is refused, with its place", arguments: refusals)
  func refuses(_ text: String, _ error: JSONError) {
    #expect(throws: error, "\(text)") { try JSONReader.read(text.utf8) }
  }

  @Test("What is not UTF-8 is refused, with its place")
  func refusesBytes() {
    #expect(throws: JSONError(message: "this is not UTF-8", line: 2, column: 2)) {
      try JSONReader.read([0x5B, 0x0A, 0x22, 0xC3, 0x28, 0x22, 0x5D])
    }
  }

  @Test("Nesting has an end, and no text of it breaks the reader")
  func depth() throws {
    let deepest = JSONReader.deepest
    let deep = String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest)
    #expect(throws: Never.self) { try JSONReader.read(deep.utf8) }
    #expect(throws: JSONError(message: "this is nested more than \(deepest) deep", line: 1, column: deepest + 1)) {
      try JSONReader.read("[\(deep)]".utf8)
    }
    #expect(throws: JSONError.self) { try JSONReader.read(String(repeating: "[{\"a\":", count: 100_000).utf8) }
  }

  @Test("Of many names too none is twice in an object")
  func manyNames() throws {
    let names = (0..<50).map { "\"n\($0)\": 1" }
    try expect(JSONReader.read("{\(names.joined(separator: ","))}".utf8).members?.count, is: 50)
    for twice in [0, 7, 8, 9, 49] {
      let error = #expect(throws: JSONError.self) {
        try JSONReader.read("{\((names + ["\"n\(twice)\": 1"]).joined(separator: ","))}".utf8)
      }
      expect(error?.message, is: "'n\(twice)' is here twice")
    }
  }

  @Test("Names of the same length that look much the same are told apart, and the same name is known again beside them")
  func alikeNames() throws {
    try expect(JSONReader.read(#"{"af": 1, "ba": 2, "": 3}"#.utf8).members?.count, is: 3)
    for (text, twice) in [
      (#"{"af": 1, "ba": 2, "af": 3}"#, "af"), (#"{"af": 1, "ba": 2, "b\u0061": 3}"#, "ba"),
      (#"{"b\u0061": 1, "x": 2, "ba": 3}"#, "ba"), (#"{"": 1, "x": 2, "": 3}"#, ""),
    ] {
      let error = #expect(throws: JSONError.self) { try JSONReader.read(text.utf8) }
      expect(error?.message, is: "'\(twice)' is here twice", "\(text)")
    }
  }

  @Test("What is written is read as the same")
  func roundTrip() throws {
    var numbers = Generator(state: 1)
    for _ in 0..<2000 {
      let value = JSON.random(depth: 4, &numbers)
      let text = JSONText.text(value)
      try expect(JSONReader.read(text.utf8), is: value, "\(text)")
    }
  }

  @Test("Any bytes are a value or an error, and an error's place is in the text")
  func anyBytes() {
    var numbers = Generator(state: 2)
    let words = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d83d", "\\udc00", "1", "-", "0", ".", "e", "true", " ", "\n",
      "a", "é",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...12, using: &numbers)).map { _ in words.randomElement(using: &numbers) ?? "" }
        .joined()
      let bytes = Array(text.utf8)
      expect(bytes.withUnsafeBufferPointer { JSONCheck(write: JSONText.text).fault(in: $0) }, is: nil, "\(text)")
    }
    for count in 0..<2000 {
      let bytes = (0..<count % 20).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      expect(bytes.withUnsafeBufferPointer { JSONCheck(write: JSONText.text).fault(in: $0) }, is: nil, "\(bytes)")
    }
  }

  @Test("What is not read back as it was written is found")
  func planted() {
    let check = JSONCheck(write: { JSONText.text($0).replacing("\\\"", with: "\"") })
    expect(Array(#""\"""#.utf8).withUnsafeBufferPointer { check.fault(in: $0) } != nil)
  }

  @Test("Values are the same whatever the order of members, and only then")
  func equal() {
    expect(JSON.object([("a", .integer(1)), ("b", .null)]), is: .object([("b", .null), ("a", .integer(1))]))
    expect(JSON.object([("a", .integer(1))]) != .object([("a", .integer(1)), ("b", .null)]))
    expect(JSON.object([("a", .integer(1)), ("c", .null)]) != .object([("a", .integer(1)), ("b", .null)]))
    expect(JSON.object([("\u{e9}", .null)]) != .object([("e\u{301}", .null)]))
    let doubled = JSON.object([("a", .null), ("a", .null)])
    let other = JSON.object([("a", .null), ("b", .null)])
    expect(doubled == doubled && doubled != other && other != doubled)
    expect(JSON.integer(1) != .number(1))
    expect(JSON.text("\u{e9}") != .text("e\u{301}"))
    expect(JSON.list([.null]) != .list([]))
  }
}

// Made when it is wanted: what a constant holds behind cases of an enumeration, the leak sanitizer can't see.
private var values: [(String, JSON)] {
  [
    ("null", .null), (" true ", .bool(true)), ("false\n", .bool(false)), ("0", .integer(0)), ("-1", .integer(-1)),
    ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9223372036854775808)),
    ("-9223372036854775808", .integer(.min)), ("-9223372036854775809", .number(-9223372036854775808)),
    ("1.5", .number(1.5)),
    ("1e2", .number(100)), ("1E+2", .number(100)), ("-0", .number(-0.0)), ("\"\"", .text("")), ("[]", .list([])),
    ("{}", .object([])), ("[1, [ ], {}]", .list([.integer(1), .list([]), .object([])])),
    (#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, .text("\"\\/\u{8}\u{C}\n\r\té😀")), ("\"★\u{7F}\"", .text("★\u{7F}")),
    (#"{"a": {"b": [null]}, "é": 2}"#, .object([("a", .object([("b", .list([.null]))])), ("é", .integer(2))])),
  ]
}

private func at(_ column: Int, _ message: String, line: Int = 1) -> JSONError {
  JSONError(message: message, line: line, column: column)
}

private let refusals: [(String, JSONError)] = [
  ("", at(1, "a value is missing")), (" ", at(2, "a value is missing")),
  ("nul", at(1, "a value can't begin like this")),
  ("nullx", at(5, "a value can't continue like this")), ("'a'", at(1, "a value can't begin like this")),
  ("1 2", at(3, "there is text after the value")), ("[1", at(3, "a ',' or ']' is missing")),
  ("[1,]", at(4, "a value can't begin like this")), ("[1 2]", at(4, "a ',' or ']' is missing")),
  ("{\"a\"}", at(5, "a ':' is missing")), ("{a: 1}", at(2, "a name in quotes is missing")),
  ("{\"a\": 1,}", at(9, "a name in quotes is missing")), ("{\"a\": 1", at(8, "a ',' or '}' is missing")),
  ("{\"a\": 1, \"a\": 2}", at(10, "'a' is here twice")),
  (#"{"a": 1, "\u0061": 2}"#, at(10, "'a' is here twice")), ("01", at(1, "a number can't begin with 0")),
  ("-01", at(1, "a number can't begin with 0")), ("-", at(2, "a digit is missing")),
  ("1.", at(3, "a digit is missing")),
  (".5", at(1, "a value can't begin like this")), ("1e", at(3, "a digit is missing")),
  ("+1", at(1, "a value can't begin like this")),
  ("1x", at(2, "a number can't continue like this")), ("1e999", at(1, "this number is too large")),
  ("NaN", at(1, "a value can't begin like this")), ("\"a", at(3, "a '\"' is missing")),
  ("\"\n\"", at(2, "a control character needs an escape")), (#""\x""#, at(2, "there is no such escape")),
  (#""\u12""#, at(2, "an escape has no end")), (#""\u12g4""#, at(2, #"\u takes four digits of base 16"#)),
  (#""\ud83d""#, at(2, "half of a surrogate pair is missing")),
  (#""\ude00""#, at(2, "half of a surrogate pair is missing")),
  (#""\ud83d\u0041""#, at(2, "half of a surrogate pair is missing")),
  (#""\ud83d\ud83d""#, at(2, "half of a surrogate pair is missing")),
  ("\"\\", at(2, "an escape has no end")),
  ("[\n 1,\n é]", at(2, "a value can't begin like this", line: 3)),
  ("[\"é★\", x]", at(8, "a value can't begin like this")),
  ("\u{FEFF}1", at(1, "a value can't begin like this")), ("1 // x", at(3, "there is text after the value")),
]

extension JSON {
  fileprivate static func random(depth: Int, _ numbers: inout Generator) -> JSON {
    switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &numbers) {
    case 0: return .null
    case 1: return .bool(.random(using: &numbers))
    case 2: return .integer(.random(in: .min ... .max, using: &numbers))
    case 3: return .number(Double(bitPattern: .random(in: 0...UInt64.max, using: &numbers)).finite)
    case 4, 5: return .text(randomText(&numbers))
    case 6: return .list((0..<Int.random(in: 0...4, using: &numbers)).map { _ in random(depth: depth - 1, &numbers) })
    default:
      let members = (0..<Int.random(in: 0...4, using: &numbers)).map { index in
        ("\(index)\(randomText(&numbers))", random(depth: depth - 1, &numbers))
      }
      return .object(members)
    }
  }

  private static func randomText(_ numbers: inout Generator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...8, using: &numbers) {
      let most: UInt32 = [0x7F, 0x2FF, 0xFFFF, 0x10FFFF].randomElement(using: &numbers) ?? 0x7F
      text.append(Unicode.Scalar(.random(in: 0...most, using: &numbers)) ?? "\\")
    }
    return String(text)
  }
}

extension Double {
  fileprivate var finite: Double { isFinite ? self : 0.5 }
}
