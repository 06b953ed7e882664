/// The menus of a host: the declarations of each owner, the tree made from them, and the last context menu. Snapshots
/// make the tree when needed, and reuse it until an event may change the results of builders and sections. Every
/// snapshot validates the items again.
final class MenuTrees {
  unowned let dispatcher: Dispatcher
  private let chain: Chain
  private(set) lazy var panes = Panes(self, dispatcher)
  private(set) var declarations: [MenuDeclaration] = []
  /// The elements of the menus and the panel, with additions.
  private var declared = MenuTrees.elements(of: [])
  /// The reported problems of additions without a place, or at another place.
  private var reportedExtensions: Set<String> = []
  private(set) var tree: MenuTree?
  private(set) var contextMenu: ContextMenu?
  /// Whether builders and sections have to be called again.
  private var isStale = true
  /// Counts the rebuilds (M13) for texts, whose functions run again after each.
  private(set) var rebuilds = 0
  /// Whether the functions of texts have to run again after the next rebuild. Their own actions don't count: a function
  /// that performs an action would otherwise run for ever.
  private var isStaleForTexts = true
  /// Whether the declarations changed since the tree was made.
  private var isRedeclared = true
  /// Whether the tree has rows of sections or edits of builders.
  private var isDynamic = false
  /// Whether builders edited the tree.
  private var isEdited = false
  private var shape = -1
  private var focus = -1
  /// Whether a tree is being made or validated. Snapshots taken meanwhile skip validation, and say so in their reasons.
  private(set) var isBusy = false
  /// Whether sections and builders are making new rows.
  private(set) var isFilling = false
  /// Whether somebody listens for changes, and so has to hear at the end of each call from outside.
  var isWatched = false { didSet { expect() } }

  /// A menu built for a subject.
  struct ContextMenu {
    let tree: MenuTree
    let from: Responder?
    let subject: Value
    /// The rows and lines when it was opened for a row; nil for any other subject.
    let about: [String]?

    var options: PerformOptions {
      var options = PerformOptions()
      options.from = from
      options.subject = subject
      options.about = about
      return options
    }
  }

  init(_ dispatcher: Dispatcher) {
    self.dispatcher = dispatcher
    chain = dispatcher.chain
  }

  // MARK: Declarations

  /// Declares an owner's part of the main menu or the panel.
  func declare(
    _ elements: [Element], asPanel isPanel: Bool = false, findsTyped: Bool = true, owner: Owner, place: Place?
  ) throws(Misuse) {
    if let other = declarations.first(where: { $0.owner === owner && $0.isPanel == isPanel && $0.extends == nil }) {
      throw Misuse(.nameTaken, "the \(isPanel ? "panel" : "menubar") is declared already", other: other.place)
    }
    let declaration = MenuDeclaration(
      owner: owner, isPanel: isPanel, findsTyped: findsTyped, place: place, elements: elements)
    try add(declaration)
  }

  private func add(_ declaration: MenuDeclaration) throws(Misuse) {
    try declaration.owner.checkIsThere()
    try check(declarations + [declaration])
    declarations.append(declaration)
    redeclare()
  }

  /// Adds elements to any owner's menu, section or layout, until the adding owner is removed (M15).
  func extend(_ point: ExtensionPoint, with elements: [Element], owner: Owner, place: Place?) throws(Misuse) {
    guard declarations.count(where: { $0.owner === owner && $0.extends != nil }) < ExtensionPoint.mostOfOwner else {
      throw Misuse(.notNow, "one script can extend menus \(ExtensionPoint.mostOfOwner) times at most")
    }
    try add(MenuDeclaration(owner: owner, place: place, elements: elements, extends: point))
  }

