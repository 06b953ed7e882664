import ScriptHost

/// The codes of diagnostics, each with what it means, an example and what helps: `menuctl help CODE`.
enum DiagnosticCodes {
  /// Returns the page on a code; nil for an unknown code.
  static func page(of code: String) -> Page? {
    (DiagnosticKind.named(code) ?? failures.first { $0.code == code }).map { $0.page }
  }

  /// The list of all codes, each with its first sentence.
  static var contents: Page {
    Page(
      title: "Codes of diagnostics",
      blocks: [
        .rows((failures + DiagnosticKind.all).map { ($0.code, $0.summary.sentence) }),
        .paragraph("'menuctl help CODE' shows what to do about one."),
      ])
  }

  static let all = (failures + DiagnosticKind.all).map(\.code)

  /// The codes of failures of functions and of calls.
  static let failures = [
    kind(
      "script", "a function of the script raised an error",
      "The message is the error's, and the place is its line. The host takes back what the action did before. To refuse an action without an error, call ctx:refuse(reason).",
      bad: """
        function app.on:open() error("no photo is selected") end
        """,
      good: """
        function app.on:open(ctx) ctx:refuse("no photo is selected") end
        """),
    kind(
      "reference", "an action and its arguments can't be read",
      "The message names the column. Write the action's name, then named arguments in parentheses. 'menuctl help references' shows every form.",
      bad: "menuctl perform app.lua 'save(5)'", good: "menuctl perform app.lua 'save(level: 5)'", language: "sh"),
    kind(
      "keys", "keys can't be read",
      "Join modifiers and a key with '+', and the keys of a sequence with blanks. 'menuctl help keys' lists all names.",
      bad: """
        function app.on:top() app:press("C-s") end
        """,
      good: """
        function app.on:top() app:press("ctrl+s") end
        """),
    kind(
      "nesting", "actions perform each other more than 50 deep",
      "Most often a handler performs its own action. The code also means that functions call each other deeper than Lua's stack. To call the next responder's handler, use ctx:forward().",
      bad: """
        function app.on:save() return assert(app:perform("save").result) end
        """,
      good: """
        function app.on:save(ctx) return ctx:forward() end
        """),
    kind(
      "limit", "a script spent its time, its instructions or its memory",
      "Most often a loop never ends. '--timeout S', '--budget N' and '--memory MB' set other limits. 'menuctl help limits' lists them.",
      bad: """
        function app.on:count() local n = 0 while n < 10 do end end
        """,
      good: """
        function app.on:count() local n = 0 while n < 10 do n = n + 1 end end
        """),
    kind(
      "cancelled", "a person or a script cancelled the action",
      "The host takes back what the action did before. Nothing is wrong with the script: perform the action again.",
      bad: """
        function app.on:wait() sleep(60) end
        function app.on:stop() app:perform("wait", {}, { wait = false }).job:cancel() end
        """,
      good: """
        function app.on:wait() sleep(60) end
        function app.on:stop() app:perform("wait") end
        """),
    kind(
      "circle", "responders redirect an action to each other in a circle",
      "The message names the responders. Remove one of the redirects.",
      bad: """
        local list, grid = responder "list", responder "grid"
        list.redirect = grid
        grid.redirect = list
        focus(list)
        """,
      good: """
        local list, grid = responder "list", responder "grid"
        list.redirect = grid
        focus(list)
        """),
    kind(
      "misuse", "a script or a client called the host in a way that isn't possible",
      "The message says what is wrong and what to write instead. A plugin's manifest that doesn't fit the app has this code too.",
      bad: """
        menubar { menu "File" { item "Save" { "save(5)" } } }
        """,
      good: """
        menubar { menu "File" { item "Save" { "save(level: 5)" } } }
        """),
    kind(
      "capability", "a script used a capability that it wasn't granted",
      "The message names the capability. Add it to app.allow, or grant it with '--allow CAPABILITY'. 'menuctl help capabilities' lists all.",
      bad: """
        function app.on:open() return assert(fs.read("notes.txt")) end
        """,
      good: """
        app.allow = { "fs.read" }
        function app.on:open() return assert(fs.read("notes.txt")) end
        """),
    kind(
      "expectation", "a test found another value than it expects",
      "The message shows both values. Correct the app or the test.",
      bad: """
        test("a sum", function() expect(1 + 1):is(3) end)
        """,
      good: """
        test("a sum", function() expect(1 + 1):is(2) end)
        """),
    kind(
      "client", "a client failed to perform an action, or didn't answer in time",
      "A client is a program that connects to the app. The message names it. Look into that program, or let it answer with a reason. 'menuctl help live' explains clients.",
      bad: """
        {"jsonrpc": "2.0", "id": 4, "method": "done", "params": {"call": 1, "error": "no network"}}
        """,
      good: """
        {"jsonrpc": "2.0", "id": 4, "method": "done", "params": {"call": 1, "reason": "connect to the network first"}}
        """, language: "json"),
    kind(
      "usage", "a command line can't be read",
      "The message names the word. 'menuctl help VERB' shows what a verb takes.",
      bad: "menuctl perform app.lua", good: "menuctl perform app.lua save", language: "sh"),
    kind(
      "recording", "a recording can't be read",
      "The message names the line. Record it again: 'menuctl record APP --output FILE'.",
      bad: """
        {"do": {"perform": "save"}}
        """,
      good: """
        {"menuctl": 1, "recording": 1, "app": "app.lua"}
        {"do": {"perform": "save"}}
        """, language: "json"),
  ]

  private static func kind(
    _ code: String, _ summary: String, _ explanation: String, bad: String, good: String, language: String = "lua"
  ) -> DiagnosticKind {
    DiagnosticKind(
      code: code, summary: summary, explanation: explanation, bad: bad, good: good, isLater: true, severity: .error,
      language: language)
  }
}

extension DiagnosticKind {
  fileprivate var page: Page {
    var blocks: [Page.Block] = [
      .paragraph(summary.sentence), .paragraph(explanation.split(separator: "\n").joined(separator: " ")),
      .paragraph("For example:"), .code(bad, language: language), .paragraph("What was meant:"),
      .code(good, language: language),
    ]
    if severity != .error {
      blocks.append(.paragraph("'app.allow_warnings = { \"\(code)\" }' silences it in 'menuctl check'."))
    }
    return Page(title: code, blocks: blocks)
  }
}

extension String {
  /// The text with a capital letter and a full stop.
  fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
