import Glibc
import ScriptHost

extension HostTerminal {
  /// The terminal that the tool was started from. The tool doesn't use it while a script's program has it.
  static var own: HostTerminal {
    var terminal: Int32 = -1
    return HostTerminal(
      lend: {
        guard terminal < 0, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        return terminal >= 0 ? terminal : nil
      },
      takeBack: {
        close(terminal)
        terminal = -1
      })
  }
}

extension Verb {
  /// Whether under this verb a script's program may use the terminal: not if nobody sits there, a face has it, or time stands still.
  var lendsTerminal: Bool { ![Verb.serve, .ui, .record, .replay, .stubs].contains { $0.name == name } }
}
