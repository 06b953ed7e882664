/// The panes of an app's panel: which one has the focus, and the current row, marks and filter of each.
///
/// They belong to the app, as the focus does, so that all faces and clients see the same (P7, P9, P10).
final class Panes {
  private unowned let trees: MenuTrees
  private let dispatcher: Dispatcher
  private(set) var all: [Pane] = []
  /// Recently removed panes, because a reload declares them again.
  private var gone: [Pane] = []
  private var focus = PaneFocus()
  /// The ids of the panes in the order in which they had the focus last.
  private var visited: [String] = []
  /// Called when a current row, the marks, a filter, a text or the focused pane changes.
  var onChange: (() -> Void)?
  /// Called with a visible row that became current without a choice, and its pane.
  var onCurrent: ((MenuNode, Pane) -> Void)?
  private lazy var nextCurrent = Later(dispatcher) { [weak self] in self?.tellCurrent() }
  /// When that was called last.
  private var toldAt = Int64.min
  /// The least time between two calls.
  private static let pause: Int64 = 10_000_000

  init(_ trees: MenuTrees, _ dispatcher: Dispatcher) {
    self.trees = trees
    self.dispatcher = dispatcher
  }

  private var chain: Chain { dispatcher.chain }

  /// Sets the panes of declarations. A pane with a known id keeps its state.
  func declare(_ elements: [Element]) {
    var found: [Element] = []
    for element in elements { element.forEachPane { found.append($0) } }
    if all.isEmpty, found.isEmpty { return }
    let before = all
    if let place = before.firstIndex(where: focus.isAt) { focus.place = place }
    all = found.map { element in
      let known = (before + gone).first { $0.id.hasSameBytes(as: element.id ?? "") }
      let pane = Pane(element, from: known)
      pane.text = element.area?.text.map { PaneText($0, of: pane, in: self, from: known?.text) }
      return pane
    }
    for pane in before { pane.text?.stop() }
    gone = Array((before + gone).filter { pane in self[pane.id] == nil }.prefix(AreaPart.most))
    for pane in gone { pane.forgetRows() }
    for pane in before { pane.element.area?.responder?.supplier = nil }
    for pane in all {
      pane.element.area?.responder?.supplier = PaneSupplier(of: pane, in: self, owner: dispatcher.hostResponder.owner)
    }
    chain.changeAll()
  }

  subscript(id: String) -> Pane? { all.first { $0.id.hasSameBytes(as: id) } }

  /// Returns the pane that contains a node.
  func pane(of node: MenuNode) -> Pane? { all.isEmpty ? nil : node.paneID.flatMap { self[$0] } }

  /// Returns the options for actions in a pane; nil for the usual ones, if its responder is absent or has the focus.
  /// In a text without a responder, that of its pane counts.
  func options(in pane: Pane) -> PerformOptions? {
    let rows = pane.text.flatMap { subjects(of: $0.part).first }
    guard let responder = pane.element.area?.responder ?? rows?.element.area?.responder,
      !responder.isRemoved, responder !== chain.focused
    else { return nil }
    var options = PerformOptions()
    options.from = responder
    return options
  }

  /// Returns the panes whose current rows a text shows.
  func subjects(of text: TextPart) -> [Pane] {
    text.of.compactMap { id in
      guard id == TextPart.focus else { return self[id] }
      _ = focused
      return focus.idOfRows.flatMap { self[$0] } ?? all.first { $0.text == nil }
    }
  }

  /// Returns the title of a responder's pane, with its key if it has one.
  func title(of responder: String) -> String? {
    guard let pane = all.first(where: { $0.element.area?.responder?.name == responder })?.element else { return nil }
    let title = pane.title.isEmpty ? pane.id ?? "" : pane.title
    return pane.keys.map { "\(title) (\($0.text))" } ?? title
  }

  // MARK: Rows

