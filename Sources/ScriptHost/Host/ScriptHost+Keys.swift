extension ScriptHost {
  /// Presses keys, one stroke or several: performs what they are bound to along the chain, or else picks the item that has these keys. The
  /// outcome is that of the last stroke.
  ///
  /// A stroke that begins a sequence is `pending`; `esc` gives up what is pending.
  @discardableResult
  public func press(
    _ keys: String, confirmed: Bool? = nil, asked: String? = nil, arguments: Arguments = Arguments()
  ) -> Outcome {
    do {
      let answered = Answered(confirmed: confirmed, asked: asked, arguments: arguments)
      return press(try ownKeys.read(keys), answered: answered)
    } catch {
      return Outcome(.failed, error: Failure(error))
    }
  }

  /// Presses keys that were read before.
  ///
  /// - Parameters:
  ///   - pending: the strokes begun by whoever presses, so that of several nobody completes another's sequence; the host's own if left out.
  ///   - answered: the answers to what is asked, whose arguments are put over those of what is performed.
  @discardableResult
  package func press(
    _ keys: KeySequence, after pending: PendingKeys? = nil, answered: Answered = Answered()
  ) -> Outcome {
    if let misuse = dispatcher.whileAskingMisuse("'\(keys.text)' can't be pressed") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    if keys.strokes.count == 1 { return strike(only: keys, pending ?? ownKeys, answered) }
    // What is pressed at once has one allowance, however many strokes there are.
    return dispatcher.allowing {
      keys.strokes.reduce(Outcome(.unhandled)) { strike(only: KeySequence($1), pending ?? ownKeys, answered) }
    }
  }

  /// Strikes one key, as the next of a sequence or by itself.
  private func strike(only stroke: KeySequence, _ keys: PendingKeys, _ answered: Answered) -> Outcome {
    if let pending = keys.begun {
      keys.begun = nil
      let stroke = stroke.strokes[0]
      if let outcome = strike(pending.followed(by: stroke), keys, answered) { return outcome }
      if stroke == .escape { return Outcome(.cancelled, reason: "'\(pending.text)' was begun, and is given up") }
    }
    return strike(stroke, keys, answered) ?? focusPane(by: stroke)
      ?? Outcome(.unhandled, reason: "nothing is bound to '\(stroke.text)'")
  }

  /// Does what keys are bound to, or waits for more of them; nil where they are bound to nothing.
  private func strike(_ keys: KeySequence, _ pending: PendingKeys, _ answered: Answered) -> Outcome? {
    let bound = dispatcher.boundKeys
    if let binding = binding(of: keys) {
      if binding.isRemoval { return nil }
      let modifiers = keys.strokes.last?.modifiers.names ?? []
      if modifiers.isEmpty, answered.isEmpty { return perform(binding, struck) }
      return perform(binding, PerformOptions(asking: answered, modifiers: modifiers))
    }
    let tree = menuTrees.snapshotTree()
    if let node = tree.keys[keys] {
      return pick(
        MenuTrees.Found(node: node, tree: tree, options: PerformOptions()),
        keys.strokes.last?.modifiers.names ?? [], answered)
    }
    func isLonger(_ entry: MenuKeys.Entry) -> Bool { keys.begins(entry.keys) && !bound.isTakenAway(entry.keys) }
    guard bound.has(longerThan: keys) || tree.keys.entries.contains(where: isLonger) else {
      return nil
    }
    pending.begun = keys
    return Outcome(.pending, reason: "'\(keys.text)' waits for the rest of a sequence")
  }
}

extension ScriptHost {
  /// Gives the focus to the pane of a key that nothing else is bound to; nil if it is no pane's.
  private func focusPane(by keys: KeySequence) -> Outcome? {
    menuTrees.panes.all.first { $0.element.keys == keys }.map(focus)
  }
}

extension ScriptHost {
  /// The binding of keys that counts now: the nearest whose condition holds. Keys that are taken away have one without references.
  func binding(of keys: KeySequence) -> KeyBinding? {
    for binding in dispatcher.boundKeys[keys] {
      guard let condition = binding.condition else { return binding }
      if binding.owner.whySetAside == nil, holds(condition) { return binding }
    }
    return nil
  }

  private func holds(_ condition: KeyCondition) -> Bool {
    dispatcher.allowing {
      let context = dispatcher.context(of: dispatcher.defaultWalk(), witness: nil)
      defer { context.end() }
      return dispatcher.holds(condition, in: context)
    }
  }

  /// Performs the first action of a binding that can be done now; if none can, the outcome says why the first can't.
  private func perform(_ binding: KeyBinding, _ options: PerformOptions) -> Outcome {
    let (raw, obstacle) = first(of: binding, options)
    if let obstacle { return Outcome(.disabled, by: obstacle.by, reason: obstacle.reason) }
    return perform(raw, options)
  }

