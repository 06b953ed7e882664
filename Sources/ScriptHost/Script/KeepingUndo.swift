// `undo = { keep = true }`: a history of actions survives a reload, and the end of the app (U13).
//
// Each history has its own file beside that of `app.store`. The host reads it at the end of loading. It writes it when
// an action's stretch ends that changed the history, under the lock of the stores. If several processes run the app,
// the last writer wins.

extension ScriptEngine {
  /// The most bytes of a history.
  private static let mostStored = 256 << 10
  /// The most kept histories.
  private static let mostHistories = 100

  /// Recalls the histories of all responders. Called at the end of loading.
  func recallHistories() {
    for responder in chain.responders.values where responder.keepsUndo && responder.undoStack == nil {
      _ = undo.stack(of: responder)
    }
  }

  /// Fills the empty stack of a responder that keeps its history, and writes the stack from now on.
  func recall(_ stack: UndoStack) {
    let responder = stack.responder
    let known = histories[responder.name]
    if known == nil, histories.count >= Self.mostHistories {
      return warnOnce(
        "not-stored", "the undo history of '\(responder.name)' is not kept: there are \(Self.mostHistories)", at: nil)
    }
    let kept = known ?? KeptHistory(responder.name, of: script(of: responder.owner)?.plugin?.manifest.name)
    if histories.isEmpty { noteSecrets() }
    histories[responder.name] = kept
    kept.stack = stack
    dispatcher.isStoring = true
    read(kept)
    guard let stored = kept.stored, stack.isEmpty(.undo), stack.isEmpty(.redo) else { return }
    func groups(_ entries: [StoredHistory.Entry]) -> [UndoGroup] { entries.compactMap { group($0, of: stack, kept) } }
    stack.fill(undo: groups(stored.undo), redo: groups(stored.redo))
  }

  private func group(_ entry: StoredHistory.Entry, of stack: UndoStack, _ kept: KeptHistory) -> UndoGroup? {
    let owner = script(of: kept)?.owner ?? stack.responder.owner
    let reversals = entry.actions.map {
      PerformedReversal($0.reference, $0.arguments, at: $0.start, taker: stack.responder, of: owner, dispatcher)
    }
    return UndoGroup(title: entry.title, reversals: reversals, key: nil)
  }

  /// Drops the stacks of a replaced script, so that they are recalled: their functions are gone with the script.
  func letGoOfHistories(of script: ScriptOwner) {
    for kept in histories.values where kept.plugin == script.plugin?.manifest.name {
      if let responder = kept.stack?.responder, !responder.isRemoved { responder.undoStack = nil }
      kept.stack = nil
    }
  }

  private func script(of kept: KeptHistory) -> ScriptOwner? {
    kept.plugin == nil ? app : owners.first { $0.plugin?.manifest.name == kept.plugin && !$0.owner.hasLeft }
  }

  // MARK: Secrets

  /// Notes all future secrets.
  private func noteSecrets() {
    dispatcher.secretHearers.add { [unowned self] value in
      if case .text(let text) = value, !text.isEmpty, secretTexts.count < 10_000 { secretTexts.insert(text) }
    }
  }

  private func holdsSecret(_ reversal: ActionReversal) -> Bool {
    let secrets = dispatcher.secrets(of: reversal.reference)
    let given = (reversal.reference.arguments?.members ?? []) + reversal.arguments.members
    if given.contains(where: { secrets.contains($0.key) }) { return true }
    return given.contains { holdsSecret($0.value) } || holdsSecret(.text(reversal.title ?? ""))
  }

  private func holdsSecret(_ literal: Literal) -> Bool {
    switch literal {
    case .null, .bool, .integer, .number: false
    case .text(let text): secretTexts.contains { text.contains($0) }
    case .list(let values): values.contains(where: holdsSecret)
    case .object(let object): object.members.contains { holdsSecret(.text($0.key)) || holdsSecret($0.value) }
    }
  }

  // MARK: Files

  /// Returns the place of a history; nil for an app without a name.
  private func place(of kept: KeptHistory) -> HostStorage.Place? {
    guard var place = script(of: kept).flatMap(storePlace) else { return nil }
    place.history = kept.name
    return place
  }

  private func read(_ kept: KeptHistory) {
    guard !kept.isRead, let place = place(of: kept) else { return }
    kept.isRead = true
    do {
      guard let literal = try written(of: kept, at: place) else { return }
      kept.stored = try StoredHistory(literal, of: kept.name)
    } catch {
      kept.whyUnread = "\(error)"
      report(Diagnostic(.error, "not-stored", "the undo history of '\(kept.name)' can't be read: \(error)"))
    }
  }

  /// Returns the stored history: the recorded one in a replay. A recording gets what the storage has.
  private func written(of kept: KeptHistory, at place: HostStorage.Place) throws -> Literal? {
    let arguments = [LuaTree.text(kept.name)]
    if case .given(let give) = host.outside { return give("app.undo", arguments)?.values.first }
    guard let storage = host.storage else { return nil }
    let literal = try storage.read(place).map(StoredHistory.literal)
    if case .noted(let note) = host.outside {
      let given = Given("app.undo", arguments)
      (given.values, given.hasEnded) = (literal.map { [$0] } ?? [], true)
      note(given)
    }
    return literal
  }

  /// Writes the changed histories. Called with `writeStores`.
  func writeHistories() {
    for kept in histories.values.sorted(by: { $0.name.precedesByBytes($1.name) }) { write(kept) }
  }

  private func write(_ kept: KeptHistory) {
    guard let stack = kept.stack, stack.isChanged, !stack.responder.isRemoved, stack.responder.keepsUndo else { return }
    stack.isChanged = false
    var stored = StoredHistory(of: stack, holdsSecret: holdsSecret)
    stored.trim(to: Self.mostStored, of: kept.name)
    if stored == kept.stored { return }
    kept.stored = stored
    if case .given = host.outside { return }
    guard let storage = host.storage, let place = place(of: kept) else { return }
    do {
      if kept.whyUnread != nil { throw LuaMisuse("the stored file can't be read, so the host doesn't overwrite it") }
      try lockStores(of: place.ofApp, in: storage)
      try storage.write(place, stored.json(of: kept.name))
      kept.whyUnwritten = nil
    } catch {
      let reason = (error as? LuaMisuse)?.message ?? "\(error)"
      if kept.whyUnwritten == reason { return }
      kept.whyUnwritten = reason
      report(Diagnostic(.error, "not-stored", "the undo history of '\(kept.name)' is not written: \(reason)"))
    }
  }
}
