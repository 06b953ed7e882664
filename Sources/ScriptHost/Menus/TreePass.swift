/// Makes the snapshot of the visible part of a tree, and validates its items in one context.
struct TreePass {
  private let tree: MenuTree
  /// Nil while a tree is being made or validated: then no functions are called.
  private var pass: ValidationPass?
  private let dispatcher: Dispatcher
  private let subject: Value
  /// The arguments that a person has given for the only drawn item, before it is picked.
  private let answers: Arguments
  private let panes: Panes
  private let view: MenuView
  /// The previous snapshot of the same tree, if nothing has happened since.
  private let seen: SeenMenus?
  /// The items that keys perform, and the nodes around them; empty if the view doesn't include them.
  private let keyed: Set<ObjectIdentifier>
  /// The keys shown for items without their own; nil if nobody sees the items.
  private let shownKeys: ShownKeys?
  /// The visible rows while the panel is drawn; nil for all rows.
  private var rows: Range<Int>?
  /// The number of the panel's next row while it is drawn.
  private var nextRow = 0
  /// The pane whose rows are drawn, with its current row.
  private var pane: (pane: Pane, current: MenuNode?)?
  /// The number of open branches around the current node.
  private var level = 0
  /// Whether the current menu is closed, so that only items that keys perform are visible.
  private var isClosed = false
  /// Whether the palette lists the current items, because their panel section says so.
  private var isForPalette = false
  /// For each `single` menu around, whether one of its items is already on.
  private var singles: [Bool] = []

  init(
    _ tree: MenuTree, _ pass: ValidationPass?, _ dispatcher: Dispatcher, subject: Value, panes: Panes,
    view: MenuView = .everything, seen: SeenMenus? = nil, showingKeys: Bool = false, answers: Arguments = Arguments()
  ) {
    self.answers = answers
    shownKeys = showingKeys ? ShownKeys(tree, dispatcher) : nil
    self.seen = seen
    keyed = view.keys ? tree.keyed(by: dispatcher.boundKeys) : []
    self.tree = tree
    self.pass = pass
    self.dispatcher = dispatcher
    self.subject = subject
    self.panes = panes
    self.view = view
  }

  mutating func snapshot() -> MenuElement {
    var root = drawn(tree.root)
    if let panel = tree.panel {
      rows = tree.hasPanes ? nil : view.rows(of: MenuElement.panelID)
      isForPalette = true
      root.extras = MenuElement.Extras(look: Look(), alternates: [], panel: drawn(panel))
      isForPalette = false
    }
    return root
  }

  /// Draws a root with all below it.
  private mutating func drawn(_ node: MenuNode) -> MenuElement {
    var root = node === tree.panel ? .emptyPanel : MenuElement(nothingOf: "root")
    root.children = children(of: node, auto: true)
    return root
  }

  // MARK: Children

  private mutating func children(of node: MenuNode, auto: Bool) -> [MenuElement] {
    // A view may name far more rows than there are.
    var line = Line(capacity: rows.map { min($0.count, node.rowCount) } ?? node.children.count)
    append(node, auto: auto, isHidden: false, to: &line)
    // Visible rows keep their numbers, so hidden separators stay in place.
    if rows == nil { line.removeHiddenSeparators() }
    return line.elements
  }

