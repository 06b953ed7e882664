/// Reads a reference from bytes: an id, and perhaps arguments between parentheses.
///
/// It goes forward only. A function for each thing that can be read begins where that thing begins and leaves the
/// cursor behind it; a function that expects something after blanks skips them itself.
struct ReferenceParser {
  var cursor: ByteCursor

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    cursor = ByteCursor(bytes)
  }

  mutating func reference() throws(ReferenceError) -> Reference {
    cursor.skipBlanks()
    let id = try id()
    cursor.skipBlanks()
    guard cursor.take(UInt8(ascii: "(")) else {
      guard cursor.byte == nil else { throw noEnd(behind: id) }
      return Reference(id: id, arguments: nil)
    }
    let arguments = try members(until: .parenthesis, depth: 0, of: id)
    cursor.skipBlanks()
    guard cursor.byte == nil else { throw unexpected(.end) }
    return Reference(id: id, arguments: arguments)
  }

  private mutating func id() throws(ReferenceError) -> String {
    let start = cursor.offset
    try component(or: .name)
    while cursor.take(UInt8(ascii: ".")) { try component(or: .nameAfterDot) }
    let bytes = cursor.bytes(from: start)
    guard bytes.count <= ReferenceLimit.idBytes else {
      throw failure(.idTooLong(bytes: bytes.count), at: start)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func component(or expected: ReferenceError.Expected) throws(ReferenceError) {
    if cursor.take(where: \.beginsName) == nil {
      if case .scalar(let scalar) = cursor.next, scalar.isDigit { throw failure(.nameBeginsWithDigit) }
      throw unexpected(expected)
    }
    cursor.skip(while: \.continuesName)
  }
}

extension ReferenceParser {
  /// An error at an offset, or else where the cursor stands.
  func failure(_ problem: ReferenceError.Problem, at offset: Int? = nil) -> ReferenceError {
    ReferenceError(problem, in: cursor.bytes, at: offset ?? cursor.offset)
  }

  /// The error that what is expected doesn't stand at the cursor.
  func unexpected(_ expected: ReferenceError.Expected) -> ReferenceError {
    switch cursor.next {
    case .end: failure(.unexpected(expected, found: nil))
    case .scalar(let scalar): failure(.unexpected(expected, found: scalar))
    case .invalid(let byte): failure(.invalidUTF8(byte: byte))
    }
  }
}
