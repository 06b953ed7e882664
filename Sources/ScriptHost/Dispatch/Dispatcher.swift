/// Finds the responder that handles an action and calls it. Each host has one, and every perform goes through it.
final class Dispatcher {
  let chain: Chain
  let life = Life<Dispatcher>()
  let names: NameTable
  let walks: Walks
  /// The waiting jobs.
  let scheduler: Scheduler
  /// The undo histories, and the reversals registered by current performs.
  let undo: Undo
  /// Memory that the host keeps for all scripts: menu elements and job results.
  let kept = KeptBytes()
  // Replaced as a whole: Swift checks exclusivity at each read of a list that is changed in place. Also, a removed
  // observer's `deinit` may run the embedding program's code.
  private(set) var observers: [Observer] = []
  /// The listener for traces, and the current trace.
  var tracing = Tracing()
  /// Called for each perform that nobody handled.
  var onUnhandled: ((ActionEvent, [String]) -> Void)?
  /// Called at the end of every action, nested ones too, and of each step of a waiting one, while somebody waits for it.
  var onActionEnded: ((_ isStep: Bool) -> Void)?
  /// Returns the list for a form from a function that waits (A12); nil as long as it hasn't come.
  var listAwaited: (Handler, Responder, _ known: Arguments) -> Result<Value, Failure>? = { _, _, _ in nil }
  /// Whether the current handler only computes what to show.
  var isAside = false
  /// Whether the current handler only computes what to show, or an action does that it performed.
  var isWithinAside = false
  /// Whether a perform runs for which an undo around it doesn't wait.
  var isApart = false
  /// Whether a person acts at a face. An undo then warns before it skips an action that can't be undone.
  var isOfPerson = false
  /// Whether somebody waits for the end of an action.
  var isAwaited = false { didSet { watchEnds() } }
  /// Whether storage needs to know when an action ends, because actions may change saved values.
  var isStoring = false { didSet { watchEnds() } }
  /// The budget for "did you mean" searches in this call from outside.
  var nearing = Nearing()
  /// Work to do, in order, when scripts can run again.
  var postponed: [Postponed] = [] { didSet { watchEnds() } }
  /// Ends of performs that spent their allowance. Observers learn of them when scripts can run again.
  var untold: [(event: ActionEvent, perform: Perform)] = [] { didSet { watchEnds() } }
  /// Events that scripts emitted in this turn and that aren't delivered yet; `eventsOfTurn` counts all of them.
  var events: [EmittedEvent] = [] { didSet { watchEnds() } }
  var eventsOfTurn = 0
  /// Delivers an event.
  var onEvent: ((EmittedEvent) -> Void)?
  /// The names of clients that are gone, by the actions that they did, for reasons.
  var clientsGone: [ByteText: String] = [:]
  /// Whether the dispatcher is doing postponed work.
  var isDoingPostponed = false
  /// Whether a script is loading.
  var isLoading = false { didSet { if !isLoading { doPostponed() } } }
  /// Creates an empty context for a perform. The engine's contexts keep their values where scripts find them.
  func makeContext() -> Context { engine?.makeContext() ?? PlainContext() }
  /// The embedding program's values for every context, as the farthest provider. They contain none of the host's names.
  var hostValues = Arguments() {
    didSet { chain.changeShape() }
  }
  /// Runs script functions.
  var engine: (any Engine)? {
    get { state.engine }
    set {
      state.engine = newValue
      state.phase = newValue?.phase
      state.interruption = newValue?.interruption
    }
  }
  /// Receive each secret that anybody gives, so that logs can omit it.
  let secretHearers = Hearers<Value>()
  /// Copies a script's table to lists and objects.
  var opened: (Value) -> Value = { $0 }
  /// Masks the secrets in an undo title, which anyone may see.
  var maskingTitle: ((String) -> String)?
  /// Receives diagnostics that aren't part of an outcome.
  var report: (Diagnostic) -> Void = { _ in }
  /// The suppliers of each key in the contexts that `why` built.
  var knownSuppliers = KnownSuppliers()
  var state = State()
  /// The current actions, outermost first.
  let actions = CurrentActions()
  /// The number of questions in progress; while above zero, nothing may change.
  private var asking = 0
  /// The focus moves in progress.
  let moves = FocusMoves()
  /// URLs that nobody has handled yet, in order.
  var waitingURLs: [String] = [] {
    didSet { watch() }
  }
  /// Whether waiting URLs are being delivered.
  var isDelivering = false
  /// Whether a URL is opening, so that others wait; and whether it has ended, so that the next may be delivered.
  var isOpening = false
  var mayOpenNext = false
  /// Whether the first waiting URL was passed by a handler that waited.
  var hasPassedLate = false
  private var validating: [Validating] = []
  /// The responder with the embedding program's native actions. It comes after the chain.
  let hostResponder: Responder
  /// The responder with the host's own actions. It comes last.
  private let ownResponder: Responder
  /// Ends the face that asked, or else the session; nil where neither is open.
  var onQuit: (() -> Void)?

