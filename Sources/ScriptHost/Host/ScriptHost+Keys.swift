/// A key binding: what the keys do, and who bound them.
public struct KeyEntry: Sendable {
  /// The keys in canonical spelling.
  public var keys: String
  /// The action that they perform.
  public var reference: String
  /// The alternatives to the action. The first that can be done is performed.
  public var others: [String] = []
  /// Whether the others are performed too, one after another.
  public var isWhole = false
  /// The title of the binding, if it has one.
  public var title: String?
  /// Whether a function of the script decides if they apply. If not, the next binding of the keys applies.
  package var isConditional = false
  /// The answer of that function now; nil if the host didn't call it.
  package var holds: Bool?
  /// The seconds to wait for the rest of a longer sequence; nil if they don't wait.
  public var wait: Double?
  /// The name of the responder, or the id of the item, pane or text that binds them.
  public var by: String
  /// Whether they come from the user's keymap, which precedes all others.
  public var isOfKeymap = false
  /// Whether they pick an item.
  public var isItem: Bool
  /// Whether they give the focus to a pane or a text, whose id is `by`. They then have no action.
  public var isPane = false
  /// The line that binds them.
  public var place: Place?
  /// Whether they work now: a responder's keys work while it is in the chain.
  public var isReached: Bool
  /// The reason why they don't do what they are bound to; nil if they do.
  public var conflict: String?
}

extension ScriptHost {
  /// Lists all bound keys: along the chain, nearest first, then in the menus, then of panes and texts, then of responders
  /// outside of the chain.
  public func keys() -> [KeyEntry] {
    boundKeys(keyConditions).map { entry in
      var entry = entry
      entry.reference = masked(entry.reference)
      entry.others = entry.others.map { masked($0) }
      return entry
    }
  }

  /// True if digits before a stroke are a count now.
  package var countsDigits: Bool { dispatcher.boundKeys.counts(besides: binding(of: .text)) }

  /// Counts bindings that responders added or removed.
  package var keyChanges: Int { chain.keyChanges }

  /// The bindings with a condition, and whether it holds now.
  package var keyConditions: [ObjectIdentifier: Bool] {
    let bindings = dispatcher.boundKeys.withCondition
    if bindings.isEmpty { return [:] }
    return dispatcher.allowing {
      let context = dispatcher.context(of: dispatcher.defaultWalk(), witness: nil)
      defer { context.end() }
      let answers = bindings.map { binding in
        let holds = binding.condition.map { dispatcher.holds($0, in: context) } ?? true
        return (ObjectIdentifier(binding), holds && binding.owner.whySetAside == nil)
      }
      return Dictionary(answers) { first, _ in first }
    }
  }

  /// Returns the entries with their secrets.
  private func boundKeys(_ answers: [ObjectIdentifier: Bool] = [:]) -> [KeyEntry] {
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
    let keymap = chain.keymap
    let ofUser = keymap.map { map in walk.map { (node: $0, all: map.bindings(for: $0), isOfKeymap: true) } } ?? []
    for (node, all, isOfKeymap) in ofUser + walk.map({ ($0, $0.allBindings, false) }) {
      for (keys, bindings) in all {
        let standing = bindings.prefix { !$0.isRemoval }
        for (var entry, binding) in zip(KeyEntry.all(keys, Array(standing), of: node, isReached: true), standing) {
          entry.isOfKeymap = isOfKeymap
          entry.holds = answers[ObjectIdentifier(binding)]
          add(keys, entry)
        }
        guard standing.count < bindings.count else { continue }
        let taking = bindings[standing.count]
        if removed[keys] == nil { removed[keys] = "\(taking.described) removes it from here on" }
        for binding in bindings.dropFirst(standing.count) where !binding.isRemoval {
          var entry = KeyEntry(keys, binding, of: node, isReached: true)
          entry.holds = answers[ObjectIdentifier(binding)]
          add(keys, entry)
        }
      }
    }
    for entry in menuTrees.keys.entries { add(entry.keys, KeyEntry(entry)) }
    // A removal of a responder doesn't concern the keys of panes.
    for pane in menuTrees.panes.all where !pane.isHidden {
      guard let keys = pane.element.keys else { continue }
      entries.append(KeyEntry(keys, of: pane))
      sequences.append(keys)
    }
    addConflicts(to: &entries, sequences)
    let reached = Set(walk.map(\.number))
    for responder in responders where !reached.contains(responder.number) {
      for (keys, bindings) in keymap?.bindings(for: responder) ?? [] where !bindings[0].isRemoval {
        var entry = KeyEntry(keys, bindings[0], of: responder, isReached: false)
        entry.isOfKeymap = true
        entries.append(entry)
      }
      for (keys, bindings) in responder.allBindings {
        entries += KeyEntry.all(keys, bindings.filter { !$0.isRemoval }, of: responder, isReached: false)
      }
    }
    return entries
  }

