import Glibc
import LiveHost
import ScriptHost

extension TextRenderer {
  /// Returns the overview of an app for `load`.
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

  /// Returns one deed's outcome, and the changes of the menus.
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

  /// Returns the values of a line of Lua.
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
    // Another responder handles the action first.
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

extension TextRenderer {
  func text(_ sessions: [LiveSession]) -> String {
    if sessions.isEmpty { return "no live app runs" }
    let rows = sessions.map { session in
      guard let told = session.told else {
        return ["@\(session.name)", "", "", "process \(session.process)", "doesn't answer", ""]
      }
      return [
        "@\(session.name)", told.app?.visible ?? "", told.source.visible, "process \(session.process)",
        "\(told.clients) client\(told.clients == 1 ? "" : "s")", "since \(Self.time(told.since))",
      ]
    }
    return Self.table(rows)
  }

  func text(_ apps: [InstalledApp]) -> String {
    apps.isEmpty ? "no app is installed" : Self.table(apps.map { [$0.name.visible, $0.path.visible] })
  }

  /// Returns rows of aligned cells, without empty columns.
  private static func table(_ rows: [[String]]) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].width }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).filter { $1 > 0 }.map { $0.padded(to: $1) }.joined(separator: "  ").withoutTrailingBlanks
    }.joined(separator: "\n")
  }

  /// Returns a moment as local time.
  private static func time(_ seconds: Int) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    localtime_r(&moment, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns a note of the tool, as a line.
  func note(_ text: String) -> String { "menuctl: \(palette("note", .note)): \(text.visible)" }
}

extension JSONRenderer {
  static func json(_ session: LiveSession) -> JSON {
    guard let told = session.told else {
      return .object([
        ("name", .text(session.name)), ("pid", .integer(session.process)), ("answers", .bool(false)),
      ])
    }
    return .object(
      [("name", .text(session.name))] + (told.app.map { [("app", .text($0))] } ?? [])
        + [
          ("source", .text(told.source)), ("pid", .integer(session.process)), ("clients", .integer(told.clients)),
          ("since", .integer(told.since)),
        ])
  }
}

extension TextRenderer {
  /// Returns one plugin in full, or several with a line each; then the apps with grants.
  func text(_ plugins: [Shown.Plugin], _ apps: [Shown.GrantedApp]) -> String {
    if apps.isEmpty { return text(plugins) }
    let lines = apps.map { app in
      let grants = app.grants.map(\.visibleBlanksInShort).joined(separator: ", ")
      return "the app \(app.name.visible) may \(grants)  \(palette(app.path.visible, .faint))"
    }
    return ((plugins.isEmpty ? [] : [text(plugins)]) + lines).joined(separator: "\n")
  }

  private func text(_ plugins: [Shown.Plugin]) -> String {
    if plugins.isEmpty { return "no plugins" }
    if plugins.count == 1, plugins[0].isWhole, let manifest = plugins[0].manifest {
      return whole(manifest, plugins[0])
    }
    let names = plugins.map { $0.manifest.map { "\($0.name.visible) \($0.version)" } ?? "?" }
    let width = names.map(\.width).max() ?? 0
    return zip(names, plugins).map { name, plugin in
      let about = plugin.problem.map { palette($0.visible, .error) } ?? plugin.manifest?.summary?.visible ?? ""
      return "\(name.padded(to: width))  \(palette(plugin.path.visible, .faint))\(about.isEmpty ? "" : "  \(about)")"
    }.joined(separator: "\n")
  }

