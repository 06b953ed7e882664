import ScriptHost

// The status line, and the page of keys.

extension Face {
  /// The content of the status line, the first that there is: an unfinished input, the last message, a running job, hints.
  var status: StatusView.Content {
    if !strokes.begun.isEmpty { return .pending(strokes.begun.map(\.text).joined(separator: " ")) }
    if isBusy { return .pending("the app is busy; \(settings.stroke(of: .quit)?.text ?? "ctrl+c") ends what runs") }
    // While a question or a form is open, its hints are shown.
    switch over.last {
    case .question, .prompt: return .hint(hintOfOverlay ?? "")
    case .palette, .page, nil: break
    }
    if let said { return said }
    if !panel.typed.isEmpty, now < panel.typedUntil { return .pending(panel.typed) }
    if let hint = hintOfOverlay { return .hint(hint) }
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

  private var hintOfOverlay: String? {
    switch over.last {
    case .palette: "enter does it   alt+enter why   esc closes"
    case .page: "↑ ↓ scroll   esc closes"
    case .prompt(let state):
      state.prompt.fields.count > 1 ? "enter goes on, or does it   tab next   esc closes" : "enter does it   esc closes"
    case .question: "← → choose   enter answers   esc is no"
    case nil: nil
    }
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

  // MARK: - Help

  /// The lines of the page of keys: the app's first, then the face's own, in as many columns as fit them on the screen.
  var helpLines: [PageView.Line] {
    let isWhy = !isBound(.why) && (hasRows || !menus.bar.isEmpty)
    // The stroke that asks why for a row doesn't open this page.
    let help = hasRows && isWhy && !isBound(.help) ? .help : strokeOfHelp
    let isBoth = isWhy && help == .why
    let own = OwnCommand.allCases.compactMap { command -> (String, String)? in
      let stroke = command == .help ? help : strokeInUse(of: command)
      if command == .help, isBoth { return ("?", hasRows ? "Keys; of a row, why" : "Keys; in a menu, why") }
      return stroke.map { ($0.text, command == .quit ? "Quit, twice" : command.title) }
    }
    let typing = keys.filter(\.isTyping)
    let letters = typing.filter(\.isLetter)
    let signs = typing.filter { !$0.isLetter }
    let hasManySigns = signs.count >= HelpEntry.many
    let typed = (letters.first ?? (hasManySigns ? signs.first : nil)).map { bound in
      HelpEntry.key(hasManySigns ? "a character" : "a letter", bound.name)
    }
    // Keys that the app has bound aren't listed for rows.
    let rows: [(Stroke?, String, String)] =
      !hasRows
      ? []
      : [
        (.down, "↑ ↓", "another row"), (.enter, "enter", "do what the row does"),
        (letters.first?.sequence.strokes.first, "a letter", "the row that begins so"),
        (.menuOfRow, ".", "the row's own menu"),
      ]
    let others =
      (isWhy && !isBoth ? [("?", hasRows ? "why, of any row" : "why, in a menu")] : [])
      + [
        ("alt+enter", "why, in Find a Command"),
        ("alt+letter", "a menu of the bar"), (strokeOfOwnMenu.text, "\(BarView.own), always"),
        ("esc esc", "cancel what goes on"),
      ]
    let ofRows = rows.filter { stroke, _, _ in stroke.map { !isBound($0) } ?? true }.map { ($1, $2) }
    let named = (hasManySigns ? [] : signs).map { HelpEntry.key($0.sequence.text, titleOf($0)) }
    let groups = [
      HelpEntry.Group(title.isEmpty ? "App" : title, entriesOfApp + named + [typed].compactMap { $0 }),
      HelpEntry.Group("Rows", ofRows.map(HelpEntry.key)),
      HelpEntry.Group("Everywhere", (own + others).map(HelpEntry.key)),
    ]
    return HelpEntry.lines(groups, on: overlayScreen, settings.theme)
  }

  /// The app's keys: first those with a title, then the others by the action's name. If one of these actions has many keys, as one that moves a
  /// cursor, they share an entry.
  private var entriesOfApp: [HelpEntry] {
    let reached = keys.filter { $0.entry.isReached && !$0.isTyping }
    let untitled = Dictionary(grouping: reached.filter { !hasTitle($0) }, by: \.name)
    var entries = reached.filter(hasTitle).map { HelpEntry.key($0.sequence.text, titleOf($0)) }
    var named: Set<String> = []
    for bound in reached where !hasTitle(bound) {
      let all = untitled[bound.name] ?? []
      if all.count < HelpEntry.many {
        entries.append(.key(bound.sequence.text, titleOf(bound)))
      } else if named.insert(bound.name).inserted {
        entries.append(.keys(all.map(\.sequence.text), bound.name))
      }
    }
    return entries
  }

  private func hasTitle(_ bound: BoundKeys) -> Bool {
    bound.entry.isItem || menus.title(of: bound.entry.reference) != nil
  }

  /// Updates an open page of keys, for the size of the screen and for the keys.
  func refreshHelp() {
    for index in over.indices {
      guard case .page(var page) = over[index], page.kind == .help else { continue }
      page.lines = helpLines
      over[index] = .page(page)
    }
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
