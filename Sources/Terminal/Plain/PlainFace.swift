import LiveHost
import ScriptHost

/// The *plain face* is a face in lines, for screen readers, for pipes, and for simple terminals.
///
/// Choices have numbers, one question is open at a time, and nothing moves.
/// It drives a `Face`, but reads lines instead of keys, and writes words instead of drawing.
final class PlainFace {
  let face: Face
  private let write: (String) -> Void
  /// The ids of the entered menus, outermost first.
  private var path: [String] = []
  /// The choices that have numbers now.
  private var choices: [Numbered] = []
  /// The text to search for once the app has sent its actions.
  private var wanted: String?
  /// The text that waits for its lines.
  private var wantedText: TextView?
  /// The id of the text whose lines were written last.
  private(set) var heardText: String?
  /// Writes what came of the last line, once the app has answered.
  private var whatCame: (() -> Void)?
  /// The rest of a list, written when the person requests more.
  private var rest: [() -> Void] = []
  /// The number of overlays at the last question, and the pending strokes already written; both since the last line.
  private var asked: Int?
  /// Whether the current field waits for its values.
  private var isAwaitingValues = false
  private var saidBegun: [Stroke] = []
  /// The lines of a multi-line text so far.
  var lines: [String] = []
  /// The answered part of the open form, while the app validates it.
  var answered: Answered?
  /// The strokes of a line that wait for the previous stroke.
  var toPress: [Stroke] = []
  /// The progress that was written last, by job.
  private var told: [Int: ToldJob] = [:]
  /// A failure that isn't written yet, since the outcome of its deed may follow with the same text.
  private var failure: String?

  enum Answered {
    case one, all
  }

  /// The progress of a job that was written last, and the time.
  private struct ToldJob {
    var percent: String
    var text: String
    var at: Duration
  }

  /// A choice with a number.
  private struct Numbered {
    let id: String
    /// The menu's element; nil for an action without an item.
    var element: MenuElement?
    var isMenu = false
    let title: String
  }

  /// - Parameter face: a face that has not begun.
  init(_ face: Face, write: @escaping (String) -> Void) {
    self.face = face
    self.write = write
    face.hasBodyBesidePanel = true
    face.lookAtWhatIsWanted()
    face.onSay = { [unowned self] in said($0) }
    face.log.onAdd = { [unowned self] in logged($0) }
  }

  func say(_ line: String) {
    sayFailure()
    write(line.visible)
  }

  // MARK: - Unrequested output

  private func said(_ content: StatusContent) {
    switch content {
    case .done(let text): say("done: \(text)")
    case .note(let text): say(text)
    case .refused(let text):
      toPress = []
      say("not done: \(text.onOneLine)")
    case .failed(let text):
      toPress = []
      failed(text.onOneLine)
    case .inTheWay(let text, let job):
      toPress = []
      say("not done: \(text.onOneLine); 'cancel' ends \(job)")
    case .hint, .progress, .pending: break
    }
  }

  /// Keeps a failure to write it once: alone, or with the outcome of its deed if that has the same text.
  private func failed(_ text: String) {
    if let failure, !text.hasSuffix(failure) { sayFailure() }
    failure = text
  }

  func sayFailure() {
    if let failure { write("error: \(failure)".visible) }
    failure = nil
  }

  private func logged(_ entry: FaceLog.Entry) {
    switch entry.kind {
    case .print, .log: say(entry.text)
    case .warning: say("warning: \(entry.text)")
    case .outcome, .refusal, .error: break
    }
  }

