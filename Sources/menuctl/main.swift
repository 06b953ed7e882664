import Glibc

let interrupts = Interrupts()
let arguments = Array(CommandLine.arguments.dropFirst())
HostThread.start { exit(Tool(interrupts: interrupts).run(arguments).rawValue) }
interrupts.wait()
