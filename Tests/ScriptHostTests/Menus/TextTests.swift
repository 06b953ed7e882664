import Expectations
import Testing

@testable import ScriptHost

@Suite("Texts of a panel")
struct TextTests {
  private static let script = """
    local main = window "main"
    files, diff = responder "files" { next = main }, responder "diff" { next = main }
    names, asked = { "alpha", "beta", "gamma" }, {}
    function lines(ctx, add)
      asked[#asked + 1] = tostring(ctx.row)
      add("diff of " .. tostring(ctx.row))
      for i = 1, 4 do add("line " .. i) end
    end
    panel {
      beside {
        pane "files" { title = "Files", key = "2", responder = files, filter = true, marks = true,
          section "changed" { items = function() return names end, id = function(n) return n end,
            row = function(n) return item(n) { "open" } end } },
        text "diff" { title = "Diff", key = "0", of = "files", responder = diff, share = 2,
          lines = function(ctx, add) return lines(ctx, add) end },
      },
    }
    function files.on:open(ctx) return ctx.row end
    function diff.on:stage(ctx)
      return table.concat(ctx.lines, "|") .. " of " .. ctx.row .. ": " .. table.concat(ctx.line_numbers, " ")
    end
    function app.on:change() changed = true end
    """

  private func stage(_ more: String = "", limits: HostLimits = HostLimits()) throws -> ScriptStage {
    try ScriptStage(Self.script + "\n" + more, limits: limits)
  }

  private func lines(_ text: String = "diff", of host: ScriptHost) throws -> [String] {
    try host.lines(of: text).map(\.text)
  }

  private func asked(_ stage: ScriptStage) throws -> String {
    try require(try stage.host.evaluate("return table.concat(asked, ' ')").first?.text)
  }

  private func failure(_ script: String) -> String? {
    do {
      _ = try ScriptStage(script)
      return nil
    } catch { return "\(error)" }
  }

  // MARK: Lines

  @Test("P14: A function returns the lines of a text: it gets the context, with the row of the pane in 'of'")
  func lines() throws {
    let host = try stage().host
    try expect(lines(of: host), is: ["diff of alpha", "line 1", "line 2", "line 3", "line 4"])
    host.choose("gamma")
    try expect(lines(of: host).first, is: "diff of gamma")
    let text = try require(host.panel()?.find("diff"))
    expect(text.kind == .text && text.title == "Diff" && text.key == "0" && text.area?.share == 2)
    expect(text.area?.text?.lines == 5 && text.area?.text?.of == ["files"])
  }

  @Test("P15: While the lines of another row are awaited, no line is selected")
  func linesOfAnotherRow() throws {
    let stage = try stage(
      """
      function lines(ctx, add) sleep(1) add("diff of " .. ctx.row) add("more") end
      function diff.on:count(ctx) return ctx.row .. " " .. #ctx.lines .. " " .. #ctx.line_numbers end
      """)
    let host = stage.host
    func count() -> String {
      var options = PerformOptions()
      options.from = host.find("diff")
      return stage.perform("count", options)
    }
    _ = try host.lines(of: "diff")
    try host.advance(by: .seconds(2))
    expect(count().contains("alpha 1 1"))
    host.choose("beta")
    expect(count().contains("beta 0 0"), "the lines of alpha are no lines of beta")
    _ = try host.lines(of: "diff")
    try host.advance(by: .seconds(2))
    expect(count().contains("beta 1 1"))
  }

  @Test("P15: In a text that follows, the last line is the current one until somebody selects another")
  func followed() throws {
    let stage = try ScriptStage(
      """
      count = 3
      panel { text "log" { follow = true, responder = responder "log",
        lines = function(ctx, add) for i = 1, count do add("entry " .. i) end end } }
      function app.on:more() count = count + 2 end
      """)
    let host = stage.host
    func current() throws -> Int? {
      _ = try host.lines(of: "log")
      return host.panel()?.find("log")?.area?.text?.current
    }
    try expect(current(), is: 3)
    host.perform("more")
    try expect(current(), is: 5)
    try host.select("log", from: 2, to: 2)
    host.perform("more")
    try expect(current(), is: 2)
    try host.select("log", from: 7, to: 7)
    host.perform("more")
    try expect(current(), is: 9)
  }

