import LiveHost
import ScriptHost
import Terminal

/// Renders answers as text for people, with the control characters of scripts made visible.
struct TextRenderer {
  /// The colours. Colour is never the only sign.
  var palette = Palette.plain
  /// The columns of the terminal.
  var columns = Int.max
  /// Whether hidden elements are shown, with a remark.
  var showsHidden = true

  func text(_ answer: Shown) -> String {
    switch answer {
    case .text(let text): text
    case .version(let version): "menuctl \(version)"
    case .app(let app): text(app)
    case .menus(let menus, let isNamed): drawn(menus, isNamed: isNamed)
    case .validations(let validations, named: _): text(validations)
    case .explanation(let explanation): text(explanation)
    case .chain(let chain): text(chain)
    case .context(let entries): text(entries)
    case .keys(let keys): text(keys)
    case .actions(let actions): text(actions)
    case .findings(let findings, let sources): text(findings, in: sources)
    case .tests(let report): summary(report)
    case .plugins(let plugins, let apps): text(plugins, apps)
    case .done(let done): text(whole: done)
    case .replay(let replay): text(replay)
    case .sessions(let sessions): text(sessions)
    case .apps(let apps): text(apps)
    }
  }

  // MARK: Outcomes

  func text(_ performed: Answer.Performed) -> String {
    let outcome = performed.outcome
    var text = outcome.status.rawValue
    if let by = outcome.by { text += outcome.status == .failed ? " in \(by.visible)" : " by \(by.visible)" }
    if let via = outcome.via, via != .on { text += " via \(via.rawValue)" }
    if let reason = outcome.reason ?? outcome.error?.message ?? outcome.asks?.text {
      text += ": \(reason.visibleBlock())"
    }
    if outcome.status == .handled, performed.result != .nil { text += " → \(performed.result.summed.text)" }
    return text
  }

  /// Returns the lines below an outcome: the arguments of a question, or the multi-line texts of a result.
  func writtenLines(_ performed: Answer.Performed) -> [String] {
    if let question = performed.outcome.asks { return question.arguments.map { "  \($0.line)" } }
    guard performed.outcome.status == .handled else { return [] }
    switch performed.result {
    case .text(let text) where text.hasLines: return ["  " + text.visibleBlock(most: Self.mostLines)]
    case .map(let entries):
      return entries.compactMap { entry -> (String, String)? in
        guard case .text(let key) = entry.key, case .text(let text) = entry.value, text.hasLines else { return nil }
        return (key.visible, "  \(key.visible):\n    " + text.visibleBlock(indent: "    ", most: Self.mostLines))
      }.sorted { $0.0 < $1.0 }.map(\.1)
    default: return []
    }
  }

  private static let mostLines = 1000

  /// Returns the trace of a perform, a line for each step, and an empty line.
  func lines(_ trace: [Answer.Traced]?) -> [String] {
    guard let trace, !trace.isEmpty else { return [] }
    return trace.map { traced in
      let step = traced.step
      let place = step.place.map { " " + palette("(\($0.visible))", .faint) } ?? ""
      return String(repeating: "  ", count: traced.level)
        + "\(step.node.visible): \(step.asked.visible) → \(step.answer.visible)\(place)"
    } + [""]
  }

  private func text(_ validated: [Answer.Validated]) -> String {
    if validated.isEmpty { return "no items" }
    let width = validated.map { $0.name.visible.width }.max() ?? 0
    return validated.map { one in
      "\(mark(one.validation)) \(one.name.visible.padded(to: width))  \(sentence(one.validation))"
    }.joined(separator: "\n")
  }

  func mark(_ validation: Validation) -> String { validation.isEnabled ? palette("✓", .yes) : palette("✗", .no) }

  /// Returns a validation in one sentence: enabled or not, by which responder, the reason, and the look.
  private func sentence(_ validation: Validation) -> String {
    let by = validation.by.map { " by \($0.visible)" } ?? ""
    let reason = validation.reason.map { ": \($0.visible)" } ?? ""
    return (validation.isEnabled ? "enabled" : "disabled") + by + reason + looks(validation.look)
  }

