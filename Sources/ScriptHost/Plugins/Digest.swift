/// A *digest* tells a text from every other: SHA-256, as the standard FIPS 180-4 describes it.
struct Digest {
  private var state: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
  ]
  private var pending: [UInt8] = []
  private var count: UInt64 = 0
  private var words = [UInt32](repeating: 0, count: 64)

  /// The digest of some bytes, as 64 hexadecimal digits.
  static func of(_ bytes: [UInt8]) -> String {
    var digest = Digest()
    digest.add(bytes)
    return digest.finish()
  }

  mutating func add(_ bytes: [UInt8]) {
    count &+= UInt64(bytes.count)
    pending += bytes
    var start = 0
    while pending.count - start >= 64 {
      mix(pending[start..<(start + 64)])
      start += 64
    }
    pending.removeFirst(start)
  }

  /// Ends it, with the padding that the standard asks for.
  mutating func finish() -> String {
    let bits = count &* 8
    var padding: [UInt8] = [0x80]
    padding += [UInt8](repeating: 0, count: (119 - pending.count) % 64)
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    add(padding)
    let digits = Array("0123456789abcdef")
    var text = ""
    for word in state {
      for shift in stride(from: UInt32(28), through: 0, by: -4) { text.append(digits[Int(word >> shift & 15)]) }
    }
    return text
  }

  private mutating func mix(_ block: ArraySlice<UInt8>) {
    for (index, start) in stride(from: block.startIndex, to: block.endIndex, by: 4).enumerated() {
      words[index] = block[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = early.rotated(7) ^ early.rotated(18) ^ early >> 3
      let second = late.rotated(17) ^ late.rotated(19) ^ late >> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var next = state
    for index in 0..<64 {
      let (a, e) = (next[0], next[4])
      let chosen = e & next[5] ^ ~e & next[6]
      let sum =
        next[7] &+ (e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)) &+ chosen &+ Self.constants[index] &+ words[index]
      let majority = a & next[1] ^ a & next[2] ^ next[1] & next[2]
      let other = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
      next = [sum &+ other, a, next[1], next[2], next[3] &+ sum, e, next[5], next[6]]
    }
    for index in 0..<8 { state[index] &+= next[index] }
  }

  /// The first bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = primes(64).map { prime in
    // Found in whole numbers: the root of prime · 2^96, of which the low 32 bits are the fraction.
    let root = cubeRoot(of: prime)
    return UInt32(truncatingIfNeeded: root)
  }

  private static func primes(_ count: Int) -> [UInt64] {
    var found: [UInt64] = []
    var number: UInt64 = 2
    while found.count < count {
      if found.allSatisfy({ number % $0 != 0 }) { found.append(number) }
      number += 1
    }
    return found
  }

  /// The largest number whose cube is not above prime · 2^96.
  private static func cubeRoot(of prime: UInt64) -> UInt64 {
    var root: UInt64 = 0
    let wanted = UInt128(prime) << 96
    for bit in stride(from: UInt64(35), through: 0, by: -1) {
      let more = root | 1 << bit
      let cube = UInt128(more) * UInt128(more) * UInt128(more)
      if cube <= wanted { root = more }
    }
    return root
  }
}

extension UInt32 {
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
