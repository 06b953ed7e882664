import CLua
import CScript

/// The *fused providers* of a walk are its providers, prepared for C, which calls those that are a script's in one crossing into Lua; Swift calls the
/// others. All plans of the walk use them, and so does a caller that needs only a context.
final class FusedProviders {
  /// Unowned, because the walk retains this.
  private unowned let walk: Walk
  /// The functions of the providers, in the order of the walk; one that Swift calls has no function here.
  let handlers: UnsafeMutableBufferPointer<clua_HandlerRef>
  /// The embedding program's values for every context, as C writes them; nil if one of them is not a plain value.
  private let values: UnsafeMutableBufferPointer<clua_Argument>?
  private var held: [Int32] = []
  private let lua: LuaState
  /// Whether C calls all of the providers, and whether it calls any.
  let isWhole: Bool
  let isAny: Bool
  /// Whether C calls every provider that is a script's, and none of these calls a method of the context.
  let isBare: Bool
  /// A plan that runs the providers and nothing else.
  private let plan = Cell(clua_Plan())

  init(_ walk: Walk, engine: ScriptEngine) {
    self.walk = walk
    let asked = walk.providers.map { FusedProviders.asked($0) }
    handlers = .allocate(capacity: asked.count)
    for (index, handler) in asked.enumerated() {
      let responder = walk.providers[index].responder
      handlers.initializeElement(at: index, to: handler?.handlerRef(for: responder) ?? clua_HandlerRef())
    }
    isWhole = asked.allSatisfy { $0 != nil }
    isAny = asked.contains { $0 != nil }
    isBare = zip(asked, walk.providers).allSatisfy { asked, provider in
      asked?.fieldUse.calls.isEmpty ?? !(provider.handler is ScriptHandler)
    }
    lua = engine.lua
    let members = engine.dispatcher.hostValues.members
    values = members.allSatisfy { $0.value.isScalar } ? .allocate(capacity: members.count) : nil
    for (index, member) in members.enumerated() where values != nil {
      values?.initializeElement(at: index, to: clua_Argument(member.key, member.value, text: text))
    }
    fill(&plan.value)
  }

  /// A reference to a text, as long as this lives.
  private func text(_ text: String) -> Int32 {
    lua.push(text: text, on: lua.L)
    let reference = clua_reference(lua.L)
    held.append(reference)
    return reference
  }

  deinit {
    handlers.deallocate()
    values?.deallocate()
    lua.drop(held)
    plan.free()
  }

  /// The script function of a provider, if C may call it; nil if Swift must. Swift hands a copy to one that may keep the context, and removes what
  /// one supplies under the host's names.
  private static func asked(_ provider: Walk.Provider) -> ScriptHandler? {
    guard let handler = provider.handler as? ScriptHandler, handler.owner.whySetAside == nil else { return nil }
    return handler.keepsHostNames ? handler : nil
  }

  /// Whether C writes the embedding program's values into the context.
  var givesValues: Bool { values != nil }

  /// Sets a plan up to run the providers.
  func fill(_ plan: inout clua_Plan) {
    plan.providers = UnsafePointer(handlers.baseAddress)
    plan.providerCount = Int32(clamping: handlers.count)
    plan.values = values.flatMap { UnsafePointer($0.baseAddress) }
    plan.valueCount = Int32(clamping: values?.count ?? 0)
    plan.fields = Int32(clamping: min(handlers.count, 4096)) + plan.valueCount
    plan.isBare = isBare
  }

  /// A new context to which all providers have supplied, or those up to the one whose failure spent the allowance.
  func context(_ engine: ScriptEngine, _ stopped: inout Failure?) -> ScriptContext {
    let context = ScriptContext(engine: engine, fields: plan.value.fields + 1)
    let taker = Provision(walk, context, engine.dispatcher)
    let L = engine.lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    var step = 0
    while stopped == nil {
      clua_setTop(L, top)
      clua_pushReference(L, context.reference.id)
      var answer = clua_perform(L, plan.pointer, .providers(from: step, taker))
      if answer.what == CLUA_ENDED.rawValue {
        stopped = taker.stopped
        break
      }
      let wasAsked = answer.what == CLUA_PROVIDER_FAILED.rawValue
      // The allowance was spent before, so no provider was called.
      if !wasAsked { answer.index = Int32(clamping: min(step, handlers.count - 1)) }
      let (failure, isSpent) = failure(of: answer, engine, isReported: wasAsked)
      if isSpent { stopped = failure }
      step = Int(answer.index) + 1
    }
    context.group = handlers.count + 1
    return context
  }

  /// The failure that an answer tells of, and whether it spent the allowance, so that no other provider can be called.
  func failure(
    of answer: clua_Answer, _ engine: ScriptEngine, isReported: Bool = true
  ) -> (failure: Failure, isSpent: Bool) {
    let provider = walk.providers[Int(answer.index)]
    let failure = engine.failure(engine.lua.takeError(answer.status, on: engine.lua.L), owner: provider.handler.owner)
    if isReported { engine.dispatcher.report(failure, ofProvider: provider.responder) }
    return (failure, answer.status == CLUA_LIMIT.rawValue)
  }
}

/// Runs Swift's providers while a context is built outside of a perform.
private final class Provision: StepTaker {
  private let walk: Walk
  private let context: ScriptContext
  private let dispatcher: Dispatcher
  /// The failure that spent the allowance.
  private(set) var stopped: Failure?

  init(_ walk: Walk, _ context: ScriptContext, _ dispatcher: Dispatcher) {
    self.walk = walk
    self.context = context
    self.dispatcher = dispatcher
  }

  override func take(_ step: Int) -> Bool {
    guard step < walk.providers.count else { return false }
    stopped = dispatcher.provide(walk.providers[step], at: step, into: context, nil)
    return stopped == nil
  }
}

extension ScriptEngine {
  /// The providers of a walk, prepared once for all of its plans.
  func providers(of walk: Walk) -> FusedProviders {
    if let known = walk.prepared as? FusedProviders { return known }
    let made = FusedProviders(walk, engine: self)
    walk.prepared = made
    return made
  }

  func context(of walk: Walk, _ stopped: inout Failure?) -> Context? {
    let providers = providers(of: walk)
    return providers.isAny && providers.givesValues ? providers.context(self, &stopped) : nil
  }
}
