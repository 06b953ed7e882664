import Expectations
import LiveHost
import Testing

@testable import menuctl

/// Numbers that look random and are the same each time.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A value, and what a reader must find in what is written of it.
private func random(_ g: inout Generator, depth: Int) -> (JSON, StrictJSON) {
  switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &g) {
  case 0: return (.null, .null)
  case 1:
    let value = Bool.random(using: &g)
    return (.bool(value), .bool(value))
  case 2:
    let value = Int(truncatingIfNeeded: g.next()) >> Int.random(in: 0..<64, using: &g)
    return (.integer(value), .integer(value))
  case 3:
    var value = Double(bitPattern: g.next())
    if !value.isFinite { value = 0.1 }
    return (.number(value), .number(value))
  case 4, 5:
    let value = randomText(&g)
    return (.text(value), .text(value))
  case 6:
    let values = (0..<Int.random(in: 0..<5, using: &g)).map { _ in random(&g, depth: depth - 1) }
    return (.list(values.map(\.0)), .list(values.map(\.1)))
  default:
    let members = (0..<Int.random(in: 0..<5, using: &g)).map {
      ("\($0)" + randomText(&g), random(&g, depth: depth - 1))
    }
    return (
      .object(members.map { ($0.0, $0.1.0) }), .object(members.map { StrictJSON.Member(key: $0.0, value: $0.1.1) })
    )
  }
}

private func randomText(_ g: inout Generator) -> String {
  var text = String.UnicodeScalarView()
  for _ in 0..<Int.random(in: 0..<12, using: &g) {
    let most: UInt32 = [0x30, 0x80, 0x100, 0x2100, 0x10000, 0x110000].randomElement(using: &g) ?? 0x80
    if let scalar = Unicode.Scalar(UInt32.random(in: 0..<most, using: &g)) { text.append(scalar) }
  }
  return String(text)
}

@Test("What is written as JSON is read back as the same value, and no terminal obeys it")
func writtenJSON() throws {
  var g = Generator(state: 1)
  for round in 0..<20_000 {
    let (value, expected) = random(&g, depth: 4)
    let text = JSONText.text(value)
    let read = try StrictJSON(text)
    // A whole number is read as one, however it was written.
    expect(read.isSame(as: expected), "round \(round): \(text)")
    expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "round \(round)")
  }
}

@Test(
  "Another reader reads it too", .enabled(if: Program.isInstalled("python3"), "python3 is not installed"))
func writtenJSONElsewhere() throws {
  var g = Generator(state: 2)
  let values = (0..<300).map { _ in random(&g, depth: 4).0 }
  let text = JSONText.text(.list(values))
  // What it writes of that, in ASCII and in its own way, is the same value again.
  let folder = try ScriptFolder(["in.json": text])
  let run = try Program.shell("sh", "python3 -m json.tool --json-lines --compact '\(folder.path)/in.json'")
  expect(run.status, is: 0, "\(run.err)")
  try expect(StrictJSON(run.out).isSame(as: StrictJSON(text)))
}

extension StrictJSON {
  fileprivate func isSame(as other: StrictJSON) -> Bool {
    switch (self, other) {
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && zip(left, right).allSatisfy { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isSame(as: $1.value) }
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.integer, .number), (.number, .integer), (.number, .number): double == other.double
    default: self == other
    }
  }
}

@Test(
  "The reader of the tests takes JSON and nothing else",
  arguments: [
    "", " ", "nul", "truee", "01", "+1", "1.", ".5", "1e", "-", "--1", "1e999", "\"", "\"\\x\"", "\"\\u12\"",
    "\"\\ud800\"",
    "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"a\nb\"", "[1,]", "[,1]", "[1 2]", "[", "{", "{\"a\"}", "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}", "{'a':1}", "{\"a\":1 \"b\":2}", "{\"a\":1,\"a\":2}", "1 2", "[1]]", "NaN", "Infinity", "// x\n1",
    "\u{FEFF}1",
  ])
func strictReader(_ text: String) {
  #expect(throws: StrictJSON.Wrong.self) { try StrictJSON(text) }
}

@Test("The reader of the tests reads what JSON can say")
func strictReaderReads() throws {
  let text =
    #" {"a": [1, -0, 0.5, -1.5e+3, 1E2], "\u00e9\ud83d\ude00": "\"\\\/\b\f\n\r\t", "": {}, "n": null, "t": true} "#
  let value = try StrictJSON(text)
  expect(
    value,
    is: .object([
      .init(key: "a", value: .list([.integer(1), .integer(0), .number(0.5), .number(-1500), .number(100)])),
      .init(key: "é😀", value: .text("\"\\/\u{8}\u{C}\n\r\t")), .init(key: "", value: .object([])),
      .init(key: "n", value: .null), .init(key: "t", value: .bool(true)),
    ]))
  #expect(throws: StrictJSON.Wrong.self) { try StrictJSON(bytes: [0x22, 0xFF, 0x22]) }
  #expect(throws: StrictJSON.Wrong.self) { try StrictJSON(String(repeating: "[", count: 100_000)) }
}
