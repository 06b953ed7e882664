import CLua

/// The *life* of a state: whether it is still open. Everything that points into the state holds it.
final class LuaLife {
  /// The state, until it is closed.
  unowned(unsafe) var state: LuaState?
  /// References that were dropped, to be released later: a drop may happen inside any allocation of Lua's.
  let dropped: UnsafeMutablePointer<Dropped>

  struct Dropped {
    var references: [Int32] = []
  }

  init() {
    dropped = .allocate(capacity: 1)
    dropped.initialize(to: Dropped())
  }

  deinit {
    dropped.deinitialize(count: 1)
    dropped.deallocate()
  }
}

/// A value of Lua's that Swift keeps; it doesn't keep the state, and is of no use once that is closed.
final class LuaReference {
  let id: Int32
  let life: LuaLife

  init(id: Int32, life: LuaLife) {
    self.id = id
    self.life = life
  }

  deinit {
    if life.state != nil { life.dropped.pointee.references.append(id) }
  }

  var isOpen: Bool { life.state != nil }
}

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
