import CLua
import CScript

/// A *fused plan* is prepared for C, which runs the steps that are a script's in one crossing into Lua.
final class FusedPlan: Plan {
  /// Unowned and unchecked: the engine lives as long as the host, which runs this plan, and a check would cost as much as what the plan runs.
  unowned(unsafe) let engine: ScriptEngine
  let lua: LuaState
  let plan = Cell(clua_Plan())
  let providers: FusedProviders
  let arguments: UnsafeMutableBufferPointer<clua_Argument>
  let needs: UnsafeMutableBufferPointer<Int32>
  /// The answers of the hooks that decide who takes the action, prepared for C in the order in which it asks; empty where tables decide, or where a
  /// hook is not a script's.
  var preparedAnswers = UnsafeMutableBufferPointer<clua_HookAnswer>(start: nil, count: 0)
  /// The keys that each provider may write, for a trace; made when first asked for.
  var written: WrittenKeys?
  /// References that this plan holds in Lua: its texts, and the metatable of the context.
  var held: [Int32] = []
  let origin = ScriptOrigin()
  /// The slot of the handler's function, if C may replace that function.
  var slot: HandlerSlot?
  /// The driver of the last perform that needed one, reused by the next.
  let spare = Cell<Perform?>(nil)

  var pointer: UnsafePointer<clua_Plan> { plan.pointer }

  /// Whether every step is a script's, so that C runs the plan without a driver where nobody watches.
  var isWhole = false
  /// Whether C asks `can` itself: there is none, or it is a script's.
  var asksItself = true
  var readFields: RequestFields?
  var isReadKnown = false
  /// The arguments that the reference gives.
  let literals: LiteralObject?
  /// Whether each of these is a plain value, which C writes into the context.
  let hasPlainArguments: Bool

  /// Whether any step is a script's. This is checked before `init`, because an initializer that fails doesn't run `deinit`, which frees what was
  /// allocated.
  static func canFuse(_ candidate: Candidate, _ resolution: Resolution) -> Bool {
    candidate.whySetAside == nil
      && (candidate.handler is ScriptHandler || candidate.can is ScriptHandler
        || resolution.walk.providers.contains { $0.handler is ScriptHandler })
  }

  init(_ candidate: Candidate, _ resolution: Resolution, engine: ScriptEngine) {
    literals = resolution.reference.arguments
    let written = Arguments(literals)
    self.engine = engine
    lua = engine.lua
    providers = engine.providers(of: resolution.walk)
    hasPlainArguments = written.members.allSatisfy(\.value.isScalar)
    let supplied = hasPlainArguments ? Array(written.supplied) : []
    arguments = .allocate(capacity: supplied.count)
    needs = .allocate(capacity: candidate.needs.count)

    super.init(candidate, resolution)

    for (index, member) in supplied.enumerated() {
      arguments.initializeElement(at: index, to: clua_Argument(member.key, member.value, text: text))
    }
    for (index, need) in candidate.needs.enumerated() { needs.initializeElement(at: index, to: text(need.key)) }

    providers.fill(&plan.value)
    plan.value.arguments = UnsafePointer(arguments.baseAddress)
    plan.value.argumentCount = Int32(clamping: arguments.count)
    plan.value.asked.needs = UnsafePointer(needs.baseAddress)
    plan.value.asked.needCount = Int32(clamping: needs.count)
    plan.value.nanoseconds = engine.allowance.nanoseconds
    plan.value.instructions = engine.allowance.instructions
    plan.value.fields += Int32(clamping: supplied.count)
    prepare(candidate)
    origin.target = self
    plan.value.metatable = metatable()
    held.append(plan.value.metatable)
  }

  /// Prepares the handler and the `can` of a candidate.
  func prepare(_ candidate: Candidate) {
    let on = candidate.handler as? ScriptHandler
    let can = candidate.can as? ScriptHandler
    isWhole =
      on != nil && (candidate.can == nil || can != nil) && hasPlainArguments && providers.givesValues
      && providers.isWhole
    plan.value.on = on?.handlerRef(for: candidate.responder) ?? clua_HandlerRef()
    slot = on?.slot
    if let slot { plan.value.on.function = slot.function.id }
    isReadKnown = false
    asksItself = candidate.can == nil || can != nil
    // A `can` that is still the same is prepared already.
    if let prepared = self.can, prepared === candidate.can, plan.value.asked.can.function != 0 { return }
    plan.value.asked.can = can?.handlerRef(for: candidate.responder) ?? clua_HandlerRef()
    plan.value.asked.canOnlyReads = can?.onlyReadsContext ?? false
  }

