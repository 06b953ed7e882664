import CLua

/// A *fused plan* is laid out for C, which runs the steps that are a script's in one crossing into Lua.
final class FusedPlan: Plan {
  /// It lives as long as the host, which runs this; a check would cost as much as what it runs.
  unowned(unsafe) let engine: ScriptEngine
  private let lua: LuaState
  let plan = Cell(clua_Plan())
  let providers: FusedProviders
  private let arguments: UnsafeMutableBufferPointer<clua_Argument>
  private let needs: UnsafeMutableBufferPointer<Int32>
  /// Who has a say in who takes it, as they are asked first; none where it is settled by tables.
  private var hearings = UnsafeMutableBufferPointer<clua_Hearing>(start: nil, count: 0)
  /// The keys that each provider may write, once that was asked for.
  private var written: WrittenKeys?
  /// Strings among the arguments, and the metatable of the context.
  private var held: [Int32] = []
  private let origin = ScriptOrigin()
  /// Where the function stands that does it, if C may exchange that.
  private var slot: HandlerSlot?
  /// What drove the last perform that took a driver, to drive the next.
  private let spare = Cell<Perform?>(nil)

  var pointer: UnsafePointer<clua_Plan> { plan.pointer }

  /// Whether all steps are a script's, so that nothing else is asked where nobody watches.
  private var isWhole = false
  /// Whether C asks whether it may be done: nobody of Swift's does.
  private var asksItself = true
  private var readFields: RequestFields?
  private var isReadKnown = false
  /// Whether each argument is a plain one, which C lays.
  private let hasPlainArguments: Bool

  /// Whether something on the way is a script's. It is asked first: an initializer that fails doesn't run `deinit`, which frees what was
  /// made.
  static func canFuse(_ candidate: Candidate, _ resolution: Resolution) -> Bool {
    candidate.trouble == nil
      && (candidate.handler is ScriptHandler || candidate.can is ScriptHandler
        || resolution.walk.providers.contains { $0.handler is ScriptHandler })
  }

  init(_ candidate: Candidate, _ resolution: Resolution, engine: ScriptEngine) {
    let members = resolution.reference.arguments?.members ?? []
    self.engine = engine
    lua = engine.lua
    providers = engine.providers(of: resolution.walk)
    let arePlain = members.allSatisfy { Value($0.value).isScalar }
    hasPlainArguments = arePlain
    let stamped = arePlain ? members.filter { !HostNames.contains($0.key) } : []
    arguments = .allocate(capacity: stamped.count)
    needs = .allocate(capacity: candidate.needs.count)

    super.init(candidate, resolution)

    for (index, member) in stamped.enumerated() {
      arguments.initializeElement(at: index, to: clua_Argument(member.key, Value(member.value), text: text))
    }
    for (index, need) in candidate.needs.enumerated() { needs.initializeElement(at: index, to: engine.key(need.key)) }

    providers.fill(&plan.value)
    plan.value.arguments = UnsafePointer(arguments.baseAddress)
    plan.value.argumentCount = Int32(clamping: arguments.count)
    plan.value.needs = UnsafePointer(needs.baseAddress)
    plan.value.needCount = Int32(clamping: needs.count)
    plan.value.nanoseconds = engine.allowance.nanoseconds
    plan.value.instructions = engine.allowance.instructions
    plan.value.fields += Int32(clamping: stamped.count)
    layOut(candidate)
    origin.target = self
    plan.value.metatable = metatable()
    held.append(plan.value.metatable)
  }

  /// Lays out who does it and who says whether it may be done.
  private func layOut(_ candidate: Candidate) {
    let on = candidate.handler as? ScriptHandler
    let can = candidate.can as? ScriptHandler
    isWhole =
      on != nil && (candidate.can == nil || can != nil) && hasPlainArguments && providers.laysValues
      && providers.isWhole
    plan.value.on = on?.handlerRef(for: candidate.responder) ?? clua_HandlerRef()
    slot = on?.slot
    if let slot { plan.value.on.function = slot.function.id }
    isReadKnown = false
    asksItself = candidate.can == nil || can != nil
    // What C was told of one that is still the same holds.
    if let laid = self.can, laid === candidate.can, plan.value.hasCan { return }
    plan.value.hasCan = candidate.can != nil
    plan.value.can = can?.handlerRef(for: candidate.responder) ?? clua_HandlerRef()
    plan.value.canOnlyReads = can?.onlyReadsContext ?? false
  }

