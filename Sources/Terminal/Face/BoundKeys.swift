import ScriptHost

/// Keys that the app has bound.
struct BoundKeys {
  let sequence: KeySequence
  let entry: KeyEntry
  /// The character that they are and that what they do is given.
  let typed: String?
  /// Whether they type themselves. Of such keys there are too many to name each, and what they do is to be seen.
  private(set) var isTyping = false

  init(sequence: KeySequence, entry: KeyEntry) {
    self.sequence = sequence
    self.entry = entry
    typed = Self.typed(sequence, entry)
  }

  /// All that is bound. Keys type themselves where many characters are given to the same action: one that is given its own is a key like others.
  static func all(_ bound: [BoundKeys]) -> [BoundKeys] {
    let counts = Dictionary(
      bound.filter { $0.typed != nil && $0.entry.isReached }.map { ($0.name, 1) }, uniquingKeysWith: +)
    return bound.map { one in
      var one = one
      one.isTyping = one.typed != nil && counts[one.name] ?? 0 >= HelpEntry.many
      return one
    }
  }

  private static func typed(_ sequence: KeySequence, _ entry: KeyEntry) -> String? {
    guard !entry.isItem, sequence.strokes.count == 1,
      let typed = sequence.strokes[0].typed ?? (sequence.strokes[0] == .enter ? "\n" : nil)
    else { return nil }
    let arguments = (try? Reference.parse(entry.reference))?.arguments?.members ?? []
    return arguments.contains { $0.value == .text(typed) } ? typed : nil
  }

  /// The name of what they do, without its arguments.
  var name: String { (try? Reference.parse(entry.reference))?.name ?? entry.reference }

  /// What they do, as one would say it where nobody has said how it is called: its name, and what it is given.
  var words: String {
    guard let reference = try? Reference.parse(entry.reference) else { return entry.reference }
    let given = reference.arguments?.members.map { member -> String in
      switch member.value {
      case .bool(true): member.key
      case .bool(false): "no \(member.key)"
      default: Value(member.value).spelling
      }
    }
    return ([reference.name] + (given ?? [])).joined(separator: " ")
  }
}

extension BoundKeys {
  /// Whether they are a letter or a digit.
  var isLetter: Bool { sequence.strokes.first?.key.allSatisfy { $0.isLetter || $0.isNumber } ?? false }
}

extension Stroke {
  /// What it types, where it types anything.
  var typed: String? {
    guard modifiers.isSubset(of: .shift) else { return nil }
    if key == "space" { return " " }
    guard key.unicodeScalars.count == 1 else { return nil }
    return modifiers.contains(.shift) ? key.uppercased() : key
  }
}

/// An action that goes on.
struct RunningJob {
  let number: Int
  var title: String
  /// Whether it went on before the face asked what does.
  var wasThere = false
  /// What it is called where nobody has said that.
  var named: String { title.isEmpty ? "An action" : title }
  var fraction: Double?
  var text = ""
}

/// The strokes of a sequence that was begun, and from when on it is shown how it may go on.
struct PendingStrokes {
  var begun: [Stroke] = []
  var hintsFrom: Duration?
}