  /// The first action of a binding that can be done now. If none can, its very first with the validation that says why (K6).
  func first(of binding: KeyBinding, _ options: PerformOptions) -> (raw: String, obstacle: Validation?) {
    if binding.all.count == 1 { return (binding.raw, nil) }
    var first: Validation?
    for (reference, raw) in binding.all {
      let validation = dispatcher.validate(reference, raw: raw, options)
      if validation.isEnabled { return (raw, nil) }
      if first == nil { first = validation }
    }
    return (binding.raw, first)
  }
}

extension Failure {
  /// Keys that can't be read.
  init(_ error: KeyError) {
    self.init(.keys, error.message)
    place = Place(file: "keys", line: 1, column: error.column)
    text = error.excerpt.line
  }
}

/// Keys that are bound: what they do, and who bound them.
public struct KeyEntry: Sendable {
  /// The keys in their one spelling.
  public var keys: String
  /// The action that they perform.
  public var reference: String
  /// The actions that are tried after it: the first that can be done is done.
  public var others: [String] = []
  /// The title of the binding, if it has one.
  public var title: String?
  /// Whether they do it only where a function of the script's says yes; else the next binding of the keys counts.
  package var isConditional = false
  /// Who bound them: the name of a responder, or the id of an item.
  public var by: String
  /// Whether they pick an item.
  public var isItem: Bool
  /// Where they were bound.
  public var place: Place?
  /// Whether they are looked at now: those of a responder are, as long as it is in the chain.
  public var isReached: Bool
  /// Why they don't do what they are bound to; nil if they do.
  public var conflict: String?
}

extension ScriptHost {
  /// Every key that is bound: along the chain, nearest first, then in the menus in order, then of responders that are not in the chain.
  public func keys() -> [KeyEntry] {
    boundKeys().map { entry in
      var entry = entry
      entry.reference = masked(entry.reference)
      entry.others = entry.others.map { masked($0) }
      return entry
    }
  }

  /// How often keys were bound by responders, or bindings taken out.
  package var keyChanges: Int { chain.keyChanges }

  /// The entries with their secrets.
  private func boundKeys() -> [KeyEntry] {
    let walk = dispatcher.defaultWalk().nodes
    var entries: [KeyEntry] = []
    var sequences: [KeySequence] = []
    var removed: [KeySequence: String] = [:]
    func add(_ keys: KeySequence, _ entry: KeyEntry) {
      var entry = entry
      if let taken = removed[keys] { entry.conflict = taken }
      entries.append(entry)
      sequences.append(keys)
    }
    for node in walk {
      for (keys, bindings) in node.allBindings {
        let standing = bindings.prefix { !$0.isRemoval }
        for entry in KeyEntry.all(keys, Array(standing), of: node, isReached: true) { add(keys, entry) }
        guard standing.count < bindings.count else { continue }
        let taking = bindings[standing.count]
        if removed[keys] == nil { removed[keys] = "\(taking.described) takes it away from here on" }
        for binding in bindings.dropFirst(standing.count) where !binding.isRemoval {
          add(keys, KeyEntry(keys, binding, of: node, isReached: true))
        }
      }
    }
    for entry in menuTrees.keys.entries { add(entry.keys, KeyEntry(entry)) }
    addConflicts(to: &entries, sequences)
    let reached = Set(walk.map(\.number))
    for responder in responders where !reached.contains(responder.number) {
      for (keys, bindings) in responder.allBindings {
        entries += KeyEntry.all(keys, bindings.filter { !$0.isRemoval }, of: responder, isReached: false)
      }
    }
    return entries
  }

  /// Adds conflicts: of equal keys the first win, and a shorter sequence wins over longer ones that begin with it.
  private func addConflicts(to entries: inout [KeyEntry], _ sequences: [KeySequence]) {
    // A binding with a condition leaves its keys to the next one.
    let certain = zip(sequences, entries).filter { !$1.isConditional && $1.conflict == nil }
    let first = Dictionary(certain.map { ($0, $1.by) }) { first, _ in first }
    var met: Set<KeySequence> = []
    for (index, keys) in sequences.enumerated() where entries[index].conflict == nil {
      let alone = keys.strokes.indices.dropFirst().lazy
        .map { KeySequence(strokes: Array(keys.strokes.prefix($0))) }.first { first[$0] != nil }
      if let alone {
        entries[index].conflict = "'\(alone.text)' alone is bound by '\(first[alone] ?? "")'"
      } else if met.contains(keys) {
        entries[index].conflict = "'\(first[keys] ?? "")' is asked first"
      } else if !entries[index].isConditional {
        met.insert(keys)
      }
    }
  }

