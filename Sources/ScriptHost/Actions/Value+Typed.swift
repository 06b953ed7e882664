/// A value had another type than was asked for.
public struct WrongType: Error, Equatable, CustomStringConvertible {
  /// What was read.
  public var key: String
  /// The type that was asked for.
  public var expected: String
  /// The type that it has.
  public var found: String

  public var description: String { "'\(key)' is a \(found), not a \(expected)" }
}

/// A type that values can be read as.
public protocol ValueReadable {
  init?(value: Value)
}

extension Bool: ValueReadable {
  public init?(value: Value) {
    guard case .bool(let bool) = value else { return nil }
    self = bool
  }
}

extension Int: ValueReadable {
  public init?(value: Value) {
    switch value {
    case .integer(let integer): self = integer
    case .number(let number):
      guard let integer = Int(exactly: number) else { return nil }
      self = integer
    default: return nil
    }
  }
}

extension Double: ValueReadable {
  public init?(value: Value) {
    switch value {
    case .integer(let integer): self = Double(integer)
    case .number(let number): self = number
    default: return nil
    }
  }
}

extension String: ValueReadable {
  public init?(value: Value) {
    guard case .text(let text) = value else { return nil }
    self = text
  }
}

extension Value {
  /// The value as a type of Swift's; nil when there is none, an error that names both types when it is another.
  func read<T>(_ key: String, as type: T.Type) throws(WrongType) -> T? {
    if isNull { return nil }
    if let readable = type as? any ValueReadable.Type {
      if let value = readable.init(value: self) as? T { return value }
    } else if case .opaque(let object) = self, let typed = object as? T {
      return typed
    } else if let same = self as? T {
      return same
    }
    throw WrongType(key: key, expected: "\(type)", found: typeName)
  }
}