  /// Returns the elements of the menus and the panel with additions, and the additions that found no place.
  private static func elements(
    of declarations: [MenuDeclaration]
  ) -> (menus: [Element], panel: [Element]?, extending: Extending) {
    var extending = Extending(declarations)
    let own = declarations.filter { $0.extends == nil }
    let menus = extending.extended(own.filter { !$0.isPanel }.flatMap(\.elements), ofRoot: "root")
    let panels = own.filter(\.isPanel)
    let panel = panels.isEmpty ? nil : extending.extended(panels.flatMap(\.elements), ofRoot: MenuElement.panelID)
    return (menus, panel, extending)
  }

  /// Whether typing unbound letters finds a row of the panel.
  var findsTyped: Bool { declarations.allSatisfy(\.findsTyped) }

  /// Marks the declarations as changed, so that the next use makes a new tree.
  private func redeclare() {
    isRedeclared = true
    declared = Self.elements(of: declarations)
    panes.declare(declared.panel ?? [])
  }

  /// Throws if declarations don't fit together in one tree.
  private func check(_ declarations: [MenuDeclaration]) throws(Misuse) {
    do throws(TreeConflict) {
      let (menus, panel, extending) = Self.elements(of: declarations)
      // Additions without a place may get one later, and must fit there too.
      try MenuTree.check(menus + extending.waiting.flatMap(\.elements).filter { $0.firstArea == nil }, panel: panel)
    } catch {
      throw Misuse(.nameTaken, error.message, place: error.place, other: error.other)
    }
  }

  /// Replaces all declarations with others, which must fit together.
  func setDeclarations(_ declarations: [MenuDeclaration]) {
    self.declarations = declarations
    redeclare()
  }

  /// Inserts declarations at a position, or at the end.
  func insert(_ added: [MenuDeclaration], at position: Int?) {
    declarations.insert(contentsOf: added, at: min(position ?? declarations.count, declarations.count))
    redeclare()
  }

  /// Throws if declarations can't replace an owner's, because another owner now has one of their ids.
  func checkRoom(for added: [MenuDeclaration], insteadOf owner: Owner) throws(Misuse) {
    if added.isEmpty { return }
    try check(declarations.filter { $0.owner !== owner } + added)
  }

  func removeAll(of owner: Owner) {
    contextMenu = nil
    guard declarations.contains(where: { $0.owner === owner }) else { return }
    declarations.removeAll { $0.owner === owner }
    redeclare()
  }

  // MARK: When it is made

  /// Marks the tree as stale, because builders and sections may return something else now.
  ///
  /// - Parameter forTexts: whether the functions of texts run again too.
  func invalidate(forTexts: Bool = true) {
    isStale = true
    if forTexts, !dispatcher.isWithinAside { isStaleForTexts = true }
  }

  /// Marks the tree as stale because an action, perhaps a nested one, ended.
  func actionEnded() {
    invalidate()
    expect()
  }

  private func expect() {
    dispatcher.isAwaited = isWatched || (isDynamic || panes.hasTexts) && !(isStale && isStaleForTexts)
  }

  private var needsMaking: Bool { isRedeclared || isStale || shape != chain.shape || focus != chain.focusCount }

  /// Returns the current tree, remade if stale. If builders and sections were called, also returns their context.
  private func currentTree() -> (tree: MenuTree, context: Context?) {
    if let tree, !needsMaking { return (tree, nil) }
    defer { expect() }
    if isStaleForTexts || isRedeclared || shape != chain.shape { rebuilds += 1 }
    isStaleForTexts = false
    shape = chain.shape
    focus = chain.focusCount
    isStale = false
    let (elements, panel) = (declared.menus, declared.panel)
    let builders = builders("main", dispatcher.defaultWalk())
    let panelBuilders = panel == nil ? [] : self.builders("panel", dispatcher.defaultWalk())
    if let tree, !isRedeclared, !isDynamic, builders.isEmpty, panelBuilders.isEmpty { return (tree, nil) }
    let isEditedNow = !builders.isEmpty || !panelBuilders.isEmpty
    // A tree without builders' edits depends only on declarations and sections.
    let presentTree = isRedeclared || isEdited || isEditedNow ? nil : tree
    let isDeclaredAnew = isRedeclared
    isRedeclared = false
    isEdited = isEditedNow
    isDynamic = isEdited || (elements + (panel ?? [])).contains(where: \.hasSections)
    let made: MenuTree
    var context: Context?
    if isDynamic {
      (made, context) = fill(
        { declaredTree(elements, panel) }, builders, "main", PerformOptions(), old: tree, presentTree, panelBuilders)
    } else {
      made = declaredTree(elements, panel)
      report(declared.extending.waiting, in: made)
    }
    if let tree, tree !== made, tree.hasStates { made.keepStates(of: tree, ofSameElements: isDeclaredAnew) }
    tree = made
    return (made, context)
  }

