/// A *host* holds the responders of one app, performs actions, and explains why it can't.
///
/// ```swift
/// let host = ScriptHost()
/// host.on("quit") { command in print("goodbye") }
/// let canvas = try host.responder("canvas")
/// canvas.on("zoom") { command in .number(try command.context["factor", as: Double.self] ?? 1) }
/// try host.focus(canvas)
/// print(host.perform("zoom(factor: 2)").result)  // number(2.0)
/// print(host.perform("quit").status)  // goodbye, handled
/// ```
///
/// It is not `Sendable`: use it only where you created it. Two hosts in one process are independent of each other.
public final class ScriptHost {
  let names = NameTable()
  let chain: Chain
  let dispatcher: Dispatcher
  let life = Life<ScriptHost>()
  /// The embedding program.
  let program = Owner(name: "host")
  /// The problems beside outcomes, newest last. When there are too many, the oldest are dropped.
  public private(set) var diagnostics: [Diagnostic] = []
  /// Called with each new diagnostic.
  public var onDiagnostic: ((Diagnostic) -> Void)?
  /// Further receivers of diagnostics, of printed lines and of log entries.
  package let diagnosticHearers = Hearers<Diagnostic>()
  package let printHearers = Hearers<String>()
  package let logHearers = Hearers<LogEntry>()
  /// True while nobody receives diagnostics, because the caller gets the problems in a result.
  package var isQuiet = false
  /// The listeners of events that scripts define, by name.
  var eventListeners: [String: [EventListener]] = [:]
  /// The names of emitted events.
  var emittedNames: Set<String> = []
  var listeners: [HostEvent.Kind: [Listener]] = [:] {
    didSet {
      watchMenus()
      watchFocus()
    }
  }
  /// Whether the app is active, inactive or in the background.
  public internal(set) var phase = Phase.inactive
  /// The strokes of an unfinished key sequence.
  public var pendingKeys: KeySequence? { ownKeys.begun }
  /// The count that was typed before the next stroke of `press`; nil if there was none.
  public var pendingCount: Int? { ownKeys.count }
  /// The pending strokes for presses without their own `PendingKeys`.
  let ownKeys = PendingKeys()
  /// The options of a key's action, if the press has no options.
  let struck = PerformOptions(asking: Answered())
  let menuTrees: MenuTrees
  /// The lists for which forms wait.
  let awaitedLists: AwaitedLists
  private(set) lazy var announcer = MenuAnnouncer(self)
  /// The last main menu that the embedding program got, for `changes()`.
  var drawn: MenuElement?
  /// True while a script is being loaded.
  var isLoading: Bool {
    get { dispatcher.isLoading }
    set { dispatcher.isLoading = newValue }
  }
  /// True once `start` was called.
  var isStarted = false
  /// The engine's turn in which a `stop` function last exceeded a limit.
  var lastLateStop: UInt64?
  /// The number of owners that were ever loaded.
  var lastOwner = 0
  /// Called with each picked item, as it is drawn then.
  var onPicked: ((MenuElement) -> Void)?
  /// Called with the outcome of each action that is performed with options, as tests do.
  var onPerformed: ((String, Outcome) -> Void)?
  /// The interpreter, once a script was loaded.
  var engine: (any Engine & CodeReader)?

  static let diagnosticsLimit = 1000
  /// The most bytes of a message, because scripts decide its content.
  static let diagnosticLength = Failure.longestMessage
  /// The limits for scripts.
  public let limits: HostLimits
  /// The capabilities that the app's script, and plugins that ask for them, have outside of the host.
  public var granted: [Capability] = []
  /// The folders of the scripts that first requested each grant with a relative path.
  var speakers: [Capability: String] = [:]
  /// The consents of a person to plugins and the app. A script that requests more isn't loaded, and the error lists it.
  public var consents: [GivenConsent] = []
  /// Whether a script that requests more than was granted is refused. If not, it is loaded without the rest.
  public var asksForGrants = true
  /// The terminal that scripts may lend to programs for a while; nil if there is none.
  public var terminal: HostTerminal?
  /// The folders in which plugins are looked up by their names.
  public var pluginFolders: [String] = []
  /// Replaces or observes scripts' access to the outside; nil if they reach it directly.
  package var outside: Outside?
  /// The storage of scripts' values; nil if each run begins with nothing stored.
  public var storage: HostStorage?
  /// The content of `app.settings` in scripts. Set it before you load the first script.
  public var settings = Arguments()

