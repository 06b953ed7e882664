import CLua
import CScript

/// The *engine* runs the functions of scripts for a host, in an interpreter with the host's API.
final class ScriptEngine: Engine, CodeReader {
  let lua: LuaState
  unowned let host: ScriptHost
  /// The embedding program, then each owner of scripts.
  private(set) var owners: [ScriptOwner] = []
  /// The index of the newest owner. Indexes aren't reused.
  private var lastIndex = 0
  /// The responders that scripts have seen.
  let responders = Register<Responder>()
  /// The lives of scripts by their indexes, as long as any function of the script exists.
  private let lives = Register<ScriptLife>()
  /// References to the field names that the host uses in Lua's tables. Scripts' own names are held by their users.
  private var keys: [ByteText: Int32] = [:]
  private(set) lazy var requestKeys = RequestKeys { key($0) }
  private(set) lazy var eventKeys = EventKeys { key($0) }
  private(set) lazy var fieldNames = ElementFieldNames(in: lua) { key($0) }
  let metatables = ObjectMetatables()
  let nullReference: Int32
  /// The number of scripts that are being loaded, each from within the previous script.
  var loading = 0
  /// The responders whose `resolve` is running: they may write their own tables.
  var resolving: [Responder] = []
  /// The classes that scripts made.
  let classes = Register<ScriptClass>()
  private var lastClass: Int64 = 0
  /// The programs that scripts started, as long as an action waits for them.
  var started: [StartedProgram] = []
  /// The folders that scripts watch.
  let watches = Watches()
  /// Makes a function that calls another without arguments; compiled once.
  var timerMaker: LuaFunction?
  /// Makes a function that adds the lines of a text; compiled once.
  var linesMaker: LuaFunction?
  /// Makes a function that waits for a program; compiled once.
  var programWaiter: LuaFunction?
  var processes: [RunningProgram] { started.compactMap(\.program) }
  /// The owner whose scripts get the pushed values, if it is known.
  var speaker: ScriptOwner?
  /// Replaces a responder in a context by the reader's table; nil before the first plugin.
  var viewer: LuaFunction?
  /// Replaces the responders in a context for the next owner.
  var shower: LuaFunction?
  /// The files that scripts loaded or looked for.
  var files: Set<String> = []
  /// The file of the last element, which is probably that of the next element too.
  var elementFile = ""
  /// The program's functions and types; nil before it registers any.
  var natives: (any NativeTables)?
  /// A test's functions in the place of granted calls, by name.
  var standIns: [String: LuaFunction] = [:]
  /// The closures that unlock locked stores, by the app's place.
  var storeLocks: [HostStorage.Place: () -> Void] = [:]
  /// The kept histories, by the names of their responders, and the secrets since the first history.
  var histories: [String: KeptHistory] = [:]
  var secretTexts: Set<String> = []
  /// True while a line of Lua runs.
  var isRunningLine = false
  /// The messages that were reported once, and aren't repeated.
  var told: Set<String> = []
  /// The last call that looked for a missing thing.
  var lastMissed: MissedLookup?
  /// The editors of the trees that builders are editing, innermost last.
  var editors: [TreeEditor] = []
  /// The table for builders to edit with.
  private(set) lazy var builderTable = makeBuilderTable()
  let responderCalls = HostCalls(ScriptEngine.responderCalls)
  let appCalls = HostCalls(ScriptEngine.appCalls)
  let windowCalls = HostCalls(ScriptEngine.windowCalls)
  let jobCalls = HostCalls(ScriptEngine.jobCalls)
  /// The thing that the suspended action waits for.
  var awaited: Awaited?
  /// The program that the waiting call waits for.
  var awaitedProgram: RunningProgram?

  /// Records coverage of a test, if it is measured.
  var coverage: CoverageRecorder?
  /// Called with the outcome of a script's call, before the script gets it.
  var onGiven: ((Outcome, LuaCall) -> Void)?
  /// The words of all loaded code, with the number of sources. They are kept because errors come more often than code.
  var knownWords: (words: CodeWords, sources: Int)?
  /// Returns an owner's `app.settings`: each owner has its own table, so that no script changes another's.
  func settings(of script: ScriptOwner) -> LuaReference {
    if let known = script.settings { return known }
    push(.object(host.settings.given), on: lua.L)
    let made = lua.takeReference()
    script.settings = made
    return made
  }
  /// The allowance of one perform.
  let allowance: Allowance