  /// Returns the rows of a pane that can be chosen and match its filter.
  ///
  /// - Parameter isMade: true to make a stale tree again first.
  func rows(of pane: Pane, made isMade: Bool = false) -> PaneRows {
    let tree = isMade && !trees.isBusy ? trees.snapshotTree() : trees.tree
    guard let tree, let node = tree[pane.id], node.element.kind == .pane else { return PaneRows(of: nil, filter: "") }
    let known = pane.rows.flatMap { $0.node === node && $0.list.isCurrent ? $0 : nil }
    // New rows are on the way: to filter the old ones would cost as much again.
    if let known, trees.isFilling || known.filter.hasSameBytes(as: pane.filter) { return known }
    if known == nil { for (id, isOpen) in pane.opened { tree[id.text]?.isOpen = isOpen } }
    // All rows requested by number share one allowance.
    return dispatcher.allowingRows {
      let rows = PaneRows(of: node, filter: pane.filter, knowing: known)
      pane.take(rows, in: tree)
      return rows
    }
  }

  /// Returns true if an element is a row of a pane, even if filtered out. Elements in a closed branch aren't rows.
  func isRow(_ node: MenuNode, of pane: Pane) -> Bool { rows(of: pane).list.place(of: node.id) != nil }

  // MARK: Actions

  /// Focuses a pane and its responder. Returns why the focus stays where it is; nil if it moves.
  func focus(_ pane: Pane) throws(Misuse) -> String? {
    if let responder = pane.element.area?.responder, !responder.isRemoved, chain.focused !== responder {
      guard try dispatcher.focus(responder) else {
        let refuser = dispatcher.moves.asked ?? chain.focused
        return "'\(refuser.name)' \(refuser === responder ? "doesn't accept" : "keeps") the focus"
      }
    }
    let before = focused
    note(pane)
    noteChain()
    if before !== focused { changed() }
    return nil
  }

  /// Focuses the responder of the first pane, unless the app has focused one itself.
  func begin() {
    guard chain.focused.kind != .responder, let pane = focused else { return }
    _ = try? focus(pane)
  }

  /// The focused pane, whose responder got the focus last; initially the first pane.
  var focused: Pane? {
    if noteChain(), let pane = all.first(where: { $0.element.area?.responder === chain.focused }) { note(pane) }
    guard let pane = lastFocused, pane.isHidden, let place = all.firstIndex(where: { $0 === pane }) else {
      return lastFocused
    }
    return (all[place...] + all[..<place]).first { !$0.isHidden } ?? pane
  }

  private func note(_ pane: Pane) {
    focus.id = pane.id
    visited.removeAll { $0.hasSameBytes(as: pane.id) }
    visited = visited.suffix(AreaPart.most - 1) + [pane.id]
    if pane.text == nil { focus.idOfRows = pane.id }
  }

  /// Returns the child that a `tabs` shows: the child with the last focused pane, else the first (P7).
  func shown(among tabs: [MenuElement]) -> MenuElement? {
    let ids = [focused?.id].compactMap { $0 } + visited.reversed()
    return ids.lazy.compactMap { id in tabs.first { $0.hasPane(id) } }.first ?? tabs.first
  }

  /// Notes the app's focus. Returns true if it moved: a new responder of the same name has the same focus.
  @discardableResult
  private func noteChain() -> Bool {
    if focus.count == chain.focusCount { return false }
    let before = focus
    (focus.count, focus.moves, focus.responder) = (chain.focusCount, chain.focusMoves, chain.focused.name)
    return focus.moves != before.moves || !focus.responder.hasSameBytes(as: before.responder)
  }

  /// The pane that had the focus last. If it is gone, the pane that came next.
  private var lastFocused: Pane? {
    if all.isEmpty { return nil }
    return focus.id.map { self[$0] ?? all[min(focus.place, all.count - 1)] } ?? all[0]
  }

  /// If the focused pane is hidden or gone, focuses the next one (P7, P8). Returns true if the focus moved.
  @discardableResult
  func leaveMissing() -> Bool {
    guard !dispatcher.isAsking, chain.loading == nil, chain.sessions.isEmpty, let next = focused else { return false }
    if focus.id.map({ $0.hasSameBytes(as: next.id) }) ?? (next === all[0]) { return false }
    do throws(Misuse) { return try focus(next) == nil } catch { return false }
  }

  /// The present focus, to restore after a reload.
  var kept: PaneFocus {
    let responder = focused?.element.area?.responder
    var kept = focus
    // Without panes the focus waits for one, as when an app is loaded.
    kept.isInChain = all.isEmpty ? chain.focused.kind != .responder : responder === chain.focused
    return kept
  }

