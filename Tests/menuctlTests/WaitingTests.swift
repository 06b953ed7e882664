import Glibc
import Testing

@Test("The tool waits for actions that take time, and says what came of them", arguments: waits)
func waiting(_ toolCase: ToolCase) throws { try toolCase.check() }

private let script = """
  function app.on:export() progress(0.5, "half") sleep(0.01) progress(1) return "exported" end
  function app.on:both() return app:perform("export").result .. " twice" end
  function app.on:breaks() sleep(0.01)
    error("broken")
  end

  """

private let waits = [
  ToolCase(
    name: "one", words: ["perform", "-", "export"], script: script, out: "handled by app → \"exported\"\n"),
  ToolCase(
    name: "one within another", words: ["perform", "-", "both"], script: script,
    out: "handled by app → \"exported twice\"\n"),
]

@Test("What fails after a wait is an error with its line")
func failingLater() throws {
  let process = try Process("\(Program.folder)/menuctl", ["perform", "-", "breaks"])
  process.write(script)
  let run = process.finish()
  #expect(run.status == 70 && run.out == "failed in app: broken\n")
  #expect(run.err.contains("stdin:4"))
}

@Test(
  "A signal that ends the tool takes back the action that waits first, and nothing half done is stored",
  arguments: [SIGTERM, SIGHUP])
func endedWait(_ signal: Int32) throws {
  let folder = try ScriptFolder([
    "app.lua": """
    app.name = "ended"
    function app.on:transfer(ctx)
      ctx:set(app.store, "from", -10) print("begun") sleep(1000) ctx:set(app.store, "to", 10)
    end
    function app.on:next() app.store.next = true end
    function app.on:show() return json.write(app.store) end
    """
  ])
  let environment = ["XDG_STATE_HOME": "\(folder.path)/state"]
  let process = try Process(
    "\(Program.folder)/menuctl", ["load", "app.lua", "--perform", "transfer", "--perform", "next"],
    environment: environment, folder: folder.path)
  #expect(process.readSome() == "begun\n")
  kill(process.id, signal)
  let run = process.finish()
  #expect(run == Run(status: -signal, out: "", err: ""))
  let stored = try Program.menuctl(["perform", "app.lua", "show"], environment: environment, folder: folder.path)
  #expect(stored.out == "handled by app → \"{}\"\n", "\(stored)")
}

@Test("A closed terminal takes back the action that waits", .enabled(if: Terminal.isPossible))
func closedTerminal() throws {
  let folder = try ScriptFolder([
    "app.lua": """
    app.name = "closed"
    function app.on:transfer(ctx) ctx:set(app.store, "from", -10) print("begun") sleep(1000) end
    function app.on:show() return json.write(app.store) end
    """
  ])
  let environment = ["XDG_STATE_HOME": "\(folder.path)/state"]
  var terminal: Terminal? = try Terminal(
    ["perform", "app.lua", "transfer"], environment: environment, folder: folder.path)
  #expect(terminal?.waits { $0.text.contains("begun") } ?? false)
  let id = terminal?.id ?? 0
  terminal = nil
  var status: Int32 = 0
  #expect(waitpid(id, &status, 0) == id && status & 0x7F == SIGHUP)
  let stored = try Program.menuctl(["perform", "app.lua", "show"], environment: environment, folder: folder.path)
  #expect(stored.out == "handled by app → \"{}\"\n", "\(stored)")
}

@Test("An interrupt ends an action that waits, and the tool with 130")
func interruptedWait() throws {
  let process = try Process("\(Program.folder)/menuctl", ["perform", "-", "nap"])
  process.write("function app.on:nap() print('sleeping') sleep(1000) end")
  #expect(process.readSome() == "sleeping\n")
  kill(process.id, SIGINT)
  let run = process.finish()
  #expect(run.status == 130)
  #expect(run.out == "cancelled by app: it was interrupted\n")
}
