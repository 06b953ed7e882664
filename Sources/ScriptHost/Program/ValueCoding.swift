// Converts values of scripts to `Codable` types and back. Each part is converted like an argument.

/// Decodes one value.
struct ValueDecoder: Decoder {
  let value: Value
  let natives: any KnownTypes
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  init(_ value: Value, in natives: any KnownTypes) {
    self.value = value
    self.natives = natives
  }

  /// Decodes a type with its `init(from:)`.
  func decode<Native: Decodable>(_ type: Native.Type) throws -> Native {
    do {
      return try Native(from: self)
    } catch DecodingError.dataCorrupted(let context) {
      throw Mismatch("a table for \(Native.self): \(context.debugDescription)", value)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = value.members else { throw Mismatch("a table", value) }
    let known = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    return KeyedDecodingContainer(Keyed<Key>(members: known, natives: natives))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let values = value.listed else { throw Mismatch("a list", value) }
    return Listed(values: values, natives: natives)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(value: value, natives: natives) }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: Value]
    let natives: any KnownTypes
    let codingPath: [any CodingKey] = []

    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }
    func contains(_ key: Key) -> Bool { !value(key).isNull }
    func decodeNil(forKey key: Key) -> Bool { value(key).isNull }

    func decode<Native: Decodable>(_ type: Native.Type, forKey key: Key) throws -> Native {
      try within(key) { try Conversion<Native>(in: natives).read(value(key)) }
    }

    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
      try within(key) { try decoder(key).container(keyedBy: type) }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try within(key) { try decoder(key).unkeyedContainer() }
    }

    func superDecoder() throws -> any Decoder { ValueDecoder(members["super"] ?? .null, in: natives) }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(key) }

    private func value(_ key: Key) -> Value { members[key.stringValue] ?? .null }
    private func decoder(_ key: Key) -> ValueDecoder { ValueDecoder(value(key), in: natives) }

    private func within<Result>(_ key: Key, _ body: () throws -> Result) throws -> Result {
      do { return try body() } catch let wrong as Mismatch { throw wrong.within(".\(key.stringValue)") }
    }
  }

  private struct Listed: UnkeyedDecodingContainer {
    let values: [Value]
    let natives: any KnownTypes
    let codingPath: [any CodingKey] = []
    private(set) var currentIndex = 0

    init(values: [Value], natives: any KnownTypes) {
      self.values = values
      self.natives = natives
    }

    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    mutating func decodeNil() -> Bool {
      guard !isAtEnd, values[currentIndex].isNull else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Native: Decodable>(_ type: Native.Type) throws -> Native {
      try next { try Conversion<Native>(in: $0.natives).read($0.value) }
    }

    mutating func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type
    ) throws -> KeyedDecodingContainer<Inner> {
      try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }

    private mutating func next<Result>(_ body: (ValueDecoder) throws -> Result) throws -> Result {
      let value = isAtEnd ? .null : values[currentIndex]
      currentIndex += 1
      do { return try body(ValueDecoder(value, in: natives)) } catch let wrong as Mismatch {
        throw wrong.within("[\(currentIndex)]")
      }
    }
  }

  private struct Single: SingleValueDecodingContainer {
    let value: Value
    let natives: any KnownTypes
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { value.isNull }

    func decode<Native: Decodable>(_ type: Native.Type) throws -> Native {
      try Conversion<Native>(in: natives).read(value)
    }
  }
}

/// Encodes one value.
final class ValueEncoder: Encoder {
  let natives: any KnownTypes
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// Makes the value, once everything was encoded.
  private var value: () -> Value = { .object([]) }

  private init(in natives: any KnownTypes) { self.natives = natives }

  /// Encodes a value with its `encode(to:)`.
  static func encode(_ native: any Encodable, in natives: any KnownTypes) throws -> Value {
    let encoder = ValueEncoder(in: natives)
    try native.encode(to: encoder)
    return encoder.value()
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let parts = Parts()
    value = { .object(parts.values.map { ($0.key, $0.value()) }) }
    return KeyedEncodingContainer(Keyed<Key>(parts: parts, natives: natives))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let parts = Parts()
    value = { .list(parts.values.map { $0.value() }) }
    return Listed(parts: parts, natives: natives)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  /// The encoded parts of a container so far.
  private final class Parts {
    var values: [(key: String, value: () -> Value)] = []

    func add(_ key: String, _ value: Value) { values.append((key, { value })) }

    /// Returns an encoder whose value becomes a part.
    func encoder(_ key: String, _ natives: any KnownTypes) -> ValueEncoder {
      let encoder = ValueEncoder(in: natives)
      values.append((key, { encoder.value() }))
      return encoder
    }
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let parts: Parts
    let natives: any KnownTypes
    let codingPath: [any CodingKey] = []

    func encodeNil(forKey key: Key) {}

    func encode<Native: Encodable>(_ native: Native, forKey key: Key) throws {
      parts.add(key.stringValue, try Conversion<Native>(in: natives).write(native))
    }

    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
      parts.encoder(key.stringValue, natives).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      parts.encoder(key.stringValue, natives).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { parts.encoder("super", natives) }
    func superEncoder(forKey key: Key) -> any Encoder { parts.encoder(key.stringValue, natives) }
  }

  private struct Listed: UnkeyedEncodingContainer {
    let parts: Parts
    let natives: any KnownTypes
    let codingPath: [any CodingKey] = []

    var count: Int { parts.values.count }

    func encodeNil() { parts.add("", .null) }

    func encode<Native: Encodable>(_ native: Native) throws {
      parts.add("", try Conversion<Native>(in: natives).write(native))
    }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
      parts.encoder("", natives).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { parts.encoder("", natives).unkeyedContainer() }
    func superEncoder() -> any Encoder { parts.encoder("", natives) }
  }

  private struct Single: SingleValueEncodingContainer {
    let encoder: ValueEncoder
    let codingPath: [any CodingKey] = []

    func encodeNil() { encoder.value = { .null } }

    func encode<Native: Encodable>(_ native: Native) throws {
      let value = try Conversion<Native>(in: encoder.natives).write(native)
      encoder.value = { value }
    }
  }
}
