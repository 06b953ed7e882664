extension Dispatcher {
  /// Explains whether an action can be done: the same validation, with a witness.
  func why(_ reference: Reference, raw: String, _ options: PerformOptions = PerformOptions()) -> Explanation {
    let witness = Witness()
    let validation = validate(reference, raw: raw, options, witness: witness)
    let walk = walk(options)
    for (key, supplier) in witness.suppliers.byKey { knownSuppliers.note(supplier.name, of: key) }
    return Explanation(
      isEnabled: validation.isEnabled, by: validation.by, reason: validation.reason,
      steps: witness.steps.filter { $0.answer != .nothing || walk.nodes.count <= 64 }.map(Explanation.Step.init)
        + histories(reference, takenBy: validation.by, on: walk),
      keys: witness.keys.map { key in
        let by = HostNames.contains(key) ? Outcome.hostName : witness.suppliers.byKey[ByteText(key)]?.name
        return Explanation.Key(key: key, by: by, candidates: by == nil ? suppliers(of: key) : [])
      })
  }

  /// The histories that `undo` or `redo` looks at, nearest first, and what the other histories hold.
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
          looked.contains { $0 === responder } ? holds : "not looked at from here: \(holds)"
        }
      return Explanation.Step(node: responder.name, asked: "history", answer: answer, place: nil)
    }
  }

  /// The responders that could supply a key: those that did before, and those whose `provide` names it.
  private func suppliers(of key: String) -> [String] {
    var names = knownSuppliers.names(of: key)
    for responder in chain.responders.values.sorted(by: { $0.number < $1.number }) {
      let writes = responder.hooks(\.provide).contains { $0.suppliedKeys.contains(key) }
      if writes, !names.contains(responder.name) { names.append(responder.name) }
    }
    return names
  }
}