  /// Adds conflicts: of equal keys the first win, and a shorter sequence wins over longer sequences that begin with it.
  private func addConflicts(to entries: inout [KeyEntry], _ sequences: [KeySequence]) {
    // A binding with a condition leaves its keys to the next binding.
    let certain = zip(sequences, entries).filter { !$1.isConditional && $1.conflict == nil }
    let first = Dictionary(certain.map { ($0, $1) }) { first, _ in first }
    // A key that waits leaves time for the longer sequences, and those come before the key of a pane.
    let lone = Set(certain.filter { $1.wait == nil && !$1.isPane }.map(\.0))
    var met: Set<KeySequence> = []
    for (index, keys) in sequences.enumerated() where entries[index].conflict == nil {
      let alone = keys.strokes.indices.dropFirst().lazy
        .map { KeySequence(strokes: Array(keys.strokes.prefix($0))) }.first { lone.contains($0) }
      if let alone {
        entries[index].conflict = "'\(alone.text)' alone is bound by \(first[alone]?.owner ?? "")"
      } else if met.contains(keys) {
        entries[index].conflict = "\(first[keys]?.owner ?? "") is asked first"
      } else if !entries[index].isConditional {
        met.insert(keys)
      }
    }
  }

  /// Explains what keys do now: who binds them, and why that action can be done or not.
  public func why(keys text: String) throws(KeyError) -> Explanation {
    let keys = try KeySequence.bindable(text)
    var bound = boundKeys().filter { $0.keys.hasSameBytes(as: keys.text) }
    let read = askConditions(of: &bound, keys)
    let steps = bound.map { entry in
      Explanation.Step(
        node: entry.by, asked: "key \(entry.keys)",
        answer: (entry.isPane
          ? "gives the focus to this pane"
          : entry.isItem ? "picks it: " : entry.condition + "performs ")
          + ([entry.reference] + entry.others).map { masked($0) }.joined(separator: entry.isWhole ? ", then " : ", ")
          + (entry.isOfKeymap ? ", from the user's keymap" : "")
          + (entry.conflict.map { ", but \($0)" } ?? ""), place: entry.place)
    }
    let winner = bound.first { $0.conflict == nil && $0.holds != false } ?? entry(typing: keys)
    var explanation =
      winner.map(explain)
      ?? Explanation(isEnabled: false, by: nil, reason: unbound(keys, bound), steps: [], keys: [])
    explanation.steps = steps + explanation.steps
    explanation.keys = read + explanation.keys.filter { key in !read.contains { $0.key.hasSameBytes(as: key.key) } }
    return explanation
  }

