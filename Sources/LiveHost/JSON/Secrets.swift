import Glibc
import ScriptHost

// A7: a secret, and any text that contains it, is sent to no client and written to no recording.

/// The *secrets* are the texts of secret arguments. Notifications and recordings replace them.
package struct Secrets {
  private var texts: Set<String> = []
  private var bytes = 0
  /// The texts in order, made when somebody asks.
  private var sorted = SortedTexts()
  /// Whether there were too many secrets to keep. From then on every text counts as secret.
  private var isFull = false
  private static let most = 10_000
  private static let mostBytes = 16 << 20

  package init() {}

  package var isEmpty: Bool { texts.isEmpty && !isFull }

  /// Keeps the texts, numbers and member names of a secret value. Booleans occur in too many places to mask.
  package mutating func keep(_ value: Value) {
    if isFull { return }
    switch value {
    case .text(let text): keep(text)
    case .integer(let number): keep("\(number)")
    case .number(let number):
      // In the notations of JSON and of Lua.
      keep("\(number)")
      keep(number.asLuaWrites)
    case .list(let values): for value in values { keep(value) }
    case .object(let members):
      for (key, value) in members {
        keep(key)
        keep(value)
      }
    case .null, .bool, .opaque: break
    }
  }

  private mutating func keep(_ text: String) {
    if text.isEmpty || texts.contains(text) { return }
    if texts.count == Self.most || bytes + text.utf8.count > Self.mostBytes {
      (texts, bytes, isFull, sorted) = ([], 0, true, SortedTexts())
      return
    }
    texts.insert(text)
    bytes += text.utf8.count
    sorted = SortedTexts()
  }

  /// Returns true if a text contains a secret.
  ///
  /// - Parameter asPart: whether a short secret counts within a word too, as in values of scripts but not in sentences.
  package func areIn(_ text: String, asPart: Bool) -> Bool {
    isFull || !found(in: text, asPart: asPart, most: 1).isEmpty
  }

  /// Returns the secrets that a text contains, as many as wanted.
  private func found(in text: String, asPart: Bool, most: Int) -> Set<String> {
    if texts.isEmpty { return [] }
    let bytes = Array(text.utf8)
    var found: Set<String> = []
    for start in bytes.indices {
      sorted.forEachStart(of: bytes[start...], in: texts) { secret in
        if bytes.isWhole(start..<start + secret.utf8.count, asPart: asPart) { found.insert(secret) }
      }
      if found.count >= most { break }
    }
    return found
  }

  /// Returns true if a text is a secret.
  fileprivate func have(_ text: String) -> Bool { isFull || texts.contains(text) }

  /// Returns the text with all secrets replaced.
  fileprivate func masking(_ text: String) -> String {
    if isFull { return text.isEmpty ? text : "secret" }
    // The longest first, because one secret may be a part of another.
    return found(in: text, asPart: false, most: .max).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }.reduce(text)
    { $0.without($1) }
  }
}

/// Texts in the order of their bytes. A text of them with which another text begins is found by halving.
private final class SortedTexts {
  private var all: [[UInt8]] = []
  /// For each text the longest other one with which it begins.
  private var begins: [Int?] = []

  /// Visits the texts with which another text begins.
  func forEachStart(of text: ArraySlice<UInt8>, in texts: Set<String>, _ visit: (String) -> Void) {
    if all.isEmpty { sort(texts) }
    // The last one that isn't after the text begins with each of those.
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if text.lexicographicallyPrecedes(all[middle]) { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return }
    let shared = zip(all[low - 1], text).prefix { $0 == $1 }.count
    var place: Int? = low - 1
    while let known = place {
      if all[known].count <= shared { visit(String(decoding: all[known], as: UTF8.self)) }
      place = begins[known]
    }
  }

  private func sort(_ texts: Set<String>) {
    all = texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    var open: [Int] = []
    for place in all.indices {
      while let last = open.last, !all[place].starts(with: all[last]) { open.removeLast() }
      begins.append(open.last)
      open.append(place)
    }
  }
}

