import ScriptHost

/// A *prompt* is a form for what an action takes: a field for each argument, read as it is typed.
struct Prompt {
  let title: String
  private(set) var fields: [Field]
  /// What the app doesn't take of the answers so far.
  private var unfit: (place: Int, reason: String)?
  /// The place of the field that is typed into.
  private(set) var current = 0

  /// - Parameter arguments: those that are asked for, in their order.
  init(title: String, _ arguments: [AskedArgument]) {
    self.title = title
    fields = arguments.filter(\.isForPeople).map(PromptField.init)
  }

  /// The form as it is for other arguments, with what a person has answered to those that it had.
  func asking(for arguments: [AskedArgument]) -> Prompt {
    var prompt = Prompt(title: title, arguments)
    for (place, field) in prompt.fields.enumerated() {
      guard let old = fields.first(where: { $0.argument.key == field.argument.key }) else { continue }
      prompt.fields[place] = PromptField(field.argument, keeping: old)
    }
    prompt.current = prompt.fields.firstIndex { $0.argument.key == self.field.argument.key } ?? 0
    return prompt
  }

  typealias Field = PromptField

  var field: Field { fields[current] }

  /// What was answered so far; what is left out isn't there.
  var answers: Arguments {
    var answers = Arguments()
    for field in fields { if let value = field.answer { answers[field.argument.key] = value } }
    return answers
  }

  // MARK: - Typing

  mutating func edit(_ body: (inout Field) -> Void) { body(&fields[current]) }
  mutating func type(_ text: String) { edit { $0.type(text) } }

  /// Another field, around the ends.
  mutating func move(by step: Int) { makeCurrent((current + step + fields.count) % fields.count) }

  mutating func makeCurrent(_ place: Int) {
    guard fields.indices.contains(place), place != current else { return }
    // Letters that say which one is meant have chosen it, whichever way they are left.
    if !field.choices.isEmpty, !field.text.isEmpty { fields[current].take() }
    current = place
  }

  /// Takes the answer of the current field and goes to the next that has none it needs; whether all is answered.
  mutating func enter() -> Bool {
    fields[current].take()
    if field.reason != nil { return false }
    guard let next = fields.firstIndex(where: { !$0.isDone }) else { return true }
    current = next
    return false
  }

  /// Takes the answer of the current field and goes to the next that was not asked for, whether it is needed or not; whether there was none.
  mutating func takeInOrder() -> Bool {
    fields[current].take()
    if field.reason != nil { return false }
    return !goOn()
  }

  /// Goes to the next that was not asked for, be it that the app takes it only since it was read anew; whether there is one.
  mutating func goOn() -> Bool {
    guard let next = fields.firstIndex(where: { !$0.isAnswered }) else { return false }
    current = next
    return true
  }

  /// Goes back to an answer that the app doesn't take; whether there is one.
  mutating func takeBack() -> Bool {
    guard let unfit, fields[unfit.place].isAnswered else { return false }
    current = unfit.place
    fields[unfit.place].refuse(unfit.reason)
    return true
  }

  // MARK: - What the app says

  /// The app has not taken the answers: the field that is to blame is the current one, with the reason under it.
  mutating func refuse(_ sentence: String, _ misfit: Misfit?) {
    if let misfit, let place = fields.firstIndex(where: { $0.argument.key == misfit.argument }) { current = place }
    fields[current].refuse(misfit.map { fields[current].reason(of: $0) } ?? sentence)
  }

  /// Takes what the app says to the answers while they are typed: nothing is kept from being done by it.
  mutating func hear(_ sentence: String?, _ misfit: Misfit?) {
    for index in fields.indices { fields[index].remark = nil }
    unfit = nil
    if let misfit {
      guard let place = fields.firstIndex(where: { $0.argument.key == misfit.argument }) else { return }
      unfit = (place, fields[place].reason(of: misfit))
      if !fields[place].text.isEmpty { fields[place].remark = fields[place].reason(of: misfit) }
    } else {
      fields[current].remark = sentence
    }
  }
}