  static let nestingLimit = 50

  /// The state that each perform reads and changes.
  struct State {
    /// The nesting limit for performs. Lower while other jobs wait for the current one.
    var limit = Dispatcher.nestingLimit
    /// The job that continues now after a wait.
    var resumed: Job?
    unowned var engine: (any Engine)?
    /// The engine's `phase`: below zero while a script answers a question.
    var phase: UnsafePointer<Int32>?
    var interruption: Interruption?
    /// Whether URLs wait, or hearers want secrets.
    var isWatched = false
    /// Whether a modal session is open.
    var isModal = false
    /// Whether there is postponed work.
    var hasPostponed = false
    /// Whether each action's end needs work: somebody waits for it, or work is postponed.
    var isAwaited = false
    /// The walk from the focus, and the counts of shape and focus for which it is valid.
    var walk: Walk?
    var shape = -1
    var focus = -1
  }

  deinit {
    life.end()
    chain.onRemove = nil
    chain.onWatched = nil
  }

  /// Whether a question is in progress, in the core or within a script.
  var isAsking: Bool { asking > 0 || (state.phase?.pointee ?? 0) < 0 }

  init(chain: Chain, names: NameTable, owner: Owner, clock: HostClock = SystemClock()) {
    scheduler = Scheduler(clock: clock)
    self.chain = chain
    self.names = names
    walks = Walks(chain: chain)
    hostResponder = Responder(name: Outcome.hostName, kind: .responder, owner: owner, place: nil, number: -1)
    ownResponder = Responder(name: Outcome.hostName, kind: .responder, owner: owner, place: nil, number: -2)
    undo = Undo(chain: chain, actions: actions)
    life.begin(self)
    chain.onRemove = { [unowned chain, unowned undo] in undo.remove($0, from: chain.responders.values) }
    addUndoActions(to: ownResponder, owner)
    addQuitAction(to: ownResponder, owner)
    chain.onWatched = { [unowned self] in watch() }
    secretHearers.onChange = { [unowned self] in watch() }
  }

  func add(_ observer: Observer) { observers = observers + [observer] }

  func forgetObservers(where isGone: (Observer) -> Bool) {
    let others = observers.filter { !isGone($0) }
    observers = others
  }

  /// Updates the flags for modal sessions and for watchers of performs.
  private func watch() {
    state.isModal = !chain.sessions.isEmpty
    state.isWatched = !waitingURLs.isEmpty || !secretHearers.isEmpty && chain.hasSecrets
  }

  /// The nesting depth of performs.
  var depth: Int { actions.depth }

  /// Whether current performs have registered something.
  @inline(__always)
  var hasRecorded: Bool { undo.hasRecorded }

  /// Runs a body as a question, during which nothing may change.
  func whileAsking<Result>(_ body: () -> Result) -> Result {
    asking += 1
    defer { asking -= 1 }
    return body()
  }

  /// Asks a question with a context that the called functions can only read (V8).
  func asking<Result>(in context: Context, _ body: () -> Result) -> Result {
    whileAsking {
      context.isReadOnly = true
      defer { context.isReadOnly = false }
      return body()
    }
  }

  // MARK: Native actions

  /// Registers a native handler in a table: `on`, `can` or `look`.
  func setNative(_ action: String, _ handler: Handler?, in table: Behaviour.Table = .on) -> (name: Name, number: Int) {
    let name = chain.intern(action)
    let number = chain.newEntryNumber()
    if natives.set(table, name, handler, number: number) { chain.changeAnswers() }
    return (name, number)
  }

  func removeNative(_ name: Name, number: Int, in table: Behaviour.Table = .on) {
    guard natives.entry(table, name)?.number == number else { return }
    _ = natives.set(table, name, nil, number: 0)
    chain.changeAnswers()
  }

