import CLua

/// Shows whether a state is still open. Everything that points into the state holds it.
final class LuaLife {
  /// The state, until it is closed.
  unowned(unsafe) var state: LuaState?
  /// Dropped references, to be released later, because a drop may happen inside any of Lua's allocations.
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

/// A Lua value that Swift keeps. It doesn't retain the state, and is invalid once the state is closed.
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

/// The owner of a chunk's code. Every function created in the chunk has this owner, no matter who holds it.
struct LuaOwner {
  let number: Int32

  /// The first owner.
  static let first = LuaOwner(number: Int32(CLUA_FIRST))
  /// No owner: the code has no rights.
  static let nobody = LuaOwner(number: Int32(CLUA_NOBODY))
  /// The owner of the calling code, because the code acts for its caller.
  static let callers = LuaOwner(number: Int32(CLUA_CALLERS))
}
