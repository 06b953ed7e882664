/// The tool: from the words of a command line to an answer and an exit status.
struct Tool {
  let interrupts: Interrupts

  func run(_ words: [String]) -> ExitStatus {
    let output = Output()
    // It asks the host, which holds it, for as long as something may be shown.
    defer { output.sourceOfFile = { _ in nil } }
    do {
      let invocation = try Invocation(words)
      output.isJSON = invocation.has(.json)
      interrupts.watchdog.isJSON = output.isJSON
      output.colour(try invocation.choice(.color, of: ColourChoice.self) ?? .auto)
      let session = try Session(invocation, output: output, interrupts: interrupts)
      let reply = try invocation.verb.run(session)
      if let answer = reply.answer { output.answer(answer) }
      return output.failed ? .no : reply.status
    } catch let problem as Problem {
      output.show(problem)
      return problem.status
    } catch {
      output.show(Problem(.raised, "\(error)"))
      return .raised
    }
  }
}
