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