  /// Draws the children of a menu or a section into a line.
  private mutating func append(_ node: MenuNode, auto: Bool, isHidden: Bool, to line: inout Line) {
    var counted = node.counted
    let near = node.children[childrenNearSight(of: node)]
    passOver(near.startIndex, &line)
    defer { passOver(node.children.endIndex - near.endIndex, &line) }
    for child in near {
      if let rows = counted, child.edge != "header" {
        append(rows, to: &line)
        counted = nil
      }
      if isOutOfSight(child, &line) {
        // In a `single` menu, which item is on depends on all items before it.
        if !singles.isEmpty, child.element.kind == .item { _ = item(child, auto: auto) }
        continue
      }
      if isClosed, !isKeyed(child) { continue }
      switch child.element.kind {
      case .item: line.append(item(child, auto: auto), isHidden: isHidden)
      case .label: line.append(label(child), isHidden: isHidden)
      case .separator: line.separate(bare(child))
      case .section:
        let first = line.elements.count
        let isForPalette = self.isForPalette
        self.isForPalette = isForPalette && child.element.section?.palette ?? false
        append(child, auto: auto, isHidden: isHidden, to: &line)
        self.isForPalette = isForPalette
        if let reason = child.element.section?.source.whyNotCalled { line.disable(from: first, because: reason) }
      case .pane: line.append(pane(child), isHidden: isHidden)
      case .text: line.append(text(child), isHidden: isHidden)
      case .beside, .stack, .tabs: line.append(layout(child), isHidden: isHidden)
      case .menu:
        if child.element.isInline {
          appendInline(child, isHidden: isHidden, to: &line)
        } else if pane != nil {
          append(branch: child, isHidden: isHidden, to: &line)
        } else {
          line.append(unopened(child, at: line.elements.count) ?? menu(child), isHidden: isHidden)
        }
      }
    }
    if let counted { append(counted, to: &line) }
  }

  /// Draws the visible rows that are requested by number. If all rows are visible, draws those already requested (P12).
  private mutating func append(_ counted: CountedRows, to line: inout Line) {
    let first = nextRow
    nextRow += counted.count
    guard let rows else {
      for row in counted.asked { line.append(row.element.kind == .item ? item(row, auto: true) : label(row)) }
      return
    }
    let sight = rows.clamped(to: first..<nextRow)
    if sight.lowerBound > first { line.passOver() }
    for number in sight {
      guard let row = counted[number - first] else { continue }
      line.append(row.element.kind == .item ? item(row, auto: true) : label(row))
    }
  }

  /// Draws a branch of a pane's tree, and its children if it is open (P12).
  private mutating func append(branch node: MenuNode, isHidden: Bool, to line: inout Line) {
    if rows?.contains(nextRow) ?? true {
      line.append(branch(node), isHidden: isHidden)
    }
    nextRow += 1
    guard node.isOpen else { return }
    level += 1
    append(node, auto: node.element.menu?.auto ?? true, isHidden: isHidden, to: &line)
    level -= 1
  }

  /// Returns the children of a node without those known to be out of sight, in constant time.
  private func childrenNearSight(of node: MenuNode) -> Range<Int> {
    let all = node.children.indices
    // In a `single` menu, which item is on depends on all of them.
    guard let rows, singles.isEmpty, node.isList, node.counted == nil else { return all }
    return (rows.lowerBound - min(nextRow, rows.lowerBound)..<max(rows.upperBound, nextRow) - nextRow).clamped(to: all)
  }

  /// Skips rows that are out of sight.
  private mutating func passOver(_ count: Int, _ line: inout Line) {
    if count == 0 { return }
    nextRow += count
    line.passOver()
  }

  /// Returns true if all rows of a child are out of sight, and skips them.
  private mutating func isOutOfSight(_ child: MenuNode, _ line: inout Line) -> Bool {
    guard let rows else { return false }
    let end = nextRow + child.rowCount
    guard !child.element.kind.isArea else { return false }
    guard nextRow < rows.upperBound, end > rows.lowerBound else {
      nextRow = end
      line.passOver()
      return true
    }
    // A child with several rows counts them one by one.
    let isBranch = child.element.kind == .menu && pane != nil
    if child.element.kind != .section, !child.element.isInline, !isBranch { nextRow = end }
    return false
  }

  private mutating func appendInline(_ node: MenuNode, isHidden: Bool, to line: inout Line) {
    let looked = look(of: node)
    let separator = Facts(.separator)
    func edge(_ name: String) -> MenuElement {
      MenuElement(id: "\(node.id)/\(name)", facts: separator, isEnabled: false, isHidden: false, state: .off)
    }
    func separate(_ name: String) {
      if rows?.contains(nextRow) ?? true { line.separate(edge(name)) }
      nextRow += 1
    }
    separate("^")
    enter(node)
    append(node, auto: node.element.menu?.auto ?? true, isHidden: isHidden || looked.element.isHidden, to: &line)
    leave(node)
    separate("$")
  }

