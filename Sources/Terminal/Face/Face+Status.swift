import ScriptHost

// The status line, and the page of keys.

extension Face {
  /// The content of the status line, the first that there is: an unfinished input, the last message, a running job, hints.
  var status: StatusView.Content {
    if !strokes.begun.isEmpty { return .pending(strokes.begun.map(\.text).joined(separator: " ")) }
    if isBusy { return .pending("the app is busy; \(settings.stroke(of: .quit)?.text ?? "ctrl+c") ends what runs") }
    // While a question or a form is open, its hints are shown.
    if let top = over.last, top.isAnswered { return .hint(top.hint) }
    if let said { return said }
    if !panel.typed.isEmpty, now < panel.typedUntil { return .pending(panel.typed) }
    if let top = over.last { return .hint(top.hint) }
    if let content = statusOfMenu { return content }
    if let job = jobs.last {
      return .progress(title: job.named, fraction: job.fraction, text: job.text, others: jobs.count - 1)
    }
    if let broken { return .failed("not read anew: \(broken)") }
    if let content = statusOfRow { return content }
    return .hint(usualHint)
  }

  /// The reason of a disabled current row of the panel, if the row doesn't show all of it.
  private var statusOfRow: StatusView.Content? {
    guard let node = panel.currentNode, !node.element.whyNotInRow.isEmpty,
      !panel.view.showsReason(of: .row(of: node.element), in: layout.body)
    else { return nil }
    return .refused(node.element.whyNotInRow)
  }

  /// The reason of a disabled current row of the open menu, if the row doesn't show all of it.
  private var statusOfMenu: StatusView.Content? {
    guard let menu = open.last else { return nil }
    if let row = menu.currentRow, !row.isEnabled, !row.reason.isEmpty, let area = layout.menus.last,
      layout.menus.count == open.count, !menu.view.showsReason(of: row, in: area)
    {
      return .refused(row.reason)
    }
    return .hint("enter does it   ? why   esc closes")
  }

  private var usualHint: String {
    let commands: [(OwnCommand, String)] = [(.menus, "menus"), (.palette, "find"), (.help, "keys")]
    let ofRow = panel.currentNode == nil ? [] : [(Stroke.enter, "does it"), (strokeOfWhy, "why")]
    let parts = commands.compactMap { command, what -> String? in
      let stroke = strokeShown(of: command)
      // If the app has bound the usual stroke, the face's own menu leads to everything all the same.
      if stroke == nil, command == .menus { return "\(strokeOfOwnMenu.text) \(BarView.own)" }
      return stroke.map { "\($0.text) \(what)" }
    }
    // Keys that the app has bound aren't the row's.
    let own = ofRow.compactMap { stroke, what in stroke.flatMap { isBound($0) ? nil : "\($0.text) \(what)" } }
    return (own + parts).joined(separator: "   ")
  }

  /// The stroke that asks why for the current row of the panel; nil if the app has bound them all.
  private var strokeOfWhy: Stroke? { [Stroke.why, .enterHeld].first { !isBound($0) } }

  /// The stroke of a command, as it is shown here.
  func strokeShown(of command: OwnCommand) -> Stroke? { command == .help ? strokeOfHelp : strokeInUse(of: command) }

  /// The stroke for the page of keys, which isn't '?' on a row of a panel, where that asks why.
  var strokeOfHelp: Stroke? {
    let usual = strokeInUse(of: .help)
    let isOfRow = panel.currentNode != nil && usual?.key == "?"
    return isOfRow || usual == nil ? isBound(.help) ? nil : .help : usual
  }

  // MARK: - The body

  /// Scrolls the body, by keys that the app hasn't bound; returns whether the stroke was one.
  func scrollsBody(_ stroke: Stroke) -> Bool {
    guard strokes.begun.isEmpty, !isBound(stroke), stroke.modifiers.isEmpty else { return false }
    let page = max(1, layout.body.rows - 1)
    switch stroke.key {
    case "up" where isBodyShown: bodyTop = max(0, bodyTop - 1)
    case "down" where isBodyShown: bodyTop += 1
    case "pageup": bodyTop = max(0, bodyTop - page)
    case "pagedown": bodyTop += page
    default: return false
    }
    return true
  }
}
