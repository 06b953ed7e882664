import Glibc
import ScriptHost

/// A *field* of a `Prompt`: an argument, and the person's input for it.
struct PromptField {
  let argument: AskedArgument
  /// The typed text, which finds a choice or is the answer itself.
  private(set) var line = TextField()
  var text: String { line.text }
  /// The choices, if the argument has any, and the places of those that match the typed text.
  let choices: [AskedArgument.Choice]
  private(set) var found: [Int]
  private(set) var choice = 0
  /// The places of the picked choices, if the argument takes several.
  private(set) var picked: Set<Int> = []
  /// The paths that begin with the typed text, or the app's suggestions for it, and the place of the current entry.
  private(set) var paths: [String] = []
  private(set) var path: Int?
  /// The answer so far; nil if there is none.
  private(set) var answer: Value?
  /// The reason why the typed text can't be the answer.
  private(set) var reason: String?
  /// The app's objection to the answer, while the person types.
  var remark: String?
  /// The error to show: of the typed text, else the app's objection, else that the app can't list the choices.
  var shownReason: String? { reason ?? remark ?? argument.trouble }
  /// Whether the person has moved through the choices.
  private var isChoosing = false
  /// Whether the person has answered, even by skipping the argument.
  private(set) var isAnswered = false
  /// Whether the field has been the current one.
  var isVisited = false

  init(_ argument: AskedArgument) {
    self.argument = argument
    choices =
      argument.kind == .boolean && !argument.isMany
      ? [.init(.bool(true), title: "yes"), .init(.bool(false), title: "no")] : argument.choices ?? []
    found = Array(choices.indices)
    paths = suggestions(for: "")
    if argument.lines != nil {
      line.most = TextField.mostInLines
      if let text = (argument.proposed ?? argument.preset)?.typed { replace(text) }
      return
    }
    if let proposed = argument.proposed {
      propose(proposed)
      return
    }
    guard let text = argument.preset?.typed, choices.isEmpty, !argument.isMany, !argument.isSecret else { return }
    line = TextField(text, isProposed: true)
  }

  /// Makes a field for the current declaration of an argument, which keeps the input of an old field where still valid.
  init(_ argument: AskedArgument, keeping old: PromptField) {
    self.init(argument)
    isVisited = old.isVisited
    // A hidden secret must not become visible.
    if old.argument.isSecret, !argument.isSecret { return }
    func place(of choice: AskedArgument.Choice) -> Int? {
      choices.firstIndex { $0.value.spelling == choice.value.spelling }
    }
    if picksSeveral, !old.picked.isEmpty {
      pick(old.picked.sorted().compactMap { place(of: old.choices[$0]) })
    } else if old.isAnswered, argument.kind == .oneOf, !argument.isMany, let answer = old.answer {
      // An obsolete answer isn't replaced by another, which the person didn't choose.
      guard let place = choices.firstIndex(where: { $0.value.spelling == answer.spelling }) else { return }
      choose(place)
    } else if old.isChoosing, let chosen = old.chosen, old.found.indices.contains(chosen),
      let place = place(of: old.choices[old.found[chosen]])
    {
      choose(place)
      read(isChosen: true)
    } else if !old.line.isProposed, !old.text.isEmpty || old.isErased {
      line = old.line
      edited()
    }
    if old.isAnswered { take() }
  }

  /// Begins with the proposal, which is the answer until the person enters another.
  private mutating func propose(_ value: Value) {
    guard !choices.isEmpty else {
      line = TextField(value.typed ?? "", isProposed: true)
      return read(isChosen: false)
    }
    let proposed = if case .list(let values) = value { values } else { [value] }
    let places = choices.indices.filter { place in proposed.contains { $0.spelling == choices[place].value.spelling } }
    if picksSeveral { return pick(places) }
    guard let place = places.first else { return }
    (choice, isChoosing) = (place, true)
    read(isChosen: true)
  }

  // MARK: - What it shows

  var title: String { argument.title ?? argument.key }

  /// Whether the field has a multi-line text.
  var hasLines: Bool { argument.lines != nil }

