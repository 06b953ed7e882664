import Expectations
import Glibc
import Testing

// Every status of the contract, with a case that causes it. Missing grants cause 77.

private let script = """
  menubar { menu "File" { item "Off" { "off" }, item "Delete" { "yes", confirm = "Sure?" } } }
  function app.on:yes() end
  function app.on:off() end
  function app.can:off() return false, "not now" end
  function app.on:boom() error("boom") end
  function app.on:spin() while true do end end
  function app.on:fill() local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end end
  function app.on:wait() sleep(0.01) end
  app.keys = { ["g g"] = "yes" }
  """

private let statuses: [(status: Int32, words: [String])] = [
  (0, ["perform", "-", "yes"]), (0, ["perform", "-", "wait"]), (0, ["press", "-", "g g"]), (0, ["load", "-"]),
  (0, ["menu", "-"]), (0, ["why", "-", "off"]), (0, ["why", "-", "nobody"]), (0, ["chain", "-"]),
  (0, ["context", "-"]),
  (0, ["keys", "-"]), (0, ["validate", "-"]), (0, ["validate", "-", "yes"]), (0, ["check", "scripts/photos"]),
  (0, ["version"]), (0, ["help"]), (0, ["help", "no-reason"]), (0, ["completions", "bash"]), (0, ["load", "--help"]),
  (0, ["test", "scripts/hello_test.lua"]), (0, ["load", "-", "--eval", "app:perform('boom')"]),
  // A refusal.
  (1, ["perform", "-", "off"]), (1, ["pick", "-", "File/Off"]), (1, ["pick", "-", "File/Delete"]),
  (1, ["press", "-", "g"]),
  (1, ["validate", "-", "yes", "off"]), (1, ["check", "-"]), (1, ["load", "-", "--perform", "off"]),
  (1, ["test", "scripts/photos", "--coverage", "--min-coverage", "100"]),
  // Usage.
  (64, []), (64, ["nosuch"]), (64, ["perform", "-"]), (64, ["perform", "-", "a("]), (64, ["load", "-", "--nosuch"]),
  (64, ["load", "-", "--memory", "-1"]), (64, ["load", "-", "--color", "red"]), (64, ["pick", "-", "nosuch"]),
  (64, ["press", "-", "hyper+x"]), (64, ["load", "-", "--eval", "x ="]), (64, ["help", "nosuch"]),
  (64, ["perform", "-", "yes", "--to", "nosuch"]), (64, ["load", "-", "--set", "x"]),
  // No such file.
  (66, ["load", "nosuch.lua"]), (66, ["load", "docs"]), (66, ["test", "nosuch_test.lua"]),
  // Nobody handled it.
  (69, ["perform", "-", "nobody"]), (69, ["press", "-", "q"]), (69, ["load", "-", "--perform", "nobody"]),
  // A script raised while running.
  (70, ["perform", "-", "boom"]), (70, ["load", "-", "--perform", "boom"]),
  (70, ["load", "-", "--eval", "error('no')"]),
  // A limit was spent.
  (75, ["perform", "-", "spin", "--timeout", "0.05"]), (75, ["perform", "-", "spin", "--budget", "10000"]),
  (75, ["perform", "-", "fill", "--memory", "8"]),
  (75, ["load", "-", "--timeout", "0.05", "--eval", "while true do end"]),
  // Of several statuses the highest decides.
  (70, ["load", "-", "--perform", "boom", "--perform", "off", "--perform", "nobody"]),
  (75, ["load", "-", "--timeout", "0.05", "--perform", "spin", "--perform", "boom"]),
]

@Test("Each exit status has the cause that the contract names", arguments: statuses.indices)
func exitStatus(_ index: Int) throws {
  let (status, words) = statuses[index]
  for words in [words, words.contains("-") ? words + ["--json"] : words] {
    let run = try Program.menuctl(words, stdin: script)
    expect(run.status, is: status, "\(words): \(run)")
  }
}

@Test(
  "A script that doesn't load is 65, or 75 if it spends a limit",
  arguments: [
    (65, "x ="), (65, "error('no')"), (65, "menubar { menu 'a' { item 'b' { 'c(' } } }"), (65, "nosuch()"),
    (75, "while true do end"), (75, "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1000) .. i end"),
  ])
func loadStatus(_ status: Int32, _ script: String) throws {
  try expect(Program.menuctl(["load", "-", "--timeout", "0.2", "--memory", "8"], stdin: script).status, is: status)
}

@Test("An interrupt is 130, for any script", arguments: ["while true do end", "print('on') while true do end"])
func interruptedLoad(_ body: String) throws {
  let process = try Process("\(Program.folder)/menuctl", ["load", "-", "--timeout", "100", "--budget", "1e15"])
  process.write("print('begins') \(body)")
  expect(process.readSome().hasPrefix("begins\n"))
  kill(process.id, SIGINT)
  expect(process.finish().status, is: 130)
}

@Test("A broken pipe ends the tool silently")
func brokenPipe() throws {
  let tool = "'\(Program.folder)/menuctl'"
  let run = try Program.shell(
    "bash", "\(tool) load - <<<'for i = 1, 1e5 do print(i) end' | head -1; echo \"${PIPESTATUS[0]}\"")
  expect(run.out, is: "1\n141\n")
  expect(run.err, is: "")
}

@Test(
  "S2: Programs that scripts started end with the tool, for any signal",
  arguments: [SIGTERM, SIGHUP, SIGINT])
func programsEndWithTool(_ signal: Int32) throws {
  let folder = try ScriptFolder([:])
  let noted = "\(folder.path)/number"
  let allowed = ["--allow", "exec=sh", "--allow", "fs.read=\(folder.path)"]
  let process = try Process("\(Program.folder)/menuctl", ["perform", "-", "stay"] + allowed)
  process.write(
    """
    function app.on:start() return exec("sh", { "-c", "echo $$ >\(noted); exec sleep 271" }) end
    function app.on:stay()
      app:perform("start", nil, { wait = false })
      repeat sleep(0.01) until (fs.read "\(noted)" or "") ~= ""
      print("begun")
      sleep(1000)
    end
    """)
  expect(process.readSome().hasPrefix("begun\n"))
  kill(process.id, signal)
  let status = process.finish().status
  expect(status, is: (signal == SIGINT ? 130 : -signal))
  let number = try folder.take("number").dropLast()
  // An ended process is a zombie until its parent waits for it.
  func isGoing() -> Bool {
    let state = (try? Project.bytes("/proc/\(number)/stat")).map { String(decoding: $0, as: UTF8.self) } ?? ") Z"
    return !state.isEmpty && !state.contains(") Z")
  }
  for _ in 0..<500 where isGoing() { usleep(10_000) }
  expect(!isGoing())
}

@Test("SIGTERM ends the tool cleanly: by the signal, without output")
func terminated() throws {
  let process = try Process("\(Program.folder)/menuctl", ["perform", "-", "nap"])
  process.write("function app.on:nap() print('sleeping') sleep(1000) end")
  expect(process.readSome(), is: "sleeping\n")
  kill(process.id, SIGTERM)
  let run = process.finish()
  expect(run, is: Run(status: -SIGTERM, out: "", err: ""))
}
