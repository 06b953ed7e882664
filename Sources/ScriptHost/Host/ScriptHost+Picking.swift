extension ScriptHost {
  /// Picks an item of the main menu or the last context menu, as a person does. A disabled item's action is not done.
  ///
  /// ```swift
  /// try host.load(text: #"menubar { menu "File" { item "Delete" { "delete", confirm = "Sure?" } } }"#, name: "app.lua")
  /// host.on("delete") { command in print("deleted") }
  /// let outcome = host.pick("File/Delete")
  /// print(outcome.asks?.confirm ?? "")  // Sure?
  /// print(host.pick("File/Delete", confirmed: true).status)  // deleted, handled
  /// ```
  /// - Parameters:
  ///   - confirmed: the answer to a confirmation. Without it, the outcome is the question.
  ///   - asked: the text of the answered question. If the question has changed by now, the outcome is the new question.
  ///   - about: the rows and lines that the question named. If they have changed by now, the action gets none.
  ///   - arguments: override those of the item. An empty list means that a form was submitted without values.
  @discardableResult
  public func pick(
    _ id: String, modifiers: [String] = [], confirmed: Bool? = nil, asked: String? = nil, about: [String]? = nil,
    arguments: Arguments? = nil
  ) -> Outcome {
    if let misuse = dispatcher.whileAskingMisuse("'\(id)' can't be picked") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    let held: [String]
    do throws(Misuse) { held = try Modifiers.names(of: modifiers) } catch {
      return Outcome(.failed, error: Failure(.misuse, error.message))
    }
    if let menu = openMenu(holding: id) {
      return menu.pick(id, modifiers: held, confirmed: confirmed, asked: asked, about: about, arguments: arguments)
    }
    guard let found = menuTrees.find(id) else {
      return Outcome(.failed, error: Failure(.misuse, unknownElement(id)))
    }
    let answered = Answered(confirmed: confirmed, asked: asked, about: about, arguments: arguments)
    return pick(found.holding(held), held, answered)
  }

  /// Picks an item by performing its action, whose candidates decide whether it can be done. Calls `beginning` when it
  /// begins. Everything else that may disable the item is checked first, except a modal session: the perform itself is
  /// blocked then.
  func pick(
    _ found: MenuTrees.Found, _ modifiers: [String], _ answered: Answered,
    beginning: (() -> Void)? = nil
  ) -> Outcome {
    let element = found.node.element
    if element.kind == .menu, let pane = menuTrees.panes.pane(of: found.node),
      menuTrees.panes.isRow(found.node, of: pane)
    {
      menuTrees.panes.open(found.node, !found.node.isOpen, in: pane)
      return Outcome(.handled)
    }
    guard element.kind == .item else {
      let message = "'\(found.node.id)' is \(element.kind.described), which can't be picked"
      return Outcome(.failed, error: Failure(.misuse, message))
    }
    var drawn: MenuElement?
    // An item's own functions see only answers that fit. The perform reports others.
    if answered.confirmed == false || onPicked != nil || menuTrees.saysMore(found), !hasMisfit(answered, for: found) {
      let item = menuTrees.validated(found, with: answered.arguments)
      onPicked?(item)
      guard item.isEnabled || item.isBlocked else {
        return Outcome(.disabled, by: item.by, reason: item.reason ?? "\(element.described) is disabled")
      }
      drawn = item
    }
    guard let action = element.action else { return Outcome(.disabled, reason: element.reasonWithoutAction) }
    var options = found.picked(modifiers, answered, action)
    if let drawn { options.drawnTitle = drawn.title }
    if let beginning { options.beginning = beginning }
    var outcome = dispatcher.perform(action.raw, options)
    // The outcome equals the look of a disabled item, which has no `via`.
    if outcome.status == .disabled, found.node.isAuto { outcome.via = nil }
    return outcome
  }
}

