import Expectations
import Glibc
import Testing

/// The watchdog looks five hundred times as often here. The script is the slowest work that nothing interrupts: Lua
/// calls a table's `__call`, which is that table again, with one argument more each time, until the stack ends.
private let hasty = ["MENUCTL_PATIENCE": "0.01"]

private let escapes = """
  local t = setmetatable({}, {}) getmetatable(t).__call = t
  function app.on:go()
    t()
  end

  """

/// Under the thread sanitizer a computing thread receives no signal, so it can't report its place, and everything is
/// much slower.
let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

/// True if a sanitizer makes everything much slower.
let isSanitized = isThreadSanitized || dlsym(nil, "__asan_init") != nil

@Test(
  "S1: The watchdog ends a script that no limit reaches with 75, and names the script and its function",
  .disabled(if: isThreadSanitized))
func watchdog() throws {
  let sentence =
    "the script at stdin:3, in the function that begins at stdin:2, can't be interrupted, so the tool ends"
  let run = try Program.menuctl(["perform", "-", "go"], stdin: escapes, environment: hasty)
  expect(run, is: Run(status: 75, out: "", err: "menuctl: error: \(sentence)\n"))

  let json = try Program.menuctl(["perform", "-", "go", "--json"], stdin: escapes, environment: hasty)
  expect(
    json.status == 75 && json.out.hasPrefix("{\"menuctl\": 1, \"ok\": false") && json.out.contains(sentence)
      && json.out.contains("\"code\": \"limit\""), "\(json)")

  let chunk = try Program.menuctl(
    ["load", "-"],
    stdin: "local t = setmetatable({}, {}) getmetatable(t).__call = t\nt()", environment: hasty)
  expect(
    chunk,
    is: Run(
      status: 75, out: "", err: "menuctl: error: the script at stdin:2 can't be interrupted, so the tool ends\n"))
}

@Test(
  "The watchdog ends a scripted test that no limit reaches, on any thread", .disabled(if: isThreadSanitized)
)
func watchdogOfTests() throws {
  let folder = try ScriptFolder([
    "a_test.lua": "test('well', function() end) test('escapes', function(app)\n\(escapes) app:perform('go') end)"
  ])
  let run = try Program.menuctl(["test", "--jobs", "2"], environment: hasty, folder: folder.path)
  expect(run.status == 75 && run.err.contains("a_test.lua:4, in the function that begins at a_test.lua:"), "\(run)")
}

@Test("The watchdog leaves alone a sleeping script, a waiting prompt, and a script that works and checks its limits")
func watchdogLeavesAlone() throws {
  let script = """
    function app.on:nap() sleep(0.5) return "woken" end
    function app.on:work() local n = 0 for i = 1, 2e7 do n = n + i % 2 end return n end
    function app.on:parse() for i = 1, 200 do load("return " .. ("1 + "):rep(9000) .. "1") end return "parsed" end

    """
  for (action, result) in [("nap", "\"woken\""), ("work", "10000000"), ("parse", "\"parsed\"")] {
    let run = try Program.menuctl(
      ["perform", "-", action, "--timeout", "30"], stdin: script, environment: ["MENUCTL_PATIENCE": "0.3"])
    expect(run, is: Run(status: 0, out: "handled by app → \(result)\n", err: ""))
  }
  let folder = try ScriptFolder(["app.lua": script])
  let process = try Process(
    "\(Program.folder)/menuctl", ["repl", "app.lua"], environment: ["MENUCTL_PATIENCE": "0.01"], folder: folder.path)
  usleep(500_000)
  process.write("1 + 1\n")
  expect(process.finish(), is: Run(status: 0, out: "2\n", err: ""))
}
