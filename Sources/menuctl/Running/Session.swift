import Glibc
import LiveHost
import ScriptHost
import Synchronization

/// A *session* is one run of a verb: its command line, and its app.
final class Session {
  let invocation: Invocation
  private(set) var host: ScriptHost
  let output: Output
  let interrupts: Interrupts
  private(set) var source: Source?
  /// The name of the app's file.
  var appSource: String? { source?.name ?? (subject as? LiveSubject)?.source }
  /// Whether the app is a live app in another process.
  var isLive: Bool { subject is LiveSubject }
  /// The verb's app: in this process, or live.
  private(set) var subject: any Subject
  /// The exit status of the app's start: the highest of its failures.
  private(set) var startStatus = ExitStatus.done
  /// Whether the live app has ended.
  private(set) var isGone = false
  /// Whether each perform has a trace.
  var traces = false
  /// The names of the secret arguments that a person entered.
  var secrets: Set<String> = []
  /// The secrets that a recording lacks, by argument name. A person enters each once.
  var saidSecrets: [String: Value] = [:]
  /// The number of diagnostics about a spent limit.
  private(set) var spent = 0
  /// The number of evaluated lines, for their names.
  var lines = 0
  /// The open question to a person, and its deed; nil for a question in the middle of an action.
  var openQuestion: (question: Outcome.Question, deed: Deed?)?
  /// The steps so far, for recordings.
  let record: Record
  /// The jobs before the first deed, which `start` began; nil before that deed.
  var waitingBefore: [Job]?
  /// Whether the tool asks a person to grant capabilities; if not, only earlier grants count.
  var asksForConsent = true
  /// Asks a person for one line; a secret line is invisible.
  var asksPerson: (_ session: Session, _ prompt: String, _ isSecret: Bool) -> Said = { session, prompt, isSecret in
    session.askAtTerminal(prompt, isSecret: isSecret)
  }
  /// Whether a person can answer.
  var mayAsk = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
  /// Whether the app runs on a test's clock.
  private var isTest = false
  /// Whether the app is already running, for a command of the REPL.
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

  /// Gives the host the capabilities and the plugin folders of the command line.
  private func grant() throws(Problem) {
    host.granted = try invocation.capabilities()
    host.pluginFolders = try invocation.pluginFolders()
  }

  /// Runs another verb on the app of a session, as the REPL's commands do.
  init(_ invocation: Invocation, of other: Session) {
    self.invocation = invocation
    host = other.host
    output = other.output
    interrupts = other.interrupts
    record = other.record
    source = other.source
    subject = other.subject
    asksPerson = other.asksPerson
    mayAsk = other.mayAsk
    traces = other.traces
    lines = other.lines
    isLoaded = true
  }

  /// Replaces the host by a host with a test clock, before loading. The command line overrides these settings.
  func useTestClock(settings: Arguments = Arguments()) throws(Problem) {
    (mayAsk, isTest) = (false, true)
    host = ScriptHost(limits: try HostLimits(invocation), clock: TestClock())
    host.settings = settings.merging(try invocation.pairs(.set))
    subject = HostSubject(host, source: "")
    try grant()
  }

  /// Loads APP, the first operand. With `isQuiet`, its diagnostics aren't shown, because the answer has them.
  func load(quietly isQuiet: Bool = false) throws { try load(invocation.operands[0], quietly: isQuiet) }

  /// Loads an app, unless it is already running.
  func load(_ app: String, quietly isQuiet: Bool = false) throws {
    if isLoaded { return }
    if app.hasPrefix("@") { return try askLive(app, quietly: isQuiet) }
    let source: Source
    do throws(Problem) { source = try Source(app: app) } catch { throw turned(error) }
    try load(source, quietly: isQuiet)
  }

