import ScriptHost

// The bar, its menus, and their submenus.

extension Face {
  /// Opens the menu at a place of the bar; the last place is that of the face's own menu.
  func openMenu(at place: Int) {
    over.removeAll()
    // The items of a menu depend on the current row.
    tellChosen()
    let bar = menus.bar
    open = [OpenMenu(place < bar.count ? .app(bar[place].id) : .own)]
    refreshMenus()
    open[0].makeFirstCurrent()
  }

  /// The place of the open menu in the bar; nil if there is none or it isn't in the bar.
  var openPlace: Int? {
    switch open.first?.source {
    case .app(let id): menus.bar.firstIndex { $0.id == id }
    case .own: menus.bar.count
    case .context, .contextMenu, nil: nil
    }
  }

  /// Updates the open menus, and closes those that are gone.
  func refreshMenus() {
    // The rows of the face's own menu depend on the screen too: it has the menus for which the bar has no room.
    for index in open.indices where open[index].source == .own || !open[index].isCurrent(menus.version) {
      guard let listed = listed(in: open[index].source) else {
        open.removeSubrange(index...)
        return
      }
      open[index].show(listed, version: menus.version, theme: settings.theme)
    }
  }

  private func listed(in source: OpenMenu.Source) -> [(id: String, row: MenuRow)]? {
    switch source {
    case .own: return ownRows
    case .app(let id): return menus[id].flatMap(rows(in:))
    case .contextMenu(let id): return context[id].flatMap(rows(in:))
    case .context: return rows(in: context.root)
    }
  }

  private func rows(in node: ShownMenus.Node) -> [(id: String, row: MenuRow)]? {
    if node.element.isHidden { return nil }
    let shown = node.shown
    return Array(zip(shown.map(\.id), MenuRow.rows(of: shown.map(\.element))))
  }

  /// The element of an id, in the open context menu or in the menus.
  func element(_ id: String) -> MenuElement? {
    switch open.first?.source {
    case .context, .contextMenu: context[id]?.element ?? menus[id]?.element
    case .app, .own, nil: menus[id]?.element
    }
  }

  /// The rows of the face's own menu: first, as submenus, the menus for which the bar has no room.
  private var ownRows: [(id: String, row: MenuRow)] {
    let bar = menus.bar
    let areas = BarView(titles: bar.map(\.element.title), appTitle: "").areas(
      on: Area(row: 0, column: 0, rows: 1, columns: columns))
    let hidden = zip(bar, areas).filter { $1.columns == 0 }.map(\.0)
    let titles = OwnCommand.menu.map { $0?.title ?? "" } + hidden.map(\.element.title)
    let mnemonics = Mnemonics.chosen(for: titles)
    let rest = zip(hidden, mnemonics.dropFirst(OwnCommand.menu.count)).map { node, mnemonic in
      (id: node.id, row: MenuRow(kind: .menu, title: node.element.title, key: "▸", mnemonic: mnemonic))
    }
    let own = zip(OwnCommand.menu, mnemonics).map { command, mnemonic -> (id: String, row: MenuRow) in
      guard let command else { return ("", MenuRow(kind: .separator)) }
      let stroke = strokeShown(of: command)
      return (
        command.id,
        MenuRow(
          kind: .item, mark: command == .mouse && usesMouse ? "✓" : "", title: command.title, key: stroke?.text ?? "",
          mnemonic: mnemonic)
      )
    }
    return rest + (rest.isEmpty ? [] : [("", MenuRow(kind: .separator))]) + own
  }

  // MARK: - Keys

  /// Takes a key while a menu is open; returns whether it means anything there.
  func menuKey(_ stroke: Stroke, _ text: String?) -> Bool {
    let last = open.count - 1
    guard stroke.modifiers.isEmpty || text != nil else { return menuKeyHeld(stroke) }
    switch stroke.key {
    case "up": open[last].move(by: -1)
    case "down": open[last].move(by: 1)
    case "pageup": open[last].move(by: -pageStep)
    case "pagedown": open[last].move(by: pageStep)
    case "home": open[last].makeFirstCurrent()
    case "end":
      open[last].makeFirstCurrent()
      open[last].move(by: -1)
    case "left": if last > 0 { open.removeLast() } else { turn(by: -1) }
    case "right": if open[last].currentRow?.kind == .menu { enterCurrent() } else { turn(by: 1) }
    case "enter", "space": enterCurrent()
    case "esc", "backspace": open.removeLast()
    case "?": askWhy(open[last].currentID)
    default:
      guard let text else { return stroke.key == "f10" ? closeMenus() : false }
      typed(text)
    }
    return true
  }

  private var pageStep: Int { max(2, rows - 4) }

  private func menuKeyHeld(_ stroke: Stroke) -> Bool {
    if stroke.modifiers == .alt, stroke.key == "enter" {
      askWhy(open.last?.currentID)
      return true
    }
    guard stroke.modifiers == .alt, let place = barPlace(of: stroke.key) else { return false }
    openMenu(at: place)
    return true
  }

