import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("Swift functions")
struct LuaFunctionTests {
  @Test("Swift functions take values and return many")
  func manyValues() throws {
    try withLua { lua in
      try lua.define("swap") { .values(try $0.arguments.reversed()) }
      try lua.define("count") { .values([.integer($0.count), try $0[0], try $0[7], try $0[-1]]) }
      try lua.define("nothing") { _ in .nothing }
      try lua.define("range") { call in
        guard case .integer(let n) = try call[0] else { return .nothing }
        return .values((0..<n).map { .integer($0) })
      }
      try expect(lua.run("return swap(1, 'a', nil)").shown, is: "nil, \"a\", 1")
      try expect(lua.run("return count(nil, 2)").shown, is: "2, nil, nil, nil")
      try expect(lua.run("return nothing(), (nothing())").shown, is: "nil, nil")
      try expect(lua.run("return select('#', range(5000)), (select(-1, range(5000)))").shown, is: "5000, 4999")
    }
  }

  @Test("Misuse raises a string with the script's file and line")
  func misuse() throws {
    try withLua { lua in
      try lua.define("wrong") { _ in throw LuaMisuse("a name was expected") }
      try expect(
        lua.run("\nlocal ok, e = pcall(function()\n  wrong() return 1 end)\nreturn ok, e").shown,
        is: "false, \"test.lua:3: a name was expected\"")
      let error = try lua.error(of: "\nwrong() return 1")
      expect(error.kind, is: .runtime)
      expect("\(error)", is: "test.lua:2: a name was expected")
      expect(error.place?.text, is: "wrong() return 1")
      expect(error.cause == nil)
    }
  }

  @Test("A script that catches a Swift error can read it, pass it to Swift and raise it again")
  func caught() throws {
    try withLua { lua, census in
      let thrown = WitnessError("the disk is full", in: census)
      try lua.define("fail") { _ in throw thrown }
      try lua.define("echo") { .values(try $0.arguments) }
      try expect(
        lua.run("local ok, e = pcall(fail); return ok, tostring(e), type(e), getmetatable(e), ('%s!'):format(e)").shown,
        is: "false, \"the disk is full\", \"userdata\", false, \"the disk is full!\"")
      for text in [
        "local _, e = pcall(fail); error(e)", "local _, e = pcall(fail); error(echo(e))",
        "error(select(2, xpcall(fail, echo)))",
      ] {
        let error = try lua.error(of: text)
        expect(error.kind, is: .thrown)
        expect((error.cause as? WitnessError) === thrown, "\(text)")
      }
    }
  }

  @Test("The error of a Swift function passes through five layers as the same error, and nothing is left")
  func fiveLayers() throws {
    try withLua { lua, census in
      let layers = [
        "return call(...)", "return (pcall(error)) or call(...)",
        "return coroutine.wrap(function(...) return call(...) end)(...)",
        "local ok, e = pcall(call, ...); error(e)",
        "return select(2, xpcall(call, function(e) return e end, ...)), fail()",
      ]
      var depth = 0
      var thrown = WitnessError("", in: census)
      try lua.define("fail") { _ in throw thrown }
      let functions = try layers.prefix(4).map { try lua.load($0, name: "layer.lua") }
      try lua.define("call") { call in
        depth += 1
        defer { depth -= 1 }
        guard depth <= 5 else { throw thrown }
        return .values(try call.state.call(functions[depth % functions.count], arguments: call.arguments))
      }
      for round in 1...3_000 {
        thrown = WitnessError("round \(round)", in: census)
        let error = try #require(throws: LuaError.self) {
          try lua.call(functions[0], .object(census.witness()), .table(lua.newTable()))
        }
        try require((error.cause as? WitnessError) === thrown)
        expect(error.kind == .thrown && error.message == "round \(round)")
        expect(error.place?.source, is: "layer.lua")
      }
      lua.collect()
      expect(census.living, is: 1, "the last error lives in its variable only")
    }
  }

  @Test("A Lua error passes through Swift with its original place")
  func luaErrorsPass() throws {
    try withLua { lua in
      let inner = try lua.load("\n\nlocal t = nil; return t.x", name: "inner.lua")
      try lua.define("call") { .values(try $0.state.call(inner)) }
      let error = try lua.error(of: "call()", name: "outer.lua")
      expect("\(error)", is: "inner.lua:3: attempt to index a nil value (local 't')")
      try expect(
        lua.run("local ok, e = pcall(call); return tostring(e)").shown,
        is: "\"inner.lua:3: attempt to index a nil value (local 't')\"")
    }
  }

  @Test("A closure is released with its function; a closure that holds references doesn't outlive its state")
  func closures() throws {
    let outer = Census()
    try withLua { lua, census in
      let witness = census.witness()
      let table = lua.newTable()
      let function = lua.function { [witness] _ in .values([.text(witness.name), .table(table)]) }
      try lua.rawSet("f", .function(function), of: table)
      _ = try lua.call(function)
      try lua.rawSet("f", nil, of: table)
    }
    do {
      let lua = try LuaState()
      let witness = outer.witness()
      let table = lua.newTable()
      let function = lua.function { [witness] _ in .values([.text(witness.name), .table(table)]) }
      try lua.rawSet("cycle", .function(function), of: table)
      try lua.define("f") { _ in .values([.function(function)]) }
    }
    expect(outer.living, is: 0, "a cycle through the state ends with it")
  }

  @Test("Results that can't be passed are an error in the script")
  func badResults() throws {
    let other = try LuaState()
    try withLua { lua in
      let foreign = other.newTable()
      try lua.define("foreign") { _ in .values([1, .table(foreign)]) }
      try lua.define("many") { _ in .values([LuaValue](repeating: 1, count: 999_990)) }
      try expect(
        lua.run("local ok, e = pcall(foreign); return ok, tostring(e)").shown,
        is: "false, \"\(LuaError.foreign.message)\"")
      try expect(lua.run("return pcall(many, table.unpack({}, 1, 50))").first?.shown, is: "false")
    }
  }

  @Test(
    "Functions that call each other through Swift end in an error, on a small stack too",
    arguments: [8 << 10, 1 << 10, 512, 256])
  func recursion(stack: Int) throws {
    try onThread(stack: stack) {
      try withLua { lua in
        try lua.define("call") { call in
          guard case .function(let function) = try call[0] else { return .nothing }
          return .values(try call.state.call(function))
        }
        let error = try lua.error(of: "local function f() return call(f) end f()")
        expect(error.message.hasSuffix("C stack overflow"), "\(error)")
      }
    }
  }
}
