import CLua

/// A *fused plan* is a perform laid out so that it runs in one crossing into Lua, because everything on its way is a script's.
final class FusedPlan: QuickPlan {
  /// It lives as long as the host, which runs this; a check would cost as much as what it runs.
  unowned(unsafe) let engine: ScriptEngine
  private let lua: LuaState
  let plan = Cell(clua_Plan())
  private let providers: UnsafeMutableBufferPointer<clua_HandlerRef>
  private let arguments: UnsafeMutableBufferPointer<clua_Argument>
  private let needs: UnsafeMutableBufferPointer<Int32>
  private let names: UnsafeMutableBufferPointer<Int32>
  /// Who has a say in who takes it, as they are asked first; none where it is settled by tables.
  private var hearings = UnsafeMutableBufferPointer<clua_Hearing>(start: nil, count: 0)
  /// The keys that each provider may write, once that was asked for.
  private var written: WrittenKeys?
  /// Strings among the arguments, and the metatable of the context.
  private var held: [Int32] = []
  private let origin = ScriptOrigin()
  /// Where the function stands that does it, if C may exchange that.
  private var slot: HandlerSlot?

  /// The last perform of it that waited; it holds this as long as it waits.
  private let job = Cell<FusedJob?>(nil)

  var pointer: UnsafePointer<clua_Plan> { plan.pointer }

  /// Whether everything on the way is a script's, and each argument a plain one. It is asked first: an initializer that fails doesn't run
  /// `deinit`, which frees what was made.
  static func canFuse(_ candidate: Candidate, _ resolution: Resolution) -> Bool {
    FusedPlan.canTake(candidate)
      && resolution.walk.providers.allSatisfy { ($0.handler as? ScriptHandler)?.keepsContext == false }
      && (resolution.reference.arguments?.members ?? []).allSatisfy { Value($0.value).isScalar }
  }

  init(_ candidate: Candidate, _ resolution: Resolution, engine: ScriptEngine) {
    let members = resolution.reference.arguments?.members ?? []
    self.engine = engine
    lua = engine.lua
    providers = .allocate(capacity: resolution.walk.providers.count)
    let stamped = members.filter { !HostNames.contains($0.key) }
    arguments = .allocate(capacity: stamped.count)
    needs = .allocate(capacity: candidate.needs.count)
    let mayShadow = resolution.walk.providers.contains { ($0.handler as? ScriptHandler)?.keepsHostNames == false }
    names = .allocate(capacity: mayShadow ? HostNames.all.count : 0)

    super.init(candidate, resolution)

    for (index, provider) in resolution.walk.providers.enumerated() {
      guard let handler = provider.handler as? ScriptHandler else { continue }
      providers.initializeElement(at: index, to: handler.handlerRef(for: provider.responder))
    }
    for (index, member) in stamped.enumerated() {
      arguments.initializeElement(at: index, to: clua_Argument(member.key, Value(member.value), text: text))
    }
    for (index, need) in candidate.needs.enumerated() { needs.initializeElement(at: index, to: engine.key(need.key)) }
    for index in names.indices { names.initializeElement(at: index, to: engine.key(HostNames.all[index])) }

    plan.value.providers = UnsafePointer(providers.baseAddress)
    plan.value.providerCount = Int32(clamping: providers.count)
    plan.value.arguments = UnsafePointer(arguments.baseAddress)
    plan.value.argumentCount = Int32(clamping: arguments.count)
    plan.value.needs = UnsafePointer(needs.baseAddress)
    plan.value.needCount = Int32(clamping: needs.count)
    plan.value.names = UnsafePointer(names.baseAddress)
    plan.value.nameCount = Int32(clamping: names.count)
    plan.value.nanoseconds = engine.allowance.nanoseconds
    plan.value.instructions = engine.allowance.instructions
    plan.value.fields = Int32(clamping: min(providers.count, 4096) + stamped.count)
    plan.value.isBare = resolution.walk.providers.allSatisfy {
      ($0.handler as? ScriptHandler)?.fieldUse.calls.isEmpty ?? false
    }
    layOut(candidate)
    origin.target = self
    plan.value.metatable = metatable()
    held.append(plan.value.metatable)
  }

