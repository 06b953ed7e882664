import Expectations
import Testing

@testable import ScriptHost

/// `setmetatable` refuses these names. If a script writes them into a metatable later, they have no effect.
@Suite("Buried metamethods")
struct BuriedNamesTests {
  @Test(
    "A metamethod name that is written after setmetatable has no effect",
    arguments: [
      ("__close", "local x <close> = t", "variable 'x' got a non-closable value"),
      ("__concat", "return t .. 'x'", "attempt to concatenate a table value (upvalue 't')"),
    ])
  func written(name: String, use: String, message: String) throws {
    try withLua { lua in
      let error = try lua.error(
        of: """
          local t, m = {}, {}
          setmetatable(t, m)
          m.\(name) = function() return 'it ran' end
          return (function() \(use) end)()
          """)
      expect(error.message, is: message)
    }
  }

  @Test(
    "Values are weak if setmetatable got '__mode', not if it is written later",
    arguments: [true, false])
  func weak(asked: Bool) throws {
    try withLua { lua in
      try lua.run(
        """
        m = {__mode = \(asked ? "'v'" : "nil")}
        t = setmetatable({}, m)
        m.__mode = 'v'
        t[1] = {}
        """)
      lua.collect()
      try expect(lua.run("return t[1] == nil").shown, is: "\(asked)")
    }
  }
}
