import LiveHost
import ScriptHost

/// A *prompt* is a form for the arguments of an action, with a field for each, which is read while the person types.
struct Prompt {
  let title: String
  /// A sentence above the fields.
  let help: String?
  private(set) var fields: [Field]
  /// The field whose answer the app refuses, and why.
  private var unfit: (place: Int, reason: String)?
  /// The place of the current field.
  private(set) var current = 0

  /// - Parameter arguments: the arguments to ask for, in their order.
  init(title: String, help: String? = nil, _ arguments: [AskedArgument]) {
    self.title = title
    self.help = help
    fields = arguments.filter(\.isForPeople).map(PromptField.init)
  }

  /// A form for other arguments, which keeps the answers to those that this one has too.
  func asking(for arguments: [AskedArgument]) -> Prompt {
    var prompt = Prompt(title: title, help: help, arguments)
    for (place, field) in prompt.fields.enumerated() {
      guard let old = fields.first(where: { $0.argument.key == field.argument.key }) else { continue }
      prompt.fields[place] = old.argument.isSame(as: field.argument) ? old : PromptField(field.argument, keeping: old)
    }
    prompt.current = prompt.fields.firstIndex { $0.argument.key == self.field.argument.key } ?? 0
    return prompt
  }

  typealias Field = PromptField

  var field: Field { fields[current] }

  /// The answers so far; an argument that is left out isn't among them.
  var answers: Arguments {
    var answers = Arguments()
    for field in fields { if let value = field.answer { answers[field.argument.key] = value } }
    return answers
  }

  // MARK: - Typing

  mutating func edit(_ body: (inout Field) -> Void) { body(&fields[current]) }

  /// Moves to another field, around the ends.
  mutating func move(by step: Int) { makeCurrent((current + step + fields.count) % fields.count) }

  mutating func makeCurrent(_ place: Int) {
    guard fields.indices.contains(place), place != current else { return }
    // Typed letters that find a choice choose it when the field is left, in whatever way.
    if !field.choices.isEmpty, !field.text.isEmpty { fields[current].take() }
    current = place
  }

  /// Takes the answer of the current field and moves to the next that still needs one. Returns whether all are answered.
  mutating func enter() -> Bool {
    fields[current].take()
    if field.reason != nil { return false }
    guard let next = fields.firstIndex(where: { !$0.isDone }) else { return true }
    current = next
    return false
  }

  /// Takes the answer of the current field and moves to the next that wasn't answered yet, needed or not. Returns whether there was none.
  mutating func takeInOrder() -> Bool {
    fields[current].take()
    if field.reason != nil { return false }
    return !goOn()
  }

  /// Moves to the next field that wasn't answered yet, which a reload may have added. Returns whether there is one.
  mutating func goOn() -> Bool {
    guard let next = fields.firstIndex(where: { !$0.isAnswered }) else { return false }
    current = next
    return true
  }

  /// Moves back to the answer that the app refuses. Returns whether there is one.
  mutating func takeBack() -> Bool {
    guard let unfit, fields[unfit.place].isAnswered else { return false }
    current = unfit.place
    fields[unfit.place].refuse(unfit.reason)
    return true
  }

  // MARK: - What the app says

  /// Shows that the app has refused the answers: makes the field at fault current, with the reason under it.
  mutating func refuse(_ sentence: String, _ misfit: Misfit?) {
    if let misfit, let place = fields.firstIndex(where: { $0.argument.key == misfit.argument }) { current = place }
    fields[current].refuse(misfit.map { fields[current].reason(of: $0) } ?? sentence)
  }

  /// Takes the app's validation of the answers while the person types. It is shown, but doesn't keep the form from being sent.
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

/// A question of a job that a face hasn't shown yet.
struct JobQuestion {
  let job: Int
  let title: String
  let asked: AskedInMiddle

  init?(_ job: Int, _ json: JSON, called title: String) {
    guard let asked = AskedInMiddle(json) else { return nil }
    self.job = job
    self.title = asked.title ?? title
    self.asked = asked
  }
}
