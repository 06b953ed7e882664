/// An open menu: picking its items performs them, and any other action closes it first.
///
/// It ends when it is closed, in the background, and when an item is picked that doesn't keep it open.
public final class OpenMenu {
  /// The menu as it was when it was opened.
  public let menu: MenuElement
  let session: ModalSession
  private unowned let host: ScriptHost
  /// The context menu that it belongs to; nil for a menu of the main menu.
  private let context: MenuTrees.ContextMenu?

  init(_ menu: MenuElement, context: MenuTrees.ContextMenu?, session: ModalSession, host: ScriptHost) {
    self.menu = menu
    self.context = context
    self.session = session
    self.host = host
  }

  /// Whether it is still open.
  public var isOpen: Bool { session.isOpen }

  /// Closes it without a choice.
  public func close() { session.close() }

  /// Picks an item, which closes the menu unless the item keeps it open. Picking a disabled item changes nothing.
  @discardableResult
  public func pick(
    _ id: String, modifiers: [String] = [], confirmed: Bool? = nil, asked: String? = nil,
    arguments: Arguments? = nil
  ) -> Outcome {
    guard isOpen else { return Self.over(session.title) }
    if let misuse = host.dispatcher.whileAskingMisuse("'\(id)' can't be picked") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    let held: [String]
    do throws(Misuse) { held = try Modifiers.names(of: modifiers) } catch {
      return Outcome(.failed, error: Failure(.misuse, error.message))
    }
    session.isPicking = true
    defer { session.isPicking = false }
    guard let found = find(id)?.holding(held) else {
      return Outcome(.failed, error: Failure(.misuse, "'\(id)' is not in the open menu '\(session.title)'"))
    }
    // The closure runs when the action begins, so the menu stays open after a refused pick, and while a pick asks
    // first.
    let closes = found.node.element.facts.details?.keepsOpen != true
    let answered = Answered(confirmed: confirmed, asked: asked, arguments: arguments)
    return host.pick(found, held, answered) { [session] in if closes { session.close() } }
  }

  /// Returns the outcome of a pick in a closed menu.
  static func over(_ title: String) -> Outcome {
    Outcome(.failed, error: Failure(.misuse, "the menu '\(title)' is not open any more"))
  }

  /// Returns true if an element of the menu has this id.
  func holds(_ id: String) -> Bool { find(id) != nil }

  private func find(_ id: String) -> MenuTrees.Found? {
    let found =
      if let context {
        context.tree[id].map { MenuTrees.Found(node: $0, tree: context.tree, options: context.options) }
      } else {
        host.menuTrees.findInMain(id)
      }
    guard let found else { return nil }
    var node: MenuNode? = found.node
    while let known = node, !known.id.hasSameBytes(as: menu.id) { node = known.parent }
    return node == nil ? nil : found
  }
}

extension ScriptHost {
  /// Opens a menu of the main menu by its id; `root` is the whole main menu.
  public func openMenu(_ id: String) throws(Misuse) -> OpenMenu { try openMenu(id, owner: program, place: nil) }

  func openMenu(_ id: String, owner: Owner, place: Place?) throws(Misuse) -> OpenMenu {
    let snapshot = snapshot()
    if let menu = id == "root" ? snapshot : snapshot.find(id) {
      return try open(menu, nil, owner: owner, place: place)
    }
    if let context = menuTrees.contextMenu, let menu = findInContextMenu(id) {
      return try open(menu, context, owner: owner, place: place)
    }
    throw Misuse(.unknownName, unknownElement(id))
  }

  /// Opens the context menu that was built last.
  public func openContextMenu() throws(Misuse) -> OpenMenu { try openContextMenu(owner: program, place: nil) }

  func openContextMenu(owner: Owner, place: Place?) throws(Misuse) -> OpenMenu {
    guard let context = menuTrees.contextMenu, let menu = menuTrees.contextSnapshot() else {
      throw Misuse(.notNow, "there is no context menu to open: call app:context_menu first")
    }
    return try open(menu, context, owner: owner, place: place)
  }

  func open(
    _ menu: MenuElement, _ context: MenuTrees.ContextMenu?, owner: Owner, place: Place?
  ) throws(Misuse) -> OpenMenu {
    try owner.checkIsThere()
    try checkNotAsking("a menu can't be opened")
    if menu.kind != .menu { throw Misuse(.wrongType, "'\(menu.id)' can't be opened: it is no menu") }
    if !menu.isEnabled, let reason = menu.reason { throw Misuse(.notNow, reason) }
    try chain.checkRoomForSession()
    let session = ModalSession(
      on: nil, title: menu.title.isEmpty ? menu.id : menu.title, isDismissable: true, owner: owner, place: place,
      end: { [life = dispatcher.life] in life.object?.close($0) })
    let open = OpenMenu(menu, context: context, session: session, host: self)
    session.menu = open
    chain.open(session)
    return open
  }

  /// Returns the topmost session's menu if it has an element with this id and no pick is under way.
  func openMenu(holding id: String) -> OpenMenu? {
    guard let menu = chain.sessions.last?.menu as? OpenMenu, !menu.session.isPicking, menu.holds(id) else { return nil }
    return menu
  }
}
