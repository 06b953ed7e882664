import LiveHost
import ScriptHost

/// The open *prompt*: a title and a line for each field, reasons below them, and choices below the current field.
final class PromptOverlay: Overlay {
  var prompt: Prompt
  /// The deed that gets the answers.
  let deed: FaceDeed
  /// The question to confirm after the form, if there is one.
  fileprivate(set) var confirm: String?
  var area = Area.nowhere

  init(_ prompt: Prompt, _ deed: FaceDeed, confirm: String? = nil) {
    self.prompt = prompt
    self.deed = deed
    self.confirm = confirm
  }

  let wantsAnswer = true
  var hint: String {
    if prompt.field.hasLines { return "alt+enter does it   ctrl+e editor   tab next   esc closes" }
    var entered = prompt
    let does = entered.enter() ? "enter does it" : "enter goes on"
    return prompt.fields.count > 1 ? "\(does)   tab next   esc closes" : "enter does it   esc closes"
  }

  // MARK: - Keys

  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    switch (stroke.key, stroke.modifiers) {
    case ("esc", _): leave(face)
    case ("enter", .alt), ("enter", .ctrl): enter(face, submits: true)
    case ("e", .ctrl) where prompt.field.hasLines: face.wish(.edit(prompt.field.text))
    case ("tab", []) where prompt.field.hasLines: edit(face) { $0.move(by: 1) }
    case ("tab", .shift) where prompt.field.hasLines: edit(face) { $0.move(by: -1) }
    case (let key, _) where prompt.field.hasLines:
      edit(face) { prompt in
        var isInside = true
        prompt.edit { isInside = $0.keyInLines(stroke, text, columns: columnsOfLines) }
        if !isInside, key == "up" || key == "down" { prompt.move(by: key == "up" ? -1 : 1) }
      }
    case ("enter", []): enter(face)
    case ("tab", []): edit(face) { if !Self.completes(&$0, in: face.settings.folder) { $0.move(by: 1) } }
    case ("tab", .shift): edit(face) { $0.move(by: -1) }
    case ("up", []): edit(face) { Self.move(&$0, by: -1) }
    case ("down", []): edit(face) { Self.move(&$0, by: 1) }
    case ("space", []) where prompt.field.picksSeveral: edit(face) { $0.edit { $0.togglePick() } }
    default: edit(face) { $0.edit { $0.key(stroke, text) } }
    }
    return true
  }

  /// The columns in a row of a multi-line text; the last column is for the cursor.
  private var columnsOfLines: Int { area.inFrame.columns - 3 }

  /// Replaces the line breaks of a paste in a single-line field.
  func paste(_ text: String, of face: Face) -> Bool {
    edit(face) { $0.edit { $0.type($0.hasLines ? text.inLines : text.onOneLine) } }
    return true
  }

  /// Changes the form, and sends its answers to the app for validation.
  private func edit(_ face: Face, _ body: (inout Prompt) -> Void) {
    let old = prompt
    body(&prompt)
    if old.current != prompt.current {
      face.formWish = .toGoOn
    } else if old.field.text != prompt.field.text || old.field.picked != prompt.field.picked {
      face.formWish = face.formWish ?? .whileTyping
    }
  }

  private static func move(_ prompt: inout Prompt, by step: Int) {
    let isListed = !prompt.field.choices.isEmpty || !prompt.field.paths.isEmpty
    if isListed { prompt.edit { $0.moveChoice(by: step) } } else { prompt.move(by: step) }
  }

  /// Completes a path as far as it is unique, and lists the candidates. Returns false if there are none.
  private static func completes(_ prompt: inout Prompt, in folder: String) -> Bool {
    let field = prompt.field
    guard field.argument.kind == .file || field.argument.kind == .folder else { return false }
    if !field.paths.isEmpty {
      prompt.edit { $0.moveChoice(by: 1) }
      return true
    }
    let begun = field.pathBegun
    guard let completion = PathCompletion(begun, in: folder, foldersOnly: field.argument.kind == .folder) else {
      return false
    }
    if completion.common != begun { prompt.edit { $0.replacePath(completion.common) } }
    if completion.paths.count > 1 { prompt.edit { $0.offer(completion.paths) } }
    return completion.common != begun || completion.paths.count > 1
  }

  func leave(_ face: Face) {
    face.close(self)
    face.leave(deed)
  }

  /// - Parameter submits: true to perform the deed without going to another field first.
  private func enter(_ face: Face, submits: Bool = false) {
    // If a path of the list is current, it first goes into the line.
    if let place = prompt.field.path {
      let path = prompt.field.paths[place]
      return edit(face) { $0.edit { $0.replacePath(path) } }
    }
    if submits ? prompt.submit() : prompt.enter() { carryOut(face) } else { face.formWish = .toGoOn }
  }

  /// Performs the deed with the answers, after the question to confirm if there is one.
  func carryOut(_ face: Face) {
    face.close(self)
    var deed = deed
    deed.form = prompt
    for (key, value) in prompt.answers.members { deed.arguments[key] = value }
    if let confirm, deed.confirmed == nil { face.ask(confirm, deed) } else { face.carryOut(deed) }
  }

  // MARK: - The mouse

  /// A press on a field makes it current. A press on a choice makes it current, or takes it if it is current already.
  /// In a list of several, a press picks the choice.
  func mouse(_ mouse: Mouse, of face: Face) -> Bool {
    switch mouse.deed {
    case .wheel(let step, _): edit(face) { $0.edit { $0.moveChoice(by: step) } }
    case .press(.left) where !area.holds(mouse): leave(face)
    case .press(.left):
      guard let (place, choice) = place(at: mouse.row) else { break }
      guard let choice else {
        edit(face) { $0.makeCurrent(place) }
        break
      }
      let field = prompt.field
      if !field.picksSeveral, choice == (field.paths.isEmpty ? field.chosen : field.path) {
        enter(face)
        break
      }
      edit(face) {
        $0.edit {
          $0.choose(choice)
          $0.togglePick()
        }
      }
    default: break
    }
    return true
  }

  // MARK: - Layout

  private static let widest = 64
  private static let mostChoices = 6
  private static let mostReason = 4
  /// The most rows that the screen has for a text.
  private var mostLines = 1

  // MARK: - Layout

  /// Returns the list below the current field: choices or paths.
  private static func listed(_ field: Prompt.Field) -> [String] {
    field.paths.isEmpty ? field.found.map { field.title(of: field.choices[$0]) } : field.paths
  }

  private static func rowsOfList(_ field: Prompt.Field) -> Int {
    min(mostChoices, field.paths.isEmpty ? field.found.count : field.paths.count)
  }

  /// Returns the lines below a field that explain its error.
  private static func reason(_ field: Prompt.Field, _ columns: Int) -> [String] {
    guard let reason = field.shownReason else { return [] }
    let lines = reason.onOneLine.broken(toColumns: columns - 2)
    return lines.count <= mostReason
      ? lines : lines.prefix(mostReason - 1) + [lines.dropFirst(mostReason - 1).joined(separator: " ")]
  }

  /// Returns the lines of the sentence above the fields; the last line is cut.
  private func help(_ columns: Int) -> [String] {
    let lines = prompt.help?.onOneLine.broken(toColumns: columns) ?? []
    return lines.prefix(Self.mostReason).map { $0 }
  }

  /// Returns the number of rows of that sentence and of the blank below it.
  private func rowsOfHelp(_ columns: Int) -> Int { prompt.help == nil ? 0 : help(columns).count + 1 }

  /// The area below the sentence. On a low screen the fields get all rows.
  private var areaOfFields: Area {
    let inner = area.inFrame
    let rows = rowsOfHelp(inner.columns)
    guard inner.rows - rows >= height(prompt.current, inner.columns) - 1 else { return inner }
    return Area(row: inner.row + rows, column: inner.column, rows: inner.rows - rows, columns: inner.columns)
  }

  /// Returns the number of text rows of a field.
  private func rowsOfText(_ field: Prompt.Field) -> Int { min(field.argument.lines ?? 1, mostLines) }

  /// Returns the number of lines of a field: title, text, a blank and the reason; for the current field also the list.
  private func height(_ index: Int, _ columns: Int) -> Int {
    let field = prompt.fields[index]
    let listed = index == prompt.current ? Self.rowsOfList(field) : 0
    return 2 + rowsOfText(field) + Self.reason(field, columns).count + listed
  }

  func area(on screen: Area) -> Area {
    // The frame and the title have three rows; the frame, the arrow and the cursor seven columns.
    mostLines = max(1, screen.rows - 3)
    let widest = max(Self.widest, (prompt.fields.compactMap(\.argument.wide).max() ?? 0) + 7)
    let columns = min(widest, screen.columns)
    let rows = prompt.fields.indices.reduce(2 + rowsOfHelp(columns - 4)) { $0 + height($1, columns - 4) } - 1
    return Frame.middle(columns: columns, rows: min(rows, screen.rows), of: screen)
  }

  /// Returns the visible fields and their first rows. If not all fit, the current field is among them.
  private func placed(in inner: Area) -> [(field: Int, row: Int)] {
    var first = 0
    func needed(_ first: Int) -> Int { (first...prompt.current).reduce(0) { $0 + height($1, inner.columns) } - 1 }
    while first < prompt.current, needed(first) > inner.rows { first += 1 }
    // On a low screen choices are more important than the title, which moves into the frame.
    let isLow = first == prompt.current && inner.rows < 3 && Self.rowsOfList(prompt.field) > 0
    var row = inner.row - (isLow ? 1 : 0)
    return (first..<prompt.fields.count).compactMap { index in
      defer { row += height(index, inner.columns) }
      return row < inner.endRow ? (index, row) : nil
    }
  }

  /// Returns the first row of a field's list, its first visible entry, and the number of visible entries.
  private func list(_ field: Prompt.Field, _ row: Int, _ inner: Area) -> (row: Int, top: Int, count: Int) {
    let first = row + 1 + rowsOfText(field) + Self.reason(field, inner.columns).count
    let count = max(0, min(Self.rowsOfList(field), inner.endRow - first))
    let total = field.paths.isEmpty ? field.found.count : field.paths.count
    let current = field.paths.isEmpty ? field.choice : field.path ?? 0
    return (first, max(0, min(current - count + 1, total - count)), count)
  }

  /// Returns the field at a row, and its choice there, if any.
  private func place(at row: Int) -> (field: Int, choice: Int?)? {
    let inner = areaOfFields
    guard inner.holds(row: row), let placed = placed(in: inner).last(where: { $0.row <= row }) else { return nil }
    guard placed.field == prompt.current else { return (placed.field, nil) }
    let list = list(prompt.field, placed.row, inner)
    let line = row - list.row
    return (placed.field, (0..<list.count).contains(line) ? list.top + line : nil)
  }

  // MARK: - Drawing

  func draw(on canvas: inout Canvas, theme: Theme) {
    let inner = areaOfFields
    let placed = placed(in: inner)
    let isLow = placed.first.map { $0.row < inner.row } ?? false
    Frame.draw(on: &canvas, in: area, title: isLow ? prompt.field.title : prompt.title, theme: theme)
    guard inner.rows > 0, inner.columns > 4 else { return }
    for (line, text) in help(inner.columns).enumerated() where area.inFrame.row + line < inner.row {
      canvas.put(text, row: area.inFrame.row + line, column: inner.column, style: theme.row, in: area.inFrame)
    }
    for (index, row) in placed {
      draw(prompt.fields[index], isCurrent: index == prompt.current, row, on: &canvas, inner, theme)
    }
    let end = placed.last.map { $0.row + height($0.field, inner.columns) - 1 } ?? inner.row
    Frame.drawMore(
      above: placed.first.map { $0.field > 0 } ?? false,
      below: end > inner.endRow || (placed.last?.field ?? 0) + 1 < prompt.fields.count, on: &canvas, in: area,
      theme: theme)
  }

  private func draw(
    _ field: Prompt.Field, isCurrent: Bool, _ row: Int, on canvas: inout Canvas, _ inner: Area, _ theme: Theme
  ) {
    let end = canvas.put(
      field.title.cut(toColumns: inner.columns), row: row, column: inner.column, style: theme.header, in: inner)
    canvas.put(
      field.note.cut(toColumns: max(0, inner.endColumn - end - 2)), row: row, column: end + 2, style: theme.subtitle,
      in: inner)
    let typed = canvas.put("› ", row: row + 1, column: inner.column, style: theme.key, in: inner)
    drawText(
      field, isCurrent, on: &canvas,
      Area(
        row: row + 1, column: typed, rows: max(0, min(rowsOfText(field), inner.endRow - row - 1)),
        columns: inner.endColumn - typed),
      theme)
    for (line, reason) in Self.reason(field, inner.columns).enumerated() {
      canvas.put(
        reason.cut(toColumns: inner.columns - 2), row: row + 1 + rowsOfText(field) + line, column: typed,
        style: theme.reason, in: inner)
    }
    if isCurrent { drawList(field, list(field, row, inner), on: &canvas, inner, theme) }
  }

  /// Draws the typed text of a field. A field with choices that isn't current shows its answer in words.
  private func drawText(_ field: Prompt.Field, _ isCurrent: Bool, on canvas: inout Canvas, _ line: Area, _ theme: Theme)
  {
    guard !line.isEmpty else { return }
    if field.hasLines {
      let wide = field.argument.wide
      return field.line.drawLines(on: &canvas, in: line, wide: wide, isCurrent: isCurrent, theme: theme)
    }
    let isSecret = field.argument.isSecret
    let isAnswer = field.picksSeveral || (!isCurrent && !field.choices.isEmpty)
    if isCurrent, !isAnswer || !field.text.isEmpty {
      return field.line.draw(on: &canvas, in: line, isSecret: isSecret, theme: theme)
    }
    let answer = isAnswer && !isSecret ? field.shownAnswer : ""
    let shown = answer.isEmpty ? field.line.shown(isSecret: isSecret) : answer
    let end = canvas.put(
      shown.cut(toColumns: line.columns - 1), row: line.row, column: line.column,
      style: field.line.isProposed ? theme.subtitle : theme.row, in: line)
    if isCurrent { TextField.mark(end, to: end + 1, on: &canvas, in: line) }
  }

  private func drawList(
    _ field: Prompt.Field, _ list: (row: Int, top: Int, count: Int), on canvas: inout Canvas, _ inner: Area,
    _ theme: Theme
  ) {
    let all = Self.listed(field)
    let current = field.paths.isEmpty ? field.chosen : field.path
    for line in 0..<list.count where inner.holds(row: list.row + line) {
      let (place, row) = (list.top + line, list.row + line)
      let isPicked = field.paths.isEmpty && field.picked.contains(field.found[place])
      let mark = isPicked ? "✓ " : field.picksSeveral ? "  " : ""
      let end = canvas.put(
        mark.glyphs + all[place].cut(toColumns: inner.columns - 5 - mark.count), row: row, column: inner.column + 3,
        style: theme.row, in: inner)
      if place == current {
        canvas.restyle(Area(row: row, column: inner.column + 2, rows: 1, columns: end - inner.column - 1)) {
          theme.makeCurrent(&$0)
        }
      }
    }
    let last = min(list.count, inner.endRow - list.row) - 1
    guard last >= 0 else { return }
    if list.top > 0 { canvas.put("▴", row: list.row, column: inner.endColumn - 1, style: theme.frame) }
    if list.top + list.count < all.count {
      canvas.put("▾", row: list.row + last, column: inner.endColumn - 1, style: theme.frame)
    }
  }
}

