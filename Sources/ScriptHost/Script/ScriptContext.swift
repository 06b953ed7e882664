import CLua
import CScript

/// A context whose values are in a Lua table, so that scripts read them without a copy.
final class ScriptContext: Context {
  let engine: ScriptEngine
  private(set) var reference: LuaReference
  /// Leads from the table back to this; made when the table is given its fields.
  private var origin: ScriptOrigin?
  /// Whether the table was a context already when this was made, and has that one's fields.
  private let isAdopted: Bool
  /// The fields of the request that scripts read; one table, whatever is asked in this context.
  private var fields: LuaReference?
  /// The metatable that the table had before it was handed to a candidate that the action is forwarded to.
  private var ownMetatable: LuaReference?

  private var L: OpaquePointer { engine.lua.L }

  init(engine: ScriptEngine, fields: Int32 = 8) {
    self.engine = engine
    clua_newContext(engine.lua.L, fields)
    reference = engine.lua.takeReference()
    isAdopted = false
    super.init()
  }

  /// A context for a table that already is one in Lua.
  init(engine: ScriptEngine, adopting reference: LuaReference) {
    self.engine = engine
    self.reference = reference
    isAdopted = true
    super.init()
    group = Self.handlers
  }

  /// Reuses this, after it rested, for the table at a slot.
  func adopt(_ slot: Int32) {
    clua_copy(L, slot)
    clua_put(L, reference.id)
    group = Self.handlers
  }

  override func rest() -> Bool {
    guard isAdopted, origin == nil, fields == nil, isKnownUniquelyReferenced(&reference), super.rest() else {
      return false
    }
    clua_pushBool(L, false)
    clua_put(L, reference.id)
    return true
  }

  deinit { origin?.target = nil }

  /// The table, to be handed to an owner's function: the responders in it are those that the owner's scripts may have.
  func table(for script: ScriptOwner?) -> Int32 {
    withTable { engine.show(at: -1, of: L, to: script ?? engine.nobody) }
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
    store("args", isAdopted ? request.map { .object($0.arguments.given) } ?? .null : .null)
    if !isAdopted { aimed() }
  }

  /// Gives the table the fields that a script reads: `ctx.action`, `ctx.sender` …
  override func aimed() {
    guard let request else { return }
    if let fields {
      clua_pushReference(L, fields.id)
      engine.setFields(of: request, taker: taker)
      clua_pop(L, 1)
      return
    }
    clua_newTable(L, 0, 10)
    engine.setFields(of: request, taker: taker)
    beOrigin()
    fields = engine.lua.reference(copying: -1, on: L)
    giveFields()
  }

  /// Makes the fields on top lead back to this context.
  private func beOrigin() {
    let origin = origin ?? ScriptOrigin()
    origin.target = self
    self.origin = origin
    clua_pushObject(L, Unmanaged.passRetained(origin).toOpaque())
    clua_setOrigin(L, -2)
  }

  /// Makes the fields on top those of the table, and pops them.
  private func giveFields() {
    clua_newContextMetatable(L)
    withTable {
      clua_copy(L, -2)
      clua_setRawMetatable(L, -2)
    }
    clua_pop(L, 1)
  }

  // MARK: Forwarding

  /// Makes scripts read in the table the name by which a candidate is asked that the action is forwarded to, until `takeBack`.
  func hand(to candidate: Candidate) {
    taker = candidate.responder
    guard let request, !candidate.action.hasSameBytes(as: request.action) else { return }
    self.request = Request(request, as: candidate.action, candidate.prefix)
    withTable {
      if ownMetatable == nil, clua_rawMetatable(L, -1) { ownMetatable = engine.lua.takeReference() }
      guard clua_contextFields(L, -1) else { return }
      clua_copyTable(L)
      engine.setName(of: candidate)
      beOrigin()
      giveFields()
    }
  }

  /// Gives the table back the fields that it had before it was handed.
  func takeBack() {
    guard let ownMetatable else { return }
    self.ownMetatable = nil
    withTable {
      clua_pushReference(L, ownMetatable.id)
      clua_setRawMetatable(L, -2)
    }
  }
}

extension ScriptEngine {
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

  /// Sets the fields that tell the name by which a candidate is asked, in the table on top.
  func setName(of candidate: Candidate) {
    let keys = requestKeys
    set(keys.action, .text(candidate.action))
    set(keys.prefix, .text(candidate.prefix))
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
