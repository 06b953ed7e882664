import Expectations
import Testing

@testable import ScriptHost

/// The value of the argument `k`, for a text after `k:`.
private func value(_ text: String) throws -> Literal? {
  try Reference.parse("a(k:\(text))").arguments?["k"]
}

private func object(_ members: KeyValuePairs<String, Literal>) -> Literal {
  .object(LiteralObject(distinct: members.map { LiteralObject.Member(key: $0, value: $1) }))
}

@Suite("References, read")
struct ReferenceParserTests {
  @Test(
    "I1: A name, alone or behind prefixes, is read as its components",
    arguments: [
      ("MyAction", ["MyAction"]),
      ("button.MyAction", ["button", "MyAction"]),
      ("a.b.c.MyAction", ["a", "b", "c", "MyAction"]),
      ("_x.-y.z-1_2", ["_x", "-y", "z-1_2"]),
      ("größe.日本.שלום.हिन्दी", ["größe", "日本", "שלום", "हिन्दी"]),
      ("cafe\u{301}.x\u{661}\u{967}", ["cafe\u{301}", "x\u{661}\u{967}"]),
      (" \t\r\nsave \n", ["save"]),
    ])
  func names(text: String, components: [String]) throws {
    let reference = try Reference.parse(text)
    expect(reference.components.map { Array($0.utf8) }, is: components.map { Array($0.utf8) })
    expect(reference.id, is: components.joined(separator: "."))
    expect(reference.name, is: components.last)
    expect(reference.prefix, is: components.dropLast().joined(separator: "."))
    expect(reference.arguments, is: nil)
  }

  @Test("I1: An id can have 256 bytes, but not 257")
  func longestID() throws {
    let longest = "a." + String(repeating: "é", count: 127)
    try expect(Reference.parse(longest).id, is: longest)
    #expect(throws: ReferenceError.self) { try Reference.parse(longest + "x") }
  }

  @Test("I2: The whole id is tried first, then one leading component at a time is dropped")
  func candidates() throws {
    let candidates = try Reference.parse("menu.file.open(x: 1)").candidates
    expect(
      candidates,
      is: [
        .init(name: "menu.file.open", prefix: ""), .init(name: "file.open", prefix: "menu"),
        .init(name: "open", prefix: "menu.file"),
      ])
    try expect(Reference.parse("open").candidates, is: [.init(name: "open", prefix: "")])
  }

  @Test("I3: Arguments keep their order and their types, nested")
  func arguments() throws {
    let text = #" export ( format : jpeg , "n":[1,2.5,true, [ ] ,{}], deep: {a: {"b c": [null, false]}} ) "#
    let reference = try Reference.parse(text)
    expect(reference.id, is: "export")
    expect(reference.arguments?.members.map(\.key), is: ["format", "n", "deep"])
    expect(reference.arguments?["format"], is: .text("jpeg"))
    expect(
      reference.arguments?["n"], is: .list([.integer(1), .number(2.5), .bool(true), .list([]), object([:])]))
    expect(
      reference.arguments?["deep"], is: object(["a": object(["b c": .list([.null, .bool(false)])])]))
    expect(reference.arguments?["no"], is: nil)
  }

  @Test("I3: () has no arguments, and differs from no parentheses")
  func emptyArguments() throws {
    try expect(Reference.parse("export()").arguments, is: LiteralObject())
    try expect(Reference.parse("export ( ) ").arguments, is: LiteralObject())
    try expect(Reference.parse("export").arguments, is: nil)
  }

