import CLua

/// A *fused plan* is a perform laid out so that it runs in one crossing into Lua, because everything on its way is a script's.
final class FusedPlan {
  let resolution: Resolution
  let taker: QuickTaker
  unowned let engine: ScriptEngine
  private let lua: LuaState
  let plan = Cell(clua_Plan())
  /// The last perform of it that waited; it holds this as long as it waits.
  private let job = Cell<FusedJob?>(nil)
  private let providers: UnsafeMutableBufferPointer<clua_HandlerRef>
  private let arguments: UnsafeMutableBufferPointer<clua_Argument>
  private let needs: UnsafeMutableBufferPointer<Int32>
  private let names: UnsafeMutableBufferPointer<Int32>
  /// Strings among the arguments, and the metatable of the context.
  private var held: [Int32] = []
  private let origin = ScriptOrigin()
  /// What an outcome says.
  let by: String
  let via: Outcome.Via

  var pointer: UnsafePointer<clua_Plan> { plan.pointer }

  /// Nil where something on the way is not a script's, or an argument is not a plain one.
  init?(_ taker: QuickTaker, _ resolution: Resolution, engine: ScriptEngine) {
    guard let on = taker.handler as? ScriptHandler, taker.can == nil || taker.can is ScriptHandler,
      resolution.walk.providers.allSatisfy({ ($0.handler as? ScriptHandler)?.keepsContext == false })
    else { return nil }
    let members = resolution.reference.arguments?.members ?? []
    guard members.allSatisfy({ $0.value.isScalar }) else { return nil }

    self.resolution = resolution
    self.taker = taker
    by = taker.name
    via = taker.via
    self.engine = engine
    lua = engine.lua
    providers = .allocate(capacity: resolution.walk.providers.count)
    let stamped = members.filter { !HostNames.contains($0.key) }
    arguments = .allocate(capacity: stamped.count)
    needs = .allocate(capacity: taker.needs.count)
    let mayShadow = resolution.walk.providers.contains { ($0.handler as? ScriptHandler)?.keepsHostNames == false }
    names = .allocate(capacity: mayShadow ? HostNames.all.count : 0)

    for (index, provider) in resolution.walk.providers.enumerated() {
      guard let handler = provider.handler as? ScriptHandler else { continue }
      providers.initializeElement(at: index, to: handler.handlerRef(for: provider.responder))
    }
    for (index, member) in stamped.enumerated() { arguments.initializeElement(at: index, to: argument(member)) }
    for (index, need) in taker.needs.enumerated() { needs.initializeElement(at: index, to: engine.key(need.key)) }
    for index in names.indices { names.initializeElement(at: index, to: engine.key(HostNames.all[index])) }

    plan.value.providers = UnsafePointer(providers.baseAddress)
    plan.value.providerCount = Int32(clamping: providers.count)
    plan.value.arguments = UnsafePointer(arguments.baseAddress)
    plan.value.argumentCount = Int32(clamping: arguments.count)
    plan.value.needs = UnsafePointer(needs.baseAddress)
    plan.value.needCount = Int32(clamping: needs.count)
    plan.value.names = UnsafePointer(names.baseAddress)
    plan.value.nameCount = Int32(clamping: names.count)
    plan.value.on = on.handlerRef(for: taker.responder)
    if let can = taker.can as? ScriptHandler { plan.value.can = can.handlerRef(for: taker.responder) }
    plan.value.nanoseconds = ScriptEngine.allowance.nanoseconds
    plan.value.instructions = ScriptEngine.allowance.instructions
    plan.value.fields = Int32(clamping: min(providers.count, 4096) + stamped.count)
    origin.target = self
    plan.value.metatable = metatable()
    held.append(plan.value.metatable)
  }

  /// A job for a perform of it that waits: the last one, if that has ended and nobody else knows it.
  @inline(__always)
  fileprivate func newJob() -> FusedJob {
    if isKnownUniquelyReferenced(&job.value), let known = job.value {
      known.renew()
      return known
    }
    let made = FusedJob(self)
    job.value = made
    return made
  }

  /// What it performs.
  var request: Request {
    Request(
      raw: resolution.raw, action: taker.action, prefix: taker.prefix,
      arguments: Arguments(resolution.reference.arguments))
  }

  deinit {
    providers.deallocate()
    arguments.deallocate()
    needs.deallocate()
    names.deallocate()
    origin.target = nil
    lua.drop(held)
    plan.free()
    job.free()
  }

  private func argument(_ member: LiteralObject.Member) -> clua_Argument {
    var argument = clua_Argument()
    argument.key = text(member.key)
    switch member.value {
    case .bool(let value):
      argument.kind = Int32(CLUA_ARGUMENT_BOOL.rawValue)
      argument.integer = value ? 1 : 0
    case .integer(let value):
      argument.kind = Int32(CLUA_ARGUMENT_INTEGER.rawValue)
      argument.integer = Int64(value)
    case .number(let value):
      argument.kind = Int32(CLUA_ARGUMENT_NUMBER.rawValue)
      argument.number = value
    case .text(let value):
      argument.kind = Int32(CLUA_ARGUMENT_VALUE.rawValue)
      argument.integer = Int64(text(value))
    case .null, .list, .object: argument.kind = Int32(CLUA_ARGUMENT_NIL.rawValue)
    }
    return argument
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
    engine.setFields(of: request, taker: taker.responder)
    clua_pushObject(L, Unmanaged.passRetained(origin).toOpaque())
    clua_setOrigin(L, -2)
    clua_newContextMetatable(L)
    return clua_reference(L)
  }
}

