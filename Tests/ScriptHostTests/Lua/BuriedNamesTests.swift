import Testing

@testable import ScriptHost

/// `setmetatable` refuses these names; a script that writes them into a metatable later has written nothing of meaning.
@Suite("Metamethods that are buried")
struct BuriedNamesTests {
  @Test(
    "A name that is written after setmetatable means nothing",
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
      #expect(error.message == message)
    }
  }

  @Test(
    "Values are weak where setmetatable was asked for it, not where '__mode' is written later",
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
      try #expect(lua.run("return t[1] == nil").shown == "\(asked)")
    }
  }
}