  // MARK: Panes

  /// Draws a layout with everything in it.
  private mutating func layout(_ node: MenuNode) -> MenuElement {
    var layout = bare(node, isEnabled: true)
    layout.children = children(of: node, auto: true)
    layout.isHidden = !layout.children.contains { !$0.isHidden }
    var area = MenuElement.Area(node.element)
    if node.element.kind == .tabs { area.current = panes.shown(among: layout.children.filter { !$0.isHidden })?.id }
    layout.extras = MenuElement.Extras(look: Look(), alternates: [], area: area)
    return layout
  }

  /// Draws a pane with its visible rows.
  private mutating func pane(_ node: MenuNode) -> MenuElement {
    let (outerRows, outerNext, outerPass) = (rows, nextRow, pass)
    defer { (rows, nextRow, pass) = (outerRows, outerNext, outerPass) }
    enterArea(node)
    var (element, failure) = look(of: node)
    guard let pane = drawn(node, as: element) else { return element }
    (rows, nextRow) = (view.rows(of: node.id), 0)
    let listed = panes.rows(of: pane)
    let current = listed.current(of: pane)
    self.pane = (pane, current)
    var area = MenuElement.Area(node.element)
    area.isCounted = listed.isCounted
    area.rows = listed.isFiltered ? listed.count : node.rowCount
    if listed.isFiltered {
      let sight = rows.map { $0.clamped(to: 0..<listed.count) } ?? 0..<listed.count
      area.first = sight.lowerBound
      let isEverything = rows == nil
      let isForPalette = self.isForPalette
      defer { self.isForPalette = isForPalette }
      rows = nil
      for number in sight where !isEverything || listed.isMade(number) {
        guard let row = listed[number] else { continue }
        level = row.branchesAround
        self.isForPalette = isForPalette && (row.section?.palette ?? true)
        element.children.append(
          row.element.kind == .menu ? branch(row) : row.element.kind == .item ? item(row, auto: true) : label(row))
      }
      // A filter shows rows of closed branches, which are open as long as it does.
      for (row, next) in zip(element.children.indices, element.children.dropFirst())
      where element.children[row].isOpen == false && next.level > element.children[row].level {
        element.children[row].isOpen = true
      }
    } else {
      area.first = min(rows?.lowerBound ?? 0, area.rows)
      element.children = children(of: node, auto: true)
    }
    (self.pane, level) = (nil, 0)
    area.current = current?.id
    area.place = current.flatMap { listed.isFiltered ? listed.number(of: $0) : node.number(of: $0) }
    area.filter = pane.filter
    area.marked = listed.isFiltered ? listed.marked(of: pane).count : pane.marked.count
    area.isFocused = panes.focused === pane
    element.reason = failure
    element.extras = MenuElement.Extras(look: element.extras?.look ?? Look(), alternates: [], area: area)
    return element
  }

  /// Validates in a pane or text from here on, no matter which pane has the focus: actions of its rows run there.
  private mutating func enterArea(_ node: MenuNode) {
    guard pass != nil, let pane = panes[node.id], let options = panes.options(in: pane) else { return }
    pass = ValidationPass(dispatcher, options)
  }

  /// Draws a branch of a pane's tree, without its children.
  private func branch(_ node: MenuNode) -> MenuElement {
    var branch = look(of: node).element
    markRow(&branch, node)
    branch.isOpen = node.isOpen
    if let cells = cells(of: node) {
      branch.extras = MenuElement.Extras(look: branch.extras?.look ?? Look(), alternates: [], cells: cells)
    }
    return branch
  }

  /// Returns the pane or text of a node, and updates whether it is hidden.
  private func drawn(_ node: MenuNode, as element: MenuElement) -> Pane? {
    guard let pane = panes[node.id] else { return nil }
    pane.isHidden = element.isHidden
    return pane
  }

