import Expectations
import Testing

/// A hostile test file, and the tool's answer.
struct HostileFile: Sendable, CustomTestStringConvertible {
  let name: String
  /// If true, the file loads, and its harmless test passes.
  var loads = true
  let script: String
  var subject = ""
  var statuses: Set<Int32> = [1, 75]
  var says = ""

  var testDescription: String { name }

  func check() throws {
    let good = "\ntest('good', function(app) expect(1 + 1):is(2) end)\n"
    let folder = try ScriptFolder(["a_test.lua": script + (loads ? good : ""), "app.lua": subject])
    let run = try Program.menuctl(
      ["test", "a_test.lua", "--reporter", "tap", "--timeout", isSanitized ? "1" : "0.2", "--memory", "24"],
      folder: folder.path)
    expect(statuses.contains(run.status), "\(run)")
    expect(!loads || run.out.contains("\nok 2 - a_test.lua: good\n"), "\(run)")
    expect(says.isEmpty || run.out.contains(says) || run.err.contains(says), "\(run)")
    let raw = (run.out + run.err).unicodeScalars.first { $0.value < 0x20 && $0 != "\n" && $0 != "\t" }
    expect(raw, is: nil)
  }
}

@Test("A hostile test file ends within its limits, and the tests beside it run", arguments: hostileFiles)
func hostileFile(_ file: HostileFile) throws { try file.check() }

private let spin = "while true do end"

private let hostileFiles = [
  HostileFile(name: "a test that loops", script: "test('bad', function() \(spin) end)", says: "spent"),
  HostileFile(
    name: "a test that loops and catches",
    script: "test('bad', function() while true do pcall(function() \(spin) end) end end)", says: "spent"),
  HostileFile(
    name: "a before_each that loops for one",
    script: "local n = 0 describe('x', function() before_each(function() \(spin) end) test('bad', function() end) end)",
    says: "spent"),
  HostileFile(name: "a file that loops", loads: false, script: spin, statuses: [65, 75]),
  HostileFile(
    name: "a describe that loops", loads: false, script: "describe('x', function() \(spin) end)", statuses: [65, 75]),
  HostileFile(
    name: "a subject that loops", loads: false, script: "subject 'app.lua' test('bad', function() end)", subject: spin,
    statuses: [65, 75]),
  HostileFile(
    name: "a subject whose handler loops",
    script: "subject 'app.lua' test('bad', function(app) expect(app:perform('go').status):is('handled') end)",
    subject: "function app.on:go() \(spin) end"),
  HostileFile(
    name: "a subject whose provider loops",
    script:
      "test('bad', function(app) function app:provide() \(spin) end expect(app:perform('go').status):is('handled') end)"
  ),
  HostileFile(
    name: "an expectation of what loops",
    script:
      "local f = function() \(spin) end test('bad', function() expect(setmetatable({}, { __eq = f, __index = f, __pairs = f, __len = f, __tostring = f })):is(setmetatable({ 1 }, { __eq = f })) end)"
  ),
  HostileFile(
    name: "an expectation that backtracks",
    script: "test('bad', function() expect(('a'):rep(60)):matches(('a?'):rep(60) .. ('a'):rep(60) .. 'b') end)"),
  HostileFile(
    name: "an expectation of what raises for ever",
    script: "test('bad', function() expect(function() \(spin) end):raises() end)"),
  HostileFile(
    name: "an expectation of cycles",
    script: "local a, b = {}, {} a.x, b.x = a, b test('bad', function() expect(a):is(b) error('x') end)"),
  HostileFile(
    name: "an expectation of depth",
    script:
      "local a, b = {}, {} for i = 1, 1e5 do a, b = { a }, { b } end test('bad', function() expect(a):is(b) error('x') end)"
  ),
  HostileFile(
    name: "a test that fills the memory",
    script: "test('bad', function() local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end end)",
    says: "spent"),
  HostileFile(
    name: "a test that prints for ever", script: "test('bad', function() while true do print(('x'):rep(1000)) end end)",
    says: "# … and "),
  HostileFile(
    name: "a test that logs for ever",
    script: "test('bad', function() while true do log('debug', ('x'):rep(1000)) end end)", says: "# … and "),
  HostileFile(name: "a test that sleeps for ever", script: "test('bad', function() while true do sleep(1e6) end end)"),
  HostileFile(
    name: "a test that advances for ever", script: "test('bad', function(app) while true do app:advance(1e6) end end)"),
  HostileFile(name: "a test that yields", script: "test('bad', function() coroutine.yield(1) end)", statuses: [1]),
  HostileFile(
    name: "a test that throws what can't be shown",
    script: "test('bad', function() error(setmetatable({}, { __tostring = function() \(spin) end })) end)"),
  HostileFile(
    name: "a test that throws control characters", script: "test('bad', function() error('\\27[31m\\7') end)",
    statuses: [1]),
  HostileFile(
    name: "a test whose name can't be", loads: false, script: "test('\\27[31m', function() end)", statuses: [0, 1, 65]),
  HostileFile(
    name: "a great many tests", loads: false, script: "for i = 1, 1e7 do test('t' .. i, function() end) end",
    statuses: [65, 75]),
  HostileFile(
    name: "groups in groups", loads: false,
    script: "local function f(n) describe('d', function() f(n + 1) end) end f(1)", statuses: [65, 75]),
  HostileFile(
    name: "a test in a test", script: "test('bad', function() test('inner', function() end) end)", statuses: [1]),
  HostileFile(
    name: "a subject above", loads: false, script: "subject '../../../../etc/passwd' test('x', function() end)",
    statuses: [65, 66]),
  HostileFile(
    name: "a subject that is a device", loads: false, script: "subject '/dev/zero' test('x', function() end)",
    statuses: [65, 66]),
  HostileFile(name: "a text that is no Lua", loads: false, script: "\u{1}{{{", statuses: [65]),
]

