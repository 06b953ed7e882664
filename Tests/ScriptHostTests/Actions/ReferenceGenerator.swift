@testable import ScriptHost

/// Random numbers, the same for the same seed.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    let high = (state ^ state >> 30).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
    return high.high ^ high.low
  }

  /// Returns true once in so many times.
  mutating func once(in times: Int) -> Bool {
    Int.random(in: 0..<times, using: &self) == 0
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }
}

/// Makes references, each with a text in one of its many spellings.
struct ReferenceGenerator {
  private var chance: Chance
  private static let letters = "abcXYZ_-éßЖקशि日字ａ".unicodeScalars.filter(\.beginsName).map { String($0) }
  private static let marks = ["1", "٣", "\u{301}", "\u{93F}"]
  private static let pieces =
    ")(\"\\/:,[]{}' \u{0}\u{1F}\n\t\u{7F}\u{85}\u{2028}\u{301}é😀日٣1-+.e0#%~*".unicodeScalars.map { String($0) }
    + ["", "e\u{301}", "true", "null"]

  init(seed: UInt64) {
    chance = Chance(seed: seed)
  }

  mutating func next() -> (reference: Reference, text: String) {
    let id = (0..<Int.random(in: 1...4, using: &chance)).map { _ in component() }.joined(separator: ".")
    if chance.once(in: 8) { return (Reference(id: id, arguments: nil), blanks() + id + blanks()) }
    let (arguments, text) = members(depth: 0)
    let whole = blanks() + id + blanks() + "(" + text + ")" + blanks()
    return (Reference(id: id, arguments: arguments), whole)
  }

  private mutating func component() -> String {
    var component = chance.pick(Self.letters)
    for _ in 0..<Int.random(in: 0...5, using: &chance) { component += chance.pick(Self.letters + Self.marks) }
    return component
  }

  private mutating func members(depth: Int) -> (LiteralObject, String) {
    var members: [LiteralObject.Member] = []
    var texts: [String] = []
    for _ in 0..<count(depth: depth) {
      let key = string()
      guard !members.contains(where: { $0.key.hasSameBytes(as: key) }) else { continue }
      let (value, text) = literal(depth: depth + 1)
      members.append(LiteralObject.Member(key: key, value: value))
      texts.append(blanks() + spelled(key, asKey: true) + blanks() + ":" + blanks() + text + blanks())
    }
    return (LiteralObject(distinct: members), members.isEmpty ? blanks() : texts.joined(separator: ","))
  }

  private mutating func list(depth: Int) -> ([Literal], String) {
    let values = (0..<count(depth: depth)).map { _ in literal(depth: depth + 1) }
    let texts = values.map { blanks() + $0.text + blanks() }
    return (values.map(\.literal), values.isEmpty ? blanks() : texts.joined(separator: ","))
  }

  private mutating func literal(depth: Int) -> (literal: Literal, text: String) {
    switch Int.random(in: 0..<9, using: &chance) {
    case 0: return (.null, "null")
    case 1: return chance.once(in: 2) ? (.bool(true), "true") : (.bool(false), "false")
    case 2, 3:
      let value = Int(truncatingIfNeeded: chance.next()) >> Int.random(in: 0..<64, using: &chance)
      return (.integer(value), String(value))
    case 4: return number()
    case 5:
      let (values, text) = list(depth: depth)
      return (.list(values), "[" + text + "]")
    case 6:
      let (object, text) = members(depth: depth)
      return (.object(object), "{" + text + "}")
    default:
      let value = string()
      return (.text(value), spelled(value, asKey: false))
    }
  }

  private mutating func number() -> (Literal, String) {
    let value = Double(bitPattern: chance.next())
    guard value.isFinite else { return (.number(0.5), "5E-1") }
    return (.number(value), value.description)
  }

  private mutating func string() -> String {
    if chance.once(in: 2) { return component() }
    return (0..<Int.random(in: 0...4, using: &chance)).map { _ in chance.pick(Self.pieces) }.joined()
  }

  /// The text in a possible spelling: bare if it certainly may be, or else with some of its characters escaped.
  private mutating func spelled(_ text: String, asKey: Bool) -> String {
    let surelyBare = text.utf8.allSatisfy { (97...122).contains($0) } && !text.isEmpty
    if surelyBare, asKey || !["true", "false", "null"].contains(text), chance.once(in: 2) { return text }
    var spelled = "\""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || chance.once(in: 6) {
        for unit in String(scalar).utf16 { spelled += "\\u" + hexadecimal(UInt32(unit), digits: 4) }
      } else {
        spelled.unicodeScalars.append(scalar)
      }
    }
    return spelled + "\""
  }

  private mutating func count(depth: Int) -> Int {
    depth > 4 ? 0 : Int.random(in: 0...3, using: &chance)
  }

  private mutating func blanks() -> String {
    chance.once(in: 3) ? chance.pick([" ", "  ", "\t", "\n", "\r\n"]) : ""
  }
}