  override func perform(
    _ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: consuming Watching
  ) -> Outcome {
    let top = clua_top(lua.L)
    guard isWhole, watching.observers.isEmpty, fits(options), options.isUnwatched(for: candidate),
      let given = pushGiven(options)
    else { return drive(dispatcher, options, watching) }
    // No step is Swift's, so C runs without a driver, which is made only where something is left to do.
    let answer = enter(from: first, nil, given, isAlone: true)
    defer { clua_setTop(lua.L, top) }
    return done(answer) ?? goOn(after: answer, top + 1, dispatcher, options)
  }

  /// The step to begin with: -1 where hooks are asked first.
  var first: Int { asks ? -1 : 0 }

  override func run(_ perform: Perform, hooksWereAsked: Bool) -> End {
    end(after: begin(perform, hooksWereAsked: hooksWereAsked), perform)
  }

  override func ask(_ options: PerformOptions, _ dispatcher: Dispatcher) -> (end: End, context: Context?)? {
    let L = lua.L
    let top = clua_top(L)
    guard isWhole, !asks, fits(options), let given = pushGiven(options) else { return nil }
    defer { clua_setTop(L, top) }
    let answer = enter(from: 0, nil, given, isAlone: false, question: engine.questionInstructions)
    if answer.what == CLUA_HOST.rawValue { return (.step(Step.tell), nil) }
    let perform = Perform(self, options, dispatcher)
    perform.slot = top + 1
    let end = end(after: answer, perform, question: engine.questionInstructions)
    if case .passed = end { return (end, context(at: top + 1, nil)) }
    return (end, nil)
  }

  override func context(at slot: Int32, _ spare: consuming Context?) -> Context {
    guard let known = spare as? ScriptContext else {
      return ScriptContext(engine: engine, adopting: lua.reference(copying: slot, on: lua.L))
    }
    known.adopt(slot)
    return known
  }

  override func letGo() { spare.value = nil }

  override func leave(_ slot: Int32) { clua_setTop(lua.L, slot - 1) }

  override var asks: Bool { plan.value.hookAnswerCount > 0 }

  override func prepare(_ hookAnswers: [HookAnswer]) {
    super.prepare(hookAnswers)
    guard hookAnswers.allSatisfy({ $0.question.hook is ScriptHandler }) else { return }
    preparedAnswers = .allocate(capacity: hookAnswers.count)
    for (index, hookAnswer) in hookAnswers.enumerated() {
      preparedAnswers.initializeElement(at: index, to: prepare(hookAnswer))
    }
    plan.value.hookAnswers = UnsafePointer(preparedAnswers.baseAddress)
    plan.value.hookAnswerCount = Int32(clamping: hookAnswers.count)
    plan.value.changes = engine.chain.tablesPointer
  }

  override func prepareKeys() -> [[String]]? {
    let providers = resolution.walk.providers
    let keys = providers.map { ($0.handler as? ScriptHandler)?.fieldUse.writes ?? [] }
    // Where hooks are asked, or two providers have the same responder, only a witness can tell what was supplied.
    guard isWhole, hookAnswers.isEmpty, keys.allSatisfy({ $0.count <= CLUA_NOTED }),
      Set(providers.map(\.responder.number)).count == providers.count
    else { return nil }
    let written = WrittenKeys(keys, reference: text)
    self.written = written
    plan.value.written = written.pointer
    return keys
  }

  override func refit(_ other: Candidate) -> Bool {
    guard other.responder === candidate.responder, other.via == candidate.via, other.action == candidate.action,
      other.prefix == candidate.prefix, other.needs.isEmpty, candidate.needs.isEmpty, other.whySetAside == nil
    else { return false }
    prepare(other)
    return true
  }

  deinit {
    arguments.deallocate()
    needs.deallocate()
    preparedAnswers.deallocate()
    origin.target = nil
    lua.drop(held)
    plan.free()
    spare.free()
  }

  /// A reference to a text, held by this plan and not by the engine: there is no limit to the names that callers give to arguments and scripts need.
  func text(_ text: String) -> Int32 {
    engine.lua.push(text: text, on: engine.lua.L)
    let reference = clua_reference(engine.lua.L)
    held.append(reference)
    return reference
  }

  func metatable() -> Int32 {
    let L = engine.lua.L
    clua_newTable(L, 0, 10)
    engine.setFields(of: request(PerformOptions()), taker: candidate.responder)
    clua_pushObject(L, Unmanaged.passRetained(origin).toOpaque())
    clua_setOrigin(L, -2)
    clua_newContextMetatable(L)
    return clua_reference(L)
  }
}
