/// A *value* is what contexts, arguments and results hold: a literal, or an object that only its makers understand.
public enum Value {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list([Value])
  case object([(key: String, value: Value)])
  /// An object of Swift's, or a script's table or function; it comes out as the same one.
  case opaque(AnyObject)
}

/// An object that names the type that people see for it, because it stands for something else.
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

  /// What a person calls the type.
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

  /// Whether there is a value at all.
  public var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// The value, or nil if it is null. Written `Optional.none`, because `nil` would be read as the null value.
  var orNone: Value? { isNull ? Optional.none : self }

  /// Whether a switch with this value is on: `true`, a number but zero and NaN, or `true`, `yes`, `on` or `1` as a text, in any case.
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

extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(nilLiteral: ()) { self = .null }
}
