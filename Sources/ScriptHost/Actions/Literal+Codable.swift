/// A literal is coded as the value that it is, so in JSON as JSON.
///
/// JSON knows neither the order of keys nor the difference between `2` and `2.0`: what is decoded has its keys in the
/// order of their bytes, and a whole number comes back as an integer.
extension Literal: Codable {
  public init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: MemberKey.self) {
      self = .object(try LiteralObject(from: object))
    } else if var list = try? decoder.unkeyedContainer() {
      var values: [Literal] = []
      while !list.isAtEnd { values.append(try list.decode(Literal.self)) }
      self = .list(values)
    } else {
      self = try Literal(from: decoder.singleValueContainer())
    }
  }

  private init(from container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .list(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .object(let object):
      try object.encode(to: encoder)
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      case .null, .list, .object: try container.encodeNil()
      }
    }
  }
}

extension LiteralObject: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(from: decoder.container(keyedBy: MemberKey.self))
  }

  fileprivate init(from container: KeyedDecodingContainer<MemberKey>) throws {
    let keys = container.allKeys.sorted { $0.stringValue.precedesByBytes($1.stringValue) }
    let members = try keys.map { Member(key: $0.stringValue, value: try container.decode(Literal.self, forKey: $0)) }
    guard let object = LiteralObject(members) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: container.codingPath, debugDescription: "a key stands twice"))
    }
    self = object
  }

  /// Refuses keys that Swift's strings take for equal, since an encoder would keep only one of them.
  public func encode(to encoder: any Encoder) throws {
    guard Set(members.map(\.key)).count == members.count else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath, debugDescription: "two keys are the same text in different bytes"))
    }
    var container = encoder.container(keyedBy: MemberKey.self)
    for member in members { try container.encode(member.value, forKey: MemberKey(stringValue: member.key)) }
  }
}

private struct MemberKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    return nil
  }
}