  /// Restores the focus by the id of its pane, whose responder gets the app's focus again.
  func restore(_ kept: PaneFocus) {
    (focus.id, focus.idOfRows) = (kept.id, kept.idOfRows)
    noteChain()
    if leaveMissing() { return }
    guard kept.isInChain, !dispatcher.isAsking, chain.sessions.isEmpty, let pane = focused else { return }
    _ = try? focus(pane)
  }

  /// Makes a row the current one of its pane.
  func choose(_ node: MenuNode, in pane: Pane) {
    let rows = rows(of: pane)
    let before = rows.current(of: pane)
    pane.current = (node.id, rows.list.place(of: node.id) ?? 0)
    pane.isChosen = true
    pane.told = ByteText(node.id)
    if before !== node { changed() }
  }

  /// Returns the current row of a visible pane if nobody chose it. It may be the first row, or the neighbour of a
  /// removed or filtered row.
  private func untold(in pane: Pane) -> MenuNode? {
    guard pane.isSeen, !pane.isHidden, let row = rows(of: pane, made: true).current(of: pane) else { return nil }
    return row.current == nil || pane.told == ByteText(row.id) ? nil : row
  }

  private func tellCurrent() {
    toldAt = dispatcher.scheduler.now
    for pane in all {
      // Rows that come back after there were none are new.
      if pane.isSeen, !pane.isHidden, rows(of: pane, made: true).current(of: pane) == nil { pane.told = nil }
      guard let row = untold(in: pane) else { continue }
      pane.told = ByteText(row.id)
      onCurrent?(row, pane)
    }
  }

  /// Marks exactly these rows of a pane.
  func mark(_ nodes: [MenuNode], in pane: Pane) {
    let marked = Set(nodes.map { ByteText($0.id) })
    if marked == pane.marked { return }
    pane.marked = marked
    changed()
  }

  /// Returns the marked rows, in order, as they would be after a change.
  func marked(_ nodes: [MenuNode], _ change: MarkChange, in pane: Pane) -> [MenuNode] {
    let rows = rows(of: pane)
    return dispatcher.allowingRows { marked(nodes, change, in: pane, rows) }
  }

  private func marked(_ nodes: [MenuNode], _ change: MarkChange, in pane: Pane, _ rows: PaneRows) -> [MenuNode] {
    var marked = pane.marked
    switch change {
    case .add: marked.formUnion(nodes.map { ByteText($0.id) })
    case .remove: marked.subtract(nodes.map { ByteText($0.id) })
    case .all: marked.formUnion(rows.ids)
    case .through:
      guard let from = nodes.first, let to = nodes.last else { break }
      let isSame = pane.range.map { $0.from == ByteText(from.id) && $0.marked == marked } ?? false
      let before = isSame ? pane.range?.before ?? [] : marked
      marked = before.union(rows.ids(between: from, to))
      pane.range = (ByteText(from.id), before, marked)
    }
    return rows.list.places(of: marked).compactMap { rows.list[$0] }
  }

  /// Opens or closes a branch of a pane's tree (P12).
  func open(_ node: MenuNode, _ isOpen: Bool, in pane: Pane) {
    if node.isOpen == isOpen { return }
    node.isOpen = isOpen
    pane.opened[ByteText(node.id)] = isOpen
    pane.forgetRows()
    changed()
  }

  func filter(_ pane: Pane, by text: String) {
    if pane.filter.hasSameBytes(as: text) { return }
    (pane.filter, pane.isChosen) = (text, false)
    changed()
  }

  private func changed() { onChange?() }

  // MARK: Texts

  var hasTexts: Bool { all.contains { $0.text != nil } }

  /// Schedules what visible panes do by themselves: the functions of texts whose subject has changed, and the `current`
  /// of rows.
  func look(at view: MenuView) {
    // First the rows, because texts may show what their `current` does.
    for pane in all where pane.text == nil && view.panes?[pane.id]?.isEmpty == false {
      pane.isSeen = true
      if untold(in: pane) == nil { continue }
      nextCurrent.begin(in: toldAt == .min ? 0 : max(0, toldAt.addingTime(Self.pause) - dispatcher.scheduler.now))
    }
    for pane in all where !pane.isHidden && view.showsText(pane.id) { pane.text?.look() }
  }

