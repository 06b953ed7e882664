import LiveHost
import ScriptHost

/// A *prompt* is a form for the arguments of an action, with a field for each, checked while the person types.
struct Prompt {
  let title: String
  /// A sentence above the fields.
  let help: String?
  private(set) var fields: [Field]
  /// The field whose answer the app refuses, and why.
  private var unfit: (place: Int, reason: String)?
  /// The place of the current field.
  private(set) var current = 0 {
    didSet { if fields.indices.contains(current) { fields[current].isVisited = true } }
  }

  /// - Parameter arguments: the arguments of the form, in their order.
  init(title: String, help: String? = nil, _ arguments: [AskedArgument]) {
    self.title = title
    self.help = help
    fields = arguments.filter(\.isForPeople).map(PromptField.init)
    if !fields.isEmpty { fields[0].isVisited = true }
  }

  /// Returns a form for other arguments, with the answers to the shared arguments.
  func asking(for arguments: [AskedArgument]) -> Prompt {
    var prompt = Prompt(title: title, help: help, arguments)
    for (place, field) in prompt.fields.enumerated() {
      guard let old = fields.first(where: { $0.argument.key == field.argument.key }) else { continue }
      // Values that are listed anew are shown as they were until the new ones come.
      let isSame = old.argument.isSame(as: field.argument) || field.argument.isAwaited && !old.argument.isAwaited
      prompt.fields[place] = isSame ? old : PromptField(field.argument, keeping: old)
    }
    prompt.current = prompt.fields.firstIndex { $0.argument.key == self.field.argument.key } ?? 0
    return prompt
  }

  typealias Field = PromptField

  var field: Field { fields[current] }

  /// The answers so far, without skipped arguments.
  var answers: Arguments {
    var answers = Arguments()
    for field in fields { if let value = field.answer { answers[field.argument.key] = value } }
    return answers
  }

  // MARK: - Typing

  mutating func edit(_ body: (inout Field) -> Void) { body(&fields[current]) }

  /// Moves to another field, and wraps around the ends.
  mutating func move(by step: Int) { makeCurrent((current + step + fields.count) % fields.count) }

  mutating func makeCurrent(_ place: Int) {
    guard fields.indices.contains(place), place != current else { return }
    // Leaving the field chooses the choice that the typed letters match, or that the person has moved to.
    if field.leavesChoice { fields[current].take() }
    current = place
  }

  /// Takes the answer of the current field and moves to the next unfinished field. Returns true if all are finished and
  /// the person has come to every text of several lines below.
  mutating func enter() -> Bool {
    fields[current].take()
    if field.reason != nil { return false }
    let hasUnseenText = fields[(current + 1)...].contains { $0.hasLines && $0.text.isEmpty && !$0.isVisited }
    let next = fields.firstIndex { !$0.isDone } ?? (hasUnseenText ? current + 1 : nil)
    guard let next else { return true }
    current = next
    return false
  }

  /// Takes the answer of the current field. Returns true if all fields are finished; else shows that the next unfinished
  /// field is needed.
  mutating func submit() -> Bool {
    fields[current].take()
    if field.reason != nil { return false }
    guard let next = fields.firstIndex(where: { !$0.isDone }) else { return true }
    current = next
    if field.reason == nil { fields[current].refuse(PromptField.missing) }
    return false
  }

  /// Takes the current answer and moves to the next unanswered field, required or not. Returns true if there is none.
  mutating func takeInOrder() -> Bool {
    fields[current].take()
    if field.reason != nil { return false }
    return !goOn()
  }

  /// Moves to the next unanswered field, which a reload may have added. Returns false if there is none.
  mutating func goOn() -> Bool {
    guard let next = fields.firstIndex(where: { !$0.isAnswered }) else { return false }
    current = next
    return true
  }

  /// Moves back to the answer that the app refuses. Returns false if there is none.
  mutating func takeBack() -> Bool {
    guard let unfit, fields[unfit.place].isAnswered else { return false }
    current = unfit.place
    fields[unfit.place].refuse(unfit.reason)
    return true
  }

  // MARK: - Validation by the app

  /// Shows that the app has refused the answers: the wrong field becomes current, with the reason below it.
  mutating func refuse(_ sentence: String, _ misfit: Misfit?) {
    if let misfit, let place = fields.firstIndex(where: { $0.argument.key == misfit.argument }) { current = place }
    fields[current].refuse(misfit.map { fields[current].reason(of: $0) } ?? sentence)
  }

  /// Shows the app's validation while the person types. It doesn't prevent sending the form.
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
