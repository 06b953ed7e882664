/// A *foreign stroke* is a stroke as other programs spell it: `C-s`, `<C-S-p>`, `⌘S`. It is refused, and its spelling here is suggested.
struct ForeignStroke {
  /// Its spelling here; nil if that isn't known, or is the same.
  let here: String?

  private static let signs: [Character: String] = ["⌘": "mod", "⌥": "alt", "⌃": "ctrl", "⇧": "shift", "^": "ctrl"]

  /// Our names of modifiers, by the letters that Emacs and Vim use.
  private static let letters = ["c": "ctrl", "m": "alt", "a": "alt", "d": "mod"]

  init?(_ word: Substring) {
    guard word.utf8.count <= 40 else { return nil }
    var rest = word
    if rest.count > 2, rest.first == "<", rest.last == ">" { rest = rest.dropFirst().dropLast() }
    var modifiers: [String] = []
    while rest.count > 1, let first = rest.first {
      if let sign = Self.signs[first] {
        modifiers.append(sign)
        rest = rest.dropFirst()
      } else if let (modifier, behind) = Self.modifier(before: rest) {
        modifiers.append(modifier)
        rest = behind
      } else {
        break
      }
    }
    let spelt = (modifiers + [KeyNames.here(Self.key(rest))]).joined(separator: "+")
    // A suggestion that can't be parsed here is no help.
    here = spelt != word.lowercased() && (try? KeySequence.parse(spelt))?.strokes.count == 1 ? spelt : nil
  }

  /// The modifier that the text begins with, and the text behind its separator.
  private static func modifier(before rest: Substring) -> (name: String, behind: Substring)? {
    guard let end = rest.dropFirst().firstIndex(where: { "-+_,".contains($0) }) else { return nil }
    let behind = rest[rest.index(after: end)...]
    guard !behind.isEmpty else { return nil }
    let written = rest[..<end]
    // Emacs distinguishes shift from super by case.
    if written == "S" { return ("shift", behind) }
    if written == "s" { return ("super", behind) }
    let name = written.lowercased()
    let here = letters[name] ?? KeyNames.here(name)
    return Modifiers(name: here) == nil ? nil : (here, behind)
  }

  /// The name of a key without what browsers put before it: `KeyS`, `Digit1`.
  private static func key(_ word: Substring) -> String {
    for prefix in ["Key", "Digit"] where word.hasPrefix(prefix) && word.count == prefix.count + 1 {
      return word.dropFirst(prefix.count).lowercased()
    }
    return word.lowercased()
  }
}
