/// Walks over bytes, scalar by scalar where they are UTF-8, and never beyond their end.
struct ByteCursor {
  /// What stands at the offset.
  enum Next {
    case end
    case scalar(Unicode.Scalar)
    case invalid(UInt8)
  }

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The byte at the offset, or nil at the end.
  var byte: UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }

  /// The scalar at the offset, or why there is none.
  var next: Next {
    guard let byte else { return .end }
    guard let (scalar, _) = decoded else { return .invalid(byte) }
    return .scalar(scalar)
  }

  /// The bytes from a former offset up to this one.
  func bytes(from start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[start..<offset])
  }

  /// Goes past the byte when it is the one at the offset, and says whether it was.
  mutating func take(_ wanted: UInt8) -> Bool {
    guard byte == wanted else { return false }
    offset += 1
    return true
  }

  /// Goes past the scalar at the offset when it fits, and gives it back.
  mutating func take(where fits: (Unicode.Scalar) -> Bool) -> Unicode.Scalar? {
    guard let (scalar, length) = decoded, fits(scalar) else { return nil }
    offset += length
    return scalar
  }

  /// Goes past all scalars that fit.
  mutating func skip(while fits: (Unicode.Scalar) -> Bool) {
    while take(where: fits) != nil {}
  }

  /// Goes past the blanks at the offset.
  mutating func skipBlanks() {
    skip(while: \.isBlank)
  }

  /// The scalar at the offset with its length in bytes; nil at the end and where the bytes are not UTF-8.
  ///
  /// Overlong forms fail by the least value of their length, surrogates and what is beyond Unicode by being no scalar.
  private var decoded: (scalar: Unicode.Scalar, length: Int)? {
    guard let lead = byte else { return nil }
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length: Int
    let least: UInt32
    switch lead {
    case 0xC2...0xDF: (length, least) = (2, 0x80)
    case 0xE0...0xEF: (length, least) = (3, 0x800)
    case 0xF0...0xF4: (length, least) = (4, 0x10000)
    default: return nil
    }
    guard bytes.count - offset >= length else { return nil }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for byte in bytes[(offset + 1)..<(offset + length)] {
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    guard value >= least, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }
}
