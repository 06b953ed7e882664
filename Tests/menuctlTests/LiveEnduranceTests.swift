import Expectations
import Glibc
import Testing

/// Conditions of a live app: no descriptors left, nobody reads, it is stopped, nothing happens.
@Suite("Live apps endure") struct LiveEnduranceTests {
  private static let script = """
    app.title = "Stars"
    stars = 3
    menubar { menu "Image" { item "Rate" { "rate(stars: 5)" } } }
    function app.on:rate(ctx) stars = ctx.stars print("rated") return stars end
    function app.on:flood() for number = 1, 3000 do print(("x"):rep(100)) end return "told" end
    """

  /// The processor time of a process, in hundredths of a second.
  private func ticks(_ process: pid_t) -> Int {
    let text = (try? Project.bytes("/proc/\(process)/stat")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : -1
  }

  /// The number of times that the threads of a process have waited and continued.
  private func wakes(_ process: pid_t) -> Int {
    Project.entries(of: "/proc/\(process)/task").reduce(0) { sum, thread in
      let text = (try? Project.bytes("/proc/\(process)/task/\(thread)/status")).map {
        String(decoding: $0, as: UTF8.self)
      }
      let line = text?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }

  @Test(
    "L13: Without free descriptors new clients are sent away, connected ones are answered, and nothing spins",
    arguments: [6, -2])
  func descriptors(beyond count: Int) throws {
    let live = try LiveApp(["app.lua": Self.script])
    let first = try RawClient(live.socket)
    expect(first.ask("hello")?.contains("protocol"), is: true)
    // Some more than it has, or fewer, so that it can't reopen a descriptor that it gives up for a moment.
    let last = Project.entries(of: "/proc/\(live.process.id)/fd").compactMap { Int($0) }.max() ?? 0
    let limit = last + 1 + count
    _ = try Program.shell("sh", "prlimit --pid \(live.process.id) --nofile=\(limit):\(limit + 100)")
    var clients: [RawClient] = []
    for _ in 0..<30 { if let client = try? RawClient(live.socket) { clients.append(client) } }
    expect(first.ask("hello")?.contains("protocol"), is: true)
    usleep(300_000)
    let before = ticks(live.process.id)
    usleep(700_000)
    expect(ticks(live.process.id) - before < 20, "of 70")
    clients = []
    _ = try Program.shell("sh", "prlimit --pid \(live.process.id) --nofile=\(limit + 100)")
    try expect(live.wait(for: ["chain", "@app"]) { $0.status == 0 })
    expect(live.end().status, is: 0)
    expect(access(live.socket, F_OK) != 0)
  }

  @Test(
    "L9: Prints to a pipe that nobody reads block nothing: clients are answered, and the session can be stopped")
  func unreadPipe() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let client = try RawClient(live.socket)
    // More than the pipe holds, then more than is kept.
    for _ in 0..<20 { expect(client.ask("perform", #"{"ref": "flood"}"#)?.contains("told"), is: true) }
    try expect(live.ask(["perform", "@app", "rate(stars: 1)"]).status, is: 0)
    try expect(live.ask(["stop", "@app"]).status, is: 0)
    expect(live.finish().status, is: 0)
    expect(access(live.socket, F_OK) != 0)
  }

  @Test("With --stdio an unread stderr delays neither the answers nor the end")
  func unreadErrors() throws {
    let folder = try ScriptFolder(["app.lua": Self.script])
    let line = #"{"jsonrpc": "2.0", "id": 1, "method": "perform", "params": {"ref": "flood"}}"# + "\n"
    // stderr is read only after stdout has ended.
    let run = try Program.menuctl(
      ["serve", "app.lua", "--stdio"], stdin: String(repeating: line, count: 20), folder: folder.path)
    expect(run.status == 0 && run.out.matches(of: /told/).count == 20, "\(run.out.prefix(400))")
  }

  @Test("L3: A session that is stopped is listed with its process, and its clients get an error within seconds")
  func frozen() throws {
    let live = try LiveApp(["app.lua": Self.script])
    let id = live.process.id
    kill(id, SIGSTOP)
    defer { kill(id, SIGCONT) }
    let asking = try [["menu", "@app"], ["stop", "@app"], ["record", "@app"]].map { words in
      (words, try live.start(words))
    }
    try expect(live.ask(["sessions"]).out, is: "@app  process \(id)  doesn't answer\n")
    let json = try live.ask(["sessions", "--json"])
    expect(json.out.contains(#"[{"name": "app", "pid": \#(id), "answers": false}]"#), "\(json)")
    try expect(Schema.inDocs().problems(of: StrictJSON(json.out), as: "sessions"), is: [])
    try expect(live.ask(["serve", "app.lua", "--name", "app"]).err.contains("process \(id)"))
    for (words, process) in asking {
      process.write("")
      let run = process.finish()
      expect(
        run,
        is: Run(
          status: 1, out: "",
          err: """
            menuctl: error: '@app' doesn't answer: process \(id) is stopped or busy
            to continue it: kill -CONT \(id); to end it: kill \(id)

            """), "\(words)")
    }
    kill(id, SIGCONT)
    try expect(live.wait(for: ["chain", "@app"]) { $0.status == 0 })
    expect(live.end().status, is: 0)
  }

  // The thread sanitizer has its own thread, which wakes.
  @Test(
    "L14: An idle session takes no processor time, with any number of clients: nothing wakes it",
    .disabled(if: isThreadSanitized))
  func idle() throws {
    let live = try LiveApp(["app.lua": Self.script], ["--watch"])
    let clients = try (0..<20).map { _ in try RawClient(live.socket) }
    for client in clients { expect(client.ask("subscribe", #"{"to": ["menus", "jobs", "log"]}"#) != nil) }
    usleep(200_000)
    let before = (wakes(live.process.id), ticks(live.process.id))
    usleep(1_500_000)
    expect((wakes(live.process.id), ticks(live.process.id)) == before)
    // All of them stay until the session has answered.
    let hello = withExtendedLifetime(clients) { clients[19].ask("hello") ?? "no answer" }
    expect(hello.contains("\"clients\": 20"), "\(hello)")
  }

  @Test("L5: SIGHUP reloads the app if its terminal still exists", .enabled(if: Terminal.isPossible))
  func hangUpWithTerminal() throws {
    let folder = try ScriptFolder(["app.lua": Self.script])
    let runtime = "\(folder.path)/run"
    mkdir(runtime, 0o700)
    defer { _ = try? Program.shell("sh", "rm -rf '\(runtime)'") }
    let environment = ["XDG_RUNTIME_DIR": runtime]
    let terminal = try Terminal(
      ["serve", "app.lua", "--name", "held"], environment: environment, folder: folder.path)
    expect(terminal.waits { $0.text.contains("@held is live") })
    try folder.write("app.lua", Self.script.replacing("Stars", with: "Moons"))
    kill(terminal.id, SIGHUP)
    expect(terminal.waits { $0.text.contains("reloaded app.lua") }, "\(terminal.screen.text)")
    try expect(Program.menuctl(["load", "@held"], environment: environment).out.hasPrefix("Moons"))
    try expect(Program.menuctl(["stop", "@held"], environment: environment).status, is: 0)
    expect(terminal.finish(), is: 0)
  }

  @Test("L13: Another user's connection is closed without an answer, for any file mode", .enabled(if: geteuid() == 0))
  func anotherUser() throws {
    guard Program.isInstalled("python3") else { return }
    let live = try LiveApp(["app.lua": Self.script])
    for folder in [live.folder.path, live.runtime, "\(live.runtime)/menuctl"] { chmod(folder, 0o755) }
    chmod(live.socket, 0o666)
    func ask(as user: Int) throws -> Run {
      let script = """
        import os, socket
        os.setuid(\(user))
        app = socket.socket(socket.AF_UNIX)
        app.settimeout(20)
        app.connect("\(live.socket)")
        try:
            app.send(b'{"jsonrpc": "2.0", "id": 1, "method": "hello"}\\n')
            print(len(app.recv(10)))
        except ConnectionError: print(0)
        """
      let process = try Process("python3", ["-c", script])
      process.write("")
      return process.finish()
    }
    try expect(ask(as: 65534).out, is: "0\n")
    try expect(ask(as: 0).out, is: "10\n")
    chmod("\(live.runtime)/menuctl", 0o700)
    expect(live.end().status, is: 0)
  }

  @Test("A session that doesn't end after a signal is forced to, with 75, and leaves no socket")
  func forcedEnd() throws {
    let folder = try ScriptFolder(["pipe": "|"])
    let runtime = "\(folder.path)/run"
    mkdir(runtime, 0o700)
    defer { _ = try? Program.shell("sh", "rm -rf '\(runtime)'") }
    let process = try Process(
      "sh", ["-c", "exec '\(Program.folder)/menuctl' serve /dev/fd/3 --name app 3<pipe"],
      environment: ["XDG_RUNTIME_DIR": runtime], folder: folder.path)
    let guardian = try Guardian(of: process)
    defer { withExtendedLifetime(guardian) {} }
    // The tool opens the pipe a second time, so the writer closes only after something was read.
    let writer = open("\(folder.path)/pipe", O_WRONLY | O_CLOEXEC)
    _ = Self.script.withCString { write(writer, $0, strlen($0)) }
    var unread: Int32 = 1
    for _ in 0..<4000 where unread > 0 {
      usleep(5000)
      _ = ioctl(writer, UInt(FIONREAD), &unread)
    }
    close(writer)
    let socket = "\(runtime)/menuctl/app.sock"
    for _ in 0..<2000 where access(socket, F_OK) != 0 { usleep(5000) }
    usleep(200_000)
    // A reload waits while the pipe is open for writing.
    let held = open("\(folder.path)/pipe", O_WRONLY | O_CLOEXEC)
    func opened() -> Int { Project.entries(of: "/proc/\(process.id)/fd").count }
    let before = opened()
    kill(process.id, SIGHUP)
    for _ in 0..<2000 where opened() == before { usleep(5000) }
    kill(process.id, SIGTERM)
    process.write("")
    let run = process.finish()
    close(held)
    expect(run.status == 75 && run.err.contains("this did not end within 3 seconds"), "\(run)")
    expect(access(socket, F_OK) != 0)
  }
}