  override func perform(_ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: Watching) -> Outcome {
    let top = clua_top(lua.L)
    guard isWhole, watching.observers.isEmpty, fits(options), options.isSilent(for: candidate),
      let given = pushGiven(options)
    else { return drive(dispatcher, options, watching) }
    // No step is Swift's, so nobody need take one: the driver is begun where there is something left to do.
    let answer = enter(from: first, nil, hasContext: false, given: given, isAlone: true)
    defer { clua_setTop(lua.L, top) }
    return done(answer) ?? goOn(after: answer, top + 1, dispatcher, options)
  }

  /// The outcome of what was simply done; nil where something else came of it.
  @inline(__always)
  private func done(_ answer: clua_Answer) -> Outcome? {
    guard answer.what == CLUA_DID.rawValue, answer.shadowed == 0 else { return nil }
    return Outcome(handledBy: taker, result: scalar(at: -1, on: lua.L) ?? engine.value(at: -1, on: lua.L))
  }

  /// Performs it with a driver, which takes the steps of Swift's. Those who watch are told on the same allowance.
  private func drive(_ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: Watching) -> Outcome {
    var perform = driver(dispatcher, options, watching)
    defer { leave(&perform) }
    guard watching.observers.isEmpty, options.observe == nil else {
      engine.beginAllowance()
      defer { engine.endAllowance(dispatcher) }
      return drive(perform, dispatcher, isAlone: false)
    }
    return drive(perform, dispatcher, isAlone: true)
  }

  @inline(__always)
  private func drive(_ perform: Perform, _ dispatcher: Dispatcher, isAlone: Bool) -> Outcome {
    let top = clua_top(lua.L)
    defer { clua_setTop(lua.L, top) }
    let answer = begin(perform, isHeard: false, isAlone: isAlone)
    if let outcome = done(answer) { return perform.finished(outcome) }
    return dispatcher.allowing { perform.finish(candidate, after: end(after: answer, perform)) }
  }

  /// A driver: the last one, where nobody has it any more.
  @inline(__always)
  private func driver(_ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: Watching) -> Perform {
    guard let known = spare.take() else { return Perform(self, options, dispatcher, watching) }
    known.begin(self, options, watching)
    return known
  }

  /// Keeps a driver for the next perform, where nobody else has it.
  @inline(__always)
  private func leave(_ perform: inout Perform) {
    if isKnownUniquelyReferenced(&perform), perform.rest() { spare.value = perform }
  }

  /// What comes of a perform that did not simply do it.
  @inline(never)
  private func goOn(
    after answer: clua_Answer, _ top: Int32, _ dispatcher: Dispatcher, _ options: PerformOptions
  ) -> Outcome {
    dispatcher.allowing {
      let perform = Perform(self, options, dispatcher)
      perform.slot = top
      return perform.finish(candidate, after: end(after: answer, perform))
    }
  }

  /// The step to begin with.
  private var first: Int { asks ? -1 : 0 }

  override func run(_ perform: Perform, isHeard: Bool) -> End {
    end(after: begin(perform, isHeard: isHeard), perform)
  }

  private func begin(_ perform: Perform, isHeard: Bool, isAlone: Bool = false) -> clua_Answer {
    let L = lua.L
    perform.slot = clua_top(L) + 1
    if !providers.laysValues { pushHostValues(L) }
    return enter(from: isHeard ? 0 : first, perform, isAlone: isAlone)
  }

  /// Has C run it from a step on for a perform, in whose slot the context lies, if there is one yet.
  func enter(from step: Int, _ perform: Perform, isAlone: Bool = false, question: UInt64 = 0) -> clua_Answer {
    let slot = perform.slot
    let hasContext = clua_top(lua.L) == slot
    let given = pushGiven(perform.options)
    // On the stack on which it runs.
    perform.slot = 1
    defer { perform.slot = slot }
    return enter(from: step, perform, hasContext: hasContext, given: given, isAlone: isAlone, question: question)
  }

  @inline(__always)
  private func enter(
    from step: Int, _ perform: Perform?, hasContext: Bool, given: Int32?, isAlone: Bool, question: UInt64 = 0
  ) -> clua_Answer {
    // Not kept: a plan may be laid out while a coroutine runs that is gone when it is run.
    clua_perform(
      lua.L, pointer,
      clua_Course(
        taker: perform.map { Unmanaged<StepTaker>.passUnretained($0).toOpaque() },
        from: Int32(truncatingIfNeeded: step),
        given: given ?? 0, hasContext: hasContext, laysItself: hasPlainArguments && given != nil,
        asksItself: asksItself && perform.map { fits($0.options) } ?? true, tells: perform?.tells(candidate) ?? false,
        isAlone: isAlone, question: question,
        noted: perform?.trace?.quick?.supplied))
  }

