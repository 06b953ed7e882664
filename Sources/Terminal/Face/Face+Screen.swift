// The screen: how it is divided, what is drawn on it, and what is below the mouse.

extension Face {
  /// The area for overlays: all but the bar and the status line.
  var overlayScreen: Area { Area(row: min(1, rows - 1), column: 0, rows: max(1, rows - 2), columns: columns) }

  /// The list that fills the screen: the panel, or what can be done now where there is none.
  private var list: any Component { panel.isEmpty ? parts.body : panel }

  func draw() -> Canvas {
    isDrawn = true
    var canvas = Canvas(columns: columns, rows: rows)
    panel.refresh(from: self)
    let list = list
    layout = .stack([(1, .area(bar)), (1, .blank), (nil, .area(list)), (1, .blank), (1, .area(parts.status))])
    layout.place(in: canvas.frame)
    panel.area = list.area
    draw(list, on: &canvas)
    draw(bar, on: &canvas)
    draw(parts.hints, on: &canvas)
    for overlay in over {
      overlay.refresh(from: self)
      overlay.area = overlay.area(on: overlayScreen)
      overlay.draw(on: &canvas, theme: settings.theme)
    }
    draw(parts.status, on: &canvas)
    return canvas
  }

  private func draw(_ component: any Component, on canvas: inout Canvas) {
    component.refresh(from: self)
    component.draw(on: &canvas, theme: settings.theme)
  }

  /// Gives the mouse to what lies above everything else, or else to what is below it. The wheel turns the list from anywhere.
  func mouse(_ mouse: Mouse) {
    for overlay in over.reversed() where overlay.mouse(mouse, of: self) { return }
    if bar.mouse(mouse, of: self) { return }
    if case .wheel = mouse.deed { return _ = list.mouse(mouse, of: self) }
    _ = layout.component(at: mouse)?.mouse(mouse, of: self)
  }
}
