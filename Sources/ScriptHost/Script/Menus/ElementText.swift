// Texts of elements: unprintable characters are replaced, and a text that is too long is cut, both with a warning.

extension String {
  /// The most bytes of a script's text that the host shows.
  static let longestShown = 4096

  /// Returns the text as the host shows it: the first 4 KiB, with U+FFFD in place of control characters.
  func shown(hasLines: Bool) -> String {
    guard needsCare else { return self }
    return cut(toBytes: Self.longestShown).withoutControls(hasLines: hasLines).cut(toBytes: Self.longestShown)
  }

  /// Whether it is long, or has characters that may not be shown as they are.
  var needsCare: Bool {
    withBytes { bytes in
      // 0xC2 begins the control characters beyond ASCII, and a few others.
      bytes.count > Self.longestShown || bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }
    }
  }
}

extension ScriptEngine {
  /// Returns a text for an element in printable form; some texts may have several lines.
  func shownText(
    _ value: LuaValue, _ what: @autoclosure () -> String, at place: Place?, hasLines: Bool = false
  ) -> String? {
    switch value {
    case .text(let text):
      guard text.needsCare else { return text }
      return careful(text, what(), at: place, hasLines)
    case .bytes(let bytes):
      warnOnce("text", "\(what()) is not UTF-8: the host shows unreadable bytes as U+FFFD", at: place)
      return careful(String(decoding: bytes, as: UTF8.self), what(), at: place, hasLines)
    default: return nil
    }
  }

  private func careful(_ text: String, _ what: String, at place: Place?, _ hasLines: Bool) -> String {
    let cut = text.cut(toBytes: Element.textLimit)
    let shown = cut.shown(hasLines: hasLines)
    if !shown.hasSameBytes(as: cut) {
      warnOnce("text", "\(what) has control characters: the host shows them as U+FFFD", at: place)
    }
    if text.utf8.count > Element.textLimit {
      warnOnce("text", "\(what) is longer than \(Element.textLimit) bytes: the host cuts it", at: place)
    }
    return shown
  }

  /// Returns a declared text in printable form. Throws for any other value.
  func keptText(
    _ value: LuaValue, _ what: @autoclosure () -> String, at place: Place?, hasLines: Bool = false
  ) throws -> String {
    if let text = shownText(value, what(), at: place, hasLines: hasLines) { return text }
    throw LuaMisuse("\(what()) must be a string, not \(value.described)")
  }

  /// Returns a declared name. Throws if it is too long, because a cut name would be another name.
  func keptName(_ name: String, _ what: @autoclosure () -> String) throws -> String {
    guard name.utf8.count > Element.idLimit else { return name }
    throw LuaMisuse("\(what()) can have \(Element.idLimit) bytes at most, this one has \(name.utf8.count)")
  }

  /// Returns an id of a script, which must be a text that people can read and write.
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

// Names of menu fields in other programs. Warnings suggest the right name.

extension ScriptEngine {
  /// Returns the field with another program's name; nil if the known fields don't have it.
  static func elsewhere(_ name: String, among known: [String]) -> String? {
    foreignFields[name.lowercased()]?.first(where: known.contains)
  }

  /// Returns what to write instead of another program's field that doesn't exist here.
  static func otherwise(_ name: String, among known: [String], hasNear: Bool) -> String? {
    let (isItem, isPane) = (known.contains("key"), known.contains("filter"))
    // A menubar has no fields, and the panel's only field has no other name elsewhere.
    let isRoot = known.allSatisfy { $0 == "typing" }
    if isRoot, ["beside", "stack", "tabs"].contains(name) { return "write it without '=': \(name) { … }" }
    if isRoot || isPane, ["pane", "section"].contains(name) { return "write it without '=': \(name) \"…\" { … }" }
    let named = hasNear ? nil : nearest(to: name, among: ["title", "label", "action", "command", "children"]).first
    switch named ?? name.lowercased() {
    case "action", "command", "perform", "on", "onclick", "onselect", "handler", "callback", "run", "call":
      return isItem ? "write the action first, without a name: item \"…\" { \"save\" }" : nil
    case "title", "label", "text", "name", "caption":
      if known.contains("row") { return "for a line above the rows write header = \"…\"" }
      return isRoot ? nil : "write the title before the braces: \(isItem ? "item" : "menu") \"…\" { … }"
    case "submenu", "children", "items", "menu", "menus", "entries":
      if known.contains("row") { return nil }
      if isRoot {
        return
          "put the elements in its braces; to make rows of a list write section \"…\" { items = …, row = … }"
      }
      if isPane { return "to make rows of a list write section \"…\" { items = …, row = … }" }
      return isItem
        ? "to hold items write a menu: menu \"…\" { item … }" : "put the elements in its braces, without a name"
    case "row", "rows", "list", "data", "values":
      return isRoot || isPane ? "to make rows of a list write section \"…\" { items = …, row = … }" : nil
    case "style", "color", "colour":
      return isItem ? "to colour a text write a span: span(\"…\", \"red\")" : nil
    case "when", "validate", "condition":
      return isItem ? enabledByCan : nil
    default: return nil
    }
  }

  /// The hint for a script that declares in a menu or a look whether an action can be done.
  static let enabledByCan = "write a 'can' beside the handler: function page.can:save() … end"

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
