import ScriptHost

extension LuaState {
  /// The function that a script returns.
  func function(_ script: String) throws -> LuaFunction {
    guard case .function(let function)? = try call(load(script, name: "bench")).first else {
      throw BenchError("the script returns no function: \(script)")
    }
    return function
  }
}
