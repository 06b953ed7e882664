import CLua
import CScript

/// The *engine* runs the functions of scripts for a host: one interpreter, and everything that scripts see of the host in it.
final class ScriptEngine: Engine {
  let lua: LuaState
  unowned let host: ScriptHost
  /// The embedding program, then each owner of scripts.
  // Nothing that changes it runs anybody's code, and every call of a script's that does something looks whether one loads.
  @exclusivity(unchecked) private(set) var owners: [ScriptOwner] = [] {
    didSet { found.forget() }
  }
  /// The number of the newest; that of one who went is nobody else's.
  private var lastIndex = 0
  /// The responders that scripts have seen.
  let responders = Register<Responder>()
  /// The lives of scripts by their indexes, as long as functions of theirs are held.
  private let lives = Register<ScriptLife>()
  /// Those that were found last.
  private let found = FoundResponders()
  /// The names that the host reads and writes in tables of Lua's; those that scripts make up go with what they are for.
  private var keys: [ByteText: Int32] = [:]
  private(set) lazy var requestKeys = RequestKeys { key($0) }
  private(set) lazy var outcomeKeys = OutcomeKeys { key($0) }
  private(set) lazy var eventKeys = EventKeys { key($0) }
  let metatables = ObjectMetatables()
  let nullReference: Int32
  /// How many scripts are being loaded, each by the one before.
  var loading = 0
  /// Whose `resolve` is asked: they may write their own tables.
  var resolving: [Responder] = []
  /// Who registered what is being reversed, innermost last.
  var reversing: [(taker: Responder, script: ScriptOwner)] = []
  /// The classes that scripts made.
  let classes = Register<ScriptClass>()
  private var lastClass: Int64 = 0
  /// How many instructions had been spent when a limit was last found to be.
  var lastViolation: UInt64?
  /// Who spent it.
  weak var violator: Owner?
  /// The programs that scripts started, as long as somebody waits for them.
  var started: [StartedProgram] = []
  /// What makes a function that calls another with nothing, compiled once.
  var timerMaker: LuaFunction?
  /// What makes a function that waits for a program, compiled once.
  var programWaiter: LuaFunction?
  var processes: [RunningProgram] { started.compactMap(\.program) }
  /// For whose scripts values are pushed now, where that is known.
  var speaker: ScriptOwner?
  /// What shows responders in contexts as who reads them sees them, from the first plugin on.
  var viewer: LuaFunction?
  /// What shows what a context holds to who is called next.
  var shower: LuaFunction?
  /// The files that were loaded by scripts, or looked for.
  var files: Set<String> = []
  let elementMemory = ElementMemory()
  /// The file of the last element, which most likely is that of the next one too.
  var elementFile = ""
  /// The files of elements that C read, by its numbers.
  var elementFiles: [String] = []
  /// The action of the last of them, which often is that of the next one too.
  var lastAction: (raw: String, reference: Reference)?
  /// What a test has instead of what is granted, by its name.
  var standIns: [String: LuaFunction] = [:]
  /// What scripts were told once.
  var told: Set<String> = []
  /// The last call that looked for something that isn't there.
  var lastMissed: MissedLookup?
  /// Who edits a tree now, innermost last.
  var editors: [TreeEditor] = []
  /// What builders are handed to edit with.
  private(set) lazy var builderTable = makeBuilderTable()
  let responderCalls = HostCalls(ScriptEngine.responderCalls)
  let appCalls = HostCalls(ScriptEngine.appCalls)
  let windowCalls = HostCalls(ScriptEngine.windowCalls)
  let jobCalls = HostCalls(ScriptEngine.jobCalls)
  /// What the call that suspends its action waits for.
  var awaited: Awaited?

  /// What notes what a test sees, where that is wanted.
  var coverage: CoverageRecorder?
  /// Told what came of what a script did, before it is given to that.
  var onGiven: ((Outcome, LuaCall) -> Void)?
  /// What the code says of all that was loaded, and how much that was: errors come more often than code.
  var knownWords: (words: CodeWords, sources: Int)?
  /// What an owner's scripts find as `app.settings`: a table of their own, so that nobody changes what others find.
  func settings(of script: ScriptOwner) -> LuaReference {
    if let known = script.settings { return known }
    push(.object(host.settings.given), on: lua.L)
    let made = lua.takeReference()
    script.settings = made
    return made
  }
  /// What arguments displace in a context while questions are asked in one go.
  private(set) lazy var displaced: LuaReference = {
    clua_newTable(lua.L, 0, 4)
    return lua.takeReference()
  }()
  /// What one perform may spend.
  let allowance: LuaAllowance

  /// How many instructions one of many questions may spend: a part of what all may, so that one that is endless leaves some.
  var questionInstructions: UInt64 { allowance.instructions / 8 }

