extension ScriptHost {
  /// Returns the main menu as it is now, validated. The children of the root are the menus.
  ///
  /// It calls builders and sections again only if something may have changed their results since. It validates every
  /// item each time.
  public func menus() -> MenuElement {
    let snapshot = snapshot()
    drawn = snapshot
    return snapshot
  }

  /// Returns the part of the menus and the panel that a view shows, and computes only that. `changes()` doesn't count
  /// from it.
  public func menus(in view: MenuView) -> MenuElement { menus(in: view, seen: nil) }

  /// Returns the part that a view shows. Closed menus stay as they were in the earlier snapshot.
  ///
  /// - Parameter seen: the last snapshot of this host for the same viewer, if nothing has happened since.
  package func menus(in view: MenuView, seen: SeenMenus?) -> MenuElement {
    deliverBeforeSnapshot()
    // Listeners for changes hear of all changes before a snapshot is returned.
    if announcer.isListened, !menuTrees.isBusy { announcer.announce(menuTrees.snapshot()) }
    if !menuTrees.isBusy { menuTrees.panes.look(at: view) }
    let snapshot = menuTrees.snapshot(view, seen: seen)
    return menuTrees.panes.leaveMissing() ? menuTrees.snapshot(view) : snapshot
  }

  /// Returns the whole menu, with the texts of all panes.
  package func menusAndTexts() -> MenuElement {
    if !menuTrees.isBusy { menuTrees.panes.look(at: .everything) }
    return menus()
  }

  /// The number of rows in the panel, with headers and separators, as `rows` of a view counts them.
  public var panelRowCount: Int { menuTrees.snapshotTree().panel?.rowCount ?? 0 }

  /// Returns the number of the panel's row with an id, as `rows` of a view counts them; nil if there is none.
  package func panelRow(of id: String) -> Int? {
    let tree = menuTrees.snapshotTree()
    guard let panel = tree.panel, let node = tree.node(of: id) else { return nil }
    return panel.number(of: node)
  }

