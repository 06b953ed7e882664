import Glibc
import ScriptHost

// The caller may have closed a standard descriptor; the next opened file would replace it. So a missing descriptor
// is opened in the wrong direction, and reading stdin or writing stdout fails with an error.
for (descriptor, way) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
where fcntl(descriptor, F_GETFD) < 0 {
  _ = open("/dev/null", way)
}
// The caller may have ignored SIGPIPE; by default a closed reader ends the tool silently.
signal(SIGPIPE, SIG_DFL)
// Writing beyond the limit for files then fails, and the unfinished file is removed; else the signal ends the process.
signal(SIGXFSZ, SIG_IGN)
let interrupts = Interrupts()
let words = CommandLine.arguments
// Swift's library reads the words from /proc; if that can't be opened there are none, not even the tool's name.
let asked = Tool.understood(words.isEmpty ? nil : Array(words.dropFirst()))
// Only tests run scripts on several threads, each with its interpreter.
let runsTests = (try? asked.get())?.verb.name == Verb.test.name
let limits = try? HostLimits(asked.get())
HostThread.have(runsTests ? .each : .one, source: limits?.source ?? 0)
let wantsJSON = words.prefix { $0 != "--" }.contains(Option.json.name)
HostThread.start { Tool(interrupts: interrupts, wantsJSON: wantsJSON).run(asked) }
interrupts.wait()
