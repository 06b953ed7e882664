/// A *host* holds the responders of one app, performs actions, and says why it can't.
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
/// It is not `Sendable`: it lives where it was made. Two hosts in one process know nothing of each other.
public final class ScriptHost {
  let names = NameTable()
  let chain: Chain
  let dispatcher: Dispatcher
  let life = Life<ScriptHost>()
  /// The embedding program.
  let program = Owner(name: "host")
  /// What went wrong beside outcomes, newest last; the oldest go when there are many.
  public private(set) var diagnostics: [Diagnostic] = []
  /// Told of each diagnostic as it comes.
  public var onDiagnostic: ((Diagnostic) -> Void)?
  /// Whoever else hears of diagnostics, of what scripts print and of what they write to the log.
  package let diagnosticHearers = Hearers<Diagnostic>()
  package let printHearers = Hearers<String>()
  package let logHearers = Hearers<LogEntry>()
  /// Whether nobody hears of diagnostics now, because the caller finds what is wrong in a result.
  package var isQuiet = false
  /// The listeners, by the kind of event that they listen for.
  /// Those who listen for events of the scripts' own, by name.
  var eventListeners: [String: [EventListener]] = [:]
  /// The names under which something was emitted.
  var emittedNames: Set<String> = []
  var listeners: [HostEvent.Kind: [Listener]] = [:] {
    didSet {
      watchMenus()
      watchFocus()
    }
  }
  /// How far the app is to the fore.
  public internal(set) var phase = Phase.inactive
  /// The strokes of a key sequence that was begun.
  public var pendingKeys: KeySequence? { ownKeys.begun }
  /// The count that was typed before the next stroke of `press`; nil where none was.
  public var pendingCount: Int? { ownKeys.count }
  /// The pending strokes for presses that name no `PendingKeys` of their own.
  let ownKeys = PendingKeys()
  /// The options with which a key's action is performed, if nothing was given with the press.
  let struck = PerformOptions(asking: Answered())
  let menuTrees: MenuTrees
  private(set) lazy var announcer = MenuAnnouncer(self)
  /// The main menu as it was last returned to the embedding program, for `changes()`.
  var drawn: MenuElement?
  /// Whether a script is being loaded.
  var isLoading: Bool {
    get { dispatcher.isLoading }
    set { dispatcher.isLoading = newValue }
  }
  /// Whether `start` was called.
  var isStarted = false
  /// How many owners were ever loaded.
  var lastOwner = 0
  /// Told of each item that is picked, as it is drawn then.
  var onPicked: ((MenuElement) -> Void)?
  /// Told what came of each action that is performed with options, as tests perform it.
  var onPerformed: ((String, Outcome) -> Void)?
  /// The interpreter, once a script was loaded.
  var engine: (any Engine & CodeReader)?

  static let diagnosticsLimit = 1000
  /// How long each may be: scripts say what is in them.
  static let diagnosticLength = Failure.longestMessage
  /// What scripts may spend.
  public let limits: HostLimits
  /// What the app's script, and plugins that ask for it, may do outside of the host.
  public var granted: [Capability] = []
  /// The folders of the scripts that first asked in the words of a grant with a relative path.
  var speakers: [Capability: String] = [:]
  /// The consents a person gave to plugins and to the app. A script that asks for more isn't loaded, and the error says what it asks for.
  public var consents: [GivenConsent] = []
  /// Whether a script that asks for more than was granted is refused; else it is loaded without the rest.
  public var asksForGrants = true
  /// The terminal that programs of scripts may have for a while; nil where there is none.
  public var terminal: HostTerminal?
  /// The folders in which plugins are looked up by their names.
  public var pluginFolders: [String] = []
  /// Replaces or observes scripts' access to the outside; nil if they reach it directly.
  package var outside: Outside?
  /// Keeps what scripts store; nil if each run begins with nothing stored.
  public var storage: HostStorage?
  /// What scripts find as `app.settings`, set before the first is loaded.
  public var settings = Arguments()

  /// A host without responders but the app, and without an interpreter until a script is loaded.
  ///
  /// - Parameter clock: the clock of its actions; a `TestClock` stands still until it is moved.
  public init(limits: HostLimits = HostLimits(), clock: HostClock = SystemClock()) {
    self.limits = limits
    chain = Chain(names: names, owner: program)
    dispatcher = Dispatcher(chain: chain, names: names, owner: program, clock: clock)
    menuTrees = MenuTrees(dispatcher)
    life.begin(self)
    dispatcher.onActionEnded = { [unowned self] in
      actionEnded()
      endTurn()
    }
    dispatcher.onEvent = { [unowned self] in tell($0) }
    menuTrees.panes.onChange = { [unowned self] in endTurn() }
    dispatcher.report = { [unowned self] in report($0) }
    dispatcher.onUnhandled = { [unowned self] in tell(.unhandled($0, near: $1)) }
  }

