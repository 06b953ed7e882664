import ScriptHost

/// The *menu bar* in the first row, with the open menus below it or beside a row of the panel.
final class MenuBar: Component {
  /// The open menus, each opened from the previous menu.
  var open: [OpenMenu] = []
  /// The context menu that was opened last.
  let context = ShownMenus()
  var area = Area.nowhere
  private var view = BarView(titles: [], appTitle: "")
  private var titles: [Area] = []
  private var cascade = Cascade()
  /// The ids of the app's menus that are open.
  var openIDs: [String] { open.compactMap { if case .app(let id) = $0.source { id } else { nil } } }
  /// Whether an open menu waits for its items.
  var isIncomplete: Bool { !open.allSatisfy(\.isTold) }
  /// The areas of the open menus; `nowhere` for menus without room.
  var areas: [Area] { cascade.areas }

  // MARK: - Drawing

  func refresh(from face: Face) {
    face.refreshMenus()
    let bar = face.menus.bar
    view = view(of: bar.map(\.element.title))
    (view.appTitle, view.open) = (face.title, face.openPlace)
    titles = view.areas(on: area)
    cascade = Cascade(
      open.map(\.view), from: anchor(face), titles: open.map { title(of: $0, face) }, on: face.overlayScreen)
    for (index, area) in areas.enumerated() where !area.isEmpty { open[index].scroll(in: area) }
  }

  func draw(on canvas: inout Canvas, theme: Theme) {
    view.draw(on: &canvas, theme: theme)
    let first = areas.firstIndex { !$0.isEmpty }
    for (index, area) in areas.enumerated() where !area.isEmpty {
      open[index].view.draw(on: &canvas, in: area, path: index == first ? cascade.path : [], theme: theme)
      canvas.lay(theme.overlay, in: area)
    }
    for (one, other) in zip(areas, areas.dropFirst()) { Frame.join(one, other, on: &canvas, theme: theme) }
  }

  /// Returns the view of titles. Reuses the current view for the same titles, so that letters are chosen once.
  fileprivate func view(of titles: [String]) -> BarView {
    view.titles == titles ? view : BarView(titles: titles, appTitle: view.appTitle)
  }

  private func title(of menu: OpenMenu, _ face: Face) -> String {
    switch menu.source {
    case .app(let id): face.menus[id]?.element.title ?? ""
    case .contextMenu(let id): context[id]?.element.title ?? ""
    case .own: BarView.own
    case .context: ""
    }
  }

  /// Returns the anchor of the first open menu: below its title in the bar, or beside its row.
  private func anchor(_ face: Face) -> PulldownView.Anchor {
    if let place = face.openPlace {
      return .init(row: 1, column: titles.indices.contains(place) ? titles[place].column : 0)
    }
    let row = face.panel.areaOfRows.row + (face.panel.view.current ?? 0) - face.panel.view.top
    return .init(row: max(1, min(face.rows - 2, row + 1)), column: face.panel.area.column + 6)
  }

  // MARK: - Keys

  /// Handles a key while a menu is open. An unknown key closes the menus.
  func key(_ stroke: Stroke, _ text: String?, of face: Face) -> Bool {
    if open.isEmpty { return false }
    if keyInMenu(stroke, text, face) { return true }
    open = []
    return stroke.modifiers.isEmpty && stroke.key == "f10"
  }

  private func keyInMenu(_ stroke: Stroke, _ text: String?, _ face: Face) -> Bool {
    let last = open.count - 1
    guard stroke.modifiers.isEmpty || text != nil else { return keyHeld(stroke, face) }
    let page = max(2, face.rows - 4)
    switch stroke.key {
    case "up": open[last].move(by: -1)
    case "down": open[last].move(by: 1)
    case "pageup": open[last].move(by: -page)
    case "pagedown": open[last].move(by: page)
    case "home": open[last].makeFirstCurrent()
    case "end":
      open[last].makeFirstCurrent()
      open[last].move(by: -1)
    case "left": if last > 0 { open.removeLast() } else { turn(by: -1, face) }
    case "right": if open[last].currentRow?.kind == .menu { enter(face) } else { turn(by: 1, face) }
    case "enter", "space": enter(face)
    case "esc", "backspace": open.removeLast()
    case "?": face.askWhy(open[last].currentID)
    default:
      guard let text else { return false }
      if let (place, isMnemonic) = open[last].place(of: text) {
        open[last].makeCurrent(place)
        if isMnemonic { enter(face) }
      }
    }
    return true
  }

  private func keyHeld(_ stroke: Stroke, _ face: Face) -> Bool {
    guard stroke.modifiers == .alt else { return false }
    if stroke.key == "enter" { face.askWhy(open.last?.currentID) } else { return face.opensMenu(of: stroke.key) }
    return true
  }

