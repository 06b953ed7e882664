/// An identifier with a number, so that comparing, hashing and looking it up are as fast as for an integer.
///
/// Only names of the same host can be compared.
struct Name: Hashable, Sendable {
  let index: Int32
}

/// The names of one host. Each sequence of bytes is one name.
///
/// `é` and `e` with a combining accent are two names, although Swift's strings are equal. A name lives as long as the
/// host, so only declarations intern names. For other texts of scripts use `name(of:)`. Only a name of clients ends
/// earlier, once all its clients are gone and the names of clients are used up.
final class NameTable {
  /// The most names that scripts may create.
  static let limit = 65_536
  /// The most names that all clients together may create, so that scripts always have as many.
  static let limitOfClients = 32_768
  /// The most names that a single plugin may create.
  static let limitOfPlugin = 8192
  private let index = TextIndex()
  private var texts: ContiguousArray<String> = []

  /// The number of names.
  var count: Int { texts.count - index.removed }
  /// The names that clients created.
  private(set) var ofClients: Set<Name> = []

  /// Returns the name of these bytes, created on first use.
  func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> Name {
    let number = index.insert(bytes)
    if number == texts.count {
      texts.append(String(decoding: bytes, as: UTF8.self))
    } else if texts[number].isEmpty, bytes.count > 0 {
      texts[number] = String(decoding: bytes, as: UTF8.self)
    }
    return Name(index: Int32(truncatingIfNeeded: number))
  }

  /// Returns the name of this text, created on first use.
  func intern(_ text: String) -> Name {
    text.withBytes(intern)
  }

  /// Notes that clients created these names.
  func noteOfClients(_ names: some Sequence<Name>) { ofClients.formUnion(names) }

  /// Ends names of clients, and gives their numbers to later names.
  func remove(_ names: Set<Name>) {
    ofClients.subtract(names)
    index.remove(names.map { Int($0.index) })
    for name in names { texts[Int(name.index)] = "" }
  }

  /// Returns the name of these bytes; nil if it wasn't interned.
  @inline(__always)
  func name(of bytes: UnsafeBufferPointer<UInt8>) -> Name? {
    index.find(bytes).map { Name(index: Int32(truncatingIfNeeded: $0)) }
  }

  /// Returns the name of this text; nil if it wasn't interned.
  @inline(__always)
  func name(of text: String) -> Name? {
    text.withBytes { bytes in name(of: bytes) }
  }

  /// Returns the text of a name; empty for an unknown name of another host.
  func text(of name: Name) -> String {
    let index = Int(name.index)
    return texts.indices.contains(index) ? texts[index] : ""
  }
}

extension Unicode.Scalar {
  /// Whether a component of a name may begin with it: a letter of any script, `_` or `-`.
  var beginsName: Bool {
    isASCII ? isASCIILetter || self == "_" || self == "-" : kind == .letter
  }

  /// Whether it may be inside a component: also a digit, or a mark on the previous letter.
  var continuesName: Bool {
    isASCII ? beginsName || isASCIIDigit : kind != .other
  }

  /// Whether a bare word may begin with it.
  var beginsBareWord: Bool {
    isASCII ? continuesBareWord : kind == .letter || kind == .digit
  }

  /// Whether it may be inside a bare word.
  var continuesBareWord: Bool {
    switch self {
    case ".", "/", "+", "#", "@", "%", "*", "~": true
    default: continuesName
    }
  }

  /// Whether it is a digit of any script.
  var isDigit: Bool {
    isASCII ? isASCIIDigit : kind == .digit
  }

  /// Whether it is one of JSON's four blanks.
  var isBlank: Bool {
    self == " " || self == "\t" || self == "\n" || self == "\r"
  }

  /// Whether a terminal may obey it instead of showing it.
  var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether it can be shown unchanged, as a separate shape on one line.
  package var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    case .nonspacingMark, .spacingMark, .enclosingMark: false
    case .spaceSeparator: self == " "
    default: true
    }
  }

  /// Whether it takes no width when shown.
  package var isMark: Bool {
    !isASCII && kind == .mark
  }

  /// The role of a non-ASCII scalar in a name.
  private enum Kind {
    case letter, digit, mark, other
  }

  private var kind: Kind {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: .letter
    case .decimalNumber: .digit
    case .nonspacingMark, .spacingMark, .enclosingMark: .mark
    default: .other
    }
  }

  private var isASCIILetter: Bool {
    (97...122).contains(value | 0x20)
  }

  private var isASCIIDigit: Bool {
    (48...57).contains(value)
  }
}

