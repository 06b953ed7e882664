import CLua
import CScript

// Functions for contexts whose values are in Lua.

extension ScriptEngine {
  // MARK: Suppliers

  /// Copies a context's values, to find out later which values a provider added.
  func copy(of context: ScriptContext) -> LuaReference {
    clua_pushReference(lua.L, context.record.pointee.table)
    clua_copyTable(lua.L)
    return lua.takeReference()
  }

  func noteSupplied(in context: ScriptContext, since before: LuaReference) {
    let L = lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    clua_pushReference(L, before.id)
    clua_pushReference(L, context.record.pointee.table)
    clua_pushNil(L)
    while clua_nextOther(L, top + 2, top + 1) {
      if let key = lua.text(at: -2, on: L) { context.note(key) }
      clua_pop(L, 1)
    }
    clua_pushNil(L)
    while clua_nextOther(L, top + 1, top + 2) {
      if let key = lua.text(at: -2, on: L), !context.holds(key) { context.note(key, isRemoved: true) }
      clua_pop(L, 1)
    }
  }

  /// Returns a function for the reader of a context, which notifies the context's listeners of each read. The read of
  /// an argument whose value isn't known unwinds the question, like a refusal (A13).
  func reading(of context: ScriptContext) -> LuaFunction {
    let (table, onRead, unknown) = (context.table, context.onRead, context.unknown)
    return lua.function { [unowned self, weak context] call in
      guard case .text(let key) = try call[1] else { return .values([.nil]) }
      if !HostNames.calls.contains(key) { onRead?(key) }
      if let unknown, unknown.read(key) { throw LuaError.undecided }
      let value = try lua.get(key, of: table)
      if let unknown, let context, key == "args", case .table(let arguments) = value {
        try notify(unknown, ofReadsOf: arguments, in: context)
      }
      return .values([value])
    }
  }

  /// Makes a question's copy of `ctx.args` notify of reads of arguments that it doesn't have, until the question ends.
  private func notify(_ unknown: UnknownArguments, ofReadsOf arguments: LuaTable, in context: ScriptContext) throws {
    let heard = lua.function { [weak context] call in
      guard case .text(let key) = try call[1], context?.unknown === unknown, unknown.read(key) else {
        return .values([.nil])
      }
      throw LuaError.undecided
    }
    let top = clua_top(lua.L)
    defer { clua_setTop(lua.L, top) }
    guard clua_room(lua.L, 8) else { return }
    clua_newTable(lua.L, 0, 2)
    clua_pushReference(lua.L, heard.reference.id)
    lua.setField("__index", on: lua.L)
    clua_pushBool(lua.L, false)
    lua.setField("__metatable", on: lua.L)
    clua_markPlainMetatable(lua.L, -1)
    try setMetatable(.init(reference: lua.takeReference()), of: arguments)
  }

  // MARK: super and forward

  func addContextCalls() throws(LuaError) {
    clua_pushContextCalls(lua.L)
    let calls = LuaTable(reference: lua.takeReference())
    try lua.rawSet("super", .function(lua.function { [unowned self] in try callSuper($0) }), of: calls)
    try lua.rawSet("forward", .function(lua.function { [unowned self] in try forward($0) }), of: calls)
  }

  /// The facts about a context table: the context, its request, its resolution, and the present taker.
  private struct Asked {
    let context: ScriptContext
    let request: Request
    let resolution: Resolution
    var taker: Responder? { context.taker }
  }

  private func asked(_ call: LuaCall, _ name: String) throws -> Asked {
    var object: UnsafeMutableRawPointer?
    guard clua_findContext(call.L, 1, &object) else {
      throw LuaMisuse("call it with a colon, on a context: ctx:\(name)()")
    }
    guard let context = object.map(ScriptContext.of), let request = context.request,
      let resolution = context.resolution
    else {
      throw LuaMisuse("ctx:\(name)() is possible only while the action runs")
    }
    return Asked(context: context, request: request, resolution: resolution)
  }

  /// A running handler that calls a method of its context, with its responder, owner, and position in the stack.
  private struct Running {
    let responder: Responder
    let owner: ScriptOwner
    /// Nil for a catch-all.
    let table: Behaviour.Table?
    let position: Int
  }

