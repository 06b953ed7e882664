import ScriptHost

/// A *field* of the prompt: one argument that is asked for, with what a person has given so far. A `Prompt` has one for each.
struct PromptField {
  let argument: AskedArgument
  private(set) var text = ""
  /// Where the next character goes, counted in characters.
  private(set) var cursor = 0
  /// Whether the text is what was proposed, which the first character that is typed takes the place of.
  private(set) var isProposed = false
  /// What may be chosen, where that is known; those that have what was typed, by their places.
  let choices: [AskedArgument.Choice]
  private(set) var found: [Int]
  private(set) var choice = 0
  /// Those that were picked, where there may be several.
  private(set) var picked: Set<Int> = []
  /// Paths that what was typed may go on to, and which of them is the current one.
  private(set) var paths: [String] = []
  private(set) var path: Int?
  /// What was answered, as far as it can be.
  private(set) var answer: Value?
  /// Why what was typed can't be the answer.
  private(set) var reason: String?
  /// What the app says to it, as it is typed.
  var remark: String?
  /// Whether a person went through what can be chosen.
  private var isChoosing = false
  /// Whether a person has answered, if only by leaving it out.
  private(set) var isAnswered = false

  init(_ argument: AskedArgument) {
    self.argument = argument
    choices =
      argument.kind == .boolean && !argument.isMany
      ? [.init(.bool(true), title: "yes"), .init(.bool(false), title: "no")] : argument.choices ?? []
    found = Array(choices.indices)
    if let proposed = argument.proposed {
      propose(proposed)
      return
    }
    guard let text = argument.preset?.typed, choices.isEmpty, !argument.isMany, !argument.isSecret else { return }
    begin(with: text)
  }

  /// An argument as the app declares it now, with what a person has typed, chosen or picked for it so far, as far as that may still be given.
  init(_ argument: AskedArgument, keeping old: PromptField) {
    self.init(argument)
    // What was typed unseen stays unseen.
    if old.argument.isSecret, !argument.isSecret { return }
    func place(of choice: AskedArgument.Choice) -> Int? {
      choices.firstIndex { $0.value.spelling == choice.value.spelling }
    }
    if picksSeveral, !old.picked.isEmpty {
      pick(old.picked.sorted().compactMap { place(of: old.choices[$0]) })
    } else if old.isChoosing, let chosen = old.chosen, old.found.indices.contains(chosen),
      let place = place(of: old.choices[old.found[chosen]])
    {
      choose(place)
      read(isChosen: true)
    } else if !old.isProposed, !old.text.isEmpty || old.isErased {
      set(old.text, old.cursor)
    }
    if old.isAnswered { take() }
  }

  /// Begins with what is proposed: it is the answer as long as nobody says another.
  private mutating func propose(_ value: Value) {
    guard !choices.isEmpty else {
      begin(with: value.typed ?? "")
      return read(isChosen: false)
    }
    let proposed = if case .list(let values) = value { values } else { [value] }
    let places = choices.indices.filter { place in proposed.contains { $0.spelling == choices[place].value.spelling } }
    if picksSeveral { return pick(places) }
    guard let place = places.first else { return }
    (choice, isChoosing) = (place, true)
    read(isChosen: true)
  }

  private mutating func begin(with text: String) {
    (self.text, cursor, isProposed) = (text, text.count, !text.isEmpty)
  }

  // MARK: - What is said of it

  var title: String { argument.title ?? argument.key }

  /// The place of the choice that enter takes; nil where it would leave the argument out.
  var chosen: Int? {
    if picksSeveral, !picked.isEmpty, !isChoosing { return nil }
    return isChoosing || argument.isRequired || !text.isEmpty ? choice : nil
  }

  /// Whether what stood in its line at first was taken away.
  private var isErased: Bool {
    text.isEmpty && choices.isEmpty && !argument.isMany && (argument.proposed ?? argument.preset) != nil
  }

