import Expectations
import Testing

@testable import ScriptHost

@Test("The state loads and calls a function, and integers stay integers")
func callsAFunction() throws {
  let lua = try LuaState()
  let double = try lua.load("local n = ...; return 2 * n, n / 2, 'ä', '\\xff', nil, true", name: "double.lua")
  let results = try lua.call(double, 21)
  let kinds = results.map { "\($0)" }
  expect(kinds, is: ["integer(42)", "number(10.5)", "text(\"ä\")", "bytes([255])", "nil", "bool(true)"])
}