  /// Makes a tree of the declared elements, which were checked at declaration.
  private func declaredTree(_ elements: [Element], _ panel: [Element]?) -> MenuTree {
    let made = MenuTree(elements, panel: panel)
    do throws(TreeConflict) {
      try made.register(made.root.children + (made.panel?.children ?? []))
      return made
    } catch {
      dispatcher.report(Diagnostic(.error, "menus", error.description, place: error.place))
      return MenuTree([])
    }
  }

  /// Makes a tree with the rows of sections and the edits of builders. Keeps `presentTree` if the sections return the
  /// same.
  private func fill(
    _ declared: () -> MenuTree, _ builders: [(responder: Responder, handler: Handler)], _ kind: String,
    _ options: PerformOptions, old: MenuTree?, _ presentTree: MenuTree?,
    _ panelBuilders: [(responder: Responder, handler: Handler)] = []
  ) -> (MenuTree, Context) {
    isFilling = true
    defer { isFilling = false }
    let context = dispatcher.context(of: dispatcher.walk(options), witness: nil)
    if !options.subject.isNull {
      context.begin(Request(raw: "", action: "", prefix: "", arguments: Arguments(), subject: options.subject))
    }
    let answers = presentTree?.askSections(by: dispatcher, in: context)
    if let presentTree, let answers, presentTree.holds(answers) {
      presentTree.renewCounted(with: answers, in: context)
      return (presentTree, context)
    }
    let tree = declared()
    let editor = TreeEditor(tree, replacing: old, in: context, asking: dispatcher)
    editor.fillSections(answers)
    editor.askBuilders(builders, kind, options.subject)
    tree.isEditingPanel = true
    editor.askBuilders(panelBuilders, "panel", .null)
    tree.isEditingPanel = false
    if kind == "main" { report(editor.extend(with: self.declared.extending.waiting), in: tree) }
    editor.close()
    for diagnostic in editor.report.diagnostics { dispatcher.report(diagnostic) }
    return (tree, context)
  }

  /// Warns once for each addition that has no place, or is at another place.
  private func report(_ homeless: [MenuDeclaration], in tree: MenuTree) {
    var said: Set<String> = []
    func say(_ message: String, _ declaration: MenuDeclaration) {
      let diagnostic = Diagnostic(.warning, "extend", message, place: declaration.place)
      let key = "\(declaration.place?.description ?? "") \(message)"
      if said.insert(key).inserted, !reportedExtensions.contains(key) { dispatcher.report(diagnostic) }
    }
    for (declaration, message) in declared.extending.misplaced { say(message, declaration) }
    for declaration in homeless {
      guard let id = declaration.extends?.id else { continue }
      let near = tree.ids(near: id).first.map { "; did you mean '\($0)'?" } ?? ""
      let why = tree[id] == nil ? "there is no element '\(id)'\(near)" : "nothing can be added to it"
      say("the elements added to '\(id)' are not shown: \(why)", declaration)
    }
    reportedExtensions = said
  }

  private func builders(_ kind: String, _ walk: Walk) -> [(responder: Responder, handler: Handler)] {
    guard let name = dispatcher.names.name(of: kind) else { return [] }
    return walk.nodes.flatMap { node in node.builders(name).map { (node, $0) } }
  }