  deinit {
    life.end()
    dispatcher.dropJobs()
  }

  /// Called when an action ended, or something that counts as one: menus may be stale, and stores are written.
  func actionEnded() {
    menuTrees.actionEnded()
    scripts?.writeStores()
  }

  /// What scripts print, line by line.
  public var onPrint: ((String) -> Void)?
  /// The id of the panel's row that became the current one last; nil if none did. The row may be gone by now.
  package internal(set) var currentRow: String?
  /// Called with the id of a row of the panel that has become the current one, so that faces go there.
  package var onChosen: ((String) -> Void)?
  /// Whether letters that nothing is bound to find a row of the panel in a face.
  package var findsTyped: Bool { menuTrees.findsTyped }
  /// Called when a script wishes that the face opens something which began the action. Returns whether there is such a face.
  public var onWish: ((FaceWish) -> Bool)?

  /// Asks a person what an action asks in the middle of its work, and returns whether somebody is asked: then the action waits for the answer
  /// of the question. Where this is nil, and where it returns false, the script gets nil and "nobody can be asked".
  public var onQuestion: ((PendingQuestion) -> Bool)?

  /// The questions of actions that wait for an answer, in the order in which they were asked.
  public internal(set) var questions: [PendingQuestion] = []
  /// The answers that a test has given before they are asked for.
  var readyAnswers: [ReadyAnswer] = []

  /// Ends the face that asked, else the session, for an action `quit` that nobody else handles; nil where neither is open.
  package var onQuit: (() -> Void)? {
    get { dispatcher.onQuit }
    set { dispatcher.onQuit = newValue }
  }
  /// What scripts write to the log.
  public var onLog: ((LogEntry) -> Void)?

  func print(_ line: String) {
    onPrint?(line)
    printHearers.tell(line)
  }

  func log(_ entry: LogEntry) {
    onLog?(entry)
    logHearers.tell(entry)
  }

  /// Whether actions are being listed: then a `can` that raises isn't reported, because it may want arguments that nobody gave.
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

  /// Puts earlier diagnostics before those that were reported since they were taken.
  func remember(_ earlier: [Diagnostic]) { diagnostics = earlier + diagnostics }

  /// Returns the diagnostics so far, and forgets them.
  public func takeDiagnostics() -> [Diagnostic] {
    defer { diagnostics = [] }
    return diagnostics
  }

  /// The root responder, last in every chain.
  public var app: Responder { chain.app }

  /// A value that is in every context, farther than all that responders supply. Under a name that a context itself answers to, as `sender`,
  /// nobody could read it: it isn't kept, and a diagnostic says so.
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
  /// Changes the phase, and tells listeners if it is another. In the background no modal session and no menu stays open.
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

/// How far an app is to the fore.
public enum Phase: String, Sendable, CaseIterable {
  /// Not yet, or not any more.
  case inactive
  /// The user works with it.
  case active
  /// Nothing of it is to be seen.
  case background
}

extension ScriptHost {
  /// Opens URLs, in order, by performing `openURL` with the URL as `ctx.url`. Returns an outcome for each.
  ///
  /// One that nobody answers yet is `pending`: it goes out before the next perform, call of this or snapshot, once somebody does. So is
  /// one that comes while another is being opened, which goes out as soon as that is over.
  @discardableResult
  public func openURLs(_ urls: [String]) -> [Outcome] { dispatcher.openURLs(urls) }

  /// Hands over the URLs that wait, unless a script is being loaded or a menu made.
  func deliverBeforeSnapshot() {
    if !isLoading, !menuTrees.isBusy { dispatcher.deliverWaitingURLs() }
  }

  /// The URLs that nobody has taken yet, in order.
  var waitingURLs: [String] { dispatcher.waitingURLs }
}

extension ScriptHost {
  /// Calls the `start` functions of all that is loaded, each once: the app's, then the plugins' in load order. Returns an outcome for each.
  ///
  /// Each has an allowance and an undo group of its own, and may wait. Scripts that are loaded or reloaded later start by themselves.
  ///
  /// ```swift
  /// try host.load(text: "function app:start(ctx) sleep(1) print('ready') end", name: "app.lua")
  /// print(host.start().map(\.status))  // [ScriptHost.Outcome.Status.running]
  /// try host.advance(by: .seconds(1))  // ready
  /// ```
  ///
  /// - Parameter wait: whether to run the host until those that wait have ended.
  @discardableResult
  public func start(wait: Bool = false) -> [Outcome] { start(waiting: wait ? dispatcher.drive(untilEndOf:) : nil) }

  /// The same; each job that waits is given to a closure, which waits for its end. Without one nobody does.
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
    outcome.job?.memory.value.isOfStart = true
    guard let waiting, let job = outcome.job else { return outcome }
    return waiting(job)
  }
}