/// Returns the known names closest to an unknown one, closest first, for "did you mean".
///
/// A name is close if few letters are missing, extra, wrong or swapped: one in three, and three at most. Equally close
/// names are in byte order, so that messages are stable. With very many names it returns none, because a search would
/// take too long for a hint.
package func nearest(to wanted: String, among known: some Sequence<String>, limit: Int = 3) -> [String] {
  var steps = mostStepsOfNearing
  return nearest(to: wanted, among: known, limit: limit, within: &steps)
}

/// The most steps of one search for close names, about as many as for ten thousand long ones.
let mostStepsOfNearing = 1 << 22

/// Returns the end of a sentence about an unknown name: the nearest known one, or else all of them.
package func meant(_ wanted: String, among known: [String]) -> String {
  if let near = nearest(to: wanted, among: known).first { return "; did you mean '\(near)'?" }
  guard known.count > 1 else { return ": there is only \(known.first.map { "'\($0)'" } ?? "none")" }
  return ": there are \(known.dropLast().joined(separator: ", ")) and \(known.last ?? "")"
}

/// Finds close names within a budget of steps; none if the budget runs out.
func nearest(to wanted: String, among known: some Sequence<String>, limit: Int = 3, within steps: inout Int) -> [String]
{
  var distance = EditDistance(from: wanted)
  var found: [(name: String, edits: Int)] = []
  for name in known {
    if steps <= 0 { return [] }
    let edits = name.isSameButForCase(as: wanted) ? 1 : distance.to(name)
    steps -= distance.steps
    guard let edits, !name.hasSameBytes(as: wanted), !found.contains(where: { $0.name.hasSameBytes(as: name) }) else {
      continue
    }
    let place = found.firstIndex { edits < $0.edits || edits == $0.edits && name.precedesByBytes($0.name) }
    found.insert((name, edits), at: place ?? found.endIndex)
    if found.count > limit { found.removeLast() }
  }
  return found.map(\.name)
}

extension String {
  /// Returns true if it differs from another text only in case.
  fileprivate func isSameButForCase(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && utf8.elementsEqual(other.utf8) { left, right in
        left == right || left ^ right == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(left | 0x20)
      }
  }
}

/// Counts the edits from one name to others, up to a small limit.
///
/// This is the Damerau-Levenshtein distance where no place is edited twice. It compares only the first 64 scalars, and
/// skips names whose lengths differ too much. Within few edits, only a few places beside the diagonal of each row can
/// count, so it computes only those. It stops once two rows exceed the limit.
private struct EditDistance {
  private static let length = 64
  private let wanted: [Unicode.Scalar]
  private let most: Int
  private var before: [Int]
  private var last: [Int]
  private var row: [Int]
  /// The number of steps for the last name.
  private(set) var steps = 0

  init(from wanted: String) {
    self.wanted = Array(wanted.unicodeScalars.prefix(Self.length))
    most = min(3, max(1, self.wanted.count / 3))
    row = Array(repeating: 0, count: self.wanted.count + 1)
    before = row
    last = row
  }

  /// Returns the number of edits to a name; nil if there are too many.
  mutating func to(_ name: String) -> Int? {
    let name = Array(name.unicodeScalars.prefix(Self.length))
    steps = 16 + name.count
    guard abs(name.count - wanted.count) <= most else { return nil }
    let far = most + 1
    for column in 0...min(far, wanted.count) { row[column] = column }
    var least = 0
    for line in name.indices {
      (before, last, row) = (last, row, before)
      let leastBefore = least
      least = far
      let first = max(0, line + 1 - most)
      let end = min(wanted.count, line + 1 + most)
      if first == 0 {
        row[0] = line + 1
        least = row[0]
      } else {
        row[first - 1] = far
      }
      for column in stride(from: max(first, 1), through: end, by: 1) {
        let differs = wanted[column - 1] == name[line] ? 0 : 1
        var edits = min(last[column - 1] + differs, last[column] + 1, row[column - 1] + 1)
        if column > 1, line > 0, wanted[column - 1] == name[line - 1], wanted[column - 2] == name[line] {
          edits = min(edits, before[column - 2] + 1)
        }
        row[column] = edits
        least = min(least, edits)
      }
      if end < wanted.count { row[end + 1] = far }
      steps += end - first
      if least > most, leastBefore > most { return nil }
    }
    let edits = row[wanted.count]
    return edits <= most && edits < max(wanted.count, name.count) ? edits : nil
  }
}

extension String {
  /// The text with a small first letter, as a variable is named after its type.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

  /// The noun with its article.
  var withArticle: String { (first.map { "AEIOUaeiou".contains($0) } ?? false ? "an " : "a ") + self }
}