extension ScriptHost {
  /// Returns what items and rows ask before they do an action, for a perform by the whole name of the action.
  ///
  /// Of rows that are made by number, only the first and those that were made before are known.
  package func itemQuestions(of action: String) -> [ItemQuestion] {
    dispatcher.allowing {
      let tree = menuTrees.snapshotTree()
      var questions: [ItemQuestion] = []
      var handled: [ByteText: Bool] = [:]
      func isHandled(_ reference: Reference) -> Bool {
        if let known = handled[ByteText(reference.id)] { return known }
        let found = self.isHandled(reference, as: action)
        handled[ByteText(reference.id)] = found
        return found
      }
      func add(_ node: MenuNode, isOfMany: Bool) {
        guard let text = node.element.facts.details?.confirm, let does = node.element.action, isHandled(does.reference)
        else { return }
        questions.append(ItemQuestion(text: text, arguments: does.arguments, isOfMany: isOfMany))
      }
      tree.forEach { add($0, isOfMany: false) }
      for case let counted? in tree.sections.map(\.counted) {
        _ = counted[0]
        for row in counted.asked { row.forEach { add($0, isOfMany: true) } }
      }
      return questions
    }
  }

  /// Returns true if a reference is handled under a name, or perhaps is.
  private func isHandled(_ reference: Reference, as name: String) -> Bool {
    let candidates = reference.candidates
    guard candidates.contains(where: { $0.name.hasSameBytes(as: name) }) else { return false }
    if candidates.count == 1 { return true }
    let resolution = Resolution(
      reference, raw: reference.id, on: dispatcher.defaultWalk(), dispatcher: dispatcher, isKept: false)
    return resolution.candidate(0, witness: nil)?.action.hasSameBytes(as: name) ?? true
  }

  /// Returns true if answers don't fit the arguments of an item's action.
  private func hasMisfit(_ answered: Answered, for found: MenuTrees.Found) -> Bool {
    guard let action = found.node.element.action, !answered.arguments.isEmpty else { return false }
    return dispatcher.validate(action.raw, found.picked([], answered, action)).misfit != nil
  }
}

extension MenuTrees.Found {
  /// Returns the options with which a pick performs the item's action. The options of plain picks are cached.
  func picked(
    _ modifiers: [String], _ answered: Answered, _ action: ItemAction
  ) -> PerformOptions {
    let row = row
    let isUsual = answered.isEmpty && modifiers.isEmpty && options.isUsual && options.from == nil && row == nil
    if isUsual, let known = node.picked { return known }
    var answered = answered
    if !action.own.isEmpty { answered.arguments = action.own.merging(answered.arguments) }
    var made = PerformOptions(asking: answered, modifiers: modifiers, by: node.sender, options)
    made.isOfItem = node.isAuto
    if action.reference.isExact { made.isExact = true }
    if let row {
      made.info = options.info.merging(row.values)
      made.row = row
    }
    made.question = node.element.facts.details?.confirm
    if isUsual { node.picked = made }
    return made
  }

  /// Returns the alternate that replaces this item while modifiers are held; the item itself if there is none.
  func holding(_ modifiers: [String]) -> MenuTrees.Found {
    guard !modifiers.isEmpty, !node.alternates.isEmpty else { return self }
    let held = Set(modifiers)
    for (alternate, node) in zip(node.element.alternates, node.alternates) where Set(alternate.modifiers) == held {
      return MenuTrees.Found(node: node, tree: tree, options: options, pane: pane)
    }
    return self
  }
}

extension Modifiers {
  /// Returns the names of modifiers in canonical spelling and order. Throws for an unknown name.
  static func names(of given: [String]) throws(Misuse) -> [String] {
    if given.isEmpty { return [] }
    var held: Modifiers = []
    for name in given {
      guard let modifier = Modifiers(name: name) else { throw Misuse(.unknownName, unknown(name)) }
      held.formUnion(modifier)
    }
    return held.names
  }
}

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
    _ id: String, modifiers: [String] = [], confirmed: Bool? = nil, asked: String? = nil, about: [String]? = nil,
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
    let answered = Answered(confirmed: confirmed, asked: asked, about: about, arguments: arguments)
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