  /// Selects lines of a text.
  func select(_ lines: ClosedRange<Int>, isUpward: Bool, in text: PaneText) {
    if text.select(lines, isUpward: isUpward) { changed() }
  }

  /// Notifies listeners that the lines of a text changed.
  func textChanged() { changed() }

  /// The dispatcher and the menus, for texts.
  var place: (dispatcher: Dispatcher, trees: MenuTrees) { (dispatcher, trees) }
}

extension MenuElement {
  /// Returns true if it is the pane with an id, or a layout around it.
  fileprivate func hasPane(_ id: String) -> Bool {
    self.id.hasSameBytes(as: id) || kind.isLayout && children.contains { $0.hasPane(id) }
  }
}

/// Which pane has the focus.
struct PaneFocus {
  /// The id of the pane that had the focus last, and its place among the panes before they changed.
  fileprivate var id: String?
  fileprivate var place = 0
  /// The last focused pane that isn't a text.
  fileprivate var idOfRows: String?
  /// The app's focus at that time: its count, how often it moved, and the name of the responder.
  fileprivate var count = -1
  fileprivate var moves = -1
  fileprivate var responder = ""
  /// Whether the app's focus is at the pane's responder.
  fileprivate var isInChain = false

  fileprivate func isAt(_ pane: Pane) -> Bool { id?.hasSameBytes(as: pane.id) ?? false }
}

/// How named rows change the marks of a pane.
package enum MarkChange: String {
  case add, remove
  /// Marks all rows from the first to the last named one. Replaces a range that began at the same row.
  case through
  /// Marks all rows that match the filter.
  case all
}

/// A pane with its state, which belongs to the app. A text is a pane without rows.
final class Pane {
  let element: Element
  /// The lines of a text; nil for a pane with rows.
  fileprivate(set) var text: PaneText?
  /// The id of the current row, and its last place among the rows.
  var current: (id: String, place: Int)?
  /// Whether somebody has chosen the current row since the filter changed.
  fileprivate var isChosen = false
  /// The row whose `current` was performed last; nil before the first.
  fileprivate var told: ByteText?
  /// Whether somebody has seen its rows.
  fileprivate var isSeen = false
  /// The action of the row chosen last, if it waits.
  weak var choosing: Job?
  var marked: Set<ByteText> = []
  /// The first row of a range of marks, and the marks before and after it.
  fileprivate var range: (from: ByteText, before: Set<ByteText>, marked: Set<ByteText>)?
  /// Whether the branches that somebody has opened or closed are open, by their ids.
  fileprivate var opened: [ByteText: Bool] = [:]
  /// The filter; empty if there is none.
  var filter = ""
  /// Whether its `look` hid it in the last snapshot.
  var isHidden = false
  fileprivate private(set) var rows: PaneRows?
  /// The rows around the current one in rows that were forgotten.
  private var neighbours = RowList.Neighbours()

  fileprivate init(_ element: Element, from other: Pane?) {
    self.element = element
    guard let other else { return }
    (current, marked, filter, opened) = (other.current, other.marked, other.filter, other.opened)
    isChosen = other.isChosen
    neighbours = other.nearby
    choosing = other.choosing
    (told, isSeen) = (other.told, other.isSeen)
  }

  /// The rows around the current one in the last rows.
  private var nearby: RowList.Neighbours { current.flatMap { rows?.list.neighbours(of: $0.place) } ?? neighbours }

  var id: String { element.id ?? "" }

  /// The most rows that can be marked.
  static let mostMarked = RowList.mostMarked
  static let longestFilter = 256