  // MARK: Snapshots

  /// Returns the visible part of the main menu and the panel.
  ///
  /// - Parameter seen: the previous snapshot, if nothing has happened since.
  func snapshot(_ view: MenuView = .everything, seen: SeenMenus? = nil) -> MenuElement {
    if isBusy { return untold(tree, view) }
    return busy {
      let isSame = tree != nil && !needsMaking && seen?.tellsAsMuch(as: view) ?? false
      let (tree, context) = currentTree()
      // The sections ran before these rows existed, so the panes supply other values now.
      return validated(tree, PerformOptions(), panes.all.isEmpty ? context : nil, view, isSame ? seen : nil)
    }
  }

  /// Returns a context menu for a subject, built along the chain.
  ///
  /// - Parameter isOfRow: whether the subject is the current row.
  func snapshot(_ kind: String, _ subject: Value, from: Responder?, isOfRow: Bool) -> MenuElement {
    if isBusy { return untold(nil, .everything) }
    // A row's menu depends on the existing rows.
    if !panes.all.isEmpty { _ = snapshotTree() }
    return busy {
      let made = ContextMenu(
        tree: MenuTree([]), from: from, subject: subject,
        about: isOfRow ? panes.all.map { panes.choice(of: $0) } : nil)
      let builders = builders(kind, dispatcher.walk(made.options))
      let (_, context) = fill({ made.tree }, builders, kind, made.options, old: nil, nil)
      contextMenu = made
      return validated(made.tree, made.options, context)
    }
  }

  /// Returns the last context menu, validated again; nil if there is none, or while a menu is being made or validated.
  func contextSnapshot() -> MenuElement? {
    guard !isBusy, let menu = contextMenu else { return nil }
    return busy { validated(menu.tree, menu.options, nil) }
  }

  private func busy(_ body: () -> MenuElement) -> MenuElement {
    isBusy = true
    dispatcher.engine?.beginAllowance()
    defer {
      isBusy = false
      dispatcher.endAllowance()
    }
    return body()
  }

  private func validated(
    _ tree: MenuTree, _ options: PerformOptions, _ context: Context?, _ view: MenuView = .everything,
    _ seen: SeenMenus? = nil
  ) -> MenuElement {
    let pass = ValidationPass(dispatcher, options, context: context)
    _ = pass.context
    var treePass = TreePass(
      tree, pass, dispatcher, subject: options.subject, panes: panes, view: view, seen: seen, showingKeys: true)
    return treePass.snapshot()
  }

  /// Returns a snapshot without validation, for a caller during the making of a newer one.
  private func untold(_ tree: MenuTree?, _ view: MenuView) -> MenuElement {
    guard let tree else { return MenuElement(nothingOf: "root") }
    var treePass = TreePass(tree, nil, dispatcher, subject: .null, panes: panes, view: view)
    return treePass.snapshot()
  }

  // MARK: Items

  /// An item that can be picked, with the options for performing its action.
  struct Found {
    let node: MenuNode
    let tree: MenuTree
    let options: PerformOptions
    /// The pane that it is a row of.
    var pane: Pane?

    /// The values of the row; nil outside of panes.
    var row: RowValues? { node.rowValues(in: pane) }

    /// The options for validating it.
    var asked: PerformOptions {
      var asked = options
      asked.row = row
      return asked
    }
  }

  /// Finds an element in the main menu, or else in the last context menu. Remakes a stale tree only if both lack the
  /// id.
  func find(_ id: String) -> Found? {
    if !isBusy, tree == nil || isRedeclared { _ = snapshotTree() }
    if let node = tree?.node(of: id) ?? rowInPane(id) { return found(node) }
    if let menu = contextMenu, let node = menu.tree[id] {
      return Found(node: node, tree: menu.tree, options: menu.options)
    }
    guard !isBusy, needsMaking, let node = snapshotTree().node(of: id) ?? rowInPane(id) else { return nil }
    return found(node)
  }

