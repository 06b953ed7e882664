import Glibc
import ScriptHost

// The caller may have closed the standard descriptors; then the next file that is opened would serve as stdin or stdout. So the missing ones
// are opened, in the wrong direction, so that reading stdin or writing stdout fails with an error.
for (descriptor, way) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
where fcntl(descriptor, F_GETFD) < 0 {
  _ = open("/dev/null", way)
}
// The caller may have ignored SIGPIPE; by default a closed reader ends the tool silently.
signal(SIGPIPE, SIG_DFL)
// Writing beyond the limit for files fails then, and the unfinished file is removed; by default the signal would end the process in the middle.
signal(SIGXFSZ, SIG_IGN)
let interrupts = Interrupts()
let words = CommandLine.arguments
// Swift's library reads the words from /proc; if that can't be opened there are none, not even the tool's own name.
let asked = Tool.understood(words.isEmpty ? nil : Array(words.dropFirst()))
// Only tests run scripts on several threads at once, each with an interpreter of its own.
let runsTests = (try? asked.get())?.verb.name == Verb.test.name
let limits = try? HostLimits(asked.get())
HostThread.have(runsTests ? .each : .one, source: limits?.source ?? 0)
HostThread.start { Tool(interrupts: interrupts).run(asked) }
interrupts.wait()
