import Testing

@testable import ScriptHost

@Suite("References, kept")
struct ReferenceTableTests {
  @Test("A text is read the first time and found by its bytes from then on")
  func found() throws {
    let table = ReferenceTable()
    let text = #"a.b.export(format: jpeg, "n": [1,2.5,true])"#
    let index = try #require(try table.index(of: text))
    let other = try #require(try table.index(of: "save"))
    #expect(other != index)
    #expect(try table.index(of: text) == index)
    #expect(text.withBytes { bytes in try? table.index(of: bytes) } == index)
    #expect(table[index] == (try Reference.parse(text)))
    #expect(table[other]?.id == "save")
    #expect(table.count == 2)
  }

  @Test("Texts that Swift's strings take for equal have references of their own")
  func bytes() throws {
    let table = ReferenceTable()
    let composed = try #require(try table.index(of: "caf\u{E9}"))
    let decomposed = try #require(try table.index(of: "cafe\u{301}"))
    #expect(composed != decomposed)
  }

  @Test("I7: a malformed text fails every time and is not kept")
  func malformed() throws {
    let table = ReferenceTable()
    for text in ["a(", "", "a(k:)"] {
      for _ in 0..<2 { #expect(throws: ReferenceError.self) { try table.index(of: text) } }
    }
    #expect(table.count == 0)
  }

  @Test("A text of 1,024 bytes is kept, a longer one is not")
  func longText() throws {
    let table = ReferenceTable()
    let longest = "a(k: \"" + String(repeating: "x", count: 1016) + "\")"
    #expect(longest.utf8.count == 1024)
    #expect(try table.index(of: longest) != nil)
    #expect(try table.index(of: longest + " ") == nil)
    #expect(try table.index(of: "a(k" + longest) == nil)
    #expect(table.count == 1)
  }

  @Test("A full table starts anew, and an index from before is never taken for another reference")
  func full() throws {
    let table = ReferenceTable()
    let first = try #require(try table.index(of: "first"))
    for number in 1..<ReferenceTable.countLimit { _ = try table.index(of: "a\(number)") }
    #expect(table.count == ReferenceTable.countLimit)
    #expect(table[first]?.id == "first")
    let next = try #require(try table.index(of: "next"))
    #expect(table.count == 1)
    #expect(table[first] == nil)
    #expect(table[next]?.id == "next")
    #expect(next == table.firstIndex)
    #expect(try table.index(of: "first") != first)
    #expect(table[Int.max] == nil && table[Int.min] == nil)
  }

  @Test("Ten thousand texts of 11 or of 1,000 bytes never take more than the table's bounds", arguments: [11, 1000])
  func bounded(length: Int) throws {
    let table = ReferenceTable()
    let most = min(ReferenceTable.countLimit, ReferenceTable.byteLimit / length)
    for number in 0..<10_000 {
      let text = "a(k: \(10_000 + number))"
      let index = try #require(try table.index(of: text + String(repeating: " ", count: length - text.utf8.count)))
      try #require(table[index] != nil)
      try #require(table.count <= most)
    }
    #expect(table.firstIndex == 10_000 / most * most)
  }
}