  /// Whether all that it does is a script's.
  private static func canTake(_ candidate: Candidate) -> Bool {
    candidate.handler is ScriptHandler && candidate.trouble == nil
      && (candidate.can == nil || candidate.can is ScriptHandler)
  }

  /// Lays out who does it and who says whether it may be done.
  private func layOut(_ candidate: Candidate) {
    guard let on = candidate.handler as? ScriptHandler else { return }
    plan.value.on = on.handlerRef(for: candidate.responder)
    slot = on.slot
    if let slot { plan.value.on.function = slot.function.id }
    // What C was told of one that is still the same holds.
    if let laid = self.can, laid === candidate.can, plan.value.can.function != 0 { return }
    plan.value.can = clua_HandlerRef()
    guard let can = candidate.can as? ScriptHandler else { return }
    plan.value.can = can.handlerRef(for: candidate.responder)
    plan.value.canOnlyReads = can.onlyReadsContext
  }

  override func run(_ dispatcher: Dispatcher) -> Outcome { run(from: plan.value.hearingCount > 0 ? -1 : 0) }

  override func runHeard(_ dispatcher: Dispatcher) -> Outcome { run(from: 0) }

  @inline(__always)
  private func run(from first: Int32) -> Outcome {
    // Not kept: a plan may be laid out while a coroutine runs that is gone when it is run.
    let L = lua.L
    let top = clua_top(L)
    let answer = clua_perform(L, pointer, first, false, nil)
    defer { clua_setTop(L, top) }
    guard answer.what == CLUA_DID.rawValue, answer.shadowed == 0 else {
      return answer.what == CLUA_WAITS.rawValue && answer.shadowed == 0 ? wait() : engine.finish(answer, self)
    }
    return Outcome(handledBy: taker, result: scalar(at: -1, on: L) ?? engine.value(at: -1, on: L))
  }

  override var asks: Bool { plan.value.hearingCount > 0 }

  override func layOut(_ heard: [Hearing]) {
    super.layOut(heard)
    guard heard.allSatisfy({ $0.question.hook is ScriptHandler }) else { return }
    hearings = .allocate(capacity: heard.count)
    for (index, hearing) in heard.enumerated() { hearings.initializeElement(at: index, to: layOut(hearing)) }
    plan.value.hearings = UnsafePointer(hearings.baseAddress)
    plan.value.hearingCount = Int32(clamping: heard.count)
    plan.value.changes = engine.chain.tablesPointer
  }

  private func layOut(_ hearing: Hearing) -> clua_Hearing {
    var laid = clua_Hearing()
    guard let hook = hearing.question.hook as? ScriptHandler else { return laid }
    laid.handler = hook.handlerRef(for: hearing.question.responder)
    laid.action = text(hearing.question.action)
    switch hearing.answer {
    case .claims(let answer):
      laid.isClaim = true
      laid.claims = answer
    case .redirects(let target?):
      laid.table = identity(engine.object(of: target, for: hook.script))
      laid.name = identity(text(target.name))
    case .redirects(nil), .fails: break
    }
    return laid
  }

  /// What tells the value of a reference from others, as long as that is held; a text that is long has another each time.
  private func identity(_ reference: Int32) -> UnsafeRawPointer? {
    clua_pushReference(lua.L, reference)
    defer { clua_pop(lua.L, 1) }
    return clua_identity(lua.L, -1)
  }

  override func layOutKeys() -> [[String]]? {
    let providers = resolution.walk.providers
    let keys = providers.map { ($0.handler as? ScriptHandler)?.fieldUse.writes ?? [] }
    // What is supplied under a name of the host's, or beside what another provider of the same responder does, and what
    // functions were asked, the general way tells.
    guard plan.value.nameCount == 0, heard.isEmpty, keys.allSatisfy({ $0.count <= CLUA_NOTED }),
      Set(providers.map(\.responder.number)).count == providers.count
    else { return nil }
    let written = WrittenKeys(keys, reference: text)
    self.written = written
    plan.value.written = written.pointer
    return keys
  }