  /// Draws a text, without its lines.
  private mutating func text(_ node: MenuNode) -> MenuElement {
    let outer = pass
    defer { pass = outer }
    if node.element.menu?.look != nil { enterArea(node) }
    var (element, failure) = look(of: node)
    guard let pane = drawn(node, as: element), let text = pane.text else { return element }
    var area = MenuElement.Area(node.element)
    area.isFocused = panes.focused === pane
    area.text = MenuElement.Text(text, isSelectable: node.element.area?.responder != nil)
    element.reason = failure ?? text.failure
    element.extras = MenuElement.Extras(look: element.extras?.look ?? Look(), alternates: [], area: area)
    return element
  }

  private mutating func enter(_ node: MenuNode) { if node.element.menu?.single ?? false { singles.append(false) } }
  private mutating func leave(_ node: MenuNode) { if node.element.menu?.single ?? false { singles.removeLast() } }

  // MARK: Elements

  private func bare(_ node: MenuNode, isEnabled: Bool = false) -> MenuElement {
    let facts = dispatcher.shown(node.element)
    return MenuElement(
      id: node.id, facts: facts, isEnabled: isEnabled, isHidden: facts.hidden, state: facts.state)
  }

  private func label(_ node: MenuNode) -> MenuElement {
    var label = bare(node)
    label.reason = MenuElement.reasonOfLabels
    return label
  }

  private mutating func menu(_ node: MenuNode) -> MenuElement {
    var (menu, failure) = look(of: node)
    enter(node)
    let (isOpen, isAroundClosed, auto) = (view.shows(node.id), isClosed, node.element.menu?.auto ?? true)
    let isEmpty: Bool
    // In a `single` menu around, which item is on depends on the items in here too.
    if isOpen || !singles.isEmpty {
      isClosed = false
      let children = children(of: node, auto: auto)
      isEmpty = !children.contains(where: \.isCounted)
      menu.children = isOpen ? children : view.keys ? children.filter { dispatcher.boundKeys.performs($0.facts) } : []
    } else {
      isEmpty = !showsAnything(node)
      isClosed = true
      if isKeyed(node) { menu.children = children(of: node, auto: auto) }
    }
    isClosed = isAroundClosed
    leave(node)
    markRow(&menu, node)
    if let failure {
      menu.isEnabled = false
      menu.reason = failure
    } else if isEmpty {
      menu.isEnabled = false
      menu.reason = "there is nothing in '\(menu.title)' to pick"
    }
    return menu
  }

  /// Returns a menu of the bar from the previous snapshot, if it is closed in both; nil otherwise.
  private func unopened(_ node: MenuNode, at index: Int) -> MenuElement? {
    guard let seen, node.parent === tree.root, !view.shows(node.id), !seen.view.shows(node.id),
      seen.menus.children.indices.contains(index), seen.menus.children[index].id.hasSameBytes(as: node.id)
    else { return nil }
    return seen.menus.children[index]
  }

  /// Returns true if keys perform an item, or one in a menu.
  private func isKeyed(_ node: MenuNode) -> Bool { keyed.contains(ObjectIdentifier(node)) }

  /// Returns true if a closed menu has visible items. Validates as few of them as possible.
  private mutating func showsAnything(_ node: MenuNode) -> Bool {
    for child in node.children {
      switch child.element.kind {
      case .label, .separator, .pane, .text, .beside, .stack, .tabs: continue
      case .item: if !item(child, auto: true).isHidden { return true }
      case .section: if showsAnything(child) { return true }
      case .menu:
        if look(of: child).element.isHidden { continue }
        if !child.element.isInline || showsAnything(child) { return true }
      }
    }
    return false
  }

  /// Draws a menu with its `look`. Also returns why it can't be opened, if its `look` fails or isn't called.
  private func look(of node: MenuNode) -> (element: MenuElement, failure: String?) {
    var menu = bare(node, isEnabled: true)
    guard let look = node.element.menu?.look, let pass else { return (menu, nil) }
    if let reason = look.whyNotCalled { return (menu, reason) }
    let answer = dispatcher.whileAsking {
      dispatcher.engine?.beginQuestion()
      defer { dispatcher.engine?.endQuestion() }
      return look.look(in: pass.context)
    }
    switch answer {
    case .success(let look):
      menu.isHidden = look.hidden ?? menu.isHidden
      if look.title != nil || look.subtitle != nil { menu.extras = MenuElement.Extras(look: look, alternates: []) }
      return (menu, nil)
    case .failure(let failure):
      dispatcher.report(Diagnostic(failure))
      return (menu, failure.asReason)
    }
  }

