import Testing

@Test("--json answers with one object, and nothing else is on stdout", arguments: objects)
func json(_ toolCase: ToolCase) throws { try toolCase.check() }

private let objects: [ToolCase] = [
  ToolCase(
    name: "load", words: ["load", "Tests/Apps/photos.lua", "--json", "--perform", "rate(rating: 6)"],
    status: 1,
    out: """
      {"menuctl": 1, "ok": false, "app": {"title": "Photos", "source": "Tests/Apps/photos.lua"}, "focus": "grid", "chain": [{"name": "grid", "owner": "app"}, {"name": "main", "owner": "app"}, {"name": "app", "owner": "host"}], "menus": [], "outcomes": [{"action": "rate(rating: 6)", "status": "disabled", "by": "grid", "via": "on", "reason": "a rating is 1 to 5 stars", "changes": []}], "diagnostics": []}

      """),
  ToolCase(
    name: "perform", words: ["perform", "Tests/Apps/photos.lua", "rate", "--json"],
    out: """
      {"menuctl": 1, "ok": true, "action": "rate", "status": "handled", "by": "grid", "via": "on", "result": "Harbour at dawn: ★★★★★", "changes": []}

      """),
  ToolCase(
    name: "a command line that can't be read", words: ["load", "-", "--wat", "--json"], status: 64,
    out:
      #"{"menuctl": 1, "ok": false, "diagnostics": [{"severity": "error", "code": "usage", "message": "'load' has no option '--wat'", "help": "usage: menuctl load APP [OPTIONS]"}]}"#
      + "\n",
    err: "menuctl: error: 'load' has no option '--wat'\nusage: menuctl load APP [OPTIONS]\n"),
  ToolCase(
    name: "perform: failed", words: ["perform", "-", "boom", "--json"],
    script: """
      function app.on:boom() error("no", 0) end
      print("loaded")

      """,
    status: 70,
    out: #"""
      {"menuctl": 1, "ok": false, "action": "boom", "status": "failed", "by": "app", "via": "on", "error": {"message": "no", "file": "stdin", "line": 1, "traceback": "stack traceback:\n\t[C]: in global 'error'\n\tstdin:1: in function <stdin:1>\n\t[C]: in ?", "code": "script", "owner": "app"}, "changes": []}

      """#,
    err: """
      loaded
      stdin:1: error: no
        function app.on:boom() error("no", 0) end

      """),
  ToolCase(
    name: "perform: what JSON can not say", words: ["perform", "-", "all", "--json"],
    script: #"""
      function app.on:all()
        return { print, 0/0, 1/0, "\255", {}, null, "\27\u{202e}\"\\" }
      end

      """#,
    out: #"""
      {"menuctl": 1, "ok": true, "action": "all", "status": "handled", "by": "app", "via": "on", "result": [{"$": "function"}, {"$": "nan"}, {"$": "inf"}, {"$": "bytes"}, {}, null, "\u001b\u202e\"\\"], "changes": []}

      """#),
  ToolCase(
    name: "perform: keys that JSON can not tell apart", words: ["perform", "-", "all", "--json"],
    script: #"""
      function app.on:all()
        return { { [1] = "a", ["1"] = "b" }, { x = 1, [print] = 2, [type] = 3 }, { [2] = "a", ["1"] = "b", [print] = 3 } }
      end

      """#,
    out: #"""
      {"menuctl": 1, "ok": true, "action": "all", "status": "handled", "by": "app", "via": "on", "result": [{"$": "doubled keys"}, {"$": "doubled keys"}, {"1": "b", "2": "a", "<function>": 3}], "changes": []}

      """#),
  ToolCase(
    name: "validate", words: ["validate", "Tests/Apps/photos.lua", "unrate", "close", "--json"],
    status: 1,
    out: """
      {"menuctl": 1, "ok": false, "items": [{"ref": "unrate", "enabled": true, "state": "off", "title": "unrate", "hidden": false, "by": "grid"}, {"ref": "close", "enabled": false, "reason": "there are photos that were not exported", "state": "off", "title": "close", "hidden": false, "by": "main"}]}

      """),
  ToolCase(
    name: "why", words: ["why", "Tests/Apps/photos.lua", "close", "--json"],
    out: #"""
      {"menuctl": 1, "ok": true, "enabled": false, "by": "main", "reason": "there are photos that were not exported", "steps": [{"node": "grid", "asked": "on close", "answer": "doesn't answer"}, {"node": "main", "asked": "on close", "answer": "takes it", "file": "Tests/Apps/photos.lua", "line": 46}, {"node": "main", "asked": "can close", "answer": "no: there are photos that were not exported", "file": "Tests/Apps/photos.lua", "line": 47}], "keys": [], "text": "disabled by 'main': there are photos that were not exported\n  grid: on close → doesn't answer\n  main: on close → takes it (Tests/Apps/photos.lua:46)\n  main: can close → no: there are photos that were not exported (Tests/Apps/photos.lua:47)"}

      """#),
  ToolCase(
    name: "chain", words: ["chain", "Tests/Apps/photos.lua", "rate", "--json"],
    out: """
      {"menuctl": 1, "ok": true, "chain": [{"name": "grid", "owner": "app", "answer": "on: takes it"}, {"name": "main", "owner": "app"}, {"name": "app", "owner": "host"}]}

      """),
  ToolCase(
    name: "context", words: ["context", "Tests/Apps/photos.lua", "--json"],
    out: """
      {"menuctl": 1, "ok": true, "context": {"photo": {"value": {"name": "Harbour at dawn", "rating": 4}, "by": "grid"}}}

      """),
  ToolCase(
    name: "a script that does not load", words: ["load", "-", "--json"],
    script: """
      local = 5

      """,
    status: 65,
    out: """
      {"menuctl": 1, "ok": false, "diagnostics": [{"severity": "error", "code": "script", "message": "<name> expected near '='", "file": "stdin", "line": 1, "column": 7}]}

      """,
    err: """
      stdin:1:7: error: <name> expected near '='
        local = 5
              ^

      """),
  ToolCase(
    name: "a malformed reference", words: ["why", "Tests/Apps/photos.lua", "a(", "--json"],
    status: 64,
    out: """
      {"menuctl": 1, "ok": false, "diagnostics": [{"severity": "error", "code": "reference", "message": "expected a key or ')' but the reference ends", "file": "reference", "line": 1, "column": 3}]}

      """,
    err: """
      reference:1:3: error: expected a key or ')' but the reference ends
        a(
          ^

      """),
]
