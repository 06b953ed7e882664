import ScriptHost

// What is pasted where nothing of the face's takes it: an app that takes what is typed takes it as if it were.

/// What is being typed of what was pasted: a character when the app has taken the one before, since that may have changed what they mean.
struct Pasting {
  fileprivate struct Key: Equatable {
    let stroke: Stroke
    /// The name of the action that types it.
    let name: String
  }

  /// What is still to be typed.
  fileprivate var rest: ArraySlice<(character: String, key: Key)>
  /// Who has taken what was typed so far.
  fileprivate var taker: String?
  /// Whether something else has the focus than where it began.
  fileprivate(set) var hasMoved = false
  /// Whether the app has said since what its keys do.
  fileprivate(set) var hasOtherKeys = false
}

extension Face {
  /// Has the keys of what was pasted be pressed, unless one of them types nothing: then none is.
  func typePasted(_ text: String) {
    guard !text.isEmpty else { return }
    let keys = typingKeys
    guard !keys.isEmpty, open.isEmpty, strokes.begun.isEmpty else { return refuse("nothing here takes what is pasted") }
    guard text.count <= Self.mostPasted else {
      return refuse("\(text.count) characters are too many to be pasted here: up to \(Self.mostPasted) are")
    }
    var typed: [(character: String, key: Pasting.Key)] = []
    for character in text {
      let known = character.isNewline ? "\n" : String(character)
      guard let key = keys[known] else {
        return refuse("nothing here takes \(Self.named(known)), so nothing was pasted")
      }
      typed.append((known, key))
    }
    pasting = Pasting(rest: typed[...])
    typeOn()
  }

  /// Types the next character, once it is known what its key does; what would go to something else than where it began is left out.
  func typeOn() {
    guard var going = pasting, !awaited.values.contains(where: { $0.isOfKeys || $0.isPasted }), !stale.contains(.keys)
    else { return }
    if going.hasOtherKeys {
      let keys = typingKeys
      going.hasMoved = going.hasMoved || going.rest.contains { keys[$0.character] != $0.key }
      going.hasOtherKeys = false
    }
    guard let next = going.rest.first else { return pasting = nil }
    guard !going.hasMoved, over.isEmpty, open.isEmpty, strokes.begun.isEmpty else { return stopPasting() }
    going.rest = going.rest.dropFirst()
    pasting = going
    var deed = FaceDeed(kind: .press([next.key.stroke]), title: "What was pasted")
    (deed.isTyping, deed.isPasted) = (true, true)
    carryOut(deed)
  }

  /// Leaves out what is left, and says so; behind why, where the app has said that.
  func stopPasting(_ reason: String = "it would go to something else") {
    guard let left = pasting?.rest.count else { return }
    pasting = nil
    if left > 0 { refuse("\(left) characters of what was pasted are left out: \(reason)") }
  }

  /// Something else has the focus.
  func pastingMoved() { pasting?.hasMoved = true }

  /// What came of a character: it goes on as long as the same one takes each.
  func pasted(_ outcome: Outcome) {
    guard outcome.status == .handled else {
      return stopPasting(outcome.reason ?? outcome.error?.message ?? outcome.status.rawValue)
    }
    if let taker = pasting?.taker, taker != outcome.by { return pastingMoved() }
    pasting?.taker = outcome.by
  }

  /// The app has said what its keys do now.
  func pastingHasOtherKeys() { pasting?.hasOtherKeys = true }

  /// A page of text; who pastes more has a file of it.
  static let mostPasted = 4096
  /// The keys that type, by what they type; the tab key too, where what it does is the same, if it does so with blanks.
  private var typingKeys: [String: Pasting.Key] {
    var typing: [String: Pasting.Key] = [:]
    var names: Set<String> = []
    for bound in keys where bound.entry.isReached && bound.isTyping {
      let name = bound.name
      if let typed = bound.typed { typing[typed] = Pasting.Key(stroke: bound.sequence.strokes[0], name: name) }
      names.insert(name)
    }
    let tab = keys.first { $0.entry.isReached && $0.sequence.strokes == [.tab] }
    if let name = tab?.name, names.contains(name) { typing["\t"] = Pasting.Key(stroke: .tab, name: name) }
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