  override func ask(_ options: PerformOptions, _ dispatcher: Dispatcher) -> (end: End, context: Context?)? {
    let L = lua.L
    let top = clua_top(L)
    guard isWhole, !asks, fits(options), let given = pushGiven(options) else { return nil }
    defer { clua_setTop(L, top) }
    let answer = enter(
      from: 0, nil, hasContext: false, given: given, isAlone: false, question: engine.questionInstructions)
    if answer.what == CLUA_HOST.rawValue, answer.shadowed == 0 { return (.step(Step.tell), nil) }
    let perform = Perform(self, options, dispatcher)
    perform.slot = top + 1
    let end = end(after: answer, perform, question: engine.questionInstructions)
    if case .passed = end { return (end, context(at: top + 1, nil)) }
    return (end, nil)
  }

  // MARK: What a call gives

  /// Which fields of the request the functions of its candidate may read, as far as their code tells; nil where it doesn't, or where one
  /// may hand the context on. Looked for when it is first asked.
  private var fieldsRead: RequestFields? {
    if isReadKnown { return readFields }
    isReadKnown = true
    readFields = slot == nil && hasPlainArguments ? RequestFields(readBy: [candidate.handler, candidate.can]) : nil
    return readFields
  }

  /// Pushes what a call gives beside the reference, for C to lay the last first: what nobody reads is left out. How many keys these are;
  /// nil, with nothing pushed, where Swift has to lay it.
  private func pushGiven(_ options: PerformOptions) -> Int32? {
    if options.isUsual { return 0 }
    let L = lua.L
    guard engine.viewer == nil, let fields = fieldsRead, clua_room(L, 2 * Int32(CLUA_GIVEN) + 8),
      options.arguments.members.count + options.info.members.count + RequestFields.count <= CLUA_GIVEN
    else { return nil }
    var given: Int32 = 0
    if !fields.isEmpty { push(fields, of: options, &given) }
    let arguments = options.arguments.members
    for index in arguments.indices { push(arguments[index].key, arguments[index].value, L, &given) }
    let info = options.info.members
    let others = resolution.reference.arguments
    for index in info.indices where others?[info[index].key] == nil {
      push(info[index].key, info[index].value, L, &given)
    }
    return given
  }

  @inline(never)
  private func push(_ fields: RequestFields, of options: PerformOptions, _ given: inout Int32) {
    let request = request(options)
    let keys = engine.requestKeys
    engine.speaking(to: nil) {
      if fields.contains(.args), !options.arguments.isEmpty {
        push(keys.args, .object(request.arguments.given), &given)
      }
      if fields.contains(.modifiers), !options.modifiers.isEmpty {
        push(keys.modifiers, .object(request.modifiers.map { ($0, .bool(true)) }), &given)
      }
      if fields.contains(.subject), !options.subject.isNull { push(keys.subject, options.subject, &given) }
      if fields.contains(.sender), options.sender != .app {
        push(keys.sender, engine.sender(options.sender), &given)
      }
    }
  }

  private func push(_ key: Int32, _ value: Value, _ given: inout Int32) {
    clua_pushReference(lua.L, key)
    engine.push(value, on: lua.L)
    given += 1
  }

  /// Nothing is pushed under a name of the host's.
  @inline(__always)
  private func push(_ key: String, _ value: Value, _ L: OpaquePointer, _ given: inout Int32) {
    let isFree = key.withBytes { bytes in
      if HostNames.contains(bytes) { return false }
      clua_pushBytes(L, bytes.baseAddress, bytes.count)
      return true
    }
    guard isFree else { return }
    given += 1
    switch value {
    case .integer(let number): clua_pushInteger(L, Int64(number))
    case .text(let text): text.withBytes { clua_pushBytes(L, $0.baseAddress, $0.count) }
    default: engine.push(value, on: L)
    }
  }

  /// What the embedding program gave lies in a context first.
  private func pushHostValues(_ L: OpaquePointer) {
    clua_newContext(L, plan.value.fields)
    for (key, value) in engine.dispatcher.hostValues.members {
      clua_pushReference(L, engine.key(key))
      engine.push(value, on: L)
      _ = clua_rawSet(L, -3)
    }
  }

  override func context(at slot: Int32, _ spare: Context?) -> Context {
    guard let spare = spare as? ScriptContext else {
      return ScriptContext(engine: engine, adopting: lua.reference(copying: slot, on: lua.L))
    }
    spare.adopt(slot)
    return spare
  }

  override func letGo() { spare.value = nil }

