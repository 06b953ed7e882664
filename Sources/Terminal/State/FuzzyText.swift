/// A *fuzzy text* is what the palette looks through: folded once, so that each letter typed costs little however many there are.
struct FuzzyText {
  /// One scalar, in lower case, or as it is where that is more than one.
  private struct Letter {
    let value: UInt32
    /// Whether a word begins with it: behind a blank or a sign, and at a capital behind a small letter.
    let begins: Bool
  }

  private var letters: [Letter] = []
  /// A bit for each letter that it has, by which most texts are passed over at once.
  private var mask: UInt64 = 0

  init(_ text: String) {
    letters.reserveCapacity(text.utf8.count)
    var before = Kind.sign
    for scalar in text.unicodeScalars {
      let (value, kind) = scalar.folded
      let begins = kind != .sign && (before == .sign || kind == .capital && before == .small)
      letters.append(Letter(value: value, begins: begins || letters.isEmpty))
      mask |= value.bit
      before = kind
    }
  }

  /// Texts one behind another, a blank between them.
  init(joining texts: [FuzzyText]) {
    letters.reserveCapacity(texts.reduce(texts.count) { $0 + $1.letters.count })
    for text in texts {
      if !letters.isEmpty { letters.append(Letter(value: 0x20, begins: false)) }
      letters += text.letters
      mask |= text.mask
    }
  }

  /// The kind of a scalar in a word.
  fileprivate enum Kind {
    case sign, small, capital, other
  }

  /// What was typed, folded the same way; blanks only part it for who reads it.
  struct Query {
    fileprivate let letters: [UInt32]
    fileprivate let mask: UInt64

    init(_ text: String) {
      letters = text.unicodeScalars.filter { $0 != " " }.map(\.folded.value)
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
        guard letters[place].value == wanted else { continue }
        let own = Weight.found + (letters[place].begins ? Weight.beginsWord : 0)
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
  /// What stands for it, and what it is in a word. What is not ASCII is looked up in tables, which takes as long as thirty letters that are.
  fileprivate var folded: (value: UInt32, kind: FuzzyText.Kind) {
    switch value {
    case 0x41...0x5A: return (value | 0x20, .capital)
    case 0x61...0x7A: return (value, .small)
    case 0x30...0x39: return (value, .other)
    case ..<0x80: return (value, .sign)
    default: break
    }
    guard properties.isAlphabetic else { return (value, properties.numericType == nil ? .sign : .other) }
    let mapped = properties.lowercaseMapping.unicodeScalars
    let small = mapped.count == 1 ? mapped.first?.value ?? value : value
    return (small, small == value ? .small : .capital)
  }
}

extension UInt32 {
  /// One bit of sixty-four for a letter.
  fileprivate var bit: UInt64 { 1 << UInt64(self & 63) }
}