  // By the host: to hold these would be to be held in turn, by contexts that plans keep to be used again.
  var chain: Chain { host.chain }
  var dispatcher: Dispatcher { host.dispatcher }
  let undo: Undo
  let interruption: Interruption

  init(host: ScriptHost) throws(LuaError) {
    lua = try LuaState(limits: LuaLimits(memory: host.limits.memory), above: clua_above())
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
    for name in HostNames.fields + HostNames.calls { clua_addHostName(lua.L, key(name)) }
    try addContextCalls()
    takeSteps()
    watchUndo()
    clua_watchShape(lua.L, host.chain.shapePointer, host.dispatcher.askingPointer)
    responders.onChange = { [found] in found.forget() }
    try prepareElements()
  }

  // MARK: Objects that stand for responders, one for each owner, so that each touches its own layer

  /// A reference to the table that stands for a responder in an owner's scripts.
  func object(of responder: Responder, for owner: ScriptOwner) -> Int32 {
    object(responder, for: owner).reference.id
  }

  func object(_ responder: Responder, for owner: ScriptOwner) -> ScriptObject {
    let objects = objects(of: responder)
    if let known = objects[owner.index] ?? owner.lateObjects[responder.number] { return known }
    pushTable(of: responder, for: owner, metatable: metatable(.responder))
    let object = ScriptObject(reference: lua.takeReference(), number: Int64(responder.number))
    if owner.owner.hasLeft { owner.lateObjects[responder.number] = object } else { objects[owner.index] = object }
    return object
  }

  func objects(of responder: Responder) -> ScriptObjects {
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

  /// In whose scripts a responder is shown when it is handed over as a value: as who asked for it sees it. Where nobody is known to have
  /// asked, its maker's, as long as there is nobody else from whom it has to be kept.
  func voice(for responder: Responder) -> ScriptOwner {
    if let speaker { return speaker }
    if viewer != nil { return nobody }
    return owners.dropFirst().last { $0.owner === responder.owner } ?? owners[owners.count - 1]
  }

  /// The responder that a table stands for, and in whose scripts.
  func responder(at index: Int32, on L: OpaquePointer) -> (responder: Responder, owner: ScriptOwner)? {
    responder(clua_hostNumber(L, index))
  }

  /// The responder that a table of that number stands for, and in whose scripts.
  func responder(_ number: Int64) -> (responder: Responder, owner: ScriptOwner)? {
    if let known = found[number] { return known }
    guard let responder = findResponder(number) else { return nil }
    found.note(number, responder.responder, responder.owner)
    return responder
  }

  private func findResponder(_ number: Int64) -> (responder: Responder, owner: ScriptOwner)? {
    guard number >= 0, number < ScriptClass.mark, let responder = responders[number & 0xFFFF_FFFF] else { return nil }
    return script(Int(number >> 32)).map { (responder, $0) }
  }

  /// The owner of a number; they stand in the order of their numbers.
  func script(_ index: Int) -> ScriptOwner? {
    if owners.indices.contains(index), owners[index].index == index { return owners[index] }
    return owners.last { $0.index <= index }.flatMap { $0.index == index ? $0 : nil }
  }

  /// What to say of a table of that number where the responder is there for which it stood, and only the script is gone in which it did.
  func goneScript(_ number: Int64) -> LuaMisuse? {
    guard number >= 0, number < ScriptClass.mark, responders[number & 0xFFFF_FFFF]?.isRemoved == false,
      script(Int(number >> 32)) == nil
    else { return nil }
    return goneScript(index: number >> 32)
  }

  /// What to say where the script of an index is gone.
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

  /// Takes out an owner, with the tables that it wrote into. What it held goes at once: an environment and what its functions hold would
  /// need several rounds of the collector to find, and many reloads in a row would heap them up meanwhile.
  func forget(_ script: ScriptOwner) {
    defer { lua.collect() }
    owners = owners.filter { $0 !== script }
    script.newTimers = []
    closeItems(of: script)
    for process in processes where process.script === script { process.kill() }
    started.removeAll { $0.program == nil || $0.program?.script === script }
    // Not all stand in the chain: one that is the host's own answers 'undo', and is shown to whoever is asked about it.
    for responder in responders.all { (responder.scriptObject as? ScriptObjects)?[script.index] = nil }
  }

  // MARK: Names

  /// A reference to a name as Lua's string.
  func key(_ name: String) -> Int32 {
    if let known = keys[ByteText(name)] { return known }
    lua.push(text: name, on: lua.L)
    let key = clua_reference(lua.L)
    keys[ByteText(name)] = key
    return key
  }

  /// The owner of the environment that a call came from.
  func place(_ place: LuaError.Place?) -> Place? {
    place.map { Place(file: $0.source, line: $0.line, column: $0.column) }
  }
}
