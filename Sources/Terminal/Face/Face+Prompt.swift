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
    let (old, new) = (state.prompt.field, prompt.field)
    if state.prompt.current != prompt.current {
      formWish = .toGoOn
    } else if old.text != new.text || old.picked != new.picked {
      formWish = formWish ?? .whileTyping
    }
    state.prompt = prompt
    over[over.count - 1] = .prompt(state)
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
    guard isWhole else { return formWish = .toGoOn }
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
}
