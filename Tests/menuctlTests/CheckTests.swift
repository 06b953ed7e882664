import Expectations
import Testing

@testable import ScriptHost
@testable import menuctl

@Test("check shows likely mistakes, with their places", arguments: checks)
func check(_ toolCase: ToolCase) throws { try toolCase.check() }

private let script = """
  menubar {
    menu "File" {
      item "Save" { "svae", key = "ctrl+s" },
      item "Quit" { "quit", colour = "red" },
    },
  }
  function app.on:save() end
  function app.on:quit() print("quits") end

  """

private let checks: [ToolCase] = [
  ToolCase(
    name: "findings", words: ["check", "-"], script: script, status: 1,
    out: """
      stdin:3:20: warning: item 'Save' performs 'svae', but no responder handles it [unanswered-action]
            item "Save" { "svae", key = "ctrl+s" },
                           ^
      help: did you mean 'save'?

      stdin:4:27: warning: item 'Quit' has no field 'colour' [unknown-field]
            item "Quit" { "quit", colour = "red" },
                                  ^
      help: to colour a text write a span: span("…", "red")

      stdin:7:17: warning: 'on.save' of 'app' handles an action that no item, key or perform names [unnamed-handler]
        function app.on:save() end
                        ^
      help: did you mean 'svae'?

      3 warnings

      """),
  ToolCase(
    name: "as JSON", words: ["check", "-", "--json"], script: "menubar { menu 'A' { item 'B' { 'c' } } }", status: 1,
    out: """
      {"menuctl": 1, "ok": false, "diagnostics": [{"severity": "warning", "code": "unanswered-action", "message": "item 'B' performs 'c', but no responder handles it", "file": "stdin", "line": 1, "column": 34}]}

      """),
  ToolCase(
    name: "nothing", words: ["check", "-"], script: "function app.on:save() end", out: "nothing was found\n"),
  ToolCase(
    name: "nothing, as JSON", words: ["check", "-", "--json"], script: "",
    out: #"{"menuctl": 1, "ok": true, "diagnostics": []}"# + "\n"),
  ToolCase(
    name: "what is allowed is silent", words: ["check", "-"],
    script: script + "app.allow_warnings = { 'unanswered-action', 'unnamed-handler', 'unknown-field' }\n",
    out: "nothing was found\n"),
  ToolCase(
    name: "a script that does not load", words: ["check", "-"], script: "x = ", status: 65,
    err: """
      stdin:1:5: error: unexpected symbol near <eof>
        x = 
            ^

      """),
  ToolCase(
    name: "help of a code", words: ["help", "stray-can"],
    out: """
      stray-can

      A can, look, needs, takes, confirm or about belongs to an action that its responder
      doesn't handle.

      The host uses them only on the responder that handles the action, so it never uses
      this one. Move it to the responder with the handler, or correct its name.

      For example:

        function app.on:save() end
        function app.can:svae() return false, "nothing changed" end

      What was meant:

        function app.on:save() end
        function app.can:save() return false, "nothing changed" end

      'app.allow_warnings = { "stray-can" }' silences it in 'menuctl check'.

      """),
  ToolCase(
    name: "help of a code that nothing has", words: ["help", "stray-con"], status: 64,
    err: """
      menuctl: error: there is no verb, topic, code or name 'stray-con'; did you mean 'stray-can'?
      'menuctl help' lists the verbs, 'menuctl help topics' the topics, 'menuctl help language' every name of the language

      """),
]

@Test(
  "check finds nothing in the project's examples",
  arguments: ["scripts/photos", "scripts/hello.lua", "Tests/Apps/photos.lua"])
func checkedExamples(_ app: String) throws {
  try expect(Program.menuctl(["check", app]), is: Run(status: 0, out: "nothing was found\n", err: ""))
}

@Test(
  "check finds no mistakes in the examples",
  arguments: [
    "scripts/photos", "scripts/hello.lua", "scripts/tour.lua", "scripts/editor", "scripts/files", "scripts/branches",
    "Tests/Apps/photos.lua",
    "Tests/Apps/rude.lua",
  ])
func noMistakes(_ app: String) throws {
  for verb in ["load", "check"] {
    let run = try Program.menuctl([verb, app, "--allow", "fs.read=scripts/files/sample", "--allow", "exec=git"])
    for kind in [
      "out-of-chain", "missing-self", "text-as-yes", "no-as-done", "returned-context", "no-list", "misspelt-field",
      "hidden-word",
    ] {
      expect(!run.out.contains("[\(kind)]"), "\(run)")
    }
    expect(verb == "check" || !run.err.contains("warning:"), "\(run)")
  }
}

@Test("Every code of a diagnostic in the sources has an explanation, and every explanation a code")
func everyCodeIsExplained() throws {
  var codes: Set<String> = []
  for path in Project.files(below: "Sources/ScriptHost", ending: ".swift") where !path.contains("/DiagnosticKind") {
    let text = try Project.text(path)
    let pattern =
      /(?:\.(?:error|warning|note),\s*|warnOnce\(\s*|report\.fail\(|EditRefusal\(\s*code: )"([a-z]+(?:-[a-z]+)*)"/
    for match in text.matches(of: pattern) { codes.insert(String(match.output.1)) }
  }
  expect(codes.count > 15, "\(codes)")
  for code in codes.sorted() {
    try expect(Program.menuctl(["help", code]).status, is: 0, "\(code)")
  }
  let table = try Project.files(below: "Sources/ScriptHost/Host/Check", ending: ".swift").map(Project.text).joined()
  let explained = table.matches(of: /code: "([a-z-]+)",\s*summary/).map { String($0.output.1) }
  expect(explained.count > 40)
  for code in explained { expect(codes.contains(code), "\(code) is told nowhere") }
}

/// How to run the example of a code that a running app causes: the files beside it, and the words for the tool.
private let laterCodes: [String: (file: String, others: [String: String], words: [String])] = [
  "restless-menus": ("app.lua", [:], ["load", "app.lua", "--perform", "save"]),
  "stray-keymap": (
    "keymap.lua", ["app.lua": "responder 'grid'\nfunction app.on:cut() end\n"],
    ["check", "app.lua", "--keymap", "keymap.lua"]
  ),
  "set-aside": (
    "plugin.lua", ["app.lua": "app.name = 'a'\n"],
    ["load", "app.lua", "--plugin", "plugin.lua", "--yes", "--budget", "20000"]
      + (0..<4).flatMap { _ in ["--perform", "wait"] }
  ),
  "timer": (
    "app.lua",
    ["app_test.lua": "subject 'app.lua'\ntest('time', function(app) app:advance(5) expect(1):is(1) end)\n"],
    ["test", "app_test.lua"]
  ),
  "watch": ("app.lua", [:], ["load", "app.lua", "--allow", "fs.read=."]),
  "output": ("app.lua", [:], ["load", "app.lua"]),
  "returned-failure": ("app.lua", [:], ["load", "app.lua", "--perform", "open", "--allow", "fs.read=."]),
  "not-kept": (
    "plugin.lua", ["app.lua": "function app.on:again() app:reload_plugin('sorter') end\n"],
    ["load", "app.lua", "--plugin", "plugin.lua", "--yes", "--perform", "sort", "--perform", "again"]
  ),
  "not-stored": ("app.lua", [:], ["load", "app.lua", "--perform", "keep"]),
  "script": ("app.lua", [:], ["perform", "app.lua", "open"]),
  "nesting": ("app.lua", [:], ["load", "app.lua", "--perform", "save"]),
  "limit": ("app.lua", [:], ["perform", "app.lua", "count", "--budget", "20000"]),
  "circle": ("app.lua", [:], ["load", "app.lua", "--perform", "go"]),
  "misuse": ("app.lua", [:], ["load", "app.lua"]),
  "capability": ("app.lua", ["notes.txt": "milk\n"], ["perform", "app.lua", "open"]),
  "expectation": ("app_test.lua", [:], ["test", "app_test.lua"]),
  "recording": ("made.jsonl", ["app.lua": "function app.on:save() end\n"], ["replay", "made.jsonl"]),
]

@Test(
  "The example of each code that a running app causes reports that code, and the corrected example doesn't",
  arguments: laterCodes.keys.sorted())
func laterExamples(_ code: String) throws {
  let kinds = DiagnosticKind.all + DiagnosticCodes.failures
  let kind = try require(kinds.first { $0.code == code })
  let (file, others, words) = try require(laterCodes[code])
  for (example, isBad) in [(kind.bad, true), (kind.good, false)] {
    let folder = try ScriptFolder(others.merging([file: example + "\n"]) { _, new in new })
    let granted = code == "capability" && !isBad ? ["--allow", "fs.read=."] : []
    let found = try Program.menuctl(
      words + granted + ["--json"], environment: ["HOME": folder.path], folder: folder.path
    ).out
    expect(found.contains(#""code": "\#(code)""#), is: isBad, "\(found)")
  }
}

@Test("Each code has an example and what was meant; only these examples aren't run, since no script alone causes them")
func everyCodeHasAnExample() throws {
  let kinds = DiagnosticKind.all + DiagnosticCodes.failures
  for kind in kinds { expect(!kind.bad.isEmpty && !kind.good.isEmpty && kind.bad != kind.good, "\(kind.code)") }
  let known = Set(kinds.map(\.code))
  for code in Failure.Code.allCases { expect(known.contains(code.rawValue), "\(code)") }
  let unrun = Set(kinds.filter(\.isLater).map(\.code)).subtracting(laterCodes.keys)
  expect(unrun, is: ["cancelled", "client", "context-menu", "keys", "menus", "reference", "usage"])
}
