import LiveHost
import ScriptHost

// The panes of the panel: their areas on the screen and their keys (P5 to P10).

extension Face: LineTeller {
  /// Updates the panes and the focused pane from the menus.
  func refreshPanes() {
    guard panesVersion != menus.version else { return }
    panesVersion = menus.version
    let ids = menus.panel.shown.flatMap(\.panes)
    if ids.isEmpty {
      panes = []
      if panel.id != nil { panel = Panel() }
      return
    }
    if ids != panes.map(\.panel.id) {
      panes = ids.map { id in
        let isText = menus[id]?.element.kind == .text
        return panes.first { $0.panel.id == id && ($0.text != nil) == isText } ?? PaneArea(Panel(id), isText: isText)
      }
    }
    let focused = panes.first { pane in pane.panel.id.flatMap { menus[$0] }?.element.area?.isFocused ?? false }
    panel = (focused ?? panes.first { $0.panel === panel } ?? panes[0]).panel
    for pane in panes { pane.panel.refresh(from: self) }
  }

  /// The lists of rows: those of the panes, or the list that fills the panel.
  var panels: [Panel] { panes.isEmpty ? [panel] : panes.map(\.panel) }

  /// The text that has the focus; nil if a pane with rows has it.
  private var focusedText: TextView? { panes.first { $0.panel === panel }?.text }

  /// The ids of the texts that show more than their title.
  var seenTexts: [String] {
    if panes.isEmpty { return [] }
    let tree = areasOfPanes(in: middle)
    tree.place(in: middle)
    return tree.components.filter { $0.area.rows > 1 }.compactMap { ($0 as? PaneArea)?.text?.id }
  }

  /// Whether a text on the screen may get more lines.
  var expectsLines: Bool { seenTexts.contains { menus[$0]?.element.area?.text?.isRunning ?? false } }

  func isAwaiting(linesOf text: String) -> Bool {
    awaited.values.contains { if case .lines(text) = $0 { true } else { false } }
  }

  /// Handles lines of a text from the app.
  func take(linesOf id: String, _ json: JSON) {
    guard let text = panes.first(where: { $0.panel.id == id })?.text else { return }
    text.take(json)
    text.refresh(from: self)
  }

  /// Goes to a found line of a text.
  func take(placeIn id: String, of wanted: String, _ json: JSON) {
    guard let number = json["number"]?.integer else { return say(.refused("no line contains '\(wanted)'")) }
    panes.first { $0.panel.id == id }?.text?.go(to: number - 1, of: self)
  }

  func focusPane(_ id: String) {
    if panel.id == id { return }
    ask("choose", [("id", .text(id))], for: .pane(id))
  }

  /// Focuses the pane so many places after the focused pane.
  private func focusPane(behind step: Int) {
    guard let place = panes.firstIndex(where: { $0.panel === panel }) else { return }
    let next = panes[(place + step + panes.count) % panes.count].panel
    if let id = next.id { focusPane(id) }
  }

  /// The tabs of which the focused pane is in one; empty outside of tabs.
  var tabsAroundPane: [ShownMenus.Node] {
    guard let id = panel.id else { return [] }
    return menus.panel.shown.lazy.compactMap { $0.tabs(around: id) }.first?.shown.filter { !$0.panes.isEmpty } ?? []
  }

  /// Focuses the tab so many places after the current tab; false outside of tabs.
  private func showTab(behind step: Int) -> Bool {
    guard let id = panel.id else { return false }
    let tabs = tabsAroundPane
    guard let place = tabs.firstIndex(where: { $0.panes.contains(id) }) else { return false }
    focusPane(tabs[(place + step + tabs.count) % tabs.count].panes[0])
    return true
  }

  // MARK: - Keys

  /// Handles a key of the panes. The app's keys go to the app, except `esc` while there is something to clear.
  func keyOfPanes(_ stroke: Stroke, _ text: String?) -> Bool {
    guard !panes.isEmpty, strokes.begun.isEmpty else { return false }
    if let focusedText, focusedText.isSearching { return focusedText.keyOfSearch(stroke, text, self) }
    if panel.keyOfFilter(stroke, text, of: self) { return true }
    if stroke == .escape, focusedText?.clears(of: self) ?? panel.clears(of: self) { return true }
    guard !isBound(stroke), !panel.isTyping(now) else { return false }
    let stroke = movingKey(stroke)
    switch (stroke.key, stroke.modifiers) {
    case ("tab", []) where panes.count > 1: focusPane(behind: 1)
    case ("tab", .shift) where panes.count > 1: focusPane(behind: -1)
    case ("enter", .alt): isPaneAlone.toggle()
    case ("up", .shift) where scrollText(by: -1): break
    case ("down", .shift) where scrollText(by: 1): break
    case ("pageup", .shift) where scrollText(by: -pageOfText): break
    case ("pagedown", .shift) where scrollText(by: pageOfText): break
    case ("[", []) where showTab(behind: -1): break
    case ("]", []) where showTab(behind: 1): break
    default:
      if let pane = paneOfKey(stroke) {
        focusPane(pane)
        return true
      }
      if let focusedText { return focusedText.key(stroke, text, of: self) }
      return panel.keyOfMarks(stroke, of: self)
    }
    return true
  }

  /// The visible text about the focused pane.
  private var textAboutFocused: PaneArea? {
    guard let id = panel.id else { return nil }
    return panes.first { $0.area.rows > 1 && $0.isAbout(id, in: menus) }
  }

  private var pageOfText: Int { max(1, (textAboutFocused?.area.rows ?? 0) - 2) }

