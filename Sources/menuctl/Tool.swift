import Glibc
import ScriptHost
import Terminal

/// The tool: turns the words of a command line into an answer and an exit status.
struct Tool {
  let interrupts: Interrupts
  /// Whether the words ask for JSON, even if the rest of them can't be read.
  var wantsJSON = false

  /// Parses a command line, or returns its error.
  ///
  /// - Parameter words: nil if the system doesn't know them.
  static func understood(_ words: [String]?) -> Result<Invocation, Problem> {
    guard let words else { return .failure(Problem(.noSuchFile, noWords)) }
    return Result { () throws(Problem) in try Invocation(words) }
  }

  /// Runs a command line, and ends the process.
  func run(_ asked: Result<Invocation, Problem>) -> Never {
    let output = Output()
    var session: Session?
    let status = status(of: asked, output, in: &session)
    TerminalKeeper.end()
    #if DEBUG
      // The leak sanitizer doesn't recognize a list in an enum's case, so debug builds free everything before the end.
      output.textOfFile = { _ in nil }
      session = nil
    #endif
    // The host lives until the process ends, since freeing it would only take time.
    withExtendedLifetime((session, output)) { exit(status.rawValue) }
  }

  /// The reason why there are no words: opening `/proc/self/cmdline` fails here as in the system's library.
  static var noWords: String {
    let path = "/proc/self/cmdline"
    let descriptor = Descriptor.file(path)
    let reason = descriptor >= 0 ? "it is empty" : systemMessage(errno)
    if descriptor >= 0 { close(descriptor) }
    return "can't read the command line from \(path): \(reason)"
  }

  private func status(
    of asked: Result<Invocation, Problem>, _ output: Output, in session: inout Session?
  ) -> ExitStatus {
    output.isJSON = wantsJSON
    do {
      let invocation = try asked.get()
      output.isJSON = invocation.has(.json)
      interrupts.watchdog.isJSON = output.isJSON
      output.colour(try invocation.choice(.color, of: ColourChoice.self) ?? .auto)
      let opened = try Session(invocation, output: output, interrupts: interrupts)
      session = opened
      let reply = try VerbBody.of(invocation.verb).run(opened)
      if let answer = reply.answer { output.answer(answer, isStarted: opened.startStatus == .done) }
      let ending = opened.finish()
      return output.failed ? .no : max(reply.status, opened.startStatus, ending)
    } catch let problem as Problem {
      output.show(problem)
      return problem.status
    } catch {
      output.show(Problem(.raised, "\(error)"))
      return .raised
    }
  }
}

extension VerbBody {
  private static let all: [VerbBody] = [
    load, menu, perform, press, pick, validate, why, chain, context, actions, keys, check, test, repl, record, replay,
    plugin, ui, serve, mcp, sessions, stop, apps, new, stubs, completions, help, version, complete,
  ]

  static func of(_ verb: Verb) -> VerbBody { all.first { $0.verb.name == verb.name } ?? overview }
}
