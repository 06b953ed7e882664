/// A value that can be written in a reference: JSON's values, with integers separate from other numbers.
///
/// Two literals are equal if they are written the same: texts by their bytes, numbers by their bits. So `1` isn't
/// `1.0`, `0.0` isn't `-0.0`, and a value always equals itself.
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

/// Keys with their values, in the order written. No two keys have the same bytes.
///
/// It holds the members in braces, and the arguments in the parentheses of a reference.
public struct LiteralObject: Sendable, Hashable {
  /// A key with its value.
  public struct Member: Sendable, Hashable {
    public let key: String
    public let value: Literal

    public init(key: String, value: Literal) {
      self.key = key
      self.value = value
    }

    public static func == (left: Member, right: Member) -> Bool {
      left.key.hasSameBytes(as: right.key) && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(ByteText(key))
      hasher.combine(value)
    }
  }

  public let members: [Member]

  /// Creates an object without members.
  public init() {
    members = []
  }

  /// Creates an object of these members; nil if a key occurs twice.
  public init?(_ members: [Member]) {
    var builder = Builder()
    for member in members {
      guard !builder.has(member.key) else { return nil }
      builder.append(member)
    }
    self.members = members
  }

  /// Creates an object of members whose keys the caller has checked.
  init(distinct members: [Member]) {
    self.members = members
  }

  /// The value of a key; nil if there is none.
  public subscript(key: String) -> Literal? {
    members.first { $0.key.hasSameBytes(as: key) }?.value
  }
}

extension LiteralObject {
  /// Builds an object, member by member.
  ///
  /// A few keys are searched one by one. More are hashed, because a script could write a hundred thousand.
  struct Builder {
    private static let handful = 8
    private var members: [Member] = []
    private var keys: Set<ByteText> = []

    /// The object of the members so far.
    var object: LiteralObject { LiteralObject(distinct: members) }

    /// Returns true if a member has this key.
    func has(_ key: String) -> Bool {
      guard keys.isEmpty else { return keys.contains(ByteText(key)) }
      return members.contains { $0.key.hasSameBytes(as: key) }
    }

    /// Adds a member with a new key.
    mutating func append(_ member: Member) {
      members.append(member)
      if !keys.isEmpty {
        keys.insert(ByteText(member.key))
      } else if members.count > Self.handful {
        keys = Set(members.map { ByteText($0.key) })
      }
    }
  }
}

/// Coded as the value itself, so in JSON as JSON.
///
/// JSON has no order of keys, and doesn't distinguish `2` from `2.0`. Decoding sorts keys by their bytes, and makes
/// whole numbers integers.
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

  /// Rejects keys that are equal as Swift strings, because an encoder would keep only one of them.
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
