import Glibc
import ScriptHost

extension Session {
  /// Has what asks first be confirmed: with `--yes` beforehand, else by a person, where one sits at a terminal.
  func confirmItems() {
    if invocation.has(.yes) {
      host.onConfirm = { _ in true }
    } else if isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 {
      host.onConfirm = { [output, interrupts] item in
        output.ask("\((item.confirm ?? "").visible) (y/N) ")
        // Nothing runs meanwhile that an interrupt could end but the tool.
        let answer = interrupts.endingAtOnce { readLine() }
        if answer == nil { output.ask("\n") }
        return ["y", "yes"].contains(answer?.lowercased())
      }
    }
  }
}
