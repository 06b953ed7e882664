import ScriptHost

// The mouse: what a click does depends on what is drawn under it.

extension Face {
  func mouse(_ mouse: Mouse) {
    for overlay in over.reversed() where overlay.mouse(mouse, of: self) { return }
    switch mouse.deed {
    case .wheel(let rows, _): wheel(rows, mouse)
    case .press(.left): press(at: mouse)
    case .move(.left): drag(to: mouse)
    case .release(.left): release(at: mouse)
    case .press(.right): rightPress(at: mouse)
    default: break
    }
  }

  private struct Hit {
    var bar: Int?
    /// The index of the open menu under the mouse, and the place of the row there.
    var menu: Int?
    var place: Int?
    var row: (menu: Int, id: String)?
  }

  private func hit(_ mouse: Mouse) -> Hit {
    var hit = Hit()
    if mouse.row == 0 { hit.bar = layout.bar.firstIndex { $0.holds(row: 0, column: mouse.column) } }
    for index in open.indices.reversed() where layout.menus.indices.contains(index) {
      guard layout.menus[index].holds(row: mouse.row, column: mouse.column) else { continue }
      hit.menu = index
      if let place = open[index].view.row(at: mouse.row, column: mouse.column, in: layout.menus[index]) {
        hit.place = place
        hit.row = (index, open[index].ids[place])
      }
      break
    }
    return hit
  }

  // MARK: - The left button

  private func press(at mouse: Mouse) {
    let hit = hit(mouse)
    if let bar = hit.bar {
      if openPlace == bar { open = [] } else { openMenu(at: bar) }
    } else if let menu = hit.menu {
      point(at: hit.place, in: menu)
    } else if !open.isEmpty {
      open = []
    } else if mouse.row == rows - 1, !jobs.isEmpty {
      cancelJob()
    } else if !panel.isEmpty {
      // A press makes a row current; a press on the current row picks it.
      if let place = panelPlace(mouse), !panel.makeCurrent(place), panel.view.current == place { enterRow() }
    } else if layout.body.holds(row: mouse.row, column: mouse.column) {
      let index = bodyTop + mouse.row - layout.body.row
      if body.lines.indices.contains(index), !body.lines[index].id.isEmpty { pick(body.lines[index].id) }
    }
  }

  /// The right button: asks why in a menu, and opens the context menu of a row of the panel.
  private func rightPress(at mouse: Mouse) {
    if let (_, id) = hit(mouse).row { return askWhy(id) }
    guard open.isEmpty, let place = panelPlace(mouse) else { return }
    panel.makeCurrent(place)
    if panel.view.current == place { _ = opensMenuOfRow() }
  }

  /// Opens the menu under the mouse in the bar, or makes the row under it current.
  private func drag(to mouse: Mouse) {
    guard !open.isEmpty else { return }
    let hit = hit(mouse)
    if let bar = hit.bar, openPlace != bar { return openMenu(at: bar) }
    if let menu = hit.menu { point(at: hit.place, in: menu) }
  }

  private func release(at mouse: Mouse) {
    guard let (menu, id) = hit(mouse).row, open[menu].currentID == id else { return }
    if menu == open.count - 1, open[menu].currentRow?.kind == .item { enterCurrent() }
  }

  /// Makes a row current, and opens it if it is a menu.
  private func point(at place: Int?, in menu: Int) {
    guard let place, open[menu].view.current != place || menu < open.count - 1 else { return }
    open.removeSubrange((menu + 1)...)
    open[menu].makeCurrent(place)
    if open[menu].currentRow?.kind == .menu, open[menu].view.current == place { enterCurrent() }
  }

  private func wheel(_ step: Int, _ mouse: Mouse) {
    if let menu = hit(mouse).menu, menu == open.count - 1 {
      open[menu].move(by: step)
    } else if open.isEmpty, !panel.isEmpty {
      panel.scroll(by: 3 * step, in: layout.body)
    } else if open.isEmpty {
      bodyTop = max(0, bodyTop + 3 * step)
    }
  }
}
