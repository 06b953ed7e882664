/// A *literal* is a value as it can be written in a reference: JSON's values, with integers apart from other numbers.
///
/// Two literals are equal when they would be written the same: texts by their bytes, numbers by their bits, so that
/// `1` is not `1.0`, `0.0` is not `-0.0`, and a value is always equal to itself.
///
/// ```swift
/// let reference = try Reference.parse("export(format: jpeg, sizes: [640, 0.5])")
/// print(reference.arguments?["format"] == .text("jpeg"))  // true
/// print(reference.arguments?["sizes"] == .list([.integer(640), .number(0.5)]))  // true
/// ```
public enum Literal: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list([Literal])
  case object(LiteralObject)
}

extension Literal: Equatable {
  public static func == (left: Literal, right: Literal) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
    case (.list(let left), .list(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}

extension Literal: Hashable {
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null:
      hasher.combine(0)
    case .bool(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .integer(let value):
      hasher.combine(2)
      hasher.combine(value)
    case .number(let value):
      hasher.combine(3)
      hasher.combine(value.bitPattern)
    case .text(let value):
      hasher.combine(4)
      hasher.combine(ByteText(value))
    case .list(let values):
      hasher.combine(5)
      hasher.combine(values)
    case .object(let object):
      hasher.combine(6)
      hasher.combine(object)
    }
  }
}
