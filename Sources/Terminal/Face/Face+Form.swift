import LiveHost
import ScriptHost

// An open form after a reload: it asks for the arguments that the action takes from then on.

extension Face {
  /// Asks the app which arguments the action of an open form takes now.
  func askForForm() {
    guard let state = openForm else { return }
    guard let reference = performed(by: state.deed)?.reference else { return closeForm(Self.isGone) }
    ask("actions", [("ref", .text(reference.id))], for: .form)
  }

  /// Makes the form anew for the arguments that the action takes now, with the answers so far. It never performs the action, even if no argument
  /// is left to ask for, because the person has not said so.
  func formMade(_ reader: AnswerReader, _ json: JSON) {
    guard let state = openForm else { return }
    let entry = (json["actions"]?.list?.first).flatMap { try? reader.action($0) }
    guard let entry, entry.by != nil, let given = performed(by: state.deed)?.members else {
      return closeForm(Self.isGone)
    }
    let keys = given.map(\.key) + state.deed.arguments.members.map(\.key)
    let asked = entry.takes.filter { argument in argument.isForPeople && !keys.contains(argument.key) }
    guard !asked.isEmpty else { return closeForm("it asks for nothing any more; do it anew") }
    replaceForm(.init(prompt: state.prompt.asking(for: asked), deed: state.deed, confirm: nil))
    isFormStale = true
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