  /// Creates a host with the app as its only responder. The interpreter is created when you load a script.
  ///
  /// - Parameter clock: the clock of its actions. A `TestClock` moves only when you move it.
  public init(limits: HostLimits = HostLimits(), clock: HostClock = SystemClock()) {
    self.limits = limits
    chain = Chain(names: names, owner: program)
    dispatcher = Dispatcher(chain: chain, names: names, owner: program, clock: clock)
    menuTrees = MenuTrees(dispatcher)
    awaitedLists = AwaitedLists(dispatcher)
    life.begin(self)
    dispatcher.listAwaited = { [unowned awaitedLists] in awaitedLists.list($0, for: $1, $2) }
    dispatcher.onActionEnded = { [unowned self] isStep in
      actionEnded(isStep: isStep)
      endTurn()
    }
    dispatcher.onEvent = { [unowned self] in tell($0) }
    menuTrees.panes.onChange = { [unowned self] in endTurn() }
    menuTrees.panes.onCurrent = { [unowned self] row, pane in
      guard let found = menuTrees.find(row.id) else { return }
      // Nobody gets the outcome.
      if let error = became(current: found, in: pane).error { report(Diagnostic(error)) }
    }
    dispatcher.report = { [unowned self] in report($0) }
    dispatcher.opened = { [unowned self] in Value(secret: tree(of: $0)) }
    dispatcher.onUnhandled = { [unowned self] in tell(.unhandled($0, near: $1)) }
  }

  deinit {
    life.end()
    dispatcher.dropJobs()
  }

  /// Called after an action or anything that counts as an action. Menus may be stale, and stores are written.
  ///
  /// - Parameter isStep: whether the action waits and goes on later; the menus then stay as they are (M13).
  func actionEnded(isStep: Bool = false) {
    if !isStep { menuTrees.actionEnded() }
    scripts?.writeStores()
  }

  /// Called with each line that scripts print.
  public var onPrint: ((String) -> Void)?
  /// The id of the panel's row that became the current row last; nil if none did. The row may be gone by now.
  package internal(set) var currentRow: String?
  /// The action of the row chosen last, if it waits; a pane has its own.
  weak var choosing: Job?
  /// Called with the id of a row of the panel that has become the current row, so that faces go there.
  package var onChosen: ((String) -> Void)?
  /// Called with each event that a script, the program or a client emits (E5).
  package var onEmitted: ((_ name: String, _ data: Value) -> Void)?
  /// True if unbound letters find a row of the panel in a face.
  package var findsTyped: Bool { menuTrees.findsTyped }
  /// Called when a script wants the face that began the action to open something. Returns false if there is none.
  public var onWish: ((FaceWish) -> Bool)?
  /// Counts the wishes that a face has fulfilled.
  package internal(set) var wishes = 0

  /// Shows a person the question of a running action, and returns true if it is shown. Then the action waits for the
  /// answer. Otherwise the script gets nil and "nobody can be asked".
  public var onQuestion: ((PendingQuestion) -> Bool)?

  /// The questions of waiting actions, in the order in which the actions asked them.
  public internal(set) var questions: [PendingQuestion] = []
  /// The answers that a test has prepared for later questions.
  var readyAnswers: [ReadyAnswer] = []

  /// Ends the face that began an unhandled `quit`, else the session; nil if neither is open.
  package var onQuit: (() -> Void)? {
    get { dispatcher.onQuit }
    set { dispatcher.onQuit = newValue }
  }
  /// Called with each entry that scripts write to the log.
  public var onLog: ((LogEntry) -> Void)?

  func print(_ line: String) {
    onPrint?(line)
    printHearers.tell(line)
  }

  func log(_ entry: LogEntry) {
    onLog?(entry)
    logHearers.tell(entry)
  }

  /// True while actions are listed. Errors of `can` aren't reported then, because there are no arguments.
  var isListing = false

  func report(_ diagnostic: Diagnostic) {
    if isListing, diagnostic.code == Failure.Code.script.rawValue { return }
    var diagnostic = diagnostic
    diagnostic.message = diagnostic.message.cut(toBytes: Self.diagnosticLength)
    diagnostic.help = diagnostic.help?.cut(toBytes: Self.diagnosticLength)
    if diagnostics.count >= Self.diagnosticsLimit { diagnostics.removeFirst(Self.diagnosticsLimit / 10) }
    diagnostics.append(diagnostic)
    if isQuiet { return }
    onDiagnostic?(diagnostic)
    diagnosticHearers.tell(diagnostic)
  }

  /// Puts earlier diagnostics before those that were reported since.
  func remember(_ earlier: [Diagnostic]) { diagnostics = earlier + diagnostics }

  /// Returns the diagnostics so far, and forgets them.
  public func takeDiagnostics() -> [Diagnostic] {
    defer { diagnostics = [] }
    return diagnostics
  }

  /// The root responder, last in every chain.
  public var app: Responder { chain.app }

