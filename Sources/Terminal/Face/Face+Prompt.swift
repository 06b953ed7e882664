import LiveHost
import ScriptHost

// The form that asks for the arguments of an action.

extension Face {
  func promptKey(_ state: PromptState, _ stroke: Stroke, _ text: String?) {
    if stroke.key == "esc" { return leavePrompt(state) }
    if stroke.key == "enter", stroke.modifiers.isEmpty { return enterPrompt(state) }
    var prompt = state.prompt
    switch (stroke.key, stroke.modifiers) {
    case ("tab", []): if !completes(&prompt) { prompt.move(by: 1) }
    case ("tab", .shift): prompt.move(by: -1)
    case ("up", []): moveInPrompt(&prompt, by: -1)
    case ("down", []): moveInPrompt(&prompt, by: 1)
    case ("space", []) where prompt.field.picksSeveral: prompt.edit { $0.togglePick() }
    default: prompt.edit { edits(&$0, stroke, text) }
    }
    show(prompt)
  }

  /// Edits the line of a field by a key.
  private func edits(_ field: inout Prompt.Field, _ stroke: Stroke, _ text: String?) {
    switch (stroke.key, stroke.modifiers) {
    case ("left", []): field.moveCursor(by: -1)
    case ("right", []): field.moveCursor(by: 1)
    case ("home", []), ("a", .ctrl): field.moveCursor(by: -field.text.count)
    case ("end", []), ("e", .ctrl): field.moveCursor(by: field.text.count)
    case ("backspace", []): field.erase()
    case ("delete", []): field.eraseNext()
    case ("w", .ctrl), ("backspace", .ctrl), ("backspace", .alt): field.eraseWord()
    case ("u", .ctrl): field.eraseToStart()
    case ("k", .ctrl): field.eraseToEnd()
    default: if let text { field.type(text) }
    }
  }

  private func moveInPrompt(_ prompt: inout Prompt, by step: Int) {
    let field = prompt.field
    if field.choices.isEmpty, field.paths.isEmpty { return prompt.move(by: step) }
    prompt.edit { $0.moveChoice(by: step) }
  }

  /// Updates the open form, and asks the app to validate its answers.
  private func show(_ prompt: Prompt) {
    guard case .prompt(var state)? = over.last else { return }
    let isOther = state.prompt.field.text != prompt.field.text || state.prompt.current != prompt.current
    state.prompt = prompt
    over[over.count - 1] = .prompt(state)
    if isOther { isFormStale = true }
  }

  func leavePrompt(_ state: PromptState) {
    over.removeLast()
    leave(state.deed)
  }

  func enterPrompt(_ state: PromptState) {
    var state = state
    // If a path of the list is current, it is put into the line first.
    if let place = state.prompt.field.path {
      let path = state.prompt.field.paths[place]
      return show(with(state.prompt) { $0.edit { $0.replacePath(path) } })
    }
    let isWhole = state.prompt.enter()
    over[over.count - 1] = .prompt(state)
    guard isWhole else { return }
    over.removeLast()
    answer(state)
  }

  private func with(_ prompt: Prompt, _ body: (inout Prompt) -> Void) -> Prompt {
    var prompt = prompt
    body(&prompt)
    return prompt
  }

  /// Changes the open form, for a paste or the mouse.
  func editPrompt(_ body: (inout Prompt) -> Void) {
    guard case .prompt(let state)? = over.last else { return }
    show(with(state.prompt, body))
  }

  // MARK: - Paths

  /// Completes the path of a file or a folder as far as it is unique, and lists the candidates. Returns whether there are any.
  private func completes(_ prompt: inout Prompt) -> Bool {
    let field = prompt.field
    guard field.argument.kind == .file || field.argument.kind == .folder else { return false }
    if !field.paths.isEmpty {
      prompt.edit { $0.moveChoice(by: 1) }
      return true
    }
    let begun = field.pathBegun
    guard let completion = PathCompletion(begun, foldersOnly: field.argument.kind == .folder) else { return false }
    if completion.common != begun { prompt.edit { $0.replacePath(completion.common) } }
    if completion.paths.count > 1 { prompt.edit { $0.offer(completion.paths) } }
    return completion.common != begun || completion.paths.count > 1
  }

  // MARK: - What the app says to it

  /// Carries out the form's deed with its answers, after the question to confirm, if there is one.
  func answer(_ state: PromptState) {
    var deed = state.deed
    deed.form = state.prompt
    for (key, value) in state.prompt.answers.members { deed.arguments[key] = value }
    guard let confirm = state.confirm, deed.confirmed == nil else { return carryOut(deed) }
    over.append(ask(confirm, deed))
  }

  /// Asks the app to validate the answers so far, because only the app knows about a pattern, or whether a name is free. Skipped if the
  /// answers can't be written in a reference, or if one is secret: a secret is sent only when the deed is carried out.
  func checkForm() {
    guard case .prompt(let state)? = over.last, !state.prompt.fields.contains(where: \.argument.isSecret),
      let reference = reference(of: state.deed, state.prompt.answers)
    else { return }
    ask("validate", [("refs", .list([.text(reference)]))], for: .formCheck)
  }

  func checked(_ json: JSON) {
    guard case .prompt(var state)? = over.last, let json = json["items"]?.list?.first,
      let validated = try? AnswerReader().validated(json)
    else { return }
    let validation = validated.validation
    // A row may perform more than its reference says, so only an error about an argument counts for it.
    let isOfRow = if case .pick(let id) = state.deed.kind { menus[id] == nil || menus.isInPanel(id) } else { false }
    let isDone = validation.isEnabled
    state.prompt.hear(isDone || isOfRow ? nil : validation.whyNot, isDone ? nil : validation.misfit)
    over[over.count - 1] = .prompt(state)
  }

  /// The reference that a deed performs, and the arguments that it has by itself; nil if not known.
  func performed(by deed: FaceDeed) -> (reference: Reference, members: [LiteralObject.Member])? {
    let known: (action: String, arguments: LiteralObject?)?
    switch deed.kind {
    case .pick(let id): known = (element(id) ?? context[id]?.element).map { ($0.action, $0.arguments) }
    case .perform(let reference): known = (reference, nil)
    case .press(let strokes):
      known = keys.first { $0.entry.isReached && $0.sequence.strokes == strokes }.map { bound in
        (bound.entry.reference, bound.entry.isItem ? menus[bound.entry.by]?.element.arguments : nil)
      }
    }
    guard let known, let parsed = try? Reference.parse(known.action) else { return nil }
    return (parsed, (known.arguments ?? parsed.arguments ?? LiteralObject()).members)
  }

  /// The text of the reference that a deed performs with these answers; nil if it is not known or can't be written.
  private func reference(of deed: FaceDeed, _ answers: Arguments) -> String? {
    guard let (parsed, members) = performed(by: deed) else { return nil }
    let given = deed.arguments.members + answers.members
    let kept = members.filter { member in !given.contains { $0.key == member.key } }
    let said = given.compactMap { member in
      Literal(said: member.value).map { LiteralObject.Member(key: member.key, value: $0) }
    }
    guard said.count == given.count, let all = LiteralObject(kept + said) else { return nil }
    return Reference(id: parsed.id, arguments: all).format()
  }
}

extension Literal {
  /// The literal of a person's answer; nil for a value that can't be written.
  package init?(said value: Value) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let text): self = .text(text)
    case .list(let values):
      let said = values.compactMap(Literal.init(said:))
      guard said.count == values.count else { return nil }
      self = .list(said)
    case .null, .object, .opaque: return nil
    }
  }
}
