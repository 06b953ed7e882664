import ScriptHost

/// Writes menus as lines for an assistant: each item with its action, its key, and its reason if disabled.
enum MenuOutline {
  static func text(of menus: [MenuElement]) -> String {
    var lines: [String] = []
    for menu in menus { write(menu, 0, into: &lines) }
    return lines.isEmpty ? "the app has no menus" : lines.joined(separator: "\n")
  }

  private static func write(_ element: MenuElement, _ depth: Int, into lines: inout [String]) {
    if element.isHidden { return }
    let indent = String(repeating: "  ", count: depth)
    switch element.kind {
    case .separator: return
    case .item:
      var line = "\(indent)\(element.title) → \(element.action)"
      if element.state == .on { line += ", on" }
      if let key = element.key { line += ", key \(key)" }
      if !element.isEnabled { line += ", disabled: \(element.reason ?? "it doesn't say why")" }
      lines.append(line)
    case .section:
      for child in element.children { write(child, depth, into: &lines) }
      return
    default: lines.append("\(indent)\(element.title)")
    }
    for child in element.children { write(child, depth + 1, into: &lines) }
  }
}
