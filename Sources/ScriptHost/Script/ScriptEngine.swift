import CLua

/// The *engine* runs the functions of scripts for a host: one interpreter, and everything that scripts see of the host in it.
final class ScriptEngine: Engine {
  let lua: LuaState
  unowned let host: ScriptHost
  /// The embedding program, then each owner of scripts.
  private(set) var owners: [ScriptOwner] = []
  /// The responders that scripts have seen.
  private let responders = Register<Responder>()
  var responderCount: Int { responders.count }
  private var keys: [String: Int32] = [:]
  private(set) var metatables = ObjectMetatables()
  let nullReference: Int32
  /// Whose `resolve` is asked: they may write their own tables.
  var resolving: [Responder] = []
  /// Who registered what is being reversed, innermost last.
  var reversing: [(taker: Responder, script: ScriptOwner)] = []
  /// The classes that scripts made.
  let classes = Register<ScriptClass>()
  private var lastClass: Int64 = 0
  let elementMemory = ElementMemory()
  /// The file of the last element, which most likely is that of the next one too.
  var elementFile = ""
  /// What scripts were told once.
  var told: Set<String> = []
  /// Who edits a tree now, innermost last.
  var editors: [TreeEditor] = []
  /// What builders are handed to edit with.
  private(set) var builderTable: Int32 = 0
  private(set) var methods: [String: LuaFunction] = [:]
  private(set) var appMethods: [String: LuaFunction] = [:]
  private(set) var windowMethods: [String: LuaFunction] = [:]
  private(set) var jobMethods: [String: LuaFunction] = [:]
  /// What the call that suspends its action waits for.
  var awaited: Awaited?

  /// What notes what a test sees, where that is wanted.
  var coverage: CoverageRecorder?
  /// What every script finds as `app.settings`.
  private(set) lazy var settings: LuaReference = {
    push(.object(host.settings.given), on: lua.L)
    return lua.takeReference()
  }()
  /// What arguments displace in a context while questions are asked in one go.
  private(set) lazy var displaced: LuaReference = {
    clua_newTable(lua.L, 0, 4)
    return lua.takeReference()
  }()
  /// What one perform may spend.
  let allowance: LuaAllowance

  /// How many instructions one of many questions may spend: a part of what all may, so that one that is endless leaves some.
  var questionInstructions: UInt64 { allowance.instructions / 8 }

  var chain: Chain { host.chain }
  var dispatcher: Dispatcher { host.dispatcher }

  init(host: ScriptHost) throws(LuaError) {
    lua = try LuaState(limits: LuaLimits(memory: host.limits.memory))
    allowance = host.limits.perform
    self.host = host
    nullReference = clua_newSentinel(lua.L, "null")
    owners = [ScriptOwner(owner: host.program, index: 0, environment: lua.newTable(), language: lua.newTable())]
    for name in HostNames.fields + HostNames.calls { clua_addHostName(lua.L, key(name)) }
    metatables = try makeMetatables()
    metatables.job = try makeJobMetatable()
    jobMethods = newJobMethods()
    try addContextCalls()
    watchUndo()
    try prepareElements()
    builderTable = try makeBuilderTable()
    methods = responderCalls()
    windowMethods = windowCalls()
    appMethods = [controlCalls(), drivingCalls(), menuCalls(), undoCalls()].reduce(methods) { $0.merging($1) { $1 } }
  }

  // MARK: Objects that stand for responders, one for each owner, so that each touches its own layer

  /// A reference to the table that stands for a responder in an owner's scripts.
  func object(of responder: Responder, for owner: ScriptOwner) -> Int32 {
    object(responder, for: owner).reference.id
  }

  func object(_ responder: Responder, for owner: ScriptOwner) -> ScriptObject {
    let objects = objects(of: responder)
    if let known = objects.byOwner[owner.index] { return known }
    pushTable(of: responder, for: owner, metatable: metatables.responder)
    let object = ScriptObject(reference: lua.takeReference())
    objects.byOwner[owner.index] = object
    return object
  }