// The app updates an open form after each answer, because choices may depend on other answers. Only the app can check
// a pattern, or whether a name is free.

extension Face {
  /// Opens the form for a deed's arguments.
  func ask(for arguments: [AskedArgument], _ deed: FaceDeed, confirm: String?) {
    over.append(PromptOverlay(Prompt(title: deed.heading, arguments), deed, confirm: confirm))
  }

  /// Opens the form of a deed again, with the answers and the reason why the app refused them.
  func reopen(_ deed: FaceDeed, _ outcome: Outcome) {
    guard var prompt = deed.form else { return }
    prompt.refuse(outcome.whyNot ?? "it is not taken", outcome.misfit)
    reopen(deed, prompt, confirm: deed.confirmed == nil ? nil : deed.asked)
  }

  /// Opens the form of a deed again, because its answers make the app ask for more.
  func reopen(_ deed: FaceDeed, asking more: [AskedArgument], confirm: String?) {
    guard let form = deed.form else { return }
    let others = form.fields.map(\.argument).filter { known in !more.contains { $0.key == known.key } }
    var prompt = form.asking(for: others + more)
    if let place = prompt.fields.firstIndex(where: { $0.argument.key == more.first?.key }) { prompt.makeCurrent(place) }
    reopen(deed, prompt, confirm: confirm)
  }

