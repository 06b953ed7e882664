import ScriptHost

extension Verb {
  static let validate = Verb(
    name: "validate", operands: [.app, Operand(name: "REF|ID", isOptional: true, isRepeated: true)],
    summary: "show whether actions or items can be done now, and why not; without one, every item",
    options: Option.loading
  ) { session in
    let names = session.invocation.operands.dropFirst()
    try session.load()
    let root = session.host.menus()
    guard !names.isEmpty else {
      return Reply(answer: .validations(root.items.map(Answer.Validated.init)))
    }
    let validated = try names.map { name in
      if let element = root.find(name), element.kind == .item || element.kind == .menu {
        return Answer.Validated(element)
      }
      try Session.check(name)
      let validation = session.host.validate(name)
      let title = validation.look.title ?? (try? Reference.parse(name))?.name ?? name
      return Answer.Validated(name: name, kind: .ref, title: title, validation: validation)
    }
    return Reply(
      answer: .validations(validated), status: validated.allSatisfy(\.validation.isEnabled) ? .done : .no)
  }
}

extension Answer.Validated {
  /// An item as it is drawn.
  init(_ element: MenuElement) {
    self.init(name: element.id, kind: .id, title: element.title, validation: Validation(element))
    validation.look.title = nil
  }
}
