import CLua

/// A *fused plan* is a perform laid out so that it runs in one crossing into Lua, because everything on its way is a script's.
final class FusedPlan {
  /// Who keeps this plan.
  unowned let resolution: Resolution
  let candidate: Candidate
  let engine: ScriptEngine
  private(set) var plan = clua_Plan()
  private let providers: UnsafeMutableBufferPointer<clua_HandlerRef>
  private let arguments: UnsafeMutableBufferPointer<clua_Argument>
  private let needs: UnsafeMutableBufferPointer<Int32>
  private let names: UnsafeMutableBufferPointer<Int32>
  /// Strings among the arguments, and the metatable of the context.
  private var held: [Int32] = []

  /// Nil where something on the way is not a script's, or an argument is not a plain one.
  init?(_ resolution: Resolution, reference: Reference, engine: ScriptEngine) {
    guard let candidate = resolution.candidate(0, witness: nil), let on = candidate.handler as? ScriptHandler,
      candidate.can == nil || candidate.can is ScriptHandler,
      resolution.walk.providers.allSatisfy({ $0.handler is ScriptHandler }),
      engine.dispatcher.hostValues.isEmpty
    else { return nil }
    let members = reference.arguments?.members ?? []
    guard members.allSatisfy({ $0.value.isScalar && !$0.key.hasSameBytes(as: "skip_validation") }) else { return nil }

    self.resolution = resolution
    self.candidate = candidate
    self.engine = engine
    providers = .allocate(capacity: resolution.walk.providers.count)
    let stamped = members.filter { !HostNames.contains($0.key) }
    arguments = .allocate(capacity: stamped.count)
    needs = .allocate(capacity: candidate.needs.count)
    let mayShadow = resolution.walk.providers.contains { ($0.handler as? ScriptHandler)?.keepsHostNames == false }
    names = .allocate(capacity: mayShadow ? HostNames.all.count : 0)

    for (index, provider) in resolution.walk.providers.enumerated() {
      guard let handler = provider.handler as? ScriptHandler else { continue }
      providers.initializeElement(at: index, to: handler.handlerRef(for: provider.responder))
    }
    for (index, member) in stamped.enumerated() { arguments.initializeElement(at: index, to: argument(member)) }
    for (index, need) in candidate.needs.enumerated() { needs.initializeElement(at: index, to: engine.key(need.key)) }
    for index in names.indices { names.initializeElement(at: index, to: engine.key(HostNames.all[index])) }

    plan.providers = UnsafePointer(providers.baseAddress)
    plan.providerCount = Int32(clamping: providers.count)
    plan.arguments = UnsafePointer(arguments.baseAddress)
    plan.argumentCount = Int32(clamping: arguments.count)
    plan.needs = UnsafePointer(needs.baseAddress)
    plan.needCount = Int32(clamping: needs.count)
    plan.names = UnsafePointer(names.baseAddress)
    plan.nameCount = Int32(clamping: names.count)
    plan.on = on.handlerRef(for: candidate.responder)
    if let can = candidate.can as? ScriptHandler { plan.can = can.handlerRef(for: candidate.responder) }
    plan.fields = Int32(clamping: min(providers.count, 64) + stamped.count)
    plan.metatable = metatable(reference)
    held.append(plan.metatable)
  }

  deinit {
    providers.deallocate()
    arguments.deallocate()
    needs.deallocate()
    names.deallocate()
    engine.lua.drop(held)
  }

  private func argument(_ member: LiteralObject.Member) -> clua_Argument {
    var argument = clua_Argument()
    argument.key = engine.key(member.key)
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
      engine.lua.push(text: value, on: engine.lua.L)
      let reference = clua_reference(engine.lua.L)
      held.append(reference)
      argument.integer = Int64(reference)
    case .null, .list, .object: argument.kind = Int32(CLUA_ARGUMENT_NIL.rawValue)
    }
    return argument
  }

  private func metatable(_ reference: Reference) -> Int32 {
    let L = engine.lua.L
    clua_newTable(L, 0, 10)
    engine.setFields(
      of: Request(
        raw: resolution.raw, action: candidate.action, prefix: candidate.prefix,
        arguments: Arguments(reference.arguments)), taker: candidate.responder)
    clua_pushObject(L, Unmanaged.passRetained(ScriptOrigin(self)).toOpaque())
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
  /// Performs the first candidate in one crossing where that can be; nil where the general way must be gone.
  func perform(_ resolution: Resolution, reference: Reference, in dispatcher: Dispatcher) -> FusedAnswer {
    if !resolution.fusedIsTried {
      resolution.fusedIsTried = true
      resolution.fused = FusedPlan(resolution, reference: reference, engine: self)
    }
    guard let fused = resolution.fused else { return .notFused }
    return run(unsafeDowncast(fused, to: FusedPlan.self))
  }

  private func run(_ fused: FusedPlan) -> FusedAnswer {
    let L = lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    var plan = fused.plan
    var answer = clua_perform(L, &plan, 0, false)
    while answer.what == CLUA_PROVIDER_FAILED.rawValue, answer.status == CLUA_ERROR.rawValue {
      let provider = fused.resolution.walk.providers[Int(answer.index)]
      let failure = failure(lua.takeError(answer.status, on: L), owner: provider.handler.owner)
      dispatcher.report(failure, ofProvider: provider.responder)
      answer = clua_perform(L, &plan, answer.index + 1, true)
    }
    if answer.shadowed != 0 { tellShadowed(answer.shadowed, fused.resolution.walk) }
    return outcome(answer, fused.candidate)
  }

  private func outcome(_ answer: clua_Answer, _ candidate: Candidate) -> FusedAnswer {
    let L = lua.L
    let by = candidate.responder.name
    switch clua_What(UInt32(bitPattern: answer.what)) {
    case CLUA_DID:
      return .outcome(Outcome(.handled, by: by, via: candidate.via, result: value(at: -1, on: L)))
    case CLUA_PASSED:
      let context = ScriptContext(engine: self, adopting: lua.reference(copying: -2, on: L))
      return .passed(context)
    case CLUA_LACKS:
      return .outcome(
        Outcome(.disabled, by: by, via: candidate.via, reason: candidate.needs[Int(answer.index)].reasonOrDerived))
    case CLUA_NO:
      let reason = lua.text(at: -1, on: L).flatMap { $0.isEmpty ? nil : $0 }
      return .outcome(
        Outcome(.disabled, by: by, via: candidate.via, reason: candidate.reason(reason)))
    case CLUA_REFUSED:
      return .outcome(Outcome(.disabled, by: by, via: candidate.via, reason: lua.text(at: -1, on: L) ?? "refused"))
    case CLUA_CAN_FAILED:
      let failure = failure(lua.takeError(answer.status, on: L), owner: candidate.can?.owner ?? candidate.handler.owner)
      dispatcher.report(Diagnostic(failure))
      return .outcome(Outcome(.disabled, by: by, via: candidate.via, reason: "error: \(failure.message)"))
    default:
      return .failed(failure(lua.takeError(answer.status, on: L), owner: candidate.handler.owner))
    }
  }

  private func tellShadowed(_ bits: Int32, _ walk: Walk) {
    for (index, name) in HostNames.all.enumerated() where bits & (1 << Int32(index)) != 0 {
      let suspects = walk.providers.filter { provider in
        guard let handler = provider.handler as? ScriptHandler else { return false }
        return handler.fieldUse.writes.contains(name)
      }
      shadowed(name, by: (suspects.last ?? walk.providers.last)?.responder.name)
    }
  }
}