  /// Sets new rows. At the start the first row is current. If the current row is gone, the next one becomes current (P9);
  /// if it is in a closed branch, the branch. Marks of missing rows are dropped.
  fileprivate func take(_ rows: PaneRows, in tree: MenuTree) {
    if current == nil, !rows.isCounted, let first = rows.current(of: self) {
      current = (first.id, rows.list.place(of: first.id) ?? 0)
    } else if let known = current {
      if let place = rows.list.place(of: known.id) {
        current = (known.id, place)
      } else if let (id, place) = rows.list.branch(around: tree[known.id]) {
        current = (id, place)
      } else {
        current = (known.id, rows.list.place(after: nearby) ?? known.place)
        if let next = rows.current(of: self) { current = (next.id, rows.list.place(of: next.id) ?? 0) }
      }
    }
    self.rows = rows
    neighbours = RowList.Neighbours()
    if !marked.isEmpty { marked = marked.filter(rows.list.mayHave) }
  }

  fileprivate func forgetRows() {
    neighbours = nearby
    rows = nil
  }
}

/// The rows of a pane that can be chosen, in order.
final class PaneRows {
  fileprivate weak var node: MenuNode?
  fileprivate let filter: String
  /// All rows, filtered out or not.
  let list: RowList
  /// The places of the rows that match the filter; nil without a filter.
  private let found: [Int]?
  /// The places of these rows and of the branches around them, which show where they are.
  private let left: [Int]?

  /// - Parameter known: the rows of the same node with another filter.
  fileprivate init(of node: MenuNode?, filter: String, knowing known: PaneRows? = nil) {
    self.node = node
    self.filter = filter
    let searchesClosed = !filter.isEmpty
    let same = known.flatMap { $0.list.suits(hidden: searchesClosed) ? $0.list : nil }
    list = same ?? RowList(of: node, hidden: searchesClosed)
    found = filter.isEmpty ? nil : list.places(with: filter)
    left = found.map(list.withBranches)
  }

  /// The number of rows that the filter leaves.
  var count: Int { left?.count ?? list.count }
  var isFiltered: Bool { left != nil }
  var isCounted: Bool { list.isCounted }

  /// Returns a row by its number among those that the filter leaves, from 0.
  subscript(number: Int) -> MenuNode? { list[left?[number] ?? number] }

  /// Returns true if the row with a number exists without a request.
  func isMade(_ number: Int) -> Bool { list.isMade(left?[number] ?? number) }

  /// Returns the number of a row among those that the filter leaves.
  func number(of row: MenuNode) -> Int? {
    list.place(of: row.id).flatMap { place in left.map { $0.firstIndex(of: place) } ?? place }
  }

  /// Returns the chosen row. If it is gone or filtered out, returns the next one; if none was chosen, the first.
  func current(of pane: Pane) -> MenuNode? {
    guard count > 0 else { return nil }
    guard let current = pane.current else { return list[found?.first ?? 0] }
    let place = list.place(of: current.id) ?? current.place
    guard let left, let found, let last = found.last else { return list[min(place, list.count - 1)] }
    // A branch that doesn't match is current only if somebody chooses it.
    if pane.isChosen, list.place(of: current.id) != nil, left.contains(place) { return list[place] }
    return list[found.first { $0 >= place } ?? last]
  }

  /// Returns the ids of rows, by their places among those that match the filter, as many as can be marked.
  fileprivate func ids(_ places: Range<Int>) -> [ByteText] {
    places.prefix(Pane.mostMarked).compactMap { list[found?[$0] ?? $0].map { ByteText($0.id) } }
  }

  /// The ids of all rows that match the filter.
  fileprivate var ids: [ByteText] { ids(0..<(found?.count ?? list.count)) }

  /// Returns the ids of the rows from one row to another, in either order.
  fileprivate func ids(between one: MenuNode, _ other: MenuNode) -> [ByteText] {
    guard let one = list.place(of: one.id), let other = list.place(of: other.id) else { return [] }
    let (first, last) = (min(one, other), max(one, other))
    guard let found else { return ids(first..<last + 1) }
    let start = found.firstIndex { $0 >= first } ?? found.count
    return ids(start..<(found.firstIndex { $0 > last } ?? found.count))
  }

  /// Returns the places of the marked rows that the filter leaves.
  func marked(of pane: Pane) -> [Int] {
    let places = pane.marked.isEmpty ? [] : list.places(of: pane.marked)
    return left.map { places.filter(Set($0).contains) } ?? places
  }