  /// Called when all requests are answered: writes new pages and closes them, and asks open questions.
  func settled() {
    sayFailure()
    if let text = wanted, !face.isAwaiting(.actions) {
      wanted = nil
      listFound(text)
    }
    if let text = wantedText, !face.isAwaiting(linesOf: text.id) {
      wantedText = nil
      sayLines(of: text)
    }
    if let told = whatCame {
      whatCame = nil
      told()
    }
    // A closed form's answers are forgotten.
    if !face.over.contains(where: { $0 is PromptOverlay }) { answered = nil }
    while let top = face.over.last {
      switch top {
      case let question as Question: return once { say("\(question.text) (yes or no)") }
      case let form as PromptOverlay where answered != nil:
        heard(form)
        // `heard` may have performed a deed, whose answer comes first.
        if !face.awaited.isEmpty { return }
        continue
      // A multi-line text continues.
      case is PromptOverlay where !lines.isEmpty: return
      case let form as PromptOverlay:
        // Once the values of a field have come, the face asks for the field again.
        if isAwaitingValues, !form.prompt.field.argument.isAwaited { asked = nil }
        isAwaitingValues = form.prompt.field.argument.isAwaited
        return once { ask(form) }
      case is PaletteOverlay:
        face.close(top)
        listFound("")
        continue
      case let page as Page:
        say(page.title)
        for line in page.lines { say("  \(line.text)") }
      default: break
      }
      face.close(top)
    }
    if face.bar.open.first?.source == .context {
      face.bar.open = []
      list(face.bar.context.root.shown)
    } else if let id = face.bar.openIDs.last {
      face.bar.open = []
      path = [id]
      show()
    }
    if !toPress.isEmpty { return pressNext() }
    if !face.strokes.begun.isEmpty, saidBegun != face.strokes.begun {
      saidBegun = face.strokes.begun
      let isCount = face.strokes.sequence.isEmpty
      say("'\(face.strokes.text)' was begun; press \(isCount ? "the key that it counts for" : "one of these"), or esc:")
      for hint in face.hints { say("  \(hint.stroke): \(hint.what)") }
    }
    sayHowFarJobsAre()
  }

  /// Writes the progress of each job, in steps of ten percent. A text that changes alone is written now and then.
  private func sayHowFarJobsAre() {
    for job in face.jobs where job.isShown(at: face.now) {
      let percent = job.fraction.map { "\(Int($0 * 10) * 10) %" } ?? "it goes on"
      if let known = told[job.number], known.percent == percent {
        if known.text == job.text || face.now < known.at + Self.betweenTexts { continue }
      }
      told[job.number] = ToldJob(percent: percent, text: job.text, at: face.now)
      say("\(job.named): \(percent)\(job.text.isEmpty ? "" : ", \(job.text)")")
    }
    for number in told.keys where !face.jobs.contains(where: { $0.number == number }) { told[number] = nil }
  }

  private static let betweenTexts = Duration.seconds(5)

  /// The time at which a job's text is written; nil if none waits.
  var deadline: Duration? {
    // An open question suppresses other output.
    guard face.over.isEmpty, face.awaited.isEmpty else { return nil }
    return face.jobs.compactMap { job in
      told[job.number].flatMap { $0.text == job.text ? nil : $0.at + Self.betweenTexts }
    }.min()
  }

  /// Asks a question, unless it was written since the last line.
  private func once(_ ask: () -> Void) {
    if asked == face.over.count { return }
    asked = face.over.count
    ask()
  }

  // MARK: - Lines

  /// Whether the next line answers a secret argument, so that it must be invisible.
  var hidesLine: Bool {
    (face.over.last as? PromptOverlay)?.prompt.field.argument.isSecret ?? false
  }

  /// Writes the title and the first list.
  func begin() {
    say(face.title)
    show()
  }

  /// Handles a line.
  func take(_ line: String) {
    (asked, saidBegun) = (nil, [])
    sayFailure()
    if let form = face.over.last as? PromptOverlay, form.prompt.field.hasLines { return answer(form, line) }
    let line = String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    if let question = face.over.last as? Question { return answer(question, line) }
    if let form = face.over.last as? PromptOverlay { return answer(form, line) }
    if let number = Int(line) { return choose(number) }
    // A choice precedes a command with the same name; a colon before the name means the command.
    if let choice = titled(line) { return choose(choice) }
    let words = line.drop { $0 == ":" }.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    if !["next", "n"].contains(words.first?.lowercased() ?? "") { self.rest = [] }
    switch words.first?.lowercased() {
    case nil: show()
    case "back", "b": goBack()
    case "menus", "m": showAll()
    case "next", "n": next()
    case "find", "f": find(rest)
    case "why": why(rest)
    case "press", "p": press(rest)
    case "lines": askForLines(of: rest)
    case "now": showBody()
    case "at": makeCurrent(rest)
    case "mark": mark(rest)
    case "filter": filter(rest)
    case "select": select(rest)
    case "more": showContextMenu(rest)
    case "log":
      let lines = face.log.lines(face.settings.theme)
      for line in lines { say("  \(line.text)") }
    case "inspect": face.openInspector()
    case "keys":
      for bound in face.keys where bound.isEffective { say("  \(bound.sequence.text): \(face.titleOf(bound))") }
    case "cancel": if face.jobs.isEmpty { say("nothing goes on") } else { face.cancelJob() }
    case "help", "h", "?": help()
    case "quit", "q", "exit": face.quit()
    default: sayThatNothingIs(line)
    }
  }

