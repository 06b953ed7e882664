import LiveHost
import ScriptHost

// Marks, filters and selected lines of the panes, as words (P10, P15).

extension PlainFace {
  /// Marks the rows with these numbers, or unmarks them if all of them are marked; or marks all rows of the pane, or
  /// none.
  func mark(_ rest: String) {
    let words = rest.split { $0 == " " || $0 == "," }.map(String.init)
    switch words.first?.lowercased() {
    case nil: say("which rows? As in: mark 2 3, mark all, mark none")
    case "all" where words.count == 1: markPane([("ids", .list([])), ("how", .text(MarkChange.all.rawValue))])
    case "none" where words.count == 1: markPane([("ids", .list([]))])
    default:
      var rows: [String] = []
      for word in words {
        guard let id = idOfRow(word, asIn: "which rows? As in: mark 2 3") else { return }
        rows.append(id)
      }
      let nodes = rows.compactMap { face.menus[$0] }
      guard let first = nodes.first, let pane = first.pane else { return say("'\(words[0])' is no row of a pane") }
      guard nodes.allSatisfy({ $0.pane === pane }) else { return say("mark the rows of one pane at a time") }
      let change: MarkChange = nodes.allSatisfy(\.element.isMarked) ? .remove : .add
      mark([("ids", .list(rows.map { .text($0) })), ("how", .text(change.rawValue))], in: pane)
    }
  }

  private func markPane(_ members: [(String, JSON)]) {
    if let pane = focusedPane { mark(members, in: pane) }
  }

  private func mark(_ members: [(String, JSON)], in pane: ShownMenus.Node) {
    let title = pane.element.titleOfPane
    guard pane.element.area?.hasMarks ?? false else { return say("the rows of '\(title)' can't be marked") }
    face.ask("mark", members + [("pane", .text(pane.id))], for: .narrowing)
    then { [unowned self] in say("\(face.menus[pane.id]?.element.area?.marked ?? 0) marked in \(title)") }
  }

  /// Shows only the rows of the focused pane that have these letters; all rows without a text.
  func filter(_ text: String) {
    guard let pane = focusedPane else { return }
    let title = pane.element.titleOfPane
    guard pane.element.area?.hasFilter ?? false else { return say("the rows of '\(title)' can't be filtered") }
    face.ask("filter", [("pane", .text(pane.id)), ("text", .text(text))], for: .narrowing)
    then { [unowned self] in
      let element = face.menus[pane.id]?.element
      let (filter, rows) = (element?.area?.filter ?? "", element?.area?.rows ?? 0)
      let count = rows == 1 ? "1 row" : "\(rows) rows"
      say(filter.isEmpty ? "\(title): all rows" : "\(title), filtered by '\(filter)': \(count)")
      showAll()
    }
  }

  /// Selects lines of the text whose lines were written last, or else of the only text.
  func select(_ rest: String) {
    let words = rest.split { $0 == " " || $0 == "-" }
    let ends = words.compactMap { Int($0) }
    guard let from = ends.first, let to = ends.last, ends.count == words.count, ends.count <= 2 else {
      return say("which lines? As in: select 2 5")
    }
    let texts = face.panes.compactMap(\.text).map(\.id)
    guard let id = heardText.flatMap({ texts.contains($0) ? $0 : nil }) ?? (texts.count == 1 ? texts[0] : nil),
      let element = face.menus[id]?.element, let text = element.area?.text
    else { return say(texts.isEmpty ? "there is no text" : "of which text? 'lines TEXT' says its lines first") }
    let title = element.titleOfPane
    guard text.current != nil else {
      return say(
        text.lines == 0
          ? "'\(title)' has no lines yet: write 'lines \(title)' first" : "the lines of '\(title)' can't be selected")
    }
    guard text.lines > 0, 1...text.lines ~= from, 1...text.lines ~= to else {
      return say("'\(title)' has the lines 1 to \(text.lines)")
    }
    // Its actions are about the selected lines, so it gets the focus, as when a person moves there.
    face.focusPane(id)
    face.ask("select", [("text", .text(id)), ("from", .integer(from)), ("to", .integer(to))], for: .narrowing)
    then { [unowned self] in
      guard let lines = face.menus[id]?.element.area?.text?.selected else { return }
      let named = lines.count == 1 ? "line \(lines.lowerBound)" : "lines \(lines.lowerBound) to \(lines.upperBound)"
      say("\(named) of \(title) selected")
    }
  }

  /// The pane with the focus; reports that there is none.
  private var focusedPane: ShownMenus.Node? {
    if let pane = face.panel.id.flatMap({ face.menus[$0] }) { return pane }
    say("there is no pane")
    return nil
  }
}

extension ShownMenus.Node {
  /// The pane around a row; nil for other elements.
  var pane: ShownMenus.Node? {
    var node = parent
    while let known = node, known.element.kind != .pane { node = known.parent }
    return node
  }
}

// A form in lines, which asks field by field.

