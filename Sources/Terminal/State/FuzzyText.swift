/// A *fuzzy text* is what the palette looks through: folded once, so that each letter typed costs little however many there are.
struct FuzzyText {
  /// Its scalars in lower case, or as they are where that is more than one.
  private let letters: [UInt32]
  /// Where a word begins: behind a blank or a sign, and at a capital behind a small letter.
  private let begins: [Bool]
  /// A bit for each letter that it has, by which most texts are passed over at once.
  private let mask: UInt64

  init(_ text: String) {
    var letters: [UInt32] = []
    var begins: [Bool] = []
    var mask: UInt64 = 0
    var before: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      let folded = scalar.folded
      letters.append(folded)
      begins.append(scalar.beginsWord(after: before))
      mask |= folded.bit
      before = scalar
    }
    self.letters = letters
    self.begins = begins
    self.mask = mask
  }

  /// What was typed, folded the same way; blanks only part it for who reads it.
  struct Query {
    fileprivate let letters: [UInt32]
    fileprivate let mask: UInt64

    init(_ text: String) {
      letters = text.unicodeScalars.filter { $0 != " " }.map(\.folded)
      mask = letters.reduce(0) { $0 | $1.bit }
    }

    var isEmpty: Bool { letters.isEmpty }
  }

  /// What a letter that is found counts, and what makes it count more or less.
  private enum Weight {
    static let found = 16
    static let beginsWord = 12
    /// The letter before it was found right before it.
    static let follows = 10
    static let firstOfAll = 6
    static let gap = -1
    static let longestGap = 12
  }

  /// How well a query is found, its letters in order and in the places that count most; nil where one is missing.
  func score(_ query: Query) -> Int? {
    if query.isEmpty { return 0 }
    guard query.mask & ~mask == 0, query.letters.count <= letters.count else { return nil }
    // Of each letter typed, the best that ends at each place: the row of the letter before is all that the next one needs.
    var row = [Int](repeating: .min, count: letters.count)
    for (number, wanted) in query.letters.enumerated() {
      var next = [Int](repeating: .min, count: letters.count)
      // The best end so far, less what the gap since then costs.
      var best = Int.min
      for place in number..<letters.count {
        if best > .min { best += best > .min + 2 * Weight.longestGap ? Weight.gap : 0 }
        if number > 0, place > 1, row[place - 2] > best { best = row[place - 2] + Weight.gap }
        guard letters[place] == wanted else { continue }
        let own = Weight.found + (begins[place] ? Weight.beginsWord : 0)
        if number == 0 {
          next[place] = own + (place == 0 ? Weight.firstOfAll : 0) + max(-Weight.longestGap, Weight.gap * place)
        } else {
          let follows = row[place - 1] > .min ? row[place - 1] + Weight.follows : Int.min
          let best = max(follows, best)
          if best > .min { next[place] = best + own }
        }
      }
      row = next
    }
    return row.max().flatMap { $0 > .min ? $0 : nil }
  }
}

extension Unicode.Scalar {
  fileprivate var folded: UInt32 {
    if value < 0x80 { return (0x41...0x5A).contains(value) ? value | 0x20 : value }
    let small = properties.lowercaseMapping.unicodeScalars
    return small.count == 1 ? small.first?.value ?? value : value
  }

  fileprivate func beginsWord(after before: Unicode.Scalar?) -> Bool {
    guard let before else { return true }
    if properties.isAlphabetic || properties.numericType != nil {
      if !before.properties.isAlphabetic, before.properties.numericType == nil { return true }
      return properties.isUppercase && before.properties.isLowercase
    }
    return false
  }
}

extension UInt32 {
  /// One bit of sixty-four for a letter.
  fileprivate var bit: UInt64 { 1 << UInt64(self & 63) }
}