  /// Loads an app from a source that was read already.
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
    try loadKeymap()
    start()
    record.started()
  }

  /// Starts the app if the verb needs that, and waits for the end of `start` unless the app stays (`serve`, `ui`).
  private func start() {
    guard invocation.verb.starts else { return }
    // A picture shows the app after its start.
    let waits = ![Verb.serve.name, Verb.ui.name].contains(invocation.verb.name) || invocation.isOfPicture
    let outcomes = interrupts.working { host.start(waiting: waits ? waitForStart : nil) }
    for outcome in outcomes where outcome.status == .failed {
      startStatus = max(startStatus, ExitStatus(outcome))
    }
  }

  /// Waits for the end of a `start`, which may watch a program for ever; after a second it shows a hint.
  private func waitForStart(_ job: Job) -> Outcome {
    let app = invocation.operands.first.map(\.visible) ?? "APP"
    let reminder = Reminder(
      after: 1,
      """
      menuctl: note: '\(invocation.verb.name)' waits until 'start' ends
      help: ctrl-c ends 'start' and continues; 'menuctl serve \(app)' and 'menuctl ui \(app)' go on at once

      """)
    defer { reminder.cancel() }
    return host.wait(for: job)
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

  /// Loads the user's keys: those of `--keymap`, else the user's keymap for the app of this name (K11).
  func loadKeymap() throws(Problem) {
    guard let path = keymapPath else { return }
    if let file = try? Source(file: path) { output.add(file) }
    do throws(LoadError) { try host.loadKeymap(path: path) } catch { throw Problem(error, in: self) }
  }

  /// The file of the user's keys; nil if there is none.
  var keymapPath: String? {
    if let path = invocation.values(.keymap).last { return path }
    guard invocation.verb.looksForKeymap, let name = host.text(ofAppField: "name"), !name.isEmpty,
      !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0), !name.hasPrefix("."),
      let folder = UserFolder.path("XDG_CONFIG_HOME", else: ".config")
    else { return nil }
    let path = "\(folder)/keys/\(name).lua"
    return access(path, F_OK) == 0 ? path : nil
  }

  /// Loads an app or plugins. If a person grants the requested capabilities, loads them again.
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
      // The script's output while loading was shown the first time.
      (host.onPrint, host.onLog) = (nil, nil)
    }
  }

  /// Loads an empty app, for plugins without an app.
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
    // A face shows questions before it opens; a test answers them itself.
    let isOfFace = invocation.verb.name == Verb.ui.name
    if !isTest { host.onQuestion = { [unowned self] in isOfFace || ask($0) } }
    host.asksForGrants = !invocation.verb.readsOnly && invocation.verb.name != Verb.replay.name
    if invocation.verb.records { record.watch(host) }
    host.storage = storage
    if invocation.verb.lendsTerminal, !invocation.has(.json) { host.terminal = .own }
    output.textOfFile = { [host] file in host.text(ofFile: file) }
    // Only verbs about the whole app show conflicts of keys.
    let tellsOfKeys = [Verb.load, .check, .keys].contains { $0.name == invocation.verb.name }
    host.onDiagnostic = { [output, weak self] in
      if $0.code == Failure.Code.limit.rawValue { self?.spent += 1 }
      if !isQuiet, tellsOfKeys || $0.code != "key-conflict" { output.show($0) }
    }
    try takeInterrupts()
  }

  /// The storage for `app.store`. `record` reads it and doesn't write it. A test, recorded or not, begins with an empty
  /// storage.
  private var storage: HostStorage? {
    guard invocation.verb.hasStores, !invocation.has(.asTest) else { return nil }
    return invocation.verb.name == Verb.record.name ? HostStorage.files.unwritten : .files
  }

  /// Makes an interrupt end this app's running script from now on, and makes the watchdog watch it.
  func takeInterrupts() throws {
    let canceller = try host.canceller()
    interrupts.cancel(with: canceller)
    interrupts.watchdog.watch(canceller)
  }

  /// Forgets an interrupt that came without a running script.
  func clearInterrupt() { try? host.canceller().interpreter.clear() }

  /// Returns the references after APP among the operands. Throws if a reference can't be read.
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
        .usage, "'\(reference)' is no action: names of actions have no '/'",
        help: "to pick an item by its path: menuctl pick APP \(reference.shellWord)")
    }
  }

  /// Makes the verb use another app from now on.
  func ask(_ subject: any Subject) { self.subject = subject }

  /// Asks the app a question, and notes whether the app has ended. If a signal ends the tool, takes back what waits.
  func asking<Result>(_ question: (any Subject) throws(Unanswered) -> Result) throws(Problem) -> Result {
    do throws(Unanswered) {
      return try interrupts.working { () throws(Unanswered) in
        defer { if interrupts.isEnding { takeBackAll() } }
        return try question(subject)
      }
    } catch {
      if error.isGone { isGone = true }
      throw Problem(error)
    }
  }

  func logLevel() throws(Problem) -> LogLevel {
    try invocation.choice(.log, of: LogLevel.self) ?? .warn
  }
}

