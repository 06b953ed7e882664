/// Explains why an action can be done or not: responders, their answers, keys read, and possible suppliers.
public struct Explanation {
  /// A question and its answer, as in traces.
  public typealias Step = Trace.Step

  /// A key of the context that was read.
  public struct Key {
    /// The name of the key.
    public var key: String
    /// The supplier; nil if there is none.
    public var by: String?
    /// The possible suppliers.
    public var candidates: [String]
  }

  /// Whether the action can be done now.
  public var isEnabled: Bool
  /// The responder that handles or refuses it. If the item itself refuses, its id.
  public var by: String?
  /// Why it can't be done.
  public var reason: String?
  /// The questions, in order.
  public var steps: [Step]
  /// The keys that were read.
  public var keys: [Key]

  /// The explanation in sentences.
  public var text: String {
    var lines = [headline]
    for step in steps {
      let place = step.place.map { " (\($0))" } ?? ""
      lines.append("  \(step.node): \(step.asked) → \(step.answer)\(place)")
    }
    for key in keys {
      lines.append("  key '\(key.key)': \(supplied(key))")
    }
    return lines.joined(separator: "\n")
  }

  private var headline: String {
    switch (isEnabled, by) {
    case (true, let by?): "enabled: '\(by)' takes it"
    case (true, nil): "enabled"
    case (false, let by?): "disabled by '\(by)': \(reason ?? "")"
    case (false, nil): "disabled: \(reason ?? "")"
    }
  }

  private func supplied(_ key: Key) -> String {
    if let by = key.by { return "from '\(by)'" }
    if key.candidates.isEmpty, ["row", "rows"].contains(key.key) {
      return "missing; a pane with a responder supplies it from its current row"
    }
    if key.candidates.isEmpty { return "missing, and no script supplies it" }
    return "missing; could come from \(key.candidates.map { "'\($0)'" }.joined(separator: ", "))"
  }
}

extension Explanation {
  /// Creates an explanation for a name that means no action.
  init(unanswered reason: String) { self.init(isEnabled: false, by: nil, reason: reason, steps: [], keys: []) }

  /// The explanation as a value, which `app:why` returns to scripts.
  var value: Value {
    var members: [(key: String, value: Value)] = [("enabled", .bool(isEnabled))]
    if let by { members.append(("by", .text(by))) }
    if let reason { members.append(("reason", .text(reason))) }
    members.append(("steps", .list(steps.map(\.value))))
    members.append(("keys", .list(keys.map(\.value))))
    members.append(("text", .text(text)))
    return .object(members)
  }
}

extension Trace.Step {
  var value: Value {
    var members: [(key: String, value: Value)] = [
      ("node", .text(node)), ("asked", .text(asked)), ("answer", .text(answer)),
    ]
    if let place {
      members.append(("file", .text(place.file)))
      members.append(("line", .integer(place.line)))
    }
    return .object(members)
  }
}

extension Explanation.Key {
  var value: Value {
    .object(
      [("key", .text(key))] + (by.map { [("by", .text($0))] } ?? [])
        + [("candidates", .list(candidates.map { .text($0) }))])
  }
}

extension Dispatcher {
  /// Explains whether an action can be done, by the same validation with a witness.
  func why(_ reference: Reference, raw: String, _ options: PerformOptions = PerformOptions()) -> Explanation {
    let witness = Witness()
    let validation = validate(reference, raw: raw, options, witness: witness)
    let conclusion = (isEnabled: validation.isEnabled, by: validation.by, reason: validation.reason)
    return explanation(of: reference, conclusion, by: witness, on: walk(options))
  }

