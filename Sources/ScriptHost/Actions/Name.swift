/// A *name* is an identifier that was given a number, so that comparing, hashing and looking it up cost as much as
/// with an integer.
///
/// Names of one host can be compared with each other, those of two hosts can't.
struct Name: Hashable, Sendable {
  let index: Int32
}

/// The names of one host: each sequence of bytes is one name.
///
/// `é` and `e` with an accent after it are two names, although Swift's strings take them for equal. A name stays for
/// the host's life, so only what is declared is interned; what a script merely asks for is looked up with
/// `name(of:)`.
final class NameTable {
  /// How many names scripts may make.
  static let limit = 65_536
  /// How many of them one plugin may make.
  static let limitOfPlugin = 8192
  private let index = TextIndex()
  private var texts: ContiguousArray<String> = []

  /// How many names there are.
  var count: Int { texts.count }

  /// The name of these bytes, a new one the first time.
  func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> Name {
    let number = index.insert(bytes)
    if number == texts.count { texts.append(String(decoding: bytes, as: UTF8.self)) }
    return Name(index: Int32(truncatingIfNeeded: number))
  }

  /// The name of this text, a new one the first time.
  func intern(_ text: String) -> Name {
    text.withBytes(intern)
  }

  /// The name of these bytes, or nil when nobody interned them.
  @inline(__always)
  func name(of bytes: UnsafeBufferPointer<UInt8>) -> Name? {
    index.find(bytes).map { Name(index: Int32(truncatingIfNeeded: $0)) }
  }

  /// The name of this text, or nil when nobody interned it.
  @inline(__always)
  func name(of text: String) -> Name? {
    text.withBytes { bytes in name(of: bytes) }
  }

  /// The text that was interned as this name; empty for a name of another host that has no equal here.
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

  /// Whether it may stand further on in a component: also a digit, or a mark that belongs to the letter before.
  var continuesName: Bool {
    isASCII ? beginsName || isASCIIDigit : kind != .other
  }

  /// Whether a bare word may begin with it.
  var beginsBareWord: Bool {
    isASCII ? continuesBareWord : kind == .letter || kind == .digit
  }

  /// Whether it may stand further on in a bare word.
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

  /// Whether a blank between tokens may be this: one of JSON's four.
  var isBlank: Bool {
    self == " " || self == "\t" || self == "\n" || self == "\r"
  }

  /// Whether a terminal may obey it rather than show it.
  var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Whether it can be shown as it is, a shape of its own on one line.
  package var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    case .nonspacingMark, .spacingMark, .enclosingMark: false
    case .spaceSeparator: self == " "
    default: true
    }
  }

  /// Whether it takes no room of its own where text is shown.
  package var isMark: Bool {
    !isASCII && kind == .mark
  }

  /// What a name can do with a scalar outside ASCII.
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

/// The known names closest to an unknown one, closest first, for "did you mean".
///
/// A name is close when few of its letters are missing, too many, wrong or swapped with their neighbour: one of
/// three, and three at most. Among equally close ones the order is that of their bytes, so that a message is always
/// the same.
/// Where there are very many names, none is found: looking would take longer than a hint is worth.
package func nearest(to wanted: String, among known: some Sequence<String>, limit: Int = 3) -> [String] {
  var steps = mostStepsOfNearing
  return nearest(to: wanted, among: known, limit: limit, within: &steps)
}

/// The budget of steps of one search for close names, about that of ten thousand long ones.
let mostStepsOfNearing = 1 << 22

/// The end of a sentence about a name that is none of a few: the one that was meant, else all there are.
package func meant(_ wanted: String, among known: [String]) -> String {
  if let near = nearest(to: wanted, among: known).first { return "; did you mean '\(near)'?" }
  return ": there are \(known.dropLast().joined(separator: ", ")) and \(known.last ?? "none")"
}

/// Finds close names with a budget of steps; none if it runs out.
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
  /// Whether it differs from another in capital letters at most.
  fileprivate func isSameButForCase(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && utf8.elementsEqual(other.utf8) { left, right in
        left == right || left ^ right == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(left | 0x20)
      }
  }
}

/// Counts the edits from one name to others, up to a small limit.
///
/// It is Damerau's and Levenshtein's distance in which no place is edited twice. Only the first 64 scalars of a name
/// are looked at, and names whose lengths differ by too much not at all. Where few edits lead anywhere, they lead to a few places beside
/// the one where nothing was left out: of each row only these are counted, and nothing more once all of two rows are too far.
private struct EditDistance {
  private static let length = 64
  private let wanted: [Unicode.Scalar]
  private let most: Int
  private var before: [Int]
  private var last: [Int]
  private var row: [Int]
  /// How many steps the last name took.
  private(set) var steps = 0

  init(from wanted: String) {
    self.wanted = Array(wanted.unicodeScalars.prefix(Self.length))
    most = min(3, max(1, self.wanted.count / 3))
    row = Array(repeating: 0, count: self.wanted.count + 1)
    before = row
    last = row
  }

  /// How many edits lead to the name; nil when they are too many to mean it.
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
