import Expectations
import Testing

@testable import ScriptHost

@Suite("The palette's search") struct FuzzyTextTests {
  @Test("P10: has finds in one pass whether a text has the letters of a query in order")
  func has() {
    for query in ["ta", "dt", "td", "l l", "lt", "dd", ""] {
      expect(FuzzyText("delta").has(.init(query)), is: (FuzzyText("delta").score(.init(query)) != nil), "\(query)")
    }
    let start = ContinuousClock.now
    expect(FuzzyText(String(repeating: "a", count: 200_000)).has(.init(String(repeating: "a", count: 256))))
    expect(ContinuousClock.now - start < .seconds(5))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let query: String
    /// The better text first.
    let texts: [String]
    var testDescription: String { "'\(query)': \(texts.joined(separator: " before "))" }
  }

  private static let cases = [
    Case(query: "sa", texts: ["Save", "Snap a photo to the grid", "Edit › Select all", "Disaster"]),
    Case(query: "ea", texts: ["Export All", "Export as JPEG", "Clear"]),
    Case(query: "jpeg", texts: ["Image › Export › As JPEG…", "Image › Export › As JPEG or else", "Jump to the page"]),
    Case(query: "aj", texts: ["As JPEG", "A major"]),
    Case(query: "applyr", texts: ["applyRating", "apply or remove"]),
    Case(query: "ar", texts: ["applyRating", "clear"]),
    Case(query: "ü", texts: ["Über", "Menü"]),
    Case(query: "gx", texts: ["grid.x", "gauge x-ray"]),
  ]

  @Test("Beginnings of words and adjacent letters come first", arguments: cases)
  func order(_ one: Case) throws {
    let query = FuzzyText.Query(one.query)
    let scores = try one.texts.map { try require(FuzzyText($0).score(query), "\($0)") }
    for (better, worse) in zip(scores, scores.dropFirst()) { expect(better >= worse, "\(scores)") }
    expect(scores[0] > scores[scores.count - 1], "\(scores)")
  }

  @Test(
    "A text needs all letters in their order; case and blanks don't count; an empty query finds all")
  func found() {
    expect(FuzzyText("Save").score(.init("sx")), is: nil)
    expect(FuzzyText("Save").score(.init("vs")), is: nil)
    expect(FuzzyText("Save").score(.init("savee")), is: nil)
    expect(FuzzyText("Save All").score(.init("SAVE all")), is: FuzzyText("save all").score(.init("saveall")))
    expect(FuzzyText("").score(.init("")) == 0 && FuzzyText("").score(.init("a")) == nil)
  }

  @Test("P10: places returns the letters' places, in order, that score best")
  func places() {
    for (text, query, places) in [
      ("Driver", "drv", [0, 1, 3]), ("Save As", "sa", [0, 1]), ("Close All", "ca", [0, 6]), ("a b ab", "ab", [0, 2]),
      ("é-ü", "éü", [0, 2]),
    ] {
      expect(FuzzyText(text).places(of: .init(query)), is: places, "'\(query)' in '\(text)'")
    }
    expect(FuzzyText("abc").places(of: .init("d")), is: nil)
    for seed: UInt64 in 0..<2000 {
      var chance = Chance(seed: seed)
      let text = (0..<Int.random(in: 0..<9, using: &chance)).map { _ in chance.pick(["a", "b", "A", " ", "."]) }
        .joined()
      let query = (0..<Int.random(in: 0..<4, using: &chance)).map { _ in chance.pick(["a", "b"]) }.joined()
      let fuzzy = FuzzyText(text)
      let found = fuzzy.places(of: .init(query))
      expect((found == nil) == (fuzzy.score(.init(query)) == nil), "'\(query)' in '\(text)'")
      guard let found else { continue }
      let letters = Array(text.lowercased())
      expect(String(found.map { letters[$0] }) == query && zip(found, found.dropFirst()).allSatisfy(<))
    }
  }

  @Test("The score is that of the best way to find the letters, as an exhaustive search confirms")
  func oracle() throws {
    for seed: UInt64 in 0..<4000 {
      var chance = Chance(seed: seed)
      let text = (0..<Int.random(in: 0..<9, using: &chance)).map { _ in chance.pick(["a", "b", "A", " ", "."]) }
        .joined()
      let query = (0..<Int.random(in: 0..<4, using: &chance)).map { _ in chance.pick(["a", "b"]) }.joined()
      let isWhole = !query.isEmpty && text.lowercased().filter { $0 != " " } == query
      try require(
        FuzzyText(text).score(.init(query)) == Self.best(text, query).map { $0 + (isWhole ? 64 : 0) },
        "seed \(seed): '\(query)' in '\(text)'")
    }
  }

  /// The best score of all ways to find a query, each computed separately.
  private static func best(_ text: String, _ query: String) -> Int? {
    let letters = Array(text)
    func ways(_ wanted: [Character], from place: Int) -> [[Int]] {
      guard let first = wanted.first else { return [[]] }
      return letters.indices.filter { $0 >= place && letters[$0].lowercased() == String(first) }.flatMap { found in
        ways(Array(wanted.dropFirst()), from: found + 1).map { [found] + $0 }
      }
    }
    func begins(_ place: Int) -> Bool {
      guard letters[place].isLetter else { return place == 0 }
      return place == 0 || !letters[place - 1].isLetter || letters[place].isUppercase && letters[place - 1].isLowercase
    }
    return ways(Array(query), from: 0).map { way in
      var sum = 0
      for (number, place) in way.enumerated() {
        sum += 16 + (begins(place) ? 12 : 0)
        if number == 0 {
          sum += (place == 0 ? 6 : 0) - min(12, place)
        } else {
          let gap = place - way[number - 1] - 1
          sum += gap == 0 ? 10 : -gap
        }
      }
      return sum
    }.max()
  }
}
