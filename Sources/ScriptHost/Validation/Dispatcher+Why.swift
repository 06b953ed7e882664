extension Dispatcher {
  /// Derives whether an action can be done: the same validation, watched.
  func why(_ reference: Reference, raw: String, _ options: PerformOptions = PerformOptions()) -> Explanation {
    let witness = Witness()
    let validation = validate(reference, raw: raw, options, witness: witness)
    let walk = walk(options)
    for (key, supplier) in witness.suppliers.byKey { noteSupplier(supplier.name, of: key) }
    return Explanation(
      isEnabled: validation.isEnabled, by: validation.by, reason: validation.reason,
      steps: witness.steps.filter { $0.answer != .nothing || walk.nodes.count <= 64 }.map(Explanation.Step.init),
      keys: witness.keys.map { key in
        let by = witness.suppliers.byKey[key]?.name
        return Explanation.Key(key: key, by: by, candidates: by == nil ? suppliers(of: key) : [])
      })
  }

  /// Who could supply a key: who did before, and whose `provide` names it.
  private func suppliers(of key: String) -> [String] {
    var names = knownSuppliers[key] ?? []
    for responder in chain.responders.values.sorted(by: { $0.number < $1.number }) {
      let writes = responder.hooks(\.provide).contains { $0.suppliedKeys.contains(key) }
      if writes, !names.contains(responder.name) { names.append(responder.name) }
    }
    return names
  }
}

extension Explanation.Step {
  init(_ step: Witness.Step) {
    self.init(
      node: step.responder, asked: "\(step.question.rawValue) \(step.action)", answer: step.answer.words,
      place: step.place)
  }
}
