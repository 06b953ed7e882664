/// The *dispatcher* finds who takes an action and has it done. There is one in a host, and one way through it.
final class Dispatcher {
  let chain: Chain
  let life = Life<Dispatcher>()
  let names: NameTable
  let references = ReferenceTable()
  let walks: Walks
  /// What waits.
  let scheduler: Scheduler
  /// What handlers registered to be taken back.
  let undo: Undo
  private let recorded: UnsafePointer<Int>
  // Every perform that is observed reads it. Who goes out of it may run code of the program's as it goes, so that happens to a list that is
  // this one no more.
  @exclusivity(unchecked) private(set) var observers: [Observer] = [] {
    didSet { watch() }
  }
  /// Those who trace; then no plan is run without notes.
  var tracing = Tracing() {
    didSet { if (tracing.deliver == nil) != (oldValue.deliver == nil) { watch() } }
  }
  /// Told of every perform that nobody took.
  var onUnhandled: ((ActionEvent, [String]) -> Void)?
  /// Told of the end of every action, nested ones too, as long as somebody waits for it.
  var onActionEnded: (() -> Void)?
  /// Whether somebody waits for it.
  var isAwaited = false { didSet { watchEnds() } }
  /// Whether somebody stores what actions change.
  var isStoring = false { didSet { watchEnds() } }
  /// What is left of this turn for looking for names.
  var nearing = Nearing()
  /// What has to wait until scripts can be run again, in order.
  var postponed: [Postponed] = [] { didSet { watchEnds() } }
  /// Performs that spent what they may, with what those who watch them are told when scripts can be run again.
  var untold: [(event: ActionEvent, perform: Perform)] = [] { didSet { watchEnds() } }
  /// Whether all that is being caught up with.
  var isDoingPostponed = false
  /// Whether a script is being loaded.
  var isLoading = false { didSet { if !isLoading { doPostponed() } } }
  /// Makes the context of a perform where an engine keeps its values.
  var makeContext: () -> Context = { PlainContext() }
  /// What the embedding program gave to every context, as the farthest of all providers. No name of the host's is among them.
  var hostValues = Arguments() {
    didSet { chain.changeShape() }
  }
  /// Runs what it can of a perform in one go.
  var engine: (any Engine)? {
    get { state.value.engine }
    set {
      state.value.engine = newValue
      state.value.phase = newValue?.phase
      state.value.interruption = newValue?.interruption
    }
  }
  /// Told of each secret that is given, by whomever: who writes things down leaves it out.
  var onSecret: ((Value) -> Void)? { didSet { watch() } }
  /// Told of what went wrong beside the outcome.
  var report: (Diagnostic) -> Void = { _ in }
  /// Who supplied a key in earlier contexts that were watched.
  var knownSuppliers = KnownSuppliers()
  let state = Cell(State())
  /// How deep performs are nested.
  let depth = Cell(0)
  /// How many questions are being asked: while one is, nothing may be done. C looks at it too.
  private let asking = Cell(0)
  /// Where the focus is on its way to.
  let moves = FocusMoves()
  /// The URLs that nobody has taken yet, in order.
  var waitingURLs: [String] = [] {
    didSet { watch() }
  }
  /// Whether those that wait are being handed over.
  var isDelivering = false
  /// Whether they wait for one that is being opened, and whether that has ended, so that the next may be.
  var isOpening = false
  var mayOpenNext = false
  private var validating: [Validating] = []
  /// What is asked in one go now.
  var quickQuestions: (QuickQuestions, PerformOptions)?
  /// Whose behaviour is what the embedding program does itself, last of all.
  let hostResponder: Responder
  /// The same for what the host does where the program doesn't.
  private let ownResponder: Responder

  static let nestingLimit = 50

  /// What is looked at and changed with every perform.
  struct State {
    /// The actions that are being performed, outermost first.
    var actions = UnsafeMutablePointer<String>.allocate(capacity: Dispatcher.nestingLimit)
    /// How many that can hold: only what is cancelled may be nested deeper than others.
    var room = Dispatcher.nestingLimit
    /// How many may be performed within one another: fewer where what goes on is waited for by others.
    var limit = Dispatcher.nestingLimit
    /// What goes on now after a wait.
    var resumed: Unmanaged<Job>?
    unowned(unsafe) var engine: (any Engine)?
    /// The engine's, below zero while a script is being asked.
    var phase: UnsafePointer<Int32>?
    var interruption: Interruption?
    /// Whether something looks at every perform: observers, somebody who traces or writes down, a modal session, URLs that wait for a taker.
    var isWatched = false
    /// Whether nothing does but observers.
    var mayRunPlans = true
    /// Whether nothing does but somebody who traces.
    var isOnlyTraced = false
    /// Whether somebody is told of each secret that is given.
    var isToldSecrets = false
    /// Whether a modal session is open.
    var isModal = false
    /// Whether something is to be caught up with.
    var hasPostponed = false
    /// Whether somebody waits for the end of an action, or something is to be caught up with then.
    var isAwaited = false
    /// The walk from the focus, and the counts of shape and focus at which it was made.
    var walk: Walk?
    var resolutions: Unmanaged<AnyObject>?
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

  /// Whether a question is being asked, of the core's own or within a script's.
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
    chain.onWatched = { [unowned self] in watch() }
  }

