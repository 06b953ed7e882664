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

// An open form as the app draws it after the answers so far: the choices of a field may depend on the answers to others, and only the app
// knows about a pattern, or whether a name is free.

extension Face {
  /// Asks the app for the open form. A secret is sent only when the deed is carried out.
  func askForForm(_ wish: FormWish) {
    guard let state = openForm else { return }
    var answers = state.deed.arguments
    for field in state.prompt.fields where !field.argument.isSecret {
      if let answer = field.answer { answers[field.argument.key] = answer }
    }
    let given = answers.members.map { ($0.key, JSON($0.value)) }
    ask("form", [state.deed.subject] + (given.isEmpty ? [] : [("args", .object(given))]), for: .form(wish))
  }

  /// Shows the form as it is after the answers so far. It never performs the action, even if no argument is left to ask for, because the person
  /// has not said so.
  func formMade(_ reader: AnswerReader, _ json: JSON, _ wish: FormWish) {
    guard var state = openForm, let form = try? reader.form(json) else { return }
    let validation = form.validation
    let given = state.deed.arguments
    let asked = form.fields.filter { $0.isForPeople && !given.has($0.key) }
    if wish == .afterReload {
      guard validation.by != nil else { return closeForm(Self.isGone) }
      guard !asked.isEmpty else { return closeForm("it asks for nothing any more; do it anew") }
      state = PromptState(prompt: state.prompt, deed: state.deed, confirm: nil)
    }
    if !asked.isEmpty { state.prompt = state.prompt.asking(for: asked) }
    state.prompt.hear(validation.isEnabled ? nil : validation.whyNot, validation.isEnabled ? nil : validation.misfit)
    replaceForm(state)
  }

  static let isGone = "it is not there any more"

  func closeForm(_ reason: String) {
    guard let state = openForm else { return }
    over.removeAll { if case .prompt = $0 { true } else { false } }
    refuse("\(state.deed.title): \(reason)")
  }

  private var openForm: PromptState? {
    for overlay in over { if case .prompt(let state) = overlay { return state } }
    return nil
  }

  private func replaceForm(_ state: PromptState) {
    over = over.map { if case .prompt = $0 { .prompt(state) } else { $0 } }
  }
}

// A paste while nothing of the face is open: it is typed, for an app that has bound keys that type.

extension Face {
  /// Presses the keys of a pasted text, all of them or none.
  func typePasted(_ text: String) {
    guard !text.isEmpty else { return }
    let keys = typingKeys
    guard !keys.isEmpty, open.isEmpty, strokes.begun.isEmpty else { return refuse("nothing here takes what is pasted") }
    guard text.count <= Self.mostPasted else {
      return refuse("\(text.count) characters are too many to be pasted here: up to \(Self.mostPasted) are")
    }
    var typed: [Stroke] = []
    for character in text {
      let known = character.isNewline ? "\n" : String(character)
      guard let stroke = keys[known] else {
        return refuse("nothing here takes \(Self.named(known)), so nothing was pasted")
      }
      typed.append(stroke)
    }
    for strokes in Self.parted(typed) {
      var deed = FaceDeed(kind: .press(strokes), title: "What was pasted")
      deed.isTyping = true
      carryOut(deed)
    }
  }

  /// Splits strokes into parts, none longer than `keys` of a request may be.
  private static func parted(_ strokes: [Stroke]) -> [[Stroke]] {
    var (parts, bytes): ([[Stroke]], Int) = ([], mostBytes)
    for stroke in strokes {
      let more = stroke.text.utf8.count + 1
      if bytes + more > mostBytes {
        parts.append([])
        bytes = 0
      }
      parts[parts.count - 1].append(stroke)
      bytes += more
    }
    return parts
  }

  /// The most characters of a paste, about a page. More text is better taken from a file.
  static let mostPasted = 4096
  /// The most bytes that `keys` may have, with a blank after each stroke.
  private static let mostBytes = 256

  /// The keys that type, by their characters; the tab key too, if it has the same action, even if that types blanks.
  private var typingKeys: [String: Stroke] {
    var typing: [String: Stroke] = [:]
    var names: Set<String> = []
    for bound in keys where bound.entry.isReached && bound.isTyping {
      if let typed = bound.typed { typing[typed] = bound.sequence.strokes[0] }
      names.insert(bound.name)
    }
    let tab = keys.first { $0.entry.isReached && $0.sequence.strokes == [.tab] }
    if let tab, names.contains(tab.name) { typing["\t"] = .tab }
    return typing
  }

  private static func named(_ character: String) -> String {
    switch character {
    case "\n": "the end of a line"
    case "\t": "a tab"
    case " ": "a space"
    default: "'\(character.visible)'"
    }
  }
}

extension Stroke {
  fileprivate static let tab = Stroke(modifiers: [], key: "tab")
}
