extension KeySequence {
  /// How many bytes a text of keys may have.
  static let byteLimit = 256

  /// Reads keys: strokes with blanks between them, each a key after its modifiers and `+`, in any order and case.
  public static func parse(_ text: String) throws(KeyError) -> KeySequence {
    guard text.utf8.count <= byteLimit else { throw KeyError(.tooLong(bytes: text.utf8.count), in: text, at: 0) }
    var strokes: [Stroke] = []
    var rest = Substring(text).skippingBlanks
    while !rest.isEmpty {
      let word = rest.prefix { !$0.isBlank }
      strokes.append(try stroke(word, in: text))
      rest = rest[word.endIndex...].skippingBlanks
    }
    guard !strokes.isEmpty else {
      if text == " " { throw KeyError(.spelltElsewhere(text, here: "space"), in: text, at: 0) }
      throw KeyError(.noKey, in: text, at: text.utf8.count)
    }
    return KeySequence(strokes: strokes)
  }

  /// Reads a stroke. A name before a `+` is a modifier; a `+` in the last place is the key `+`.
  private static func stroke(_ word: Substring, in text: String) throws(KeyError) -> Stroke {
    var modifiers: Modifiers = []
    var rest = word
    while let plus = rest.unicodeScalars.dropFirst().firstIndex(of: "+") {
      let name = String(rest[..<plus])
      guard let modifier = Modifiers(name: name) else {
        if let here = ForeignStroke(word)?.here, here.contains("mod+") {
          throw KeyError(.spelltElsewhere(String(word), here: here), in: text, at: word.offset(in: text))
        }
        let near = KeyNames.near(name, isModifier: true)
        throw KeyError(.unknownModifier(name, near: near), in: text, at: rest.offset(in: text))
      }
      guard modifiers.isDisjoint(with: modifier) else {
        throw KeyError(.doubledModifier(name, is: modifier), in: text, at: rest.offset(in: text))
      }
      modifiers.formUnion(modifier)
      rest = rest[rest.unicodeScalars.index(after: plus)...]
    }
    guard !rest.isEmpty else { throw KeyError(.noKeyAfter(String(word)), in: text, at: rest.offset(in: text)) }
    return Stroke(modifiers: modifiers, key: try key(rest, of: word, in: text))
  }

  /// The key that remains of a word without its modifiers.
  private static func key(_ rest: Substring, of word: Substring, in text: String) throws(KeyError) -> String {
    let name = rest.lowercased()
    if name.count == 1, name.allSatisfy(\.isKey) { return name }
    if let key = KeyNames[name] { return key }
    if Modifiers(name: name) != nil {
      throw KeyError(.modifierAlone(String(rest)), in: text, at: rest.offset(in: text))
    }
    if let here = ForeignStroke(word)?.here {
      throw KeyError(.spelltElsewhere(String(word), here: here), in: text, at: word.offset(in: text))
    }
    let near = KeyNames.near(name, isModifier: false)
    throw KeyError(.unknownKey(String(rest), near: near), in: text, at: rest.offset(in: text))
  }
}

extension Substring {
  fileprivate var skippingBlanks: Substring { drop(while: \.isBlank) }

  /// How many bytes stand before it in the text that it is a part of.
  fileprivate func offset(in text: String) -> Int { text.utf8.distance(from: text.startIndex, to: startIndex) }
}

extension Character {
  /// Whether it stands between strokes.
  fileprivate var isBlank: Bool { unicodeScalars.allSatisfy(\.isBlank) }

  /// Whether it can be a key: it is visible, and not the replacement character of bytes that were no text.
  fileprivate var isKey: Bool {
    guard let first = unicodeScalars.first, first.isVisible, first != " ", first != "\u{FFFD}" else { return false }
    return unicodeScalars.dropFirst().allSatisfy { $0.isVisible || $0.isMark }
  }
}