  /// Returns the pane row with an id, if exactly one pane has it (P9).
  private func rowInPane(_ id: String) -> MenuNode? {
    let rows = rowsInPanes(id)
    return rows.count == 1 ? rows[0] : nil
  }

  /// The rows that have an id in one pane each.
  func rowsInPanes(_ id: String) -> [MenuNode] { panes.all.compactMap { tree?.node(of: "\($0.id)/\(id)") } }

  /// Returns the element with an id in the main menu only.
  func findInMain(_ id: String) -> Found? {
    _ = snapshotTree()
    return tree?.node(of: id).flatMap(found)
  }

  private func found(_ node: MenuNode) -> Found? {
    let pane = panes.pane(of: node)
    let options = pane.flatMap { panes.options(in: $0) } ?? PerformOptions()
    return tree.map { Found(node: node, tree: $0, options: options, pane: pane) }
  }

  /// Returns the current tree, remade if stale.
  func snapshotTree() -> MenuTree {
    if isBusy { return tree ?? MenuTree([]) }
    if let tree, !needsMaking { return tree }
    var made = MenuTree([])
    _ = busy {
      made = currentTree().tree
      return MenuElement(nothingOf: "root")
    }
    return made
  }

  /// Returns the ids nearest to an unknown one.
  func ids(near id: String) -> [String] {
    let known = (tree?.all ?? []) + (contextMenu?.tree.all ?? [])
    // Nobody means a separator, whose path ends in nothing.
    return nearest(toID: id, among: known.filter { $0.element.kind != .separator }.map(\.id))
  }

  /// Returns true if anything besides its action's handler may disable an item.
  func saysMore(_ found: Found) -> Bool {
    let element = found.node.element
    return element.disabled != nil || element.look != nil || element.action == nil || found.node.whyOld != nil
      || isBusy || dispatcher.state.isModal
  }

  /// Returns an item as drawn now.
  ///
  /// - Parameters:
  ///   - answers: the arguments that a person has given for it.
  ///   - witness: records how it comes to that.
  func validated(_ found: Found, with answers: Arguments? = nil, witness: Witness? = nil) -> MenuElement {
    dispatcher.allowing {
      var treePass = TreePass(
        found.tree, isBusy ? nil : ValidationPass(dispatcher, found.asked, witness: witness), dispatcher,
        subject: found.options.subject, panes: panes, answers: answers ?? Arguments())
      var item = treePass.item(found.node, auto: found.node.isAuto)
      if let reason = found.node.whyOld { item.disable(because: reason) }
      return item
    }
  }
}

extension Element {
  /// Whether it is or contains a section.
  fileprivate var hasSections: Bool { section != nil || menu?.children.contains(where: \.hasSections) ?? false }
}

extension MenuNode {
  /// Whether validation decides if the items of the menu around it are enabled (`auto`).
  var isAuto: Bool {
    var node = parent
    while let known = node {
      if let menu = known.element.menu { return menu.auto }
      node = known.parent
    }
    return true
  }
}

// The keys that pick items, as drawn and as declared.

extension MenuTrees {
  /// The keys of the current main menu.
  var keys: MenuKeys { snapshotTree().keys }

  /// Visits the declared items with keys, in the order of the menus, with their owners.
  func forEachDeclaredKeys(_ visit: (KeySequence, Element, Owner) -> Void) {
    for declaration in declarations {
      for element in declaration.elements { element.forEachKeysWithin { visit($0, $1, declaration.owner) } }
    }
  }
}

extension Element {
  fileprivate func forEachKeysWithin(_ visit: (KeySequence, Element) -> Void) {
    forEachKeys(visit)
    for child in menu?.children ?? [] { child.forEachKeysWithin(visit) }
  }
}
