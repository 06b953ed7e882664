import CLua
import CScript

/// The *fused providers* of a walk are prepared for C, which asks those that are a script's in one crossing into Lua; the others are Swift's.
/// All plans of the walk ask them, and so does whoever wants a context alone.
final class FusedProviders {
  /// It holds this.
  private unowned let walk: Walk
  /// Those that C asks; without a function where Swift does.
  let handlers: UnsafeMutableBufferPointer<clua_HandlerRef>
  /// The names of the host's, where one of them may supply something under them.
  let names: UnsafeMutableBufferPointer<Int32>
  /// What the embedding program gave to every context, as C puts there it; nil where some of it is no plain value.
  private let values: UnsafeMutableBufferPointer<clua_Argument>?
  private var held: [Int32] = []
  private let lua: LuaState
  /// Whether C asks all of them, and whether it asks any.
  let isWhole: Bool
  let isAny: Bool
  /// Whether no method of the context is called by any.
  let isBare: Bool
  /// Runs them and nothing else.
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
    names = .allocate(capacity: asked.allSatisfy { $0?.keepsHostNames ?? true } ? 0 : HostNames.all.count)
    for index in names.indices { names.initializeElement(at: index, to: engine.key(HostNames.all[index])) }
    lua = engine.lua
    let members = engine.dispatcher.hostValues.members.filter { !HostNames.contains($0.key) }
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
    names.deallocate()
    values?.deallocate()
    lua.drop(held)
    plan.free()
  }

  /// Who supplies, where C can ask: one that may keep the context is handed a copy by Swift.
  private static func asked(_ provider: Walk.Provider) -> ScriptHandler? {
    guard provider.handler.owner.trouble == nil, let handler = provider.handler as? ScriptHandler, !handler.keepsContext
    else { return nil }
    return handler
  }

  /// Whether C puts there what the embedding program gave.
  var givesValues: Bool { values != nil }

  /// Has a plan run them.
  func fill(_ plan: inout clua_Plan) {
    plan.providers = UnsafePointer(handlers.baseAddress)
    plan.providerCount = Int32(clamping: handlers.count)
    plan.values = values.flatMap { UnsafePointer($0.baseAddress) }
    plan.valueCount = Int32(clamping: values?.count ?? 0)
    plan.names = UnsafePointer(names.baseAddress)
    plan.nameCount = Int32(clamping: names.count)
    plan.fields = Int32(clamping: min(handlers.count, 4096)) + plan.valueCount
    plan.isBare = isBare
  }

  /// A context to which all of them have supplied.
  func context(_ engine: ScriptEngine) -> ScriptContext {
    let context = ScriptContext(engine: engine, fields: plan.value.fields + 1)
    let taker = Provision(walk, context, engine.dispatcher)
    let L = engine.lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    var step = 0
    var isSpent = false
    while !isSpent {
      clua_setTop(L, top)
      clua_pushReference(L, context.reference.id)
      var answer = clua_perform(L, plan.pointer, .providers(from: step, taker))
      if answer.shadowed != 0 { tellShadowed(answer.shadowed, engine) }
      if answer.what == CLUA_ENDED.rawValue { break }
      // Where the allowance was spent before nobody was asked.
      if answer.what != CLUA_PROVIDER_FAILED.rawValue { answer.index = Int32(clamping: min(step, handlers.count - 1)) }
      isSpent = failure(of: answer, engine).isSpent
      step = Int(answer.index) + 1
    }
    context.group = handlers.count + 1
    return context
  }

  /// Why the one failed of which an answer tells, which is reported, and whether nobody else can be asked.
  func failure(of answer: clua_Answer, _ engine: ScriptEngine) -> (failure: Failure, isSpent: Bool) {
    let provider = walk.providers[Int(answer.index)]
    let failure = engine.failure(engine.lua.takeError(answer.status, on: engine.lua.L), owner: provider.handler.owner)
    let isSpent = answer.status == CLUA_LIMIT.rawValue
    if !isSpent || failure.limit != nil { engine.dispatcher.report(failure, ofProvider: provider.responder) }
    return (failure, isSpent)
  }

  /// Tells of those who supplied something under a name of the host's.
  func tellShadowed(_ bits: Int32, _ engine: ScriptEngine) {
    let names = HostNames.all.enumerated().filter { bits & (1 << Int32($0.offset)) != 0 }.map(\.element)
    for provider in walk.providers {
      guard let handler = provider.handler as? ScriptHandler, !handler.keepsHostNames else { continue }
      let written = names.filter { handler.fieldUse.writes.contains($0) || !handler.fieldUse.isComplete }
      engine.dispatcher.tellShadowed(written.map { ($0, provider.responder.name) }[...], by: handler)
    }
  }
}

/// Has the providers of Swift's supply to a context that is made for nobody's perform.
private final class Provision: StepTaker {
  private let walk: Walk
  private let context: ScriptContext
  private let dispatcher: Dispatcher

  init(_ walk: Walk, _ context: ScriptContext, _ dispatcher: Dispatcher) {
    self.walk = walk
    self.context = context
    self.dispatcher = dispatcher
  }

  override func take(_ step: Int) -> Bool {
    guard step < walk.providers.count else { return false }
    return dispatcher.provide(walk.providers[step], at: step, into: context, nil)
  }
}

extension ScriptEngine {
  /// The providers of a walk, prepared once.
  func providers(of walk: Walk) -> FusedProviders {
    if let known = walk.prepared as? FusedProviders { return known }
    let made = FusedProviders(walk, engine: self)
    walk.prepared = made
    return made
  }

  func context(of walk: Walk) -> Context? {
    let providers = providers(of: walk)
    return providers.isAny && providers.givesValues ? providers.context(self) : nil
  }
}
