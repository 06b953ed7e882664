import ScriptHost

// Decodes `Decodable` values from JSON.

extension JSON {
  /// Decodes a value; throws if something is missing or of another type.
  package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try Value(from: JSONDecoding(json: self, codingPath: []))
  }
}

private struct JSONDecoding: Decoder {
  let json: JSON
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = json.members else { throw mismatch("an object") }
    return KeyedDecodingContainer(Members(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = json.list else { throw mismatch("a list") }
    return Elements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  fileprivate func mismatch(_ wanted: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: "\(wanted) is wanted here"))
  }
}

extension JSONDecoding: SingleValueDecodingContainer {
  func decodeNil() -> Bool { if case .null = json { true } else { false } }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let value = json.bool else { throw mismatch("true or false") }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    guard let value = json.text else { throw mismatch("a string") }
    return value
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch json {
    case .number(let value): return value
    case .integer(let value): return Double(value)
    default: throw mismatch("a number")
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

  private func integer<Integer: FixedWidthInteger>() throws -> Integer {
    guard let value = json.integer, let integer = Integer(exactly: value) else { throw mismatch("a whole number") }
    return integer
  }
}

/// A position in a list.
private struct Position: CodingKey {
  let number: Int
  var stringValue: String { "\(number)" }
  var intValue: Int? { number }

  init(_ number: Int) { self.number = number }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { number = intValue }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [(String, JSON)]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.0) } }

  func contains(_ key: Key) -> Bool { find(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try at(key).decodeNil() }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try Value(from: at(key)) }

  // The usual types look their member up once, and make its coding path only for an error.

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    guard let json = present(key) else { return nil }
    return try json.text ?? at(key).decode(String.self)
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    guard let json = present(key) else { return nil }
    return try json.bool ?? at(key).decode(Bool.self)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let json = present(key) else { return nil }
    return try Value(from: JSONDecoding(json: json, codingPath: codingPath + [key]))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try at(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try at(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { JSONDecoding(json: .object(members), codingPath: codingPath) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try at(key) }

  private func find(_ key: Key) -> JSON? {
    let name = key.stringValue
    return members.first { $0.0.hasSameBytes(as: name) }?.1
  }

  /// The value of a key; nil if there is none, or if it is null.
  private func present(_ key: Key) -> JSON? {
    guard let json = find(key) else { return nil }
    if case .null = json { return nil }
    return json
  }

  private func at(_ key: Key) throws -> JSONDecoding {
    guard let json = find(key) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "'\(key.stringValue)' is missing"))
    }
    return JSONDecoding(json: json, codingPath: codingPath + [key])
  }
}

private struct Elements: UnkeyedDecodingContainer {
  let elements: [JSON]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [JSON], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    let isNil = try here().decodeNil()
    if isNil { currentIndex += 1 }
    return isNil
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: next()) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { try next() }

  private func here() throws -> JSONDecoding {
    guard !isAtEnd else {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "the list ends here"))
    }
    return JSONDecoding(json: elements[currentIndex], codingPath: codingPath + [Position(currentIndex)])
  }

  private mutating func next() throws -> JSONDecoding {
    let decoding = try here()
    currentIndex += 1
    return decoding
  }
}
