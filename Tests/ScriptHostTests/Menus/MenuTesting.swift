@testable import ScriptHost

// Helpers that draw menus in tests.

extension MenuElement {
  /// All elements below, in lines: a mark for the state, the title, the key, and in braces why it is disabled.
  var drawn: String { lines().joined(separator: "\n") }

  private func lines(_ indent: String = "") -> [String] {
    children.flatMap { child -> [String] in
      [indent + child.line] + child.lines(indent + "  ")
    }
  }

  private var line: String {
    switch kind {
    case .separator: return "---"
    case .label: return "(\(title))"
    default: break
    }
    var line = isHidden ? "~" : ""
    if kind == .item { line += state == .on ? "[x] " : state == .mixed ? "[-] " : "" }
    line += title
    if let key { line += " \(key)" }
    if !isEnabled { line += " {\(reason ?? "NO REASON")}" }
    return line
  }

  /// The ids of all elements below.
  var ids: [String] { children.flatMap { [$0.id] + $0.ids } }
}

extension ScriptStage {
  /// The main menu in lines.
  var drawn: String { host.menus().drawn }

  /// The messages of the host's diagnostics, without places.
  func takeMessages() -> [String] { host.takeDiagnostics().map(\.message) }
}