  /// Asks the conditions of the bindings of keys, and returns the keys of the context that they read.
  private func askConditions(of entries: inout [KeyEntry], _ keys: KeySequence) -> [Explanation.Key] {
    let bindings = dispatcher.boundKeys[keys].filter { !$0.isRemoval }
    guard bindings.contains(where: { $0.condition != nil }) else { return [] }
    return dispatcher.allowing {
      let witness = Witness()
      let context = dispatcher.context(of: dispatcher.defaultWalk(), witness: witness)
      defer { context.end() }
      // The bindings of the chain are the first entries, in the same order.
      for (index, binding) in zip(entries.indices, bindings) where entries[index].conflict == nil {
        guard let condition = binding.condition else { break }
        let holds = binding.owner.whySetAside == nil && dispatcher.holds(condition, in: context)
        entries[index].holds = holds
        if holds { break }
      }
      return dispatcher.keys(readBefore: witness)
    }
  }

  /// Returns the entry that handles the character of these keys, if nothing else is bound to them.
  private func entry(typing keys: KeySequence) -> KeyEntry? {
    guard let binding = typing(keys) else { return nil }
    return boundKeys().first { $0.keys == KeySequence.text.text && $0.conflict == nil && $0.reference == binding.raw }
  }

  private func explain(_ entry: KeyEntry) -> Explanation {
    if entry.isPane {
      return Explanation(isEnabled: true, by: entry.by, reason: nil, steps: [], keys: [])
    }
    if entry.isItem, let explanation = menuTrees.find(entry.by).flatMap(why) { return explanation }
    let all = ([entry.reference] + entry.others).compactMap { try? why($0) }
    if let explanation = (entry.isWhole ? nil : all.first(where: \.isEnabled)) ?? all.first { return explanation }
    return Explanation(
      isEnabled: false, by: nil, reason: "'\(entry.by)' has no action", steps: [], keys: [])
  }

  private func unbound(_ keys: KeySequence, _ bound: [KeyEntry]) -> String {
    if let entry = bound.first, entry.isReached, let conflict = entry.conflict {
      return "'\(keys.text)' never works: \(conflict)"
    }
    let longer = boundKeys().filter { entry in
      entry.isReached && ((try? KeySequence.bindable(entry.keys)).map(keys.begins) ?? false)
    }
    guard !longer.isEmpty else {
      if bound.contains(where: { $0.holds == false }) { return whyNothing(for: keys) }
      return bound.first.map { "'\(keys.text)' is bound by '\($0.by)', but that is not in the chain" }
        ?? "nothing is bound to '\(keys.text)'"
    }
    return "'\(keys.text)' is only the beginning of \(longer.map { "'\($0.keys)'" }.joined(separator: ", "))"
  }
}

extension KeyEntry {
  /// The answer of its condition, before the words for its action.
  fileprivate var condition: String {
    switch holds {
    case nil: isConditional ? "if its 'when' returns true, " : ""
    case true?: "its 'when' returns true: "
    case false?: "its 'when' returns false, else "
    }
  }

  /// The owner, for messages.
  fileprivate var owner: String { isOfKeymap ? "the user's keymap" : "'\(by)'" }

  /// The actions, for messages.
  package var text: String {
    isPane ? "focus \(by)" : ([reference] + others).joined(separator: isWhole ? ", then " : ", ")
  }

  /// Lists the bindings of the same keys by several owners on one responder. Only the first applies.
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
      keys: keys.text, reference: binding.raw, others: binding.all.dropFirst().map(\.raw),
      isWhole: binding.isWhole, title: binding.title,
      isConditional: binding.condition != nil, wait: binding.wait.map { Double($0) / 1e9 }, by: responder.name,
      isItem: false, place: binding.place,
      isReached: isReached, conflict: isReached ? nil : "'\(responder.name)' is not in the chain")
  }

  init(_ keys: KeySequence, of pane: Pane) {
    self.init(
      keys: keys.text, reference: "", title: pane.element.title.isEmpty ? nil : pane.element.title, by: pane.id,
      isItem: false, isPane: true, place: pane.element.place, isReached: true, conflict: nil)
  }

  init(_ entry: MenuKeys.Entry) {
    self.init(
      keys: entry.keys.text, reference: entry.node.element.facts.action, by: entry.node.id, isItem: true,
      place: entry.node.element.place, isReached: true, conflict: nil)
  }
}
