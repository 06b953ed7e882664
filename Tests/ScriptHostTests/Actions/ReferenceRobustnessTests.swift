import Expectations
import FoundationEssentials
import Testing

@testable import ScriptHost

@Suite("References from any bytes")
struct ReferenceRobustnessTests {
  /// The pieces of random texts, so that many texts get some way into the grammar.
  private static let pieces: [[UInt8]] =
    "a b. ( ) [ ] { } : , \" \\ \\u d83d \\ude00 1 - 0 . e + 9 k: true null é \u{301} 😀 \u{0} 9223372036854775808 1e308"
    .split(separator: " ").map { Array($0.utf8) } + [[0x20], [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F], [0x80]]

  private func requireSound(_ bytes: [UInt8]) throws {
    let fault = bytes.withUnsafeBufferPointer(ReferenceCheck().fault)
    try require(fault == nil, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
  }

  @Test("Random bytes and random pieces of references are read or refused within the text, and never trap")
  func random() throws {
    var chance = Chance(seed: 4)
    for round in 0..<200_000 {
      let length = Int.random(in: 0...24, using: &chance)
      let pieces = (0..<length).map { _ in
        round % 2 == 0 ? [UInt8.random(in: .min ... .max, using: &chance)] : chance.pick(Self.pieces)
      }
      try requireSound((round % 2 == 0 ? [] : Array("a(".utf8)) + pieces.joined())
    }
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
      try requireSound(bytes)
    }
  }

  @Test("Every input that the fuzzer kept is sound")
  func corpus() throws {
    let folder =
      String(#filePath.dropLast("ScriptHostTests/Actions/ReferenceRobustnessTests.swift".count)) + "Corpus/reference"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    expect(files.count >= 211)
    for file in files {
      let fault = try ScriptFile.read("\(folder)/\(file)").withUnsafeBufferPointer(ReferenceCheck().fault)
      expect(fault, is: nil, "\(file)")
    }
  }

  @Test(
    "The check finds a formatter that forgets to escape quotes, one that drops a value and one that is not canonical")
  func checkCanFail() {
    let text = #"a(k: "x\"y", n: 1)"#
    let faults = [
      ReferenceCheck { $0.format().replacing("\\\"", with: "\"") },
      ReferenceCheck { $0.format().replacing("1", with: "2") },
      ReferenceCheck { $0.format() + " " },
    ].map { text.withBytes($0.fault) }
    expect(
      faults,
      is: [
        #"a(k: "x"y", n: 1) can't be read"#, #"a(k: "x\"y", n: 2) is another reference"#,
        #"a(k: "x\"y", n: 1)  is not the canonical spelling"#,
      ])
  }
}
