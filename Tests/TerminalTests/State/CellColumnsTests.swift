import Expectations
import ScriptHost
import Testing

@testable import Terminal

@Suite("P11: The columns of a section")
struct CellColumnsTests {
  private static func column(grow: Bool = false, least: Int? = nil, most: Int? = nil) -> RowColumn {
    var column = RowColumn()
    (column.grow, column.least, column.most) = (grow, least, most)
    return column
  }

  private static func places(_ columns: [RowColumn], _ seen: [Int], _ room: Int) -> [[Int]] {
    CellColumns(columns, seen: seen, room: room).places.map { [$0.start, $0.width] }
  }

  @Test("P11: Columns are as wide as the widest cell, within their limits; a growing column gets the rest")
  func room() {
    let plain = Self.column()
    expect(Self.places([plain, plain], [3, 5], 20), is: [[0, 3], [5, 5]])
    expect(Self.places([Self.column(least: 6), Self.column(most: 4)], [3, 5], 20), is: [[0, 6], [8, 4]])
    expect(Self.places([plain, Self.column(grow: true), plain], [1, 5, 4], 30), is: [[0, 1], [3, 21], [26, 4]])
    expect(
      Self.places([Self.column(grow: true), Self.column(grow: true)], [2, 2], 11), is: [[0, 4], [6, 5]],
      "two share it")
    expect(Self.places([], [], 10), is: [])
  }

  @Test("P11: A column without content takes no room, unless it sets a least width")
  func empty() {
    let plain = Self.column()
    expect(Self.places([plain, plain, plain], [3, 0, 2], 20), is: [[0, 3], [5, 0], [5, 2]])
    expect(Self.places([plain, Self.column(least: 2), plain], [3, 0, 2], 20), is: [[0, 3], [5, 2], [9, 2]])
  }

  @Test("P11: Without room the growing column gives way first, then the widest")
  func narrow() {
    let plain = Self.column()
    let columns = [plain, Self.column(grow: true), plain]
    expect(Self.places(columns, [2, 40, 9], 30), is: [[0, 2], [4, 15], [21, 9]])
    expect(Self.places(columns, [2, 40, 19], 30), is: [[0, 2], [4, 12], [18, 12]])
    expect(Self.places(columns, [2, 40, 19], 3).allSatisfy { $0[1] == 0 || $0[0] + $0[1] <= 3 })
    expect(Self.places(columns, [2, 40, 19], 0).allSatisfy { $0[1] == 0 })
  }

  @Test("P11: A column keeps its least width as long as another can give way")
  func least() {
    let columns = [Self.column(least: 6), Self.column(least: 4), Self.column(grow: true)]
    expect(Self.places(columns, [6, 4, 18], 21), is: [[0, 6], [8, 4], [14, 7]])
    expect(Self.places(columns, [6, 9, 18], 16), is: [[0, 6], [8, 4], [14, 2]])
    expect(
      Self.places([Self.column(least: 3), Self.column(), Self.column()], [8, 5, 5], 15),
      is: [[0, 3], [5, 4], [11, 4]])
    expect(
      Self.places(columns, [6, 4, 18], 8), is: [[0, 3], [5, 3], [10, 0]], "without room for all, the widest gives way")
  }

  @Test("P11: A cell uses the room of empty cells behind it; a cell at the right edge ends there")
  func placed() {
    var right = Self.column()
    right.isRight = true
    let layout = CellColumns([Self.column(), Self.column(most: 3), right], seen: [1, 9, 4], room: 14)
    func drawn(_ texts: String...) -> [String] {
      layout.placed(texts.map { Theme().glyphs(of: StyledText($0)) })
        .map { "\($0.column) \($0.glyphs.map(\.glyph.text).joined())" }
    }
    expect(drawn("a", "abcdefghi", "12"), is: ["0 a", "3 ab…", "10 12"])
    expect(drawn("a", "abcdefghi", ""), is: ["0 a", "3 abcdefghi", "12 "])
    expect(drawn("a", "abcdefghijklm", ""), is: ["0 a", "3 abcdefghij…", "12 "])
  }

  @Test("P11: Each section remembers the widest cells that it has shown")
  func seen() {
    var seen = SeenCells()
    seen.see([3, 9], of: "a")
    seen.see([5, 2, 1], of: "a")
    seen.see([1], of: "b")
    expect(seen.widths(of: "a") == [5, 9, 1] && seen.widths(of: "b") == [1] && seen.widths(of: "c") == [])
  }
}
