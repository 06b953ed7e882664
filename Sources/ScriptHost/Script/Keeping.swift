import CLua

// `app.keep`: a table of plain data for each owner, which survives a reload of its script.

extension ScriptEngine {
  private static let keptName = "app.keep"
  private static let keptDepth = 64
  private static let keptLimit = 100_000

  /// Returns an owner's `app.keep`, made at its first use.
  func kept(by script: ScriptOwner) -> LuaTable {
    if let known = script.keep { return known }
    let made = lua.newTable()
    script.keep = made
    return made
  }

  /// Returns a copy of an owner's `app.keep` for the next version of its script, without values that can't be kept. Also
  /// returns an error for each of these. A reload doesn't fail because of them, so that the person can correct the script.
  func copyOfKept(by script: ScriptOwner) throws -> (copy: LuaTable?, leftBehind: [String], isTooLarge: Bool) {
    guard let keep = script.keep else { return (nil, [], false) }
    var copying = KeepCopy(lua: lua, depthLimit: Self.keptDepth, sizeLimit: Self.keptLimit, leavesBehind: true)
    return (try copying.copy(keep, Self.keptName), copying.leftBehind, copying.isTooLarge)
  }

  func copyOfPlain(_ value: LuaValue) throws -> LuaValue {
    var copying = KeepCopy(lua: lua, depthLimit: Self.keptDepth, sizeLimit: Self.keptLimit)
    return try copying.copy(of: value, Self.keptName)
  }

  /// Replaces an owner's `app.keep` by a copy of a table of plain data.
  func setKept(_ value: LuaValue, by script: ScriptOwner) throws {
    switch value {
    case .nil: script.keep = nil
    case .table(let table):
      var copying = KeepCopy(lua: lua, depthLimit: Self.keptDepth, sizeLimit: Self.keptLimit)
      script.keep = try copying.copy(table, Self.keptName)
    default: throw LuaMisuse("'keep' must be a table of plain data, not \(value.described)")
    }
  }
}

/// The state of copying plain data: the tables around the present value, and the number of copied values.
private struct KeepCopy {
  let lua: LuaState
  let depthLimit: Int
  let sizeLimit: Int
  /// Whether values that aren't plain data are left behind. Without it they are errors.
  let leavesBehind: Bool
  /// The errors of the values that were left behind, without the later ones of too many.
  private(set) var leftBehind: [String] = []
  private var inside: [UnsafeRawPointer] = []
  private var size = 0
  var isTooLarge: Bool { size > sizeLimit }

  /// The most errors that are reported.
  private static let mostErrors = 8

  init(lua: LuaState, depthLimit: Int, sizeLimit: Int, leavesBehind: Bool = false) {
    self.lua = lua
    self.depthLimit = depthLimit
    self.sizeLimit = sizeLimit
    self.leavesBehind = leavesBehind
  }

  mutating func copy(_ table: LuaTable, _ path: String) throws -> LuaTable {
    try checkPlain(table, path)
    let identity = try lua.identity(of: table)
    if inside.contains(identity) { throw LuaMisuse("\(path) holds itself: only plain data can be kept") }
    if inside.count == depthLimit { throw LuaMisuse("\(path) is nested more than \(depthLimit) deep") }
    inside.append(identity)
    defer { inside.removeLast() }
    let made = lua.newTable()
    try lua.forEach(in: table) { key, value in
      do {
        size += 1
        if isTooLarge { throw LuaMisuse("app.keep has more than \(sizeLimit) values") }
        let path = try Self.path(key, in: path)
        try lua.rawSet(key, try copy(of: value, path), of: made)
      } catch let misuse as LuaMisuse where leavesBehind {
        if leftBehind.count < Self.mostErrors, leftBehind.last != misuse.message { leftBehind.append(misuse.message) }
        return !isTooLarge
      }
      return true
    }
    return made
  }

  mutating func copy(of value: LuaValue, _ path: String) throws -> LuaValue {
    switch value {
    case .nil, .bool, .integer, .number, .text, .bytes: return value
    case .table(let table): return .table(try copy(table, path))
    case .object(let object) where object is LuaSentinel: return value
    case .function, .thread, .object:
      throw LuaMisuse("\(path) is \(value.described): only plain data can be kept")
    }
  }

  private func checkPlain(_ table: LuaTable, _ path: String) throws {
    try lua.push(table.reference, on: lua.L)
    defer { clua_pop(lua.L, 1) }
    if clua_hostNumber(lua.L, -1) >= 0 {
      throw LuaMisuse("\(path) is an object of the host's: only plain data can be kept, its name for example")
    }
    if clua_metatable(lua.L, -1) {
      clua_pop(lua.L, 1)
      let what = try lua.isContext(table) ? PlainLiteral.context : "has a metatable"
      throw LuaMisuse("\(path) \(what): only plain data can be kept")
    }
  }

  /// Returns the path of the value at a key, in Lua's syntax.
  private static func path(_ key: LuaValue, in path: String) throws -> String {
    switch key {
    case .text, .integer, .number, .bool, .bytes: PlainLiteral.path(key, in: path)
    default: throw LuaMisuse("\(path) has \(key.described) for a key: only plain data can be kept")
    }
  }
}