  /// The place of the choice that enter takes; nil if enter skips the argument.
  var chosen: Int? {
    if picksSeveral, !picked.isEmpty, !isChoosing { return nil }
    return isChoosing || argument.isRequired || !text.isEmpty ? choice : nil
  }

  /// Whether the current choice becomes the answer when the person leaves the field.
  var leavesChoice: Bool { !choices.isEmpty && (!text.isEmpty || isChoosing && !picksSeveral) }

  /// Whether the person has erased the initial text.
  private var isErased: Bool {
    text.isEmpty && choices.isEmpty && !argument.isMany && (argument.proposed ?? argument.preset) != nil
  }

  /// Whether the person may pick several choices from a list.
  var picksSeveral: Bool { argument.isMany && !choices.isEmpty }

  /// The note under the title: the allowed values, and the effect of skipping the argument.
  var note: String {
    var facts = [argument.help, argument.isAwaited ? "its values are coming …" : expected].compactMap { $0 }
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

  /// The answer in words.
  var shownAnswer: String { answer.map(argument.called) ?? "" }

  /// Returns the reason of a misfit without the argument's name, since the field shows it.
  func reason(of misfit: Misfit) -> String {
    let name = "'\(misfit.argument)' "
    return misfit.reason.hasPrefix(name) ? String(misfit.reason.dropFirst(name.count)) : misfit.reason
  }

  /// Whether the field needs no more input.
  var isDone: Bool { reason == nil && (isAnswered || answer != nil || !argument.isRequired) }

  // MARK: - Typing

  /// Handles a key that edits the line.
  mutating func key(_ stroke: Stroke, _ text: String?) { if line.key(stroke, text) == .edited { edited() } }

  /// Handles a key in a multi-line text. Returns false if the key would leave the text.
  mutating func keyInLines(_ stroke: Stroke, _ text: String?, columns: Int) -> Bool {
    let effect = line.keyInLines(stroke, text, columns: columns)
    if effect == .edited { edited() }
    return effect != .none
  }

  mutating func type(_ typed: String) { if line.type(typed) == .edited { edited() } }

  mutating func replace(_ text: String) {
    line.replace(text)
    edited()
  }

  private mutating func edited() {
    (isAnswered, isChoosing) = (false, false)
    (choice, paths, path, remark) = (0, suggestions(for: pathBegun), nil, nil)
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
    // If none was current, the first move goes to the first or the last.
    choice = chosen == nil ? (step > 0 ? 0 : found.count - 1) : (choice + step + found.count) % found.count
    isChoosing = true
  }

  /// Makes a choice current by its place in the visible list.
  mutating func choose(_ place: Int) {
    if paths.indices.contains(place) { return path = place }
    guard found.indices.contains(place) else { return }
    (choice, isChoosing) = (place, true)
  }

  /// Picks the current choice, or drops it if it is picked.
  mutating func togglePick() {
    guard picksSeveral, found.indices.contains(choice) else { return }
    let place = found[choice]
    if picked.remove(place) == nil { picked.insert(place) }
    isChoosing = true
    // The next letter begins another search.
    if !text.isEmpty { line = TextField(text, isProposed: true) }
    read(isChosen: false)
  }

  /// Picks exactly the choices at these places.
  mutating func pick(_ places: [Int]) {
    picked = Set(places.filter(choices.indices.contains))
    isChoosing = false
    read(isChosen: false)
  }

  /// The path in progress: the last, if there are several.
  var pathBegun: String {
    guard argument.isMany, let comma = text.lastIndex(of: ",") else { return text }
    return String(text[text.index(after: comma)...].drop { $0 == " " })
  }

  /// Replaces the path in progress.
  mutating func replacePath(_ path: String) {
    replace(String(text.dropLast(pathBegun.count)) + path)
    if argument.suggestions != nil { (paths, self.path) = ([], nil) }
  }

  /// Returns the app's suggestions for the typed text, best first.
  private func suggestions(for text: String) -> [String] {
    let query = FuzzyText.Query(text)
    let all = (argument.suggestions ?? []).compactMap { choice in choice.value.typed.map { (choice, $0) } }
    let found = all.enumerated().compactMap { place, entry in
      FuzzyText(entry.0.title ?? entry.1).score(query).map { (score: $0, place: place) }
    }
    return found.sorted { ($1.score, $0.place) < ($0.score, $1.place) }.map { all[$0.place].1 }
  }

  /// Lists paths that begin with the typed text.
  mutating func offer(_ paths: [String]) { (self.paths, path) = (paths, nil) }

  // MARK: - Reading

  static let missing = "it is needed"

  /// Sets the field's content as the answer.
  mutating func take() {
    read(isChosen: true)
    isAnswered = reason == nil
  }

  mutating func refuse(_ sentence: String) { (reason, isAnswered, remark) = (sentence, false, nil) }

  private mutating func read(isChosen: Bool) {
    (answer, reason) = (nil, nil)
    if !choices.isEmpty { return readChoice(isChosen) }
    // An untouched default is skipped, because the app uses it anyway.
    if text.isEmpty || line.isProposed && argument.preset != nil, !argument.isRequired { return }
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
  /// Whether any text is a valid answer, so that no note is needed.
  fileprivate var isAnyText: Bool {
    kind == .string && !isMany && pattern == nil && from == nil && to == nil && choices == nil
  }

  /// Returns the words for a value: the title of its choice, or its spelling.
  func called(_ value: Value) -> String {
    if case .list(let values) = value { return values.map(called).joined(separator: ", ") }
    if case .bool(let isOn) = value { return isOn ? "yes" : "no" }
    return choices?.first { $0.value.spelling == value.spelling }?.named ?? value.spelling
  }

  /// Returns the words for a value in a sentence: a text gets quotes unless it is the title of a choice.
  fileprivate func said(_ value: Value) -> String {
    if case .text = value, choices == nil { return value.shown }
    return called(value)
  }
}

extension Value {
  /// The value as a person types it; nil if it can't be typed.
  var typed: String? {
    switch self {
    case .text(let text): text
    case .bool, .integer, .number: spelling
    case .list(let values): values.compactMap(\.typed).joined(separator: ", ")
    case .null, .object, .opaque: nil
    }
  }
}

extension AskedArgument.Choice {
  /// The words for the choice.
  fileprivate var named: String {
    if let title { return title }
    if case .text(let text) = value { return text }
    return value.shown
  }
}

/// The completions of the beginning of a path.
struct PathCompletion {
  /// The path as far as it is unique, with a slash after a folder that is the single candidate.
  /// Unchanged if the folder has too many names to read.
  let common: String
  /// The candidates, folders with a slash, in order.
  let paths: [String]

  /// Nil if there are no candidates.
  ///
  /// - Parameters:
  ///   - base: the folder of relative paths.
  ///   - most: the most names to read, matching or not, because a person waits.
  init?(_ text: String, in base: String = ".", foldersOnly: Bool, most: Int = 20_000) {
    let slash = text.lastIndex(of: "/")
    let folder = slash.map { String(text[...$0]) } ?? ""
    let begun = slash.map { String(text[text.index(after: $0)...]) } ?? text
    let place = folder.hasPrefix("/") ? folder : "\(base)/\(folder)"
    guard let stream = opendir(place) else { return nil }
    defer { closedir(stream) }
    var found: [String] = []
    var rest = most
    while rest > 0, let entry = readdir(stream) {
      rest -= 1
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != "..", name.hasPrefix(begun), begun.hasPrefix(".") || !name.hasPrefix(".") else {
        continue
      }
      var status = stat()
      let isFolder = stat(place + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      if isFolder || !foldersOnly { found.append(name + (isFolder ? "/" : "")) }
    }
    guard let first = found.first else { return nil }
    paths = found.sorted().map { folder + $0 }
    let shared = found.dropFirst().reduce(first) { shared, next in
      String(zip(shared, next).prefix { $0 == $1 }.map(\.0))
    }
    common = rest > 0 ? folder + shared : text
  }
}
