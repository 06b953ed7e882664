/// The *dispatcher* finds who takes an action and has it done. There is one in a host, and one way through it.
final class Dispatcher {
  let chain: Chain
  let life = Life<Dispatcher>()
  let names: NameTable
  let walks: Walks
  /// The jobs that wait.
  let scheduler: Scheduler
  /// The histories, and what handlers of performs under way have registered.
  let undo: Undo
  /// What the host keeps for all scripts together: the elements of menus, and what came of jobs.
  let kept = KeptBytes()
  private let recorded: UnsafePointer<Int>
  // Replaced as a whole: a list that is changed in place is checked for exclusivity whenever it is read, and a removed observer may run code of the
  // embedding program's in its `deinit`.
  private(set) var observers: [Observer] = []
  /// The listener of traces, and the trace that is under way.
  var tracing = Tracing()
  /// Told of every perform that nobody took.
  var onUnhandled: ((ActionEvent, [String]) -> Void)?
  /// Told of the end of every action, nested ones too, as long as somebody waits for it.
  var onActionEnded: (() -> Void)?
  /// Whether a handler runs that only says what is shown.
  var isAside = false
  /// Whether a person acts at a face, who has to be told before an undo passes over an action that can't be undone.
  var isOfPerson = false
  /// Whether somebody waits for the end of an action.
  var isAwaited = false { didSet { watchEnds() } }
  /// Whether storage has to be told of the end of an action, because actions may have changed what it saves.
  var isStoring = false { didSet { watchEnds() } }
  /// The budget for "did you mean" searches in this call from outside.
  var nearing = Nearing()
  /// Work to be done when scripts can be run again, in order.
  var postponed: [Postponed] = [] { didSet { watchEnds() } }
  /// Ends of performs that spent their allowance: observers are told of them when scripts can be run again.
  var untold: [(event: ActionEvent, perform: Perform)] = [] { didSet { watchEnds() } }
  /// The events that scripts have emitted in this turn and that nobody was told yet; and how many there were in all.
  var events: [EmittedEvent] = [] { didSet { watchEnds() } }
  var eventsOfTurn = 0
  /// Tells an event.
  var onEvent: ((EmittedEvent) -> Void)?
  /// Whether postponed work is being done.
  var isDoingPostponed = false
  /// Whether a script is being loaded.
  var isLoading = false { didSet { if !isLoading { doPostponed() } } }
  /// Makes an empty context for a perform; that of an engine keeps the values where scripts find them.
  func makeContext() -> Context { engine?.makeContext() ?? PlainContext() }
  /// The values that the embedding program gives to every context, as the farthest provider. No name of the host's is among them.
  var hostValues = Arguments() {
    didSet { chain.changeShape() }
  }
  /// Runs the functions of scripts.
  var engine: (any Engine)? {
    get { state.value.engine }
    set {
      state.value.engine = newValue
      state.value.phase = newValue?.phase
      state.value.interruption = newValue?.interruption
    }
  }
  /// Those who hear of each secret that anybody gives, so that logs can leave it out.
  let secretHearers = Hearers<Value>()
  /// Replaces the secrets in an undo title, which anyone may see.
  var maskingTitle: ((String) -> String)?
  /// Told of diagnostics that are not part of an outcome.
  var report: (Diagnostic) -> Void = { _ in }
  /// The suppliers of each key in the contexts that `why` has built.
  var knownSuppliers = KnownSuppliers()
  let state = Cell(State())
  /// How deep performs are nested.
  let depth = Cell(0)
  /// How many questions are being asked; while there is one, nothing may be changed. C reads it too.
  private let asking = Cell(0)
  /// The moves of the focus that are under way.
  let moves = FocusMoves()
  /// The URLs that nobody has taken yet, in order.
  var waitingURLs: [String] = [] {
    didSet { watch() }
  }
  /// Whether waiting URLs are being handed over.
  var isDelivering = false
  /// Whether a URL is being opened, for which the others wait, and whether it has ended, so that the next may be handed over.
  var isOpening = false
  var mayOpenNext = false
  private var validating: [Validating] = []
  /// The responder whose behaviour holds the native actions of the embedding program; asked after the chain.
  let hostResponder: Responder
  /// The same for the host's own actions, which are asked last.
  private let ownResponder: Responder
  /// Ends the face that asked, else the session; nil where neither is open.
  var onQuit: (() -> Void)?

  static let nestingLimit = 50

  /// What each perform reads and changes.
  struct State {
    /// The actions that are being performed, outermost first.
    var actions = UnsafeMutablePointer<String>.allocate(capacity: Dispatcher.nestingLimit)
    /// The capacity of `actions`. It grows only for cancelled actions, which may be nested deeper than others.
    var room = Dispatcher.nestingLimit
    /// How deep performs may be nested: less deep while other jobs wait for the one that goes on.
    var limit = Dispatcher.nestingLimit
    /// The job that goes on now after a wait.
    var resumed: Unmanaged<Job>?
    unowned(unsafe) var engine: (any Engine)?
    /// The engine's `phase`: below zero while a script is asked a question.
    var phase: UnsafePointer<Int32>?
    var interruption: Interruption?
    /// Whether URLs wait, or somebody hears of secrets.
    var isWatched = false
    /// Whether a modal session is open.
    var isModal = false
    /// Whether there is postponed work.
    var hasPostponed = false
    /// Whether each action's end has to be looked at: somebody waits for it, or there is postponed work.
    var isAwaited = false
    /// The walk from the focus, and the counts of shape and focus at which it was made.
    var walk: Walk?
    var shape = -1
    var focus = -1
  }

  deinit {
    life.end()
    chain.onRemove = nil
    chain.onWatched = nil
    state.value.actions.deallocate()
    state.free()
    depth.free()
    asking.free()
  }

