extension String {
  /// Hands the text's UTF-8 bytes to `body` without copying them where they lie together, as they do in every native
  /// string.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }

  /// Whether both texts are the same bytes; `==` would also take `é` for `e` with an accent after it.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && withBytes { mine in other.withBytes { theirs in mine.hasSameBytes(as: theirs) } }
  }

  /// Whether this text's bytes come first; the order of every list that has no better one.
  func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether both are the same bytes.
  @inline(__always)
  func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return sameBytes(mine, theirs, count: count)
  }
}

/// Compares eight bytes at a time; the last eight may overlap those before in what is longer than a short text.
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

/// Reads the eight bytes that begin at the offset, wherever they lie.
@inline(__always)
func word(_ bytes: UnsafePointer<UInt8>, at offset: Int) -> UInt64 {
  UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
}

/// Reads the up to seven bytes that begin at the offset.
///
/// The bytes are read in parts, because a short text was just written as two words: reading one word across both would wait until they are
/// in the cache, which takes longer than everything else that is done with the text.
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
