import LiveHost
import ScriptHost
import Terminal

/// Renders answers as text for people. Control characters in what a script supplied are made visible here.
struct TextRenderer {
  /// The colours; nothing is told by colour alone.
  var palette = Palette.plain
  /// The columns of the terminal.
  var columns = Int.max
  /// Whether hidden elements are shown, with a remark.
  var showsHidden = true

  func text(_ answer: Shown) -> String {
    switch answer {
    case .text(let text): text
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
    }
  }

  // MARK: What came of an action

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

  /// The lines below an outcome: the arguments of a question, or the texts of several lines in a result and its fields.
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

  /// The trace of a perform, a line for each step, and an empty line.
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

  /// A validation in one sentence: enabled or not, by which responder, why not, and the look.
  private func sentence(_ validation: Validation) -> String {
    let by = validation.by.map { " by \($0.visible)" } ?? ""
    let reason = validation.reason.map { ": \($0.visible)" } ?? ""
    return (validation.isEnabled ? "enabled" : "disabled") + by + reason + looks(validation.look)
  }

  /// The parts of a look that are set.
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
      let mark = key.conflict == nil ? palette("✓", .yes) : palette("✗", .no)
      let conflict = key.conflict.map { "  " + palette($0.visible, .faint) } ?? ""
      let owner = key.isItem ? "item \(key.by.visible)" : key.by.visible
      return
        "\(mark) \(key.keys.visible.padded(to: stroke))  \(key.text.visible.padded(to: action))  \(owner)\(conflict)"
    }.joined(separator: "\n")
  }

  private func text(_ entries: [Answer.Entry]) -> String {
    if entries.isEmpty { return "nobody supplies anything" }
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
