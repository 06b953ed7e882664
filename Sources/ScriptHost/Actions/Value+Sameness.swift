/// An object that may stand for the same thing as another object does.
protocol Representing: AnyObject {
  func standsForSame(as other: AnyObject) -> Bool
}

extension Value {
  /// Whether both are the same value. `1` and `1.0` are; objects are compared by identity, or by what they stand for.
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

  /// The order of two numbers: negative if the first is less, 0 if they are equal; nil if one is no number, or NaN.
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