  /// Returns the parts of a look that are set.
  func looks(_ look: Look) -> String {
    var parts: [String] = []
    if let title = look.title { parts.append("\"\(title.visible)\"") }
    if let subtitle = look.subtitle { parts.append("\"\(subtitle.visible)\"") }
    if let state = look.state, state != .off { parts.append(state.rawValue) }
    if look.hidden == true { parts.append("hidden") }
    if look.destructive == true { parts.append("destructive") }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  // MARK: Why, chain, context

  private func text(_ explanation: Explanation) -> String {
    var shown = explanation
    shown.by = shown.by?.visible
    shown.reason = shown.reason?.visible
    for index in shown.steps.indices {
      shown.steps[index].node = shown.steps[index].node.visible
      shown.steps[index].asked = shown.steps[index].asked.visible
      shown.steps[index].answer = shown.steps[index].answer.visible
      shown.steps[index].place = shown.steps[index].place?.visible
    }
    for index in shown.keys.indices {
      shown.keys[index].key = shown.keys[index].key.visible
      shown.keys[index].by = shown.keys[index].by?.visible
      shown.keys[index].candidates = shown.keys[index].candidates.map(\.visible)
    }
    return shown.text
  }

  private func text(_ chain: Answer.Chain) -> String {
    let width = chain.links.map { $0.name.visible.width }.max() ?? 0
    return chain.links.map { link in
      let marker = link.name == chain.focus ? "▸" : " "
      guard let answer = link.answer else { return "\(marker) \(link.name.visible)" }
      return "\(marker) \(link.name.visible.padded(to: width))  \(answer.visible)"
    }.joined(separator: "\n")
  }

  private func text(_ keys: [KeyEntry]) -> String {
    if keys.isEmpty { return "no keys" }
    let stroke = keys.map(\.keys.visible.width).max() ?? 0
    let action = keys.map(\.text.visible.width).max() ?? 0
    return keys.map { key in
      let isOff = key.holds == false && key.conflict == nil
      let mark = isOff ? palette("–", .faint) : key.conflict == nil ? palette("✓", .yes) : palette("✗", .no)
      let why = key.conflict ?? (isOff ? "its 'when' returns false now" : nil)
      let conflict = why.map { "  " + palette($0.visible, .faint) } ?? ""
      let title = key.title.map { "  “\($0.visible)”" } ?? ""
      let wait = key.wait.map { "  after \($0) s, or at another stroke" } ?? ""
      let kind = key.isItem ? "item " : key.isPane ? "pane " : ""
      let whose = kind + key.by.visible + (key.isOfKeymap ? ", your keymap" : "")
      let owner = whose + title + wait
      return
        "\(mark) \(key.keys.visible.padded(to: stroke))  \(key.text.visible.padded(to: action))  \(owner)\(conflict)"
    }.joined(separator: "\n")
  }

  private func text(_ entries: [Answer.Entry]) -> String {
    if entries.isEmpty { return "nothing supplies context" }
    let rows = entries.map { ("\($0.key.visible): \($0.value.text)", $0.by.visible) }
    let width = rows.map(\.0.width).max() ?? 0
    return rows.map { "\($0.padded(to: min(width, 60)))  from \($1)" }.joined(separator: "\n")
  }
}

extension Place {
  var visible: Place {
    var place = self
    place.file = file.visible
    return place
  }
}

extension String {
  /// Whether the text has more than one line, apart from a newline at its end.
  var hasLines: Bool { utf8.dropLast().contains(UInt8(ascii: "\n")) }
}

extension LuaTree {
  /// The value with counts instead of multi-line texts, which are shown below it.
  var summed: LuaTree {
    switch self {
    case .text(let text) where text.hasLines: .opaque(Self.count(text))
    case .map(let entries):
      .map(
        entries.map { entry -> Entry in
          guard case .text = entry.key, case .text(let text) = entry.value, text.hasLines else { return entry }
          var counted = entry
          counted.value = .opaque(Self.count(text))
          return counted
        })
    default: self
    }
  }

