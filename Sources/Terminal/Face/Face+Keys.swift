import ScriptHost

// What a key does: what is open has it first, then what is the face's own and the app has not bound, then the app.

extension Face {
  /// The terminal has sent something.
  func take(_ input: TerminalInput, at time: Duration) {
    now = time
    if !areKeysKnown, !isOfQuitting(input) {
      if early.count < Self.mostEarly { early.append(input) }
      return
    }
    message.isOld = message.isOld || input.isOfPerson
    switch input {
    case .key(let stroke, let text): key(stroke, text)
    case .paste(let text): paste(text)
    case .mouse(let mouse): if usesMouse { self.mouse(mouse) }
    case .focus, .answer: break
    }
    askWhatIsStale()
  }

  /// So much may be typed before it is known what it means.
  private static let mostEarly = 256

  private func isOfQuitting(_ input: TerminalInput) -> Bool {
    if case .key(let stroke, _) = input { stroke == settings.stroke(of: .quit) } else { false }
  }

  /// It is known which keys the app has: what was typed before means now what it means.
  func takeWhatCameEarly() {
    areKeysKnown = true
    let inputs = early
    early = []
    for input in inputs { take(input, at: now) }
  }

  private func key(_ stroke: Stroke, _ text: String?) {
    if stroke == strokeInUse(of: .quit), strokes.begun.isEmpty { return quitOrBreak() }
    if stroke == strokeOfOwnMenu, strokes.begun.isEmpty, over.isEmpty { return openMenu(at: menus.bar.count) }
    if let top = over.last {
      switch top {
      case .palette(let palette): paletteKey(palette, stroke, text)
      case .page(let page): pageKey(page, stroke, text)
      case .question(let question): questionKey(question, stroke)
      case .prompt(let prompt): promptKey(prompt, stroke, text)
      }
      return
    }
    if !open.isEmpty {
      if menuKey(stroke, text) { return }
      open = []
    }
    if stroke == .escape, !jobs.isEmpty, escapesJob() { return }
    if panelKey(stroke, text) { return }
    if strokes.begun.isEmpty, let own = command(of: stroke) { return perform(own) }
    if strokes.begun.isEmpty, stroke.modifiers == .alt, !isBound(stroke), let place = barPlace(of: stroke.key) {
      return openMenu(at: place)
    }
    if scrollsBody(stroke) { return }
    press(stroke)
  }

  /// The second of two strokes of esc cancels what goes on; the first is the app's.
  private func escapesJob() -> Bool {
    if now < cancelsUntil {
      cancelsUntil = .zero
      cancelJob()
      return true
    }
    cancelsUntil = now + .seconds(1)
    return false
  }

  // MARK: - The face's own commands

  /// Whether the app has bound a stroke, alone or as the beginning of a sequence.
  func isBound(_ stroke: Stroke) -> Bool { bound.contains(stroke) }

  /// The stroke that does a command now: none where the app has it.
  func strokeInUse(of command: OwnCommand) -> Stroke? {
    settings.stroke(of: command).flatMap { isBound($0) ? nil : $0 }
  }

  /// What opens the face's own menu whatever the app binds, so that nobody is ever shut in.
  var strokeOfOwnMenu: Stroke {
    let ways = ["\\", "]", "_"].map { Stroke(modifiers: .ctrl, key: $0) }
    return ways.first { !isBound($0) } ?? ways[0]
  }

  func command(of stroke: Stroke) -> OwnCommand? {
    OwnCommand.allCases.first { strokeInUse(of: $0) == stroke } ?? (stroke == .help && !isBound(stroke) ? .help : nil)
  }

  func perform(_ command: OwnCommand) {
    switch command {
    case .menus: openMenu(at: 0)
    case .palette: openPalette()
    case .help:
      over.append(.page(.init(kind: .help, title: "Keys", lines: helpLines)))
      // What actions are called that no item does.
      ask("actions", for: .actions)
    case .inspector: openInspector()
    case .log: over.append(.page(.init(kind: .log, title: "Log", lines: log.lines(settings.theme))))
    case .mouse:
      usesMouse.toggle()
      wish(.useMouse(usesMouse))
      say(.done(usesMouse ? "the mouse is the app's now; shift selects text" : "the mouse is the terminal's now"))
    case .suspend: wish(.suspend)
    case .quit: wish(.quit)
    }
  }

