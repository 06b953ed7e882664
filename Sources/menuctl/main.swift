import Glibc

// Whoever started this may ignore it; a reader that went away ends the tool without a word.
signal(SIGPIPE, SIG_DFL)
let interrupts = Interrupts()
let arguments = Array(CommandLine.arguments.dropFirst())
HostThread.start { Tool(interrupts: interrupts).run(arguments) }
interrupts.wait()
