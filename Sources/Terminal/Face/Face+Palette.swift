import ScriptHost

// The palette: a search, by a few letters, through everything that can be done or can't.

extension Face {
  func openPalette() {
    open = []
    tellChosen()
    var state = PaletteState(palette: palette, version: menus.version)
    state.find(latest: latest)
    over.append(.palette(state))
    ask("actions", for: .actions)
  }

  private var palette: Palette {
    // A row without a title can't be found by one.
    let items = menus.items.filter { !$0.node.element.title.allSatisfy(\.isWhitespace) }.map { node, path in
      let element = node.element
      return Palette.Entry(
        id: node.id, path: path + [element.title], action: element.action, key: element.key ?? "",
        reason: element.isBlocked ? "not now" : element.whyNot, isDestructive: element.isDestructive)
    }
    let own = OwnCommand.menu.compactMap { $0 }.filter { $0 != .palette }.map { command in
      Palette.Entry(id: command.id, path: [BarView.own, command.title], key: strokeShown(of: command)?.text ?? "")
    }
    let others = actions.map(\.paletteEntry)
    return Palette(items + others.filter { !$0.isUntitled } + own + others.filter(\.isUntitled))
  }

  /// Performs an action that has no item.
  func perform(_ action: ListedAction) {
    if let reason = action.reason { return refuse("\(action.title): \(reason)") }
    remember(action.entryID)
    carryOut(FaceDeed(kind: .perform(action.entry.name), title: action.title))
  }

  /// Updates an open palette.
  func refreshPalette() {
    for index in over.indices {
      guard case .palette(var state) = over[index], isPaletteStale || state.version != menus.version else { continue }
      let current = state.entry?.id
      state.palette = palette
      state.version = menus.version
      state.find(latest: latest, keeping: current)
      over[index] = .palette(state)
    }
    isPaletteStale = false
  }

  func paletteKey(_ palette: PaletteState, _ stroke: Stroke, _ text: String?) {
    var palette = palette
    defer { if case .palette? = over.last { over[over.count - 1] = .palette(palette) } }
    let count = palette.found.count
    // One row less than the list shows, so that the last row stays in view.
    let page = max(1, layout.over.rows - 5)
    switch (stroke.key, stroke.modifiers) {
    case ("esc", _), ("c", .ctrl): over.removeLast()
    case ("up", []), ("p", .ctrl): palette.current = count > 0 ? (palette.current + count - 1) % count : 0
    case ("down", []), ("n", .ctrl): palette.current = count > 0 ? (palette.current + 1) % count : 0
    case ("pageup", []): palette.current = max(0, palette.current - page)
    case ("pagedown", []): palette.current = max(0, min(count - 1, palette.current + page))
    case ("home", []): palette.current = 0
    case ("end", []): palette.current = max(0, count - 1)
    case ("enter", .alt): askWhy(palette.entry?.id)
    case ("enter", []):
      guard let entry = palette.entry else { return }
      if entry.isEnabled { over.removeLast() }
      pick(entry.id)
    case ("backspace", []):
      if !palette.typed.isEmpty { palette.typed.removeLast() }
      palette.find(latest: latest)
    case ("u", .ctrl), ("w", .ctrl):
      palette.typed = ""
      palette.find(latest: latest)
    case ("?", []) where palette.typed.isEmpty: askWhy(palette.entry?.id)
    default:
      guard let text, palette.type(text) else { return }
      palette.find(latest: latest)
    }
  }

  func typeIntoPalette(_ palette: PaletteState, _ text: String) {
    var palette = palette
    guard palette.type(text) else { return }
    palette.find(latest: latest)
    over[over.count - 1] = .palette(palette)
  }
}