  private func help() {
    for (word, what) in Self.words { say("  \(word): \(what)") }
  }

  private static let words = [
    ("a number, or a title", "go into that menu, or do that; a title goes before a command that is called so"),
    (":WORD", "that command, whatever is titled so, as in :find"), ("an empty line", "say again what there is here"),
    ("next, n", "more of a list that is longer than what was said of it"),
    ("back, b; menus, m", "one menu up, or to all of them"),
    ("find TEXT, f TEXT", "what has these letters, with numbers"),
    ("at NUMBER, more NUMBER", "make that row the current one; its own menu"),
    ("why NUMBER", "why it can be done, or can't"),
    ("mark NUMBER NUMBER", "mark these rows, or unmark marked ones; also mark all, mark none"),
    ("filter TEXT", "only the rows with these letters, in the pane that has the focus; without TEXT all"),
    ("lines TEXT", "the lines of a text"), ("select NUMBER NUMBER", "select these lines of it"),
    ("press KEYS, p KEYS", "press keys of the app, as in press ctrl+e"),
    ("now", "what can be done now, and what can't, by who does it"), ("keys", "the app's keys"),
    ("log, inspect", "what was said; who is asked, and what is known"), ("cancel", "end what goes on"),
    ("help, h, ?", "these words"), ("quit, q, exit", "leave"),
  ]

  private func answer(_ question: Question, _ line: String) {
    switch line.lowercased() {
    case "yes", "y": question.answer(true, face)
    case "no", "n", "", "back", "b", "stop":
      toPress = []
      question.answer(false, face)
    case "help", "h", "?": say("  yes does it; no, or an empty line, does not; quit leaves the app")
    case "quit", "q", "exit": face.wish(.quit)
    default: say("yes or no?")
    }
  }

  // MARK: - Menus

  /// Writes the choices of the current menu, each with a number.
  private func show() {
    while let last = path.last, face.menus[last] == nil { path.removeLast() }
    guard let id = path.last, let node = face.menus[id] else {
      let rows = face.menus.panel.shown.flatMap(\.listed)
      if face.menus.bar.isEmpty, rows.isEmpty { return showBody() }
      return list(rows + face.menus.bar)
    }
    say(path.compactMap { face.menus[$0]?.element.title }.joined(separator: ", "))
    list(node.shown)
  }

  private func list(_ nodes: [ShownMenus.Node]) {
    choices = []
    if !nodes.contains(where: { $0.element.kind == .item || $0.element.kind == .menu }) {
      for node in nodes { list(node) }
      return say("     nothing")
    }
    rest = nodes.filter { $0.element.kind != .separator }.map { node in { [unowned self] in list(node) } }
    next(Self.mostListed)
  }

  private func list(_ node: ShownMenus.Node) {
    switch node.element.kind {
    case .separator: break
    case .label, .section: for line in node.element.titleLines { say("     \(line)") }
    case .pane: say(titleOfPane(node))
    case .text: say("\(node.element.titleOfPane)  ('lines \(node.id)' says its lines)")
    case .beside, .stack, .tabs: break
    case .item, .menu: add(node, in: [])
    }
  }

  /// Returns the title of a pane with its filter and its current row; says if it has the focus.
  private func titleOfPane(_ node: ShownMenus.Node) -> String {
    let area = node.element.area
    var parts = [node.element.titleOfPane]
    if area?.isFocused == true { parts.append("has the focus") }
    if let filter = area?.filter, !filter.isEmpty { parts.append("filtered by '\(filter)'") }
    if let row = area?.current.flatMap({ face.menus[$0] }) { parts.append("at \(row.element.title)") }
    return parts.joined(separator: ", ")
  }

  /// Requests the lines of a text by its id or title.
  private func askForLines(of name: String) {
    let texts = face.panes.compactMap(\.text)
    let named = texts.first { $0.id == name } ?? texts.first { face.menus[$0.id]?.element.title == name }
    let alone = texts.count == 1 ? texts[0] : nil
    guard let text = name.isEmpty ? alone : named else {
      let known = texts.map { "'lines \($0.id)'" }.joined(separator: ", ")
      return say(texts.isEmpty ? "there is no text" : "which text? There are \(known)")
    }
    wantedText = text
    face.ask("lines", [("text", .text(text.id)), ("from", .integer(1))], for: .lines(text.id))
  }

