import Expectations
import Glibc
import Testing

@Test("The tool waits for actions that take time, and prints their outcomes", arguments: waits)
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

@Test("A failure after a wait is an error with its line")
func failingLater() throws {
  let process = try Process("\(Program.folder)/menuctl", ["perform", "-", "breaks"])
  process.write(script)
  let run = process.finish()
  expect(run.status == 70 && run.out == "failed in app: broken\n")
  expect(run.err.contains("stdin:4"))
}

@Test(
  "A signal that ends the tool first takes back the waiting action, and no partial data is stored",
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
  expect(process.readSome(), is: "begun\n")
  kill(process.id, signal)
  let run = process.finish()
  expect(run, is: Run(status: -signal, out: "", err: ""))
  let stored = try Program.menuctl(["perform", "app.lua", "show"], environment: environment, folder: folder.path)
  expect(stored.out, is: "handled by app → \"{}\"\n", "\(stored)")
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
  let terminal = try Terminal(["perform", "app.lua", "transfer"], environment: environment, folder: folder.path)
  expect(terminal.waits { $0.text.contains("begun") })
  expect(terminal.hangUp(), is: -SIGHUP)
  let stored = try Program.menuctl(["perform", "app.lua", "show"], environment: environment, folder: folder.path)
  expect(stored.out, is: "handled by app → \"{}\"\n", "\(stored)")
}

@Test("An interrupt ends an action that waits, and the tool with 130")
func interruptedWait() throws {
  let process = try Process("\(Program.folder)/menuctl", ["perform", "-", "nap"])
  process.write("function app.on:nap() print('sleeping') sleep(1000) end")
  expect(process.readSome(), is: "sleeping\n")
  kill(process.id, SIGINT)
  let run = process.finish()
  expect(run.status, is: 130)
  expect(run.out, is: "cancelled by app: it was interrupted\n")
}

private let background = """
  app.name = "background"
  function app.on:sync(ctx)
    for n = 1, 2 do app:perform("fetch", { n = n }, { wait = false }) end
    return "begun"
  end
  app:define("fetch", { reentrant = true, on = function(self, ctx)
    ctx:set(app.store, "n" .. ctx.n, "half") sleep(ctx.n * 0.01 + (app.settings.nap or 0))
    ctx:set(app.store, "n" .. ctx.n, "whole") print("fetched " .. ctx.n)
    if app.settings.fail then error("no network", 0) end
  end })
  function app.on:watch(ctx) ctx:set(app.store, "watched", true) sleep(1000) end
  function app:start() if app.settings.watch then app:perform("watch", nil, { wait = false }) end end
  function app.on:show() return json.write(app.store) end
  """

@Test("A verb waits for actions that its own one began in the background, and fails if one of them does")
func backgroundActions() throws {
  let folder = try ScriptFolder(["app.lua": background])
  let environment = ["XDG_STATE_HOME": "\(folder.path)/state"]
  func run(_ words: String...) throws -> Run {
    try Program.menuctl(words, environment: environment, folder: folder.path)
  }
  let synced = try run("perform", "app.lua", "sync")
  expect(synced.status == 0 && synced.out == "handled by app → \"begun\"\nfetched 1\nfetched 2\n", "\(synced)")
  try expect(run("perform", "app.lua", "show").out.contains(#"{\"n1\": \"whole\", \"n2\": \"whole\"}"#))
  try expect(run("load", "app.lua", "--perform", "sync").out.hasSuffix("fetched 1\nfetched 2\n"))
  let failed = try run("perform", "app.lua", "sync", "--set", "fail=true")
  expect(failed.status == 70 && failed.err.contains("no network"), "\(failed)")
}

@Test(
  "Background work of start is taken back when the verb ends: nothing waits for it, and no partial data is stored")
func backgroundOfStart() throws {
  let folder = try ScriptFolder(["app.lua": background])
  let environment = ["XDG_STATE_HOME": "\(folder.path)/state"]
  for words in [["perform", "app.lua", "show", "--set", "watch=true"], ["menu", "app.lua", "--set", "watch=true"]] {
    try expect(Program.menuctl(words, environment: environment, folder: folder.path).status, is: 0)
  }
  let stored = try Program.menuctl(["perform", "app.lua", "show"], environment: environment, folder: folder.path)
  expect(stored.out, is: "handled by app → \"{}\"\n", "\(stored)")
}

@Test("An interrupt takes back background actions", arguments: [SIGINT, SIGTERM])
func interruptedBackground(_ signal: Int32) throws {
  let folder = try ScriptFolder(["app.lua": background])
  let environment = ["XDG_STATE_HOME": "\(folder.path)/state"]
  let process = try Process(
    "\(Program.folder)/menuctl", ["perform", "app.lua", "sync", "--set", "nap=1000"], environment: environment,
    folder: folder.path)
  expect(process.readSome(), is: "handled by app → \"begun\"\n")
  usleep(200_000)
  kill(process.id, signal)
  expect(process.finish().status, is: (signal == SIGINT ? 130 : -signal))
  let stored = try Program.menuctl(["perform", "app.lua", "show"], environment: environment, folder: folder.path)
  expect(stored.out, is: "handled by app → \"{}\"\n", "\(stored)")
}

@Test("An interrupt ends load: its remaining actions don't run")
func interruptedLoad() throws {
  let process = try Process("\(Program.folder)/menuctl", ["load", "-", "--perform", "nap", "--perform", "next"])
  process.write("function app.on:nap() print('sleeping') sleep(1000) end function app.on:next() print('next') end")
  expect(process.readSome(), is: "sleeping\n")
  kill(process.id, SIGINT)
  let run = process.finish()
  expect(run.status == 130 && !run.out.contains("next: ") && !run.out.contains("\nnext\n"), "\(run)")
  expect(run.out.hasPrefix("nap: cancelled by app"), "\(run)")
}