extension Problem {
  /// Makes the problem of a failed plugin. A failure without a place doesn't name the app's file.
  init(plugin error: LoadError, in session: Session? = nil) {
    if error.failure.place == nil {
      self.init(ExitStatus(error), error.failure.message)
    } else {
      self.init(error, in: session)
    }
  }

  /// Makes the problem of a failed app or plugin, with the command line that grants its requests.
  init(_ error: LoadError, in session: Session?) {
    self.init(error)
    guard let session else { return }
    if let name = session.source?.name, name.hasSuffix("_test.lua") {
      self = helped("to run a file of tests: menuctl test \(name.shellWord)")
    }
    guard let request = error.asks else { return }
    let call = session.invocation.granting(request)
    // The help never shows a command line that is too long to read or has invisible characters.
    if call.utf8.count <= 400, call.visibleBlanks == call { self = helped("to grant it: \(call)") }
  }
}

extension LogLevel {
  static func >= (left: LogLevel, right: LogLevel) -> Bool { left.rank >= right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

// Lines of Lua from the command line.

extension Session {
  /// Throws if a line is no Lua; runs nothing.
  func check(line: String) throws(Problem) {
    do {
      try host.read(line: line, name: Self.lineName)
    } catch {
      let failure = error.failure
      throw Problem(
        .usage, Diagnostic(.error, failure.code.rawValue, failure.message, place: failure.place),
        in: Source(name: Self.lineName, bytes: Array(line.utf8)))
    }
  }

  /// Returns a new name for a line, and keeps its text for errors.
  func nextLineName(_ line: String) -> String {
    lines += 1
    let name = lines == 1 ? Self.lineName : "\(Self.lineName) \(lines)"
    output.add(Source(name: name, bytes: Array(line.utf8)))
    return name
  }

  /// Returns true if a line is an expression: `return LINE` is valid.
  func isExpression(_ line: String) -> Bool { (try? host.read(line: "return \(line)")) != nil }

  private static let lineName = "--eval"
}

// The end of actions that still wait after the verb's work.

extension Session {
  /// Ends a verb: waits for the actions of its deeds, and takes back the others, which may go on for ever. These are
  /// from `start` and timers; in the REPL they are all, since the person leaves it.
  func finish() -> ExitStatus {
    guard !isLive else { return .done }
    defer { takeBackAll() }
    var status = ExitStatus.done
    guard invocation.verb.waitsForAll, let before = waitingBefore else { return status }
    while status != .interrupted,
      let job = host.jobs.first(where: { job in
        !job.isOfTimer && !before.contains { $0 === job }
      })
    {
      status = max(status, ExitStatus(interrupts.working { waiting(for: job) }))
    }
    return status
  }

  private func waiting(for job: Job) -> Outcome {
    let reminder = Reminder(
      after: 1,
      """
      menuctl: note: '\(job.action.visible)' is still running, and '\(invocation.verb.name)' waits until it ends
      help: ctrl-c cancels and undoes it

      """)
    defer {
      reminder.cancel()
      if interrupts.isEnding { takeBackAll() }
    }
    return host.wait(for: job)
  }

  /// Runs the app's `stop`, and cancels all waiting actions, so that none is left half done.
  func takeBackAll() {
    if isLive { return }
    if invocation.verb.starts { host.stop() }
    host.cancelAll()
  }
}

extension Verb {
  /// Whether the verb waits for its deeds' actions, and doesn't only ask or stay.
  fileprivate var waitsForAll: Bool { [Verb.load, .perform, .press, .pick].contains { $0.name == name } }
}

/// Writes a hint to stderr if a wait takes long, in which the tool would be silent.
final class Reminder: Sendable {
  private let isOver = Mutex(false)

  /// Writes the text after so many seconds, unless `cancel` was called.
  init(after seconds: UInt32, _ text: String) {
    HostThread.start { [self] in
      sleep(seconds)
      isOver.withLock { isOver in
        if isOver { return }
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
      }
    }
  }

  /// Prevents the hint.
  func cancel() { isOver.withLock { $0 = true } }
}