  private func sayLines(of text: TextView) {
    let element = face.menus[text.id]?.element
    if let reason = element?.reason { return say("not done: \(reason.onOneLine)") }
    let lines = text.known
    if lines.isEmpty { return say("     nothing") }
    heardText = text.id
    let isNumbered = element?.area?.text?.current != nil
    let selected = element?.area?.text?.selected
    rest = lines.enumerated().map { place, line in
      let mark = selected?.contains(place + 1) == true ? ">" : " "
      return { [unowned self] in say("\(isNumbered ? Self.number(place + 1) + mark : "    ") \(line.text)") }
    }
    next(Self.mostListed)
  }

  /// The most entries of a list at once, and the most results of a search.
  private static let mostListed = 100
  private static let mostFound = 30

  /// Writes the next entries of the list, and the number of the remaining ones.
  private func next(_ count: Int = mostListed) {
    if rest.isEmpty { return say("that was all") }
    let now = rest.prefix(count)
    rest.removeFirst(now.count)
    for one in now { one() }
    if !rest.isEmpty { say("     and \(rest.count) more: 'next' says them, 'find TEXT' finds one") }
  }

  static func number(_ number: Int) -> String {
    String(repeating: " ", count: max(0, 3 - "\(number)".count)) + "\(number)"
  }

  private func text(_ element: MenuElement, in path: [String]) -> String {
    let isBlank = element.title.allSatisfy(\.isWhitespace)
    var parts = [(path + [isBlank ? "empty" : element.title]).joined(separator: " › ")]
    if let isOpen = element.isOpen {
      parts.append(isOpen ? "open" : "closed")
    } else if element.kind == .menu {
      parts.append("menu")
    }
    if element.level > 0 { parts.append("level \(element.level + 1)") }
    if let state = face.menus.isInPanel(element.id) ? Self.stateOfRow(element) : Self.state(element) {
      parts.append(state)
    }
    if let subtitle = element.subtitle { parts.append(subtitle) }
    if let key = element.key { parts.append("key \(key)") }
    if element.isDestructive { parts.append("destroys") }
    let text = parts.joined(separator: ", ")
    if element.isEnabled { return text }
    if element.isBlocked { return "\(text), not now" }
    return element.elsewhere == nil ? "\(text), not now: \(element.whyNot)" : "\(text), \(element.whyNot)"
  }

  /// Returns the words for an item's state, which distinguish a check from a radio mark, and off from no state.
  private static func state(_ element: MenuElement) -> String? {
    switch (element.mark, element.state) {
    case (.radio, .on): "chosen"
    case (.radio, .off): "not chosen"
    case (_, .on): "checked"
    case (_, .mixed): "partly checked"
    case (.check, .off): "not checked"
    case (nil, .off): nil
    }
  }

  /// Returns the words for a row's state, only if it is marked, because there may be thousands of others.
  private static func stateOfRow(_ element: MenuElement) -> String? {
    if element.isMarked { return "marked" }
    return switch element.state {
    case .on: "marked"
    case .mixed: "partly marked"
    case .off: nil
    }
  }

  private func goBack() {
    if !path.isEmpty { path.removeLast() }
    show()
  }

  private func choose(_ number: Int) {
    if let choice = choice(number) { choose(choice) }
  }

  /// Returns the choice with a number; reports an unknown number.
  private func choice(_ number: Int) -> Numbered? {
    if choices.indices.contains(number - 1) { return choices[number - 1] }
    say(choices.isEmpty ? "nothing here has a number" : "there are the numbers 1 to \(choices.count)")
    return nil
  }

  /// Returns the choice with a number or a title; reports an unknown choice.
  private func choice(_ rest: String, asIn example: String) -> Numbered? {
    if let number = Int(rest) { return choice(number) }
    if rest.isEmpty {
      say(example)
      return nil
    }
    if let choice = titled(rest) { return choice }
    sayThatNothingIs(rest)
    return nil
  }

  /// Returns the id of the row with a number or a title.
  func idOfRow(_ rest: String, asIn example: String) -> String? { choice(rest, asIn: example)?.id }

  /// Has a body write what came of a line, once the app has answered.
  func then(_ body: @escaping () -> Void) { whatCame = body }

  /// Writes the choices of all menus and panes.
  func showAll() {
    path = []
    show()
  }

  private func titled(_ title: String) -> Numbered? {
    choices.first { $0.title.lowercased() == title.lowercased() }
  }

