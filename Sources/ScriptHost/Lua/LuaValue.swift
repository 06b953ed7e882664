/// A value on its way between Swift and Lua.
enum LuaValue {
  case `nil`
  case bool(Bool)
  /// Integers stay integers, whatever their size.
  case integer(Int)
  case number(Double)
  /// A string that is UTF-8.
  case text(String)
  /// A string that isn't.
  case bytes([UInt8])
  case table(LuaTable)
  case function(LuaFunction)
  case thread(LuaThread)
  /// A Swift object: the very one that went in.
  case object(AnyObject)
}

struct LuaTable {
  let reference: LuaReference
}

/// A function of Lua's, or one of Swift's that Lua holds.
struct LuaFunction {
  let reference: LuaReference
}

/// A value of Lua's that equals only itself, as a script's `null` does.
final class LuaSentinel {
  let reference: LuaReference

  init(reference: LuaReference) { self.reference = reference }
}

/// A Swift object that scripts call and read; the owner of the state decides what that does.
class LuaCallable {}

/// An object that scripts call and read, on its way between Swift and Lua.
///
/// The object's Lua values are held by its userdata, so the userdata is passed along, and the same one comes out again.
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
  /// What Lua calls the type.
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

  /// The bytes of a string.
  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    default: 0
    }
  }

  /// What Lua takes for true: everything but nil and false.
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
  /// The text of bytes; nil where they are not UTF-8. Most are ASCII, which takes a look at each eight of them to see.
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