  private func turn(by step: Int, _ face: Face) {
    // The context menu of a row isn't in the bar.
    guard let place = face.openPlace else { return }
    let count = face.menus.bar.count + 1
    face.openMenu(at: (place + step + count) % count)
  }

  /// Opens or picks the current row. A disabled row shows its reason, and the menu stays open.
  private func enter(_ face: Face) {
    guard let menu = open.last, let id = menu.currentID, let row = menu.currentRow else { return }
    if row.kind == .menu {
      let isContext = menu.source == .context || context[id] != nil && face.menus[id] == nil
      open.append(OpenMenu(isContext ? .contextMenu(id) : .app(id)))
      return face.refreshMenus()
    }
    let element = face.element(id)
    let stays = element.map { !$0.isEnabled || $0.keepsOpen } ?? false
    if !stays { open = [] }
    face.pick(id, element)
  }

  // MARK: - The mouse

  /// Returns the open menu under the mouse, and the place of its row there.
  private func hit(_ mouse: Mouse) -> (menu: Int, place: Int?)? {
    guard let menu = open.indices.last(where: { areas.indices.contains($0) && areas[$0].holds(mouse) }) else {
      return nil
    }
    return (menu, open[menu].view.row(at: mouse.row, column: mouse.column, in: areas[menu]))
  }

  /// An open menu gets the mouse everywhere.
  func mouse(_ mouse: Mouse, of face: Face) -> Bool {
    let bar = mouse.row == 0 ? titles.firstIndex { $0.holds(mouse) } : nil
    if open.isEmpty {
      guard mouse.deed == .press(.left), let bar else { return false }
      face.openMenu(at: bar)
      return true
    }
    let hit = hit(mouse)
    switch mouse.deed {
    case .press(.left):
      if let bar {
        if face.openPlace == bar { open = [] } else { face.openMenu(at: bar) }
      } else if let hit {
        point(at: hit.place, in: hit.menu, face)
      } else {
        open = []
      }
    case .press(.right): if let hit, let place = hit.place { face.askWhy(open[hit.menu].ids[place]) }
    case .move(.left):
      if let bar, face.openPlace != bar {
        face.openMenu(at: bar)
      } else if let hit {
        point(at: hit.place, in: hit.menu, face)
      }
    case .release(.left):
      guard let hit, let place = hit.place, hit.menu == open.count - 1, open[hit.menu].view.current == place else {
        break
      }
      if open[hit.menu].currentRow?.kind == .item { enter(face) }
    case .wheel(let rows, _): if let hit, hit.menu == open.count - 1 { open[hit.menu].move(by: rows) }
    default: break
    }
    return true
  }

  /// Makes a row current, and opens it if it is a menu.
  private func point(at place: Int?, in menu: Int, _ face: Face) {
    guard let place, open[menu].view.current != place || menu < open.count - 1 else { return }
    open.removeSubrange((menu + 1)...)
    open[menu].makeCurrent(place)
    if open[menu].currentRow?.kind == .menu, open[menu].view.current == place { enter(face) }
  }
}

extension Face {
  /// Opens the menu at a place of the bar; the last place is the face's own menu.
  func openMenu(at place: Int) {
    over.removeAll()
    // The items of a menu depend on the current row.
    tellChosen()
    let bar = menus.bar
    openMenu(place < bar.count ? .app(bar[place].id) : .own)
  }

  /// Opens a single menu, if it exists.
  func openMenu(_ source: OpenMenu.Source) {
    bar.open = [OpenMenu(source)]
    refreshMenus()
  }

  /// Opens the menu of the bar with this mnemonic letter. Returns false if there is none.
  func opensMenu(of letter: String) -> Bool {
    let titles = menus.bar.map(\.element.title)
    let place = zip(titles, bar.view(of: titles).letters).enumerated().first { _, named in
      named.1.map { String(named.0.dropFirst($0).prefix(1)).lowercased() } == letter
    }?.offset
    guard let place else { return false }
    openMenu(at: place)
    return true
  }

  /// The place of the open menu in the bar; nil without an open menu in the bar.
  var openPlace: Int? {
    switch bar.open.first?.source {
    case .app(let id): menus.bar.firstIndex { $0.id == id }
    case .own: menus.bar.count
    case .context, .contextMenu, nil: nil
    }
  }

  /// Returns the element with an id, in the open context menu or in the menus.
  func element(_ id: String) -> MenuElement? {
    switch bar.open.first?.source {
    case .context, .contextMenu: bar.context[id]?.element ?? menus[id]?.element
    case .app, .own, nil: menus[id]?.element
    }
  }

  // MARK: - Rows

  /// Updates the open menus whose items have come, and closes those that are gone.
  func refreshMenus() {
    // The rows of the face's own menu also depend on the screen: it has the menus without room in the bar.
    for index in bar.open.indices where bar.open[index].source == .own || !bar.open[index].isCurrent(menus.version) {
      guard let listed = listed(in: bar.open[index].source) else { return bar.open.removeSubrange(index...) }
      if case .app(let id) = bar.open[index].source, !isTold(id) { continue }
      bar.open[index].show(listed, version: menus.version, theme: settings.theme)
    }
  }

