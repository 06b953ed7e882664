import Expectations
import Testing

@testable import ScriptHost

@Suite("Names")
struct NameTests {
  @Test("A text has one name, for every way to pass it")
  func interning() {
    let table = NameTable()
    let name = table.intern("file.open")
    expect(table.intern("file.open"), is: name)
    expect("file.open".withBytes(table.intern), is: name)
    expect(table.name(of: "file.open"), is: name)
    expect(table.intern("file.opem") != name)
    expect(table.text(of: name), is: "file.open")
    expect(table.count, is: 2)
  }

  @Test("Names compare by their bytes, unlike Swift's strings")
  func bytes() {
    let table = NameTable()
    let composed = table.intern("caf\u{E9}")
    let decomposed = table.intern("cafe\u{301}")
    expect("caf\u{E9}", is: "cafe\u{301}")
    expect(composed != decomposed)
    expect(Array(table.text(of: decomposed).utf8), is: Array("cafe\u{301}".utf8))
  }

  @Test("Looking up a name doesn't create it")
  func lookup() {
    let table = NameTable()
    expect(table.name(of: "save"), is: nil)
    expect(table.name(of: ""), is: nil)
    expect(table.count, is: 0)
  }

  @Test("The empty text is a name like others")
  func empty() {
    let table = NameTable()
    let first = table.intern("a")
    let empty = table.intern("")
    expect(empty != first)
    expect(table.intern(""), is: empty)
    expect(table.name(of: UnsafeBufferPointer(start: nil, count: 0)), is: empty)
    expect(table.intern("b") != empty)
    expect(table.text(of: empty), is: "")
  }

  @Test("A name of a fuller host has no text here")
  func foreign() {
    let other = NameTable()
    _ = other.intern("a")
    expect(NameTable().text(of: other.intern("b")), is: "")
  }

  @Test("Twenty thousand names of every length from 1 to 100 keep their numbers and texts while the table grows")
  func growth() {
    let table = NameTable()
    let texts = (0..<20_000).map { String("\($0)".reversed()) + String(repeating: "x", count: $0 % 95) }
    let names = texts.map { table.intern($0) }
    expect(Set(names).count, is: 20_000)
    expect(names.map(\.index), is: Array(0..<20_000))
    expect(texts.map { table.name(of: $0) }, is: names)
    expect(names.map { table.text(of: $0) }, is: texts)
  }

  @Test("A removed name is unknown, and a later name gets its number; all others keep theirs")
  func removal() {
    let table = NameTable()
    let texts = (0..<3000).map { "name\($0)" }
    let names = texts.map { table.intern($0) }
    let empty = table.intern("")
    table.remove(Set(names.indices.filter { $0 % 3 == 0 }.map { names[$0] }))
    expect(table.count, is: 2001)
    expect(texts.indices.allSatisfy { table.name(of: texts[$0]) == ($0 % 3 == 0 ? nil : names[$0]) })
    expect(table.intern(""), is: empty)
    let later = (0..<1500).map { table.intern("later\($0)") }
    expect(Set(later).isDisjoint(with: names.indices.filter { $0 % 3 != 0 }.map { names[$0] } + [empty]))
    expect(later.map(\.index).max() == 3500 && table.count == 3501)
    expect(later.indices.allSatisfy { table.text(of: later[$0]) == "later\($0)" })
    expect(texts.indices.allSatisfy { table.name(of: texts[$0]) == ($0 % 3 == 0 ? nil : names[$0]) })
  }

  @Test("Texts that differ in a single byte are different names")
  func oneByte() {
    for length in 1...70 {
      let table = NameTable()
      let plain = [UInt8](repeating: UInt8(ascii: "a"), count: length)
      var names = [plain.withUnsafeBufferPointer(table.intern)]
      for place in 0..<length {
        var changed = plain
        changed[place] = UInt8(ascii: "b")
        names.append(changed.withUnsafeBufferPointer(table.intern))
      }
      expect(Set(names).count, is: length + 1)
    }
  }
}

@Suite("Hash of bytes")
struct ByteHashTests {
  private static let secret: UInt64 = 0x0123_4567_89AB_CDEF
  private static let beginning: UInt64 = 0xA5F1_523D_9C3B_7E86

  private func hash(
    _ text: String, secret: UInt64 = Self.secret, beginning: UInt64 = Self.beginning
  ) -> UInt64 {
    text.withBytes { bytes in
      bytes.baseAddress.map { ByteHash(secret: secret, beginning: beginning)($0, count: bytes.count) } ?? 0
    }
  }

  @Test(
    "The low bits spread texts like random numbers",
    arguments: ["", "button.export-", "a longer text that counts: "])
  func spread(before: String) {
    let slots = 1 << 12
    var load = [Int](repeating: 0, count: slots)
    for number in 0..<slots { load[Int(truncatingIfNeeded: hash("\(before)\(number)")) & (slots - 1)] += 1 }
    // Of n random numbers below n, a share of 1/e never occurs, and hardly any occurs more than nine times.
    expect((1350...1660).contains(load.count { $0 == 0 }))
    expect((load.max() ?? 0) < 10)
  }

  @Test("Another secret gives other hashes, so no text collides in every host")
  func secret() {
    for length in [1, 7, 8, 15, 16, 17, 33, 60] {
      let text = String(repeating: "k", count: length)
      expect(Set([hash(text), hash(text, secret: 3), hash(text, beginning: 3)]).count, is: 3)
    }
  }

  @Test("Texts with swapped halves don't collide in every host")
  func swapped() {
    // The length goes into the second half, so one secret for both halves made these two collide.
    expect(hash("abcdefghABCDEFGH") != hash("QBCDEFGHqbcdefgh"))
    expect(hash("abcdefghABCDEFGH", secret: 7, beginning: 7), is: hash("QBCDEFGHqbcdefgh", secret: 7, beginning: 7))
  }
}
