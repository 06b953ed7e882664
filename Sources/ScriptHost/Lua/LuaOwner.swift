import CLua

/// The owner of a chunk's code: every function that is made in it is that owner's too, whoever gets hold of it.
struct LuaOwner {
  let number: Int32

  /// The first of all owners, or the only one.
  static let first = LuaOwner(number: Int32(CLUA_FIRST))
  /// No owner: the code may do nothing.
  static let nobody = LuaOwner(number: Int32(CLUA_NOBODY))
  /// The owner of whatever code calls it, because it acts on the host for its caller.
  static let callers = LuaOwner(number: Int32(CLUA_CALLERS))
}
