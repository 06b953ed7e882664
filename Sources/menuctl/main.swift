import Glibc

// Whoever started this may have closed them, and the next file to be opened would be taken for stdin or written to as stdout. So each is
// there, and the wrong way around: who reads or writes is told that it can't be done.
for (descriptor, way) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
where fcntl(descriptor, F_GETFD) < 0 {
  _ = open("/dev/null", way)
}
// Whoever started this may ignore it; a reader that went away ends the tool without a word.
signal(SIGPIPE, SIG_DFL)
// A file that would grow too large fails to be written, and what was begun is taken away, where the process would have ended in the middle.
signal(SIGXFSZ, SIG_IGN)
let interrupts = Interrupts()
let words = CommandLine.arguments
// They are read from a file of the system's, and where that can't be opened there are none, not even the tool's own name.
let asked = Tool.understood(words.isEmpty ? nil : Array(words.dropFirst()))
// Tests run on several threads at once, each with an interpreter of its own; whatever else is done is done by one.
let runsTests = (try? asked.get())?.verb.name == Verb.test.name
HostThread.have(runsTests ? .each : .one)
HostThread.start { Tool(interrupts: interrupts).run(asked) }
interrupts.wait()