  /// The most instructions of one of many questions: a part of the allowance, so that an endless question leaves some.
  var questionInstructions: UInt64 { allowance.instructions / 8 }

  var chain: Chain { host.chain }
  var dispatcher: Dispatcher { host.dispatcher }
  let undo: Undo
  let interruption: Interruption

  init(host: ScriptHost) throws(LuaError) {
    let limits = host.limits
    lua = try LuaState(
      limits: LuaLimits(memory: limits.memory, source: limits.source, innerSource: limits.innerSource),
      above: clua_above())
    allowance = host.limits.perform
    self.host = host
    undo = host.dispatcher.undo
    interruption = ScriptInterruption(lua.canceller)
    nullReference = clua_newSentinel(lua.L, "null")
    owners = [
      ScriptOwner(
        owner: host.program, index: 0, environment: lua.newTable(), language: lua.newTable(), lives: lives)
    ]
    keys.reserveCapacity(64)
    for name in HostNames.fields { clua_addHostName(lua.L, key(name), true) }
    for name in HostNames.calls { clua_addHostName(lua.L, key(name), false) }
    try addContextCalls()
    fillContexts()
    watchUndo()
    try prepareElements()
  }

  // MARK: Objects for responders, one for each owner, so that each changes its own layer

  /// Returns a reference to the table of a responder in an owner's scripts.
  func object(of responder: Responder, for owner: ScriptOwner) -> Int32 {
    numbered(responder, for: owner).reference
  }

  /// Returns the same with the number of the responder that the table was made for.
  @inline(__always)
  func numbered(_ responder: Responder, for owner: ScriptOwner) -> (reference: Int32, number: Int64) {
    // Nothing else is stored there, and a checked cast takes as long as the call.
    if let known = responder.scriptObject, case let first = unsafeDowncast(known, to: ScriptObjects.self).first,
      first.owner == owner.index
    {
      return (first.reference, first.number)
    }
    let object = object(responder, for: owner)
    return (object.reference.id, object.number)
  }

  func object(_ responder: Responder, for owner: ScriptOwner) -> ScriptObject {
    let objects = objects(of: responder)
    if let known = objects[owner.index] ?? owner.lateObjects[responder.number] { return known }
    pushTable(of: responder, for: owner, metatable: metatable(.responder))
    if responder.kind == .app { keepAppFieldsApart() }
    let object = ScriptObject(reference: lua.takeReference(), number: Int64(responder.number))
    if owner.owner.hasLeft { owner.lateObjects[responder.number] = object } else { objects[owner.index] = object }
    return object
  }

  func objects(of responder: Responder) -> ScriptObjects {
    // Nothing else is stored there, and a checked cast takes as long as the call.
    if let known = responder.scriptObject { return unsafeDowncast(known, to: ScriptObjects.self) }
    let objects = ScriptObjects(number: Int64(responder.number), register: responders)
    responders[objects.number] = responder
    responder.scriptObject = objects
    return objects
  }

  /// Pushes a table of a responder, or of a part of it, for an owner's scripts.
  func pushTable(of responder: Responder, for owner: ScriptOwner, metatable: Int32) {
    clua_newHostTable(lua.L, Int64(owner.index) << 32 | Int64(responder.number), metatable)
    lua.push(text: responder.name, on: lua.L)
    clua_setHostName(lua.L, -2)
  }

  /// Returns the owner whose table is pushed for a responder: the receiver of pushed values. If that isn't known it is
  /// the maker, or nobody if there are plugins.
  func voice(for responder: Responder) -> ScriptOwner {
    if let speaker { return speaker }
    return viewer != nil ? nobody : maker(of: responder)
  }

