import LiveHost
import ScriptHost

// What an action takes is asked for in a form.

extension Face {
  func promptKey(_ state: PromptState, _ stroke: Stroke, _ text: String?) {
    var state = state
    defer { if case .prompt? = over.last { over[over.count - 1] = .prompt(state) } }
    let hasChoices = !state.prompt.field.choices.isEmpty
    switch (stroke.key, stroke.modifiers) {
    case ("esc", _):
      over.removeLast()
      refuse("\(state.deed.title): you left it")
    case ("enter", []):
      if state.prompt.enter() {
        over.removeLast()
        answer(state)
      }
    case ("tab", []): if !completes(&state.prompt) { state.prompt.move(by: 1) }
    case ("tab", .shift): state.prompt.move(by: -1)
    case ("up", []): if hasChoices { state.prompt.moveChoice(by: -1) } else { state.prompt.move(by: -1) }
    case ("down", []): if hasChoices { state.prompt.moveChoice(by: 1) } else { state.prompt.move(by: 1) }
    case ("backspace", []): state.prompt.erase()
    case ("u", .ctrl), ("w", .ctrl): state.prompt.eraseAll()
    default: if let text { state.prompt.type(text) }
    }
  }

  /// Goes on with the path of a file or a folder as far as it can be told; whether it could.
  private func completes(_ prompt: inout Prompt) -> Bool {
    let field = prompt.field
    guard field.argument.kind == .file || field.argument.kind == .folder, !field.argument.isMany,
      let path = PathCompletion.completed(field.text, foldersOnly: field.argument.kind == .folder), path != field.text
    else { return false }
    prompt.replace(path)
    return true
  }

  /// Does what the form was for with its answers, once what is to be confirmed is.
  func answer(_ state: PromptState) {
    var deed = state.deed
    for (key, value) in state.prompt.answers.members { deed.arguments[key] = value }
    guard let confirm = state.confirm, deed.confirmed == nil else { return carryOut(deed) }
    over.append(.question(.init(view: ConfirmView(question: confirm, deed: deed.title), deed: deed)))
  }
}