  /// Returns the next row of the panel or a pane whose declared title begins with the typed text. Wraps around at the
  /// end.
  package func panelRow(
    beginningWith typed: String, from place: Int, in pane: String? = nil
  ) -> (id: String, place: Int)? {
    let tree = menuTrees.snapshotTree()
    guard let list = pane.map({ tree[$0] }) ?? tree.panel else { return nil }
    var rows = list.listed
    var numbers = Array(rows.indices)
    if let pane = pane.flatMap({ menuTrees.panes[$0] }) {
      // A section that makes its rows by number has made only some of them: search those.
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

  /// Returns a menu as it is now, by its id; nil if there is none.
  public func menu(_ id: String) -> MenuElement? {
    snapshot().find(id).flatMap { $0.kind == .menu ? $0 : nil }
  }

  /// Returns an item of the main menu or the last context menu as it is now, by its id; nil if there is none.
  public func item(_ id: String) -> MenuElement? { element(id).flatMap { $0.kind == .item ? $0 : nil } }

  /// Returns an element as it is now, by its id.
  ///
  /// If one pane alone has a row, the row's own id is enough (P9). A section with `index` makes the row (P12).
  package func element(_ id: String) -> MenuElement? {
    snapshot().find(id) ?? findInContextMenu(id) ?? undrawn(id)
  }

  /// Returns an element that a snapshot doesn't show under this id; nil if nothing has it.
  package func undrawn(_ id: String) -> MenuElement? { undrawn([id])[id] }

  /// Returns the elements that a snapshot doesn't show under these ids. Makes one snapshot for all of them.
  package func undrawn(_ ids: [String]) -> [String: MenuElement] {
    let all = ids.compactMap { id in menuTrees.find(id).map { (id: id, found: $0) } }
    guard !all.isEmpty else { return [:] }
    // A row may have been made only now, or a filter hides it.
    let drawn = snapshot().find(all.map(\.found.node.id))
    let elements = all.compactMap { id, found in
      (drawn[ByteText(found.node.id)] ?? (found.node.element.kind == .item ? menuTrees.validated(found) : nil))
        .map { (id, $0) }
    }
    return Dictionary(elements) { first, _ in first }
  }

  /// Explains why an item can be picked now or can't, and who handles its action; nil if no item or menu has the id.
  public func why(item id: String) -> Explanation? {
    guard let found = menuTrees.find(id) else { return nil }
    guard found.node.element.kind == .item, found.node.element.action != nil else {
      let drawn = (snapshot().find(id) ?? findInContextMenu(id)).flatMap {
        $0.kind == .menu || $0.kind == .item ? $0 : nil
      }
      return drawn.map { Explanation(isEnabled: $0.isEnabled, by: $0.by, reason: $0.reason, steps: [], keys: []) }
    }
    return why(found)
  }

  /// Explains an item by drawing it with a witness, because the item itself may refuse what the responders allow.
  func why(_ found: MenuTrees.Found) -> Explanation? {
    guard let action = found.node.element.action else { return nil }
    dispatcher.tellSecrets(of: action.reference, action.own)
    let witness = Witness()
    let drawn = menuTrees.validated(found, witness: witness)
    let by = witness.isRefusedByItem ? drawn.id : drawn.by
    let conclusion = (isEnabled: drawn.isEnabled, by: by, reason: drawn.reason)
    return dispatcher.explanation(of: action.reference, conclusion, by: witness, on: dispatcher.walk(found.options))
  }

  /// Builds the context menu for a subject of a kind, along the chain from a responder, or from the focus.
  public func contextMenu(_ kind: String, subject: Value = .null, from: Responder? = nil) -> MenuElement {
    contextMenu(kind, subject: subject, from: from, isOfRow: false)
  }

  private func contextMenu(_ kind: String, subject: Value, from: Responder?, isOfRow: Bool) -> MenuElement {
    if let from, !chain.holds(from) {
      report(Diagnostic(.error, "context-menu", chain.misuse(of: from, "no menu can be built from it").message))
      return MenuElement(nothingOf: "root")
    }
    deliverBeforeSnapshot()
    return menuTrees.snapshot(kind, subject, from: from, isOfRow: isOfRow)
  }

  /// Returns a context menu for a row of a section that declares the `kind` of its rows; nil for everything else.
  ///
  /// The subject is the value of the row.
  public func contextMenu(ofRow id: String) -> MenuElement? {
    guard let found = menuTrees.find(id), let subject = found.node.subject else { return nil }
    let isCurrent = menuTrees.panes.pane(of: found.node)?.current.map { $0.id == found.node.id } ?? false
    return contextMenu(subject.kind, subject: subject.value, from: nil, isOfRow: isCurrent)
  }

  /// Returns the changes since the last call of `menus` or `changes`, to redraw. At first everything is new. The panel
  /// counts as an element `panel` after the menus, with its rows inside.
  public func changes() -> [MenuChange] {
    let before = drawn ?? MenuElement(nothingOf: "root")
    return MenuChanges(from: before, to: menus()).all
  }

  /// Makes the host call builders and sections again. Many requests in one turn make one pass.
  public func rebuild() {
    menuTrees.invalidate()
    endTurn()
  }

  /// Makes the host validate every item again. Many requests in one turn make one pass.
  public func revalidate() { endTurn() }

  /// Returns the main menu, after the listeners have received the changes.
  func snapshot() -> MenuElement {
    deliverBeforeSnapshot()
    let isNested = menuTrees.isBusy
    var snapshot = menuTrees.snapshot()
    if !isNested, menuTrees.panes.leaveMissing() { snapshot = menuTrees.snapshot() }
    if !isNested { announcer.announce(snapshot) }
    return snapshot
  }

  /// Returns an element of the last context menu, validated anew.
  func findInContextMenu(_ id: String) -> MenuElement? {
    guard let menu = menuTrees.contextMenu, menu.tree[id] != nil else { return nil }
    return menuTrees.contextSnapshot()?.find(id)
  }

  /// The message that no element has an id, with the nearest id; or that several panes have a row with it.
  func unknownElement(_ id: String) -> String {
    if let several = severalRows(id) { return several }
    let near = menuTrees.ids(near: id).first.map { "; did you mean '\($0)'?" } ?? ""
    return "there is no element '\(id)'\(near)"
  }

  /// The message that several panes have a row with an id; nil if not.
  package func severalRows(_ id: String) -> String? {
    let rows = menuTrees.rowsInPanes(id)
    if rows.count < 2 { return nil }
    return "several panes have a row '\(id)': write \(rows.map { "'\($0.id)'" }.joined(separator: " or "))"
  }
}

extension ScriptHost {
  /// Returns the panel, which a face shows in its body, validated now; nil without a panel. The root's children are the
  /// rows.
  ///
  /// ```swift
  /// try host.load(text: #"panel { item "Pier" { "open(n: 1)", current = "show" } }"#, name: "app.lua")
  /// host.on("show") { command in command.arguments["n"] ?? .null }
  /// print(host.panel()?.children.map(\.title) ?? [])  // ["Pier"]
  /// print(host.choose("Pier").result)  // integer(1)
  /// ```
  public func panel() -> MenuElement? { snapshot().panel }

  /// Makes a row of the panel the current row: performs its or its section's `current`, with its arguments.
  ///
  /// You can choose disabled rows, but not labels and separators. The row becomes current even if its action fails.
  /// If the action of the row chosen before, in the same pane, still waits, it is cancelled.
  ///
  /// - Parameter arguments: override those of the row.
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
      if menuTrees.panes.rows(of: pane).number(of: found.node) == nil {
        return Outcome(.disabled, reason: "the filter '\(pane.filter)' hides '\(id)'")
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
    return became(current: found, in: menuTrees.panes.pane(of: found.node), arguments)
  }

  /// Performs the `current` of a row.
  func became(current found: MenuTrees.Found, in pane: Pane?, _ arguments: Arguments = Arguments()) -> Outcome {
    // A person who moves on is interested in the last row only.
    if let job = pane.map(\.choosing) ?? choosing, job.isWaiting { job.cancel(because: "another row was chosen") }
    guard let chosen = choosing(found) else { return Outcome(.handled) }
    var options = chosen.options
    options.arguments = options.arguments.merging(arguments)
    let outcome = dispatcher.perform(chosen.reference, options)
    outcome.job?.memory.isOfChoice = true
    if let pane { pane.choosing = outcome.job } else { choosing = outcome.job }
    return outcome
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

  /// Marks exactly these rows of a pane. Without a pane it is the pane of the rows, or the focused pane (P10).
  public func mark(_ ids: [String], in pane: String? = nil) throws(Misuse) {
    let (panes, pane) = (menuTrees.panes, try self.pane(pane, of: ids.first))
    guard pane.element.area?.hasMarks == true else {
      throw Misuse(.notNow, "the rows of \(pane.element.described) can't be marked: add 'marks = true' to it")
    }
    guard ids.count <= Pane.mostMarked else {
      throw Misuse(.notNow, "\(Pane.mostMarked) rows can be marked at most")
    }
    panes.mark(try rows(ids, of: pane), in: pane)
  }

  /// Returns the ids of the marked rows of a pane after a change, in order; 10,000 at most if all are marked.
  package func marked(_ ids: [String], _ change: MarkChange, in pane: String?) throws(Misuse) -> [String] {
    let pane = try self.pane(pane, of: ids.first)
    let marked = menuTrees.panes.marked(try rows(ids, of: pane), change, in: pane).map(\.id)
    return change == .all ? Array(marked.prefix(Pane.mostMarked)) : marked
  }

  private func rows(_ ids: [String], of pane: Pane) throws(Misuse) -> [MenuNode] {
    var nodes: [MenuNode] = []
    for id in ids {
      // Another pane may have the same id: prefer the row of this pane.
      let found = ["\(pane.id)/\(id)", id].lazy.compactMap { self.menuTrees.find($0)?.node }
        .first { self.menuTrees.panes.isRow($0, of: pane) }
      guard let found else { throw Misuse(.unknownName, "'\(id)' is no row of \(pane.element.described)") }
      nodes.append(found)
    }
    return nodes
  }

  /// Narrows the rows of a pane to those with these letters in this order. An empty text shows all rows (P10).
  public func filter(_ pane: String, by text: String) throws(Misuse) {
    let pane = try self.pane(pane, of: nil)
    guard pane.element.area?.hasFilter == true else {
      throw Misuse(.notNow, "\(pane.element.described) can't be filtered: add 'filter = true' to it")
    }
    menuTrees.panes.filter(pane, by: text.cut(toBytes: Pane.longestFilter))
  }

  /// Selects lines of a text, counted from 1. The current line is `to`, which may come before `from` (P15).
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

  /// Returns the present lines of a text, counted from 1. Calls the text's function if it hasn't run (P14).
  ///
  /// A function that waits goes on by itself: the next call has its later lines.
  public func lines(of text: String, from: Int = 1, count: Int = .max) throws(Misuse) -> [StyledText] {
    let text = try self.text(text)
    _ = text.lookNow()
    return Array(text.lines.dropFirst(max(0, from - 1)).prefix(max(0, count)))
  }

  /// Returns the number of the next line of a text that has these letters, from a place on; nil if none has.
  package func line(of text: String, with letters: String, from place: Int, backward: Bool) throws(Misuse) -> Int? {
    try self.text(text).line(with: letters, from: place - 1, isBackward: backward).map { $0 + 1 }
  }

  /// Returns true if a text of the panel has this id.
  package func isText(_ id: String) -> Bool { menuTrees.panes[id]?.text != nil }

  /// Returns the number of lines, the version of the text, and whether its function still runs.
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

  /// Returns the `current` action of a row with its options; nil if there is none.
  func choosing(_ found: MenuTrees.Found) -> (reference: String, options: PerformOptions)? {
    guard let current = found.node.current else { return nil }
    // Only picks and presses ask for a confirmation, not a row that becomes current.
    var options = found.options
    options.sender = found.node.sender
    options.arguments = found.node.element.action?.arguments ?? Arguments()
    return (current.raw, options)
  }
}

extension MenuNode {
  /// True if it is in the panel, whose root has the menus' root as its parent without being among its children.
  fileprivate var isInPanel: Bool {
    var node = self
    while let parent = node.parent, parent.parent != nil { node = parent }
    return node.parent.map { root in !root.children.contains { $0 === node } } ?? false
  }

  /// The action for becoming the current row: its own, else its section's; nil if it can't become current.
  var current: ItemAction? { currentHolder?.ownCurrent }

  /// The node that declares the `current` action for this row: itself or a section around it.
  var currentHolder: MenuNode? {
    guard [.item, .menu].contains(element.kind) else { return nil }
    var node: MenuNode? = self
    while let known = node, known.ownCurrent == nil { node = known.parent }
    return node
  }

  /// The `current` that this node itself declares.
  var ownCurrent: ItemAction? { element.current ?? element.section?.current }
}

/// Notifies listeners of `menu` and `validation` events, before a snapshot is returned, or at the end of a turn.
///
/// A *turn* is one call from outside. It ends with a single validation pass, or with none if nobody listens.
final class MenuAnnouncer {
  private unowned let host: ScriptHost
  /// The last snapshot that listeners know; nil at first, and if nobody listens.
  private var announced: MenuElement?
  private var isTelling = false
  /// True if something happened while the listeners ran.
  private var isOutdated = false

  /// The most rounds of a turn if listeners themselves change the menus. After that, changes wait for the next turn.
  private static let rounds = 8

  init(_ host: ScriptHost) { self.host = host }

  /// True if somebody listens.
  var isListened: Bool { host.isListened(.menu) || host.isListened(.validation) }

  /// Notifies listeners of the differences to the last snapshot. The first snapshot is no change.
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

  /// Ends a turn: validates the menus and notifies listeners, again if a listener changed something.
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
        .warning, "restless-menus", "listeners of 'menu' change the menus again at every call"))
  }
}

