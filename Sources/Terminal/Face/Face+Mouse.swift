import ScriptHost

// The mouse: what a click does depends on what is drawn under it.

extension Face {
  func mouse(_ mouse: Mouse) {
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
    if let top = over.last { return press(top, mouse) }
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
    guard over.isEmpty, open.isEmpty, let place = panelPlace(mouse) else { return }
    panel.makeCurrent(place)
    if panel.view.current == place { _ = opensMenuOfRow() }
  }

  /// Opens the menu under the mouse in the bar, or makes the row under it current.
  private func drag(to mouse: Mouse) {
    guard over.isEmpty, !open.isEmpty else { return }
    let hit = hit(mouse)
    if let bar = hit.bar, openPlace != bar { return openMenu(at: bar) }
    if let menu = hit.menu { point(at: hit.place, in: menu) }
  }

  private func release(at mouse: Mouse) {
    guard over.isEmpty, let (menu, id) = hit(mouse).row, open[menu].currentID == id else { return }
    if menu == open.count - 1, open[menu].currentRow?.kind == .item { enterCurrent() }
  }

  /// Makes a row current, and opens it if it is a menu.
  private func point(at place: Int?, in menu: Int) {
    guard let place, open[menu].view.current != place || menu < open.count - 1 else { return }
    open.removeSubrange((menu + 1)...)
    open[menu].makeCurrent(place)
    if open[menu].currentRow?.kind == .menu, open[menu].view.current == place { enterCurrent() }
  }

  // MARK: - What lies over everything

  private func press(_ overlay: Overlay, _ mouse: Mouse) {
    let isInside = layout.over.holds(row: mouse.row, column: mouse.column)
    switch overlay {
    case .palette(var state):
      guard isInside else { return over = over.dropLast() }
      let view = PaletteView(palette: state.palette, typed: state.typed, found: state.found, current: state.current)
      guard let place = view.place(at: mouse.row, in: layout.over) else { return }
      if place != state.current {
        state.current = place
        over[over.count - 1] = .palette(state)
      } else if let entry = state.entry {
        if entry.isEnabled { over.removeLast() }
        pick(entry.id)
      }
    case .page: if !isInside { over.removeLast() }
    case .prompt(let state):
      guard isInside else { return leavePrompt(state) }
      press(state, mouse)
    case .question(let state):
      let buttons = state.view.buttons(in: layout.over)
      if buttons.safe.holds(row: mouse.row, column: mouse.column) { answer(state, false) }
      if buttons.deed.holds(row: mouse.row, column: mouse.column) { answer(state, true) }
    }
  }

  /// A press makes a field the current one. A press on a choice makes that current, and takes it if it is already; of a list of several it picks it.
  private func press(_ state: PromptState, _ mouse: Mouse) {
    guard let (place, choice) = PromptView(prompt: state.prompt).place(at: mouse.row, in: layout.over) else { return }
    guard let choice else { return editPrompt { $0.makeCurrent(place) } }
    let field = state.prompt.field
    if field.picksSeveral {
      return editPrompt { prompt in
        prompt.edit {
          $0.choose(choice)
          $0.togglePick()
        }
      }
    }
    if choice == (field.paths.isEmpty ? field.chosen : field.path) { return enterPrompt(state) }
    editPrompt { prompt in prompt.edit { $0.choose(choice) } }
  }

  private func wheel(_ step: Int, _ mouse: Mouse) {
    switch over.last {
    case .palette(var state):
      state.current = max(0, min(state.found.count - 1, state.current + step))
      over[over.count - 1] = .palette(state)
    case .page(var page):
      let last = page.view.lastTop(in: page.view.area(on: overlayScreen))
      page.top = max(0, min(last, (page.followsEnd ? last : page.top) + 3 * step))
      page.followsEnd = page.kind == .log && page.top == last
      over[over.count - 1] = .page(page)
    case .prompt: editPrompt { prompt in prompt.edit { $0.moveChoice(by: step) } }
    case .question: break
    case nil:
      if let menu = hit(mouse).menu, menu == open.count - 1 {
        open[menu].move(by: step)
      } else if open.isEmpty, !panel.isEmpty {
        panel.scroll(by: 3 * step, in: layout.body)
      } else if open.isEmpty {
        bodyTop = max(0, bodyTop + 3 * step)
      }
    }
  }
}