  /// Returns the explanation of what a witness has recorded.
  func explanation(
    of reference: Reference, _ conclusion: (isEnabled: Bool, by: String?, reason: String?), by witness: Witness,
    on walk: Walk
  ) -> Explanation {
    for (key, supplier) in witness.suppliers.byKey { knownSuppliers.note(supplier.name, of: key) }
    return Explanation(
      isEnabled: conclusion.isEnabled, by: conclusion.by, reason: conclusion.reason,
      steps: strangeProviders(witness, on: walk)
        + witness.steps.filter { $0.answer != .nothing || walk.nodes.count <= 64 }.map(Explanation.Step.init)
        + histories(reference, takenBy: conclusion.by, on: walk),
      keys: keys(readBefore: witness))
  }

  /// Returns the keys that a witness saw read, with their suppliers.
  func keys(readBefore witness: Witness) -> [Explanation.Key] {
    witness.keys.map { key in
      let by = HostNames.contains(key) ? Outcome.hostName : witness.suppliers.byKey[ByteText(key)]?.name
      return Explanation.Key(key: key, by: by, candidates: by == nil ? suppliers(of: key) : [])
    }
  }

  /// Returns a step for each provider that sets a read key to nil, or that uses a name of the host.
  private func strangeProviders(_ witness: Witness, on walk: Walk) -> [Explanation.Step] {
    var removed: [ByteText: [String]] = [:]
    for key in witness.keys {
      if let remover = witness.suppliers.removers[ByteText(key)] {
        removed[ByteText(remover.name), default: []].append(key)
      }
    }
    var unheard: [ByteText: [String]] = [:]
    for (key, name) in witness.suppliers.shadowed { unheard[ByteText(name), default: []].append(key) }
    if removed.isEmpty, unheard.isEmpty { return [] }
    return walk.providers.reversed().compactMap { provider in
      // A responder may have several providers, of which only the first gets a step.
      let name = ByteText(provider.responder.name)
      let (removed, unheard) = (removed.removeValue(forKey: name) ?? [], unheard.removeValue(forKey: name) ?? [])
      guard !removed.isEmpty || !unheard.isEmpty else { return nil }
      return Explanation.Step(
        node: provider.responder.name, supplied: removed.map { "'\($0)' is nil" }, unheard: unheard, failure: nil,
        place: provider.handler.place)
    }
  }

  /// Returns the histories that `undo` or `redo` visits, nearest first, and the contents of the others.
  private func histories(_ reference: Reference, takenBy taker: String?, on walk: Walk) -> [Explanation.Step] {
    guard let direction = UndoStack.Direction(rawValue: reference.name), taker == Outcome.hostName else { return [] }
    var looked: [Responder] = []
    let owner = history(direction, from: walk.start) { looked.append($0) }.owner
    let others = chain.responders.values.filter { responder in
      !(responder.undoStack?.isEmpty(direction) ?? true) && !looked.contains { $0 === responder }
    }
    let shown = looked.prefix(64) + others.sorted { $0.number < $1.number }.prefix(16)
    return shown.map { responder in
      let titles = responder.undoStack?.titles(direction).map(told) ?? []
      let held = titles.first.map {
        "\(titles.count) to \(direction.rawValue), first \($0.isEmpty ? "one without a title" : "'\($0)'")"
      }
      let holds = held ?? "nothing to \(direction.rawValue)"
      let answer =
        if responder === owner, held != nil {
          "'\(direction.rawValue)' takes this one: \(holds)"
        } else {
          looked.contains { $0 === responder } ? holds : "not used from here: \(holds)"
        }
      return Explanation.Step(node: responder.name, asked: "history", answer: answer, place: nil)
    }
  }

  /// Returns the possible suppliers of a key: earlier ones, and those whose `provide` names it.
  private func suppliers(of key: String) -> [String] {
    var names = knownSuppliers.names(of: key)
    for responder in chain.responders.values.sorted(by: { $0.number < $1.number }) {
      for provider in [responder.supplier].compactMap({ $0 }) + responder.hooks(\.provide) {
        let name = provider.supplierName ?? responder.name
        if provider.suppliedKeys.contains(key), !names.contains(name) { names.append(name) }
      }
    }
    return names
  }
}
