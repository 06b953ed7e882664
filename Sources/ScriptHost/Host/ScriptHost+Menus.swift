extension ScriptHost {
  /// The main menu as it is now, validated: the tree itself, whose children are the menus.
  ///
  /// Builders and sections are asked again only after something happened that may have changed their answers;
  /// every item is validated each time.
  public func menus() -> MenuElement {
    let snapshot = snapshot()
    drawn = snapshot
    return snapshot
  }

  /// What is in view of the menus and the panel, as it is now: only that is asked. `changes()` doesn't count from it.
  public func menus(in view: MenuView) -> MenuElement {
    deliverBeforeSnapshot()
    // Whoever listens for changes hears of all of them before a snapshot is returned.
    if announcer.isListened, !menuTrees.isBusy { announcer.announce(menuTrees.snapshot()) }
    return menuTrees.snapshot(view)
  }

  /// The number of rows in the panel, headers and separators included: what `rows` of a view counts.
  public var panelRowCount: Int { menuTrees.snapshotTree().panel?.rowCount ?? 0 }

  /// The number of the panel's row that has an id, counted as `rows` of a view does; nil if there is none.
  package func panelRow(of id: String) -> Int? {
    let tree = menuTrees.snapshotTree()
    guard let panel = tree.panel, var node = tree[id] else { return nil }
    var number = 0
    while node !== panel {
      guard let parent = node.parent, let place = parent.children.firstIndex(where: { $0 === node }) else { return nil }
      number += parent.children[..<place].reduce(0) { $0 + $1.rowCount } + (parent.element.isInline ? 1 : 0)
      node = parent
    }
    return number
  }

  /// The first row of the panel, from a place on and then from the start, whose declared title begins with what was typed.
  package func panelRow(beginningWith typed: String, from place: Int) -> (id: String, place: Int)? {
    guard let panel = menuTrees.snapshotTree().panel else { return nil }
    let rows = panel.listed
    let titles = rows.map { row in row.map { $0.canBePicked ? $0.element.title : "" } ?? "" }
    return titles.first(beginningWith: typed, from: place).flatMap { found in rows[found].map { ($0.id, found) } }
  }

  /// One menu as it is now, by its id; nil where there is none.
  public func menu(_ id: String) -> MenuElement? {
    snapshot().find(id).flatMap { $0.kind == .menu ? $0 : nil }
  }

  /// One item as it is now, by its id, of the main menu or of the last context menu; nil where there is none.
  public func item(_ id: String) -> MenuElement? {
    (snapshot().find(id) ?? findInContextMenu(id)).flatMap { $0.kind == .item ? $0 : nil }
  }

  /// Why an item can be picked now, or can't, and who gets its action; nil where no item or menu has the id.
  public func why(item id: String) -> Explanation? {
    guard let found = menuTrees.find(id) else { return nil }
    guard found.node.element.kind == .item, let action = found.node.element.action else {
      let drawn = (snapshot().find(id) ?? findInContextMenu(id)).flatMap {
        $0.kind == .menu || $0.kind == .item ? $0 : nil
      }
      return drawn.map { Explanation(isEnabled: $0.isEnabled, by: $0.by, reason: $0.reason, steps: [], keys: []) }
    }
    var options = found.options
    options.sender = found.node.sender
    options.arguments = action.own
    let drawn = menuTrees.validated(found)
    var explanation = dispatcher.why(action.reference, raw: action.raw, options)
    // Its declaration may disable an item, whatever the candidates of its action answer.
    explanation.isEnabled = drawn.isEnabled
    explanation.reason = drawn.reason
    return explanation
  }

  /// The context menu for a subject of a kind, built along the chain from a responder, or from the focus.
  public func contextMenu(_ kind: String, subject: Value = .null, from: Responder? = nil) -> MenuElement {
    if let from, !chain.holds(from) {
      report(Diagnostic(.error, "context-menu", chain.misuse(of: from, "no menu can be built from it").message))
      return MenuElement(nothingOf: "root")
    }
    deliverBeforeSnapshot()
    return menuTrees.snapshot(kind, subject, from: from)
  }

  /// A context menu for a row of a section that declares the `kind` of its rows; nil for everything else.
  ///
  /// The subject is the value that the row is made of.
  public func contextMenu(ofRow id: String) -> MenuElement? {
    guard let subject = menuTrees.find(id)?.node.subject else { return nil }
    return contextMenu(subject.kind, subject: subject.value)
  }

  /// What changed since `menus` or `changes` was called last: what to redraw. At first everything is new. The panel counts as an element
  /// `panel` behind the menus, with the rows in it.
  public func changes() -> [MenuChange] {
    let before = drawn ?? MenuElement(nothingOf: "root")
    return MenuChanges(from: before, to: menus()).all
  }

  /// Asks for builders and sections to be asked again; many requests in one turn make one pass.
  public func rebuild() {
    menuTrees.invalidate()
    endTurn()
  }

  /// Asks for every item to be validated again; many requests in one turn make one pass.
  public func revalidate() { endTurn() }

  /// The main menu; listeners are told of what changed before this returns.
  func snapshot() -> MenuElement {
    deliverBeforeSnapshot()
    let isNested = menuTrees.isBusy
    let snapshot = menuTrees.snapshot()
    if !isNested { announcer.announce(snapshot) }
    return snapshot
  }

  /// An element of the last context menu, validated anew.
  func findInContextMenu(_ id: String) -> MenuElement? {
    guard let menu = menuTrees.contextMenu, menu.tree[id] != nil else { return nil }
    return menuTrees.contextSnapshot()?.find(id)
  }

  /// The message that no element has an id, with the nearest id.
  func unknownElement(_ id: String) -> String {
    let near = menuTrees.ids(near: id).first.map { "; did you mean '\($0)'?" } ?? ""
    return "there is no element '\(id)'\(near)"
  }
}