  /// Why keys do what they do now: who binds them, and why that action can be done or not.
  public func why(keys text: String) throws(KeyError) -> Explanation {
    let keys = try KeySequence.parse(text)
    let bound = boundKeys().filter { $0.keys.hasSameBytes(as: keys.text) }
    let steps = bound.map { entry in
      Explanation.Step(
        node: entry.by, asked: "key \(entry.keys)",
        answer: (entry.isItem
          ? "picks it: " : entry.isConditional ? "where its 'when' says yes, performs " : "performs ")
          + ([entry.reference] + entry.others).map { masked($0) }.joined(separator: ", ")
          + (entry.conflict.map { ", but \($0)" } ?? ""), place: entry.place)
    }
    guard let winner = bound.first(where: { $0.conflict == nil }) else {
      return Explanation(isEnabled: false, by: nil, reason: unbound(keys, bound), steps: steps, keys: [])
    }
    var explanation = explain(winner)
    explanation.steps = steps + explanation.steps
    return explanation
  }

  private func explain(_ entry: KeyEntry) -> Explanation {
    if entry.isItem, let found = menuTrees.find(entry.by), let action = found.node.element.action {
      var options = found.options
      options.sender = found.node.sender
      options.arguments = action.own
      let item = menuTrees.validated(found)
      var explanation = dispatcher.why(action.reference, raw: action.raw, options)
      explanation.isEnabled = item.isEnabled
      explanation.reason = item.reason
      return explanation
    }
    let all = ([entry.reference] + entry.others).compactMap { try? why($0) }
    if let explanation = all.first(where: \.isEnabled) ?? all.first { return explanation }
    return Explanation(
      isEnabled: false, by: nil, reason: "'\(entry.by)' has no action", steps: [], keys: [])
  }

  private func unbound(_ keys: KeySequence, _ bound: [KeyEntry]) -> String {
    if let entry = bound.first, entry.isReached, let conflict = entry.conflict {
      return "'\(keys.text)' is never reached: \(conflict)"
    }
    let longer = boundKeys().filter { entry in
      entry.isReached && ((try? KeySequence.parse(entry.keys)).map(keys.begins) ?? false)
    }
    guard !longer.isEmpty else {
      return bound.first.map { "'\(keys.text)' is bound by '\($0.by)', which is not in the chain" }
        ?? "nothing is bound to '\(keys.text)'"
    }
    return "'\(keys.text)' only begins \(longer.map { "'\($0.keys)'" }.joined(separator: ", "))"
  }
}

extension KeyEntry {
  /// What they perform, as a person reads it.
  package var text: String { ([reference] + others).joined(separator: ", ") }

  /// The bindings of the same keys by several owners on one responder: the first counts, and what each other has says so.
  static func all(_ keys: KeySequence, _ bindings: [KeyBinding], of responder: Responder, isReached: Bool) -> [KeyEntry]
  {
    bindings.enumerated().map { index, binding in
      var entry = KeyEntry(keys, binding, of: responder, isReached: isReached)
      if isReached, bindings[..<index].contains(where: { $0.condition == nil }) {
        entry.conflict = "\(bindings[0].described) bound it later"
      }
      return entry
    }
  }

  init(_ keys: KeySequence, _ binding: KeyBinding, of responder: Responder, isReached: Bool) {
    self.init(
      keys: keys.text, reference: binding.raw, others: binding.all.dropFirst().map(\.raw), title: binding.title,
      isConditional: binding.condition != nil, by: responder.name, isItem: false, place: binding.place,
      isReached: isReached, conflict: isReached ? nil : "'\(responder.name)' is not in the chain")
  }

  init(_ entry: MenuKeys.Entry) {
    self.init(
      keys: entry.keys.text, reference: entry.node.element.facts.action, by: entry.node.id, isItem: true,
      place: entry.node.element.place, isReached: true, conflict: nil)
  }
}

/// The strokes of a key sequence that somebody has begun.
package final class PendingKeys {
  /// What was pressed of it so far; nil where nothing was begun.
  // Exclusivity isn't checked, here and for `known`: both are read with each press, and no change to them runs other code.
  package internal(set) var begun: KeySequence?

  /// The sequences that were read lately, by their texts, because most keys are pressed again.
  private var known: [ByteText: KeySequence] = [:]
  private static let mostKnown = 256

  /// The pending keys of someone who has pressed nothing yet.
  package init() {}

  func read(_ text: String) throws(KeyError) -> KeySequence {
    if let known = known[ByteText(text)] { return known }
    let keys = try KeySequence.parse(text)
    if known.count >= Self.mostKnown { known = [:] }
    known[ByteText(text)] = keys
    return keys
  }
}
