import CLua
import CScript

/// A context whose values are in a Lua table, so that scripts read them without a copy.
final class ScriptContext: Context {
  let engine: ScriptEngine
  let reference: LuaReference
  private let origin = ScriptOrigin()

  private var L: OpaquePointer { engine.lua.L }

  init(engine: ScriptEngine, fields: Int32 = 8) {
    self.engine = engine
    clua_newContext(engine.lua.L, fields, Unmanaged.passRetained(origin).toOpaque())
    reference = engine.lua.takeReference()
    super.init()
    origin.context = self
  }

  deinit {
    (origin.request, origin.taker) = (request?.withoutObjects, shownTaker)
    origin.context = nil
  }

  /// The table, to be handed to an owner's function: the responders in it are those that the owner's scripts may have.
  func table(for script: ScriptOwner?) -> Int32 {
    if engine.viewer != nil { withTable { engine.show(at: -1, of: L, to: script ?? engine.nobody) } }
    return reference.id
  }

  private func withTable<Result>(_ body: () -> Result) -> Result {
    clua_pushReference(L, reference.id)
    defer { clua_pop(L, 1) }
    return body()
  }

  override func stored(_ key: String) -> Value {
    withTable {
      engine.lua.push(text: key, on: L)
      clua_rawGet(L, -2)
      defer { clua_pop(L, 1) }
      return clua_isAppended(L, -1) ? engine.list(at: -1, on: L) : engine.value(at: -1, on: L)
    }
  }

  override func elements(of value: Value) -> [Value] {
    guard case .opaque(let object) = value, let script = object as? ScriptValue, case .table(let table) = script.value
    else { return value.asList }
    clua_pushReference(L, table.reference.id)
    defer { clua_pop(L, 1) }
    clua_makeList(L)
    return engine.list(at: -1, on: L).asList
  }

  // A script's `null` counts as a value.
  override func holds(_ key: String) -> Bool {
    withTable {
      engine.lua.push(text: key, on: L)
      clua_rawGet(L, -2)
      defer { clua_pop(L, 1) }
      return clua_type(L, -1) != CLUA_TNIL.rawValue
    }
  }

  override func store(_ key: String, _ value: Value) {
    withTable {
      engine.lua.push(text: key, on: L)
      engine.push(value, on: L)
      _ = clua_rawSet(L, -3)
    }
  }

  override func add(_ key: String, _ value: Value, group: Int) {
    withTable {
      engine.lua.push(text: key, on: L)
      engine.push(value, on: L)
      clua_appendNearest(L, -3, Int64(group))
    }
  }

  // The values set aside are on the stack, from the context on: they are kept nowhere else, and the questions in between leave the stack as it was.
  private var asideTop: Int32?

  override func setAside(_ keys: [String]) -> Bool {
    if keys.isEmpty { return true }
    guard asideTop == nil, keys.count < 10_000, clua_room(L, Int32(2 * keys.count) + 24) else { return false }
    asideTop = clua_top(L)
    clua_pushReference(L, reference.id)
    let table = clua_top(L)
    for key in keys {
      engine.lua.push(text: key, on: L)
      clua_copy(L, -1)
      clua_rawGet(L, table)
    }
    return true
  }

  override func putBack() {
    guard let top = asideTop else { return }
    asideTop = nil
    // If a key was set aside twice, its first value is put back last.
    while clua_top(L) > top + 1 { _ = clua_rawSet(L, top + 1) }
    clua_setTop(L, top)
  }

  override var storedKeys: [String] {
    var keys: [String] = []
    let table = LuaTable(reference: reference)
    try? engine.lua.forEach(in: table) { key, _ in
      if case .text(let text) = key { keys.append(text) }
      return true
    }
    return keys
  }

  override func argumentsChanged() {
    // What is stored is a copy of the old arguments, made when they were read.
    store("args", .null)
    aimed()
  }

  override func aimed() { withTable { clua_forgetFields(L, -1) } }

  /// The responder that scripts see as the taker.
  fileprivate var shownTaker: Responder? { (firstTaker ?? takerObject) as? Responder }
}

/// Leads from a context's table back to the context, and when that is gone to what it was about, for a script that kept the table.
///
/// It retains no object: one in which a script keeps the context would be held for ever.
final class ScriptOrigin {
  unowned(unsafe) fileprivate(set) var context: ScriptContext?
  fileprivate var request: Request?
  fileprivate weak var taker: Responder?

  static func of(_ object: UnsafeMutableRawPointer) -> ScriptOrigin {
    Unmanaged<ScriptOrigin>.fromOpaque(object).takeUnretainedValue()
  }

  /// Pushes the table of the fields that a script reads: `ctx.action`, `ctx.sender` …; false if there is no request.
  fileprivate func pushFields(for engine: ScriptEngine, on L: OpaquePointer) -> Bool {
    guard let request = context?.request ?? request else { return false }
    clua_newTable(L, 0, 10)
    engine.setFields(of: request, taker: context?.shownTaker ?? taker)
    return true
  }
}

extension ScriptEngine {
  /// Makes contexts get their fields from Swift when a script first reads one.
  func fillContexts() {
    clua_setFiller(lua.L, Unmanaged.passUnretained(self).toOpaque()) { filler, L, origin in
      guard let filler, let L, let origin else { return false }
      let engine = Unmanaged<ScriptEngine>.fromOpaque(filler).takeUnretainedValue()
      return engine.lua.on(L) { ScriptOrigin.of(origin).pushFields(for: engine, on: L) }
    }
  }

  /// Sets the fields that a script reads of a request, `ctx.action`, `ctx.sender` …, in the table on top.
  func setFields(of request: Request, taker: Responder?) {
    let keys = requestKeys
    set(keys.action, .text(request.action))
    set(keys.raw, .text(request.raw))
    set(keys.prefix, .text(request.prefix))
    set(keys.args, .object(request.arguments.given))
    set(keys.modifiers, .object(request.modifiers.map { ($0, .bool(true)) }))
    set(keys.subject, request.subject)
    // `Views` shows these to each owner as it may see them.
    speaking(to: nil) {
      set(keys.taker, taker.map { .opaque($0) } ?? .null)
      set(keys.sender, sender(request.sender))
    }
  }

  /// Who asked, as scripts see it.
  func sender(_ sender: Sender) -> Value {
    switch sender {
    case .app: .opaque(chain.app)
    case .responder(let name): chain.find(name).map { .opaque($0) } ?? .text(name)
    case .item: given(sender.value)
    }
  }

  /// Removes null members, which a script would get as its `null`.
  private func given(_ value: Value) -> Value {
    guard case .object(let members) = value else { return value }
    return .object(members.filter { !$0.value.isNull })
  }

  /// Sets a field of the table on top of the main stack.
  private func set(_ key: Int32, _ value: Value) {
    clua_pushReference(lua.L, key)
    push(value, on: lua.L)
    _ = clua_rawSet(lua.L, -3)
  }
}