  /// Names the current row and the marked ones.
  fileprivate func choice(of pane: Pane) -> String {
    let marked = marked(of: pane).compactMap { list[$0]?.id }
    return (current(of: pane)?.id ?? "no row")
      + (marked.isEmpty ? "" : ", \(marked.count) marked, \(marked.fingerprint)")
  }

  /// Returns the marked rows, or else the current one.
  func chosen(of pane: Pane) -> [MenuNode] {
    let marked = marked(of: pane).compactMap { list[$0] }
    return marked.isEmpty ? current(of: pane).map { [$0] } ?? [] : marked
  }
}

/// Supplies `row` and `rows` for a pane's responder, before its own `provide`. For a text, these are the rows of its
/// panes, and it supplies the selected lines too.
final class PaneSupplier: Handler {
  private weak var pane: Pane?
  private unowned let panes: Panes

  fileprivate init(of pane: Pane, in panes: Panes, owner: Owner) {
    self.pane = pane
    self.panes = panes
    super.init(owner: owner)
  }

  override var suppliedKeys: [String] { ["row", "rows"] + (pane?.text == nil ? [] : ["lines", "line_numbers"]) }
  override var isReadable: Bool { true }
  override var supplierName: String? { pane.map { RowValues.supplier($0.id) } }

  override func provide(for responder: Responder, into context: Context) -> Failure? {
    guard let pane else { return nil }
    if context.choices != nil, !takesChoice(of: pane, into: context) {
      for key in suppliedKeys { context[key] = key.hasPrefix("row") ? .null : .list([]) }
      return nil
    }
    guard let text = pane.text else {
      panes.place.dispatcher.allowingRows { context.take(panes.rows(of: pane, made: true), of: pane) }
      // While a row's own item is validated or picked, its values replace those of the current row.
      if let row = context.row, row.pane.hasSameBytes(as: pane.id) {
        for (key, value) in row.values.members {
          context[key] = value
          // The picked row has its title already.
          context.titles[key] = nil
        }
      }
      return nil
    }
    text.supply(context)
    let selected = text.isAboutPresentRows ? text.selected : 0..<0
    context["lines"] = .list(selected.map { .text(text.lines[$0].text) })
    context["line_numbers"] = .list(selected.map { .integer($0 + 1) })
    return nil
  }

  /// Notes what the pane supplies. Returns false if the question was about something else.
  private func takesChoice(of pane: Pane, into context: Context) -> Bool {
    let choice = panes.place.dispatcher.allowingRows { panes.choice(of: pane) }
    context.choices?.append(choice)
    if let row = context.row, row.pane.hasSameBytes(as: pane.id) { return true }
    guard let about = context.about, !about.contains(where: { $0.hasSameBytes(as: choice) }) else { return true }
    context.lacksChoice = true
    return false
  }
}

extension Panes {
  /// Names the current and marked rows of a pane, or the selected lines of a text: a text that changes with them.
  func choice(of pane: Pane) -> String {
    guard let text = pane.text else { return "\(pane.id): \(rows(of: pane, made: true).choice(of: pane))" }
    let rows = subjects(of: text.part).map { choice(of: $0) }
    let lines = text.isAboutPresentRows ? text.selected.map { text.lines[$0].text } : []
    return "\(pane.id): \(rows.joined(separator: ", ")): \(lines.count) lines, \(lines.fingerprint)"
  }
}

extension [String] {
  /// A number that differs for different texts, but for one case in billions.
  fileprivate var fingerprint: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\(hash)"
  }
}

extension Context {
  /// Adds the current and the marked rows of a pane.
  func take(_ rows: PaneRows, of pane: Pane) {
    guard let current = rows.current(of: pane) else { return }
    let chosen = rows.chosen(of: pane)
    self["row"] = current.rowValue
    self["rows"] = .list(chosen.map(\.rowValue))
    if choices == nil { return }
    titles = [
      "row": current.element.title, "rows": chosen.count == 1 ? chosen[0].element.title : "\(chosen.count) rows",
    ]
  }
}

extension Element {
  /// Visits the panes at and below it, in order.
  fileprivate func forEachPane(_ visit: (Element) -> Void) {
    if kind == .pane || kind == .text { return visit(self) }
    if kind.isLayout { for child in menu?.children ?? [] { child.forEachPane(visit) } }
  }
}
