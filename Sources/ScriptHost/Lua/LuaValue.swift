import CLua

/// A value on its way between Swift and Lua.
enum LuaValue {
  case `nil`
  case bool(Bool)
  /// Integers stay integers, no matter how large.
  case integer(Int)
  case number(Double)
  /// A string that is valid UTF-8.
  case text(String)
  /// A string that isn't valid UTF-8.
  case bytes([UInt8])
  case table(LuaTable)
  case function(LuaFunction)
  case thread(LuaThread)
  /// A Swift object. Scripts return the same object.
  case object(AnyObject)
}

struct LuaTable {
  let reference: LuaReference
}

/// A Lua function, or a Swift function that Lua holds.
struct LuaFunction {
  let reference: LuaReference
}

/// A Lua value that equals only itself, such as a script's `null`.
final class LuaSentinel {
  let reference: LuaReference

  init(reference: LuaReference) { self.reference = reference }
}

/// A Swift object that scripts call and read. The owner of the state defines the behaviour.
class LuaCallable {}

/// An object that scripts call and read, on its way between Swift and Lua.
///
/// Its userdata holds the object's Lua values, so the userdata is passed along, and scripts get the same one back.
final class LuaCallableValue {
  let callable: LuaCallable
  let reference: LuaReference

  init(_ callable: LuaCallable, reference: LuaReference) {
    self.callable = callable
    self.reference = reference
  }
}

/// A coroutine.
struct LuaThread {
  let reference: LuaReference
}

extension LuaValue {
  /// Lua's name for the type.
  var typeName: String {
    switch self {
    case .nil: "nil"
    case .bool: "boolean"
    case .integer, .number: "number"
    case .text, .bytes: "string"
    case .table: "table"
    case .function: "function"
    case .thread: "thread"
    case .object(let object): object is LuaCallableValue ? "element" : "object"
    }
  }

  /// The bytes of a string; 0 for other values.
  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    default: 0
    }
  }

  /// Whether it is true in Lua: everything except nil and false.
  var isTrue: Bool {
    switch self {
    case .nil, .bool(false): false
    default: true
    }
  }
}

extension LuaValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .integer(value) }
  init(floatLiteral value: Double) { self = .number(value) }
  init(stringLiteral value: String) { self = .text(value) }
  init(nilLiteral: ()) { self = .nil }
}

extension String {
  /// Decodes bytes; nil if they aren't UTF-8. Most are ASCII, which is checked eight bytes at a time.
  init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard bytes.isASCII else {
      self.init(validating: bytes, as: UTF8.self)
      return
    }
    self.init(decoding: bytes, as: UTF8.self)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var isASCII: Bool {
    var offset = 0
    while offset + 8 <= count {
      if loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
      offset += 8
    }
    while offset < count {
      if self[offset] >= 0x80 { return false }
      offset += 1
    }
    return true
  }
}

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
