import ScriptHost

// A paste without an open overlay is typed, if the app has bound keys that type.

extension Face {
  /// Presses the keys of a pasted text, all of them or none.
  func typePasted(_ text: String) {
    guard !text.isEmpty else { return }
    let keys = typingKeys
    guard takesTyped || !keys.isEmpty, bar.open.isEmpty, strokes.begun.isEmpty else {
      return refuse("nothing here accepts pasted text")
    }
    guard text.count <= Self.mostPasted else {
      return refuse("\(text.count) characters are too many to paste: the limit is \(Self.mostPasted)")
    }
    var typed: [Stroke] = []
    for character in text {
      let known = character.isNewline ? "\n" : String(character)
      guard let stroke = keys[known] ?? strokeTyping(known) else {
        return refuse("nothing here accepts \(Self.named(known)), so nothing was pasted")
      }
      typed.append(stroke)
    }
    for strokes in Self.parted(typed) {
      var deed = FaceDeed(kind: .press(strokes), title: "What was pasted")
      deed.isTyping = true
      carryOut(deed)
    }
  }

  /// Splits strokes into parts that fit `keys` of a request.
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

  /// The most characters of a paste, about a page. Longer text belongs into a file.
  static let mostPasted = 4096
  /// The most bytes that `keys` may have, with a blank after each stroke.
  private static let mostBytes = 256

  /// The keys that type, by their characters. Includes the tab key if it has the same action.
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

  /// Returns the stroke that types a character, if the app takes every unbound character.
  private func strokeTyping(_ character: String) -> Stroke? {
    guard takesTyped, let stroke = Stroke(typing: character), !bound.contains(stroke) else { return nil }
    return stroke
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
  /// Makes the stroke that types a character; nil if there is none.
  fileprivate init?(typing character: String) {
    let isCapital = character != character.lowercased()
    let key = character == " " ? "space" : character.lowercased()
    let stroke = Stroke(modifiers: isCapital ? .shift : [], key: key)
    guard stroke.typed == character, (try? KeySequence.parse(stroke.text)) == KeySequence(stroke) else { return nil }
    self = stroke
  }

  fileprivate static let tab = Stroke(modifiers: [], key: "tab")
}
