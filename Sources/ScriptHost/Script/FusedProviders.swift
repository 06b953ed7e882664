import CLua

/// *Fused providers* supply to a context in one crossing into Lua, because all of them are a script's.
final class FusedProviders {
  /// It holds this.
  private unowned let walk: Walk
  private let providers: UnsafeMutableBufferPointer<clua_HandlerRef>
  /// How many fields the last context had, about.
  private let fields: Int32

  /// Nil where one of them is no script's, may keep the context, or may supply something under a name of the host's.
  init?(_ walk: Walk) {
    let handlers = walk.providers.compactMap { provider -> clua_HandlerRef? in
      guard let handler = provider.handler as? ScriptHandler, handler.keepsHostNames, !handler.keepsContext else {
        return nil
      }
      return handler.handlerRef(for: provider.responder)
    }
    guard handlers.count == walk.providers.count else { return nil }
    self.walk = walk
    providers = .allocate(capacity: handlers.count)
    _ = providers.initialize(from: handlers)
    fields = Int32(clamping: min(handlers.count, 4096) + 1)
  }

  deinit { providers.deallocate() }

  func context(_ engine: ScriptEngine) -> ScriptContext {
    let context = ScriptContext(engine: engine, fields: fields)
    let L = engine.lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    clua_pushReference(L, context.reference.id)
    var provision = clua_Provision(
      providers: UnsafePointer(providers.baseAddress), count: Int32(clamping: providers.count), index: 0)
    while provision.index < provision.count {
      let status = clua_provide(L, &provision)
      guard provision.index < provision.count else { break }
      let provider = walk.providers[Int(provision.index)]
      let failure = engine.failure(engine.lua.takeError(status, on: L), owner: provider.handler.owner)
      engine.dispatcher.report(failure, ofProvider: provider.responder)
      if engine.isSpent { break }
      provision.index += 1
    }
    context.group = walk.providers.count + 1
    return context
  }
}

extension ScriptEngine {
  func context(of walk: Walk) -> Context? {
    switch walk.laidOut {
    case .can(let providers): return (providers as? FusedProviders)?.context(self)
    case .cannot: return nil
    case nil:
      guard let providers = FusedProviders(walk) else {
        walk.laidOut = .cannot
        return nil
      }
      walk.laidOut = .can(providers)
      return providers.context(self)
    }
  }
}
