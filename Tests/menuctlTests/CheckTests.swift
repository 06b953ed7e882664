import Testing

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
      stdin:3:20: warning: item 'Save' performs 'svae', which nobody answers [unanswered-action]
            item "Save" { "svae", key = "ctrl+s" },
                           ^
      help: did you mean 'save'?

      stdin:4:27: warning: item 'Quit' has no field 'colour' [unknown-field]
            item "Quit" { "quit", colour = "red" },
                                  ^

      stdin:7:17: warning: 'on.save' of 'app' answers what nothing names: no item, no key, no perform [unnamed-handler]
        function app.on:save() end
                        ^
      help: did you mean 'svae'?

      3 warnings

      """),
  ToolCase(
    name: "as JSON", words: ["check", "-", "--json"], script: "menubar { menu 'A' { item 'B' { 'c' } } }", status: 1,
    out: """
      {"menuctl": 1, "ok": false, "diagnostics": [{"severity": "warning", "code": "unanswered-action", "message": "item 'B' performs 'c', which nobody answers", "file": "stdin", "line": 1, "column": 34}]}

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

      A can, look, needs, takes, confirm or about is said of an action that its responder
      doesn't answer.

      They are asked only of a responder that takes the action itself, so this one is
      never asked: it belongs to the responder that has the handler, or its name is
      misspelt.

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
  #expect(try Program.menuctl(["check", app]) == Run(status: 0, out: "nothing was found\n", err: ""))
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
      "out-of-chain", "missing-self", "text-as-yes", "returned-context", "no-list", "misspelt-field", "hidden-word",
    ] {
      #expect(!run.out.contains("[\(kind)]"), "\(run)")
    }
    #expect(verb == "check" || !run.err.contains("warning:"), "\(run)")
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
  #expect(codes.count > 15, "\(codes)")
  for code in codes.sorted() {
    #expect(try Program.menuctl(["help", code]).status == 0, "\(code)")
  }
  let table = try Project.files(below: "Sources/ScriptHost/Host/Check", ending: ".swift").map(Project.text).joined()
  for match in table.matches(of: /code: "([a-z-]+)", summary/) {
    #expect(codes.contains(String(match.output.1)), "\(match.output.1) is told nowhere")
  }
}