  /// Reports that nothing here has this title, and suggests a similar title.
  private func sayThatNothingIs(_ line: String) {
    let wanted = line.lowercased()
    let titles = choices.map(\.title)
    let near = nearest(to: wanted, among: titles.map { $0.lowercased() }).first
    let isElsewhere = face.menus.items.contains { $0.node.element.title.lowercased() == wanted }
    let meant = titles.first { $0.lowercased() == near } ?? nearest(to: wanted, among: Self.commands).first
    let help =
      isElsewhere
      ? "'find \(line)' finds it" : meant.map { "did you mean '\($0)'?" } ?? "'help' says what can be written"
    say("there is no '\(line)' here; \(help)")
  }

  private static let commands = [
    "back", "menus", "next", "find", "why", "press", "now", "at", "more", "mark", "filter", "lines", "select", "log",
    "inspect", "keys", "cancel", "help", "quit",
  ]

  private func choose(_ choice: Numbered) {
    guard choice.isMenu else {
      // A row is performed as the current row.
      _ = face.panel.makeCurrent(choice.id, of: face)
      // An item of the menus is taken as it is now, an item of a row's context menu as it was listed.
      return face.pick(choice.id, face.menus[choice.id]?.element ?? choice.element)
    }
    // A branch of a tree opens, and its rows follow it in the list.
    if face.menus[choice.id]?.element.isOpen != nil {
      face.openBranch(choice.id)
      return then { [unowned self] in show() }
    }
    path.append(choice.id)
    show()
  }

  /// Returns the row of the panel with a number or a title.
  private func row(_ rest: String) -> Numbered? {
    choice(rest, asIn: "which row? As in: at 2")
  }

  /// Makes a row of the panel current, like moving to it.
  private func makeCurrent(_ rest: String) {
    guard let row = row(rest) else { return }
    if !face.panel.makeCurrent(row.id, of: face) {
      guard face.menus[row.id]?.pane != nil else { return say("'\(row.title)' is no row of the panel") }
      // It is in a pane without the focus, which the pane gets with it.
      face.ask("choose", [("id", .text(row.id))], for: .choice(row.id))
    }
    say("at \(row.title)")
  }

  private func showContextMenu(_ rest: String) {
    guard let row = row(rest) else { return }
    if row.isMenu { return choose(row) }
    guard face.panel.makeCurrent(row.id, of: face) else { return say("'\(row.title)' is no row of the panel") }
    _ = face.opensMenuOfRow()
  }

  /// Searches for a text, after requesting the actions without an item.
  private func find(_ text: String) {
    wanted = text
    face.ask("actions", for: .actions)
  }

  private func listFound(_ text: String) {
    let items = face.menus.items
    let palette = Palette(items.map(Palette.Entry.init) + face.actions.map(\.paletteEntry))
    choices = []
    rest = palette.found(text, latest: face.latest).map { place in
      { [unowned self] in
        guard items.indices.contains(place) else { return add(palette.entries[place]) }
        add(items[place].node, in: items[place].path)
      }
    }
    if rest.isEmpty { say("     nothing") } else { next(Self.mostFound) }
  }

  private func add(_ node: ShownMenus.Node, in path: [String]) {
    let element = node.element
    choices.append(Numbered(id: node.id, element: element, isMenu: element.kind == .menu, title: element.title))
    say("\(Self.number(choices.count))  \(text(element, in: path))")
  }

  /// Lists an action without an item.
  private func add(_ action: Palette.Entry) {
    choices.append(Numbered(id: action.id, title: action.title))
    let key = action.key.isEmpty ? "" : ", key \(action.key)"
    say("\(Self.number(choices.count))  \(action.title)\(key)\(action.isEnabled ? "" : ", not now: \(action.reason)")")
  }

  private func why(_ rest: String) {
    if let choice = choice(rest, asIn: "why what? As in: why 2") { face.askWhy(choice.id) }
  }

  private func press(_ keys: String) {
    do throws(KeyError) { toPress = try KeySequence.parse(keys).strokes } catch {
      return say("'\(keys)': \(error.message)")
    }
    pressNext()
  }

  private func pressNext() {
    if !toPress.isEmpty { face.press(toPress.removeFirst()) }
  }

  private func showBody() {
    for line in Body.lines(of: face) {
      switch line.kind {
      case .empty: continue
      case .header: say(line.title)
      case .item:
        let key = line.key.isEmpty ? "" : ", key \(line.key)"
        let why = line.isEnabled || line.note.isEmpty ? "" : ", not now: \(line.note)"
        say("     \(line.title)\(key)\(why)")
      }
    }
  }
}