  /// Whether there is a list of which several may be picked.
  var picksSeveral: Bool { argument.isMany && !choices.isEmpty }

  /// What may be given, and what comes of giving nothing.
  var note: String {
    var facts = [argument.help, expected].compactMap { $0 }
    let isNothing = if case .text(let text)? = argument.preset { text.isEmpty } else { false }
    if let preset = argument.preset, !argument.isSecret, !isNothing {
      facts.append("by default \(argument.said(preset))")
    }
    if argument.isOptional || isNothing { facts.append("can be left out") }
    return facts.joined(separator: ", ")
  }

  private var expected: String? {
    if picksSeveral { return "space picks one" }
    if argument.kind == .boolean, !argument.isMany { return "yes or no" }
    return argument.isAnyText || !choices.isEmpty ? nil : argument.expected
  }

  func title(of choice: AskedArgument.Choice) -> String { choice.named }

  /// What stands where it was answered, in a person's words.
  var shownAnswer: String { answer.map(argument.called) ?? "" }

  /// Why an argument is not taken: it stands under its field, which says what it is called.
  func reason(of misfit: Misfit) -> String {
    let name = "'\(misfit.argument)' "
    return misfit.reason.hasPrefix(name) ? String(misfit.reason.dropFirst(name.count)) : misfit.reason
  }

  /// Whether nothing is missing here.
  var isDone: Bool { reason == nil && (isAnswered || answer != nil || !argument.isRequired) }

  // MARK: - Typing

  mutating func type(_ typed: String) {
    if isProposed { set("", 0) }
    let at = text.index(text.startIndex, offsetBy: cursor, limitedBy: text.endIndex) ?? text.endIndex
    let before = String(text[..<at]) + typed
    set(before + text[at...], before.count)
  }

  mutating func replace(_ text: String) { set(text, text.count) }

  /// Takes away the character before the cursor; all of what was proposed.
  mutating func erase() {
    if isProposed { return set("", 0) }
    erase(from: cursor - 1, to: cursor)
  }

  mutating func eraseNext() { erase(from: cursor, to: cursor + 1) }
  mutating func eraseToStart() { erase(from: 0, to: cursor) }
  mutating func eraseToEnd() { erase(from: cursor, to: text.count) }

  /// Takes away the word before the cursor, with the blanks behind it.
  mutating func eraseWord() {
    let before = Array(text.prefix(cursor))
    var start = before.count
    while start > 0, before[start - 1] == " " { start -= 1 }
    while start > 0, before[start - 1] != " " { start -= 1 }
    erase(from: start, to: cursor)
  }

  private mutating func erase(from start: Int, to end: Int) {
    let all = Array(text)
    let (start, end) = (max(0, start), min(all.count, end))
    guard start < end else { return isProposed = false }
    set(String(all[..<start] + all[end...]), start)
  }

  /// Moves the cursor: what was proposed is kept then.
  mutating func moveCursor(by step: Int) {
    isProposed = false
    cursor = max(0, min(text.count, cursor + step))
  }

  private mutating func set(_ text: String, _ cursor: Int) {
    (self.text, self.cursor) = (text, min(cursor, text.count))
    (isProposed, isAnswered, isChoosing) = (false, false, false)
    (choice, paths, path, remark) = (0, [], nil, nil)
    if !choices.isEmpty {
      let query = FuzzyText.Query(text)
      let scores = choices.map { FuzzyText(title(of: $0)).score(query) }
      found = choices.indices.filter { scores[$0] != nil }.sorted { scores[$0] ?? 0 > scores[$1] ?? 0 }
    }
    read(isChosen: false)
  }

  // MARK: - Choosing

  mutating func moveChoice(by step: Int) {
    if !paths.isEmpty {
      path = ((path ?? (step > 0 ? -1 : 0)) + step + paths.count) % paths.count
      return
    }
    guard !found.isEmpty else { return }
    // The first that is gone to is the first, where none was current before.
    choice = chosen == nil ? (step > 0 ? 0 : found.count - 1) : (choice + step + found.count) % found.count
    isChoosing = true
  }