  /// A value of every context, behind the values of all responders. The host refuses its own names, as `sender`,
  /// with a diagnostic: nobody could read the value.
  public subscript(key: String) -> Value {
    get { dispatcher.hostValues[key] ?? .null }
    set {
      let value = newValue.orNone
      if HostNames.contains(key) {
        if value != nil { report(Dispatcher.shadowed(key, by: Outcome.hostName, place: nil)) }
      } else {
        dispatcher.hostValues[key] = value
      }
    }
  }
}

extension ScriptHost {
  /// Changes the phase, and notifies listeners if it differs. The background closes all modal sessions and menus.
  public func enter(_ phase: Phase) throws(Misuse) {
    try checkNotAsking("the phase can't change")
    let old = self.phase
    guard old != phase else { return }
    self.phase = phase
    if phase == .background { dispatcher.closeSessions { _ in true } }
    tell(.phase(new: phase, old: old))
    menuTrees.invalidate()
    endTurn()
  }
}

/// How visible an app is to its user.
public enum Phase: String, Sendable, CaseIterable {
  /// The app is not active yet, or not any more.
  case inactive
  /// The user works with the app.
  case active
  /// Nothing of the app is visible.
  case background
}

extension ScriptHost {
  /// Opens URLs, in order, by performing `openURL` with the URL as `ctx.url`. Returns an outcome for each.
  ///
  /// A URL without a handler is `pending`, and so is a URL that comes while another is being opened. The host delivers
  /// a pending URL before the next perform, `openURLs` or snapshot, once there is a handler and the other has ended.
  @discardableResult
  public func openURLs(_ urls: [String]) -> [Outcome] { dispatcher.openURLs(urls) }

  /// Delivers the waiting URLs, unless a script is being loaded or a menu made.
  func deliverBeforeSnapshot() {
    if !isLoading, !menuTrees.isBusy { dispatcher.deliverWaitingURLs(forSnapshot: true) }
  }

  /// The URLs that nobody has handled yet, in order.
  var waitingURLs: [String] { dispatcher.waitingURLs }
}

extension ScriptHost {
  /// Calls each `start` function once: the app's, then the plugins' in load order. Returns an outcome for each.
  ///
  /// Each has its own allowance and undo group, and may wait. Scripts that are loaded or reloaded later start by
  /// themselves.
  ///
  /// ```swift
  /// try host.load(text: "function app:start(ctx) sleep(1) print('ready') end", name: "app.lua")
  /// print(host.start().map(\.status))  // [ScriptHost.Outcome.Status.running]
  /// try host.advance(by: .seconds(1))  // ready
  /// ```
  ///
  /// - Parameter wait: whether to run the host until the waiting functions have ended.
  @discardableResult
  public func start(wait: Bool = false) -> [Outcome] { start(waiting: wait ? dispatcher.drive(untilEndOf:) : nil) }

  /// Does the same, and passes each waiting job to a closure that waits for its end. Without a closure it doesn't wait.
  package func start(waiting: ((Job) -> Outcome)?) -> [Outcome] {
    isStarted = true
    return chain.app.layers.sorted { $0.owner.number < $1.owner.number }.compactMap { start($0, waiting: waiting) }
  }

  /// Calls the `start` of an owner that was loaded after `start()` was called.
  func startLate(_ owner: Owner) {
    guard isStarted, let layer = chain.app.layers.first(where: { $0.owner === owner }) else { return }
    _ = start(layer, waiting: nil)
  }

  private func start(_ layer: Behaviour, waiting: ((Job) -> Outcome)?) -> Outcome? {
    guard !layer.owner.isStarted, let handler = layer.start else { return nil }
    layer.owner.isStarted = true
    let context = dispatcher.allowing { dispatcher.context(of: dispatcher.defaultWalk(), witness: nil) }
    context.begin(Request(raw: "start", action: "start", prefix: "", arguments: Arguments()))
    let outcome = dispatcher.run(handler, named: "start", in: context)
    guard let job = outcome.job else {
      report(refusalOf: handler, outcome)
      return failed(outcome, handler)
    }
    job.memory.isOfStart = true
    job.onEnd { [unowned self] in report(refusalOf: handler, $0) }
    return waiting.map { failed($0(job), handler) } ?? outcome
  }

  /// Reports a `start` that refuses, because no item shows its reason (T8).
  private func report(refusalOf start: Handler, _ outcome: Outcome) {
    if outcome.status == .disabled, let failure = failed(outcome, start).error {
      dispatcher.report(Diagnostic(failure))
    }
  }

  /// Returns the outcome of a `start`, where a refusal is a failure.
  private func failed(_ outcome: Outcome, _ start: Handler) -> Outcome {
    guard outcome.status == .disabled else { return outcome }
    let failure = Failure(
      .script, "'start' refuses: \(outcome.reason ?? "it gives no reason")", place: start.place,
      owner: start.owner.name)
    return Outcome(.failed, by: outcome.by, error: failure)
  }
}
