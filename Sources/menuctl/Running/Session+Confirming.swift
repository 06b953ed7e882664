import Glibc
import LiveHost

extension Session {
  /// What a person says who is asked to confirm something: yes where `--yes` says so beforehand, nil where nobody sits at a terminal.
  func confirmed(_ question: String) -> Bool? {
    if invocation.has(.yes) { return true }
    return asksPerson(self, question)
  }

  /// Asks whoever sits at the terminal.
  func askAtTerminal(_ question: String) -> Bool? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      output.remark(\.unasked)
      return nil
    }
    output.ask("\(question.visible) (y/N) ")
    // Nothing runs meanwhile that an interrupt could end but the tool.
    let answer = interrupts.endingAtOnce { readLine() }
    if answer == nil { output.ask("\n") }
    return ["y", "yes"].contains(answer?.lowercased())
  }
}

extension TextRenderer {
  /// What to do where something asks and nobody is there.
  fileprivate var unasked: String {
    "\(palette("help", .strong)): nobody can be asked here; '--yes' says yes to whatever asks"
  }
}