  /// Returns the pane that a node is in.
  private func pane(of node: MenuNode) -> Pane? { pane?.pane ?? panes.pane(of: node) }

  /// Sets whether a row is the current one of its pane, and whether it is marked.
  private func markRow(_ element: inout MenuElement, _ node: MenuNode) {
    guard let pane else { return }
    element.isCurrent = node === pane.current
    element.isMarked = pane.pane.marked.contains(ByteText(node.id))
    element.level = Int16(truncatingIfNeeded: level)
  }

  /// Draws an item.
  mutating func item(_ node: MenuNode, auto: Bool) -> MenuElement {
    let element = node.element
    var item = bare(node)
    item.isInPalette = isForPalette
    markRow(&item, node)
    // A pane's keys act on its current row, no matter which row would show them.
    if pane == nil, let shownKeys {
      item.hasLostKey = shownKeys.hasLostKey(node)
      item.boundKey = shownKeys.key(of: node)
    }
    let validation = validation(of: node)
    item.by = validation.by
    item.asks = validation.asks != nil
    item.isEnabled = validation.isEnabled || !auto && element.action != nil && pass != nil
    if !item.isEnabled {
      item.reason = validation.reason
      item.isBlocked = validation.isBlocked
      item.elsewhere = validation.elsewhere
    }
    if let disabled = element.disabled {
      pass?.witness?.askedItem(element, .enabled, answer: .no(disabled), place: element.place)
      item.isEnabled = false
      item.isBlocked = false
      item.elsewhere = nil
      item.asks = false
      item.reason = disabled
    }
    var look = validation.look
    if let own = element.look { apply(own, over: &look, of: node, &item, besides: validation.asks) }
    let cells = cells(of: node)
    // A row with cells shows those, no matter what its action's title is.
    if cells != nil { (look.title, look.spans) = (nil, nil) }
    if element.facts.isUntitled, let about = about(node) {
      look.title = look.title ?? about.title
      look.icon = look.icon ?? element.facts.details?.icon ?? about.icon
    }
    item.isHidden = look.hidden ?? item.isHidden
    item.state = look.state ?? item.state
    if item.state == .on, !mayBeOn() { item.state = .off }
    // A state that only shows that the action runs isn't the item's own state.
    if look.state != nil, !validation.isRunning { (node.hasState, tree.hasStates) = (true, true) }
    item.mark = singles.isEmpty ? node.hasState || element.facts.isStated ? .check : nil : .radio
    let onlyIn = item.elsewhere.flatMap(panes.title)
    // An explanation is about one item only.
    let others = pass?.witness == nil ? node.alternates : []
    if !others.isEmpty || look.isUnusual || onlyIn != nil || cells != nil {
      let alternates = zip(element.alternates, others).map { alternate, node in
        MenuElement.Alternate(modifiers: alternate.modifiers, element: self.item(node, auto: auto))
      }
      item.extras = MenuElement.Extras(look: look, alternates: alternates, onlyIn: onlyIn, cells: cells)
    }
    return item
  }

  /// Returns the cells of a row in the columns of its section, or of the nearest section around with columns.
  private func cells(of node: MenuNode) -> RowCells? {
    guard let cells = node.element.facts.details?.styled?.cells else { return nil }
    var sections: [MenuNode] = []
    var around = node.parent
    while let parent = around {
      if parent.element.section != nil { sections.append(parent) }
      around = parent.parent
    }
    let section = sections.first { $0.element.section?.columns.isEmpty == false } ?? sections.first
    return RowCells(cells, in: section?.element.section?.columns ?? [], of: section?.id ?? "")
  }

