import ScriptHost

extension Verb {
  static let menu = Verb(
    name: "menu", operands: [.app, Operand(name: "ID", isOptional: true)], summary: "show one menu or all, validated",
    options: Option.loading
  ) { session in
    try session.load()
    let root = session.host.menus()
    guard let id = session.invocation.operands.dropFirst().first else { return Reply(answer: .menus(root.children)) }
    guard let element = root.find(id) else { throw session.unknownElement(id, in: root) }
    return Reply(answer: .menus(element.id == root.id ? root.children : [element]))
  }
}

extension Session {
  func unknownElement(_ id: String, in root: MenuElement) -> Problem {
    let near = nearest(toID: id, among: root.children.flatMap(\.ids)).first.map { "; did you mean '\($0)'?" } ?? ""
    return Problem(.usage, "there is no element '\(id)'\(near)")
  }
}

extension MenuElement {
  /// The ids of what can be named, its own first.
  var ids: [String] { kind == .item || kind == .menu ? [id] + children.flatMap(\.ids) : children.flatMap(\.ids) }
}