  override func run(_ dispatcher: Dispatcher, in trace: Trace) -> Outcome {
    let L = lua.L
    let top = clua_top(L)
    let answer = clua_perform(L, pointer, 0, false, trace.quick?.supplied)
    defer { clua_setTop(L, top) }
    return engine.finish(answer, self, in: trace)
  }

  /// Has the last perform of it wait as a job: that of the one before, if that has ended and nobody else knows it.
  @inline(never)
  func wait(in trace: Trace? = nil) -> Outcome {
    // One that went on with another's handler has become that one's.
    if isKnownUniquelyReferenced(&job.value), job.value?.isAnothers == false,
      let known = job.value.map(Unmanaged.passUnretained)
    {
      // Of two in one expression the outcome would be copied.
      guard known._withUnsafeGuaranteedRef({ $0.sleeps(self, in: trace) }) else {
        return known._withUnsafeGuaranteedRef { $0.waitOtherwise() }
      }
      return Outcome(running: known.takeUnretainedValue(), by: taker)
    }
    job.value = FusedJob(self)
    return wait(in: trace)
  }

  override func refit(_ other: Candidate) -> Bool {
    guard other.responder === candidate.responder, other.via == candidate.via, other.action == candidate.action,
      other.prefix == candidate.prefix, other.needs.isEmpty, candidate.needs.isEmpty, FusedPlan.canTake(other)
    else { return false }
    layOut(other)
    job.value = nil
    return true
  }

  /// What it performs.
  var request: Request {
    Request(
      raw: resolution.raw, action: candidate.action, prefix: candidate.prefix,
      arguments: Arguments(resolution.reference.arguments))
  }

  deinit {
    providers.deallocate()
    arguments.deallocate()
    needs.deallocate()
    names.deallocate()
    hearings.deallocate()
    origin.target = nil
    lua.drop(held)
    plan.free()
    job.free()
  }

  /// A reference to a text, as long as this lives: there is no end of what callers name their arguments.
  private func text(_ text: String) -> Int32 {
    engine.lua.push(text: text, on: engine.lua.L)
    let reference = clua_reference(engine.lua.L)
    held.append(reference)
    return reference
  }

  private func metatable() -> Int32 {
    let L = engine.lua.L
    clua_newTable(L, 0, 10)
    engine.setFields(of: request, taker: candidate.responder)
    clua_pushObject(L, Unmanaged.passRetained(origin).toOpaque())
    clua_setOrigin(L, -2)
    clua_newContextMetatable(L)
    return clua_reference(L)
  }
}

extension ScriptEngine {
  var phase: UnsafePointer<Int32> { clua_phasePointer(lua.L) }

  var turns: UInt64 { clua_turns(lua.L) }
  var isSpent: Bool { clua_trip(lua.L) != CLUA_TRIP_NONE.rawValue }

  func beginAllowance() { _ = clua_begin(lua.L, allowance.nanoseconds, allowance.instructions) }
  func beginTest() { _ = clua_begin(lua.L, host.limits.test.nanoseconds, host.limits.test.instructions) }
  func endAllowance() {
    _ = clua_end(lua.L)
    dispatcher.catchUp()
  }

  /// Runs something within an allowance that is not a perform's.
  func within<Result>(_ allowance: LuaAllowance, _ body: () throws -> Result) throws -> Result {
    defer { dispatcher.catchUp() }
    return try lua.within(allowance, body)
  }

  func charge(_ steps: Int) { if steps > 0 { clua_chargeWork(lua.L, UInt64(steps)) } }

  // Without a time of its own, which would cost a look at the clock each time.
  func beginQuestion() { _ = clua_begin(lua.L, 0, questionInstructions) }
  func endQuestion() { _ = clua_end(lua.L) }

  func fuse(_ candidate: Candidate, _ resolution: Resolution) -> QuickPlan? {
    FusedPlan.canFuse(candidate, resolution) ? FusedPlan(candidate, resolution, engine: self) : nil
  }
}
