import CLua

/// The owner of a chunk's code: every function that is made in it is that owner's too, whoever gets hold of it.
struct LuaOwner {
  let number: Int32

  /// Of the first of all owners, or the only one.
  static let first = LuaOwner(number: Int32(CLUA_FIRST))
  /// Of nobody, who may do nothing.
  static let nobody = LuaOwner(number: Int32(CLUA_NOBODY))
  /// Of whoever calls it, because it does for them what the host is asked to do.
  static let callers = LuaOwner(number: Int32(CLUA_CALLERS))
}