  /// Scrolls the text about the focused pane. Returns false if there is none.
  private func scrollText(by rows: Int) -> Bool {
    guard let text = textAboutFocused?.text else { return false }
    text.scroll(by: rows, of: self)
    return true
  }

  /// Returns the pane with this key; nil if the app has bound it.
  func paneOfKey(_ stroke: Stroke) -> String? {
    guard !isBound(stroke) else { return nil }
    return panes.lazy.compactMap(\.panel.id).first { id in
      menus[id]?.element.key.flatMap { try? KeySequence.parse($0) } == KeySequence(stroke)
    }
  }

  // MARK: - The screen

  /// Returns the areas of the panes. If they don't fit, the focused pane is shown above the others' titles (P6).
  func areasOfPanes(in area: Area) -> AreaTree {
    let whole = AreaTree.split(isBeside: false, menus.panel.shown.compactMap(part))
    if !isPaneAlone, whole.fits(in: area) { return whole }
    guard let pane = panes.first(where: { $0.panel === panel }) else { return whole }
    // A very small screen has room for one line with the titles of all.
    if !isPaneAlone, area.rows < panes.count + 3, panes.count > 1, area.rows > 3 {
      return .stack([(1, .area(lineOfTitles)), (nil, .area(pane))])
    }
    let others = isPaneAlone || area.rows < panes.count + 3 ? [] : panes.filter { $0 !== pane }
    guard !isPaneAlone, let id = pane.panel.id, area.rows > others.count + 12,
      let text = others.first(where: { $0.isAbout(id, in: menus) })
    else { return .stack([(nil, .area(pane))] + others.map { (1, .area($0)) }) }
    let both = [pane, text].map { AreaTree.Part(share: 1, least: nil, most: nil, child: .area($0)) }
    return .stack([(nil, .split(isBeside: false, both))] + others.filter { $0 !== text }.map { (1, .area($0)) })
  }

  /// A line with the titles of all panes.
  private var lineOfTitles: TabLine {
    TabLine(
      panes.compactMap { pane in
        guard let id = pane.panel.id, let element = menus[id]?.element, !element.isHidden else { return nil }
        let title = element.title.isEmpty ? id : element.title
        return TabLine.Tab(pane: id, title: title, isShown: pane.panel === panel)
      })
  }

  private func part(_ node: ShownMenus.Node) -> AreaTree.Part? {
    guard let child = areas(of: node) else { return nil }
    let area = node.element.area
    let most = area?.fits == true ? panes.first { $0.panel.id == node.id }?.rowsNeeded(by: node.element) : nil
    return AreaTree.Part(share: area?.share ?? 1, least: area?.least, most: most, child: child)
  }

  private func areas(of node: ShownMenus.Node) -> AreaTree? {
    let parts = node.shown.compactMap(part)
    switch node.element.kind {
    case .pane, .text: return panes.first { $0.panel.id == node.id }.map { .area($0) }
    case .beside: return parts.isEmpty ? nil : .split(isBeside: true, parts)
    case .stack: return parts.isEmpty ? nil : .split(isBeside: false, parts)
    case .tabs: return tabs(node)
    default: return nil
    }
  }

  /// Returns a line with the titles of all tabs, and below it the tab that the app shows.
  private func tabs(_ node: ShownMenus.Node) -> AreaTree? {
    let children = node.shown.filter { !$0.panes.isEmpty }
    guard let first = children.first else { return nil }
    let shown = children.first { $0.id == node.element.area?.current } ?? first
    let line = TabLine(
      children.map { child in
        let title = child.element.title.isEmpty ? child.id : child.element.title
        return TabLine.Tab(pane: child.panes[0], title: title, isShown: child === shown)
      })
    return areas(of: shown).map { .stack([(1, .area(line)), (nil, $0)]) }
  }
}

extension PaneArea {
  /// Returns true if the pane is a text about the rows of another pane.
  func isAbout(_ pane: String, in menus: ShownMenus) -> Bool {
    guard let text, let of = menus[text.id]?.element.area?.text?.of else { return false }
    return of.contains(pane) || of.contains("focus")
  }
}

extension ShownMenus.Node {
  /// The ids of this pane and the panes in it, in order.
  var panes: [String] {
    switch element.kind {
    case .pane, .text: [id]
    case .beside, .stack, .tabs: shown.flatMap(\.panes)
    default: []
    }
  }

  /// Returns the innermost `tabs` around a pane.
  fileprivate func tabs(around pane: String) -> ShownMenus.Node? {
    guard panes.contains(pane) else { return nil }
    return shown.lazy.compactMap { $0.tabs(around: pane) }.first ?? (element.kind == .tabs ? self : nil)
  }
}

/// The *tab line* shows the titles of a `tabs`; one of its children is shown below.
final class TabLine: Component {
  struct Tab {
    /// The pane that gets the focus with the tab.
    let pane: String
    let title: String
    let isShown: Bool
  }

  let tabs: [Tab]
  var area = Area.nowhere

  init(_ tabs: [Tab]) { self.tabs = tabs }

  func draw(on canvas: inout Canvas, theme: Theme) {
    for (place, tab) in zip(places, tabs) {
      canvas.put(tab.title, row: area.row, column: place, style: tab.isShown ? theme.header : theme.subtitle, in: area)
    }
  }

  func mouse(_ mouse: Mouse, of face: Face) -> Bool {
    guard case .press(.left) = mouse.deed, area.holds(mouse) else { return true }
    if let index = places.lastIndex(where: { $0 <= mouse.column }) { face.focusPane(tabs[index].pane) }
    return true
  }

  private var places: [Int] {
    var column = area.column + 1
    return tabs.map { tab in
      defer { column += tab.title.columns + 3 }
      return column
    }
  }
}
