import Expectations
import Testing

@_spi(Measuring) @testable import Terminal

@Test(
  "X5: Redrawing one changed row of a panel takes few bytes, for any number of rows",
  arguments: [100, 10_000])
func changedRow(rows: Int) throws {
  let face = try MeasuredFace(rows: 1, items: 1, panel: rows)
  for _ in 0..<3 {
    let bytes = face.change()
    expect((1...150).contains(bytes), "\(bytes) bytes")
  }
}

@Test("X5: A move in an open menu takes few bytes")
func movesInMenu() throws {
  let face = try MeasuredFace(rows: 20, items: 1000)
  expect(face.type(Array("\u{1B}[21~".utf8)) > 500, "the menu is drawn")
  for _ in 0..<3 {
    let bytes = face.type(Array("\u{1B}[B".utf8))
    expect((1...150).contains(bytes), "\(bytes) bytes")
  }
}
