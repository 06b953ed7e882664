/// The *calls* of a kind of host object. Each becomes a Lua function at its first use, since most are never used.
final class HostCalls {
  typealias Body = @Sendable (ScriptEngine, LuaCall) throws -> LuaReturn

  private let bodies: [(name: String, body: Body)]
  private var functions: [LuaFunction?]

  init(_ bodies: [(name: String, body: Body)]) {
    self.bodies = bodies
    functions = Array(repeating: nil, count: bodies.count)
  }

  var names: [String] { bodies.map(\.name) }

  func has(_ name: String) -> Bool { bodies.contains { $0.name == name } }

  /// Returns the function of a call; nil if there is none of that name.
  func function(_ name: String, of engine: ScriptEngine) -> LuaFunction? {
    guard let index = bodies.firstIndex(where: { $0.name == name }) else { return nil }
    if let known = functions[index] { return known }
    let body = bodies[index].body
    let function = engine.lua.function { [unowned engine] in try body(engine, $0) }
    functions[index] = function
    return function
  }
}
