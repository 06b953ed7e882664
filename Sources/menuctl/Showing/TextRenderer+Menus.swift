import LiveHost
import ScriptHost

// Menus for people: each item with its state, its key, its action, and the reason if disabled.

extension TextRenderer {
  /// Returns the text of all menus, or of one element.
  func text(_ menus: [MenuElement]) -> String {
    menus.isEmpty ? "no menus" : menus.map(block).joined(separator: "\n\n")
  }

  /// Returns the text of an app's panel.
  func text(panel: [MenuElement]) -> String {
    let shown = panel.filter { showsHidden || !$0.isHidden }
    let lines = aligned(shown.flatMap { self.lines($0, depth: 1, path: nil) })
    return ([palette("Panel", .strong)] + (lines.isEmpty ? ["    nothing"] : lines)).joined(separator: "\n")
  }

  /// Returns the text of menus without their hidden elements. A hidden element that was named is shown.
  func drawn(_ menus: [MenuElement], isNamed: Bool) -> String {
    var renderer = self
    renderer.showsHidden = false
    return renderer.text(isNamed ? menus : menus.filter { !$0.isHidden })
  }

  /// A line of a menu, before it is aligned with the others.
  private struct Line {
    var head: String
    var key = ""
    var action = ""
    var remark = ""
    var role: Palette.Role?
    /// The coloured mark and state before the head, and their number of columns.
    var marks = ""
    var marksWidth = 0

    /// Whether a key, an action or a remark follows the head.
    var hasMore: Bool { !key.isEmpty || !action.isEmpty || !remark.isEmpty }
    var byteCount: Int { marks.utf8.count + head.utf8.count + key.utf8.count + action.utf8.count + remark.utf8.count }
  }

  private func block(_ element: MenuElement) -> String {
    guard element.kind == .menu else { return aligned(lines(element, depth: 0, path: nil)).joined(separator: "\n") }
    var lines = aligned(shown(element).flatMap { self.lines($0, depth: 1, path: element.id) })
    let remark = self.remark(element, path: nil)
    lines.insert(
      palette(element.title.visible, .strong) + (remark.isEmpty ? "" : "  \(palette(remark, .faint))"), at: 0)
    return lines.joined(separator: "\n")
  }

  private func lines(_ element: MenuElement, depth: Int, path: String?) -> [Line] {
    let depth = depth + Int(element.level)
    let indent = String(repeating: "  ", count: depth)
    switch element.kind {
    case .separator: return [Line(head: "\(indent)─────", role: .faint)]
    case .label:
      return element.titleLines.map { Line(head: "\(indent)    \(String($0).visible)", role: .faint) }
    case .item:
      let mark = element.isEnabled ? palette("✓", .yes) : palette("✗", .no)
      return [
        Line(
          head: title(element), key: element.key?.visible ?? "", action: action(element),
          remark: remark(element, path: path), role: element.isHidden ? .faint : nil,
          marks: "\(indent)\(mark) \(sign(element)) ", marksWidth: 2 * depth + 4)
      ]
    case .beside, .stack, .tabs: return shown(element).flatMap { lines($0, depth: depth, path: nil) }
    case .pane:
      let title = Line(
        head: title(element), key: element.key?.visible ?? "", remark: element.area?.isFocused == true ? "focused" : "",
        role: element.isHidden ? .faint : .strong, marks: indent, marksWidth: 2 * depth)
      let rows = shown(element).flatMap { lines($0, depth: depth + 1, path: element.id) }
      guard let area = element.area, area.isCounted else { return [title] + rows }
      let rest = "\(element.children.count) of \(area.rows) rows: the others weren't asked for"
      return [title] + rows + [Line(head: "\(indent)      \(rest)", role: .faint)]
    case .text:
      return [
        Line(
          head: title(element), key: element.key?.visible ?? "", remark: element.reason ?? "",
          role: element.isHidden ? .faint : .strong, marks: indent, marksWidth: 2 * depth)
      ]
    case .menu, .section:
      let children = shown(element).flatMap { lines($0, depth: depth + 1, path: element.id) }
      let mark = element.isEnabled ? " " : palette("✗", .no)
      let head = Line(
        head: "\(element.title.visible) \(element.isOpen == true ? "▾" : "▸")", remark: remark(element, path: path),
        role: element.isHidden ? .faint : nil,
        marks: "\(indent)\(mark)   ", marksWidth: 2 * depth + 4)
      return [head] + children
    }
  }

  private func shown(_ element: MenuElement) -> [MenuElement] {
    showsHidden ? element.children : element.children.filter { !$0.isHidden }
  }

  private func title(_ element: MenuElement) -> String {
    let subtitle = element.subtitle.map { " – \($0.visible)" } ?? ""
    let held = element.alternates.map { " (\($0.modifiers.joined(separator: "+")): \($0.element.title.visible))" }
    return element.title.visible + subtitle + held.joined()
  }

  private func sign(_ element: MenuElement) -> String {
    if element.isMarked { return "●" }
    return switch element.state {
    case .on: "•"
    case .mixed: "–"
    case .off: element.isCurrent ? "›" : " "
    }
  }

  private func action(_ element: MenuElement) -> String {
    guard !element.action.isEmpty else { return "" }
    let given = (try? Reference.parse(element.action))?.arguments?.members.count ?? 0
    guard element.arguments.members.count > given else { return element.action.visible }
    return "\(element.action.visible) + \(element.arguments.members.count - given)"
  }