  /// Returns the owner that made a responder.
  func maker(of responder: Responder) -> ScriptOwner {
    owners.dropFirst().last { $0.owner === responder.owner } ?? owners[owners.count - 1]
  }

  /// Returns the responder of a table, and the owner of the table.
  func responder(at index: Int32, on L: OpaquePointer) -> (responder: Responder, owner: ScriptOwner)? {
    responder(clua_hostNumber(L, index))
  }

  /// Returns the responder of a table's number, and the owner of the table.
  func responder(_ number: Int64) -> (responder: Responder, owner: ScriptOwner)? {
    guard number >= 0, number < ScriptClass.mark, let responder = responders[number & 0xFFFF_FFFF] else { return nil }
    return script(Int(number >> 32)).map { (responder, $0) }
  }

  /// Returns the owner of an index; `owners` is in ascending order of indexes.
  func script(_ index: Int) -> ScriptOwner? {
    if owners.indices.contains(index), owners[index].index == index { return owners[index] }
    return owners.last { $0.index <= index }.flatMap { $0.index == index ? $0 : nil }
  }

  /// Returns the error for a responder's table whose script is gone; nil for any other table.
  func goneScript(_ number: Int64) -> LuaMisuse? {
    guard number >= 0, number < ScriptClass.mark, responders[number & 0xFFFF_FFFF]?.isRemoved == false,
      script(Int(number >> 32)) == nil
    else { return nil }
    return goneScript(index: number >> 32)
  }

  /// Returns the error for a script that is gone, by its index.
  func goneScript(index: Int64) -> LuaMisuse {
    lives[index].map { LuaMisuse($0.owner.gone.message) } ?? .unknownScript
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

  func add(_ owner: Owner, environment: LuaTable, language: LuaTable) -> ScriptOwner {
    lastIndex += 1
    let script = ScriptOwner(
      owner: owner, index: lastIndex, environment: environment, language: language, lives: lives)
    owners.append(script)
    return script
  }

  func forget(_ owner: Owner) { script(of: owner).map(forget) }

  /// Removes an owner and the tables that it wrote into. Garbage is collected at once: an environment takes several
  /// rounds of the collector, and many reloads in a row would pile up.
  func forget(_ script: ScriptOwner) {
    defer { lua.collect() }
    owners = owners.filter { $0 !== script }
    script.newTimers = []
    for process in processes where process.script === script { process.kill() }
    started.removeAll { $0.program == nil || $0.program?.script === script }
    // Not all responders are in the chain: a responder of the host handles `undo`, and handlers see it.
    for responder in responders.all { (responder.scriptObject as? ScriptObjects)?[script.index] = nil }
  }

  // MARK: Names

  /// Returns a reference to a name as Lua's string.
  func key(_ name: String) -> Int32 {
    if let known = keys[ByteText(name)] { return known }
    lua.push(text: name, on: lua.L)
    let key = clua_reference(lua.L)
    keys[ByteText(name)] = key
    return key
  }

  /// Converts a place of Lua to the core's `Place`.
  func place(_ place: LuaError.Place?) -> Place? {
    place.map { Place(file: $0.source, line: $0.line, column: $0.column) }
  }
}

/// The program's functions and types for scripts.
protocol NativeTables: AnyObject {
  var natives: Natives { get }
  /// Returns the table of functions at a path.
  func table(_ path: String) throws -> LuaTable
  /// Checks a `ctx:set` with an object of the program. Returns its changes for undo, and closures that write them.
  func set(_ call: LuaCall) throws -> [(change: NativeChange, apply: () -> Void)]
}

extension ScriptEngine {
  /// The calls on `app`: those of every responder, and those that drive the host.
  static let appCalls: [(name: String, body: HostCalls.Body)] =
    responderCalls + controlCalls + drivingCalls + menuCalls + undoCalls + pluginCalls
}

extension LuaState {
  /// Runs a body in a phase, which decides what scripts may do meanwhile.
  func inPhase<Result, Thrown: Error>(
    _ phase: clua_Phase, _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    let before = clua_setPhase(L, phase.rawValue)
    defer { _ = clua_setPhase(L, before) }
    return try body()
  }
}
