import ScriptHost

/// Keys that the app has bound.
struct BoundKeys {
  let sequence: KeySequence
  let entry: KeyEntry

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

  /// Whether they type themselves: a character that is an argument of what it does. Of such keys there are too many to name each, and what
  /// they do is to be seen.
  var isTyping: Bool {
    guard !entry.isItem, sequence.strokes.count == 1 else { return false }
    let typed = sequence.strokes[0].typed ?? (sequence.text == "enter" ? "\n" : nil)
    let arguments = (try? Reference.parse(entry.reference))?.arguments?.members ?? []
    return typed.map { typed in arguments.contains { $0.value == .text(typed) } } ?? false
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