  /// Returns the calling handler: the nearest handler of its responder for the action, else one with the context.
  private func running(_ call: LuaCall, _ asked: Asked) throws -> Running? {
    let name = host.names.name(of: asked.request.action)
    for level in 1..<32 {
      guard clua_runningFunction(call.L, Int32(level)) else { break }
      defer { clua_pop(call.L, 2) }
      guard let (responder, owner) = responder(at: -1, on: call.L), let identity = clua_identity(call.L, -2),
        let found = responder.place(of: identity, for: name)
      else { continue }
      return Running(responder: responder, owner: owner, table: found.table, position: found.position)
    }
    return try asked.taker.flatMap { try gone(call, $0) }
  }

  /// Returns a handler that was removed, or whose responder was removed, while it ran. Throws if its plugin was
  /// unloaded: then nobody knows which handlers are below it.
  private func gone(_ call: LuaCall, _ taker: Responder) throws -> Running? {
    for level in 1..<32 {
      guard clua_runningFunction(call.L, Int32(level)) else { return nil }
      defer { clua_pop(call.L, 2) }
      let number = clua_hostNumber(call.L, -1)
      guard clua_isGiven(call.L, Int32(level), 1), number >= 0 else { continue }
      guard let owner = script(Int(number >> 32)) else { throw goneScript(index: number >> 32) }
      // After `forward`, the responder differs from the taker.
      let responder = responder(at: -1, on: call.L)?.responder ?? taker
      return Running(responder: responder, owner: owner, table: .on, position: 0)
    }
    return nil
  }

  private func callSuper(_ call: LuaCall) throws -> LuaReturn {
    let asked = try asked(call, "super")
    guard let running = try running(call, asked) else { return .values([.nil]) }
    guard let below = below(running, host.names.name(of: asked.request.action)) else {
      // Without a `can` below, the action may be done: so `return ctx:super()` leaves the decision to those below.
      return .values([running.table == .can ? true : .nil])
    }
    return try speaking(to: running.owner) {
      try hand(to: below, of: running.responder, asked, call, asking: running.table == .confirm)
    }
  }

  /// Returns the next handler in the responder's stack, for `super`.
  private func below(_ running: Running, _ name: Name?) -> Handler? {
    let (responder, start) = (running.responder, running.position + 1)
    guard let table = running.table else {
      return responder.stack.dropFirst(start).lazy.filter { $0.owner.whySetAside == nil }.compactMap(\.unknown).first
    }
    return name.flatMap { responder.entry(table, $0, from: start)?.entry.content }
  }

  /// Calls a handler for `super`. A script's handler replaces this call, so that it may wait. Others run here.
  private func hand(
    to handler: Handler, of responder: Responder, _ asked: Asked, _ call: LuaCall, asking isQuestion: Bool
  ) throws -> LuaReturn {
    handler.hasRun = true
    guard let handler = handler as? ScriptHandler else {
      let context = asked.context
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
    show(at: 1, of: call.L, to: handler.script)
    if viewer != nil { clua_speak(call.L, 1, Int32(handler.script.index)) }
    clua_copy(call.L, 1)
    return .call(2)
  }

  /// Pushes a handler's reply for the script that called it.
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

  /// Tries the next responders until one handles the action. A refusal returns nil and the reason; `pass` continues.
  private func forward(_ call: LuaCall) throws -> LuaReturn {
    try refuseWhileAsking("forwarding")
    let asked = try asked(call, "forward")
    guard let running = try running(call, asked) else { return .values([.nil]) }
    let context = asked.context
    let others = Candidates(
      asked.resolution, behind: running.responder, doing: asked.request.action, byCatchAll: running.table == nil)
    let lent = context.lend()
    let forwarding = Forwarding(others, in: context, dispatcher) {
      context.takeBack(lent)
      context.show(to: running.owner)
    }
    let reply = forwarding.ask()
    if case .waiting = reply { return try wait(for: forwarding, call) }
    return try speaking(to: running.owner) { try push(reply, on: call.L) }
  }
}

extension Responder {
  /// Returns the table and the position of a script's function in a responder's stack; nil for a catch-all's table.
  fileprivate func place(
    of identity: UnsafeRawPointer, for name: Name?
  ) -> (table: Behaviour.Table?, position: Int)? {
    func isIt(_ handler: Handler?) -> Bool { (handler as? ScriptHandler)?.identity == identity }
    for table in name == nil ? [] : Behaviour.Table.allCases {
      let position = stack.firstIndex { behaviour in isIt(name.flatMap { behaviour.entry(table, $0)?.content }) }
      if let position { return (table, position) }
    }
    return stack.firstIndex { isIt($0.unknown) }.map { (nil, $0) }
  }
}

extension LuaError {
  /// Unwinds a `can` that reads an argument whose value isn't known (A13).
  fileprivate static var undecided: LuaError { LuaError(.refused, "the value of the argument isn't known") }
}
