/// The value of a context, argument or result: a literal, or an opaque object.
public enum Value {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list([Value])
  case object([(key: String, value: Value)])
  /// A Swift object, or a script's table or function. Scripts return the same object.
  case opaque(AnyObject)
}

/// Wraps a value of the program that isn't an object, on its way through scripts, which can't look inside.
final class BoxedValue: NamedType {
  let value: Any

  init(_ value: Any) { self.value = value }

  var typeName: String { "\(type(of: value))" }
}

/// Returns the value in a box, or else the object itself.
func unboxed(_ object: AnyObject) -> Any { (object as? BoxedValue)?.value ?? object }

/// An object that represents another type, and names that type for people.
public protocol NamedType: AnyObject {
  var typeName: String { get }
}

extension Value {
  public init(_ literal: Literal) {
    switch literal {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .list(let values): self = .list(values.map(Value.init))
    case .object(let object): self = .object(object.members.map { ($0.key, Value($0.value)) })
    }
  }

  /// Creates a value of any type, which scripts return unchanged: `context["size", as: Size.self]`.
  public static func boxed(_ value: some Any) -> Value { .opaque(BoxedValue(value)) }

  /// The name of the type for people.
  public var typeName: String {
    switch self {
    case .null: "nil"
    case .bool: "boolean"
    case .integer, .number: "number"
    case .text: "string"
    case .list: "list"
    case .object: "table"
    case .opaque(let object): (object as? any NamedType)?.typeName ?? "\(type(of: object))"
    }
  }

  /// Whether it is null.
  public var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// The value, or nil if it is null. Written `Optional.none`, because `nil` would be the null value.
  var orNone: Value? { isNull ? Optional.none : self }

  /// Whether a switch with this value is on: `true`, a number except 0 and NaN, or `true`, `yes`, `on`, `1` as text.
  public var isOn: Bool {
    switch self {
    case .bool(let value): value
    case .integer(let value): value != 0
    case .number(let value): value != 0 && !value.isNaN
    case .text(let text): ["true", "yes", "on", "1"].contains { $0.hasSameBytes(as: text.lowercased()) }
    default: false
    }
  }
}

extension Value {
  /// The bytes of its texts. Lua counts the tables of scripts.
  var textBytes: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .list(let values): values.reduce(0) { $0 + $1.textBytes }
    case .object(let members): members.reduce(0) { $0 + $1.key.utf8.count + $1.value.textBytes }
    default: 0
    }
  }
}

extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(nilLiteral: ()) { self = .null }
}

/// An object that may represent the same thing as another object.
protocol Representing: AnyObject {
  func standsForSame(as other: AnyObject) -> Bool
}

extension BoxedValue: Representing {
  /// Returns true if both hold equal values of one type.
  func standsForSame(as other: AnyObject) -> Bool {
    guard let value = value as? any Equatable, let other = other as? BoxedValue else { return false }
    return value.isEqual(to: other.value)
  }
}

extension Equatable {
  /// Returns true if another value has this type and is equal.
  func isEqual(to other: Any) -> Bool { (other as? Self).map { self == $0 } ?? false }
}

extension Value {
  /// Returns true if both are the same value. `1` and `1.0` are; objects compare by identity, or by what they
  /// represent.
  func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.text(let one), .text(let other)): one.hasSameBytes(as: other)
    case (.list(let one), .list(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.isSame(as: $1) }
    case (.object(let one), .object(let other)):
      one.count == other.count
        && zip(one, other).allSatisfy { $0.key.hasSameBytes(as: $1.key) && $0.value.isSame(as: $1.value) }
    case (.opaque(let one), .opaque(let other)):
      one === other || (one as? any Representing)?.standsForSame(as: other) ?? false
    default: Value.order(self, other) == 0
    }
  }

  /// Compares two numbers: negative if the first is less, 0 if equal; nil if either is NaN or isn't a number.
  static func order(_ one: Value, _ other: Value) -> Int? {
    if case .integer(let one) = one, case .integer(let other) = other { return one == other ? 0 : one < other ? -1 : 1 }
    guard let one = one.asNumber, let other = other.asNumber, !one.isNaN, !other.isNaN else { return nil }
    return one == other ? 0 : one < other ? -1 : 1
  }

  private var asNumber: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}

/// A value has another type than requested.
public struct WrongType: Error, Equatable, CustomStringConvertible {
  /// The key that was read.
  public var key: String
  /// The requested type.
  public var expected: String
  /// The actual type.
  public var found: String

  public var description: String { "'\(key)' is a \(found), not a \(expected)" }
}

/// A type that can be read from values.
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
  /// Returns the value as a Swift type; nil if it is null. Throws an error with both types if it has another type.
  func read<T>(_ key: String, as type: T.Type) throws(WrongType) -> T? {
    if isNull { return nil }
    if let readable = type as? any ValueReadable.Type {
      if let value = readable.init(value: self) as? T { return value }
    } else if case .opaque(let object) = self, let typed = object as? T ?? (object as? BoxedValue)?.value as? T {
      return typed
    } else if let same = self as? T {
      return same
    }
    throw WrongType(key: key, expected: "\(type)", found: typeName)
  }
}
