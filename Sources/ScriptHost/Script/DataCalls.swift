import CLua

// json.read, json.write and lines: convert the text of programs and files to values.

extension ScriptEngine {
  static let dataNames: [ScriptName] = [
    ScriptName("json", pushed: { engine, _ in engine.pushJSON() }),
    ScriptName("lines", pushed: { engine, _ in clua_pushLines(engine.lua.L) }),
  ]

  private func pushJSON() {
    clua_newTable(lua.L, 0, 2)
    lua.push(function: { [unowned self] in try readJSON($0) }, on: lua.L)
    lua.setField("read", on: lua.L)
    lua.push(function: { [unowned self] in try writeJSON($0) }, on: lua.L)
    lua.setField("write", on: lua.L)
  }

  /// json.read(text)
  private func readJSON(_ call: LuaCall) throws -> LuaReturn {
    guard clua_type(call.L, 1) == CLUA_TSTRING.rawValue else {
      throw LuaMisuse("json.read takes a text, not \(try call[0].described)")
    }
    let bytes = lua.bytes(at: 1, on: call.L)
    charge(bytes.count)
    do throws(JSONError) {
      push(Value(try JSONReader.literal(bytes)), on: call.L, inside: true)
      return .pushed(1)
    } catch {
      return .values([.nil, .text("line \(error.line), column \(error.column): \(error.message)")])
    }
  }

  /// json.write(value)
  private func writeJSON(_ call: LuaCall) throws -> LuaReturn {
    var plain = PlainLiteral(lua, limit: lua.limits.block, rule: "JSON can't say it")
    defer { charge(plain.size) }
    let literal = try plain.literal(try call[0], "value")
    var writer = JSONWriter(capacity: plain.size + 16)
    writer.literal(literal)
    guard writer.count <= lua.limits.block - 64 else {
      throw LuaMisuse(
        "as JSON the value would have \(writer.count) bytes, and a text can have \(lua.limits.block - 64)")
    }
    lua.push(text: writer.text, on: call.L)
    return .pushed(1)
  }
}