  @Test(
    "I4: A ) or an escaped quote inside a string is part of the string",
    arguments: [
      (#"")""#, ")"), (#""a\")(\"b""#, #"a")("b"#), (#""\\""#, #"\"#), (#""\\\")""#, #"\")"#),
      (#""],}: [{""#, "],}: [{"),
    ])
  func strings(text: String, expected: String) throws {
    try expect(value(text), is: .text(expected))
  }

  @Test(
    "I5: Strings have JSON's escapes",
    arguments: [
      (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u00E9\u20ac""#, "Aéé€"),
      (#""\u0000""#, "\0"), (#""\ud83d\ude00""#, "😀"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
      ("\"\u{7F}é😀\"", "\u{7F}é😀"),
    ])
  func escapes(text: String, expected: String) throws {
    try expect(value(text), is: .text(expected))
  }

  @Test(
    "I5: Bare words are strings",
    arguments: [
      "jpeg", "a.b/c", "+1", "01", "-01", "1.", ".5", "-", "1e", "1e+", "1.5.2", "0x10", "5px", "true.", "True",
      "nulls",
      "nan", "inf", "Infinity", "#ff0000", "~/x%20*@2+", "größe", "٣", "--1", "1_000", "-.5", "2-1",
    ])
  func bareWords(text: String) throws {
    try expect(value(text), is: .text(text))
  }

  @Test(
    "I5: true, false, null and JSON's numbers are not strings",
    arguments: [
      ("true", Literal.bool(true)), ("false", .bool(false)), ("null", .null), ("0", .integer(0)), ("-0", .integer(0)),
      ("-5", .integer(-5)), ("0.0", .number(0)), ("-0.0", .number(-0.0)), ("0e5", .number(0)),
      ("1e5", .number(100_000)),
      ("1E+2", .number(100)), ("25e-1", .number(2.5)), ("0.1", .number(0.1)),
      ("5e-324", .number(.leastNonzeroMagnitude)),
      ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)), ("1e-999", .number(0)), ("-1e-999", .number(-0.0)),
    ])
  func values(text: String, expected: Literal) throws {
    try expect(value(text), is: expected)
  }

  @Test("I5: A key is always text")
  func keys() throws {
    let arguments = try Reference.parse(#"a(true: 1, 5: 2, null: 3, "": 4, "a b": 5, x.y/z: 6)"#).arguments
    expect(arguments?.members.map(\.key), is: ["true", "5", "null", "", "a b", "x.y/z"])
  }

  @Test(
    "I6: Integers that fit 64 bits stay integers, others are floats",
    arguments: [
      ("9223372036854775807", Literal.integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)),
      ("-9223372036854775809", .number(-9_223_372_036_854_775_808)),
      ("100000000000000000000", .number(1e20)), ("1.0", .number(1)),
    ])
  func integers(text: String, expected: Literal) throws {
    try expect(value(text), is: expected)
  }

  @Test("Lists and objects nest 64 deep and no deeper, for any depth of the text")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    func braces(_ depth: Int) -> String {
      String(repeating: "{k:", count: depth) + "1" + String(repeating: "}", count: depth)
    }
    try expect(value(nested(64)) != nil)
    try expect(value(braces(64)) != nil)
    for text in [nested(65), braces(65), String(repeating: "[", count: 1_000_000)] {
      let error = #expect(throws: ReferenceError.self) { try Reference.parse("a(k:\(text))") }
      expect(error?.problem, is: .tooDeep)
    }
  }

  @Test("A hundred thousand arguments can be read, and the duplicate is found")
  func manyArguments() throws {
    let many = (0..<100_000).map { "k\($0):\($0)" }.joined(separator: ",")
    try expect(Reference.parse("a(\(many))").arguments?.members.count, is: 100_000)
    let error = #expect(throws: ReferenceError.self) { try Reference.parse("a(\(many),k777:1)") }
    expect(error?.problem, is: .doubledKey("k777"))
  }

  @Test("A number of a million digits is read or refused like a short one")
  func longNumber() throws {
    let zeros = String(repeating: "0", count: 1_000_000)
    try expect(value("0.\(zeros)1"), is: .number(0))
    try expect(value("1.\(zeros)1"), is: .number(1))
    let error = #expect(throws: ReferenceError.self) { try value("1\(zeros)") }
    expect(error?.problem, is: .numberTooLarge)
  }
}