  /// Applies an item's own `look` over the handler's. Disables the item if its own `can` says no, or a function fails
  /// or isn't called.
  private func apply(
    _ own: MenuLook, over look: inout Look, of node: MenuNode, _ item: inout MenuElement,
    besides asks: Outcome.Question?
  ) {
    guard let pass else { return }
    var reason = own.whyNotCalled
    var answer = reason.map(Witness.Answer.no) ?? .yes
    if reason == nil {
      let request = node.element.action.map { action in
        let asked = node.asked(action, about: subject, in: pane(of: node))
        return answers.isEmpty ? asked : Request(asked, filling: answers)
      }
      let missing = asks?.arguments.filter { $0.isRequired && request?.arguments[$0.key]?.orNone == nil } ?? []
      switch pass.look(request, besides: missing.map(\.key), own.look) {
      case .success(let said):
        look.merge(said)
        reason = said.refusal.map { $0.isEmpty ? "the 'can' of the item returns false" : $0 }
        if let refusal = said.refusal { answer = .no(refusal) }
      case .failure(let failure):
        dispatcher.report(Diagnostic(failure))
        reason = failure.asReason
        answer = .fails(failure.message)
      }
    }
    pass.witness?.askedItem(node.element, own.question, answer: answer, place: own.place)
    guard let reason else { return }
    item.isEnabled = false
    item.asks = false
    item.reason = reason
  }

  /// Returns true if no `single` menu around has an item that is on, and records that each has one now.
  private mutating func mayBeOn() -> Bool {
    if singles.contains(true) { return false }
    for index in singles.indices { singles[index] = true }
    return true
  }

  /// Returns the `about` of an item's action, from its first candidate.
  private func about(_ node: MenuNode) -> About? {
    guard node.element.action != nil, let pass else { return nil }
    let candidate = tree.resolution(node.action, on: pass.walk, by: dispatcher).candidate(0, witness: nil)
    return candidate?.name.flatMap { candidate?.responder.said(\.about, $0) }
  }

  private func validation(of node: MenuNode) -> Validation {
    guard let action = node.element.action else {
      return Validation(enabled: false, reason: node.element.reasonWithoutAction)
    }
    guard let pass else { return Validation(enabled: false, reason: "being validated") }
    // A kept resolution asks the responders only once, so an explanation needs a new one.
    let resolution =
      pass.witness == nil
      ? tree.resolution(node.action, on: pass.walk, by: dispatcher)
      : Resolution(action.reference, raw: action.raw, on: pass.walk, dispatcher: dispatcher, isKept: false)
    if action.skipsValidation {
      return pass.validateAsDeclared(
        action.reference, node.asked(action, about: subject, in: pane(of: node)), resolution)
    }
    return pass.validate(action.reference, node.asked(action, about: subject, in: pane(of: node)), resolution)
  }
}

extension Witness {
  /// Records the answer of an item itself.
  fileprivate func askedItem(_ item: Element, _ question: Question, answer: Answer, place: Place?) {
    asked(item.described, question, item.action?.reference.id ?? "", answer: answer, place: place)
    if answer != .yes { isRefusedByItem = true }
  }
}

extension MenuElement.Text {
  /// - Parameter isSelectable: true if the text has a current line.
  fileprivate init(_ text: PaneText, isSelectable: Bool) {
    of = text.part.of
    lines = text.lines.count
    version = text.version
    subject = text.subjects
    isRunning = text.isRunning
    follows = text.part.isFollowing
    wraps = text.part.isWrapped
    let selected = text.selected
    guard isSelectable, !selected.isEmpty else { return }
    current = text.current + 1
    self.selected = selected.lowerBound + 1...selected.upperBound
  }
}

extension MenuNode {
  /// Returns the request for validating it.
  ///
  /// - Parameter pane: the pane that it is a row of.
  func asked(_ action: ItemAction, about subject: Value, in pane: Pane?) -> Request {
    if let request { return request }
    let info = rowValues(in: pane)?.values ?? Arguments()
    let made = Request(
      raw: action.raw, action: action.reference.name, prefix: action.reference.prefix, arguments: action.arguments,
      info: info, sender: sender, subject: subject)
    // The value of a row may change, so its request isn't cached.
    if info.isEmpty { request = made }
    return made
  }