  private var natives: Behaviour { hostResponder.layers[0] }
  /// Notes that a client is gone that did an action. Forgets all earlier ones before there are too many.
  func noteGone(_ client: Owner, doing action: ByteText) {
    if clientsGone.count >= 1000 { clientsGone = [:] }
    clientsGone[action] = client.name
  }

  /// The embedding program's actions.
  var nativeNames: [Name] { Array(natives.on.keys) }
  /// The native actions, including the host's.
  var lastNames: Set<Name> { Set(natives.on.keys).union(ownResponder.layers[0].on.keys) }

  /// The native actions for lists, without the host's `quit`, for which each face has a command.
  var listedNames: Set<Name> {
    lastNames.filter { natives.on[$0] != nil || !names.text(of: $0).hasSameBytes(as: QuitAction.name) }
  }

  func native(_ query: Query, after: WalkPosition) -> Candidate? {
    guard let name = query.name else { return nil }
    for responder in [hostResponder, ownResponder] {
      guard let entry = responder.entry(.on, name) else { continue }
      return Candidate(responder, via: .native, entry: entry.entry, query: query, position: 0, after: after)
    }
    return nil
  }

  // MARK: Walks and resolutions

  func walk(_ options: PerformOptions) -> Walk {
    if options.isFromFocus { return defaultWalk() }
    if let target = options.to { return walks.walk(from: target).alone(target) }
    return walks.walk(from: options.from ?? chain.focused)
  }

  /// The walk from the focus.
  @inline(__always)
  func defaultWalk() -> Walk {
    if let walk = state.walk, state.shape == chain.shape, state.focus == chain.focusCount {
      return walk
    }
    return newDefaultWalk()
  }

  @inline(never)
  func newDefaultWalk() -> Walk {
    let walk = walks.walk(from: chain.focused)
    state.walk = walk
    state.shape = chain.shape
    state.focus = chain.focusCount
    return walk
  }

  /// Returns the resolution of a text on a walk, as far as possible without calling functions. Cached until answers
  /// change.
  ///
  /// - Parameter isExact: true to look for the whole id only. This isn't cached.
  func resolution(of text: String, on walk: Walk, exact isExact: Bool = false) throws(ReferenceError) -> Resolution {
    if isExact {
      var reference = try Reference.parse(text)
      reference.isExact = true
      return Resolution(reference, raw: text, on: walk, dispatcher: self, isKept: false)
    }
    let known = walk.resolutions?[text]
    if let known, known.isCurrent { return known }
    let reference = if let known { known.reference } else { try Reference.parse(text) }
    let resolution = Resolution(reference, raw: text, on: walk, dispatcher: self, isKept: true)
    walk.resolutions?.keep(resolution)
    return resolution
  }

  @inline(__always)
  func beginAction(_ action: String) -> Bool {
    guard depth < state.limit else { return false }
    actions.names.append(action)
    return true
  }

  /// Begins an action that continues after a wait, at any depth.
  func beginResumed(_ action: String) { actions.names.append(action) }

  /// Ends an action: does postponed work, and notifies those who wait for it.
  ///
  /// - Parameter isStep: whether the action waits and goes on later.
  @inline(__always)
  func endAction(isStep: Bool = false) {
    actions.names.removeLast()
    if state.isAwaited { tellEnded(isStep: isStep) }
  }

  @inline(never)
  private func tellEnded(isStep: Bool) {
    doPostponed()
    if isAwaited || isStoring, !isAside || depth > 0 { onActionEnded?(isStep) }
  }

  private func watchEnds() {
    state.hasPostponed = !postponed.isEmpty || !untold.isEmpty || !events.isEmpty
    state.isAwaited = isAwaited || isStoring || state.hasPostponed
  }

  /// A validation in progress. The same text with another responder is a different validation.
  private struct Validating: Equatable {
    let raw: ByteText
    let to: Int?
    let from: Int?
  }

  /// Begins the validation of a text. Returns a reason if it can't.
  func beginValidation(_ raw: String, _ options: PerformOptions) -> String? {
    let this = Validating(raw: ByteText(raw), to: options.to?.number, from: options.from?.number)
    if validating.contains(this) { return "being validated" }
    if validating.count == Self.nestingLimit { return "validations are nested more than \(Self.nestingLimit) deep" }
    validating.append(this)
    return nil
  }

  /// Whether a validation is in progress.
  var isValidating: Bool { !validating.isEmpty }

  func endValidation() { validating.removeLast() }
}

extension Dispatcher: Asker {}
