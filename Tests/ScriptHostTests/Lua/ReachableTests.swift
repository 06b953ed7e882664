import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("The values that a fresh environment reaches")
struct ReachableTests {
  /// Every value with the way that leads to it, including metatables and the contents of frozen tables.
  private static func walk(_ lua: LuaState, from environment: LuaTable) throws -> [String: String] {
    var found: [String: String] = [:]
    var met: Set<UnsafeRawPointer> = [try lua.identity(of: environment)]
    var waiting = [(path: "", table: environment)]
    while let (path, table) = waiting.popLast() {
      try lua.forEach(in: table) { key, value in
        let name = if case .text(let text) = key { text } else { "[\(key.typeName)]" }
        found[path + name] = value.typeName
        if case .table(let inner) = value, met.insert(try lua.identity(of: inner)).inserted {
          waiting.append((path + name + ".", inner))
        }
        return true
      }
      try lua.push(table.reference, on: lua.L)
      defer { clua_pop(lua.L, 1) }
      guard clua_metatable(lua.L, -1) else { continue }
      let metatable = LuaTable(reference: lua.takeReference())
      if met.insert(try lua.identity(of: metatable)).inserted { waiting.append((path + "(metatable).", metatable)) }
    }
    return found
  }

  private static let libraries: [String: String] = [
    "":
      "assert collectgarbage error getmetatable ipairs load next pairs pcall rawequal rawget rawlen rawset select setmetatable tonumber tostring type xpcall",
    "coroutine": "create isyieldable resume running status wrap yield",
    "math":
      "abs acos asin atan ceil cos deg exp floor fmod log max min modf rad random randomseed sin sqrt tan tointeger type ult",
    "os": "clock date difftime time",
    "string": "byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper",
    "table": "concat insert move pack remove sort unpack", "utf8": "char codepoint codes len offset",
  ]

  @Test(
    "S2: All ways from an environment reach exactly the values of the committed list"
  )
  func library() throws {
    let lua = try LuaState()
    var found = try Self.walk(lua, from: lua.newEnvironment())
    func take(_ path: String, _ type: String) {
      expect(found.removeValue(forKey: path), is: type, "\(path)")
    }
    take("_G", "table")
    take("_VERSION", "string")
    for (library, names) in Self.libraries {
      let prefix = library.isEmpty ? "" : "\(library).(metatable).__index."
      for name in names.split(separator: " ") { take(prefix + name, "function") }
      guard !library.isEmpty else { continue }
      take(library, "table")
      take("\(library).(metatable).__index", "table")
      take("\(library).(metatable).__newindex", "function")
      take("\(library).(metatable).__metatable", "boolean")
    }
    for name in ["math.huge", "math.pi", "math.maxinteger", "math.mininteger"] {
      let parts = name.split(separator: ".")
      take("\(parts[0]).(metatable).__index.\(parts[1])", "number")
    }
    take("utf8.(metatable).__index.charpattern", "string")
    expect(found.isEmpty, "\(found.keys.sorted())")
  }
}