  /// Whether a question is being asked, by the core or within a script.
  var isAsking: Bool { asking.value > 0 || (state.value.phase?.pointee ?? 0) < 0 }

  init(chain: Chain, names: NameTable, owner: Owner, clock: HostClock = SystemClock()) {
    scheduler = Scheduler(clock: clock)
    self.chain = chain
    self.names = names
    walks = Walks(chain: chain)
    hostResponder = Responder(name: Outcome.hostName, kind: .responder, owner: owner, place: nil, number: -1)
    ownResponder = Responder(name: Outcome.hostName, kind: .responder, owner: owner, place: nil, number: -2)
    undo = Undo(chain: chain, depth: depth.pointer)
    recorded = undo.recorded.pointer
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

  /// Updates the flags that say who watches performs.
  private func watch() {
    state.value.isModal = !chain.sessions.isEmpty
    state.value.isWatched = !waitingURLs.isEmpty || !secretHearers.isEmpty && chain.hasSecrets
  }

  /// The actions that are being performed, outermost first.
  var performing: [String] { Array(UnsafeBufferPointer(start: state.value.actions, count: depth.value)) }

  /// Whether performs under way have registered something.
  @inline(__always)
  var hasRecorded: Bool { recorded.pointee != 0 }

  /// Marks that a question is being asked while the body runs.
  func whileAsking<Result>(_ body: () -> Result) -> Result {
    asking.value += 1
    defer { asking.value -= 1 }
    return body()
  }

  /// Asks something with a context that the functions asked can only read (V8).
  func asking<Result>(in context: Context, _ body: () -> Result) -> Result {
    whileAsking {
      context.isReadOnly = true
      defer { context.isReadOnly = false }
      return body()
    }
  }

  // MARK: Native actions

  /// Registers a native handler that does an action, says whether it can be done, or how it looks.
  func setNative(_ action: String, _ handler: Handler?, in table: Behaviour.Table = .on) -> (name: Name, number: Int) {
    let name = chain.intern(action)
    let number = chain.newEntryNumber()
    if natives.set(table, name, handler, number: number) { chain.changeAnswers() } else { chain.noteReplacement() }
    return (name, number)
  }

  func removeNative(_ name: Name, number: Int, in table: Behaviour.Table = .on) {
    guard natives.entry(table, name)?.number == number else { return }
    _ = natives.set(table, name, nil, number: 0)
    chain.changeAnswers()
  }

  private var natives: Behaviour { hostResponder.layers[0] }
  /// The actions of the embedding program.
  var nativeNames: [Name] { Array(natives.on.keys) }
  /// The names of the native actions, the host's own included.
  var lastNames: Set<Name> { Set(natives.on.keys).union(ownResponder.layers[0].on.keys) }

  /// Those that a list of actions has: not the host's own `quit`, for which each face has a command.
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
    if let walk = state.value.walk, state.value.shape == chain.shape, state.value.focus == chain.focusCount {
      return walk
    }
    return newDefaultWalk()
  }

  @inline(never)
  func newDefaultWalk() -> Walk {
    let walk = walks.walk(from: chain.focused)
    state.value.walk = walk
    state.value.shape = chain.shape
    state.value.focus = chain.focusCount
    return walk
  }

  /// The resolution of a text on a walk, as far as it can be found without asking a function; cached until its answers change.
  ///
  /// - Parameter isExact: whether only the whole id is looked for; that is found anew each time.
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
    guard depth.value < state.value.limit else { return false }
    (state.value.actions + depth.value).initialize(to: action)
    depth.value &+= 1
    return true
  }

  /// Begins an action that goes on after a wait, whatever the depth.
  @inline(__always)
  func beginResumed(_ action: String) {
    if depth.value >= state.value.room { makeRoom() }
    (state.value.actions + depth.value).initialize(to: action)
    depth.value &+= 1
  }

  @inline(never)
  private func makeRoom() {
    let room = state.value.room
    let actions = UnsafeMutablePointer<String>.allocate(capacity: 2 * room)
    actions.moveInitialize(from: state.value.actions, count: depth.value)
    state.value.actions.deallocate()
    (state.value.actions, state.value.room) = (actions, 2 * room)
  }

  @inline(__always)
  func endAction() {
    depth.value &-= 1
    (state.value.actions + depth.value).deinitialize(count: 1)
    tellActionEnded()
  }

  /// Does postponed work, and tells those who wait for the end of an action.
  @inline(__always)
  func tellActionEnded() {
    if state.value.isAwaited { tellEnded() }
  }

  @inline(never)
  private func tellEnded() {
    doPostponed()
    if isAwaited || isStoring, !isAside || depth.value > 0 { onActionEnded?() }
  }

  private func watchEnds() {
    state.value.hasPostponed = !postponed.isEmpty || !untold.isEmpty || !events.isEmpty
    state.value.isAwaited = isAwaited || isStoring || state.value.hasPostponed
  }

  /// A validation under way. The same text asked of another responder is a different validation.
  private struct Validating: Equatable {
    let raw: ByteText
    let to: Int?
    let from: Int?
  }

  /// Marks that a text is being validated; returns a reason if it can't be.
  func beginValidation(_ raw: String, _ options: PerformOptions) -> String? {
    let this = Validating(raw: ByteText(raw), to: options.to?.number, from: options.from?.number)
    if validating.contains(this) { return "being validated" }
    if validating.count == Self.nestingLimit { return "validations are nested more than \(Self.nestingLimit) deep" }
    validating.append(this)
    return nil
  }

  /// Whether something is being validated.
  var isValidating: Bool { !validating.isEmpty }

  func endValidation() { validating.removeLast() }
}

extension Dispatcher: Asker {}