  override func leave(_ slot: Int32) { clua_setTop(lua.L, slot - 1) }

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
      laid.claims = answer.isClaimed
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
    // functions were asked, a witness tells.
    guard isWhole, plan.value.nameCount == 0, heard.isEmpty, keys.allSatisfy({ $0.count <= CLUA_NOTED }),
      Set(providers.map(\.responder.number)).count == providers.count
    else { return nil }
    let written = WrittenKeys(keys, reference: text)
    self.written = written
    plan.value.written = written.pointer
    return keys
  }

  override func refit(_ other: Candidate) -> Bool {
    guard other.responder === candidate.responder, other.via == candidate.via, other.action == candidate.action,
      other.prefix == candidate.prefix, other.needs.isEmpty, candidate.needs.isEmpty, other.trouble == nil
    else { return false }
    layOut(other)
    return true
  }

  deinit {
    arguments.deallocate()
    needs.deallocate()
    hearings.deallocate()
    origin.target = nil
    lua.drop(held)
    plan.free()
    spare.free()
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
    engine.setFields(of: request(PerformOptions()), taker: candidate.responder)
    clua_pushObject(L, Unmanaged.passRetained(origin).toOpaque())
    clua_setOrigin(L, -2)
    clua_newContextMetatable(L)
    return clua_reference(L)
  }
}

/// The fields of a context that differ from call to call of a plan.
struct RequestFields: OptionSet {
  let rawValue: UInt8

  static let args = RequestFields(rawValue: 1)
  static let modifiers = RequestFields(rawValue: 2)
  static let subject = RequestFields(rawValue: 4)
  static let sender = RequestFields(rawValue: 8)
  static let count = 4

  private static let names: KeyValuePairs<String, RequestFields> = [
    "args": .args, "modifiers": .modifiers, "subject": .subject, "sender": .sender,
  ]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Those that functions of scripts may read; nil where that can't be told, or one may hand the context on.
  init?(readBy handlers: [Handler?]) {
    self = []
    for handler in handlers {
      guard let handler else { continue }
      guard let use = (handler as? ScriptHandler)?.fieldUse, use.isComplete,
        !use.calls.contains(where: { $0 == "super" || $0 == "forward" })
      else { return nil }
      for (name, field) in RequestFields.names where use.reads.contains(name) { insert(field) }
    }
  }
}

extension ScriptEngine {
  var phase: UnsafePointer<Int32> { clua_phasePointer(lua.L) }

  var turns: UInt64 { clua_turns(lua.L) }
  var isSpent: Bool { clua_trip(lua.L) != CLUA_TRIP_NONE.rawValue }

  func beginAllowance() { _ = clua_begin(lua.L, allowance.nanoseconds, allowance.instructions) }
  func beginTest() { _ = clua_begin(lua.L, host.limits.test.nanoseconds, host.limits.test.instructions) }
  func endAllowance() { endAllowance(dispatcher) }

  /// The same for who has the dispatcher at hand.
  @inline(__always)
  func endAllowance(_ dispatcher: Dispatcher) {
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

  func layOut(_ candidate: Candidate, _ resolution: Resolution) -> Plan? {
    FusedPlan.canFuse(candidate, resolution) ? FusedPlan(candidate, resolution, engine: self) : nil
  }
}

extension ScriptEngine {
  /// Has Swift's steps of a run taken on the stack on which that runs.
  func takeSteps() {
    clua_setTakeStep(lua.L, Unmanaged.passUnretained(lua).toOpaque()) { lua, L, taker, step in
      guard let lua, let L, let taker else { return false }
      return Unmanaged<LuaState>.fromOpaque(lua)._withUnsafeGuaranteedRef { lua in
        lua.on(L) { Unmanaged<StepTaker>.fromOpaque(taker)._withUnsafeGuaranteedRef { $0.take(Int(step)) } }
      }
    }
  }
}

extension clua_Course {
  /// Asks the providers alone, for a context on top.
  static func providers(from step: Int, _ taker: StepTaker) -> clua_Course {
    clua_Course(
      taker: Unmanaged.passUnretained(taker).toOpaque(), from: Int32(clamping: step), given: 0, hasContext: true,
      laysItself: false, asksItself: false, tells: false, isAlone: false, question: 0, noted: nil)
  }

  /// Asks a handler alone, whose context is on top.
  static var handlerAlone: clua_Course {
    clua_Course(
      taker: nil, from: Int32(CLUA_STEP_DO.rawValue), given: 0, hasContext: true, laysItself: true, asksItself: true,
      tells: false, isAlone: false, question: 0, noted: nil)
  }
}
