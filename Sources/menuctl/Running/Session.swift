import LiveHost
import ScriptHost

/// A *session* is one run of a verb: what was asked, and the host that it is asked of.
final class Session {
  let invocation: Invocation
  private(set) var host: ScriptHost
  let output: Output
  let interrupts: Interrupts
  private(set) var source: Source?
  /// What the app was read from.
  var appSource: String? { source?.name ?? (subject as? LiveSubject)?.source }
  /// Whether the app is a live one of another process.
  var isLive: Bool { subject is LiveSubject }
  /// The app that is asked.
  private(set) var subject: any Subject
  /// What came of the beginning of the app, for the shell.
  private(set) var startStatus = ExitStatus.done
  /// Whether a live app that was asked is not there any more.
  private(set) var isGone = false
  /// Whether whatever is performed tells how it goes.
  var traces = false
  /// The names of arguments that were asked for, and are secret.
  var secrets: Set<String> = []
  /// What a person said to what a recording leaves out, by the names of the arguments: each is asked for once.
  var saidSecrets: [String: Value] = [:]
  /// How often a script was said to have spent what it may.
  private(set) var spent = 0
  /// How many lines were evaluated.
  var lines = 0
  /// What a person is being asked, and of what.
  var openQuestion: (question: Outcome.Question, deed: Deed)?
  /// What was done to the app, and what came of it.
  let record: Record
  /// Whether a person is asked to trust a plugin; else what was granted before is all that counts.
  var asksForConsent = true
  /// Asks a person for a line behind a prompt, which is not to be seen where it is secret.
  var asksPerson: (_ session: Session, _ prompt: String, _ isSecret: Bool) -> Said = { session, prompt, isSecret in
    session.askAtTerminal(prompt, isSecret: isSecret)
  }
  /// Whether the app runs already: a command of the REPL asks about it.
  private let isLoaded: Bool

  init(_ invocation: Invocation, output: Output, interrupts: Interrupts) throws(Problem) {
    try Self.checkLive(invocation)
    self.invocation = invocation
    host = ScriptHost(limits: try HostLimits(invocation))
    host.settings = try invocation.pairs(.set)
    self.output = output
    self.interrupts = interrupts
    record = Record()
    isLoaded = false
    subject = HostSubject(host, source: "")
    try grant()
  }

  /// Grants what the command line grants, and says where plugins are looked for.
  private func grant() throws(Problem) {
    host.granted = try invocation.capabilities()
    host.pluginFolders = try invocation.pluginFolders()
  }

  /// Another question about the app of a session.
  init(_ invocation: Invocation, of other: Session) {
    self.invocation = invocation
    host = other.host
    output = other.output
    interrupts = other.interrupts
    record = other.record
    source = other.source
    subject = other.subject
    asksPerson = other.asksPerson
    traces = other.traces
    lines = other.lines
    isLoaded = true
  }

  /// Has time stand still but for what waits, before anything is loaded; settings are put below those of the command line.
  func useTestClock(settings: Arguments = Arguments()) throws(Problem) {
    host = ScriptHost(limits: try HostLimits(invocation), clock: TestClock())
    host.settings = settings.merging(try invocation.pairs(.set))
    subject = HostSubject(host, source: "")
    try grant()
  }

  /// Loads APP, the first operand; what is told of it is not shown where it is a part of the answer.
  func load(quietly isQuiet: Bool = false) throws { try load(invocation.operands[0], quietly: isQuiet) }

  /// Loads an app, unless one runs already.
  func load(_ app: String, quietly isQuiet: Bool = false) throws {
    if isLoaded { return }
    if app.hasPrefix("@") { return try askLive(app, quietly: isQuiet) }
    let source: Source
    do throws(Problem) { source = try Source(app: app) } catch { throw turned(error) }
    try load(source, quietly: isQuiet)
  }

  /// Loads what was read.
  func load(_ source: Source, quietly isQuiet: Bool) throws {
    self.source = source
    subject = HostSubject(host, source: source.name)
    output.add(source)
    try prepare(quietly: isQuiet)
    do throws(LoadError) {
      try consenting { () throws(LoadError) in
        try host.load(bytes: source.bytes, name: source.name, folder: source.folder)
      }
    } catch {
      throw Problem(error, in: self)
    }
    record.loaded()
    try loadPlugins(invocation.values(.plugin))
    start()
    record.started()
  }

  /// Has the app begin, and waits for the end of that, where the verb does something with it.
  private func start() {
    guard invocation.verb.starts else { return }
    // A picture shows what there is once it has begun.
    let waits = ![Verb.serve.name, Verb.ui.name].contains(invocation.verb.name) || invocation.isOfPicture
    for outcome in host.start(wait: waits) where outcome.status == .failed {
      startStatus = max(startStatus, ExitStatus(outcome))
    }
  }

  /// Loads plugins, all or none.
  func loadPlugins(_ paths: [String]) throws(Problem) {
    if paths.isEmpty { return }
    do throws(LoadError) {
      try consenting { () throws(LoadError) in try host.load(plugins: paths) }
    } catch {
      throw Problem(plugin: error, in: self)
    }
  }