  private func closeMenus() -> Bool {
    open = []
    return true
  }

  /// The place in the bar of the menu with a letter as its mnemonic.
  func barPlace(of letter: String) -> Int? {
    let titles = menus.bar.map(\.element.title)
    return zip(titles, Mnemonics.chosen(for: titles)).enumerated().first { _, one in
      one.1.map { String(one.0.dropFirst($0).prefix(1)).lowercased() == letter } ?? false
    }?.offset
  }

  private func turn(by step: Int) {
    // The context menu of a row isn't in the bar.
    if openPlace == nil { return }
    let count = menus.bar.count + 1
    openMenu(at: ((openPlace ?? 0) + step + count) % count)
  }

  private func typed(_ text: String) {
    guard let (place, isMnemonic) = open[open.count - 1].place(of: text) else { return }
    open[open.count - 1].makeCurrent(place)
    if isMnemonic { enterCurrent() }
  }

  /// Opens or picks the current row. For a disabled one it says why, and the menu stays open.
  func enterCurrent() {
    guard let menu = open.last, let id = menu.currentID, let row = menu.currentRow else { return }
    if row.kind == .menu {
      let isContext = menu.source == .context || context[id] != nil && menus[id] == nil
      open.append(OpenMenu(isContext ? .contextMenu(id) : .app(id)))
      refreshMenus()
      open[open.count - 1].makeFirstCurrent()
      return
    }
    let element = element(id)
    let stays = element.map { !$0.isEnabled || $0.keepsOpen } ?? false
    if !stays { open = [] }
    pick(id, element)
  }
}

/// An open menu: its source, and its current row, known by its id so that it stays the same when rows change.
struct OpenMenu {
  enum Source: Equatable {
    case app(String)
    case own
    /// The context menu of a row, and a submenu of one.
    case context
    case contextMenu(String)
  }

  let source: Source
  private(set) var ids: [String] = []
  private(set) var view = PulldownView(rows: [])
  /// The version of the menus from which its rows were made.
  private var version = -1

  init(_ source: Source) { self.source = source }

  var currentID: String? { view.current.map { ids[$0] } }
  var currentRow: MenuRow? { view.current.map { view.rows[$0] } }

  /// Replaces the rows. The current row stays current if it is still there, else the nearest becomes current.
  mutating func show(_ listed: [(id: String, row: MenuRow)], version: Int, theme: Theme) {
    let (was, place, top) = (currentID, view.current, view.top)
    self.version = version
    ids = listed.map(\.id)
    view = PulldownView(rows: listed.map(\.row), bytesOfColour: theme.bytesOfColour)
    view.top = top
    guard let place else { return }
    view.current = was.flatMap { ids.firstIndex(of: $0) } ?? nearest(to: place)
  }

  func isCurrent(_ version: Int) -> Bool { self.version == version }

  private func nearest(to place: Int) -> Int? {
    let can = view.rows.indices.filter { view.rows[$0].canBeCurrent }
    return can.min { abs($0 - place) < abs($1 - place) }
  }

  // MARK: - The current row

  mutating func makeCurrent(_ place: Int) {
    if view.rows.indices.contains(place), view.rows[place].canBeCurrent { view.current = place }
  }

  mutating func makeFirstCurrent() { view.current = view.rows.firstIndex(where: \.canBeCurrent) }

  /// Moves by a number of rows that can be current: a step of one goes around the ends, a longer one stops there.
  mutating func move(by step: Int) {
    let count = view.rows.count
    guard var place = view.current else {
      view.current = step > 0 ? view.rows.firstIndex(where: \.canBeCurrent) : view.rows.lastIndex(where: \.canBeCurrent)
      return
    }
    var left = abs(step)
    var next = place
    for _ in 0..<count where left > 0 {
      next += step > 0 ? 1 : -1
      if !view.rows.indices.contains(next) {
        if abs(step) > 1 { break }
        next = step > 0 ? 0 : count - 1
      }
      if view.rows[next].canBeCurrent { (place, left) = (next, left - 1) }
    }
    view.current = place
  }

  mutating func scroll(in area: Area) { view = view.scrolled(in: area) }

  /// The row of a letter: the one with it as the mnemonic, else the next that begins with it.
  func place(of letter: String) -> (place: Int, isMnemonic: Bool)? {
    let small = letter.lowercased()
    func letterOf(_ row: MenuRow) -> String? {
      row.mnemonic.map { String(row.title.dropFirst($0).prefix(1)).lowercased() }
    }
    if let place = view.rows.firstIndex(where: { $0.canBeCurrent && letterOf($0) == small }) { return (place, true) }
    let after = (view.current ?? -1) + 1
    let order = Array(view.rows.indices.dropFirst(after)) + Array(view.rows.indices.prefix(after))
    let next = order.first { view.rows[$0].canBeCurrent && view.rows[$0].title.lowercased().hasPrefix(small) }
    return next.map { ($0, false) }
  }
}
