import CLua
import CScript

/// A context whose values are in a Lua table, so that scripts read them without a copy.
final class ScriptContext: Context {
  let engine: ScriptEngine
  /// C's record of it, which leads from the table back to this object while this object lives.
  let record: UnsafeMutablePointer<clua_Context>
  /// True if a handler got the table, and may keep it.
  private var isHanded = false

  private var L: OpaquePointer { engine.lua.L }

  init(engine: ScriptEngine) {
    self.engine = engine
    record = clua_newContext(engine.lua.L)
    super.init()
    record.pointee.object = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit { clua_dropContext(L, record) }

  static func of(_ object: UnsafeMutableRawPointer) -> ScriptContext {
    Unmanaged<ScriptContext>.fromOpaque(object).takeUnretainedValue()
  }

  /// Prepares the context for an owner's function: its responders become that owner's tables.
  func show(to script: ScriptOwner?) {
    if engine.viewer != nil { withTable { engine.show(at: -1, of: L, to: script ?? engine.nobody) } }
  }

  /// Runs a handler: a referenced function, with the referenced object of its responder, 0 for none.
  func run(_ function: Int32, for object: Int32, _ number: Int64, of script: ScriptOwner) -> Reply {
    show(to: script)
    isHanded = true
    return engine.reply(clua_do(L, function, object, number, record), owner: script.owner)
  }

  /// Calls the function below these arguments on top. Returns a status as `clua_ask` does.
  func ask(arguments: Int32, results: Int32) -> Int32 {
    if onRead == nil, unknown == nil { return clua_ask(L, record, 0, arguments, results) }
    let witness = engine.reading(of: self)
    return withExtendedLifetime(witness) { clua_ask(L, record, witness.reference.id, arguments, results) }
  }

  private func withTable<Result>(_ body: () -> Result) -> Result {
    clua_pushReference(L, record.pointee.table)
    defer { clua_pop(L, 1) }
    return body()
  }

  /// The table as a Lua value.
  var table: LuaTable { withTable { LuaTable(reference: engine.lua.reference(copying: -1, on: L)) } }

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

  // The values set aside are only on the stack, from the context on. Questions in between leave the stack as it was.
  private var asideTop: Int32?

  override func putAside(for values: [(key: String, value: Value)]) -> Bool {
    if values.isEmpty { return true }
    guard asideTop == nil, values.count < 10_000, clua_room(L, Int32(2 * values.count) + 24) else { return false }
    asideTop = clua_top(L)
    clua_pushReference(L, record.pointee.table)
    let table = clua_top(L)
    for (key, value) in values {
      engine.lua.push(text: key, on: L)
      clua_copy(L, -1)
      clua_rawGet(L, table)
      clua_copy(L, -2)
      engine.push(value, on: L)
      _ = clua_rawSet(L, table)
    }
    return true
  }

  override func putBack() {
    guard let top = asideTop else { return }
    asideTop = nil
    // If a key was set aside twice, its first value is restored last.
    while clua_top(L) > top + 1 { _ = clua_rawSet(L, top + 1) }
    clua_setTop(L, top)
  }

  override var storedKeys: [String] {
    var keys: [String] = []
    try? engine.lua.forEach(in: table) { key, _ in
      if case .text(let text) = key { keys.append(text) }
      return true
    }
    return keys
  }

  override func argumentsChanged() {
    // The stored arguments are a copy of the old arguments, made when a script read them.
    store("args", .null)
    aimed()
  }

  override func aimed() { clua_forgetFields(L, record) }

  override func takeOutHostNames() -> [String] {
    (0..<clua_endProviding(L, record)).map { _ in
      defer { clua_pop(L, 1) }
      return engine.lua.text(at: -1, on: L) ?? ""
    }
  }

  /// Pushes the table of the fields that a script reads: `ctx.action`, `ctx.sender` …
  fileprivate func pushFields(of request: Request, on L: OpaquePointer) {
    if let known = request.fields as? LuaReference { return clua_pushReference(L, known.id) }
    clua_newTable(L, 0, 10)
    engine.setFields(of: request, taker: shownTaker)
    if request.isShared { request.fields = engine.lua.reference(copying: -1, on: L) }
  }

  /// The taker for scripts.
  private var shownTaker: Responder? { (firstTaker ?? takerObject) as? Responder }

  // A handler may have kept the table, and reads the fields for ever. Arguments with objects are omitted: an object in
  // which a script keeps the context would be held for ever.
  override func end() {
    guard clua_room(L, 24) else { return }
    clua_closeReader(L, record)
    guard isHanded, !record.pointee.hasFields, let request else { return }
    if request.isShared {
      pushFields(of: request, on: L)
      clua_setFields(L, record)
    } else {
      clua_leave(L, record, Unmanaged.passRetained(LeftRequest(request.withoutObjects, shownTaker)).toOpaque())
    }
  }
}

/// The remaining facts of an ended context, for a script that kept its table.
private final class LeftRequest {
  let request: Request
  private(set) weak var taker: Responder?

  init(_ request: Request, _ taker: Responder?) {
    self.request = request
    self.taker = taker
  }
}

extension ScriptEngine {
  func makeContext() -> Context { ScriptContext(engine: self) }

  /// Makes contexts get their fields from Swift when a script first reads any.
  func fillContexts() {
    clua_setFiller(lua.L, Unmanaged.passUnretained(self).toOpaque()) { filler, L, object, left in
      guard let filler, let L else { return false }
      let engine = Unmanaged<ScriptEngine>.fromOpaque(filler).takeUnretainedValue()
      return engine.lua.on(L) { engine.pushFields(of: object, left, on: L) }
    }
  }

  /// Pushes the fields of a context, or of an ended context. Returns false and pushes nothing if there is no request.
  private func pushFields(
    of object: UnsafeMutableRawPointer?, _ left: UnsafeMutableRawPointer?, on L: OpaquePointer
  ) -> Bool {
    if let context = object.map(ScriptContext.of), let request = context.request {
      context.pushFields(of: request, on: L)
      return true
    }
    guard let left else { return false }
    let kept = Unmanaged<LeftRequest>.fromOpaque(left).takeUnretainedValue()
    clua_newTable(L, 0, 10)
    setFields(of: kept.request, taker: kept.taker)
    return true
  }

  /// Sets the fields of a request for scripts, `ctx.action`, `ctx.sender` …, in the table on top.
  func setFields(of request: Request, taker: Responder?) {
    let keys = requestKeys
    set(keys.action, .text(request.action))
    set(keys.raw, .text(request.raw))
    set(keys.prefix, .text(request.prefix))
    set(keys.args, .object(request.arguments.given))
    set(keys.modifiers, .object(request.modifiers.map { ($0, .bool(true)) }))
    set(keys.subject, request.subject)
    // Each owner later sees its own tables of these responders.
    speaking(to: nil) {
      set(keys.taker, taker.map { .opaque($0) } ?? .null)
      set(keys.sender, sender(request.sender))
    }
  }

  /// Returns the sender for scripts.
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
