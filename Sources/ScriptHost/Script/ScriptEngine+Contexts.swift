import CLua
import CScript

// What the host does to contexts that lie in Lua.

extension ScriptEngine {
  /// Takes out what a provider supplied under a name of the host's.
  func dropHostNames(_ context: ScriptContext) {
    let L = lua.L
    clua_pushReference(L, context.reference.id)
    defer { clua_pop(L, 1) }
    for name in HostNames.all {
      clua_pushReference(L, key(name))
      clua_rawGet(L, -2)
      defer { clua_pop(L, 1) }
      guard clua_type(L, -1) != CLUA_TNIL.rawValue else { continue }
      clua_pushReference(L, key(name))
      clua_pushNil(L)
      _ = clua_rawSet(L, -4)
      context.refuse(name)
    }
  }

  // MARK: Who supplied what

  /// A copy of what lies in a context, to see what a provider adds.
  func copy(of context: ScriptContext) -> LuaReference {
    clua_pushReference(lua.L, context.reference.id)
    clua_copyTable(lua.L)
    return lua.takeReference()
  }

  func noteSupplied(in context: ScriptContext, since before: LuaReference) {
    let L = lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    clua_pushReference(L, before.id)
    clua_pushReference(L, context.reference.id)
    clua_pushNil(L)
    while clua_nextOther(L, top + 2, top + 1) {
      if let key = lua.text(at: -2, on: L) { context.suppliers?.supplied(key) }
      clua_pop(L, 1)
    }
  }

  /// Pushes a reader of the context on top that tells which keys are read through it.
  func pushWitnessedReader(_ onRead: @escaping (String) -> Void, on L: OpaquePointer) -> Bool {
    let context = lua.reference(copying: -1, on: L)
    let read = lua.function { [unowned self] call in
      guard case .text(let key) = try call[1] else { return .values([.nil]) }
      if !HostNames.calls.contains(key) { onRead(key) }
      return .values([try lua.get(key, of: LuaTable(reference: context))])
    }
    clua_pushReference(L, read.reference.id)
    return clua_pushWitnessedReader(L, -2)
  }

  // MARK: super and forward

  func addContextCalls() throws(LuaError) {
    clua_pushContextCalls(lua.L)
    let calls = LuaTable(reference: lua.takeReference())
    try lua.rawSet("super", .function(lua.function { [unowned self] in try callSuper($0) }), of: calls)
    try lua.rawSet("forward", .function(lua.function { [unowned self] in try forward($0) }), of: calls)
  }

  /// The request and resolution that a context table belongs to.
  private func origin(_ call: LuaCall, _ name: String) throws -> (request: Request, resolution: Resolution) {
    guard clua_origin(call.L, 1) else { throw LuaMisuse("call it with a colon, on a context: ctx:\(name)()") }
    defer { clua_pop(call.L, 1) }
    guard case .object(let object) = try lua.value(at: -1, on: call.L), let origin = object as? ScriptOrigin else {
      throw LuaMisuse("ctx:\(name)() has nothing to go on with")
    }
    switch origin.target {
    case let context as ScriptContext:
      if let request = context.request, let resolution = context.resolution { return (request, resolution) }
    case let plan as FusedPlan: return (plan.request(PerformOptions()), plan.resolution)
    default: break
    }
    throw LuaMisuse("ctx:\(name)() is possible only as long as the action goes on")
  }

  /// The handler that calls: the nearest function up the stack that is one of a responder's for the action.
  private func running(
    _ call: LuaCall, _ name: Name
  ) -> (responder: Responder, owner: ScriptOwner, table: Behaviour.Table, position: Int)? {
    for level in 1..<32 {
      guard clua_runningFunction(call.L, Int32(level)) else { return nil }
      defer { clua_pop(call.L, 2) }
      guard let (responder, owner) = responder(at: -1, on: call.L), let identity = clua_identity(call.L, -2) else {
        continue
      }
      for table in Behaviour.Table.allCases {
        let position = responder.stack.firstIndex { behaviour in
          (behaviour.entry(table, name)?.content as? ScriptHandler)?.identity == identity
        }
        if let position { return (responder, owner, table, position) }
      }
    }
    return nil
  }

  private func callSuper(_ call: LuaCall) throws -> LuaReturn {
    let (request, resolution) = try origin(call, "super")
    guard let name = host.names.name(of: request.action), let (responder, owner, table, position) = running(call, name)
    else { return .values([.nil]) }
    guard let below = responder.entry(table, name, from: position + 1) else {
      // What nobody asks may be done: so 'return ctx:super()' leaves the answer to those below, be there any or not.
      return .values([table == .can ? true : .nil])
    }
    return try speaking(to: owner) {
      try hand(
        to: below.entry.content, of: responder, request, resolution, call, asking: table == .confirm)
    }
  }

  /// Calls a handler of a script's in the place of the call, so that it may wait; another is asked here.
  private func hand(
    to handler: Handler, of responder: Responder, _ request: Request, _ resolution: Resolution, _ call: LuaCall,
    asking isQuestion: Bool
  ) throws -> LuaReturn {
    guard let handler = handler as? ScriptHandler else {
      let context = context(of: call, request)
      context.resolution = resolution
      context.taker = responder
      if isQuestion {
        push(try handler.value(for: responder, in: context).get(), on: call.L)
        return .pushed(1)
      }
      let reply = handler.perform(for: responder, in: context)
      if case .waiting(let suspension) = reply {
        return try wait(for: Forwarding(suspension, in: context, dispatcher), call)
      }
      return try push(reply, on: call.L)
    }
    clua_pushReference(call.L, handler.function.reference.id)
    clua_pushReference(call.L, object(of: responder, for: handler.script))
    clua_show(call.L, 1, -1)
    clua_copy(call.L, 1)
    return .call(2)
  }

  /// The context on which a call was made, for those who are asked in turn.
  private func context(of call: LuaCall, _ request: Request) -> ScriptContext {
    let context = ScriptContext(engine: self, adopting: lua.reference(copying: 1, on: call.L))
    context.request = request
    context.undoObject = dispatcher.undo
    return context
  }

  /// Pushes what a handler replied, as the one who asked it sees it.
  func push(_ reply: Reply, on L: OpaquePointer) throws -> LuaReturn {
    switch reply {
    case .value(let value):
      push(value, on: L)
      return .pushed(1)
    case .pass, .waiting:
      clua_pushNil(L)
      return .pushed(1)
    case .refused(let reason):
      clua_pushNil(L)
      lua.push(text: reason, on: L)
      return .pushed(2)
    case .failed(let failure): throw failure
    }
  }

  /// Goes on with the next responder that answers; one that says no gives nil and the reason, one that passes is passed by.
  private func forward(_ call: LuaCall) throws -> LuaReturn {
    try refuseWhileAsking("forwarding")
    let (request, resolution) = try origin(call, "forward")
    guard let name = host.names.name(of: request.action), let (responder, owner, _, _) = running(call, name) else {
      return .values([.nil])
    }
    let context = context(of: call, request)
    context.resolution = resolution
    let forwarding = Forwarding(resolution, from: responder, in: context, dispatcher) {
      context.engine.show(context.reference, to: owner)
    }
    let reply = forwarding.ask()
    if case .waiting = reply { return try wait(for: forwarding, call) }
    return try speaking(to: owner) { try push(reply, on: call.L) }
  }
}
