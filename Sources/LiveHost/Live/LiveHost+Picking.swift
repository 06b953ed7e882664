import ScriptHost

// Picks by number: a client that shows the menus in another program hands numbers to that program, never texts of scripts.

extension LiveHost {
  enum Picked {
    case id(String)
    /// The answer to a pick by a number of an older revision.
    case refused(Answer.Performed)
  }

  /// The item that a client picks, by its id, or by its number among the items of the last snapshot given out, those of the menus first and then
  /// the rows of the panel.
  func picked(_ given: Parameters, by client: Client) throws(CallError) -> Picked {
    let id = given.text("id")
    guard let number = given.integer("number") else {
      if given.integer("of") != nil { throw CallError(.parameters, "'of' of 'pick' stands beside a 'number'") }
      guard let id else { throw CallError(.parameters, "'pick' needs 'id', a string, or 'number', a whole number") }
      showContextMenu(of: client)
      return .id(id)
    }
    if id != nil { throw CallError(.parameters, "'pick' takes an 'id' or a 'number', not both") }
    let shown = shown(to: client)
    if shown.revision == 0 {
      throw CallError(.parameters, "no menus were given out yet that could be counted: ask for 'menus'")
    }
    if let of = given.integer("of") {
      // Only a new snapshot tells whether that revision is still the current one.
      draw(shown)
      if of != shown.revision { return .refused(refusal(of: number, since: of, until: shown.revision)) }
    }
    let items = shown.menus.items + (shown.menus.panel?.items ?? [])
    guard number > 0, number <= items.count else {
      throw CallError(.parameters, "there is no item \(number): the last menus that were given out have \(items.count)")
    }
    return .id(items[number - 1].id)
  }

  /// Opens a context menu for a client, which is its last one until it asks for another.
  func openContextMenu(_ menu: Client.ContextMenu, for client: Client) -> MenuElement? {
    client.contextMenu = menu
    contextMenuOwner = client
    hasContextMenus = true
    switch menu {
    case .ofRow(let id): return host.contextMenu(ofRow: id)
    case .of(let kind, let subject, let responder): return host.contextMenu(kind, subject: subject, from: responder)
    }
  }

  /// Makes a client's context menu the host's last one: the host remembers a single one, and each client means its own.
  func showContextMenu(of client: Client) {
    guard hasContextMenus, contextMenuOwner !== client else { return }
    // For a client that never asked for a context menu, an empty one is opened.
    _ = openContextMenu(client.contextMenu ?? .of("", .null, nil), for: client)
  }

  private func refusal(of number: Int, since of: Int, until revision: Int) -> Answer.Performed {
    let reason =
      "the menus have changed since revision \(of), so number \(number) may be another item: it is \(revision) now"
    return Answer.Performed(
      name: "\(number)", outcome: Outcome(.disabled, reason: reason), result: .nil)
  }
}
