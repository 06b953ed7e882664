import LiveHost
import ScriptHost

extension TextRenderer {
  /// The overview of an app that `load` shows.
  func text(_ app: Answer.App) -> String {
    var lines: [String] = []
    for done in app.outcomes { lines.append(text(done)) }
    if !lines.isEmpty { lines.append("") }
    let source = app.source.visible
    lines.append(app.title.map { "\($0.visible) (\(source))" } ?? source)
    lines.append("")
    if app.menus.isEmpty, app.panel == nil {
      lines += app.chain.flatMap { nodeLines($0, in: app) }
      if !app.others.isEmpty {
        lines.append("not asked now")
        lines += app.others.flatMap { nodeLines($0, in: app) }
      }
    } else {
      lines.append(
        "chain: "
          + app.chain.map { node in
            let remarks = self.remarks(on: node, in: app)
            return remarks.isEmpty ? node.name.visible : "\(node.name.visible) (\(remarks.joined(separator: ", ")))"
          }.joined(separator: " → "))
      if !app.menus.isEmpty { lines += ["", text(app.menus)] }
      if let panel = app.panel { lines += ["", text(panel: panel)] }
    }
    lines += footer(app)
    return lines.joined(separator: "\n")
  }

  private func text(_ done: Answer.Done) -> String {
    switch done {
    case .performed(let performed): "\(performed.name.visible): \(text(performed))"
    case .evaluated(let evaluated): "\(evaluated.line.visible): \(text(evaluated))"
    case .focused(let focused): "focus \(focused.name.visible): \(text(focused))"
    }
  }

  /// One deed's outcome, and the changes of the menus.
  func text(whole done: Answer.Done) -> String {
    switch done {
    case .performed(let performed):
      (lines(performed.trace) + [text(performed)] + writtenLines(performed)
        + lines(performed.changes).map { "  \($0)" }).joined(separator: "\n")
    case .evaluated(let evaluated): ([text(evaluated)] + lines(evaluated.changes)).joined(separator: "\n")
    case .focused(let focused):
      ([text(focused)] + lines(focused.changes).map { "  \($0)" }).joined(separator: "\n")
    }
  }

  private func text(_ focused: Answer.Focused) -> String {
    focused.hasFocus ? "'\(focused.name.visible)' has the focus" : "'\(focused.name.visible)' did not get the focus"
  }

  /// The values of a line of Lua.
  func text(_ evaluated: Answer.Evaluated) -> String {
    if let failure = evaluated.failure { return "failed: \(failure.message.visibleBlock())" }
    return evaluated.values.isEmpty ? "done" : "→ " + evaluated.values.map(\.text).joined(separator: ", ")
  }

  private func nodeLines(_ node: Answer.Node, in app: Answer.App) -> [String] {
    let marker = node.name == app.focus ? "▸" : " "
    let remarks = self.remarks(on: node, in: app)
    let heading = remarks.isEmpty ? node.name.visible : "\(node.name.visible)  (\(remarks.joined(separator: ", ")))"
    let width = node.actions.map { $0.name.visible.width }.max() ?? 0
    let more =
      node.hasMore ? [palette("    … and more than can be shown: 'actions' lists what can be reached", .faint)] : []
    return ["\(marker) \(palette(heading, .strong))"] + node.actions.map { line(of: $0, at: node, width: width) } + more
  }

  private func remarks(on node: Answer.Node, in app: Answer.App) -> [String] {
    var remarks: [String] = []
    if node.isWindow { remarks.append("window") }
    if node.isKey { remarks.append("key") }
    if node.isMain { remarks.append("main") }
    if node.name == app.focus { remarks.append("focus") }
    return remarks
  }

  private func line(of action: Answer.Action, at node: Answer.Node, width: Int) -> String {
    let validation = action.validation
    var line = "    \(mark(validation)) \(action.name.visible.padded(to: width))"
    // Another responder takes the action before this one.
    if let by = validation.by, by != node.name { line += "  goes to \(by.visible)" }
    if let reason = validation.reason { line += "  \(palette(reason.visible, .faint))" }
    line += looks(validation.look)
    while line.last == " " { line.removeLast() }
    return line
  }

  private func footer(_ app: Answer.App) -> [String] {
    let counts: (all: Int, enabled: Int, what: String)
    var hasMore = false
    if app.menus.isEmpty, app.panel == nil {
      let nodes = app.chain + app.others
      let actions = nodes.flatMap(\.actions)
      hasMore = nodes.contains(where: \.hasMore)
      counts = (actions.count, actions.count { $0.validation.isEnabled }, "action")
    } else {
      let items = (app.menus + (app.panel ?? [])).flatMap(\.items)
      counts = (items.count, items.count { $0.isEnabled }, "item")
    }
    let errors = app.diagnostics.count { $0.severity == .error }
    let warnings = app.diagnostics.count { $0.severity == .warning }
    let noun = "\(counts.what)\(counts.all == 1 ? "" : "s")\(hasMore ? " and more" : "")"
    var parts = ["\(counts.all) \(noun), \(counts.enabled) can be done now"]
    if errors > 0 { parts.append("\(errors) \(errors == 1 ? "error" : "errors")") }
    if warnings > 0 { parts.append("\(warnings) \(warnings == 1 ? "warning" : "warnings")") }
    return ["", parts.joined(separator: ", ")]
  }
}
