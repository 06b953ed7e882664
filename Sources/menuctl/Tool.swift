import Glibc
import ScriptHost

/// The tool: from the words of a command line to an answer and an exit status.
struct Tool {
  let interrupts: Interrupts

  /// Understands a command line, or says why that can't be.
  ///
  /// - Parameter words: nil where the system doesn't tell them.
  static func understood(_ words: [String]?) -> Result<Invocation, Problem> {
    guard let words else { return .failure(Problem(.noSuchFile, noWords)) }
    return Result { () throws(Problem) in try Invocation(words) }
  }

  /// Does what the command line says, and ends the process.
  func run(_ asked: Result<Invocation, Problem>) -> Never {
    let output = Output()
    var session: Session?
    let status = status(of: asked, output, in: &session)
    RunningPrograms.endAll()
    #if DEBUG
      // Where leaks are looked for nothing stays: a list in a case of an enum is held by an address that the leak sanitizer doesn't know.
      output.textOfFile = { _ in nil }
      session = nil
    #endif
    // The process ends with its host, which is not taken apart before.
    withExtendedLifetime((session, output)) { exit(status.rawValue) }
  }

  /// Why there are no words: what keeps this from opening another file keeps the system's library from it.
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
    do {
      let invocation = try asked.get()
      output.isJSON = invocation.has(.json)
      interrupts.watchdog.isJSON = output.isJSON
      output.colour(try invocation.choice(.color, of: ColourChoice.self) ?? .auto)
      let opened = try Session(invocation, output: output, interrupts: interrupts)
      session = opened
      let reply = try VerbBody.of(invocation.verb).run(opened)
      if let answer = reply.answer { output.answer(answer) }
      return output.failed ? .no : max(reply.status, opened.startStatus)
    } catch let problem as Problem {
      output.show(problem)
      return problem.status
    } catch {
      output.show(Problem(.raised, "\(error)"))
      return .raised
    }
  }
}
