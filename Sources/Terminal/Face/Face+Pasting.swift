import ScriptHost

// What is pasted where nothing of the face's takes it: an app that takes what is typed takes it as if it were.

extension Face {
  /// Has the keys of what was pasted be pressed, all of them or none.
  func typePasted(_ text: String) {
    guard !text.isEmpty else { return }
    let keys = typingKeys
    guard !keys.isEmpty, open.isEmpty, strokes.begun.isEmpty else { return refuse("nothing here takes what is pasted") }
    guard text.count <= Self.mostPasted else {
      return refuse("\(text.count) characters are too many to be pasted here: up to \(Self.mostPasted) are")
    }
    var typed: [Stroke] = []
    for character in text {
      let known = character.isNewline ? "\n" : String(character)
      guard let stroke = keys[known] else {
        return refuse("nothing here takes \(Self.named(known)), so nothing was pasted")
      }
      typed.append(stroke)
    }
    for strokes in Self.parted(typed) {
      var deed = FaceDeed(kind: .press(strokes), title: "What was pasted")
      deed.isTyping = true
      carryOut(deed)
    }
  }

  /// Strokes in parts, none longer than keys may be.
  private static func parted(_ strokes: [Stroke]) -> [[Stroke]] {
    var (parts, bytes): ([[Stroke]], Int) = ([], mostBytes)
    for stroke in strokes {
      let more = stroke.text.utf8.count + 1
      if bytes + more > mostBytes {
        parts.append([])
        bytes = 0
      }
      parts[parts.count - 1].append(stroke)
      bytes += more
    }
    return parts
  }

  /// A page of text; who pastes more has a file of it.
  static let mostPasted = 4096
  /// So long keys may be, with a blank behind each.
  private static let mostBytes = 256

  /// The keys that type, by what they type; the tab key too, where what it does is the same, if it does so with blanks.
  private var typingKeys: [String: Stroke] {
    var typing: [String: Stroke] = [:]
    var names: Set<String> = []
    for bound in keys where bound.entry.isReached && bound.isTyping {
      if let typed = bound.typed { typing[typed] = bound.sequence.strokes[0] }
      names.insert(bound.name)
    }
    let tab = keys.first { $0.entry.isReached && $0.sequence.strokes == [.tab] }
    if let tab, names.contains(tab.name) { typing["\t"] = .tab }
    return typing
  }

  private static func named(_ character: String) -> String {
    switch character {
    case "\n": "the end of a line"
    case "\t": "a tab"
    case " ": "a space"
    default: "'\(character.visible)'"
    }
  }
}

extension Stroke {
  fileprivate static let tab = Stroke(modifiers: [], key: "tab")
}
