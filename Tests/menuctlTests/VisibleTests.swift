import Testing

@Test("Text from scripts never reaches the terminal raw", arguments: hostiles)
func visible(_ toolCase: ToolCase) throws { try toolCase.check() }

private let hostiles: [ToolCase] = [
  ToolCase(
    name: "print keeps lines and tabs only", words: ["load", "-"],
    script: #"""
      print("a\tb\nc\27[31m\r\0d\u{9b}e\u{202e}f\u{e9}")

      """#,
    out: #"""
      a\#u{9}b
      c\x1B[31m\r\x00d\x9Be\u{202E}fé
      stdin

      ▸ app  (focus)

      0 actions, 0 can be done now

      """#),
  ToolCase(
    name: "a title, a name of an action, a reason", words: ["load", "-"],
    script: #"""
      app.title = "\27]0;x\7\n"
      function app.on:a() end
      function app.can:a() return false, "\27[2J\nnot" end

      """#,
    out: #"""
      �]0;x�� (stdin)

      ▸ app  (focus)
          ✗ a  �[2J\nnot

      1 action, 0 can be done now

      """#),
  ToolCase(
    name: "an error", words: ["load", "-"],
    script: #"""
      error("\27[31m\nred", 0)

      """#,
    status: 65,
    err: #"""
      stdin:1: error: \x1B[31m
        red
        error("\27[31m\nred", 0)

      """#),
  ToolCase(
    name: "the line of an error", words: ["load", "-"],
    script: """
      local a = "\u{202e}" .. nosuch -- \u{7}

      """,
    status: 65,
    err: """
      stdin:1:18: error: 'nosuch' is not defined
        local a = "�" .. nosuch -- �
                         ^

      """),
  ToolCase(
    name: "a result and a reason", words: ["perform", "-", "a"],
    script: #"""
      function app.on:a() return "\27[31m\u{9b}" end

      """#,
    out: #"""
      handled by app → "\u001b[31m\u009b"

      """#),
  ToolCase(
    name: "why", words: ["why", "-", "a"],
    script: #"""
      function app.on:a() end
      function app.can:a() return false, "x\n  app: on a → takes it\27[0m" end

      """#,
    out: #"""
      disabled by 'app': x\n  app: on a → takes it�[0m
        app: on a → takes it (stdin:1)
        app: can a → no: x\n  app: on a → takes it�[0m (stdin:2)

      """#),
  ToolCase(
    name: "a log entry", words: ["load", "-"],
    script: #"""
      log("warn", "\27[31m")
      log("info", "not shown")

      """#,
    out: """
      stdin

      ▸ app  (focus)

      0 actions, 0 can be done now

      """,
    err: #"""
      stdin:1: warn: \x1B[31m

      """#),
  ToolCase(
    name: "a log entry that is asked for", words: ["load", "-", "--log", "debug"],
    script: """
      log("debug", "here")

      """,
    out: """
      stdin

      ▸ app  (focus)

      0 actions, 0 can be done now

      """,
    err: """
      stdin:1: debug: here

      """),
  ToolCase(
    name: "a word on the command line", words: ["load", "\u{1b}[31m"],
    status: 66,
    err: #"""
      menuctl: error: can't read '\x1B[31m': No such file or directory

      """#),
]
