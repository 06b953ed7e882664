import Expectations
import FoundationEssentials
import Testing

@testable import ScriptHost

@Suite("Literals")
struct LiteralTests {
  /// Literals that all differ from each other.
  static let distinct: [Literal] = [
    .null, .bool(true), .bool(false), .integer(0), .integer(1), .number(0), .number(-0.0), .number(1), .number(.nan),
    .number(.infinity), .text(""), .text("1"), .text("null"), .text("caf\u{E9}"), .text("cafe\u{301}"), .list([]),
    .list([.null]), .list([.list([])]), .list([.text("a"), .text("b")]), .list([.text("ab")]),
    .object(LiteralObject()), object([("a", .null)]), object([("a", .integer(1))]), object([("b", .null)]),
    object([("a", .null), ("b", .null)]), object([("b", .null), ("a", .null)]),
    object([("caf\u{E9}", .null)]), object([("cafe\u{301}", .null)]),
  ]

  private static func object(_ members: [(String, Literal)]) -> Literal {
    .object(LiteralObject(distinct: members.map { LiteralObject.Member(key: $0, value: $1) }))
  }

  @Test("A literal equals itself and no other literal, even for not-a-number and differently composed accents")
  func equality() {
    for (index, left) in Self.distinct.enumerated() {
      for (other, right) in Self.distinct.enumerated() {
        expect((left == right) == (index == other), "\(left) and \(right)")
      }
    }
    expect(Set(Self.distinct + Self.distinct).count, is: Self.distinct.count)
  }

  @Test("An object refuses a duplicate key, with few keys and with many", arguments: [2, 8, 9, 10, 1000])
  func doubledKey(count: Int) {
    var members = (1..<count).map { LiteralObject.Member(key: "k\($0)", value: .integer($0)) }
    expect(LiteralObject(members)?["k1"], is: .integer(1))
    members.append(LiteralObject.Member(key: "k1", value: .null))
    expect(LiteralObject(members), is: nil)
  }

  @Test("Objects compare keys by their bytes, with few keys and with many", arguments: [0, 20])
  func keysAreBytes(more: Int) throws {
    let keys = (0..<more).map { "k\($0)" } + ["caf\u{E9}", "cafe\u{301}"]
    let object = try require(LiteralObject(keys.enumerated().map { .init(key: $1, value: .integer($0)) }))
    expect(object["caf\u{E9}"], is: .integer(more))
    expect(object["cafe\u{301}"], is: .integer(more + 1))
    expect(object["cafe"], is: nil)
  }

  @Test("Literals survive JSON")
  func coding() throws {
    let json = #"{"a":[1,2.5,true,null,"x",{}],"b":{"c":-9223372036854775808}}"#
    let literal = try JSONDecoder().decode(Literal.self, from: Data(json.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    expect(literal.format(), is: "{a: [1, 2.5, true, null, x, {}], b: {c: -9223372036854775808}}")
    expect(String(decoding: try encoder.encode(literal), as: UTF8.self), is: json)
  }

  @Test("Decoded keys are in the order of their bytes")
  func decodedOrder() throws {
    let json = #"{"é":1,"b":2,"B":3,"aa":4,"a":5}"#
    let literal = try JSONDecoder().decode(Literal.self, from: Data(json.utf8))
    expect(literal.format(), is: "{B: 3, a: 5, aa: 4, b: 2, é: 1}")
  }

  @Test("Encoding refuses keys that the encoder would merge")
  func sameKeyForEncoder() {
    let literal = Self.object([("caf\u{E9}", .null), ("cafe\u{301}", .null)])
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(literal) }
  }

  @Test(
    "JSON refuses a number that is not finite, and no code traps",
    arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(value: Double) {
    expect(Literal.number(value), is: Literal.number(value))
    expect(Literal.number(value).format(), is: "null")
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Literal.number(value)) }
  }
}
