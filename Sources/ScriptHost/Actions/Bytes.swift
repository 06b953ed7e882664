extension String {
  /// Passes the text's UTF-8 bytes to `body`, without a copy if they are contiguous, as in every native string.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }

  /// Returns true if both texts have the same bytes. `==` would also match `é` and `e` with a combining accent.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && withBytes { mine in other.withBytes { theirs in mine.hasSameBytes(as: theirs) } }
  }

  /// Returns true if this text's bytes sort first. The default order of lists.
  func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns true if both have the same bytes.
  @inline(__always)
  func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return sameBytes(mine, theirs, count: count)
  }
}

/// Compares eight bytes at a time. For longer texts, the last eight may overlap the previous ones.
@inline(__always)
func sameBytes(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
  guard count >= 8 else { return rest(left, at: 0, count: count) == rest(right, at: 0, count: count) }
  guard count >= 16 else {
    return word(left, at: 0) == word(right, at: 0)
      && rest(left, at: 8, count: count &- 8) == rest(right, at: 8, count: count &- 8)
  }
  let last = count &- 8
  var offset = 0
  while offset < last {
    if word(left, at: offset) != word(right, at: offset) { return false }
    offset &+= 8
  }
  return word(left, at: last) == word(right, at: last)
}

/// Reads eight bytes at an offset, which needn't be aligned.
@inline(__always)
func word(_ bytes: UnsafePointer<UInt8>, at offset: Int) -> UInt64 {
  UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
}

/// Reads up to seven bytes at an offset. It reads them in parts, because a short text was just written as two words.
/// Reading one word across both would wait for the cache, which takes longer than all other work on the text.
@inline(__always)
func rest(_ bytes: UnsafePointer<UInt8>, at offset: Int, count: Int) -> UInt64 {
  let start = UnsafeRawPointer(bytes)
  var offset = offset
  var gathered: UInt64 = 0
  if count & 4 != 0 {
    gathered = UInt64(start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    offset &+= 4
  }
  if count & 2 != 0 {
    gathered = gathered << 16 | UInt64(start.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    offset &+= 2
  }
  if count & 1 != 0 { gathered = gathered << 8 | UInt64(start.load(fromByteOffset: offset, as: UInt8.self)) }
  return gathered
}

/// A text that is equal to another, and has the same hash, if their bytes are the same.
package struct ByteText: Hashable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: ByteText, right: ByteText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text.utf8.count)
    text.withBytes { bytes in hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
  }
}

/// Hashes bytes with secret values, so that no script can choose texts that collide.
///
/// Each step takes sixteen bytes: two words, one mixed with a secret, one with the state, multiplied to 128 bits and
/// folded. The last step takes the last sixteen bytes, which may overlap the previous ones, so there is no loop over
/// single bytes.
struct ByteHash {
  private let secret: UInt64

  /// The initial state. If it equalled the secret, texts with swapped halves would collide.
  private let beginning: UInt64

  init(secret: UInt64 = .random(in: .min ... .max), beginning: UInt64 = .random(in: .min ... .max)) {
    self.secret = secret
    self.beginning = beginning
  }

  @inline(__always)
  func callAsFunction(_ bytes: UnsafePointer<UInt8>, count: Int) -> UInt64 {
    guard count >= 16 else { return short(bytes, count: count) }
    let last = count &- 16
    var state = beginning ^ UInt64(truncatingIfNeeded: count)
    var offset = 0
    while offset < last {
      state = fold(word(bytes, at: offset) ^ secret, word(bytes, at: offset &+ 8) ^ state)
      offset &+= 16
    }
    return finish(fold(word(bytes, at: last) ^ secret, word(bytes, at: last &+ 8) ^ state))
  }

  @inline(__always)
  private func short(_ bytes: UnsafePointer<UInt8>, count: Int) -> UInt64 {
    let low = count >= 8 ? word(bytes, at: 0) : rest(bytes, at: 0, count: count)
    let high = count >= 8 ? rest(bytes, at: 8, count: count &- 8) : 0
    return finish(fold(low ^ secret, high ^ beginning ^ UInt64(truncatingIfNeeded: count)))
  }

  /// Spreads differences in few bits over all bits, because a table reads only the low ones.
  @inline(__always)
  private func finish(_ state: UInt64) -> UInt64 {
    fold(state ^ 0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)
  }

  @inline(__always)
  private func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}

/// Walks over bytes, one UTF-8 scalar at a time, and never past the end.
struct ByteCursor {
  /// The content at the offset.
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

  /// Returns the bytes from an earlier offset up to the current offset.
  func bytes(from start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[start..<offset])
  }

  /// Skips the byte if it is at the offset. Returns true if it was.
  mutating func take(_ wanted: UInt8) -> Bool {
    guard byte == wanted else { return false }
    offset += 1
    return true
  }

  /// Skips and returns the scalar at the offset, if it fits.
  mutating func take(where fits: (Unicode.Scalar) -> Bool) -> Unicode.Scalar? {
    guard let (scalar, length) = decoded, fits(scalar) else { return nil }
    offset += length
    return scalar
  }

  /// Skips all scalars that fit.
  mutating func skip(while fits: (Unicode.Scalar) -> Bool) {
    while take(where: fits) != nil {}
  }

  /// Skips the blanks at the offset.
  mutating func skipBlanks() {
    skip(while: \.isBlank)
  }

  /// The scalar at the offset with its length in bytes; nil at the end, or if the bytes aren't UTF-8.
  ///
  /// The least value of each length excludes overlong forms. `Unicode.Scalar` excludes surrogates and values beyond
  /// Unicode.
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
