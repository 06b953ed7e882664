import LiveHost
import ScriptHost

extension TextRenderer {
  /// The changes of the menus, a line for each: `Rate ★★★ off → on`.
  func lines(_ changes: Answer.Changes?) -> [String] {
    guard let changes, !changes.all.isEmpty else { return [] }
    var before: [ByteText: MenuElement] = [:]
    for root in [changes.before, changes.before.panel].compactMap({ $0 }) { note(root, in: &before) }
    return changes.all.flatMap { line($0, before[ByteText($0.id)]) }
  }

  /// Collects an element and everything below it by id, so that the tree isn't searched for each change.
  private func note(_ element: MenuElement, in all: inout [ByteText: MenuElement]) {
    let id = ByteText(element.id)
    if all[id] == nil { all[id] = element }
    for alternate in element.alternates { note(alternate.element, in: &all) }
    for child in element.children { note(child, in: &all) }
  }

  /// The text after a script was reloaded: its name, and what changed.
  func reloaded(_ name: String, _ changes: Answer.Changes) -> String {
    let lines = lines(changes)
    return (["reloaded \(name.visible)"] + (lines.isEmpty ? ["nothing changed"] : lines).map { "  \($0)" })
      .joined(separator: "\n")
  }

  /// The note after a reload that failed.
  var oldGoesOn: String { "menuctl: \(palette("note", .note)): the version that was loaded before goes on" }

  /// The note that a script that doesn't load is watched all the same.
  var waitsForSave: String { "menuctl: \(palette("note", .note)): it is loaded again when it is saved" }

  private func line(_ change: MenuChange, _ old: MenuElement?) -> [String] {
    switch change {
    case .insert(let element, _, _):
      if element.kind == .separator { return [] }
      // A label performs nothing, so it isn't shown as disabled.
      let isDisabled = !element.isEnabled && element.kind != .label
      return ["+ \(text(element))\(isDisabled ? ": \(reason(element))" : "")"]
    case .remove(let id):
      if old?.kind == .separator { return [] }
      return ["- \(old.map(text) ?? id.visible)"]
    case .move(let id, _, let after):
      if old?.kind == .separator { return [] }
      return ["\(old.map(name) ?? id.visible) moved\(after.map { " after \($0.visible)" } ?? " to the front")"]
    case .update(let element): return old.map { differences($0, element) } ?? [name(element)]
    }
  }

  private func differences(_ old: MenuElement, _ new: MenuElement) -> [String] {
    var parts: [String] = []
    if old.title != new.title { parts.append("\"\(old.title.visible)\" → \"\(new.title.visible)\"") }
    if old.state != new.state { parts.append("\(old.state.rawValue) → \(new.state.rawValue)") }
    if old.isEnabled != new.isEnabled {
      parts.append(new.isEnabled ? "disabled → enabled" : "enabled → disabled: \(reason(new))")
    } else if old.reason != new.reason {
      parts.append("disabled: \(reason(new))")
    }
    if old.isHidden != new.isHidden { parts.append(new.isHidden ? "shown → hidden" : "hidden → shown") }
    if old.subtitle != new.subtitle { parts.append("subtitle \"\(new.subtitle?.visible ?? "")\"") }
    if old.icon != new.icon { parts.append("icon \(new.icon?.visible ?? "none")") }
    if old.key != new.key { parts.append("key \(new.key?.visible ?? "none")") }
    if old.action != new.action { parts.append("action \(new.action.visible)") }
    // A change of only the responder that takes the action isn't visible in a menu.
    return parts.isEmpty ? [] : ["\(name(old)) \(parts.joined(separator: ", "))"]
  }

  private func name(_ element: MenuElement) -> String {
    element.id.isEmpty ? element.title.visible : element.id.visible
  }

  /// The text of an element that was inserted or removed: a label's title, because nobody knows its id.
  private func text(_ element: MenuElement) -> String {
    element.kind == .label ? element.title.visible : name(element)
  }

  private func reason(_ element: MenuElement) -> String { element.reason?.visible ?? "" }
}