extension ScriptHost {
  /// Ends the turn at the end of a call from outside, unless the call is nested in another.
  func endTurn() {
    guard menuTrees.isWatched, dispatcher.depth == 0, !isLoading, !menuTrees.isBusy else { return }
    announcer.endTurn()
  }

  /// Watches ended actions and moves of the focus only while somebody listens for menus.
  func watchMenus() {
    menuTrees.isWatched = announcer.isListened
    dispatcher.moves.onSettled = menuTrees.isWatched ? { [unowned self] in endTurn() } : nil
  }
}

/// The argument of a native handler: the request, the context, and ways to reply.
public struct Command {
  /// The context of the action.
  public let context: Context
  /// The responder that has the handler.
  public let responder: Responder

  /// The action's name in the responder that handles it.
  public var action: String { context.request?.action ?? "" }
  /// The arguments of the reference and of the options together.
  public var arguments: Arguments { context.request?.arguments ?? Arguments() }
  /// The sender: an item, a responder, else the app.
  public var sender: Sender { context.request?.sender ?? .app }

  /// Returns a refusal with a reason, for the handler to throw. The outcome is `disabled`.
  public func refuse(_ reason: String) -> Refusal { Refusal(reason: reason) }
}

/// Thrown by a native handler that can't do the action after all.
public struct Refusal: Error {
  /// The reason, which becomes the outcome's `reason`.
  public let reason: String
}

/// Thrown or returned by a native handler that leaves the action to the next candidate of the walk.
public struct Pass: Error {
  public init() {}
}

/// The result of a native `can`.
public enum Permission: Sendable {
  case yes
  case no(String)
  case pass
}

extension Permission: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = value ? .yes : .no("not now") }
}