  /// The extra context of a row's action: `row` is the value of that row, and so is `rows` without marks (P9). Nil
  /// outside of panes.
  func rowValues(in pane: Pane?) -> RowValues? {
    guard let paneID else { return nil }
    let row = [(key: "row", value: rowValue)]
    return RowValues(
      pane: paneID,
      values: Arguments(pane?.marked.isEmpty ?? false ? row + [(key: "rows", value: .list([rowValue]))] : row))
  }

  /// The item as the sender of its action.
  var sender: Sender {
    .item(id: id, title: element.title, action: element.facts.action, key: element.facts.key)
  }
}

extension MenuNode {
  /// Returns the number of a row below it, as counted by `rowCount`; nil if it isn't below.
  func number(of row: MenuNode) -> Int? {
    var (node, number) = (row, 0)
    while node !== self {
      guard let parent = node.parent else { return nil }
      let before = parent.children.prefix { $0 !== node && !(node.isLoneRow && $0.edge != "header") }
      guard before.count < parent.children.count || node.isLoneRow else { return nil }
      number += before.reduce(0) { $0 + $1.rowCount } + (parent.element.isInline || parent.isOpen ? 1 : 0)
      if let counted = parent.counted {
        number += node.isLoneRow ? Int(node.rowPlace) : node.edge == "header" ? 0 : counted.count
      }
      node = parent
    }
    return number
  }
}

extension MenuElement.Area {
  fileprivate init(_ element: Element) {
    guard let area = element.area else { return }
    (share, least, fits, hasMarks, hasFilter) = (area.share, area.least, area.fits, area.hasMarks, area.hasFilter)
  }
}

extension Look {
  /// Overwrites each field that another look sets.
  fileprivate mutating func merge(_ other: Look) {
    if let title = other.title { (self.title, spans) = (title, other.spans) }
    if let subtitle = other.subtitle { (self.subtitle, subtitleSpans) = (subtitle, other.subtitleSpans) }
    if let icon = other.icon { (self.icon, iconStyle) = (icon, other.iconStyle) }
    state = other.state ?? state
    hidden = other.hidden ?? hidden
    destructive = other.destructive ?? destructive
  }

  /// Whether it changes more than whether the item is ticked or shown.
  fileprivate var isUnusual: Bool { title != nil || subtitle != nil || icon != nil || destructive != nil }
}

extension Element {
  /// Whether it is a menu whose items appear among those around it.
  var isInline: Bool { menu?.inline ?? false }

  /// Why an item without an action can't be picked.
  var reasonWithoutAction: String { "'\(title)' has no action" }
}

extension MenuElement {
  /// Whether it is an item or a menu, and not hidden.
  fileprivate var isCounted: Bool { !isHidden && (kind == .item || kind == .menu) }
}

/// The visible elements of one menu. Separators are visible only between other visible elements.
private struct Line {
  private(set) var elements: [MenuElement] = []
  /// The index of a separator that becomes visible with the next visible element.
  private var separator: Int?
  private var hiddenSeparators = 0
  private var isBegun = false

  init(capacity: Int) { elements.reserveCapacity(capacity) }

  mutating func append(_ element: consuming MenuElement, isHidden: Bool = false) {
    if isHidden { element.isHidden = true }
    let isShown = !element.isHidden
    elements.append(element)
    if !isShown { return }
    if let separator {
      elements[separator].isHidden = false
      hiddenSeparators -= 1
    }
    separator = nil
    isBegun = true
  }

  /// Skips rows that are out of sight, so that the next element isn't the first of the menu.
  mutating func passOver() { isBegun = true }

  /// Disables the elements from an index on.
  mutating func disable(from first: Int, because reason: String) {
    for index in elements.indices.dropFirst(first) { elements[index].disable(because: reason) }
  }

  mutating func separate(_ element: MenuElement) {
    if isBegun, separator == nil { separator = elements.count }
    elements.append(element)
    elements[elements.count - 1].isHidden = true
    hiddenSeparators += 1
  }

  mutating func removeHiddenSeparators() {
    if hiddenSeparators > 0 { elements.removeAll { $0.kind == .separator && $0.isHidden } }
  }
}
