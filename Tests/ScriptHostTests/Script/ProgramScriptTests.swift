import Expectations
import Glibc
import Testing

@testable import ScriptHost

@Suite("exec with line, input, folder and terminal; notify")
struct ProgramScriptTests {
  /// Runs `go` of an app that may run some programs. Returns the output, and the outcome if `go` was not handled.
  private func run(
    _ body: String, allow: [String] = ["exec=sh", "exec=cat", "exec=pwd"], files: [String: String] = [:],
    terminal: HostTerminal? = nil, memory: Int = 64 << 20
  ) throws -> (lines: [String], stage: PluginStage) {
    // Lines without an end are slow under a sanitizer, which checks each.
    let stage = try PluginStage(files, limits: HostLimits(memory: memory, perform: .milliseconds(20_000)))
    stage.host.granted = try allow.map { try Capability.parse($0) }
    stage.host.terminal = terminal
    stage.write("function app.on:go()\n\(body)\nend", to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    let outcome = stage.host.perform("go", wait: true)
    var lines = stage.take()
    if outcome.status != .handled { lines.append(stage.short(outcome.line)) }
    return (lines, stage)
  }

  @Test("S2: 'line' runs for each line as it comes, whole and without its end, with the output that it came from")
  func lines() throws {
    let (lines, _) = try run(
      """
      local told = {}
      local r = exec("sh", { "-c", "printf 'one\\\\r\\\\n\\\\ntwo'; printf 'bad\\\\n' >&2" }, { line = function(text, isError)
        told[#told + 1] = (isError and "!" or "") .. text
      end })
      table.sort(told)
      print(table.concat(told, "|"), r.status, #r.out, r.err)
      """)
    expect(lines, is: ["|!bad|one|two\t0\t9\tbad\n"])
  }

  @Test("S2: 'line' runs before the program has ended")
  func linesComeEarly() throws {
    // The program continues only after the answer.
    let (lines, _) = try run(
      """
      local r = exec("sh", { "-c", "echo ready; while [ ! -e go ]; do sleep 0.01; done; echo went" }, {
        folder = ".", line = function(text) print(text) if text == "ready" then fs.write("go", "") end end })
      print(r.status)
      """, allow: ["exec=sh", "fs.write"])
    expect(lines, is: ["ready", "went", "0"])
  }

  @Test("S2: A program's output goes to the action that started it, also if another program has closed its output")
  func ownOutput() throws {
    let stage = try PluginStage([:])
    stage.host.granted = [try Capability.parse("exec=sh")]
    stage.write(
      """
      function app.on:closes()
        local program = "exec >&-; echo closed >&2; sleep 1000"
        exec("sh", { "-c", program }, { line = print })
      end
      function app.on:writes() return exec("sh", { "-c", "for n in $(seq 30); do echo $n; sleep 0.01; done" }).out end
      """, to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    let job = try require(stage.host.perform("closes").job)
    while stage.take().isEmpty { try stage.host.advance(by: .milliseconds(1)) }
    // The next look sees that the output was closed.
    try stage.host.advance(by: .milliseconds(10))
    let written = (1...30).map { "\($0)\n" }.joined()
    expect(stage.host.perform("writes", wait: true).result.shown, is: written)
    job.cancel()
    expect(stage.take(), is: [])
  }

  @Test("S2: 'line' runs inside the action: it can set values and progress, and can't wait; its error fails the action")
  func insideOfTheAction() throws {
    let (lines, stage) = try run(
      """
      local box = { n = 0 }
      exec("sh", { "-c", "echo 1; echo 2" }, { line = function(text)
        progress(tonumber(text) / 2, text) box.n = box.n + 1
        print((tostring(select(2, pcall(sleep, 1))):gsub("^[^:]*:%d+: ", "")))
      end })
      print(box.n)
      exec("sh", { "-c", "echo 3; sleep 100" }, { line = function(text) error("no " .. text) end })
      """)
    let trouble = "the function 'line' can't wait: exec calls it for each line while the program runs"
    expect(lines[..<3], is: [trouble[...].description, trouble, "2"])
    expect(lines.last?.contains("no 3") ?? false, "\(lines)")
    expect(stage.host.scripts?.processes.allSatisfy { $0.status == 137 } ?? false)
  }

  @Test(
    "S2: Endless output reaches 'line' line by line, long lines in pieces, and the result keeps its end"
  )
  func muchIsHeard() throws {
    let (lines, _) = try run(
      """
      local count, longest = 0, 0
      local r = exec("sh", { "-c", "yes 'a line' | head -n 200000; head -c 200000 /dev/zero | tr '\\\\0' x; echo; echo last" }, {
        line = function(text) count = count + 1 if #text > longest then longest = #text end end })
      print(count > 200000, longest, #r.out <= 524288, r.out:sub(-5, -2))
      """)
    expect(lines, is: ["true\t65536\ttrue\tlast"])
  }

  @Test(
    "P20: A lone '\\r' ends a line too, and the next line replaces it; '\\r\\n' is one end",
    arguments: [
      ("10%%\\r50%%\\r100%%, done.\\nnext\\n", "10% >50% >100%, done. next"), ("a\\r\\nb\\r\\n\\r\\nc\\r\\n", "a b  c"),
      ("\\rone\\r\\rtwo\\r", "one >two"), ("a\\r\\r\\nb\\n", "a b"), ("a\\rb", "a >b"), ("\\n\\n", " "),
    ])
  func carriageReturns(_ written: String, _ told: String) throws {
    let line = """
      { line = function(text, isError, replaces) told[#told + 1] = (replaces and ">" or "") .. text end })
      """
    let (lines, _) = try run(
      """
      local told = {}
      exec("sh", { "-c", [[printf '\(written)']] }, \(line)
      exec("sh", { "-c", [[printf '\(written)' >&2]] }, \(line)
      print(table.concat(told, " ", 1, #told // 2)) print(table.concat(told, " ", #told // 2 + 1))
      """)
    expect(lines, is: [told, told])
  }

  @Test("P20: A line end in two parts is one end, and a progress step arrives before the next begins")
  func partedEnds() {
    var lines = WrittenLines()
    func told(_ text: String) -> [String] {
      lines.take(Array(text.utf8)[...]).map { ($0.replaces ? ">" : "") + String(decoding: $0.text, as: UTF8.self) }
    }
    expect(told("a\r") == ["a"] && told("\nb\r") == ["b"] && told("c") == [] && told("\r") == [">c"])
    expect(told("\n") == [] && told("d\n") == ["d"] && lines.rest().isEmpty)
  }

  @Test("P20: 'env' overrides the host's variables, each once, and numbers become text")
  func environment() throws {
    // A variable of the host that chooses no code.
    let name: String = getenv("USER") == nil ? "LANG" : "USER"
    let (lines, _) = try run(
      """
      local shows = { "-c", "env | grep -c ^\(name)=; echo $\(name) $A_B $n_1 ${PATH:+path}" }
      print((exec("sh", shows, { env = { \(name) = "/nowhere", A_B = "true x", n_1 = 5 } }).out:gsub("\\n", "|")))
      print((exec("sh", { "-c", "echo [$n_1]" }).out:gsub("%s", "")))
      """)
    expect(lines == ["1|/nowhere true x 5 path|\t2", "[]\t1"] || lines == ["1|/nowhere true x 5 path|", "[]"])
  }

  @Test(
    "S2: 'env' refuses variables that make other code run than the granted program",
    arguments: [
      "PATH", "HOME", "XDG_CACHE_HOME", "LD_PRELOAD", "LD_LIBRARY_PATH", "BASH_ENV", "BASH_FUNC_ls", "IFS", "PS4",
      "PYTHONPATH", "PYTHONPYCACHEPREFIX", "PYTHON_NEWER", "PERL5OPT", "PERL5LIB", "RUBYOPT", "NODE_OPTIONS",
      "LUA_PATH", "LUA_PATH_5_4", "LUA_CPATH_5_4", "LUA_INIT_5_9", "TCL_LIBRARY", "TCLLIBPATH", "JDK_JAVA_OPTIONS",
      "_JAVA_OPTIONS", "PHPRC", "AWKPATH", "GUILE_AUTO_COMPILE", "GIT_SSH_COMMAND", "GIT_DIR", "GIT_EDITOR", "PAGER",
      "KUBE_EDITOR", "SSH_ASKPASS", "LESSOPEN", "DBUS_SESSION_BUS_ADDRESS", "FOO_PLUGIN_PATH",
    ])
  func codeVariables(_ name: String) throws {
    let (lines, _) = try run("exec('cat', {}, { env = { \(name) = 'x' } })")
    expect(
      lines.count == 1 && lines[0].contains("'\(name)' can't be set for a program: the variable would run other code"))
  }

  @Test(
    "S2: 'env' takes variables that choose no code, and git's own variables for 'git'",
    arguments: [
      ("cat", "PYTHONUNBUFFERED", true), ("cat", "PYTHONIOENCODING", true), ("cat", "LC_ALL", true),
      ("cat", "NO_COLOR", true), ("cat", "TERM", true), ("cat", "GIT_TERMINAL_PROMPT", true),
      ("cat", "GIT_INDEX_FILE", true), ("cat", "GIT_AUTHOR_NAME", true), ("cat", "INPUT_PATH", true),
      ("cat", "RESULT", true), ("git", "GIT_EDITOR", true), ("git", "GIT_SEQUENCE_EDITOR", true),
      ("git", "GIT_SSH_COMMAND", true), ("git", "PAGER", false), ("git", "LD_PRELOAD", false), ("git", "HOME", false),
      ("bin/git", "GIT_SSH_COMMAND", false), ("/usr/bin/git", "GIT_SSH_COMMAND", false), ("gitk", "GIT_EDITOR", false),
    ])
  func plainVariables(program: String, name: String, isTaken: Bool) {
    expect(ProgramVariable.choosesCode(name, for: program), is: !isTaken)
  }

  @Test("S15: 'env' has at most 64 variables with 64 KiB")
  func muchEnvironment() throws {
    let most = "'env' can have 64 variables with 65536 bytes together"
    for (body, isTooMuch) in [
      ("env.A = ('x'):rep(65535)", false), ("env.A = ('x'):rep(65536)", true),
      ("for i = 1, 64 do env['A' .. i] = i end", false), ("for i = 1, 65 do env['A' .. i] = i end", true),
    ] {
      let (lines, _) = try run("local env = {} \(body) print(exec('cat', {}, { env = env }).status)")
      expect(lines.count == 1 && (isTooMuch ? lines[0].contains(most) : lines == ["0"]), "\(body): \(lines)")
    }
  }

  @Test("P20: Without 'line' a program may write 8 MiB to each output; more ends it, and exec returns the reason")
  func largeOutput() throws {
    let (lines, _) = try run(
      """
      local r = exec("sh", { "-c", "head -c 8388608 /dev/zero; head -c 8388608 /dev/zero >&2" })
      print(#r.out, #r.err)
      print(exec("sh", { "-c", "head -c 8388609 /dev/zero" }))
      """)
    expect(lines, is: ["8388608\t8388608", "nil\tit wrote more than 8388608 bytes"])
  }

  @Test("P20: Programs' output counts as memory of the scripts, while they run and as the result")
  func outputIsMemory() throws {
    let much = "exec('sh', { '-c', 'head -c 8000000 /dev/zero' })"
    try expect(
      run("print(\(much))", memory: 7 << 20).lines, is: ["nil\tit wrote more than the scripts' memory can hold"])
    let (lines, stage) = try run(
      "local t = {} for i = 1, 6 do t[i] = ('x'):rep(1000000) .. i end print(pcall(function() return \(much) end), t)",
      memory: 12 << 20)
    expect(lines.count == 1 && stage.host.perform("go", wait: true).error?.limit == .memory, "\(lines)")
  }

  @Test("S2: 'input' is the program's input, any bytes; without it the input is empty")
  func input() throws {
    let (lines, _) = try run(
      """
      print(exec("cat", {}, { input = "a\\0\\xff" }).out == "a\\0\\xff", #exec("cat").out)
      print(#exec("cat", {}, { input = ("x"):rep(300000) }).out)
      """)
    expect(lines, is: ["true\t0", "300000"])
  }

  @Test(
    "S2: 'folder' is the program's working folder, relative to the script's; a wrong folder returns nil and the reason"
  )
  func folder() throws {
    let (lines, _) = try run(
      """
      print((exec("pwd", {}, { folder = "sub" })).out, (exec("pwd", {}, { folder = "/" })).out)
      print(exec("pwd", {}, { folder = "none" })) print(exec("pwd", {}, { folder = "app.lua" }))
      """, files: ["sub/x": ""])
    expect(lines, is: ["sub\n\t/\n", "nil\t'none' is no folder", "nil\t'app.lua' is no folder"])
  }

  @Test("S2: The search for a program's name uses absolute paths only, never the current folder")
  func search() throws {
    let stage = try PluginStage(["bin/menuctl-test-program": "#!/bin/sh\necho wrong\n"])
    chmod("\(stage.path)/bin/menuctl-test-program", 0o755)
    expect(ProgramSearch.path(of: "sh")?.hasSuffix("/sh") ?? false)
    expect(ProgramSearch.path(of: "menuctl-test-program") == nil && errno == ENOENT)
    expect(ProgramSearch.path(of: "menuctl-test-program", in: ".:\(stage.path)/bin")?.hasSuffix("program") ?? false)
    expect(ProgramSearch.path(of: "menuctl-test-program", in: ".::bin:"), is: nil)
    expect(ProgramSearch.path(of: "bin", in: stage.path), is: nil)
  }

  @Test(
    "S2: A wrong option of exec is an error that names the valid choice",
    arguments: [
      ("{ lines = print }", "exec has no option 'lines'; did you mean 'line'?"), ("{ 1 }", "exec has no option '"),
      ("{ line = 1 }", "'line' of exec must be a function, not a number"),
      ("{ input = {} }", "'input' of exec must be a text, not a table"),
      ("{ env = 1 }", "'env' of exec must be a table of variables, not a number"),
      ("{ env = { ['A-B'] = 1 } }", "'A-B' can't be a variable's name"),
      ("{ env = { [1] = 'A' } }", "can't be a variable's name"),
      ("{ env = { ['1A'] = 1 } }", "'1A' can't be"), ("{ env = { [''] = 1 } }", "'' can't be"),
      ("{ env = { ['A=B'] = 1 } }", "'A=B' can't be"), ("{ env = { A = true } }", "the variable 'A' must be"),
      ("{ env = { A = 'x\\0' } }", "the variable 'A' must be a number or UTF-8 without NUL, not a string"),
      ("{ folder = true }", "'folder' of exec must be a path, not a boolean"),
      ("{ terminal = 1 }", "'terminal' of exec must be true or false, not a number"),
      ("{ terminal = true, line = print }", "'terminal' can't be combined with 'input' or 'line'"),
      ("{ terminal = true, input = 'x' }", "'terminal' can't be combined with 'input' or 'line'"),
      ("7", "the options of exec must be a table, not a number"), ("{ folder = 'a\\0' }", "can't be a path"),
    ])
  func refused(_ options: String, _ message: String) throws {
    let (lines, _) = try run("exec('cat', {}, \(options))")
    expect(lines.count == 1 && lines[0].contains(message) && lines[0].contains("app.lua:2"), "\(lines)")
  }

  // MARK: The terminal

  /// A terminal of this test.
  private final class Pseudoterminal {
    let master: Int32
    let slave: Int32
    var isLent = false
    var count = 0

    init() {
      master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      // What unlockpt and ptsname do. Swift can't see these functions.
      var (isLocked, number) = (Int32(0), Int32(-1))
      expect(ioctl(master, 0x4004_5431, &isLocked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
      slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    }

    deinit {
      close(master)
      close(slave)
    }

    var terminal: HostTerminal {
      HostTerminal(
        lend: { [unowned self] in
          if isLent { return nil }
          isLent = true
          count += 1
          return slave
        }, takeBack: { [unowned self] in isLent = false })
    }

    /// All output to the terminal.
    var written: String {
      var bytes = [UInt8](repeating: 0, count: 4096)
      _ = fcntl(master, F_SETFL, O_NONBLOCK)
      let count = read(master, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
  }

  private static let hasTerminals = access("/dev/ptmx", R_OK) == 0 && access("/dev/pts", F_OK) == 0

  @Test(
    "S2: A program with 'terminal' gets the terminal, and the host takes it back afterwards with its settings",
    .enabled(if: hasTerminals))
  func terminal() throws {
    let own = Pseudoterminal()
    let (lines, _) = try run(
      """
      local r = exec("sh", { "-c", "test -t 0 && test -t 1 && test -t 2 && echo seen; stty -echo; exit 3" }, { terminal = true })
      print(r.status, #r.out, #r.err)
      """, terminal: own.terminal)
    expect(lines, is: ["3\t0\t0"])
    // The output also has sequences that keep the title and reset modes that a program may have left on (S14).
    expect(own.written.contains("seen\r\n") && !own.isLent && own.count == 1)
    var settings = termios()
    expect(tcgetattr(own.slave, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0)
  }

  @Test(
    "S2: If there is no free terminal, exec returns nil and the reason; cancelling takes the terminal back",
    .enabled(if: hasTerminals))
  func noTerminal() throws {
    try expect(
      run("print(exec('cat', {}, { terminal = true }))").lines,
      is: [
        "nil\t'cat' needs a terminal, and there is none"
      ])
    let own = Pseudoterminal()
    let stage = try PluginStage([:])
    stage.host.granted = [try Capability.parse("exec=sleep"), try Capability.parse("exec=cat")]
    stage.host.terminal = own.terminal
    stage.write(
      """
      function app.on:long() return exec("sleep", { 1000 }, { terminal = true }) end
      function app.on:short() print(exec("cat", {}, { terminal = true })) end
      """, to: "app.lua")
    try stage.host.load(path: "\(stage.path)/app.lua")
    let job = try require(stage.host.perform("long").job)
    expect(own.isLent)
    _ = stage.host.perform("short", wait: true)
    expect(stage.take() == ["nil\t'cat' needs a terminal, and there is none"] && own.isLent)
    job.cancel()
    expect(!own.isLent && own.count == 1)
  }

  @Test(
    "T5: A still clock moves by no more than the program took, also if the program wrote or closed its output",
    arguments: [
      "exec >&- 2>&-; sleep 0.1", "echo err >&2; exec 2>&-; sleep 0.1", "exec >&-; sleep 0.1; echo err >&2",
      "seq 20000", "true",
    ])
  func takesAsLong(_ program: String) throws {
    let clock = SystemClock()
    let began = clock.now
    let (lines, stage) = try run(
      """
      local n = 0
      every(1, function() n = n + 1 end)
      local r = exec("sh", { "-c", "\(program)" }, { line = function() end })
      print(r.status)
      """)
    expect(lines, is: ["0"])
    expect(stage.host.now <= clock.now - began)
  }

  @Test("T5: A silent program wakes nothing: its action continues when it writes or ends")
  func silent() throws {
    let host = ScriptHost()
    host.granted = [try Capability.parse("exec=sh")]
    try host.load(
      text: """
        function app.on:go()
          local said = 0
          local r = exec("sh", { "-c", "sleep 0.3; echo one; sleep 0.3; exec >&- 2>&-" }, { line = function() said = said + 1 end })
          return r.status + said
        end
        """, name: "app.lua")
    var steps = 0
    host.dispatcher.onActionEnded = { _ in steps += 1 }
    host.dispatcher.isAwaited = true
    expect(host.perform("go", wait: true).line.hasSuffix("integer(1)"))
    expect((1...10).contains(steps), "\(steps)")
  }

  // MARK: Notifications

  @Test("S12: Arguments of notify are plain text for the desktop: no markup, no escapes, no options, no controls")
  func notify() throws {
    let stage = try PluginStage(["notify-send": "#!/bin/sh\nprintf '[%s]' \"$@\" >\"$(dirname \"$0\")/told\"\n"])
    chmod("\(stage.path)/notify-send", 0o755)
    let started = try stage.host.scriptEngine().notification(
      "-x <b>\u{1B}[1m", "a & b\n<a href='x'>\\n\u{7}", from: "p\u{8}q")
    expect(
      started, is: ["--app-name=p\u{FFFD}q", "--", "-x <b>\u{FFFD}[1m", "a &amp; b\n&lt;a href='x'&gt;\\\\n\u{FFFD}"])
    for (call, message) in [
      ("notify({})", "the title of a notification must be a string, not a table"),
      ("notify('x', 1)", "the text of a notification must be a string, not a number"),
      ("notify('')", "a notification needs a title: notify(\"Saved\")"),
    ] {
      let (lines, _) = try run(call, allow: ["notify"])
      expect(lines.count == 1 && lines[0].contains(message) && lines[0].contains("app.lua:2"), "\(lines)")
    }
    try expect(
      run("notify('x')").lines.first?.contains("notify is not granted to 'app': it takes the capability 'notify'")
        ?? false)
  }
}