  private func objects(of responder: Responder) -> ScriptObjects {
    if let known = responder.scriptObject as? ScriptObjects { return known }
    let objects = ScriptObjects(number: Int64(responder.number), register: responders)
    responders[objects.number] = responder
    responder.scriptObject = objects
    return objects
  }

  /// Pushes a table that stands for a responder, or a part of it, in an owner's scripts.
  func pushTable(of responder: Responder, for owner: ScriptOwner, metatable: Int32) {
    clua_newHostTable(lua.L, Int64(owner.index) << 32 | Int64(responder.number), metatable)
    lua.push(text: responder.name, on: lua.L)
    clua_setHostName(lua.L, -2)
  }

  /// In whose scripts a responder is shown when it is handed over as a value: its maker's, else the last one's.
  func voice(for responder: Responder) -> ScriptOwner {
    owners.dropFirst().last { $0.owner === responder.owner } ?? owners[owners.count - 1]
  }

  /// The responder that a table stands for, and in whose scripts.
  func responder(at index: Int32, on L: OpaquePointer) -> (responder: Responder, owner: ScriptOwner)? {
    let number = clua_hostNumber(L, index)
    guard number >= 0, number < ScriptClass.mark, let responder = responders[number & 0xFFFF_FFFF] else { return nil }
    let owner = Int(number >> 32)
    return owners.indices.contains(owner) ? (responder, owners[owner]) : nil
  }

  func responder(_ table: LuaTable) -> Responder? {
    guard (try? lua.push(table.reference, on: lua.L)) != nil else { return nil }
    defer { clua_pop(lua.L, 1) }
    return responder(at: -1, on: lua.L)?.responder
  }

  func newClassNumber() -> Int64 {
    lastClass += 1
    return ScriptClass.mark | lastClass
  }

  // MARK: Owners

  /// Whose script is the app's; nil before one was loaded.
  var app: ScriptOwner? { owners.dropFirst().first }

  func add(_ owner: Owner, environment: LuaTable, language: LuaTable) -> ScriptOwner {
    let script = ScriptOwner(owner: owner, index: owners.count, environment: environment, language: language)
    owners.append(script)
    return script
  }

  /// Takes out the last owner, whose scripts could not be loaded, with the tables that it wrote into.
  func forget(_ script: ScriptOwner) {
    guard owners.last === script else { return }
    owners.removeLast()
    for responder in chain.responders.values {
      (responder.scriptObject as? ScriptObjects)?.byOwner[script.index] = nil
    }
  }

  // MARK: Names

  /// A reference to a name as Lua's string.
  func key(_ name: String) -> Int32 {
    if let known = keys[name] { return known }
    lua.push(text: name, on: lua.L)
    let key = clua_reference(lua.L)
    keys[name] = key
    return key
  }

  /// The owner of the environment that a call came from.
  func place(_ place: LuaError.Place?) -> Place? {
    place.map { Place(file: $0.source, line: $0.line, column: $0.column) }
  }
}

/// The tables that stand for one responder; they live as long as it does.
final class ScriptObjects {
  let number: Int64
  var byOwner: [Int: ScriptObject] = [:]
  private let register: Register<Responder>

  init(number: Int64, register: Register<Responder>) {
    self.number = number
    self.register = register
  }

  deinit { register[number] = nil }
}

/// The table that stands for a responder in the scripts of one owner.
final class ScriptObject {
  let reference: LuaReference
  /// The tables `on`, `can` … of it, made when first read.
  var tables: [ObjectTable: LuaReference] = [:]

  init(reference: LuaReference) { self.reference = reference }
}

/// An owner whose functions are a script's: its environment.
final class ScriptOwner {
  let owner: Owner
  let index: Int
  /// The globals that its scripts defined.
  let environment: LuaTable
  /// What its scripts find beside them.
  let language: LuaTable
  /// The names that its scripts defined, be they nil now.
  var defined: Set<String> = []
  var isLoading = false
  /// The globals of lines that are evaluated, once one was.
  var lineGlobals: LuaTable?

  init(owner: Owner, index: Int, environment: LuaTable, language: LuaTable) {
    self.owner = owner
    self.index = index
    self.environment = environment
    self.language = language
  }
}
