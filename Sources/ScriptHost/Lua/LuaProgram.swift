import CLua

/// A *program* is a script that a state has compiled, and that others load without compiling it again.
///
/// It is made and read by C alone: bytecode that comes from anywhere else is never loaded.
final class LuaProgram: @unchecked Sendable {
  let name: String
  let source: LuaSource
  let code: OpaquePointer

  init(name: String, source: LuaSource, code: OpaquePointer) {
    self.name = name
    self.source = source
    self.code = code
  }

  deinit { clua_freeCode(code) }
}