  /// Makes a choice the current one by its place in the list that is shown.
  mutating func choose(_ place: Int) {
    if paths.indices.contains(place) { return path = place }
    guard found.indices.contains(place) else { return }
    (choice, isChoosing) = (place, true)
  }

  /// Picks the current choice, or leaves it.
  mutating func togglePick() {
    guard picksSeveral, found.indices.contains(choice) else { return }
    let place = found[choice]
    if picked.remove(place) == nil { picked.insert(place) }
    isChoosing = true
    read(isChosen: false)
  }

  /// Picks these, by their places.
  mutating func pick(_ places: [Int]) {
    picked = Set(places.filter(choices.indices.contains))
    isChoosing = false
    read(isChosen: false)
  }

  /// The path that is being typed: of several the last.
  var pathBegun: String {
    guard argument.isMany, let comma = text.lastIndex(of: ",") else { return text }
    return String(text[text.index(after: comma)...].drop { $0 == " " })
  }

  /// Puts a path in the place of the one that is being typed.
  mutating func replacePath(_ path: String) {
    replace(String(text.dropLast(pathBegun.count)) + path)
  }

  /// Shows paths that what was typed may go on to.
  mutating func offer(_ paths: [String]) { (self.paths, path) = (paths, nil) }

  // MARK: - Reading

  static let missing = "it is needed"

  /// Takes what is there as the answer.
  mutating func take() {
    read(isChosen: true)
    isAnswered = reason == nil
  }

  mutating func refuse(_ sentence: String) { (reason, isAnswered, remark) = (sentence, false, nil) }

  private mutating func read(isChosen: Bool) {
    (answer, reason) = (nil, nil)
    if !choices.isEmpty { return readChoice(isChosen) }
    // What is left as it would be taken anyway is left out, which comes to the same.
    if text.isEmpty || isProposed && argument.preset != nil, !argument.isRequired { return }
    if text.isEmpty {
      if isChosen { reason = Self.missing }
      return
    }
    do throws(Misfit) { answer = try argument.read(text) } catch { reason = self.reason(of: error) }
  }

  private mutating func readChoice(_ isChosen: Bool) {
    if found.isEmpty { reason = "nothing to choose has these letters" }
    if picksSeveral, !picked.isEmpty {
      answer = .list(choices.indices.filter(picked.contains).map { choices[$0].value })
      return
    }
    guard isChosen, let chosen, found.indices.contains(chosen) else { return }
    let value = choices[found[chosen]].value
    answer = picksSeveral ? .list([value]) : value
  }
}

extension AskedArgument {
  /// Whether whatever a person types is an answer: nothing needs to be said of it.
  fileprivate var isAnyText: Bool {
    kind == .string && !isMany && pattern == nil && from == nil && to == nil && choices == nil
  }

  /// A value as a person calls it.
  func called(_ value: Value) -> String {
    if case .list(let values) = value { return values.map(called).joined(separator: ", ") }
    if case .bool(let isOn) = value { return isOn ? "yes" : "no" }
    return choices?.first { $0.value.spelling == value.spelling }?.named ?? value.spelling
  }

  /// A value in a sentence, where a text has quotes unless it is the title of a choice.
  fileprivate func said(_ value: Value) -> String {
    if case .text = value, choices == nil { return value.shown }
    return called(value)
  }
}

extension Value {
  /// As one would type it; nil for what nobody can.
  fileprivate var typed: String? {
    switch self {
    case .text(let text): text
    case .bool, .integer, .number: spelling
    case .list(let values): values.compactMap(\.typed).joined(separator: ", ")
    case .null, .object, .opaque: nil
    }
  }
}

extension AskedArgument.Choice {
  /// What a person calls it.
  fileprivate var named: String {
    if let title { return title }
    if case .text(let text) = value { return text }
    return value.shown
  }
}
