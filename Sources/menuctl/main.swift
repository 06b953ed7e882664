import Glibc

// Whoever started this may ignore it; a reader that went away ends the tool without a word.
signal(SIGPIPE, SIG_DFL)
// A file that would grow too large fails to be written, and what was begun is taken away, where the process would have ended in the middle.
signal(SIGXFSZ, SIG_IGN)
let interrupts = Interrupts()
let words = CommandLine.arguments
// They are read from a file of the system's, and where that can't be opened there are none, not even the tool's own name.
let arguments = words.isEmpty ? nil : Array(words.dropFirst())
HostThread.start { Tool(interrupts: interrupts).run(arguments) }
interrupts.wait()
