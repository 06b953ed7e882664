/// A text that the palette searches. It is folded once, so that each typed letter is fast even with many texts.
package struct FuzzyText {
  /// One scalar in lower case; unchanged if its lower case has several scalars.
  private struct Letter {
    let value: UInt32
    /// Whether a word begins here: after a blank or a sign, or with a capital after a small letter.
    let begins: Bool
  }

  private var letters: [Letter] = []
  /// A bit for each letter in the text, to skip most texts at once.
  private var mask: UInt64 = 0

  package init(_ text: String) {
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

  /// Joins texts with blanks between them.
  package init(joining texts: [FuzzyText]) {
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

  /// The typed text, folded in the same way, without blanks.
  package struct Query {
    fileprivate let letters: [UInt32]
    fileprivate let mask: UInt64

    package init(_ text: String) {
      letters = text.unicodeScalars.filter { $0 != " " }.map(\.folded.value)
      mask = letters.reduce(0) { $0 | $1.bit }
    }

    package var isEmpty: Bool { letters.isEmpty }
  }

  /// The scores of a letter that is found.
  private enum Weight {
    static let found = 16
    static let beginsWord = 12
    /// The previous letter of the query is right before it.
    static let follows = 10
    static let firstOfAll = 6
    static let gap = -1
    static let longestGap = 12
    /// The query is the whole text: no bonus of another text is as large.
    static let whole = 64
  }

  /// Returns the best score of a query, whose letters must be in the text in this order; nil if one is missing.
  package func score(_ query: Query) -> Int? {
    if query.isEmpty { return 0 }
    // Only the previous letter's row is needed.
    var row: [Int] = []
    guard canHold(query) else { return nil }
    for number in query.letters.indices { row = scores(query, number, after: row) }
    let isWhole = query.letters.count == letters.count { $0.value != 0x20 }
    return row.max().flatMap { $0 > .min ? $0 + (isWhole ? Weight.whole : 0) : nil }
  }

  /// Returns the offsets of a query's letters with the best score, in scalars; nil if one is missing.
  package func places(of query: Query) -> [Int]? {
    if query.isEmpty { return [] }
    guard canHold(query) else { return nil }
    var rows: [[Int]] = []
    for number in query.letters.indices { rows.append(scores(query, number, after: rows.last ?? [])) }
    var places: [Int] = []
    for row in rows.reversed() {
      func value(_ place: Int) -> Int {
        guard row[place] > .min else { return .min }
        guard let next = places.last else { return row[place] }
        return row[place] + (place == next - 1 ? Weight.follows : Weight.gap * (next - place - 1))
      }
      let before = 0..<(places.last ?? row.count)
      guard let best = before.max(by: { value($0) < value($1) }), row[best] > .min else { return nil }
      places.append(best)
    }
    return places.reversed()
  }

  /// Returns true if the query's letters are in the text in this order. Takes one pass.
  package func has(_ query: Query) -> Bool {
    guard canHold(query) else { return false }
    var wanted = query.letters[...]
    for letter in letters where letter.value == wanted.first { wanted.removeFirst() }
    return wanted.isEmpty
  }

  private func canHold(_ query: Query) -> Bool { query.mask & ~mask == 0 && query.letters.count <= letters.count }

  /// For one letter of a query, returns the best score that ends at each place, given those of the previous letter.
  private func scores(_ query: Query, _ number: Int, after row: [Int]) -> [Int] {
    let wanted = query.letters[number]
    var next = [Int](repeating: .min, count: letters.count)
    // The best score so far, minus the cost of the gap since.
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
    return next
  }
}

extension Unicode.Scalar {
  /// The folded scalar, and its kind in a word. Non-ASCII scalars need tables, which take thirty times as long as
  /// ASCII.
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
  /// The letter's bit among 64.
  fileprivate var bit: UInt64 { 1 << UInt64(self & 63) }
}
