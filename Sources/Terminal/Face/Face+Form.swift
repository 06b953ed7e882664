import LiveHost
import ScriptHost

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