  private static func count(_ text: String) -> String {
    "\(text.utf8.dropLast().count { $0 == UInt8(ascii: "\n") } + 1) lines"
  }
}

extension TextRenderer {
  /// Returns a line for each action, with its responder, its keys and its reason, and its arguments below.
  func text(_ actions: [ActionEntry]) -> String {
    if actions.isEmpty { return "no actions" }
    let width = actions.map(\.name.visible.width).max() ?? 0
    return actions.map { action in
      let below = action.takes.map(\.line) + confirmation(action) + items(of: action)
      return ([line(action, width)] + below.map { "      \($0)" }).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func line(_ action: ActionEntry, _ width: Int) -> String {
    var parts = [action.name.visible.padded(to: width)]
    if action.title != action.name { parts.append("“\(action.title.visible)”") }
    parts.append(action.by.map { "by \($0.visible)" } ?? "nobody")
    if !action.keys.isEmpty { parts.append(action.keys.map(\.visible).joined(separator: ", ")) }
    if let reason = action.reason { parts.append(palette("— \(reason.visibleBlock())", .faint)) }
    return "\(action.isEnabled ? "✓" : "✗") \(parts.joined(separator: "  "))"
  }

  private func confirmation(_ action: ActionEntry) -> [String] {
    switch action.confirm {
    case .said(let text)?: ["asks: \(text.visible)"]
    case .asked?: ["may ask to be confirmed"]
    case nil: []
    }
  }

  private static let mostItems = 4

  /// Returns the ids of an action's items.
  private func items(of action: ActionEntry) -> [String] {
    if action.items.isEmpty { return [] }
    let shown = action.items.prefix(Self.mostItems).map(\.visible).joined(separator: ", ")
    let more = action.items.count - Self.mostItems
    return ["in the menus: \(shown)\(more > 0 ? " and \(more) more" : "")"]
  }
}

extension TextRenderer {
  /// Returns `file:line:column: error: message`, the line, and a caret below the place.
  func text(_ diagnostic: Diagnostic, in sources: [Source], withCode: Bool = false) -> String {
    let place = diagnostic.place?.visible.description ?? sources.first?.name.visible ?? "menuctl"
    let severity = palette(diagnostic.severity.rawValue, role(diagnostic.severity))
    var text = "\(place): \(severity): \(diagnostic.message.visibleBlock())"
    if withCode { text += " [\(diagnostic.code)]" }
    if let excerpt = excerpt(diagnostic.place, in: sources) { text += "\n\(excerpt)" }
    if let help = diagnostic.help { text += "\n\(palette("help", .strong)): \(help.visible)" }
    return text
  }

  /// Returns the findings of `check`, and their number.
  func text(_ findings: [Diagnostic], in sources: [Source]) -> String {
    if findings.isEmpty { return "nothing was found" }
    let counts = [
      (findings.count { $0.severity == .error }, "error"), (findings.count { $0.severity == .warning }, "warning"),
      (findings.count { $0.severity == .note }, "note"),
    ]
    let summary = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
    return (findings.map { "\(text($0, in: sources, withCode: true))\n" } + [summary]).joined(separator: "\n")
  }

  private func role(_ severity: Diagnostic.Severity) -> Palette.Role {
    switch severity {
    case .error: .error
    case .warning: .warning
    case .note: .note
    }
  }

  private func excerpt(_ place: Place?, in sources: [Source]) -> String? {
    guard let place, let source = sources.last(where: { $0.name == place.file }), let line = source.line(place.line)
    else { return nil }
    return excerpt(of: line, column: place.column)
  }

  /// Returns a line with a caret below a column; without a column, the line alone.
  func excerpt(of line: [UInt8], column: Int?) -> String? {
    let offset = column.map { self.offset(of: $0, in: line) } ?? line.prefix { $0 == 0x20 || $0 == 0x09 }.count
    guard offset <= line.count, String(validating: line[..<offset], as: UTF8.self) != nil else { return nil }
    let excerpt = line.withUnsafeBufferPointer { Excerpt(of: $0, at: offset) }
    return column == nil ? "  \(excerpt.line)" : excerpt.render()
  }

  /// Returns the number of bytes before a column. Columns count characters from 1.
  private func offset(of column: Int, in line: [UInt8]) -> Int {
    var characters = 0
    for (offset, byte) in line.enumerated() where byte & 0xC0 != 0x80 {
      characters += 1
      if characters == column { return offset }
    }
    return line.count
  }

  /// Returns the error of an unreadable reference on the command line.
  func text(_ error: ReferenceError) -> String {
    "reference:1:\(error.column): \(palette("error", .error)): \(error.render())"
  }

  func problem(_ sentence: String, help: String?) -> String {
    "menuctl: \(palette("error", .error)): \(sentence.visible)" + (help.map { "\n\($0)" } ?? "")
  }

  func text(_ entry: LogEntry) -> String {
    "\(entry.place.map(\.visible.description) ?? entry.owner.visible): \(entry.level.rawValue): \(entry.text.visible)"
  }
}

extension TextRenderer {
  /// Returns the failure of an entry of Lua with the failing line and a caret. The place counts as in the REPL.
  func text(_ failure: Failure, at place: Place?) -> String {
    let heading = place.map { "\($0.visible): " } ?? ""
    let text = "\(heading)\(palette("error", .error)): \(failure.message.visibleBlock())"
    guard let line = failure.text, let excerpt = excerpt(of: Array(line.utf8), column: place?.column) else {
      return text
    }
    return text + "\n\(excerpt)"
  }
}