extension Double {
  fileprivate var asLuaWrites: String {
    var bytes = [CChar](repeating: 0, count: 64)
    _ = withVaList([self]) { vsnprintf(&bytes, bytes.count, "%.14g", $0) }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension JSON {
  /// The value that replaces a secret one.
  package static let unsaid = JSON.object([("$", .text("secret"))])

  /// Returns the value with every part that contains a secret replaced.
  package func without(_ secrets: Secrets) -> JSON { without(secrets, keeping: Self.words, inWords: false) }

  /// Does the same for a script's value, in which no member name has a meaning for the host.
  package func value(without secrets: Secrets) -> JSON { without(secrets, keeping: nil, inWords: false) }

  /// Does the same for notifications, and keeps the members that the protocol needs.
  ///
  /// - Parameter inWords: whether to replace only the secret part of a text, so that it stays readable.
  package func told(without secrets: Secrets, inWords: Bool) -> JSON {
    without(secrets, keeping: Self.words.union(Self.wordsOfProtocol), inWords: inWords)
  }

  /// - Parameter kept: the names of members whose values can't be secret; nil in a script's value, with any names.
  private func without(_ secrets: Secrets, keeping kept: Set<String>?, inWords: Bool) -> JSON {
    // The replacement itself stays, even if a secret is the word `secret`, and so does the name for a function.
    if secrets.isEmpty || self == .unsaid || self == .function { return self }
    switch self {
    case .text(let text) where inWords:
      let masked = secrets.masking(text)
      return kept == nil && secrets.areIn(masked, asPart: true) ? .unsaid : .text(masked)
    case .text(let text): return secrets.areIn(text, asPart: kept == nil) ? .unsaid : self
    // Outside of scripts' values, a number is the host's: of a job, a question or a line, or a bound of an argument.
    case .integer(let number): return kept == nil && secrets.have("\(number)") ? .unsaid : self
    case .number(let number): return kept == nil && secrets.have("\(number)") ? .unsaid : self
    case .list(let values): return .list(values.map { $0.without(secrets, keeping: kept, inWords: inWords) })
    case .object(let members):
      if kept == nil, members.contains(where: { secrets.areIn($0.0, asPart: true) }) { return .unsaid }
      return .object(
        members.map { key, value in
          // The host's own members stay. In a line of Lua (`eval`) and in the name of an event only the secret itself is
          // replaced.
          if kept?.contains(key) ?? false { return (key, value) }
          let isOfScripts = Self.valuesOfScripts.contains(key)
          let isInWords = inWords || key == "eval" || key == "event"
          return (key, value.without(secrets, keeping: isOfScripts ? nil : kept, inWords: isInWords))
        })
    default: return self
    }
  }

  /// The name that replaces a function.
  private static let function = JSON.object([("$", .text("function"))])

  /// The members with values of scripts: the arguments of an action, its results, the data of an event, and the values
  /// that a question names.
  private static let valuesOfScripts: Set<String> = [
    "args", "data", "result", "values", "one_of", "suggest", "default", "proposal",
  ]

  /// The members that are one of a few words.
  private static let words: Set<String> = [
    "status", "via", "kind", "change", "state", "mark", "code", "limit", "type", "severity",
  ]
  /// The members that name an action, a responder, an argument, an element or a file.
  private static let wordsOfProtocol: Set<String> = [
    "action", "after", "argument", "by", "file", "from", "id", "key", "level", "node", "owner", "parent", "to",
  ]

  /// Whether any part of the value was replaced as secret.
  package var isUnsaid: Bool {
    switch self {
    case .list(let values): values.contains(where: \.isUnsaid)
    case .object(let members): self == .unsaid || members.contains { $0.1.isUnsaid }
    default: false
    }
  }
}

extension String {
  /// Returns the text with all secrets replaced.
  package func without(all secrets: Secrets) -> String { secrets.masking(self) }

  /// Returns the text with a secret replaced by a placeholder.
  fileprivate func without(_ secret: String) -> String {
    let bytes = Array(utf8)
    var (kept, index): ([UInt8], Int) = ([], 0)
    while let place = bytes.place(of: secret, from: index) {
      kept += bytes[index..<place] + "secret".utf8
      index = place + secret.utf8.count
    }
    return String(decoding: kept + bytes[index...], as: UTF8.self)
  }
}

extension [UInt8] {
  /// Returns the place of a secret at or after `start`. A short secret must be a whole word.
  fileprivate func place(of secret: String, from start: Int) -> Int? {
    let wanted = Array(secret.utf8)
    var start = start
    while !wanted.isEmpty, let place = firstPlace(of: wanted, from: start) {
      if isWhole(place..<place + wanted.count, asPart: false) { return place }
      start = place + 1
    }
    return nil
  }

  /// Returns false if a short secret at these places is only part of a word.
  fileprivate func isWhole(_ places: Range<Int>, asPart: Bool) -> Bool {
    func isOfName(_ index: Int) -> Bool { indices.contains(index) && self[index].isOfName }
    return asPart || places.count > 3 || !isOfName(places.lowerBound - 1) && !isOfName(places.upperBound)
  }

  private func firstPlace(of wanted: [UInt8], from start: Int) -> Int? {
    var start = start
    while let place = self[start...].firstIndex(of: wanted[0]) {
      if self[place...].starts(with: wanted) { return place }
      start = place + 1
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var isOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