  /// What is open is closed, what runs for long is ended; twice, the face is left.
  private func quitOrBreak() {
    if now < quitsUntil { return wish(.quit) }
    // As long as it is said.
    quitsUntil = now + .seconds(4)
    open = []
    over = []
    let stroke = settings.stroke(of: .quit)?.text ?? "ctrl+c"
    guard isBusy, settings.isOwn else { return say(.note("\(stroke) again quits")) }
    wish(.interrupt)
    say(.note("what runs is ended; \(stroke) again quits"))
  }

  // MARK: - Why

  /// Asks why something can be done, or can't.
  func askWhy(_ id: String?) {
    guard let id, OwnCommand(id: id) == nil else { return }
    if let action = actions.first(where: { $0.entryID == id }) {
      return ask("why", [("ask", .text(action.entry.name)), ("as", .text("ref"))], for: .why(action.title))
    }
    guard let element = element(id) else { return }
    ask("why", [("ask", .text(id)), ("as", .text("id"))], for: .why(element.title))
  }

  // MARK: - Pages and questions

  private func pageKey(_ page: PageState, _ stroke: Stroke, _ text: String?) {
    // It has come by itself: whoever typed meant what lies below.
    if page.kind == .reload, stroke.key != "esc", stroke.key != "pageup", stroke.key != "pagedown" {
      over.removeLast()
      return key(stroke, text)
    }
    var page = page
    let area = page.view.area(on: overlayScreen)
    let last = page.view.lastTop(in: area)
    if page.followsEnd { page.top = last }
    switch stroke.key {
    case "up", "k": page.top -= 1
    case "down", "j": page.top += 1
    case "pageup": page.top -= max(1, area.rows - 3)
    case "pagedown", "space": page.top += max(1, area.rows - 3)
    case "home": page.top = 0
    case "end": page.top = last
    case "esc", "enter", "q":
      over.removeLast()
      return
    case "?" where page.kind == .why:
      over.removeLast()
      return perform(.help)
    default:
      // Another page instead, or the app goes on below.
      over.removeLast()
      let own = command(of: stroke)
      if own.map({ page.kind == $0.pageKind }) ?? false { return }
      return key(stroke, text)
    }
    page.top = max(0, min(last, page.top))
    page.followsEnd = page.kind == .log && page.top == last
    over[over.count - 1] = .page(page)
  }

  private func questionKey(_ question: QuestionState, _ stroke: Stroke) {
    var question = question
    switch stroke.key {
    case "left", "right", "tab", "up", "down":
      question.view.does.toggle()
      over[over.count - 1] = .question(question)
    case "enter", "space": answer(question, question.view.does)
    case "y": answer(question, true)
    case "n", "esc": answer(question, false)
    default: break
    }
  }

  private func paste(_ text: String) {
    let line = String(text.split(whereSeparator: \.isNewline).first ?? "")
    switch over.last {
    case .palette(let palette): typeIntoPalette(palette, line)
    case .prompt: editPrompt { $0.type(line) }
    case .page, .question, nil: break
    }
  }
}

extension TerminalInput {
  /// Whether somebody did something, who has read by then what was said before.
  fileprivate var isOfPerson: Bool {
    switch self {
    case .key, .paste: true
    case .mouse(let mouse): if case .press = mouse.deed { true } else { false }
    case .focus, .answer: false
    }
  }
}

extension Stroke {
  /// The second way to the page of keys, for where '?' asks why.
  static let help = Stroke(modifiers: [], key: "f1")
  static let enter = Stroke(modifiers: [], key: "enter")
  static let enterHeld = Stroke(modifiers: .alt, key: "enter")
  static let down = Stroke(modifiers: [], key: "down")
  static let why = Stroke(modifiers: [], key: "?")
  static let menuOfRow = Stroke(modifiers: [], key: ".")
}

extension OwnCommand {
  /// The page that it opens.
  fileprivate var pageKind: PageState.Kind? {
    switch self {
    case .help: .help
    case .log: .log
    case .inspector: .inspector
    default: nil
    }
  }
}
