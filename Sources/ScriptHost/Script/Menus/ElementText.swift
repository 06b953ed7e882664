// Texts of elements: what can't be shown is replaced, and a text that is too long is cut; both with a warning.

extension String {
  /// The most bytes of a text that a script gives to be shown.
  static let longestShown = 4096

  /// The text as the host keeps and shows what scripts say: its first 4 KiB, with U+FFFD in place of control characters.
  func shown(hasLines: Bool) -> String {
    guard needsCare else { return self }
    return cut(toBytes: Self.longestShown).withoutControls(hasLines: hasLines).cut(toBytes: Self.longestShown)
  }

  fileprivate var needsCare: Bool {
    withBytes { bytes in
      // 0xC2 begins the control characters beyond ASCII, and a few others.
      bytes.count > Self.longestShown || bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }
    }
  }
}

extension ScriptEngine {
  /// A text that a script gives an element, made fit to be shown; some may have several lines.
  func shownText(
    _ value: LuaValue, _ what: @autoclosure () -> String, at place: Place?, hasLines: Bool = false
  ) -> String? {
    switch value {
    case .text(let text):
      guard text.needsCare else { return text }
      return careful(text, what(), at: place, hasLines)
    case .bytes(let bytes):
      warnOnce("text", "\(what()) is not UTF-8: what can't be read is shown as U+FFFD", at: place)
      return careful(String(decoding: bytes, as: UTF8.self), what(), at: place, hasLines)
    default: return nil
    }
  }

  private func careful(_ text: String, _ what: String, at place: Place?, _ hasLines: Bool) -> String {
    let cut = text.cut(toBytes: Element.textLimit)
    let shown = cut.shown(hasLines: hasLines)
    if !shown.hasSameBytes(as: cut) {
      warnOnce("text", "\(what) has control characters: they are shown as U+FFFD", at: place)
    }
    if text.utf8.count > Element.textLimit {
      warnOnce("text", "\(what) is longer than \(Element.textLimit) bytes: it is cut", at: place)
    }
    return shown
  }

  /// A text that a script declares and the host keeps; throws for any other value.
  func keptText(
    _ value: LuaValue, _ what: @autoclosure () -> String, at place: Place?, hasLines: Bool = false
  ) throws -> String {
    if let text = shownText(value, what(), at: place, hasLines: hasLines) { return text }
    throw LuaMisuse("\(what()) must be a string, not \(value.described)")
  }

  /// A name that a script declares and the host keeps. A cut one would be another name.
  func keptName(_ name: String, _ what: @autoclosure () -> String) throws -> String {
    guard name.utf8.count > Element.idLimit else { return name }
    throw LuaMisuse("\(what()) can have \(Element.idLimit) bytes at most, this one has \(name.utf8.count)")
  }

  /// An id that a script gives, which must be a text that people can read and write.
  func elementID(_ value: LuaValue, _ what: @autoclosure () -> String) throws -> String {
    switch value {
    case .text(let id):
      if id.isEmpty { throw LuaMisuse("\(what()) can't be empty") }
      if id.utf8.count > Element.idLimit {
        throw LuaMisuse("\(what()) can have \(Element.idLimit) bytes at most, this one has \(id.utf8.count)")
      }
      if id.unicodeScalars.contains(where: \.isControl) { throw LuaMisuse("\(what()) can't have control characters") }
      return id
    case .integer(let number): return String(number)
    case .bytes: throw LuaMisuse("\(what()) must be UTF-8")
    default: throw LuaMisuse("\(what()) must be a string, not \(value.described)")
    }
  }
}

// Names that other programs have for the fields of menus: they are suggested in warnings, and not accepted.

extension ScriptEngine {
  /// The field that is meant by another program's name for it; nil if none of the known fields is.
  static func elsewhere(_ name: String, among known: [String]) -> String? {
    foreignFields[name.lowercased()]?.first(where: known.contains)
  }

  /// What to write here in place of a field that others have and that doesn't exist here.
  static func otherwise(_ name: String, among known: [String], hasNear: Bool) -> String? {
    let isItem = known.contains("key")
    // A menubar has no fields, and a panel has one that nobody means by another name.
    let isRoot = known.allSatisfy { $0 == "typing" }
    let named = hasNear ? nil : nearest(to: name, among: ["title", "label", "action", "command", "children"]).first
    switch named ?? name.lowercased() {
    case "action", "command", "perform", "on", "onclick", "onselect", "handler", "callback", "run", "call":
      return isItem ? "the action stands first and has no name: item \"…\" { \"save\" }" : nil
    case "title", "label", "text", "name", "caption":
      if known.contains("row") { return "header = \"…\" is a line above the rows" }
      return isRoot ? nil : "the title stands before the braces: \(isItem ? "item" : "menu") \"…\" { … }"
    case "submenu", "children", "items", "menu", "menus", "entries":
      if known.contains("row") { return nil }
      if isRoot {
        return
          "what is in it stands in its braces; a section makes rows of a list: section \"…\" { items = …, row = … }"
      }
      return isItem
        ? "what has items in it is a menu: menu \"…\" { item … }" : "what is in it stands in its braces, without a name"
    case "row", "rows", "list", "data", "values":
      return isRoot ? "a section makes rows of a list: section \"…\" { items = …, row = … }" : nil
    case "when", "validate", "condition":
      return isItem ? enabledByCan : nil
    default: return nil
    }
  }

  /// What says whether something can be done, where a script writes that into a menu or a look.
  static let enabledByCan = "whether it can be done now says the 'can' of who answers: function page.can:save() … end"

  private static let foreignFields = [
    "shortcut": ["key"], "shortcuts": ["key"], "accelerator": ["key"], "accel": ["key"], "hotkey": ["key"],
    "keybinding": ["key"], "keys": ["key"], "keyequivalent": ["key"], "bind": ["key"], "checked": ["state"],
    "selected": ["state"], "ticked": ["state"], "toggled": ["state"], "disabled": ["enabled"], "visible": ["hidden"],
    "tooltip": ["subtitle"], "hint": ["subtitle"], "description": ["help", "subtitle"],
    "arguments": ["args"], "params": ["args"], "parameters": ["args"], "payload": ["args"], "image": ["icon"],
    "identifier": ["id"], "tag": ["id"], "danger": ["destructive"], "rows": ["items"], "list": ["items"],
    "values": ["items"], "data": ["items"], "each": ["row"], "render": ["row"], "map": ["row"], "item": ["row"],
    "heading": ["header"], "placeholder": ["empty"],
  ]
}