  /// Returns the remark on an element: reason, hidden or destructive, and its id if the titles don't show it.
  private func remark(_ element: MenuElement, path: String?) -> String {
    var parts: [String] = []
    if let reason = element.reason { parts.append(reason.visible) }
    if element.isHidden { parts.append("hidden") }
    if element.isDestructive { parts.append("destructive") }
    let component = element.title.pathComponent
    if element.id != (path.map { "\($0)/\(component)" } ?? component) { parts.append("#\(element.id.visible)") }
    return parts.joined(separator: "  ")
  }

  // MARK: Columns

  /// The least share of a row for long remarks, as a divisor.
  private static let shareOfRemarks = 3
  /// The widest title with which the others line up, in columns.
  private static let widestHead = 72

  private func aligned(_ lines: [Line]) -> [String] {
    let columns = lines.map { Columns(of: $0) }
    // A longer title moves only its own key, action and remark.
    let head = zip(lines, columns).reduce(0) { $1.0.hasMore ? max($0, min($1.1.head, Self.widestHead)) : $0 }
    let key = columns.map(\.key).max() ?? 0
    let action = columns.map(\.action).max() ?? 0
    let remark = columns.map(\.remark).max() ?? 0
    // A long reason is cut, so that all rows keep their actions. Without room for both, actions are dropped.
    let showsActions = head + key + action + min(remark, self.columns / Self.shareOfRemarks) + 6 <= self.columns
    return zip(lines, columns).map { line, columns in
      var text = line.marks
      text.reserveCapacity(line.byteCount + head + key + action + 16)
      text += line.role.map { palette(line.head, $0) } ?? line.head
      var used = columns.head
      func put(_ part: String, at column: Int, columns: Int, _ role: Palette.Role? = nil) {
        guard !part.isEmpty else { return }
        text.appendBlanks(column - used)
        text += role.map { palette(part, $0) } ?? part
        used = column + columns
      }
      var column = max(head, columns.head) + 2
      if key > 0 {
        put(line.key, at: column, columns: columns.key)
        column += key + 2
      }
      if action > 0, showsActions {
        put(line.action, at: column, columns: columns.action, .faint)
        column += action + 2
      }
      let room = self.columns - column
      if room >= 12 {
        put(line.remark.cut(to: room), at: column, columns: columns.remark)
      } else if !line.remark.isEmpty {
        text += "\n      \(line.remark.cut(to: self.columns - 6))"
      }
      return text.withoutTrailingBlanks
    }
  }

  /// The widths of a line's parts, in columns.
  private struct Columns {
    let head, key, action, remark: Int

    init(of line: Line) {
      head = line.marksWidth + line.head.width
      key = line.key.width
      action = line.action.width
      remark = line.remark.width
    }
  }
}

extension String {
  var withoutTrailingBlanks: String {
    if let last = utf8.last, last != UInt8(ascii: " ") { return self }
    guard let last = utf8.lastIndex(where: { $0 != UInt8(ascii: " ") }) else { return "" }
    return String(Substring(utf8[...last]))
  }

  /// A title as a part of an id's path, with '/' escaped.
  fileprivate var pathComponent: String {
    guard utf8.contains(UInt8(ascii: "/")) else { return self }
    return split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/")
  }
}

extension TextRenderer {
  /// Returns the changes of the menus, a line for each: `Rate ★★★ off → on`.
  func lines(_ changes: Answer.Changes?) -> [String] {
    guard let changes, !changes.all.isEmpty else { return [] }
    var before: [ByteText: MenuElement] = [:]
    for root in [changes.before, changes.before.panel].compactMap({ $0 }) { note(root, in: &before) }
    let lines = changes.all.prefix(Self.mostChanges).flatMap { line($0, before[ByteText($0.id)]) }
    let rest = changes.all.count - Self.mostChanges
    return rest > 0 ? lines + ["… and \(rest) more changes"] : lines
  }

  /// The most changes that are shown one by one.
  private static let mostChanges = 100

  /// Collects an element and its descendants by id, so that no change searches the tree.
  private func note(_ element: MenuElement, in all: inout [ByteText: MenuElement]) {
    let id = ByteText(element.id)
    if all[id] == nil { all[id] = element }
    for alternate in element.alternates { note(alternate.element, in: &all) }
    for child in element.children { note(child, in: &all) }
  }

  /// Returns the text after a reload: the script's name, and the changes.
  func reloaded(_ name: String, _ changes: Answer.Changes) -> String {
    let lines = lines(changes)
    return (["reloaded \(name.visible)"] + (lines.isEmpty ? ["nothing changed"] : lines).map { "  \($0)" })
      .joined(separator: "\n")
  }

  /// The note after a failed reload.
  var oldGoesOn: String { "menuctl: \(palette("note", .note)): the version that was loaded before goes on" }

  /// The note that the tool watches a script that doesn't load.
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
    // If only the responder of the action changes, no menu shows it.
    return parts.isEmpty ? [] : ["\(name(old)) \(parts.joined(separator: ", "))"]
  }

  private func name(_ element: MenuElement) -> String {
    element.id.isEmpty ? element.title.visible : element.id.visible
  }

  /// Returns the text of a new or removed element: a label's title, because people don't know its id.
  private func text(_ element: MenuElement) -> String {
    element.kind == .label ? element.title.visible : name(element)
  }

  private func reason(_ element: MenuElement) -> String { element.reason?.visible ?? "" }
}