  @Test("P14: A declared text or list shows at once; a function can return a list, or nothing")
  func declared() throws {
    let host = try ScriptStage(
      #"""
      panel { stack {
        text "one" { lines = "a\nb\n" },
        text "two" { lines = { "c", "d\te", 5 } },
        text "three" { lines = function() return { "f", "g" } end },
        text "four" { lines = function() end },
      } }
      """#
    ).host
    try expect(lines("one", of: host), is: ["a", "b"])
    try expect(lines("two", of: host), is: ["c", "d\te", "5"])
    try expect(lines("three", of: host), is: ["f", "g"])
    try expect(lines("four", of: host), is: [])
  }

  @Test("P14: The function runs when the text is in view, after a move or an action; otherwise not")
  func seen() throws {
    let stage = try stage()
    let host = stage.host
    _ = host.menus()
    try host.advance(by: .seconds(1))
    try expect(asked(stage), is: "")
    func look() throws {
      _ = host.menus(in: MenuView(panes: ["panel": 0..<10], texts: ["diff"]))
      try host.advance(by: .milliseconds(100))
    }
    try look()
    try look()
    try expect(asked(stage), is: "alpha")
    host.choose("beta")
    try look()
    try look()
    try expect(asked(stage), is: "alpha beta")
    _ = host.menus(in: MenuView(panes: ["panel": 0..<10], texts: []))
    host.perform("change")
    _ = host.menus(in: MenuView(panes: ["panel": 0..<10], texts: []))
    try host.advance(by: .milliseconds(100))
    try expect(asked(stage), is: "alpha beta")
    try look()
    try expect(asked(stage), is: "alpha beta beta")
  }

  /// Has somebody look at the text, and says how often its function was called then. It prints, because evaluating a line is a rebuild.
  private func calls(_ stage: ScriptStage, after seconds: Int) throws -> Int {
    try stage.host.advance(by: .seconds(seconds))
    _ = stage.host.menus(in: MenuView(panes: ["panel": 0..<10], texts: ["diff"]))
    try stage.host.advance(by: .milliseconds(100))
    return stage.takePrinted().count
  }

  @Test("P14: A step of an action that goes on, or of a timer, is no rebuild; its end is")
  func steps() throws {
    let stage = try stage(
      """
      function lines(ctx, add) print(ctx.row) end
      function app.on:work() for i = 1, 5 do sleep(1) end end
      every(60, function() sleep(1) sleep(1) end)
      """)
    try expect(calls(stage, after: 0), is: 1)
    expect(stage.host.perform("work").status, is: .running)
    for _ in 0..<4 { try expect(calls(stage, after: 1), is: 0) }
    try expect(calls(stage, after: 1), is: 1)
    try expect(calls(stage, after: 55), is: 0, "the timer's first step")
    try expect(calls(stage, after: 1), is: 0)
    try expect(calls(stage, after: 1), is: 1)
  }

  @Test("P14: A text that is about no row is asked at the first look after an action")
  func withoutRows() throws {
    let stage = try ScriptStage(
      #"panel { text "diff" { lines = function() print "asked" end } } function app.on:change() end"#)
    try expect(calls(stage, after: 0), is: 1)
    stage.host.perform("change")
    try expect(calls(stage, after: 0), is: 1)
    try expect(calls(stage, after: 0), is: 0)
  }

  @Test("P14: 'app:rebuild' of a text has its lines asked for anew, and nothing else")
  func renewed() throws {
    let stage = try stage(
      """
      function lines(ctx, add) print(ctx.row) end
      function app.on:work() sleep(1) app:rebuild "diff" sleep(5) end
      """)
    try expect(calls(stage, after: 0), is: 1)
    stage.host.perform("work")
    try expect(calls(stage, after: 0), is: 0)
    try expect(calls(stage, after: 1), is: 1)
    try expect(calls(stage, after: 0), is: 0)
    let why = try stage.host.evaluate("return select(2, pcall(app.rebuild, app, 'files'))").first?.text
    expect(why?.hasSuffix("pane 'files' is no text: it has no lines"), is: true, "\(why ?? "")")
  }

  @Test("P14: A text without a pane has new lines after an action")
  func currentWithoutRows() throws {
    let host = try ScriptStage(
      #"""
      local list = { "1" }
      panel { text "t" { lines = function() return list end } }
      function app.on:set() list = { "9" } end
      """#
    ).host
    try expect(lines("t", of: host), is: ["1"])
    host.perform("set")
    try expect(lines("t", of: host), is: ["9"])
  }

  @Test("P14: An action that the function performs is no reason to run again; one of somebody else is")
  func ownActions() throws {
    for (own, seconds) in [
      ("app:perform 'change'", 0), ("app:rebuild()", 0), ("sleep(1) app:perform 'change' sleep(1)", 2),
      ("app:perform 'slow'", 1),
    ] {
      let stage = try stage(
        """
        function lines(ctx, add) print(ctx.row) \(own) end
        function app.on:slow() sleep(1) end
        """)
      try expect(calls(stage, after: 0), is: 1)
      for _ in 0..<3 { try expect(calls(stage, after: seconds), is: 0, "\(own)") }
      stage.host.perform("change")
      try expect(calls(stage, after: 0), is: 1)
      for _ in 0..<3 { try expect(calls(stage, after: seconds), is: 0, "\(own)") }
    }
  }

  @Test("P14: The end of an action that a cancelled run performed doesn't begin the text again")
  func actionOfCancelledRun() throws {
    let stage = try stage(
      """
      function lines(ctx, add) print(ctx.row) app:perform "slow" end
      function app.on:slow() sleep(3) end
      """)
    try expect(calls(stage, after: 0), is: 1)
    stage.host.perform("change")
    try expect(calls(stage, after: 1), is: 1, "the action of somebody else begins it again")
    for _ in 0..<8 { try expect(calls(stage, after: 1), is: 0) }
  }

  @Test("P14: However often the menus change, a function that takes long comes to its end; a move cancels it at once")
  func manyChanges() throws {
    let stage = try stage("function lines(ctx, add) print(ctx.row) sleep(1) add('of ' .. ctx.row) end")
    let host = stage.host
    func changes(_ count: Int) throws -> Int {
      var began = 0
      for _ in 0..<count {
        host.perform("change")
        began += try calls(stage, after: 0)
        try host.advance(by: .milliseconds(100))
      }
      return began
    }
    let began = try changes(40)
    expect(began < 20, "it began \(began) times in 8 seconds")
    try expect(lines(of: host), is: ["of alpha"])
    _ = stage.takePrinted()
    host.choose("beta")
    try expect(calls(stage, after: 0), is: 1)
    try host.advance(by: .seconds(2))
    try expect(lines(of: host), is: ["of beta"])
  }

  @Test("P14: After several moves the function runs only for the last")
  func last() throws {
    let stage = try stage()
    let host = stage.host
    for name in ["beta", "gamma", "alpha", "beta"] {
      host.choose(name)
      _ = host.menus(in: MenuView(panes: ["panel": 0..<10], texts: ["diff"]))
    }
    try host.advance(by: .milliseconds(100))
    try expect(asked(stage), is: "beta")
  }

  @Test("P14: The function can wait, and a new run cancels it; the old lines stay until the first new line comes")
  func waits() throws {
    let stage = try stage(
      """
      function lines(ctx, add)
        asked[#asked + 1] = ctx.row
        sleep(1)
        add("first of " .. ctx.row)
        sleep(1)
        add("second of " .. ctx.row)
      end
      """)
    let host = stage.host
    func look() throws -> [String] {
      _ = host.menus(in: MenuView(panes: ["panel": 0..<10], texts: ["diff"]))
      return try host.text("diff").lines.map(\.text)
    }
    _ = try look()
    try host.advance(by: .milliseconds(2100))
    try expect(look(), is: ["first of alpha", "second of alpha"])
    host.choose("beta")
    _ = try look()
    try host.advance(by: .milliseconds(500))
    try expect(look(), is: ["first of alpha", "second of alpha"])
    try host.advance(by: .milliseconds(600))
    try expect(look(), is: ["first of beta"])
    expect(host.panel()?.find("diff")?.area?.text?.isRunning, is: true)
    host.choose("gamma")
    _ = try look()
    try host.advance(by: .milliseconds(3000))
    try expect(look(), is: ["first of gamma", "second of gamma"])
    try expect(asked(stage), is: "alpha beta gamma")
    expect(host.jobs.isEmpty)
  }

  @Test("P14: New lines about the same rows wait up to 250 ms for the selected one, so the current line stays")
  func waitsForSelected() throws {
    let stage = try stage(
      """
      round = 0
      function lines(ctx, add)
        round = round + 1
        for i = 1, 3 do add(i .. " of " .. round) sleep(0.1) end
        sleep(0.4)
        add("4 of " .. round)
      end
      """)
    let host = stage.host
    func look(after milliseconds: Int) throws -> [String] {
      try host.advance(by: .milliseconds(milliseconds))
      _ = host.menus(in: MenuView(panes: ["panel": 0..<10], texts: ["diff"]))
      return try host.text("diff").lines.map(\.text)
    }
    _ = try look(after: 0)
    let first = ["1 of 1", "2 of 1", "3 of 1", "4 of 1"]
    try expect(look(after: 1000), is: first)
    try host.select("diff", from: 2, to: 2)
    host.perform("change")
    try expect(look(after: 0), is: first)
    try expect(look(after: 50), is: first)
    try expect(look(after: 80), is: ["1 of 2", "2 of 2"])
    _ = try look(after: 1000)
    try host.select("diff", from: 4, to: 4)
    host.perform("change")
    _ = try look(after: 0)
    try expect(look(after: 230), is: ["1 of 2", "2 of 2", "3 of 2", "4 of 2"])
    try expect(look(after: 60), is: ["1 of 3", "2 of 3", "3 of 3"])
    try expect(look(after: 1000).last, is: "4 of 3")
    expect(try host.text("diff").current, is: 3)
  }

  @Test("P14: The context of 'lines' is read-only, and the function makes no undo group and no rebuild")
  func aside() throws {
    let stage = try stage(
      """
      function lines(ctx, add)
        asked[#asked + 1] = "once"
        files.seen = (files.seen or 0) + 1
        local ok, why = pcall(function() ctx.mine = 1 end)
        add(tostring(ok) .. " " .. tostring(why))
      end
      """)
    let host = stage.host
    let line = try lines(of: host).first ?? ""
    expect(line.hasPrefix("false") && line.hasSuffix("the context can only be read here"), "\(line)")
    expect(host.undoHistory.undo.isEmpty)
    for _ in 0..<5 {
      _ = host.menus(in: MenuView(panes: ["panel": 0..<10], texts: ["diff"]))
      try host.advance(by: .milliseconds(100))
    }
    try expect(asked(stage), is: "once")
  }

  @Test("P14: If a function fails, the text shows the reason, and the function runs again after a move")
  func fails() throws {
    let stage = try stage(
      """
      function lines(ctx, add)
        if ctx.row == "alpha" then error("no diff today", 0) end
        add("fine")
      end
      """)
    let host = stage.host
    try expect(lines(of: host), is: [])
    expect(host.panel()?.find("diff")?.reason, is: "no diff today")
    expect(host.diagnostics.contains { $0.message.contains("no diff today") })
    host.choose("beta")
    try expect(lines(of: host), is: ["fine"])
    expect(host.panel()?.find("diff")?.reason, is: nil)
  }

  @Test("P14: A wrong line in the result of the function is an error in the script's file")
  func placeOfResult() throws {
    let stage = try ScriptStage(
      """
      panel { text "t" {
        lines = function() return { 5, true } end } }
      """)
    try expect(lines("t", of: stage.host), is: ["5"])
    let diagnostic = try require(stage.host.diagnostics.first)
    expect(diagnostic.message.hasSuffix("a line of text 't' must be a string, not a boolean"))
    expect(diagnostic.place?.description, is: "app.lua:2")
  }

  @Test("P14: A text has 100,000 lines at most, and then shows that there are more")
  func most() throws {
    let host = try stage("function lines(ctx, add) for i = 1, 100100 do add('x') end end", limits: .patient).host
    let all = try host.lines(of: "diff")
    expect(all.count == 100_001 && all.last?.text == "… more")
  }

  @Test("S15: The bytes of lines count for the script: repeating a giant text in them ends the function")
  func memory() throws {
    let host = ScriptHost(limits: HostLimits(memory: 2 << 20, perform: .milliseconds(60_000)))
    try host.load(
      text: """
        local long = ("x"):rep(16000)
        panel { text "diff" { lines = function(ctx, add) for i = 1, 100000 do add(long) end end } }
        """, name: "app.lua")
    try expect(host.lines(of: "diff").count < 200)
    let reason = try require(host.panel()?.find("diff")?.reason)
    expect(reason.contains("bytes together"), "\(reason)")
  }

  @Test("P20: A line after '\\r' replaces the previous line")
  func replaces() throws {
    let host = try stage("function lines(ctx, add) add('a') add('10%') add('20%', false, true) add('b') end").host
    try expect(lines(of: host), is: ["a", "20%", "b"])
  }

  @Test("P17: 'ansi = true' reads the colours that a program prints")
  func ansi() throws {
    let host = try ScriptStage(
      #"""
      panel { text "log" { ansi = true,
        lines = function(ctx, add) add("\27[31mred\27[2J\n still red") add("\27[0mplain") end } }
      """#
    ).host
    let lines = try host.lines(of: "log")
    expect(lines.map(\.text), is: ["red", " still red", "plain"])
    expect(lines.map { $0.spans[0].style.words }, is: ["red", "red", ""])
  }

  @Test("P16: A line can be a list of texts and spans; a text without a style has the style in 'style'")
  func spans() throws {
    let host = try ScriptStage(
      """
      panel { text "log" { style = "quiet", lines = function(ctx, add)
        add { span("M", "changed"), " file" }
        add(span("+ more", "added"))
        return { { "a", span("b", "link") }, "plain" }
      end } }
      """
    ).host
    let lines = try host.lines(of: "log")
    expect(lines.map(\.text), is: ["M file", "+ more", "ab", "plain"])
    let styles = lines.map { $0.spans.map(\.style.words) }
    expect(styles, is: [["changed", "quiet"], ["added"], ["quiet", "link"], ["quiet"]])
  }

  // MARK: Selecting

  @Test("P15: A text's responder gets its selected lines or the current line, their numbers, and its pane's row")
  func selects() throws {
    let host = try stage().host
    _ = try host.lines(of: "diff")
    host.choose("diff")
    expect(host.perform("stage").result.text, is: "diff of alpha of alpha: 1")
    try host.select("diff", from: 2, to: 3)
    expect(host.perform("stage").result.text, is: "line 1|line 2 of alpha: 2 3")
    try host.select("diff", from: 5, to: 4)
    let text = try require(host.panel()?.find("diff")?.area?.text)
    expect(text.current == 4 && text.selected == 4...5)
    #expect(throws: Misuse.self) { try host.select("diff", from: 2, to: 9) }
    #expect(throws: Misuse.self) { try host.select("files", from: 1, to: 1) }
  }

  @Test("P15: Lines about another row begin with the first; after an action on the same row the selection stays")
  func selectionStays() throws {
    let host = try stage().host
    _ = try host.lines(of: "diff")
    try host.select("diff", from: 3, to: 3)
    host.perform("change")
    _ = try host.lines(of: "diff")
    expect(host.panel()?.find("diff")?.area?.text?.current, is: 3)
    host.choose("beta")
    _ = try host.lines(of: "diff")
    expect(host.panel()?.find("diff")?.area?.text?.current, is: 1)
  }

  @Test("P14: 'focus' is the pane that had the focus last, even while the text has it")
  func focus() throws {
    let host = try ScriptStage(
      """
      a, b, c = responder "a" {}, responder "b" {}, responder "c" {}
      panel { stack {
        pane "one" { responder = a, item "x" { "go", id = "x" } }, pane "two" { responder = b, item "y" { "go", id = "y" } },
        text "about" { of = "focus", responder = c, lines = function(ctx) return tostring(ctx.row) end } } }
      """
    ).host
    try expect(lines("about", of: host), is: ["one/x"])
    host.choose("two/y")
    try expect(lines("about", of: host), is: ["two/y"])
    host.choose("about")
    try expect(lines("about", of: host), is: ["two/y"])
  }

  // MARK: Errors

  @Test("P14: A wrong field of a text is an error where it is declared")
  func errors() throws {
    expect(failure(#"panel { text "a" { title = "A" } }"#)?.contains("text 'a' needs 'lines'"), is: true)
    expect(
      failure(#"panel { stack { pane "files" {}, text "a" { of = "filez", lines = "" } } }"#)?
        .contains("text 'a' has of = 'filez', but that is no pane; did you mean 'files'?"), is: true)
    expect(failure(#"panel { text "a" { lines = 5 } }"#)?.contains("a text, a list of texts, or a function"), is: true)
    expect(failure(#"panel { text "a" { lines = "", item "b" { "c" } } }"#)?.contains("can hold only lines"), is: true)
    expect(
      failure(#"panel { text "a" { lines = "", style = "loud" } }"#)?.contains("'loud': use strong, quiet"), is: true)
    expect(failure(#"menubar { menu "A" { text "a" { lines = "" } } }"#)?.contains("must be in a panel"), is: true)
  }

  @Test("P14: A reload keeps the lines until the new lines come")
  func reload() throws {
    let host = try stage().host
    _ = try host.lines(of: "diff")
    try host.load(text: "", name: "other.lua")
    expect(host.panel()?.find("diff")?.area?.text?.lines, is: 5)
  }
}

extension Value {
  /// The text; nil for other values.
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
