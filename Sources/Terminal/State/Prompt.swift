import ScriptHost

/// A *prompt* is a form for what an action takes: a field for each argument, read as it is typed.
struct Prompt {
  let title: String
  private(set) var fields: [Field]
  /// The place of the field that is typed into.
  private(set) var current = 0

  /// - Parameter arguments: those that are asked for, in their order.
  init(title: String, _ arguments: [AskedArgument]) {
    self.title = title
    fields = arguments.filter(\.isForPeople).map(Field.init)
  }

  var field: Field { fields[current] }

  /// What was answered so far; what is left out isn't there.
  var answers: Arguments {
    var answers = Arguments()
    for field in fields { if let value = field.answer { answers[field.argument.key] = value } }
    return answers
  }

  // MARK: - Typing

  mutating func type(_ text: String) { fields[current].set(field.text + text) }
  mutating func erase() { fields[current].set(String(field.text.dropLast())) }
  mutating func eraseAll() { fields[current].set("") }
  mutating func replace(_ text: String) { fields[current].set(text) }

  /// Another field, around the ends.
  mutating func move(by step: Int) { current = (current + step + fields.count) % fields.count }

  mutating func moveChoice(by step: Int) { fields[current].move(by: step) }

  /// Takes the answer of the current field and goes to the next that has none it needs; whether all is answered.
  mutating func enter() -> Bool {
    fields[current].take()
    if field.reason != nil { return false }
    guard let next = fields.firstIndex(where: { !$0.isDone }) else { return true }
    current = next
    return false
  }

  /// Takes the answer of the current field and goes to the next, whether it is needed or not; whether it was the last.
  mutating func takeInOrder() -> Bool {
    fields[current].take()
    if field.reason != nil { return false }
    if current + 1 == fields.count { return true }
    current += 1
    return false
  }
}

extension Prompt {
  /// What one argument is asked for with.
  struct Field {
    let argument: AskedArgument
    private(set) var text = ""
    /// What may be chosen, where that is known; those that have what was typed, by their places.
    let choices: [AskedArgument.Choice]
    private(set) var found: [Int]
    private(set) var choice = 0
    /// What was answered, as far as it can be.
    private(set) var answer: Value?
    /// Why what was typed can't be the answer.
    private(set) var reason: String?
    /// Whether a person went through what can be chosen.
    private var isChoosing = false
    /// Whether a person has answered, if only by leaving it out.
    private var isAnswered = false

    init(_ argument: AskedArgument) {
      self.argument = argument
      choices =
        argument.isMany
        ? []
        : argument.kind == .boolean
          ? [.init(.bool(true), title: "yes"), .init(.bool(false), title: "no")] : argument.choices ?? []
      found = Array(choices.indices)
    }

    var title: String { argument.title ?? argument.key }

    /// The place of the choice that enter takes; nil where it would leave the argument out.
    var chosen: Int? { isChoosing || argument.isRequired || !text.isEmpty ? choice : nil }

    /// What may be given, and what comes of giving nothing.
    var note: String {
      let expected =
        argument.isAnyText ? nil : choices.isEmpty ? argument.expected : argument.kind == .boolean ? "yes or no" : nil
      var facts = [argument.help, expected].compactMap { $0 }
      if let preset = argument.preset, !argument.isSecret { facts.append("by default \(preset.shown)") }
      if argument.isOptional { facts.append("can be left out") }
      return facts.joined(separator: ", ")
    }

    func title(of choice: AskedArgument.Choice) -> String {
      if let title = choice.title { return title }
      if case .text(let text) = choice.value { return text }
      return choice.value.shown
    }

    /// Whether nothing is missing here.
    fileprivate var isDone: Bool { reason == nil && (isAnswered || !argument.isRequired) }

    fileprivate mutating func set(_ text: String) {
      self.text = text
      isAnswered = false
      isChoosing = false
      choice = 0
      if !choices.isEmpty {
        let query = FuzzyText.Query(text)
        let scores = choices.map { FuzzyText(title(of: $0)).score(query) }
        found = choices.indices.filter { scores[$0] != nil }.sorted { scores[$0] ?? 0 > scores[$1] ?? 0 }
      }
      read(isChosen: false)
    }

    fileprivate mutating func move(by step: Int) {
      guard !found.isEmpty else { return }
      // The first that is gone to is the first, where none was current before.
      choice = chosen == nil ? (step > 0 ? 0 : found.count - 1) : (choice + step + found.count) % found.count
      isChoosing = true
    }

    /// What is there is the answer.
    fileprivate mutating func take() {
      read(isChosen: true)
      isAnswered = reason == nil
    }

    private mutating func read(isChosen: Bool) {
      (answer, reason) = (nil, nil)
      if text.isEmpty, !argument.isRequired, !isChoosing { return }
      if !choices.isEmpty {
        if found.isEmpty { reason = "nothing to choose has these letters" }
        if isChosen, found.indices.contains(choice) { answer = choices[found[choice]].value }
        return
      }
      if text.isEmpty {
        if isChosen { reason = "it is needed" }
        return
      }
      do throws(Misfit) { answer = try argument.read(text) } catch { reason = error.reason }
    }
  }
}

extension AskedArgument {
  /// Whether whatever a person types is an answer: nothing needs to be said of it.
  fileprivate var isAnyText: Bool {
    kind == .string && !isMany && pattern == nil && from == nil && to == nil && choices == nil
  }
}
