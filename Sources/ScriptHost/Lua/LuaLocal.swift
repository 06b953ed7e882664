/// A local variable or a parameter in the text of a script.
struct LuaLocal {
  let name: String
  /// The lines in which it can be used.
  let lines: ClosedRange<Int>
}