  private func reopen(_ deed: FaceDeed, _ prompt: Prompt, confirm: String?) {
    var again = deed
    (again.form, again.confirmed, again.arguments) = (nil, nil, Arguments())
    // The form supplies its answers again. The deed keeps only the arguments that it had without the form.
    for (key, value) in deed.arguments.members where !prompt.fields.contains(where: { $0.argument.key == key }) {
      again.arguments[key] = value
    }
    over.append(PromptOverlay(prompt, again, confirm: confirm))
    formWish = .toGoOn
  }

  /// Requests the open form from the app. A secret is sent only when the deed is performed.
  func askForForm(_ wish: FormWish) {
    guard let form = openForm else { return }
    var answers = form.deed.arguments
    for field in form.prompt.fields where !field.argument.isSecret {
      if let answer = field.answer { answers[field.argument.key] = answer }
    }
    let given = answers.members.map { ($0.key, JSON($0.value)) }
    ask("form", [form.deed.subject] + (given.isEmpty ? [] : [("args", .object(given))]), for: .form(wish))
  }

  /// Shows the form after the answers so far. Never performs the action without the person's consent.
  func formMade(_ reader: AnswerReader, _ json: JSON, _ wish: FormWish) {
    guard let open = openForm, let form = try? reader.read(json, as: Form.self) else { return }
    let validation = form.validation
    let asked = form.fields.filter { $0.isForPeople && !open.deed.arguments.has($0.key) }
    if wish == .afterReload {
      guard validation.by != nil else { return closeForm(Self.isGone) }
      guard !asked.isEmpty else { return closeForm("it asks for nothing any more; start it again") }
      open.confirm = nil
    }
    if !asked.isEmpty { open.prompt = open.prompt.asking(for: asked) }
    open.prompt.hear(
      validation.isEnabled ? nil : validation.whyNot, validation.isEnabled ? nil : validation.misfit)
  }

  /// Sets the text of the current field from an editor.
  func edited(_ edited: TextEditor.Edited) {
    guard let form = openForm, form.prompt.field.hasLines else { return }
    switch edited {
    case .text(let text):
      form.prompt.edit { $0.replace(text.inLines) }
      formWish = .whileTyping
    case .failed(let reason): form.prompt.refuse(reason, nil)
    }
  }

  static let isGone = "it is gone"

  func closeForm(_ reason: String) {
    guard let form = openForm else { return }
    over.removeAll { $0 is PromptOverlay }
    refuse("\(form.deed.title): \(reason)")
  }

  private var openForm: PromptOverlay? { over.lazy.compactMap { $0 as? PromptOverlay }.first }
}
