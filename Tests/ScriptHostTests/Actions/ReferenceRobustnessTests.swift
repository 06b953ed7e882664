import Testing

@testable import ScriptHost

@Suite("References, whatever the bytes")
struct ReferenceRobustnessTests {
  /// What random texts are made of, so that many of them get some way into the grammar.
  private static let pieces: [[UInt8]] =
    "a b. ( ) [ ] { } : , \" \\ \\u d83d \\ude00 1 - 0 . e + 9 k: true null é \u{301} 😀 \u{0} 9223372036854775808 1e308"
    .split(separator: " ").map { Array($0.utf8) } + [[0x20], [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F], [0x80]]

  @Test("Random bytes and random pieces of references are read or refused within the text, and never trap")
  func random() throws {
    var chance = Chance(seed: 4)
    var accepted = 0
    for round in 0..<200_000 {
      let length = Int.random(in: 0...24, using: &chance)
      let pieces = (0..<length).map { _ in
        round % 2 == 0 ? [UInt8.random(in: .min ... .max, using: &chance)] : chance.pick(Self.pieces)
      }
      let bytes: [UInt8] = (round % 2 == 0 ? [] : Array("a(".utf8)) + pieces.joined()
      guard let error = failure(of: bytes) else {
        accepted += 1
        continue
      }
      try #require((0...bytes.count).contains(error.offset), "\(bytes)")
      try #require((1...(error.text.unicodeScalars.count + 1)).contains(error.column), "\(bytes)")
      try #require(error.render().utf8.last == UInt8(ascii: "^"))
    }
    #expect(accepted > 0)
  }

  @Test("A reference with one byte changed, removed or added is read or refused within the text")
  func mutated() throws {
    var generator = ReferenceGenerator(seed: 5)
    var chance = Chance(seed: 6)
    for _ in 0..<50_000 {
      var bytes = Array(generator.next().text.utf8)
      let place = Int.random(in: bytes.indices, using: &chance)
      switch Int.random(in: 0..<3, using: &chance) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &chance)
      case 1: bytes.remove(at: place)
      default: bytes.insert(contentsOf: chance.pick(Self.pieces), at: place)
      }
      guard let error = failure(of: bytes) else { continue }
      try #require((0...bytes.count).contains(error.offset), "\(bytes)")
      try #require((1...(error.text.unicodeScalars.count + 1)).contains(error.column), "\(bytes)")
    }
  }
}
