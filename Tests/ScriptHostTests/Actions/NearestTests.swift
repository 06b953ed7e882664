import Expectations
import Testing

@testable import ScriptHost

@Suite("Nearest names")
struct NearestTests {
  private static let known = ["save", "saveAs", "open", "export", "image.export", "rotateLeft", "rotateRight", "größe"]

  @Test(
    "E4: nearest finds the right name for a nearly right name",
    arguments: [
      ("sve", ["save"]), ("savee", ["save"]), ("savesA", ["saveAs", "save"]), ("exprot", ["export"]),
      ("Export", ["export"]),
      ("image.exprt", ["image.export"]), ("rotateLetf", ["rotateLeft"]), ("grösse", ["größe"]), ("opne", ["open"]),
      ("rotateRigth", ["rotateRight"]), ("sav", ["save"]),
    ])
  func near(wanted: String, expected: [String]) {
    expect(nearest(to: wanted, among: Self.known), is: expected)
  }

  @Test(
    "E4: nearest returns nothing if no name is close",
    arguments: ["", "x", "close", "zzz", "export.image", "save", "rotateLeftwards"])
  func far(wanted: String) {
    expect(nearest(to: wanted, among: Self.known), is: [])
  }

  @Test("E4: A name that has nothing in common isn't close")
  func nothingInCommon() {
    expect(nearest(to: "x", among: ["y", "xy"]), is: ["xy"])
  }

  @Test("A path with no similar path means the path with the same last part")
  func paths() {
    let ids = ["shelf", "shelf/Mint", "diary/Mint", "Tea/Brew", "teas"]
    expect(nearest(toID: "teas/Mint", among: ids), is: ["diary/Mint", "shelf/Mint"])
    expect(nearest(toID: "shelf/Mnt", among: ids), is: ["shelf/Mint"])
    expect(nearest(toID: "Brew", among: ids), is: ["Tea/Brew"])
    expect(nearest(toID: "tees", among: ids), is: ["teas"])
    expect(nearest(toID: "teas/", among: ids), is: ["teas"])
  }

  @Test("E4: The closest names come first, then by bytes, in any order of the names, each once")
  func order() {
    let known = ["bade", "made", "Fade", "fades", "fade", "made", "fad", "jade"]
    let expected = ["Fade", "bade", "fad"]
    expect(nearest(to: "fade", among: known), is: expected)
    expect(nearest(to: "fade", among: known.reversed()), is: expected)
    expect(nearest(to: "fadee", among: known), is: ["fade", "fades"])
    expect(nearest(to: "fade", among: known, limit: 1), is: ["Fade"])
    expect(nearest(to: "fade", among: known, limit: 0), is: [])
  }

  @Test("E4: nearest compares only the beginning of a name of a megabyte")
  func long() {
    let long = String(repeating: "x", count: 1_000_000)
    expect(nearest(to: long, among: [long + "y", "save"]), is: [long + "y"])
    expect(nearest(to: "save", among: [long]), is: [])
  }

  @Test("E4: nearest agrees with a plain count of edits, although it skips most of it")
  func plainly() {
    var random = Chance(seed: 20)
    func letter() -> Character { "abc".randomElement(using: &random) ?? "a" }
    func edited(_ word: String) -> String {
      var letters = Array(word)
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let place = Int.random(in: 0...letters.count, using: &random)
        if Bool.random(using: &random) || place == letters.count {
          letters.insert(letter(), at: place)
        } else if place > 0, Bool.random(using: &random) {
          letters.swapAt(place, place - 1)
        } else {
          letters.remove(at: place)
        }
      }
      return String(letters)
    }
    var matches = 0
    for _ in 0..<3000 {
      let wanted = String((0..<Int.random(in: 0...12, using: &random)).map { _ in letter() })
      let known = edited(wanted)
      let most = min(3, max(1, wanted.count / 3))
      let edits = Self.edits(from: Array(wanted), to: Array(known))
      let isNear = edits > 0 && edits <= most && edits < max(wanted.count, known.count)
      expect(nearest(to: wanted, among: [known]), is: (isNear ? [known] : []), "\(wanted) \(known)")
      if isNear { matches += 1 }
    }
    expect(matches > 300)
  }

  /// The same distance, computed for all places.
  private static func edits(from wanted: [Character], to known: [Character]) -> Int {
    var rows = [Array(0...wanted.count)]
    for line in known.indices {
      var row = [line + 1]
      for column in wanted.indices {
        var edits = min(
          rows[line][column] + (wanted[column] == known[line] ? 0 : 1), rows[line][column + 1] + 1, row[column] + 1)
        if column > 0, line > 0, wanted[column] == known[line - 1], wanted[column - 1] == known[line] {
          edits = min(edits, rows[line - 1][column - 1] + 1)
        }
        row.append(edits)
      }
      rows.append(row)
    }
    return rows[known.count][wanted.count]
  }

  @Test("S1: The search for names ends when its steps are used up, and then returns nothing")
  func steps() {
    let known = (0..<100).map { String(repeating: "a", count: 60) + "\($0)" }
    let wanted = "b" + String(repeating: "a", count: 60)
    var steps = 100_000
    expect(nearest(to: wanted, among: known, within: &steps).count == 3 && steps > 0)
    let left = steps
    while steps > 0 { _ = nearest(to: wanted, among: known, within: &steps) }
    expect(nearest(to: wanted, among: known, within: &steps) == [] && left > 0)
  }
}