  private func whole(_ manifest: Manifest, _ plugin: Shown.Plugin) -> String {
    var lines = ["\(palette(manifest.name.visible, .strong)) \(manifest.version)  \(plugin.path.visible)"]
    if let summary = manifest.summary { lines.append("  \(summary.visible)") }
    for requirement in manifest.requires {
      lines.append("  requires \(requirement.name.visible) \(requirement.versions.description.visible)")
    }
    for (wish, isGranted) in plugin.wishes {
      let granted = palette(isGranted ? "granted" : "not granted", isGranted ? .yes : .no)
      lines.append(
        "  asks to \(wish.sentence.visibleBlanksInShort) (\(wish.capability.description.visibleBlanksInShort)): \(granted)"
      )
    }
    for (kind, count) in plugin.holds?.counts ?? [] { lines.append("  has \(kind): \(count)") }
    if let reason = plugin.unloaded {
      lines.append("  was not loaded, so what it registers is not known: \(reason.visible)")
    }
    return lines.joined(separator: "\n")
  }
}

// Values for people in the REPL: on one line if they fit, else a line for each part.

extension TextRenderer {
  /// The most columns of a value on one line, however wide the terminal is.
  private static let widest = 100
  /// The most visible characters of a string.
  private static let mostCharacters = 2000

  func text(_ value: Inspection) -> String { text(value, indent: 0, besides: 0) }

  /// - Parameter besides: the columns of the first line that are used already.
  private func text(_ value: Inspection, indent: Int, besides: Int) -> String {
    let line = self.line(value)
    if indent + besides + line.width <= min(columns, Self.widest) { return line }
    switch value {
    case .table(let table) where !table.isClosed: return block(table, heading: "", indent: indent)
    case .responder(let name, let fields): return block(fields, heading: name.visible + " ", indent: indent)
    default: return line
    }
  }

  private func block(_ table: Inspection.Table, heading: String, indent: Int) -> String {
    let blank = String(repeating: " ", count: indent + 2)
    let names = names(of: table)
    let width = names.map(\.width).max() ?? 0
    var lines = zip(names, table.entries).map { name, entry in
      let name = name.isEmpty ? "" : name.padded(to: width) + " = "
      return "\(blank)\(name)\(text(entry.value, indent: indent + 2, besides: name.width + 1)),"
    }
    if table.more > 0 { lines.append("\(blank)… \(table.more) more") }
    return (["\(heading){"] + lines + [String(repeating: " ", count: indent) + "}"]).joined(separator: "\n")
  }

  // MARK: On one line

  private func line(_ value: Inspection) -> String {
    switch value {
    case .nil: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): value.isNaN ? "nan" : "\(value)"
    case .text(let text): quoted(text)
    case .bytes(let count): "<\(count) bytes that are not UTF-8>"
    case .function(let place): place.map { "<function of \($0.visible)>" } ?? "<function>"
    case .object(let name): "<\(name.visible)>"
    case .cycle(let path): path.isEmpty ? "<the whole again>" : "<\(path.visible) again>"
    case .responder(let name, let fields):
      fields.entries.isEmpty ? name.visible : "\(name.visible) \(line(fields))"
    case .table(let table): line(table)
    }
  }

  private func line(_ table: Inspection.Table) -> String {
    if table.isClosed { return "{…}" }
    if table.entries.isEmpty { return table.more > 0 ? "{…}" : "{}" }
    let parts = zip(names(of: table), table.entries).map { name, entry in
      (name.isEmpty ? "" : "\(name) = ") + line(entry.value)
    }
    return "{ " + (parts + (table.more > 0 ? ["… \(table.more) more"] : [])).joined(separator: ", ") + " }"
  }

  /// Returns the keys in Lua's syntax; empty for a list's keys 1…n, which are not written.
  private func names(of table: Inspection.Table) -> [String] {
    var next = 1
    return table.entries.map { entry in
      switch entry.key {
      case .integer(next):
        next += 1
        return ""
      case .text(let name) where name.isLuaWord: return name
      default: return "[\(line(entry.key))]"
      }
    }
  }

  /// Returns a quoted string with Lua's escapes, with terminal control characters escaped too.
  private func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let shown = scalars.prefix(Self.mostCharacters)
    let quoted = LuaText.quoted(String(shown))
    let more = scalars.count - shown.count
    return more > 0 ? "\(quoted)… \(more) more characters" : quoted
  }
}