  func add(_ observer: Observer) { observers.append(observer) }

  func forgetObservers(where isGone: (Observer) -> Bool) {
    let others = observers.filter { !isGone($0) }
    observers = others
  }

  /// Finds out whether something looks at every perform.
  private func watch() {
    state.value.isModal = !chain.sessions.isEmpty
    let isTraced = tracing.deliver != nil
    let isHeld = !chain.sessions.isEmpty || !waitingURLs.isEmpty
    state.value.mayRunPlans = !isHeld && !isTraced
    let tellsSecrets = onSecret != nil && chain.hasSecrets
    state.value.isToldSecrets = tellsSecrets
    state.value.isOnlyTraced = isTraced && !isHeld && observers.isEmpty
    state.value.isWatched = isHeld || isTraced || !observers.isEmpty || tellsSecrets
  }

  /// The actions that are being performed, outermost first.
  var performing: [String] { Array(UnsafeBufferPointer(start: state.value.actions, count: depth.value)) }

  /// Whether performs under way have registered something.
  @inline(__always)
  var hasRecorded: Bool { recorded.pointee != 0 }

  var askingPointer: UnsafePointer<Int> { asking.pointer }

  /// Marks that a question is being asked while the body runs.
  func whileAsking<Result>(_ body: () -> Result) -> Result {
    asking.value += 1
    defer { asking.value -= 1 }
    return body()
  }

  /// Asks something in a context, which whoever answers reads and can't change (V8).
  func asking<Result>(in context: Context, _ body: () -> Result) -> Result {
    whileAsking {
      context.isReadOnly = true
      defer { context.isReadOnly = false }
      return body()
    }
  }

  // MARK: Native actions

  /// Has the embedding program do an action, say whether it can be done, or how it looks.
  func setNative(_ action: String, _ handler: Handler?, in table: Behaviour.Table = .on) -> (name: Name, number: Int) {
    let name = chain.intern(action)
    let number = chain.newEntryNumber()
    if natives.set(table, name, handler, number: number) { chain.change(name) } else { chain.noteReplacement() }
    return (name, number)
  }

  func removeNative(_ name: Name, number: Int, in table: Behaviour.Table = .on) {
    guard natives.entry(table, name)?.number == number else { return }
    _ = natives.set(table, name, nil, number: 0)
    chain.change(name)
  }

  private var natives: Behaviour { hostResponder.layers[0] }
  /// The actions of the embedding program.
  var nativeNames: [Name] { Array(natives.on.keys) }
  /// Those and the host's own.
  var lastNames: Set<Name> { Set(natives.on.keys).union(ownResponder.layers[0].on.keys) }

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
    state.value.resolutions = Unmanaged.passUnretained(walk.resolutions)
    state.value.shape = chain.shape
    state.value.focus = chain.focusCount
    return walk
  }

  /// Who would take a reference, as far as it can be told without asking a function; kept until that changes.
  func resolution(_ reference: Reference, raw: String, index: Int?, on walk: Walk) -> Resolution {
    if let index, let known = walk.resolutions[index], known.isCurrent { return known }
    let resolution = Resolution(reference, raw: raw, on: walk, dispatcher: self, isKept: true)
    if let index, walk.isWhole, !walk.isForgotten {
      walk.resolutions.keep(resolution, at: index, oldest: references.firstIndex)
    }
    return resolution
  }

  @inline(__always)
  func beginAction(_ action: String) -> Bool {
    guard depth.value < state.value.limit else { return false }
    (state.value.actions + depth.value).initialize(to: action)
    depth.value &+= 1
    return true
  }

  /// Begins what waited once more, whatever the depth.
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

  /// Tells who waits for it that an action has ended.
  @inline(__always)
  func tellActionEnded() {
    if state.value.isAwaited { tellEnded() }
  }

  @inline(never)
  private func tellEnded() {
    doPostponed()
    if isAwaited || isStoring { onActionEnded?() }
  }

  private func watchEnds() {
    state.value.hasPostponed = !postponed.isEmpty || !untold.isEmpty
    state.value.isAwaited = isAwaited || isStoring || state.value.hasPostponed
  }

  /// A validation under way: the same text is another question where it is asked of somebody else.
  private struct Validating: Equatable {
    let raw: ByteText
    let to: Int?
    let from: Int?
  }

  /// Marks that something is being validated; why it can't be, where it can't.
  func beginValidation(_ raw: String, _ options: PerformOptions) -> String? {
    let this = Validating(raw: ByteText(raw), to: options.to?.number, from: options.from?.number)
    if validating.contains(this) || validatingQuickly == this { return "being validated" }
    if validating.count == Self.nestingLimit { return "validations are nested more than \(Self.nestingLimit) deep" }
    validating.append(this)
    return nil
  }

  /// Whether something is being validated.
  var isValidating: Bool { !validating.isEmpty || quickQuestions != nil }

  /// What is being validated among questions that are asked in one go.
  private var validatingQuickly: Validating? {
    guard let (questions, options) = quickQuestions, let current = questions.current else { return nil }
    return Validating(raw: ByteText(current.request.raw), to: options.to?.number, from: options.from?.number)
  }

  func endValidation() { validating.removeLast() }
}

extension Dispatcher: Asker {}
