import LiveHost
import ScriptHost

// Asking an app that runs in another process.

extension Session {
  /// Connects to a live app and makes it the subject of this session.
  func askLive(_ name: String, quietly isQuiet: Bool) throws(Problem) {
    let live = LiveSubject(try Self.connect(to: name, as: "menuctl \(invocation.verb.name)"))
    let level = try logLevel()
    live.onPrint = { [output] in output.script($0) }
    live.onLog = { [output] in if $0.level >= level { output.log($0) } }
    if !isQuiet { live.onDiagnostic = { [output] in output.show($0) } }
    output.textOfFile = { [unowned live] file in live.text(ofFile: file) }
    ask(live)
    interrupts.cancel { [ring = live.client.ring] in ring(0) }
    _ = try asking { _ throws(Unanswered) in try live.listen() }
  }

  /// Refuses verbs and options that a live app doesn't take, before anything else of the command line is checked.
  static func checkLive(_ invocation: Invocation) throws(Problem) {
    // `complete` never fails: the shell gets no names instead.
    if invocation.verb.name == Verb.complete.name { return }
    guard let name = invocation.files.first(where: { $0.hasPrefix("@") }) else { return }
    guard invocation.verb.asksLive else {
      throw Problem(.usage, "'\(invocation.verb.name)' takes no live app: name a file")
    }
    if let option = invocation.options.map(\.option).first(where: Option.ofLoadingAlone.contains) {
      throw Problem(.usage, "'\(option.name)' is for loading an app, and '\(name)' runs already")
    }
  }

  /// The milliseconds that a live app has to answer the greeting: more than the default time limit of its scripts.
  static let patience: Int32 = 8000

  /// Connects to the live app `@NAME`, or to the socket `@PATH`.
  static func connect(to word: String, as client: String) throws(Problem) -> LiveClient {
    guard word.hasPrefix("@"), word.count > 1 else {
      throw Problem(
        .usage, "'\(word)' names no live app",
        help: "a live app is named with '@': @\(SessionName.isName(word) ? word : "NAME")")
    }
    let name = String(word.dropFirst())
    let path = RuntimeFolder.socket(of: name)
    let live: LiveClient?
    do throws(Unanswered) { live = try LiveClient(at: path, within: patience) } catch {
      throw problem(error, of: word, process: LiveSession.process(at: path))
    }
    guard let live else { throw noSession(name, word) }
    do throws(Unanswered) { try live.greet(as: client, within: patience) } catch {
      throw problem(error, of: word, process: live.process)
    }
    return live
  }

  private static func noSession(_ name: String, _ word: String) -> Problem {
    let running: [String]
    do throws(LiveError) { running = try LiveSession.all().map { "@\($0.name)" } } catch {
      return Problem(.noSuchFile, "there is no live app '\(name)': \(error.message)")
    }
    return Problem(
      .noSuchFile, "there is no live app '\(name)'\(didYouMean(word, among: running))",
      help: running.isEmpty
        ? "none runs; to run one: menuctl serve APP" : "those that run: \(running.joined(separator: ", "))")
  }

  /// Why a live app did not answer. For one that is there but silent the process is named, if it is known.
  static func problem(_ error: Unanswered, of word: String, process: Int32?) -> Problem {
    guard case .silent = error.kind else { return Problem(error) }
    guard let process else {
      return Problem(.no, "'\(word)' doesn't answer: it is stopped, or does something else for long")
    }
    return Problem(
      .no, "'\(word)' doesn't answer: process \(process) is stopped, or does something else for long",
      help: "'kill -CONT \(process)' has it go on, 'kill \(process)' ends it")
  }
}

extension Option {
  /// The options that say how an app is loaded, which a live app refuses.
  static let ofLoadingAlone = [plugin, plugins, allow, set, memory, budget, timeout, watch]
}
