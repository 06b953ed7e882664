// Names that other programs have for the fields of menus: they are suggested in warnings, and not accepted.

extension ScriptEngine {
  /// The field that is meant by another program's name for it; nil if none of the known fields is.
  static func elsewhere(_ name: String, among known: [String]) -> String? {
    foreignFields[name.lowercased()]?.first(where: known.contains)
  }

  /// What to write here in place of a field that others have and that doesn't exist here.
  static func otherwise(_ name: String, among known: [String], hasNear: Bool) -> String? {
    let isItem = known.contains("key")
    let named = hasNear ? nil : nearest(to: name, among: ["title", "label", "action", "command", "children"]).first
    switch named ?? name.lowercased() {
    case "action", "command", "perform", "on", "onclick", "onselect", "handler", "callback", "run", "call":
      return isItem ? "the action stands first and has no name: item \"…\" { \"save\" }" : nil
    case "title", "label", "text", "name", "caption":
      if known.contains("row") { return "header = \"…\" is a line above the rows" }
      return known.isEmpty ? nil : "the title stands before the braces: \(isItem ? "item" : "menu") \"…\" { … }"
    case "submenu", "children", "items", "menu", "menus", "entries":
      if known.contains("row") { return nil }
      if known.isEmpty {
        return
          "what is in it stands in its braces; a section makes rows of a list: section \"…\" { items = …, row = … }"
      }
      return isItem
        ? "what has items in it is a menu: menu \"…\" { item … }" : "what is in it stands in its braces, without a name"
    case "row", "rows", "list", "data", "values":
      return known.isEmpty ? "a section makes rows of a list: section \"…\" { items = …, row = … }" : nil
    case "when", "can", "validate", "condition":
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
    "tooltip": ["subtitle"], "hint": ["subtitle"], "description": ["subtitle"], "help": ["subtitle"],
    "arguments": ["args"], "params": ["args"], "parameters": ["args"], "payload": ["args"], "image": ["icon"],
    "identifier": ["id"], "tag": ["id"], "danger": ["destructive"], "rows": ["items"], "list": ["items"],
    "values": ["items"], "data": ["items"], "each": ["row"], "render": ["row"], "map": ["row"], "item": ["row"],
    "heading": ["header"], "placeholder": ["empty"],
  ]
}