extension PlainFace {
  /// Asks for the current field, with a number for each choice.
  func ask(_ form: PromptOverlay) {
    let field = form.prompt.field
    if let help = form.prompt.help, form.prompt.current == 0, field.shownReason == nil { say(help) }
    if let reason = field.shownReason { say("\(field.title): \(reason)") }
    let isChoice = field.argument.kind != .boolean && !field.choices.isEmpty
    lines = []
    let how: String? =
      if field.hasLines {
        "write several lines, then a line with '.'"
      } else if isChoice {
        field.picksSeveral ? "numbers or titles, with commas between them" : "a number or a title"
      } else {
        nil
      }
    let proposed = field.argument.proposed.map {
      field.hasLines ? "'.' alone keeps this:" : "an empty line is \(field.argument.called($0))"
    }
    let note = (field.picksSeveral ? [] : [field.note]) + [field.argument.suggested ?? "", proposed ?? ""]
    let facts = ([how ?? ""] + note).filter { !$0.isEmpty }
    say("\(form.deed.heading): \(([field.title] + facts).joined(separator: ", ")); 'stop' leaves it")
    if field.hasLines, let text = field.argument.proposed?.typed {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) { say("  \(line)") }
    }
    guard isChoice else { return }
    for (place, choice) in field.choices.enumerated() { say("\(Self.number(place + 1))  \(field.title(of: choice))") }
  }

  /// Handles a line as the answer for the current field.
  func answer(_ form: PromptOverlay, _ line: String) {
    let field = form.prompt.field
    // A choice's title precedes the commands `back`, `help` and `quit`, but not `stop`. A secret allows only `stop`.
    let isTitle = field.choices.contains { field.title(of: $0) == line }
    if field.hasLines, line != "stop", !lines.isEmpty || !["back", "help", "quit"].contains(line) {
      return answer(form, inLines: line)
    }
    switch line {
    case "stop": return leave(form)
    case "back" where !isTitle && !field.argument.isSecret: return leave(form)
    case "help" where !isTitle && !field.argument.isSecret:
      return say("  write the answer; 'stop' or 'back' leaves it, 'quit' leaves the app; '\\quit' is the word itself")
    case "quit" where !isTitle && !field.argument.isSecret: return face.wish(.quit)
    default: break
    }
    put(Self.unescaped(line), form)
  }

  /// Handles a line of a multi-line text, which a line with a dot ends.
  private func answer(_ form: PromptOverlay, inLines line: String) {
    if line != "." { return lines.append(Self.unescaped(line)) }
    put(lines.joined(separator: "\n"), form)
  }

  /// Returns a line without the '\' that turns a command into text.
  private static func unescaped(_ line: String) -> String {
    ["\\stop", "\\back", "\\help", "\\quit", "\\."].contains(line) ? String(line.dropFirst()) : line
  }

  /// Sets the answer of the current field, and sends it to the app for validation.
  private func put(_ line: String, _ form: PromptOverlay) {
    lines = []
    if let wrong = enter(line, into: &form.prompt) { return say(wrong) }
    let isWhole = form.prompt.takeInOrder()
    if form.prompt.field.reason != nil { return }
    // The app validates the answer before the next field: only it can check a pattern, or whether a name is free.
    face.formWish = .toGoOn
    face.askWhatIsStale()
    answered = isWhole ? .all : .one
  }

  /// Called when the app has validated an answer: repeats the question, or continues the form.
  func heard(_ form: PromptOverlay) {
    guard let answered else { return }
    self.answered = nil
    if form.prompt.takeBack() || answered == .one || form.prompt.goOn() { return }
    form.carryOut(face)
  }

  private func leave(_ form: PromptOverlay) {
    toPress = []
    form.leave(face)
  }

  /// Sets the answer of the current field. Returns the error if it names no choice.
  /// An empty line chooses nothing, because lines don't show a current choice.
  private func enter(_ line: String, into prompt: inout Prompt) -> String? {
    let field = prompt.field
    if line.isEmpty, field.argument.proposed != nil { return nil }
    let missing = field.argument.isRequired ? "\(field.title): \(PromptField.missing)" : nil
    guard field.picksSeveral else {
      if line.isEmpty, !field.choices.isEmpty, let missing { return missing }
      let isTitle = field.choices.contains { field.title(of: $0) == line }
      let number = isTitle ? nil : Int(line).map { $0 - 1 }
      let chosen = number.flatMap { field.choices.indices.contains($0) ? field.title(of: field.choices[$0]) : nil }
      prompt.edit { $0.replace(chosen ?? line) }
      return nil
    }
    var places: [Int] = []
    for part in line.split(separator: ",").map({ $0.split(separator: " ").joined(separator: " ") }) {
      let titled = field.choices.firstIndex { field.title(of: $0).lowercased() == part.lowercased() }
      guard let place = titled ?? Int(part).map({ $0 - 1 }), field.choices.indices.contains(place) else {
        return "there is no '\(part)' to choose"
      }
      places.append(place)
    }
    if places.isEmpty, let missing { return missing }
    prompt.edit {
      $0.replace("")
      $0.pick(places)
    }
    return nil
  }
}