// Counts the bytes that the host keeps for scripts' declarations, and limits them.

extension ScriptEngine {
  /// The most bytes that the host keeps for the declarations of an owner.
  private var mostKept: Int { lua.limits.memory / 4 }

  /// Throws if the host can't keep this number of further bytes for an owner.
  func checkKept(_ more: Int, for owner: ScriptOwner) throws {
    guard owner.kept.bytes + more > mostKept else { return }
    throw LuaMisuse(
      "the texts and tables that '\(owner.owner.name)' declares have more than \(mostKept) bytes together")
  }

  /// Counts the bytes of an entry of a table as long as the entry exists.
  func countKept(_ content: TableContent, in table: ObjectTable, _ action: String, _ behaviour: Behaviour) {
    let bytes = content.keptBytes
    if bytes == 0, behaviour.kept.isEmpty { return }
    behaviour.kept["\(table.name).\(action)"] =
      bytes == 0 ? nil : script(of: behaviour.owner)?.kept.share(KeptBytes.base + bytes)
  }
}

extension TableContent {
  /// The bytes of the texts and values that the host keeps; 0 for a function, which Lua keeps.
  var keptBytes: Int {
    switch self {
    case .nothing, .handler: 0
    case .question(let question): (question as? SaidConfirmation)?.text.utf8.count ?? 0
    case .needs(let needs): needs.reduce(0) { $0 + KeptBytes.base + $1.key.utf8.count + ($1.reason?.utf8.count ?? 0) }
    case .takes(let takes): takes.arguments.reduce(0) { $0 + $1.keptBytes }
    case .about(let about): about.title.utf8.count + (about.help?.utf8.count ?? 0) + (about.icon?.utf8.count ?? 0)
    case .binding(let binding): binding.all.reduce(binding.title?.utf8.count ?? 0) { $0 + 2 * $1.raw.utf8.count }
    }
  }
}

extension DeclaredArgument {
  fileprivate var keptBytes: Int {
    let texts = [facts.title, facts.help, facts.pattern].reduce(4 * KeptBytes.base) { $0 + ($1?.utf8.count ?? 0) }
    let values = [facts.preset, facts.proposal].reduce(facts.key.utf8.count) { $0 + ($1?.textBytes ?? 0) }
    let choices = (facts.choices ?? []).reduce(0) { sum, choice in
      sum + KeptBytes.base + choice.value.textBytes + (choice.title?.utf8.count ?? 0)
    }
    return texts + values + choices
  }
}

extension ActionPattern {
  var keptBytes: Int { patterns.reduce(0) { $0 + KeptBytes.base + $1.utf8.count } }
}

/// The data that a new version of a script inherits from the old version: `app.keep` and `app.store`.
///
/// The old version's waiting actions are cancelled only after the new version is loaded. Their changes of the data are
/// undone then, also in the new version's copies, except for keys that it has written itself.
struct Inheritance {
  private let engine: ScriptEngine
  private let old: ScriptOwner
  private let kept: LuaTable?
  private let stored: LuaTable?

  init(_ engine: ScriptEngine, from old: ScriptOwner, to new: ScriptOwner) throws {
    self.engine = engine
    self.old = old
    new.storedBefore = Self.stored(by: old)
    // The new version writes to its own copies.
    let copy = { try engine.lua.copying { try engine.copyOfKept(by: old) } }
    let (keep, leftBehind, isTooLarge) = try copy()
    new.keep = keep
    // Values that were too many would be mistaken for later changes.
    kept = isTooLarge ? nil : try copy().copy
    for error in leftBehind {
      engine.report(Diagnostic(.error, "not-kept", "\(error); the reload of '\(old.owner.name)' leaves it behind"))
    }
    stored = try new.storedBefore.map { try engine.stored($0) }
  }

  /// Returns the known content of the file. If the file couldn't be read, the new version reads it again.
  private static func stored(by script: ScriptOwner) -> Literal? {
    script.store.map { $0.whyUnread == nil ? $0.written : nil } ?? script.storedBefore
  }

  /// Applies later changes of the old version's data to the copies of the new version.
  func follow(in new: ScriptOwner) {
    let following = Following(engine: engine)
    if let now = old.keep, let kept, let copy = new.keep { following.follow(now, since: kept, in: copy) }
    guard let store = old.store else { return }
    if let stored, let copy = new.store { following.follow(store.table, since: stored, in: copy.table) }
    if new.store == nil { new.storedBefore = Self.stored(by: old) }
  }
}

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
    dispatcher.secretHearers.add { [unowned self] in note(secret: $0) }
  }

  private func note(secret: Value) {
    switch secret {
    case .text(let text): if !text.isEmpty, secretTexts.count < 10_000 { secretTexts.insert(text) }
    case .list(let values): for value in values { note(secret: value) }
    case .object(let members): for member in members { note(secret: member.value) }
    case .null, .bool, .integer, .number, .opaque: break
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
