import CLua

/// The *engine* runs the functions of scripts for a host: one interpreter, and everything that scripts see of the host in it.
final class ScriptEngine: Engine {
  let lua: LuaState
  unowned let host: ScriptHost
  var owners: [ScriptOwner] = []
  /// The responders that scripts have seen, by their number.
  private var responders: [Int64: Responder] = [:]
  private var keys: [String: Int32] = [:]
  private(set) var metatables = ObjectMetatables()
  let nullReference: Int32
  /// In whose scripts responders are shown when a value is handed over.
  var speaker: ScriptOwner { owners[0] }
  /// Whose `resolve` is asked: they may write their own tables.
  var resolving: [Responder] = []
  /// The classes that scripts made, by the number in the tables that stand for them.
  var classes: [ScriptClass] = []
  private(set) var methods: [String: LuaFunction] = [:]
  private(set) var appMethods: [String: LuaFunction] = [:]
  private(set) var windowMethods: [String: LuaFunction] = [:]
  /// What scripts print.
  var output: (String) -> Void = { _ in }

  /// What one perform may spend.
  static let allowance = LuaAllowance.milliseconds(1000, instructions: 200_000_000)

  var chain: Chain { host.chain }
  var dispatcher: Dispatcher { host.dispatcher }

  init(host: ScriptHost, limits: LuaLimits) throws(LuaError) {
    lua = try LuaState(limits: limits)
    self.host = host
    nullReference = clua_newSentinel(lua.L, "null")
    for name in HostNames.fields + HostNames.calls { clua_addHostName(lua.L, key(name)) }
    metatables = try makeMetatables()
    try addContextCalls()
    methods = responderCalls()
    windowMethods = windowCalls()
    appMethods = methods.merging(controlCalls()) { $1 }
  }

  // MARK: Objects that stand for responders, one for each owner, so that each touches its own layer

  /// A reference to the table that stands for a responder in an owner's scripts.
  func object(of responder: Responder, for owner: ScriptOwner) -> Int32 {
    object(responder, for: owner).reference.id
  }

  func object(_ responder: Responder, for owner: ScriptOwner) -> ScriptObject {
    let objects = responder.scriptObject as? ScriptObjects ?? ScriptObjects()
    responder.scriptObject = objects
    if let known = objects.byOwner[owner.index] { return known }
    let number = Int64(owner.index) << 32 | Int64(responder.number)
    responders[Int64(responder.number)] = responder
    clua_newHostTable(lua.L, number, metatables.responder)
    let object = ScriptObject(reference: lua.takeReference())
    objects.byOwner[owner.index] = object
    return object
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

  func forget(_ responder: Responder) {
    responders[Int64(responder.number)] = nil
    responder.scriptObject = nil
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

/// The tables that stand for one responder.
final class ScriptObjects {
  var byOwner: [Int: ScriptObject] = [:]
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
  let environment: LuaTable
  var isLoading = false

  init(owner: Owner, index: Int, environment: LuaTable) {
    self.owner = owner
    self.index = index
    self.environment = environment
  }
}

/// What `super` and `forward` need to know of the handler that runs.
final class ScriptFrame {
  let candidate: Candidate
  let resolution: Resolution
  /// Which candidate it is.
  let index: Int

  init(candidate: Candidate, resolution: Resolution, index: Int) {
    self.candidate = candidate
    self.resolution = resolution
    self.index = index
  }
}
