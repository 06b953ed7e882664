/// Hashes bytes with secrets of its owner's, so that no script can choose texts that collide.
///
/// Sixteen bytes a step: two words, one mixed with a secret, one with the state, multiplied to 128 bits and folded.
/// The last step reads the last sixteen bytes, which may overlap those before: no loop over single bytes.
struct ByteHash {
  private let secret: UInt64

  /// What the state begins with; were it the same secret, texts whose halves are swapped would collide.
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

  /// Spreads a state in which few bits differ over all of them, since a table reads the low ones only.
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
