import ScriptHost

// Draws the face.

extension Face {
  /// The area for overlays: all but the bar and the status line.
  var overlayScreen: Area { Area(row: min(1, rows - 1), column: 0, rows: max(1, rows - 2), columns: columns) }

  func draw() -> Canvas {
    isDrawn = true
    refreshMenus()
    refreshPanel()
    for overlay in over { overlay.refresh(from: self) }
    var canvas = Canvas(columns: columns, rows: rows)
    guard columns > 0, rows > 0 else { return canvas }
    drawBody(on: &canvas)
    drawBar(on: &canvas)
    drawMenus(on: &canvas)
    parts.hints.refresh(from: self)
    parts.hints.draw(on: &canvas, theme: settings.theme)
    for overlay in over {
      overlay.area = overlay.area(on: overlayScreen)
      overlay.draw(on: &canvas, theme: settings.theme)
    }
    StatusView.draw(status, on: &canvas, theme: settings.theme)
    return canvas
  }

  private func drawBar(on canvas: inout Canvas) {
    let bar = BarView(titles: menus.bar.map(\.element.title), appTitle: title, open: openPlace)
    layout.bar = bar.areas(on: Area(row: 0, column: 0, rows: 1, columns: columns))
    bar.draw(on: &canvas, theme: settings.theme)
  }

  // MARK: - Menus

  private func drawMenus(on canvas: inout Canvas) {
    let cascade = Cascade(open.map(\.view), from: anchor, titles: open.map(title), on: overlayScreen)
    layout.menus = cascade.areas
    let first = cascade.areas.firstIndex { !$0.isEmpty }
    for (index, area) in cascade.areas.enumerated() where !area.isEmpty {
      open[index].scroll(in: area)
      open[index].view.draw(
        on: &canvas, in: area, path: index == first ? cascade.path : [], theme: settings.theme)
    }
    for (one, other) in zip(cascade.areas, cascade.areas.dropFirst()) {
      Frame.join(one, other, on: &canvas, theme: settings.theme)
    }
  }

  private func title(of menu: OpenMenu) -> String {
    switch menu.source {
    case .app(let id): menus[id]?.element.title ?? ""
    case .contextMenu(let id): context[id]?.element.title ?? ""
    case .own: BarView.own
    case .context: ""
    }
  }

  /// The anchor of the first open menu: below its title in the bar, or beside the row from which it was opened.
  private var anchor: PulldownView.Anchor {
    guard let openPlace else { return anchorOfRow }
    let isShown = layout.bar.indices.contains(openPlace)
    return .init(row: 1, column: isShown ? layout.bar[openPlace].column : 0)
  }

  /// The anchor beside the current row of the panel.
  private var anchorOfRow: PulldownView.Anchor {
    let row = layout.body.row + (panel.view.current ?? 0) - panel.view.top
    return .init(row: max(1, min(rows - 2, row + 1)), column: 6)
  }

  // MARK: - The rest

  private func drawBody(on canvas: inout Canvas) {
    let area = Area(row: 2, column: 0, rows: max(0, rows - 4), columns: columns)
    // Where the current row is seen, a screen of another size shows it too.
    if hasRows, area != layout.body, panel.view.showsCurrent(in: layout.body) { isRowFollowed = true }
    layout.body = area
    if !panel.isEmpty { return drawPanel(on: &canvas, in: area) }
    if !body.isCurrent(menus.version) { body = currentBody }
    let view = BodyView(lines: body.lines, top: bodyTop)
    bodyTop = max(0, min(bodyTop, view.lastTop(in: area)))
    if !area.isEmpty { view.draw(on: &canvas, in: area, theme: settings.theme) }
  }

  private func drawPanel(on canvas: inout Canvas, in area: Area) {
    if isRowFollowed { panel.scroll(in: area) } else { panel.scroll(by: 0, in: area) }
    isRowFollowed = false
    if !area.isEmpty { panel.view.draw(on: &canvas, in: area, theme: settings.theme) }
  }

  var currentBody: Body {
    menus.bar.isEmpty
      ? Body(responders, keys: keys, actions: actions, version: menus.version) : Body(menus, chain: chain)
  }
}