  private func listed(in source: OpenMenu.Source) -> [(id: String, row: MenuRow)]? {
    switch source {
    case .own: ownRows
    case .app(let id): menus[id].flatMap(rows(in:))
    case .contextMenu(let id): bar.context[id].flatMap(rows(in:))
    case .context: rows(in: bar.context.root)
    }
  }

  private func rows(in node: ShownMenus.Node) -> [(id: String, row: MenuRow)]? {
    if node.element.isHidden { return nil }
    let shown = node.shown
    return Array(zip(shown.map(\.id), MenuRow.rows(of: shown.map(\.element))))
  }

  /// The rows of the face's own menu: first, as submenus, the menus without room in the bar.
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
}

/// The view of the bar in the first row: the menus, the app's title, and the face's own menu at the right.
struct BarView {
  let titles: [String]
  /// The place of the mnemonic letter in each title.
  let letters: [Int?]
  /// The columns of each title, with a blank on either side.
  private let widths: [Int]
  var appTitle: String
  /// The place of the open menu; the last place is the face's own menu.
  var open: Int?

  /// The title of the face's own menu.
  static let own = "≡"

  init(titles: [String], appTitle: String, open: Int? = nil) {
    self.titles = titles
    letters = Mnemonics.chosen(for: titles)
    widths = titles.map { $0.columns + 2 }
    self.appTitle = appTitle
    self.open = open
  }

  /// Returns the areas of the titles, with a blank on either side; the last is the face's own menu, always at the
  /// right. Titles without room have no columns: the last titles, or the first if an open menu needs their room.
  func areas(on screen: Area) -> [Area] {
    let own = Area(row: screen.row, column: max(0, screen.endColumn - 3), rows: 1, columns: 3)
    let isWhole = widths.reduce(0, +) <= own.column - screen.column
    // Leaves a column on either side for the signs of more menus.
    let (left, right) = isWhole ? (screen.column, own.column) : (screen.column + 1, own.column - 1)
    var first = 0
    if let open, titles.indices.contains(open) {
      while first < open, left + widths[first...open].reduce(0, +) > right { first += 1 }
    }
    var column = first > 0 ? left : screen.column
    var isFull = false
    var areas = titles.indices.map { index in
      isFull = isFull || index >= first && column + widths[index] > right
      guard index >= first, !isFull else { return Area(row: screen.row, column: own.column, rows: 1, columns: 0) }
      defer { column += widths[index] }
      return Area(row: screen.row, column: column, rows: 1, columns: widths[index])
    }
    areas.append(own)
    return areas
  }

  func draw(on canvas: inout Canvas, theme: Theme = Theme()) {
    let screen = Area(row: 0, column: 0, rows: 1, columns: canvas.columns)
    canvas.fill(screen, style: theme.bar)
    let areas = areas(on: screen)
    for (index, (title, area)) in zip(titles + [Self.own], areas).enumerated() where area.columns > 0 {
      let style = index == open ? theme.openMenu : theme.bar
      canvas.fill(area, style: style)
      canvas.put(title, row: 0, column: area.column + 1, style: style)
      guard index < titles.count, let letter = letters[index] else { continue }
      let place = area.column + 1 + String(title.prefix(letter)).columns
      canvas.restyle(Area(row: 0, column: place, rows: 1, columns: 1)) { $0.marks.formUnion(theme.mnemonic) }
    }
    drawMore(areas, on: &canvas, theme)
    drawTitle(areas, on: &canvas, theme)
    canvas.lay(theme.overBar, in: screen)
  }

  /// Draws a sign on each side with hidden menus.
  private func drawMore(_ areas: [Area], on canvas: inout Canvas, _ theme: Theme) {
    guard let own = areas.last, own.column > 1 else { return }
    let isShown = areas.dropLast().map { $0.columns > 0 }
    if isShown.first == false { canvas.put("‹", row: 0, column: 0, style: theme.frame) }
    if isShown.last == false { canvas.put("›", row: 0, column: own.column - 1, style: theme.frame) }
  }

  /// Draws the app's title in the remaining space, if it is distinct from the menus there.
  private func drawTitle(_ areas: [Area], on canvas: inout Canvas, _ theme: Theme) {
    guard let own = areas.last, areas.dropLast().allSatisfy({ $0.columns > 0 }) else { return }
    let space = own.column - (areas.dropLast().map(\.endColumn).max() ?? 0) - 3
    guard space >= min(8, appTitle.columns) else { return }
    let width = min(space, appTitle.columns)
    canvas.put(appTitle.cut(toColumns: width), row: 0, column: own.column - 1 - width, style: theme.appTitle)
  }
}
