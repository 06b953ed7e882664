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
  public func menus(in view: MenuView) -> MenuElement { menus(in: view, seen: nil) }

  /// What is in view. Of what was seen before, closed menus stay as they were.
  ///
  /// - Parameter seen: the last snapshot of this host for the same viewer, if nothing has happened since.
  package func menus(in view: MenuView, seen: SeenMenus?) -> MenuElement {
    deliverBeforeSnapshot()
    // Whoever listens for changes hears of all of them before a snapshot is returned.
    if announcer.isListened, !menuTrees.isBusy { announcer.announce(menuTrees.snapshot()) }
    if !menuTrees.isBusy { menuTrees.panes.look(at: view) }
    let snapshot = menuTrees.snapshot(view, seen: seen)
    return menuTrees.panes.leaveHidden() ? menuTrees.snapshot(view) : snapshot
  }

  /// The whole menu, for somebody who sees all texts too.
  package func menusAndTexts() -> MenuElement {
    if !menuTrees.isBusy { menuTrees.panes.look(at: .everything) }
    return menus()
  }

  /// The number of rows in the panel, headers and separators included: what `rows` of a view counts.
  public var panelRowCount: Int { menuTrees.snapshotTree().panel?.rowCount ?? 0 }

  /// The number of the panel's row that has an id, counted as `rows` of a view does; nil if there is none.
  package func panelRow(of id: String) -> Int? {
    let tree = menuTrees.snapshotTree()
    guard let panel = tree.panel, let node = tree.node(of: id) else { return nil }
    return panel.number(of: node)
  }

  /// The first row of the panel, or of one pane, from a place on and then from the start, whose declared title begins with what was typed.
  package func panelRow(
    beginningWith typed: String, from place: Int, in pane: String? = nil
  ) -> (id: String, place: Int)? {
    let tree = menuTrees.snapshotTree()
    guard let list = pane.map({ tree[$0] }) ?? tree.panel else { return nil }
    var rows = list.listed
    var numbers = Array(rows.indices)
    if let pane = pane.flatMap({ menuTrees.panes[$0] }) {
      // Of rows that are asked for by number, those are looked through that were asked for.
      let listed = menuTrees.panes.rows(of: pane)
      if listed.isFiltered || listed.isCounted {
        let made = (0..<listed.count).filter(listed.isMade)
        rows = made.map { listed[$0] }
        numbers = listed.isFiltered ? made : rows.map { $0.flatMap(list.number) ?? 0 }
      }
    }
    let titles = rows.map { row in row.map { $0.canBePicked ? $0.element.title : "" } ?? "" }
    let from = numbers.firstIndex { $0 >= place } ?? 0
    return titles.first(beginningWith: typed, from: from).flatMap { found in rows[found].map { ($0.id, numbers[found]) }
    }
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
    var snapshot = menuTrees.snapshot()
    if !isNested, menuTrees.panes.leaveHidden() { snapshot = menuTrees.snapshot() }
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

extension ScriptHost {
  /// The panel, which is shown in the body of a face, validated now: a root whose children are the rows. Nil if none is declared.
  ///
  /// ```swift
  /// try host.load(text: #"panel { item "Pier" { "open(n: 1)", current = "show" } }"#, name: "app.lua")
  /// host.on("show") { command in command.arguments["n"] ?? .null }
  /// print(host.panel()?.children.map(\.title) ?? [])  // ["Pier"]
  /// print(host.choose("Pier").result)  // integer(1)
  /// ```
  public func panel() -> MenuElement? { snapshot().panel }

  /// Makes a row of the panel the current one: performs the `current` of the row, or of its section, with the row's arguments.
  ///
  /// Disabled rows may be chosen; labels and separators may not. The row stays the current one whatever comes of its `current`; faces go there.
  ///
  /// - Parameter arguments: put over those of the row.
  @discardableResult
  public func choose(_ id: String, arguments: Arguments = Arguments()) -> Outcome {
    if let misuse = dispatcher.whileAskingMisuse("'\(id)' can't be chosen") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    if let pane = menuTrees.panes[id] { return focus(pane) }
    guard let found = menuTrees.find(id), found.node.isInPanel else {
      let message = menuTrees.find(id) == nil ? unknownElement(id) : "'\(id)' is no row of the panel"
      return Outcome(.failed, error: Failure(.misuse, message))
    }
    guard [.item, .menu].contains(found.node.element.kind) else {
      return Outcome(
        .failed, error: Failure(.misuse, "'\(id)' is \(found.node.element.kind.described), which can't be chosen"))
    }
    if let pane = menuTrees.panes.pane(of: found.node) {
      guard menuTrees.panes.isRow(found.node, of: pane) else {
        return Outcome(.failed, error: Failure(.misuse, "'\(id)' is no row of \(pane.element.described)"))
      }
      do {
        if let refusal = try menuTrees.panes.focus(pane) { return Outcome(.disabled, reason: refusal) }
      } catch {
        return Outcome(.failed, error: Failure(.misuse, error.message))
      }
      menuTrees.panes.choose(found.node, in: pane)
    }
    currentRow = found.node.id
    defer { onChosen?(found.node.id) }
    guard let chosen = choosing(found) else { return Outcome(.handled) }
    var options = chosen.options
    options.arguments = options.arguments.merging(arguments)
    return dispatcher.perform(chosen.reference, options)
  }

  /// Gives the focus to a pane, as a click on its title does.
  func focus(_ pane: Pane) -> Outcome {
    do {
      if let refusal = try menuTrees.panes.focus(pane) { return Outcome(.disabled, reason: refusal) }
      return Outcome(.handled)
    } catch {
      return Outcome(.failed, error: Failure(.misuse, error.message))
    }
  }

  /// Marks exactly these rows of a pane, of the one that has the focus where no pane is named and no row says it (P10).
  public func mark(_ ids: [String], in pane: String? = nil) throws(Misuse) {
    let (panes, pane) = (menuTrees.panes, try self.pane(pane, of: ids.first))
    guard pane.element.area?.hasMarks == true else {
      throw Misuse(.notNow, "the rows of \(pane.element.described) can't be marked: it has no 'marks = true'")
    }
    guard ids.count <= Pane.mostMarked else {
      throw Misuse(.notNow, "\(Pane.mostMarked) rows can be marked at most")
    }
    panes.mark(try rows(ids, of: pane), in: pane)
  }

  /// The ids of the rows of a pane that are marked after a change, in order; 10,000 where all are.
  package func marked(_ ids: [String], _ change: MarkChange, in pane: String?) throws(Misuse) -> [String] {
    let pane = try self.pane(pane, of: ids.first)
    let marked = menuTrees.panes.marked(try rows(ids, of: pane), change, in: pane).map(\.id)
    return change == .all ? Array(marked.prefix(Pane.mostMarked)) : marked
  }

  private func rows(_ ids: [String], of pane: Pane) throws(Misuse) -> [MenuNode] {
    var nodes: [MenuNode] = []
    for id in ids {
      // An id that other panes have too is this pane's here.
      let found = ["\(pane.id)/\(id)", id].lazy.compactMap { self.menuTrees.find($0)?.node }
        .first { self.menuTrees.panes.isRow($0, of: pane) }
      guard let found else { throw Misuse(.unknownName, "'\(id)' is no row of \(pane.element.described)") }
      nodes.append(found)
    }
    return nodes
  }

  /// Narrows the rows of a pane to those that have these letters in this order; an empty text shows all rows (P10).
  public func filter(_ pane: String, by text: String) throws(Misuse) {
    let pane = try self.pane(pane, of: nil)
    guard pane.element.area?.hasFilter == true else {
      throw Misuse(.notNow, "\(pane.element.described) can't be filtered: it has no 'filter = true'")
    }
    menuTrees.panes.filter(pane, by: text.cut(toBytes: Pane.longestFilter))
  }

  /// Selects lines of a text, counted from 1; the current one is `to`, which may stand before `from` (P15).
  public func select(_ text: String, from: Int, to: Int) throws(Misuse) {
    let text = try self.text(text)
    guard !text.lines.isEmpty else { throw Misuse(.notNow, "the text has no lines") }
    let all = 1...text.lines.count
    guard all.contains(from), all.contains(to) else {
      throw Misuse(.unknownName, "the text has the lines 1 to \(all.upperBound)")
    }
    let lines = min(from, to) - 1...max(from, to) - 1
    guard lines.count <= MenuElement.Text.mostSelected else {
      throw Misuse(.notNow, "\(MenuElement.Text.mostSelected) lines can be selected at most")
    }
    menuTrees.panes.select(lines, isUpward: to < from, in: text)
  }

  /// The lines of a text as they are now, counted from 1; its function is asked where it has not been (P14).
  ///
  /// A function that waits goes on by itself: lines that come later are there the next time.
  public func lines(of text: String, from: Int = 1, count: Int = .max) throws(Misuse) -> [StyledText] {
    let text = try self.text(text)
    _ = text.lookNow()
    return Array(text.lines.dropFirst(max(0, from - 1)).prefix(max(0, count)))
  }

  /// The number of the next line of a text that has these letters, from a place on; nil if none has.
  package func line(of text: String, with letters: String, from place: Int, backward: Bool) throws(Misuse) -> Int? {
    try self.text(text).line(with: letters, from: place - 1, isBackward: backward).map { $0 + 1 }
  }

  /// Whether a text of the panel has this id.
  package func isText(_ id: String) -> Bool { menuTrees.panes[id]?.text != nil }

  /// How many lines a text has, the version of what is told of it, and whether its function still runs.
  package func size(of text: String) throws(Misuse) -> (lines: Int, version: Int, isRunning: Bool) {
    let text = try self.text(text)
    return (text.lines.count, text.version, text.isRunning)
  }

  func text(_ id: String) throws(Misuse) -> PaneText {
    let pane = try self.pane(id, of: nil)
    if let text = pane.text { return text }
    throw Misuse(.notNow, "\(pane.element.described) is no text: it has no lines")
  }

  private func pane(_ id: String?, of row: String?) throws(Misuse) -> Pane {
    let panes = menuTrees.panes
    if let id {
      if let pane = panes[id] { return pane }
      throw Misuse(.unknownName, unknownElement(id))
    }
    let found = row.flatMap { menuTrees.find($0) }.flatMap { panes.pane(of: $0.node) }
    if let pane = found ?? panes.focused { return pane }
    throw Misuse(.notNow, "the panel has no panes")
  }

  /// What is performed when a row becomes the current one; nil if nothing is.
  func choosing(_ found: MenuTrees.Found) -> (reference: String, options: PerformOptions)? {
    guard let current = found.node.current else { return nil }
    // A row becomes the current one without confirmation; only picks and presses ask for one.
    var options = found.options
    options.sender = found.node.sender
    options.arguments = found.node.element.action?.arguments ?? Arguments()
    return (current.raw, options)
  }
}

extension MenuNode {
  /// Whether it stands in the panel, whose root has the menus' root as its parent without being among its children.
  fileprivate var isInPanel: Bool {
    var node = self
    while let parent = node.parent, parent.parent != nil { node = parent }
    return node.parent.map { root in !root.children.contains { $0 === node } } ?? false
  }

  /// The action performed when it becomes the current row: its own, else its section's; nil if it can't become that.
  var current: ItemAction? { currentHolder?.ownCurrent }

  /// The node that declares the action for when this becomes the current row: itself or a section around it.
  var currentHolder: MenuNode? {
    guard [.item, .menu].contains(element.kind) else { return nil }
    var node: MenuNode? = self
    while let known = node, known.ownCurrent == nil { node = known.parent }
    return node
  }

  /// The `current` that this node itself declares.
  var ownCurrent: ItemAction? { element.current ?? element.section?.current }
}

/// Tells listeners of `menu` and `validation` what changed: before a snapshot is returned, or at the end of a turn.
///
/// A *turn* is one call from outside. However much happens in it, it ends with one validation pass, or with none if nobody listens.
final class MenuAnnouncer {
  private unowned let host: ScriptHost
  /// The snapshot up to which listeners were told; nil at first, and if nobody listens.
  private var announced: MenuElement?
  private var isTelling = false
  /// Whether something happened while listeners were being told.
  private var isOutdated = false

  /// How many rounds one turn may take if listeners themselves change the menus; after that, changes wait for the next turn.
  private static let rounds = 8

  init(_ host: ScriptHost) { self.host = host }

  /// Whether somebody listens.
  var isListened: Bool { host.isListened(.menu) || host.isListened(.validation) }

  /// Tells listeners how a snapshot differs from the one before. The first snapshot is no change.
  func announce(_ snapshot: MenuElement) {
    guard !isTelling else { return isOutdated = true }
    guard isListened else { return announced = nil }
    guard let before = announced else { return announced = snapshot }
    announced = snapshot
    let changes = MenuChanges(from: before, to: snapshot)
    guard !changes.isEmpty else { return }
    isTelling = true
    defer { isTelling = false }
    if !changes.declared.isEmpty { host.tell(.menu(changes.declared)) }
    if !changes.validated.isEmpty { host.tell(.validation(changes.validated)) }
  }

  /// Ends a turn: validates the menus and tells listeners, again if a listener changed something.
  func endTurn() {
    guard isListened else { return }
    guard !isTelling else { return isOutdated = true }
    for _ in 0..<Self.rounds {
      isOutdated = false
      announce(host.menuTrees.snapshot())
      if !isOutdated { return }
    }
    host.report(
      Diagnostic(
        .warning, "restless-menus", "those who listen for menus change them again each time that they are told"))
  }
}

extension ScriptHost {
  /// Ends the turn at the end of a call from outside, unless that is nested in another.
  func endTurn() {
    guard menuTrees.isWatched, dispatcher.depth.value == 0, !isLoading, !menuTrees.isBusy else { return }
    announcer.endTurn()
  }

  /// Turns notices of ended actions and moves of the focus on or off, as menus are listened for or not.
  func watchMenus() {
    menuTrees.isWatched = announcer.isListened
    dispatcher.moves.onSettled = menuTrees.isWatched ? { [unowned self] in endTurn() } : nil
  }
}

/// The argument of a native handler: what was asked, the context, and ways to answer.
public struct Command {
  /// What the handler knows.
  public let context: Context
  /// Whose handler this is.
  public let responder: Responder

  /// The name of the action, as the responder that takes it calls it.
  public var action: String { context.request?.action ?? "" }
  /// The arguments of the reference and of the options together.
  public var arguments: Arguments { context.request?.arguments ?? Arguments() }
  /// Who asked: an item, a responder, else the app.
  public var sender: Sender { context.request?.sender ?? .app }

  /// A refusal with a reason, for the handler to throw: the outcome is `disabled`.
  public func refuse(_ reason: String) -> Refusal { Refusal(reason: reason) }
}

/// Thrown by a native handler that can't do the action after all.
public struct Refusal: Error {
  /// Why it can't be done; the outcome's `reason`.
  public let reason: String
}

/// Thrown or answered by a native handler that leaves the action to the next candidate of the walk.
public struct Pass: Error {
  public init() {}
}

/// What a native `can` answers.
public enum Permission: Sendable {
  case yes
  case no(String)
  case pass
}

extension Permission: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = value ? .yes : .no("not now") }
}
