import CLua
import Expectations
import Testing

@testable import ScriptHost

/// A bad script, and its expected error.
private struct BadInput: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var bytes: [UInt8]
  var name = "bad.lua"
  var kind: LuaError.Kind
  var text: String

  init(_ description: String, _ bytes: [UInt8], name: String = "bad.lua", _ kind: LuaError.Kind, _ text: String) {
    self.testDescription = description
    self.bytes = bytes
    self.name = name
    self.kind = kind
    self.text = text
  }

  static let all: [BadInput] = [
    BadInput(
      "an image", [0x89, 0x50, 0x4E, 0x47, 0, 1], .notText(offset: 4),
      "bad.lua:1: the script is no text: byte 5 can't be in one"),
    BadInput(
      "bytecode", [0x1B] + Array("Lua".utf8), .notText(offset: 0),
      "bad.lua:1: the script is no text: byte 1 can't be in one"),
    BadInput(
      "bytecode after a mark", [0xEF, 0xBB, 0xBF, 0x1B, 0x4C], .notText(offset: 0),
      "bad.lua:1: the script is no text: byte 1 can't be in one"),
    BadInput("a syntax error", Array("x = 1\nlocal = 2".utf8), .syntax, "bad.lua:2:7: <name> expected near '='"),
    BadInput("an end too many", Array("end".utf8), .syntax, "bad.lua:1:1: <eof> expected near 'end'"),
    BadInput(
      "a hundred megabytes", [UInt8](repeating: 0x20, count: 100_000_000),
      .tooLong(bytes: 100_000_000, limit: 131_072),
      "bad.lua:1: the script has 100000000 bytes, and can have 131072 at most"),
    BadInput("a zero byte in the name", [], name: "a\0b", .badName, "a script's name can't have control characters"),
    BadInput("a newline in the name", [], name: "a\nb", .badName, "a script's name can't have control characters"),
    BadInput(
      "bytes that are no text where a name is wanted", Array("x = \u{FF}".utf8), .syntax,
      "bad.lua:1: unexpected symbol near '<\\195>'"),
  ]
}

@Suite("Bad input")
struct BadInputTests {
  @Test("A source that isn't a script is an error with facts", arguments: BadInput.all)
  private func badInput(_ input: BadInput) throws {
    try onThread(stack: 16 << 10) {
      do {
        let lua = try LuaState()
        _ = try lua.load(bytes: input.bytes, name: input.name)
        Issue.record("\(input.testDescription) was loaded")
      } catch let error as LuaError {
        expect(error.kind, is: input.kind)
        expect("\(error)", is: input.text)
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test("Bytes that are not UTF-8 stay unchanged, in a source and in a value")
  func invalidText() throws {
    let lua = try LuaState()
    let script = try lua.load(bytes: Array("return ..., '".utf8) + [0xFF, 0x27], name: "bytes")
    let results = try lua.call(script, .bytes([0xC3, 0x28]))
    expect(results.map { "\($0)" }, is: ["bytes([195, 40])", "bytes([255])"])
  }

  private static let trees: [(script: String, kind: LuaError.Kind, text: String)] = [
    ("local t = {} t.t = t return t", .cycle, "the value holds itself"),
    (
      "local t = {} for _ = 1, 100000 do t = {t} end return t", .tooDeep(limit: 64),
      "the value is nested more than 64 deep"
    ),
    (
      "local t = {} for _ = 1, 30 do t = {t, t} end return t", .tooLarge(limit: 100_000),
      "the value has more than 100000 parts"
    ),
    ("local t = {} t[t] = 1 return t", .cycle, "the value holds itself"),
    (
      "local s, t = ('x'):rep(1000000), {} for i = 1, 20000 do t[i] = s end return t", .tooLarge(limit: 67_108_864),
      "the value has more than 67108864 bytes"
    ),
  ]

  @Test("Copying a value that is too large is an error with facts", arguments: 0..<5)
  func trees(index: Int) throws {
    let (script, kind, text) = Self.trees[index]
    let lua = try LuaState()
    let value = try lua.call(try lua.load(script, name: "tree"))[0]
    let top = clua_top(lua.L)
    do {
      _ = try lua.tree(value)
      Issue.record("copied")
    } catch let error as LuaError {
      expect(error.kind, is: kind)
      expect(error.message, is: text)
    }
    expect(clua_top(lua.L), is: top)
  }

  @Test("A state refuses values of another state or a closed one")
  func foreign() throws {
    let lua = try LuaState()
    let other = try LuaState()
    let thing = try other.load("return {}", name: "other")
    let foreign = "the value belongs to another interpreter, or to a closed one"
    expect(message { try lua.call(thing) }, is: foreign)
    let identity = try lua.load("return ...", name: "identity")
    expect(message { try lua.call(identity, .integer(1), .function(thing)) }, is: foreign)
    var closed: LuaState? = try LuaState()
    let kept = try closed?.load("return 1", name: "kept")
    closed = nil
    if let kept {
      expect(!kept.reference.isOpen)
      expect(message { try lua.call(kept) }, is: foreign)
    }
    expect(clua_top(lua.L), is: 1)
  }

  private func message<Result>(_ body: () throws -> Result) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? LuaError)?.message ?? "\(error)"
    }
  }
}