/// Unusual lines.
private let garbage = [
  "\u{1}", "\u{1B}[31m", ":perform \u{1}", ":perform a(", ":pick \u{1B}", ":why", ":press ctrl+\u{7F}",
  ":menu " + String(repeating: "x", count: 50_000), ":\u{1B}", "?\u{1B}", ":",
  "?", "print('\\27[2J')", "error('\\27[2J')", "error()", "error({})", "return", "return return", ")", "]]", "'\\q'",
  "1 1", "…", "\u{FFFD}", "local x <close> = {}",
  "coroutine.yield(1)", "app = nil", "app.on = 1", "_ = nil", ":load /dev/null/x", ":load .", ":record /dev/null/x",
  ":save-test /dev/null/x", ":time error()", ":focus nobody",
  String(repeating: "(", count: 40_000), "x = '" + String(repeating: "y", count: 60_000) + "'",
  "return " + String(repeating: "1 + ", count: 14_000) + "1", "app:perform(('('):rep(1e5))", "while true do end",
]

@Test(
  "S8: For any line the answer is a result or a diagnostic, and the next line is answered", arguments: garbage)
func garbageLine(_ line: String) throws {
  let folder = try ScriptFolder(["app.lua": "function app.on:go() end"])
  let process = try Process(
    "\(Program.folder)/menuctl", ["repl", "app.lua", "--timeout", "0.3"], folder: folder.path)
  process.write("\(line)\n;print('an' .. 'swered')\n")
  let run = process.finish()
  expect(run.status >= 0 && run.status <= 77, "\(run)")
  expect(run.out.hasSuffix("answered\n"), "\(line.prefix(80)): \(run.description.suffix(500))")
  let raw = (run.out + run.err).unicodeScalars.first { $0.value < 0x20 && $0 != "\n" && $0 != "\t" }
  expect(raw, is: nil)
}