  /// Loads something, and asks a person for what it is to be granted; with a yes it is loaded again.
  func consenting(_ load: () throws(LoadError) -> Void) throws(LoadError) {
    let (onPrint, onLog) = (host.onPrint, host.onLog)
    defer { (host.onPrint, host.onLog) = (onPrint, onLog) }
    host.consents = Consent.remembered
    while true {
      do throws(LoadError) { return try load() } catch {
        let isGiven = { (request: ConsentRequest) in
          self.interrupts.asking { Consent(self.output).isGiven(request) }
        }
        guard asksForConsent, let request = error.asks, let yes = request.yes, isGiven(request) else { throw error }
        host.consents.append(yes)
      }
      // What it says while it loads it has said.
      (host.onPrint, host.onLog) = (nil, nil)
    }
  }

  /// An app of which nothing is declared.
  func loadNothing() throws {
    try prepare(quietly: false)
    do {
      try host.load(text: "", name: "empty")
    } catch {
      throw Problem(error)
    }
    try loadPlugins(invocation.values(.plugin))
  }

  func prepare(quietly isQuiet: Bool) throws {
    let level = try logLevel()
    host.onPrint = { [output] in output.script($0) }
    host.onLog = { [output] in if $0.level >= level { output.log($0) } }
    host.asksForGrants = !invocation.verb.readsOnly && invocation.verb.name != Verb.replay.name
    if invocation.verb.records { record.watch(host) }
    host.storage = storage
    if invocation.verb.lendsTerminal, !invocation.has(.json) { host.terminal = .own }
    output.textOfFile = { [host] file in host.text(ofFile: file) }
    // Keys that are in each other's way are told by those that are about the whole app.
    let tellsOfKeys = [Verb.load, .check, .keys].contains { $0.name == invocation.verb.name }
    host.onDiagnostic = { [output, weak self] in
      if $0.code == Failure.Code.limit.rawValue { self?.spent += 1 }
      if !isQuiet, tellsOfKeys || $0.code != "key-conflict" { output.show($0) }
    }
    try takeInterrupts()
  }

  /// Where what scripts store lies: a recording says what was there, and leaves it as it is. A test begins with nothing, and so does one that is recorded.
  private var storage: HostStorage? {
    guard invocation.verb.hasStores, !invocation.has(.asTest) else { return nil }
    return invocation.verb.name == Verb.record.name ? HostStorage.files?.unwritten : .files
  }

  /// From now on an interrupt ends what this app's scripts run.
  func takeInterrupts() throws {
    let canceller = try host.canceller()
    interrupts.cancel(with: canceller)
    interrupts.watchdog.watch(canceller)
  }

  /// Forgets an interrupt that came when nothing ran.
  func clearInterrupt() { try? host.canceller().clear() }

  /// The references among the operands, each one that can be read.
  func references() throws(Problem) -> [String] {
    let references = Array(invocation.operands.dropFirst())
    do throws(Problem) { for reference in references { try Self.check(reference) } } catch { throw turned(error) }
    return references
  }

  static func check(_ reference: String) throws(Problem) {
    do {
      _ = try Reference.parse(reference)
    } catch {
      guard error.isPath else { throw Problem(error) }
      throw Problem(
        .usage, "'\(reference)' is no action: no action's name has a '/' in it",
        help: "an item is picked by such a path: menuctl pick APP \(reference.shellWord)")
    }
  }

  /// Asks another app from now on.
  func ask(_ subject: any Subject) { self.subject = subject }

  /// Asks the app something.
  func asking<Result>(_ question: (any Subject) throws(Unanswered) -> Result) throws(Problem) -> Result {
    do throws(Unanswered) { return try question(subject) } catch {
      if error.isGone { isGone = true }
      throw Problem(error)
    }
  }

  func logLevel() throws(Problem) -> LogLevel {
    try invocation.choice(.log, of: LogLevel.self) ?? .warn
  }
}

extension Problem {
  /// Why a plugin can't be loaded: what is no script's line to blame is not the app's either.
  init(plugin error: LoadError, in session: Session? = nil) {
    if error.failure.place == nil {
      self.init(ExitStatus(error), error.failure.message)
    } else {
      self.init(error, in: session)
    }
  }

  /// Why something can't be loaded, with what to type where nobody granted what it asks for.
  init(_ error: LoadError, in session: Session?) {
    self.init(error)
    guard let session else { return }
    if let name = session.source?.name, name.hasSuffix("_test.lua") {
      self = helped("a file of tests is run: menuctl test \(name.shellWord)")
    }
    guard let request = error.asks else { return }
    let call = session.invocation.granting(request)
    // What a script words so that it looks like something else, or like too much to be read, nobody is told to type.
    if call.utf8.count <= 400, call.visibleBlanks == call { self = helped("to grant it: \(call)") }
  }
}

extension LogLevel {
  static func >= (left: LogLevel, right: LogLevel) -> Bool { left.rank >= right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
