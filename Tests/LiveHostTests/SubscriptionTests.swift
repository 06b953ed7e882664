import Expectations
import Glibc
import ScriptHost
import Testing

@testable import LiveHost

@Suite("Notifications of clients") struct SubscriptionTests {
  private static let naps = """
    menubar { menu "A" { item "Nap" { "nap" }, item "Add" { "add" } } }
    count = 0
    function app.on:nap(ctx)
      progress(0.25, "lying down")
      sleep(ctx.s or 3600)
      progress(0.75)
      sleep(ctx.s or 3600)
      return "rested"
    end
    function app.on:add(ctx) count = count + 1 print("added", count) log("warn", "much") return count end
    function app.look:add() return { title = "Add " .. count } end
    """

  @Test(
    "L8: Every client, also the one that asks, is notified of a request's changes before its answer, in one order")
  func order() throws {
    let stage = try LiveStage(Self.naps)
    let clients = try [stage.client(), stage.client(), stage.client()]
    for client in clients {
      expect(
        client.result("subscribe", #"{"to": ["menus", "log", "outcomes"]}"#)["to"]?.written,
        is: #"["menus", "outcomes", "log"]"#)
    }
    for client in clients { client.told = [] }
    for number in 0..<20 { expect(clients[number % 3].ask("perform", #"{"ref": "add"}"#)["error"], is: nil) }
    for client in clients { _ = client.ask("hello") }
    expect(clients[0].toldNames.prefix(4), is: ["log", "log", "outcome", "menus"])
    expect(clients[0].told.count, is: 80)
    expect(clients[1].told == clients[0].told && clients[2].told == clients[0].told)
  }

  @Test("A7: A job's notifications mask secrets, and are readable all the same")
  func secretsOfJobs() throws {
    let stage = try LiveStage(
      """
      app.takes.x = { pw = { "string", secret = true } }
      function app.on:x(ctx) progress(0.5, "with " .. ctx.pw) sleep(0.01) error("refused " .. ctx.pw, 0) end
      """)
    let client = try stage.client()
    _ = client.ask("subscribe", #"{"to": ["jobs", "outcomes"]}"#)
    client.told = []
    _ = client.ask("perform", #"{"ref": "x(pw: sesame)", "wait": true}"#)
    let told = client.told.map(\.written)
    expect(told.count >= 3 && told.allSatisfy { !$0.contains("sesame") }, "\(told)")
    expect(
      told.contains { $0.contains(#""method": "job""#) && $0.contains(#""message": "refused secret""#) }, "\(told)")
    expect(
      told.contains { $0.contains(#""method": "outcome""#) && $0.contains(#""message": {"$": "secret"}"#) }, "\(told)")
  }

  @Test(
    "P20: 'quit' ends a client that declared `quits`, with a notification; for any other client it ends the session"
  )
  func quitting() throws {
    let script = """
      function app.on:later() sleep(0.01) app:perform("quit") end
      function app.on:timed() after(0.01, function() app:perform("quit") end) end
      """
    for (reference, isFace, ends) in [
      ("quit", true, false), ("quit", false, true), ("later", true, false), ("later", false, true),
      ("timed", true, true),
    ] {
      let stage = try LiveStage(script)
      let client = try stage.client()
      _ = client.ask("hello", #"{"client": {"name": "it", "quits": \#(isFace)}}"#)
      let other = try stage.client()
      _ = other.ask("hello")
      expect(
        client.result("perform", #"{"ref": "\#(reference)", "wait": true}"#)["status"]?.text, is: "handled",
        "\(reference)")
      if ends {
        let hasEnded = {
          other.read()
          return other.hasEnded
        }
        expect(stage.turn(until: hasEnded, within: 5), "\(reference) \(isFace)")
        continue
      }
      expect(client.notification("app")?["quit"], is: .bool(true), "\(reference)")
      expect(other.ask("hello")["error"] == nil && other.told.isEmpty)
    }
  }

  @Test("P2: Clients that follow the panel are notified of a new current row, after the changes, and once")
  func chosen() throws {
    let stage = try LiveStage(
      """
      rows = { "a" }
      panel { section "rows" { items = function() return rows end, id = function(row) return row end,
        row = function(row) return item(row) { "use" } end } }
      function app.on:use(ctx) end
      function app.on:add(ctx) rows = { "a", "b" } app:rebuild() app:choose("b") end
      function app.on:again(ctx) app:choose("a") app:choose("b") end
      function app.on:miss(ctx) app:choose("nothing") end
      """)
    let client = try stage.client()
    _ = client.ask("subscribe", #"{"to": ["panel"]}"#)
    func told(_ action: String) -> [String?] {
      client.told = []
      _ = client.ask("perform", "{\"ref\": \"\(action)\"}")
      return client.told.compactMap { json in
        guard json["method"]?.text == "panel" else { return nil }
        return "\(json["params"]?["changes"]?.list?.count ?? -1) \(json["params"]?["current"]?.text ?? "-")"
      }
    }
    expect(told("add"), is: ["1 -", "0 b"])
    expect(told("again"), is: ["0 b"])
    expect(told("miss"), is: [])
    client.told = []
    _ = client.ask("choose", #"{"id": "a"}"#)
    expect(client.told.compactMap { $0["params"]?["current"]?.text }, is: ["a"], "P9: every face goes there")
    expect(client.result("panel")["current"]?.text, is: "a")
    _ = client.ask("evaluate", #"{"line": "rows = { 'b' } app:rebuild()"}"#)
    expect(client.result("panel")["current"], is: nil, "it is gone")
  }

  @Test("Elements read from JSON are written back unchanged")
  func elements() throws {
    let stage = try LiveStage(
      """
      menubar { menu "M" {
        item "On" { "use(deep: {a: [1, null, 2.5]}, n: 1)", key = "ctrl+o", state = true, destructive = true, subtitle = "s", icon = "i",
          confirm = "Sure?", mnemonic = "n", keeps_open = true, alternates = { alt = item "Off" { "use" } } },
        separator, label "L", item "Hidden" { "use", hidden = true }, menu "Sub" { single = true, item "x" { "nobody" } } } }
      panel { item "Row" { "use" } }
      app.takes.use = { n = "integer", deep = "any" }
      function app.on:use(ctx) end
      """)
    let json = try stage.client().result("menus")["menus"]
    let read = try AnswerReader().menus(json)
    expect(!read.isEmpty)
    expect(read.map(\.json), is: stage.host.menus().children.map(\.json))
    #expect(throws: JSONError.self) { try AnswerReader().menus(.list([.object([("id", .text("a"))])])) }
  }

  @Test("L8: The notifications of the menus, applied to the snapshot of 'from', make that of 'revision'")
  func mirror() throws {
    let stage = try LiveStage(
      """
      rows = { "a", "b" }
      menubar { menu "M" { section "rows" { items = function() return rows end, id = function(row) return row end, row = function(row) return item(row) { "use" } end }, separator, label "end" } }
      function app.on:set(ctx) rows = ctx.rows end
      function app.on:use(ctx) end
      """)
    let (one, other) = (try stage.client(), try stage.client())
    let reader = AnswerReader()
    _ = one.ask("subscribe", #"{"to": ["menus"]}"#)
    let first = one.result("menus")
    var menus = MenuElement(rootOf: try reader.menus(first["menus"]))
    var revision = first["revision"]?.integer
    for rows in [["a"], ["a", "c", "b"], [], ["b", "a", "c", "d"], ["d", "a"]] {
      let list = rows.map { "\"\($0)\"" }.joined(separator: ", ")
      expect(
        other.result("perform", "{\"ref\": \"set\", \"args\": {\"rows\": [\(list)]}}")["status"], is: .text("handled"))
      guard let told = one.notification("menus") else { Issue.record("nothing was told"); return }
      expect(told["from"]?.integer, is: revision)
      revision = told["revision"]?.integer
      menus = menus.applying(try reader.changes(told["changes"]))
      expect(menus, is: stage.host.menus(), "\(rows)")
    }
    expect(one.result("menus")["revision"]?.integer, is: revision)
  }

  @Test("P22: A client that names a view gets only that part, and the difference when it looks elsewhere")
  func view() throws {
    let stage = try LiveStage(
      """
      off, asked = 0, {}
      menubar { menu "A" { item "One" { "one" } }, menu "B" { item "Two" { "two" } } }
      panel { section "rows" { items = function() local all = {} for i = 1, 100 do all[i] = i end return all end,
        id = function(i) return "r" .. i end, row = function(i) return item("R" .. i) { "use(n: " .. i .. ")" } end } }
      function app.on:one() end function app.on:two() end function app.on:use() end
      function app.can:use(ctx) asked[#asked + 1] = ctx.n return ctx.n ~= off, "off" end
      function app.on:off(ctx) off, asked = ctx.n, {} end
      """)
    let client = try stage.client()
    func look(_ view: String) -> String {
      client.told = []
      let answer = client.result("subscribe", "{\"to\": [\"menus\", \"panel\"], \"view\": \(view)}")
      let told = client.told.flatMap { $0["params"]?["changes"]?.list ?? [] }
      return told.map { "\($0["change"]?.text ?? "") \($0["id"]?.text ?? "")" }.joined(separator: ", ")
        + " at \(answer["revision"]?.integer ?? -1)"
    }
    expect(look(#"{"menus": ["A"], "rows": {"panel": [1, 2]}}"#), is: " at 1")
    let shown = client.result("menus")["menus"]
    expect(shown?.list?.map { $0["children"]?.list?.count }, is: [1, 0])
    let panel = client.result("panel")
    expect(panel["panel"]?.list?.compactMap { $0["id"]?.text } == ["r1", "r2"] && panel["rows"]?.integer == 100)
    expect(
      look(#"{"menus": ["B"], "rows": {"panel": [2, 3]}}"#), is: "insert B/Two, remove A/One, insert r3, remove r1 at 2"
    )
    func told(_ row: Int) -> String {
      client.told = []
      _ = client.ask("perform", "{\"ref\": \"off(n: \(row))\"}")
      let changes = client.told.flatMap { $0["params"]?["changes"]?.list ?? [] }
      return changes.compactMap { $0["id"]?.text }.joined(separator: ", ")
    }
    expect([told(3), told(50), told(51)], is: ["r3", "r3", ""])
    try expect(stage.value("return table.concat(asked, ' ')"), is: "\(Value.text("2 3"))")
    // Other clients get everything, with their own revisions.
    let other = try stage.client()
    expect(other.result("panel")["panel"]?.list?.count == 100 && other.result("panel")["rows"] == nil)
    expect(other.result("hello")["revision"]?.integer, is: stage.live.revision)
  }

  @Test("P22: Opening a menu calls nothing of the menus that stay closed, until something happens")
  func closedMenus() throws {
    let stage = try LiveStage(
      """
      gone = false
      menubar {
        menu "A" { item "One" { "go" } }, menu "B" { item "Two" { "go" } },
        menu "C" { item "Three" { "go", look = function() print "asked" return { hidden = gone } end } },
      }
      function app.on:go() gone = not gone end
      """)
    var asked = 0
    stage.host.onPrint = { _ in asked += 1 }
    let client = try stage.client()
    func look(_ menus: String) -> String {
      let view = "{\"menus\": [\(menus)], \"keys\": true}"
      _ = client.result("subscribe", "{\"to\": [\"menus\"], \"now\": true, \"view\": \(view)}")
      let shown = client.result("menus")["menus"]?.list ?? []
      let menus = shown.map { "\($0["children"]?.list?.count ?? 0)\($0["enabled"] == .bool(false) ? "-" : "")" }
      return "\(menus.joined(separator: " ")), asked \(asked)"
    }
    expect(look(""), is: "0 0 0, asked 1")
    expect(look("\"A\""), is: "1 0 0, asked 1")
    expect(look("\"B\""), is: "0 1 0, asked 1")
    expect(client.result("perform", #"{"ref": "go"}"#)["status"], is: .text("handled"))
    expect(look("\"A\""), is: "1 0 0-, asked 2")
    // An open menu is evaluated each time: for the subscription, and for the menus.
    expect(look("\"C\""), is: "0 0 1-, asked 4")
    expect(client.result("perform", #"{"ref": "go"}"#)["status"], is: .text("handled"))
    expect(look(""), is: "0 0 0, asked 6")
  }

  @Test("P22: A malformed view is refused with the right form")
  func unreadableViews() throws {
    let stage = try LiveStage(Self.naps)
    let client = try stage.client()
    func refusal(_ view: String) -> String? { client.ask("subscribe", "{\"to\": [], \"view\": \(view)}").error }
    expect(refusal("3"), is: "-32602 'view' of 'subscribe' is an object")
    expect(refusal(#"{"menu": []}"#), is: "-32602 'view' can have 'menus', 'keys', 'rows' and 'texts', but not 'menu'")
    expect(refusal(#"{"keys": 1}"#), is: "-32602 'keys' of 'view' must be true or false")
    expect(refusal(#"{"menus": [1]}"#), is: "-32602 'menus' of 'view' must be a list of ids")
    for rows in [#"{"panel": [0, 3]}"#, #"{"panel": [3, 1]}"#, #"{"panel": [1]}"#, #"{"other": [1, 0, 2]}"#, "[1, 2]"] {
      expect(
        refusal("{\"rows\": \(rows)}"),
        is: "-32602 'rows' of 'view' must be {\"panel\": [from, to]}, or have a pair for each pane, with rows from 1",
        "\(rows)")
    }
    expect(refusal("{}"), is: nil)
  }

  @Test("L8: subscribe with 'now' returns the current menus and panel, for any topics")
  func now() throws {
    let stage = try LiveStage(Self.naps + "\npanel { item 'Nap here' { 'nap' } }")
    let client = try stage.client()
    let answer = client.result("subscribe", #"{"to": ["log"], "now": true}"#)
    expect(answer["menus"] == client.result("menus")["menus"] && answer["menus"]?.list?.count == 1)
    expect(answer["panel"] == client.result("panel")["panel"] && answer["panel"]?.list?.count == 1)
    expect(answer["revision"], is: client.result("menus")["revision"])
    expect(client.result("subscribe", #"{"to": ["menus"]}"#)["menus"], is: nil)
  }

  @Test("L8: subscribe's error names the right topic, and unsubscribe ends a subscription")
  func topics() throws {
    let stage = try LiveStage(Self.naps)
    let client = try stage.client()
    expect(
      client.ask("subscribe", #"{"to": ["menu"]}"#).error,
      is: "-32602 there is no 'menu' to subscribe to; did you mean 'menus'?")
    _ = client.ask("subscribe", #"{"to": ["log"]}"#)
    expect(client.result("unsubscribe", #"{"to": ["log"]}"#)["to"], is: .list([]))
    _ = client.ask("perform", #"{"ref": "add"}"#)
    expect(client.told.isEmpty)
  }

  @Test("L8: Clients are notified of focus, phase, diagnostics, prints and the log")
  func everything() throws {
    let stage = try LiveStage(
      """
      local a = responder "a"
      function app.on:go() focus(a) end
      function app.on:fail() error("no") end
      function app.on:say() print("one\\ntwo") log("info", "three") end
      """)
    let client = try stage.client()
    _ = client.ask("subscribe", #"{"to": ["focus", "diagnostics", "log", "app"]}"#)
    _ = client.ask("perform", #"{"ref": "go"}"#)
    expect(client.notification("focus")?.written, is: #"{"new": "a", "old": "app"}"#)
    _ = client.ask("perform", #"{"ref": "fail"}"#)
    expect(client.notification("diagnostic")?["diagnostic"]?["message"], is: .text("no"))
    _ = client.ask("perform", #"{"ref": "say"}"#)
    let said = client.told.compactMap { $0["params"] }
    expect(
      said.map { $0["level"]?.text } == ["print", "info"]
        || said.map { $0["level"]?.text } == ["print", "print", "info"])
    client.told = []
    _ = client.ask("enter", #"{"phase": "background"}"#)
    expect(client.notification("app")?.written, is: #"{"phase": "background"}"#)
  }

  @Test("L8: Each URL that a client opens is an outcome like others, sent before the changes")
  func urls() throws {
    let stage = try LiveStage(
      """
      menubar { menu "M" { item "Open" { "open" } } }
      opened = "nothing"
      function app.on:openURL(ctx) opened = ctx.url end
      function app.look:open() return { title = "Open " .. opened } end
      function app.on:open() end
      """)
    let client = try stage.client()
    _ = client.ask("subscribe", #"{"to": ["outcomes", "menus"]}"#)
    let answer = client.result("open_urls", #"{"urls": ["a:1", "b:2"]}"#)
    expect(answer["outcomes"]?.list?.map { $0["action"]?.text }, is: ["a:1", "b:2"])
    expect(client.toldNames, is: ["outcome", "outcome", "menus"])
    expect(
      client.told.prefix(2).map { $0["params"]?.written },
      is: ["a:1", "b:2"].map {
        #"{"action": "\#($0)", "status": "handled", "by": "app", "via": "on", "do": {"open": "\#($0)"}}"#
      })
  }

  @Test("L11, F10: A waiting URL is answered with its job; the next URL waits until that has ended")
  func slowURLs() throws {
    let stage = try LiveStage(
      """
      menubar { menu "M" { item "Open" { "open" } } }
      opened = {}
      function app.on:openURL(ctx) sleep(60) table.insert(opened, ctx.url) return ctx.url end
      function app.look:open() return { title = "Open " .. #opened } end
      function app.on:open() end
      """, clock: TestClock())
    let (client, other) = (try stage.client(), try stage.client())
    _ = other.ask("subscribe", #"{"to": ["jobs"]}"#)
    expect(
      client.result("open_urls", #"{"urls": ["a:1", "b:2"]}"#)["outcomes"]?.written,
      is:
        #"[{"action": "a:1", "status": "running", "by": "app", "job": 1}, {"action": "b:2", "status": "pending", "reason": "'b:2' waits: another URL is being opened"}]"#
    )
    try stage.host.advance(by: .seconds(60))
    stage.live.turn()
    expect(
      client.notification("job")?["outcome"]?.written,
      is: #"{"action": "a:1", "status": "handled", "by": "app", "via": "on", "result": "a:1"}"#)
    try stage.host.advance(by: .seconds(60))
    stage.live.turn()
    expect(other.result("evaluate", #"{"line": "table.concat(opened, ' ')"}"#)["values"], is: .list([.text("a:1 b:2")]))
    let jobs = other.told.filter { $0["method"] == .text("job") }.compactMap { $0["params"] }
    expect(
      jobs.map { $0["job"]?.integer } == [1, 2, 1, 2] && jobs.last?["outcome"]?["result"] == .text("b:2"), "\(jobs)")
  }

  @Test("L11: A waiting perform is answered at once with its progress; the end comes as a notification")
  func running() throws {
    let clock = TestClock()
    let stage = try LiveStage(Self.naps, clock: clock)
    let client = try stage.client()
    expect(
      client.result("perform", #"{"ref": "nap"}"#).written,
      is:
        #"{"action": "nap", "status": "running", "by": "app", "job": 1, "progress": {"fraction": 0.25, "text": "lying down"}, "revision": 0}"#
    )
    expect(
      client.result("jobs")["jobs"]?.written.hasPrefix(#"[{"job": 1, "action": "nap", "by": "app", "own": true"#),
      is: true)
    try stage.host.advance(by: .seconds(3600))
    stage.live.turn()
    expect(client.notification("job")?.written, is: #"{"job": 1, "progress": {"fraction": 0.75}}"#)
    try stage.host.advance(by: .seconds(3600))
    stage.live.turn()
    expect(
      client.notification("job")?.written,
      is:
        #"{"job": 1, "outcome": {"action": "nap", "status": "handled", "by": "app", "via": "on", "result": "rested"}}"#
    )
    expect(client.result("jobs")["jobs"], is: .list([]))
  }

  @Test("L11: With wait the answer comes at the end, and other requests are answered meanwhile")
  func waiting() throws {
    let clock = TestClock()
    let stage = try LiveStage(Self.naps, clock: clock)
    let (one, other) = (try stage.client(), try stage.client())
    let id = one.send("perform", #"{"ref": "nap", "wait": true, "changes": true, "trace": true}"#)
    expect(other.result("perform", #"{"ref": "add"}"#)["result"], is: .integer(1))
    expect(one.result("hello")["protocol"] == .integer(1) && one.told.isEmpty)
    try stage.host.advance(by: .seconds(7200))
    stage.live.turn()
    let answer = one.answer(to: id)["result"]
    expect(answer?["status"] == .text("handled") && answer?["result"] == .text("rested"))
    expect(answer?["changes"]?.list?.count, is: 1, "what another did meanwhile")
    expect(answer?["trace"]?.list?.isEmpty, is: false)
  }

  @Test("L2: A line may wait: its answer comes at the end, its prints before, and other requests are answered")
  func waitingLine() throws {
    let stage = try LiveStage(Self.naps, clock: TestClock())
    let (one, other) = (try stage.client(), try stage.client())
    _ = one.ask("subscribe", #"{"to": ["log"]}"#)
    let id = one.send(
      "evaluate", #"{"line": "print('a') local r = app:perform('nap') print('b') return r.result", "changes": true}"#)
    expect(one.notification("log")?["text"], is: .text("a"))
    expect(other.result("perform", #"{"ref": "add"}"#)["result"], is: .integer(1))
    expect(other.result("evaluate", #"{"line": "1 + 1"}"#)["values"], is: .list([.integer(2)]))
    expect(one.result("jobs")["jobs"]?.list?.first?["eval"]?.text?.hasPrefix("print('a')"), is: true)
    try stage.host.advance(by: .seconds(7200))
    let answer = one.answer(to: id)["result"]
    expect(answer?["values"] == .list([.text("rested")]) && answer?["status"] == nil)
    expect(answer?["changes"]?.list?.count, is: 1, "what another did meanwhile")
    expect(one.told.map { $0["params"]?["text"] }, is: [.text("added\t1"), .text("much"), .text("b")])
  }

  @Test(
    "L2: A line with wait = false is answered with its job, and ends when that is cancelled or its client goes")
  func cancelledLine() throws {
    let stage = try LiveStage(Self.naps, clock: TestClock())
    let (one, other, third) = (try stage.client(), try stage.client(), try stage.client())
    expect(
      one.result("evaluate", #"{"line": "app:perform('nap')", "wait": false}"#).written,
      is: #"{"eval": "app:perform('nap')", "status": "running", "job": 1, "revision": 0}"#)
    _ = third.send("evaluate", #"{"line": "sleep(9)"}"#)
    expect(stage.turn(until: { stage.host.jobs.count == 3 }))
    expect(other.result("jobs")["jobs"]?.list?.count, is: 2)
    expect(one.result("cancel", #"{"job": 1}"#)["cancelled"], is: .bool(true))
    let end = one.notification("job")?["outcome"]
    expect(end?["error"]?["code"] == .text("cancelled") && end?["values"] == .list([]))
    expect(other.result("perform", #"{"ref": "nap"}"#)["status"], is: .text("running"), "what it performed is over")
    expect(stage.host.jobs.count, is: 2)
    third.end()
    expect(stage.turn(until: { stage.live.clients.count == 2 }))
    expect(stage.host.jobs.map(\.action), is: ["nap"])
  }

  @Test("A7: A URL that is secret to its handler is shown to no other client, opened or waiting")
  func secretURLs() throws {
    let stage = try LiveStage(
      """
      app.takes.openURL = { url = { "string", secret = true } }
      function app.on:openURL(ctx) sleep(1) end
      """, clock: TestClock())
    let (client, other) = (try stage.client(), try stage.client())
    _ = other.ask("subscribe", #"{"to": ["outcomes", "jobs"]}"#)
    let answer = client.result("open_urls", #"{"urls": ["one:xyzzy", "two:xyzzy", "three:xyzzy"]}"#).written
    expect(answer.hasPrefix(#"{"outcomes": [{"action": "openURL", "status": "running""#), "\(answer)")
    let long = "xyzzy" + String(repeating: "x", count: 9000)
    expect(client.result("open_urls", #"{"urls": ["\#(long)"]}"#).written.contains("can have 8192 bytes at most"))
    try stage.host.advance(by: .seconds(3))
    stage.live.turn()
    _ = other.result("hello")
    expect(
      other.told.count > 5 && !other.told.contains { $0.written.contains("xyzzy") }, "\(other.told.map(\.written))")
  }

  @Test("L11: A client's requests are performed even if it goes away and reads no answer")
  func unheard() throws {
    let stage = try LiveStage(Self.naps, clock: TestClock())
    let client = try stage.client()
    for _ in 0..<20 { _ = client.send("perform", #"{"ref": "add"}"#) }
    client.end()
    for _ in 0..<40 { stage.live.turn() }
    let other = try stage.client()
    expect(other.result("evaluate", #"{"line": "count"}"#)["values"], is: .list([.integer(20)]))
  }

  @Test("L11: The host notices when a client goes away while it waits for an answer")
  func goneWhileWaiting() throws {
    let stage = try LiveStage(Self.naps, clock: TestClock())
    let one = try stage.client()
    _ = one.send("perform", #"{"ref": "nap", "wait": true, "owned": true}"#)
    expect(stage.turn(until: { stage.host.jobs.count == 1 }))
    one.end()
    expect(stage.turn(until: { stage.live.clients.isEmpty }) && stage.host.jobs.isEmpty)
  }

  @Test("L11: A client that goes away leaves its jobs running unless they are owned")
  func owned() throws {
    let stage = try LiveStage(Self.naps, clock: TestClock())
    let (one, other, third) = (try stage.client(), try stage.client(), try stage.client())
    _ = one.ask("perform", #"{"ref": "nap(s: 1)"}"#)
    expect(other.result("perform", #"{"ref": "nap(s: 2)"}"#)["reason"], is: .text("running"))
    _ = third.ask("subscribe", #"{"to": ["jobs"]}"#)
    expect(stage.host.jobs.count, is: 1, "the second was refused while the first waits")
    one.end()
    expect(stage.turn(until: { stage.live.clients.count == 2 }))
    expect(stage.host.jobs.count, is: 1)
    expect(third.result("cancel", #"{"job": 1}"#)["cancelled"], is: .bool(true))
    expect(third.notification("job")?["outcome"]?["status"], is: .text("cancelled"))
    expect(other.result("perform", #"{"ref": "nap", "owned": true}"#)["status"], is: .text("running"))
    expect(third.notification("job")?["action"], is: .text("nap"), "it begins")
    other.end()
    expect(stage.turn(until: { stage.live.clients.count == 1 }))
    expect(stage.host.jobs.isEmpty)
    expect(third.notification("job")?["outcome"]?["status"], is: .text("cancelled"))
  }

  @Test(
    "L9: A client that doesn't read blocks nobody and has a bounded queue; when it reads it learns what it missed")
  func unread() throws {
    let stage = try LiveStage("text = string.rep('x', 100000) function app.on:say() print(text) end")
    let (lazy, busy) = (try stage.client(), try stage.client())
    _ = lazy.ask("subscribe", #"{"to": ["log", "outcomes"]}"#)
    for _ in 0..<200 { expect(busy.result("perform", #"{"ref": "say"}"#)["status"], is: .text("handled")) }
    let waiting = try require(stage.live.clients.first).connection.waiting
    expect(waiting <= Connection.queue && waiting > Connection.queue / 2)
    var last: JSON?
    stage.turn {
      lazy.read()
      last = lazy.lines.last
      return last?["method"]?.text == "resync"
    }
    expect(last?["params"]?.written, is: #"{"to": ["outcomes", "log"]}"#)
    expect(lazy.lines.count { $0["method"]?.text == "resync" }, is: 1)
    _ = busy.ask("perform", #"{"ref": "say"}"#)
    expect(lazy.notification("outcome") != nil)
  }

  @Test("L9: If a client never reads its answers, the host stops reading its requests until it does")
  func floods() throws {
    let stage = try LiveStage(LiveStage.photos)
    let (flood, other) = (try stage.client(), try stage.client())
    let line = Array("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"app\"}\n".utf8)
    var sent = 0
    // As many as the system and the loop take.
    for _ in 0..<200_000 {
      if line.withUnsafeBytes({ send(flood.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) == line.count {
        sent += 1
      } else {
        for _ in 0..<64 { stage.live.turn() }
        if stage.live.clients[0].connection.waiting >= Connection.queue { break }
      }
    }
    expect(stage.live.clients[0].connection.waiting < Connection.queue + 1 << 16)
    expect(other.result("hello")["protocol"], is: .integer(1))
    var answers = 0
    stage.turn(
      until: {
        flood.read()
        answers = flood.lines.count
        return answers >= sent
      }, within: 60)
    expect(answers, is: sent)
  }

  @Test("L9: However much a client sends without reading, its queue is bounded, and the loop doesn't spin")
  func unreadAnswers() throws {
    let stage = try LiveStage(
      "menubar { menu 'M' { section 's' { items = function() local l = {} for i = 1, 1500 do l[i] = i end return l end, id = tostring, row = function(i) return item('Row ' .. i) { 'use' } end } } } function app.on:use() end"
    )
    let (flood, other) = (try stage.client(), try stage.client())
    let one = other.result("menus").written.utf8.count
    let count = 4 * Connection.queue / one
    for _ in 0..<count { flood.send("menus") }
    for _ in 0..<count + 10 { stage.live.turn() }
    let waiting = stage.live.clients[0].connection.waiting
    expect(waiting >= Connection.queue && waiting < Connection.queue + 2 * one, "\(one) bytes each")
    expect(stage.live.nextDeadline, is: nil, "it waits for the client, and for nothing else")
    expect(other.result("hello")["protocol"], is: .integer(1))
    var lines = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    stage.turn(
      until: {
        let got = recv(flood.descriptor, &chunk, chunk.count, 0)
        lines += chunk.prefix(max(0, got)).count { $0 == UInt8(ascii: "\n") }
        return lines == count
      }, within: 120)
    expect(lines, is: count)
  }

  @Test("L8: Clients that follow jobs are notified when one begins, from any client, before the answer")
  func beginnings() throws {
    let stage = try LiveStage(Self.naps, clock: TestClock())
    let (one, other) = (try stage.client(), try stage.client())
    for client in [one, other] { _ = client.ask("subscribe", #"{"to": ["jobs"]}"#) }
    _ = one.ask("perform", #"{"ref": "nap"}"#)
    _ = other.ask("hello")
    let begun = #"{"job": 1, "action": "nap", "by": "app", "progress": {"fraction": 0.25, "text": "lying down"}}"#
    expect(one.told.map { $0["params"]?.written } == [begun] && other.told == one.told)
  }

  @Test("L8: A job that the app or the embedding program begins is listed, notified and cancelled like others")
  func jobsOfTheApp() throws {
    let stage = try LiveStage(
      Self.naps + "\nfunction app.on:soon() after(2, function() app:perform('nap') end) end", clock: TestClock())
    let (one, other) = (try stage.client(), try stage.client())
    stage.host.perform("nap")
    expect(
      other.result("jobs")["jobs"]?.written,
      is:
        #"[{"job": 1, "action": "nap", "by": "app", "own": false, "progress": {"fraction": 0.25, "text": "lying down"}}]"#
    )
    _ = one.ask("subscribe", #"{"to": ["jobs", "outcomes"]}"#)
    expect(other.result("cancel", #"{"job": 1}"#)["cancelled"], is: .bool(true))
    expect(
      one.notification("job")?.written,
      is:
        #"{"job": 1, "outcome": {"action": "nap", "status": "cancelled", "by": "app", "via": "on", "reason": "it was cancelled"}}"#
    )
    _ = other.ask("perform", #"{"ref": "soon"}"#)
    expect(one.notification("outcome")?["do"]?.written, is: #"{"perform": "soon"}"#)
    try stage.host.advance(by: .seconds(2))
    stage.live.turn()
    // The function of the timer waits as well.
    expect((0..<2).map { _ in one.notification("job")?["action"] } == [.text("nap"), .text("after")])
    expect(one.told.isEmpty)
    expect(one.result("jobs")["jobs"]?.list?.map { $0["job"] }, is: [.integer(2), .integer(3)])
  }

  private static let asking = """
    function app.on:ask() return select(-1, ask { confirm = "Go on?" }) end
    function app.on:again() ask { confirm = "Again?" } return select(-1, ask { confirm = "Once more?" }) end
    function app.on:both() app:perform("ask", {}, { wait = false }) print(app:perform("again").result) end
    function app.on:soon() after(0, function() print(app:perform("ask").result) end) end
    """

  @Test("A11: A client that performs with 'answers' gets the questions of its job without a subscription")
  func answering() throws {
    let stage = try LiveStage(Self.asking)
    let client = try stage.client()
    expect(client.result("perform", #"{"ref": "ask", "wait": true}"#)["result"], is: .text("nobody can be asked"))
    client.told = []
    let id = client.send("perform", #"{"ref": "ask", "answers": true}"#)
    let asked = try require(client.notification("job"))
    expect(asked["asks"]?.written, is: #"{"number": 1, "confirm": "Go on?", "arguments": []}"#)
    let begun = client.answer(to: id)["result"]
    expect(begun?["status"] == .text("running") && begun?["job"] == asked["job"])
    let job = asked["job"]?.integer ?? 0
    expect(client.result("answer", #"{"job": \#(job)}"#)["answered"], is: .bool(true))
    expect(client.notification("job")?["asks"], is: .null)
    expect(client.notification("job")?["outcome"]?["result"], is: .bool(true))
    let line = client.send("evaluate", #"{"line": "return (ask { confirm = 'So?' })", "wait": false, "answers": true}"#)
    expect(client.notification("job")?["asks"]?["confirm"], is: .text("So?"))
    expect(client.answer(to: line)["result"]?["status"], is: .text("running"))
  }

  @Test("A11: While a client answers its job, an `ask` of any other job returns nil")
  func answeringOwn() throws {
    let stage = try LiveStage(Self.asking)
    var printed: [String] = []
    stage.host.onPrint = { printed.append($0) }
    let (one, other) = (try stage.client(), try stage.client())
    _ = one.ask("perform", #"{"ref": "both", "answers": true}"#)
    // Of the two actions, the client's own waits; the other action, which the app performs, goes on.
    stage.turn(until: { one.result("jobs")["jobs"]?.list?.count == 1 }, within: 2)
    let jobs = one.result("jobs")["jobs"]?.list
    expect(jobs?.count == 1 && jobs?.first?["own"] == .bool(true) && jobs?.first?["asks"] != nil, "\(jobs ?? [])")
    expect(
      other.result("perform", #"{"ref": "ask", "wait": true}"#)["result"], is: .text("nobody can be asked"))
    _ = other.ask("perform", #"{"ref": "soon"}"#)
    expect(stage.turn(until: { printed == ["nobody can be asked"] }, within: 2))
    expect(other.told.isEmpty)
    expect(one.result("jobs")["jobs"]?.list?.count, is: 1, "the question of the client's job still waits")
    // Once the client has left, nobody can answer the question of its job, nor the next one.
    one.end()
    expect(stage.turn(until: { printed.count == 2 }, within: 2) && printed[1] == "nobody can be asked")
  }

  @Test("A11: If the last client that could answer goes, an open question ends with nil")
  func askedOneGoes() throws {
    let stage = try LiveStage(Self.asking)
    let (one, other) = (try stage.client(), try stage.client())
    _ = one.ask("subscribe", #"{"to": ["jobs"]}"#)
    let waiting = other.send("perform", #"{"ref": "ask", "wait": true}"#)
    expect(stage.turn(until: { one.result("jobs")["jobs"]?.list?.first?["asks"] != nil }, within: 2))
    _ = one.ask("unsubscribe", #"{"to": ["jobs"]}"#)
    expect(other.answer(to: waiting)["result"]?["result"], is: .text("nobody can be asked"))
    _ = one.ask("subscribe", #"{"to": ["jobs"]}"#)
    let again = other.send("perform", #"{"ref": "ask", "wait": true}"#)
    expect(stage.turn(until: { one.result("jobs")["jobs"]?.list?.first?["asks"] != nil }, within: 2))
    one.end()
    expect(other.answer(to: again)["result"]?["result"], is: .text("nobody can be asked"))
  }

  @Test("L8: A job of the app's start has 'start', and so has the action for which it waits")
  func starts() throws {
    let stage = try LiveStage(
      "function app:start() app:perform('nap') end function app.on:nap() sleep(1) end", clock: TestClock())
    let one = try stage.client()
    _ = one.ask("subscribe", #"{"to": ["jobs"]}"#)
    stage.host.start()
    stage.live.turn()
    expect((0..<2).map { _ in one.notification("job")?["start"] } == [.bool(true), .bool(true)])
    expect(one.result("jobs")["jobs"]?.list?.map { $0["start"] }, is: [.bool(true), .bool(true)])
  }

  @Test("L8: A job of a row that became current has 'choice'; choosing another row cancels it")
  func choices() throws {
    let stage = try LiveStage(
      """
      panel { section "s" { items = { "A", "B" }, id = function(n) return n end, current = "show",
        row = function(n) return item(n) { "open" } end } }
      function app.on:show() sleep(1) end
      """, clock: TestClock())
    let (one, other) = (try stage.client(), try stage.client())
    _ = one.ask("subscribe", #"{"to": ["jobs"]}"#)
    expect(other.result("choose", #"{"id": "A"}"#)["status"], is: .text("running"))
    expect(one.notification("job")?["choice"], is: .bool(true))
    expect(one.result("jobs")["jobs"]?.list?.first?["choice"], is: .bool(true))
    _ = other.ask("choose", #"{"id": "B"}"#)
    let reasons = (0..<2).map { _ in one.notification("job")?["outcome"]?["reason"] }
    expect(reasons.contains(.text("another row was chosen")))
  }

  @Test("L8: A client's focus request and line are outcomes too, with their 'do'")
  func outcomesOfAll() throws {
    let stage = try LiveStage("local a = responder 'a' x = 1", clock: TestClock())
    let (one, other) = (try stage.client(), try stage.client())
    _ = one.ask("subscribe", #"{"to": ["outcomes"]}"#)
    _ = other.ask("focus", #"{"name": "a"}"#)
    _ = other.ask("evaluate", #"{"line": "x"}"#)
    _ = other.ask("evaluate", #"{"line": "sleep(1) return x + 1", "wait": false}"#)
    try stage.host.advance(by: .seconds(1))
    stage.live.turn()
    expect(one.notification("outcome")?.written, is: #"{"focus": "a", "focused": true, "do": {"focus": "a"}}"#)
    expect(one.notification("outcome")?.written, is: #"{"eval": "x", "values": [1], "do": {"eval": "x"}}"#)
    expect(
      one.notification("outcome")?.written,
      is: #"{"eval": "sleep(1) return x + 1", "values": [2], "do": {"eval": "sleep(1) return x + 1"}}"#)
  }

  @Test("L8: Clients are notified of the plugins if they change, and only then")
  func plugins() throws {
    let stage = try LiveStage(Self.naps)
    let path = "\(stage.folder.path)/extra.lua"
    func save(_ version: String) {
      guard let file = fopen(path, "w") else { return }
      fputs("plugin { name = 'extra', version = '\(version)' }", file)
      fclose(file)
    }
    save("1.0")
    try stage.host.load(plugins: [path])
    let client = try stage.client()
    _ = client.ask("subscribe", #"{"to": ["app"]}"#)
    for version in ["1.0", "1.1"] {
      save(version)
      stage.live.reload { () throws(Failure) in
        do throws(LoadError) { try stage.host.reload(plugin: "extra") } catch { throw error.failure }
      }
    }
    _ = client.ask("hello")
    expect(
      client.told.compactMap { $0["params"]?.members?.first?.0 }, is: ["reloaded", "reloaded", "plugins"])
    expect(client.told.last?["params"]?["plugins"]?.list?.first?["version"], is: .text("1.1.0"))
  }

  @Test("L8: If responders change key bindings, clients are notified once")
  func keys() throws {
    let stage = try LiveStage(
      """
      app.keys = { a = "bind" }
      function app.on:bind() app.keys.b = "bind" app.keys.c = "bind" end
      function app.on:other() end
      """)
    let client = try stage.client()
    _ = client.ask("subscribe", #"{"to": ["app"]}"#)
    _ = client.ask("perform", #"{"ref": "other"}"#)
    expect(client.told.isEmpty)
    _ = client.ask("press", #"{"keys": "a"}"#)
    expect(client.told.map(\.written), is: [#"{"jsonrpc": "2.0", "method": "app", "params": {"keys": true}}"#])
    stage.live.reload { () throws(Failure) in }
    _ = client.ask("hello")
    expect(client.told.dropFirst().compactMap { $0["params"]?.members?.first?.0 }, is: ["reloaded"])
  }

  @Test(
    "L14: An idle session runs no script: without a subscriber there is no pass, and without a sleeper no deadline"
  )
  func idle() throws {
    let stage = try LiveStage(
      "passes = 0 menubar { menu 'A' { item 'X' { 'x' } } } function app.on:x() end function app.can:x() passes = passes + 1 return true end"
    )
    let client = try stage.client()
    for _ in 0..<10 { _ = client.ask("evaluate", #"{"line": "1"}"#) }
    let before = try stage.value("passes")
    expect(stage.live.nextDeadline, is: nil)
    for _ in 0..<100 { stage.live.turn() }
    try expect(stage.value("passes"), is: before)
  }
}