extension Literal {
  /// Whether it is one value, without parts that a script could change.
  var isScalar: Bool {
    switch self {
    case .list, .object: false
    default: true
    }
  }
}

extension ScriptEngine {
  var isAsking: Bool {
    let phase = clua_phase(lua.L)
    return phase == CLUA_ASKING.rawValue || phase == CLUA_PROVIDING.rawValue
  }

  func beginAllowance() { _ = clua_begin(lua.L, Self.allowance.nanoseconds, Self.allowance.instructions) }
  func endAllowance() { _ = clua_end(lua.L, nil, nil) }

  func fuse(_ taker: QuickTaker, _ resolution: Resolution) -> AnyObject? {
    FusedPlan(taker, resolution, engine: self)
  }

  func run(_ fused: Unmanaged<AnyObject>) -> Outcome? {
    fused._withUnsafeGuaranteedRef { run(unsafeDowncast($0, to: FusedPlan.self)) }
  }

  func takeQuickEnd() -> QuickEnd {
    defer { quickEnd = .passed(nil) }
    return quickEnd
  }

  private func run(_ fused: FusedPlan) -> Outcome? {
    let L = lua.L
    let top = clua_top(L)
    var answer = clua_perform(L, fused.pointer, 0, false)
    if answer.what == CLUA_DID.rawValue, answer.shadowed == 0 {
      let result = value(at: -1, on: L)
      clua_setTop(L, top)
      return Outcome(.handled, by: fused.by, via: fused.via, result: result)
    }
    if answer.what == CLUA_WAITS.rawValue, answer.shadowed == 0 {
      clua_setTop(L, top)
      return wait(fused)
    }
    defer { clua_setTop(L, top) }
    while answer.what == CLUA_PROVIDER_FAILED.rawValue, answer.status == CLUA_ERROR.rawValue {
      let provider = fused.resolution.walk.providers[Int(answer.index)]
      let failure = failure(lua.takeError(answer.status, on: L), owner: provider.handler.owner)
      dispatcher.report(failure, ofProvider: provider.responder)
      answer = clua_perform(L, fused.pointer, answer.index + 1, true)
    }
    if answer.shadowed != 0 { tellShadowed(answer.shadowed, fused.resolution.walk) }
    return answer.what == CLUA_WAITS.rawValue ? wait(fused) : outcome(answer, fused.taker)
  }

  @inline(never)
  private func wait(_ fused: FusedPlan) -> Outcome { fused.newJob().begin(fused) }

  /// The outcome of an answer whose value is on top; nil where the general way goes on.
  private func outcome(_ answer: clua_Answer, _ taker: QuickTaker) -> Outcome? {
    let L = lua.L
    let by = taker.name
    switch clua_What(UInt32(bitPattern: answer.what)) {
    case CLUA_DID: return Outcome(.handled, by: by, via: taker.via, result: value(at: -1, on: L))
    case CLUA_PASSED:
      quickEnd = .passed(ScriptContext(engine: self, adopting: lua.reference(copying: -2, on: L)))
      return nil
    case CLUA_LACKS:
      let reason = taker.needs[Int(answer.index)].reasonOrDerived
      return Outcome(.disabled, by: by, via: taker.via, reason: reason)
    case CLUA_NO:
      return Outcome(.disabled, by: by, via: taker.via, reason: taker.reason(lua.text(at: -1, on: L)))
    case CLUA_REFUSED:
      return Outcome(.disabled, by: by, via: taker.via, reason: taker.refusal(lua.text(at: -1, on: L) ?? ""))
    case CLUA_CAN_FAILED:
      let failure = failure(lua.takeError(answer.status, on: L), owner: taker.can?.owner ?? taker.handler.owner)
      dispatcher.report(Diagnostic(failure))
      return Outcome(.disabled, by: by, via: taker.via, reason: "error: \(failure.message)")
    default:
      quickEnd = .failed(failure(lua.takeError(answer.status, on: L), owner: taker.handler.owner))
      return nil
    }
  }

  /// Tells of providers that supplied something under a name of the host's.
  private func tellShadowed(_ bits: Int32, _ walk: Walk) {
    let names = HostNames.all.enumerated().filter { bits & (1 << Int32($0.offset)) != 0 }.map(\.element)
    for provider in walk.providers {
      guard let handler = provider.handler as? ScriptHandler, !handler.keepsHostNames else { continue }
      let written = names.filter { handler.fieldUse.writes.contains($0) || !handler.fieldUse.isComplete }
      dispatcher.tellShadowed(written.map { ($0, provider.responder.name) }[...], by: handler)
    }
  }
}
