// The forms of actions (A12). Whoever draws one asks for it again when an answer changes, because the choices of others may depend on it.

extension ScriptHost {
  /// The form of an action: what a person is asked for, after some answers. Nothing is performed.
  ///
  /// ```swift
  /// let cities: [String: [AskedArgument.Choice]] = ["CH": [.init("Bern")], "FR": [.init("Lyon"), .init("Nice")]]
  /// let city = DeclaredArgument.oneOf("city") { cities[try $0.context["country", as: String.self] ?? ""] ?? [] }
  /// let trip = try host.responder("trip")
  /// trip.takes("book", .oneOf("country", ["CH", "FR"]).order(1), city.order(2))
  /// trip.on("book") { command in command.arguments["city"] ?? .null }
  /// try host.focus(trip)
  /// print(host.form("book").fields[1].expected)  // one of nothing: there are no choices now
  /// print(host.form("book", answers: ["country": "FR"]).fields[1].expected)  // one of 'Lyon', 'Nice'
  /// print(host.form("book", answers: ["country": "FR", "city": "Bern"]).validation.misfit?.argument ?? "")  // city
  /// ```
  public func form(
    _ reference: String, answers: Arguments = Arguments(), _ options: PerformOptions = PerformOptions()
  ) -> Form {
    dispatcher.form(reference, options, answers: answers)
  }

  /// The form of an item's action. Throws for an id that no item has.
  public func form(
    ofItem id: String, modifiers: [String] = [], answers: Arguments = Arguments()
  ) throws(Misuse) -> Form {
    let held = try Modifiers.names(of: modifiers)
    guard let found = menuTrees.find(id)?.holding(held) else { throw Misuse(.unknownName, unknownElement(id)) }
    return form(of: found, held, answers)
  }

  /// The form of what keys do; nil if nothing is bound to them.
  package func form(ofKeys keys: KeySequence, answers: Arguments) -> Form? {
    let modifiers = keys.strokes.last?.modifiers.names ?? []
    if let binding = dispatcher.boundKeys[keys] {
      let options = PerformOptions(asking: Answered(), modifiers: modifiers)
      return dispatcher.form(first(of: binding, options).raw, options, answers: answers)
    }
    let tree = menuTrees.snapshotTree()
    return tree.keys[keys].map { node in
      form(of: MenuTrees.Found(node: node, tree: tree, options: PerformOptions()), modifiers, answers)
    }
  }

  /// The form of what is performed when a row becomes the current one; nil if nothing is.
  package func form(ofRow id: String, answers: Arguments) -> Form? {
    guard let found = menuTrees.find(id), let (reference, options) = choosing(found) else { return nil }
    return dispatcher.form(reference, options, answers: answers)
  }

  private func form(of found: MenuTrees.Found, _ modifiers: [String], _ answers: Arguments) -> Form {
    guard let action = found.node.element.action else {
      return Form([], Validation(enabled: false, reason: found.node.element.reasonWithoutAction))
    }
    return dispatcher.form(action.raw, found.picked(modifiers, Answered(), action), answers: answers)
  }
}
