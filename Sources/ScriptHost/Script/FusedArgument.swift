import CScript

extension clua_Argument {
  /// An argument as C sets it in a context; `text` gives the reference of a text as Lua's string.
  init(_ key: String, _ value: Value, text: (String) -> Int32) {
    self.init()
    self.key = text(key)
    switch value {
    case .bool(let value):
      kind = Int32(CLUA_ARGUMENT_BOOL.rawValue)
      integer = value ? 1 : 0
    case .integer(let value):
      kind = Int32(CLUA_ARGUMENT_INTEGER.rawValue)
      integer = Int64(value)
    case .number(let value):
      kind = Int32(CLUA_ARGUMENT_NUMBER.rawValue)
      number = value
    case .text(let value):
      kind = Int32(CLUA_ARGUMENT_VALUE.rawValue)
      integer = Int64(text(value))
    case .null, .list, .object, .opaque: kind = Int32(CLUA_ARGUMENT_NIL.rawValue)
    }
  }
}

extension Value {
  /// Whether it is one value, without parts that a script could change.
  var isScalar: Bool {
    switch self {
    case .null, .bool, .integer, .number, .text: true
    case .list, .object, .opaque: false
    }
  }
}
