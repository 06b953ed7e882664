import Expectations
import Glibc
import ScriptHost
import Testing

@testable import LiveHost

@Suite("The protocol") struct ProtocolTests {
  @Test("L6: hello returns the protocol, the app, the revision and every method")
  func hello() throws {
    let stage = try LiveStage(LiveStage.photos)
    let answer = try stage.client().result("hello", #"{"protocol": 1, "client": {"name": "test"}}"#)
    expect(answer["protocol"] == .integer(1) && answer["app"]?["title"] == .text("Photos"))
    expect(answer["revision"], is: .integer(0))
    expect(answer["methods"]?.list?.compactMap(\.text), is: Method.all.names)
    expect(stage.live.clients.first?.name, is: "test")
  }

  @Test("L6: perform returns the outcome in the tool's form, and a refusal is a result")
  func perform() throws {
    let stage = try LiveStage(LiveStage.photos)
    let client = try stage.client()
    expect(
      client.result("perform", #"{"ref": "rate(stars: 5)"}"#).written,
      is: #"{"action": "rate(stars: 5)", "status": "handled", "by": "app", "via": "on", "result": 5, "revision": 0}"#)
    expect(
      client.result("perform", #"{"ref": "rate(stars: 5)"}"#).written,
      is:
        #"{"action": "rate(stars: 5)", "status": "disabled", "by": "app", "via": "on", "reason": "it has so many", "revision": 0}"#
    )
    expect(client.result("perform", #"{"ref": "fly"}"#)["status"], is: .text("unhandled"))
    expect(client.result("perform", #"{"ref": "fly("}"#)["status"], is: .text("failed"))
  }

  @Test("L6: args, from, to, skip_validation and trace work like the tool's options")
  func options() throws {
    let stage = try LiveStage(
      "local a = responder 'a' function a.on:x(ctx) return ctx.n end function a.can:x() return false, 'no' end")
    let client = try stage.client()
    expect(client.result("perform", #"{"ref": "x", "args": {"n": 3}}"#)["status"], is: .text("unhandled"))
    expect(client.result("perform", #"{"ref": "x", "to": "a"}"#)["reason"], is: .text("no"))
    let done = client.result(
      "perform", #"{"ref": "x", "from": "a", "args": {"n": [1, 2.5]}, "skip_validation": true, "trace": true}"#)
    expect(done["result"]?.written == "[1, 2.5]" && done["trace"]?.list?.count == 3)
    expect(
      client.ask("perform", #"{"ref": "x", "to": "b"}"#).error, is: "-32602 there is no responder 'b'")
  }

  @Test("P10, P22: A client that doesn't know all rows marks by changes to the rows that it knows")
  func marks() throws {
    let stage = try LiveStage(
      """
      local r = responder "r"
      panel { pane "p" { responder = r, marks = true, item "a" { "x" }, item "b" { "x" }, item "c" { "x" } } }
      function r.on:x(ctx) return #ctx.rows end
      """)
    let client = try stage.client()
    for (parameters, count) in [
      (#"{"ids": ["c"], "pane": "p", "how": "add"}"#, 1), (#"{"ids": ["a", "b"], "how": "through"}"#, 3),
      (#"{"ids": ["a"], "how": "remove"}"#, 2), (#"{"ids": [], "pane": "p", "how": "all"}"#, 3),
    ] {
      expect(client.result("mark", parameters)["status"], is: .text("handled"))
      expect(client.result("perform", #"{"ref": "x"}"#)["result"], is: .integer(count), "\(parameters)")
    }
    expect(
      client.ask("mark", #"{"ids": ["a"], "pane": "p", "how": "ad"}"#).error,
      is: "-32602 'how' of 'mark' is add or remove or through or all, not 'ad'; did you mean 'add'?")
    let stray = client.ask("mark", #"{"ids": ["d"], "pane": "p", "how": "add"}"#)
    expect(stray.error, is: "-32602 'd' is no row of pane 'p'")
  }

  @Test("P9, P12, P22: A row's id alone names it in 'menus', 'validate' and 'pick', also one that is made only then")
  func rowsByID() throws {
    let stage = try LiveStage(
      """
      panel { stack { pane "p" { section "s" { count = 1000, value = function(i) return i end,
        id = function(i) return "n" .. i end, row = function(i) return item("Row " .. i) { "open" } end,
        index = function(id) return math.tointeger(tonumber(id:match "^n(%d+)$")) end } },
        pane "q" { item "both" { "open", id = "both" } }, pane "r" { item "both" { "open", id = "both" } } } }
      function app.on:open() return "opened" end
      """)
    let client = try stage.client()
    for id in ["n777", "p/n555"] {
      let row = client.result("menus", #"{"id": "\#(id)"}"#)["menus"]?.list?.first
      expect(row?["title"], is: .text(id == "n777" ? "Row 777" : "Row 555"))
      let validated = client.result("validate", #"{"ids": ["\#(id)"]}"#)["items"]?.list?.first
      expect(validated?["id"] == row?["id"] && validated?["enabled"] == .bool(true), "\(validated?.written ?? "")")
      expect(client.result("pick", #"{"id": "\#(id)"}"#)["result"], is: .text("opened"))
    }
    expect(
      client.ask("menus", #"{"id": "both"}"#).error,
      is: "-32602 several panes have a row 'both': write 'q/both' or 'r/both'")
    expect(client.ask("menus", #"{"id": "n7777"}"#).error?.hasPrefix("-32602 there is no element 'n7777'"), is: true)
  }

  @Test("S11: One validate of many rows makes the panel once, and many references share one context")
  func manyValidations() throws {
    let stage = try LiveStage(
      """
      local r = responder "r"
      looks, provides = 0, 0
      function r.look:open() looks = looks + 1 end
      function r:provide(ctx) provides = provides + 1 end
      function r.on:open() end
      function r.can:go(ctx) return #ctx.rows == 50 and ctx.n ~= 7, "no" end
      function r.on:go() end
      local t = {} for i = 1, 50 do t[i] = i end
      panel { pane "p" { responder = r, filter = true, marks = true,
        section "s" { items = function() return t end, id = function(v) return "r" .. v end,
          row = function(v) return item("Row " .. v) { "open" } end } } }
      focus(r)
      """)
    let client = try stage.client()
    let ids = (1...40).map { #""r\#($0)""# }.joined(separator: ", ")
    _ = client.result("panel")
    _ = client.result("mark", #"{"ids": [], "pane": "p", "how": "all"}"#)
    _ = try stage.value("looks, provides = 0, 0")
    let rows = client.result("validate", #"{"ids": [\#(ids)]}"#)["items"]?.list ?? []
    expect(rows.compactMap { $0["id"]?.text }, is: (1...40).map { "p/r\($0)" })
    try expect(stage.value("looks <= 200"), is: "bool(true)", "two snapshots of 50 rows, perhaps a third")
    _ = try stage.value("provides = 0")
    let references = (1...40).map { #""go(n: \#($0))""# }.joined(separator: ", ")
    let validated = client.result("validate", #"{"refs": [\#(references)]}"#)["items"]?.list ?? []
    expect(validated.map { $0["enabled"]?.bool }, is: (1...40).map { $0 != 7 })
    try expect(stage.value("provides <= 4"), is: "bool(true)")
    let skipped = client.result("validate", #"{"refs": ["go(n: 7)", "go(n: 7, skip_validation: true)"]}"#)
    expect(skipped["items"]?.list?.map { $0["enabled"]?.bool }, is: [false, true])
  }

  @Test("P22: rows returns rows of a pane by number, in view or not, also rows made on demand")
  func rows() throws {
    let stage = try LiveStage(
      """
      panel { stack {
        pane "p" { section "s" { count = 1000000, value = function(i) return i end, id = function(n) return "n" .. n end,
          row = function(n) return item("Row " .. n) { "x" } end } },
        pane "q" { item "a" { "x", id = "a" }, item "b" { "x", id = "b" } },
      } }
      function app.on:x(ctx) end
      """)
    let client = try stage.client()
    _ = client.result("subscribe", #"{"to": ["panel"], "view": {"rows": {"q": [1, 1]}}}"#)
    let rows = client.result("rows", #"{"pane": "p", "from": 700001, "count": 2}"#)
    expect(rows["rows"]?.list?.map { $0["title"]?.text }, is: ["Row 700001", "Row 700002"])
    expect(rows["from"]?.integer == 700_001 && rows["of"]?.integer == 1_000_000)
    let all = client.result("rows", #"{"pane": "q"}"#)
    expect(all["rows"]?.list?.count == 2 && all["current"]?.text == "q/a" && all["of"]?.integer == 2)
    expect(client.result("rows", #"{"pane": "q", "from": 9}"#)["rows"]?.list?.isEmpty, is: true)
    expect(client.result("rows", #"{"pane": "p", "from": 9223372036854775807}"#)["rows"]?.list?.isEmpty, is: true)
    let plain = try LiveStage("panel { item 'A' { 'x' }, item 'B' { 'x' } } function app.on:x() end")
    try expect(
      plain.client().result("rows", #"{"pane": "panel", "from": 2}"#)["rows"]?.list?.map { $0["title"]?.text },
      is: [
        "B"
      ])
  }

  @Test("P14, P22: A client that sees a text is notified when its lines change, and requests them by number")
  func texts() throws {
    let stage = try LiveStage(
      """
      responder "r"
      panel { stack {
        pane "p" { item "a" { "x", id = "a" }, item "b" { "x", id = "b" } },
        text "t" { of = "p", responder = "r", lines = function(ctx, add)
          add { "of ", span(ctx.row, "accent") }
          for i = 1, 5000 do add("line " .. i) end
        end } } }
      function app.on:x(ctx) end
      """)
    let client = try stage.client()
    _ = client.result("subscribe", #"{"to": ["panel"], "view": {"texts": ["t"]}}"#)
    func version(_ told: JSON?) -> Int? {
      told?["changes"]?.list?.compactMap { $0["element"] }.first { $0["id"] == .text("t") }?["version"]?.integer
    }
    var told = version(client.notification("panel"))
    while told == nil || told == 0 { told = version(client.notification("panel")) }
    let first = client.result("lines", #"{"text": "t", "count": 2}"#)
    expect(first["of"] == .integer(5001) && first["version"]?.integer == told)
    expect(
      first["lines"]?.written,
      is: #"[{"text": "of p/a", "spans": [{"text": "of "}, {"text": "p/a", "style": "accent"}]}, {"text": "line 1"}]"#
    )
    expect(client.result("lines", #"{"text": "t"}"#)["lines"]?.list?.count, is: 1000)
    expect(client.result("select", #"{"text": "t", "from": 5, "to": 3}"#)["status"], is: .text("handled"))
    expect(client.result("find", #"{"text": "LINE 42", "pane": "t", "from": 5}"#)["number"], is: .integer(43))
    let back = client.result("find", #"{"text": "line 9", "pane": "t", "from": 5, "backward": true}"#)
    expect(back["number"], is: .integer(1000))
    expect(client.ask("rows", #"{"pane": "t"}"#).error, is: "-32602 there is no pane 't'")
    expect(client.ask("lines", #"{"text": "p"}"#).error, is: "-32602 pane 'p' is no text: it has no lines")
    expect(client.ask("subscribe", #"{"to": [], "view": {"texts": 5}}"#).error?.contains("'texts' of 'view'"), is: true)
  }

  @Test("L9: An impossible request gets a JSON-RPC error with a sentence, and the connection continues")
  func errors() throws {
    let stage = try LiveStage(LiveStage.photos)
    let client = try stage.client()
    let cases = [
      ("nonsense", "-32700 this is no JSON: a value can't begin like this, at column 1"),
      (
        #"{"jsonrpc": "2.0", "id": 1, "method": "hello""#,
        "-32700 this is no JSON: a ',' or '}' is missing, at column 46"
      ),
      ("[]", "-32600 send requests one by one, each on its own line"),
      (
        #"[{"jsonrpc": "2.0", "id": 1, "method": "hello"}]"#,
        "-32600 send requests one by one, each on its own line"
      ),
      ("3", "-32600 a request must be an object"),
      (#"{"id": 1, "method": "hello"}"#, "-32600 a request needs \"jsonrpc\": \"2.0\""),
      (#"{"jsonrpc": "2.0", "id": 1}"#, "-32600 a request needs a \"method\", a string"),
      (#"{"jsonrpc": "2.0", "id": [], "method": "hello"}"#, "-32600 'id' must be a string or a number"),
      (#"{"jsonrpc": "2.0", "id": 1, "method": "helo"}"#, "-32601 there is no method 'helo'; did you mean 'hello'?"),
      (#"{"jsonrpc": "2.0", "id": 1, "method": "perform"}"#, "-32602 'perform' needs 'ref', a string"),
      (
        #"{"jsonrpc": "2.0", "id": 1, "method": "perform", "params": {"ref": "x", "arg": {}}}"#,
        "-32602 'perform' has no parameter 'arg'; did you mean 'args'?"
      ),
      (
        #"{"jsonrpc": "2.0", "id": 1, "method": "perform", "params": {"ref": 1}}"#,
        "-32602 'ref' of 'perform' is a string"
      ),
      (#"{"jsonrpc": "2.0", "id": 1, "method": "perform", "params": []}"#, "-32602 'params' must be an object"),
      (
        #"{"jsonrpc": "2.0", "id": 1, "method": "menus", "params": {"id": "Imag"}}"#,
        "-32602 there is no element 'Imag'; did you mean 'Image'?"
      ),
    ]
    for (line, error) in cases {
      client.write(line + "\n")
      expect(client.next()?.error, is: error, "\(line)")
    }
    expect(client.result("hello")["protocol"], is: .integer(1))
  }

  @Test(
    "L9: A line of more than 1 MiB is dropped with an error, half a line at the end is dropped, empty lines are ignored"
  )
  func lines() throws {
    let stage = try LiveStage(LiveStage.photos)
    let client = try stage.client()
    client.write([UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20))
    client.write("\n\n \r\n")
    expect(client.next()?.error, is: "-32700 a line can have 1 MiB at most, and this one was dropped")
    expect(client.result("hello")["protocol"], is: .integer(1))
    client.write(#"{"jsonrpc": "2.0", "id": 9, "method": "perform", "params": {"ref": "rate(stars: 3)"}}"#)
    client.endOfInput()
    expect(client.next() == nil && client.hasEnded)
    expect(stage.live.clients.isEmpty)
    try expect(stage.value("stars"), is: "integer(0)")
  }

  @Test("L9: Bytes may come one at a time, and many lines at once; each is answered, in order")
  func pieces() throws {
    let stage = try LiveStage(LiveStage.photos)
    let client = try stage.client()
    for byte in "{\"jsonrpc\": \"2.0\", \"id\": \"ö\", \"method\": \"keys\"}\r\n".utf8 {
      client.write([byte])
      stage.live.turn()
    }
    expect(client.next()?["id"], is: .text("ö"))
    var ids: [Int] = []
    var text = ""
    for id in 0..<500 { text += "{\"jsonrpc\": \"2.0\", \"id\": \(id), \"method\": \"diagnostics\"}\n" }
    client.write(text)
    while ids.count < 500, let line = client.next() { ids.append(line["id"]?.integer ?? -1) }
    expect(ids, is: Array(0..<500))
  }

  @Test("A request without a number is performed and not answered")
  func notification() throws {
    let stage = try LiveStage(LiveStage.photos)
    let client = try stage.client()
    client.write(#"{"jsonrpc": "2.0", "method": "perform", "params": {"ref": "rate(stars: 2)"}}"# + "\n")
    client.write(#"{"jsonrpc": "2.0", "method": "nothing"}"# + "\n")
    expect(client.result("evaluate", #"{"line": "stars"}"#)["values"]?.written, is: "[2]")
    expect(client.lines.isEmpty)
  }

  @Test("L7: The revision rises if a snapshot differs from the last, and never otherwise")
  func revisions() throws {
    let stage = try LiveStage(LiveStage.photos)
    let client = try stage.client()
    func revision(_ method: String, _ parameters: String = "{}") -> Int {
      client.result(method, parameters)["revision"]?.integer ?? -1
    }
    expect(revision("hello") == 0 && revision("menus") == 1 && revision("menus") == 1)
    expect(revision("perform", #"{"ref": "rate(stars: 5)"}"#), is: 1, "nobody wanted a snapshot")
    expect(revision("hello") == 1 && revision("menus") == 2 && revision("menus") == 2)
    expect(revision("perform", #"{"ref": "rate(stars: 4)", "changes": true}"#), is: 3)
    expect(revision("subscribe", #"{"to": ["menus"]}"#), is: 3)
    expect(revision("perform", #"{"ref": "rate(stars: 5)"}"#), is: 4)
    expect(revision("perform", #"{"ref": "rate(stars: 5)"}"#), is: 4)
  }

  @Test("L7: changes come on request, and applying them to the old snapshot makes the new one")
  func changes() throws {
    let stage = try LiveStage(LiveStage.photos)
    let client = try stage.client()
    let reader = AnswerReader()
    let before = MenuElement(rootOf: try reader.menus(client.result("menus")["menus"]))
    let done = client.result("perform", #"{"ref": "rate(stars: 5)", "changes": true}"#)
    let changes = try reader.changes(done["changes"])
    expect(changes.map(\.id).sorted(), is: ["Image/Clear", "Image/Rate"])
    expect(before.applying(changes), is: stage.host.menus())
    expect(client.result("perform", #"{"ref": "rate(stars: 1)"}"#)["changes"], is: nil)
  }

  @Test("L10: Half a sequence of one client never completes another's, and a reload drops it")
  func strokes() throws {
    let stage = try LiveStage(LiveStage.photos + "\nstars = 3")
    let (one, other) = (try stage.client(), try stage.client())
    func press(_ client: Wire, _ keys: String) -> String {
      client.result("press", "{\"keys\": \"\(keys)\"}")["status"]?.text ?? ""
    }
    expect(press(one, "g"), is: "pending")
    expect(press(other, "c"), is: "unhandled")
    expect(stage.host.press("c").status, is: .unhandled)
    expect(press(one, "c"), is: "handled")
    expect(press(other, "g c"), is: "disabled")
    expect(press(one, "g"), is: "pending")
    stage.live.reloading = { () throws(Failure) in }
    expect(other.result("reload")["reloaded"], is: .bool(true))
    expect(press(one, "c"), is: "unhandled")
  }

  @Test("K12: The client that pressed a waiting key is notified of the key's action, and no other client")
  func keysThatWait() throws {
    let clock = TestClock()
    let stage = try LiveStage(
      """
      app.counts = true
      function app.on:down(ctx) return "down " .. ctx.count end
      app.keys = { g = { "down", wait = 0.5 }, ["g g"] = "top" }
      """, clock: clock)
    let (one, other) = (try stage.client(), try stage.client())
    expect(other.result("subscribe", #"{"to": ["outcomes"]}"#)["to"] != nil)
    expect(one.result("keys")["counts"], is: .bool(true))
    expect(one.result("press", #"{"keys": "4 g"}"#)["status"], is: .text("pending"))
    try stage.host.advance(by: .seconds(1))
    let told = one.notification("outcome")
    expect(told?["waited"] == .text("g") && told?["result"] == .text("down 4"), "\(String(describing: told))")
    expect(other.notification("outcome")?["do"]?["press"], is: .text("4 g"))
    expect(one.result("press", #"{"keys": "g g"}"#)["status"], is: .text("unhandled"))
    expect(other.result("press", #"{"keys": "x"}"#)["status"], is: .text("unhandled"))
    expect(other.notification("outcome")?["do"]?["press"], is: .text("g g"))
  }

  @Test("L13: Without evaluates no method runs lines")
  func withoutLines() throws {
    let stage = try LiveStage(LiveStage.photos)
    let client = try stage.client()
    expect(client.result("evaluate", #"{"line": "stars + 1"}"#)["values"]?.written, is: "[1]")
    stage.live.evaluates = false
    expect(
      client.ask("evaluate", #"{"line": "stars"}"#).error?.hasPrefix("-32601 there is no method 'evaluate'"), is: true)
    expect(client.result("hello")["methods"]?.list?.contains(.text("evaluate")), is: false)
  }

  @Test("L6: Each read-only method answers like the tool")
  func questions() throws {
    let stage = try LiveStage(LiveStage.photos)
    let client = try stage.client()
    expect(
      client.result("validate", #"{"refs": ["rate(stars: 0)", "fly"], "ids": ["Image/Rate"]}"#)["items"]?.list?
        .compactMap { $0["enabled"]?.bool }, is: [true, false, false])
    expect(client.result("why", #"{"ask": "r"}"#)["steps"]?.list?.first?["asked"], is: .text("key r"))
    expect(client.result("why", #"{"ask": "rate", "as": "ref"}"#)["enabled"], is: .bool(true))
    expect(client.result("chain")["chain"]?.written, is: #"[{"name": "app", "owner": "host"}]"#)
    expect(
      client.result("context", #"{"ref": "x(a: 1)"}"#)["context"]?.written,
      is: #"{"a": {"value": 1, "by": "arguments"}}"#
    )
    expect(client.result("keys")["keys"]?.list?.compactMap { $0["key"]?.text }, is: ["r", "g c"])
    expect(
      client.result("check")["diagnostics"] == .list([]) && client.result("diagnostics")["diagnostics"] == .list([]))
    expect(client.result("jobs")["jobs"] == .list([]) && client.result("plugins")["plugins"] == .list([]))
    expect(client.result("app")["app"]?["title"], is: .text("Photos"))
    expect(client.result("focus", #"{"name": "app"}"#)["focused"], is: .bool(true))
    expect(client.result("undo")["status"], is: .text("disabled"))
    expect(client.result("enter", #"{"phase": "active"}"#)["entered"] == .bool(true) && stage.host.phase == .active)
    expect(client.result("open_urls", #"{"urls": ["a:b"]}"#)["outcomes"]?.list?.first?["status"], is: .text("pending"))
    expect(client.result("context_menu", #"{"kind": "photo"}"#)["children"], is: .list([]))
    expect(client.result("cancel", #"{"job": 1}"#)["cancelled"], is: .bool(false))
  }

  @Test("L6: undo and redo take the same options as perform: a trace, and changes")
  func undoing() throws {
    let stage = try LiveStage(
      """
      menubar { menu "Edit" { item "Undo" { "undo" }, item "Redo" { "redo" } } }
      local page = responder "page" { n = 0 }
      function page.on:count(ctx) ctx:set(self, "n", self.n + 1) end
      focus(page)
      """)
    let client = try stage.client()
    _ = client.ask("perform", #"{"ref": "count"}"#)
    for (method, change) in [("undo", "it is undone"), ("redo", "it is done again")] {
      let done = client.result(method, #"{"trace": true, "changes": true}"#)
      expect(done["status"], is: .text("handled"), "\(change): \(done.written)")
      expect(done["trace"]?.list?.isEmpty == false && done["changes"]?.list?.isEmpty == false, "\(done.written)")
      expect(client.result(method)["trace"], is: nil, "it was not asked for")
    }
  }

  @Test("L6: 'undo' in an answer is the new entry's title, also if the history is full; an undo's answer has none")
  func undoable() throws {
    let stage = try LiveStage(
      """
      local page = responder "page" { n = 0, undo = { levels = 2 } }
      function page.on:count(ctx) ctx:set(self, "n", self.n + 1) ctx:undo("Count to " .. self.n, function() end) end
      focus(page)
      """)
    let client = try stage.client()
    for number in 1...4 {
      expect(client.result("perform", #"{"ref": "count"}"#)["undo"], is: .text("Count to \(number)"))
    }
    let undone = client.result("undo")
    expect(undone["status"] == .text("handled") && undone["undo"] == nil, "\(undone.written)")
    expect(client.result("redo")["undo"], is: .text("Count to 4"), "done again")
  }

  @Test("L6, L11: 'undo' of a waiting action is its own entry, also if another action places one meanwhile")
  func undoOfWaiting() throws {
    let clock = TestClock()
    let stage = try LiveStage(
      """
      local s = {}
      function app.on:slow(ctx) ctx:set(s, "a", 1, "Slow") sleep(1) end
      function app.on:fast(ctx) ctx:set(s, "a", 2, "Fast") end
      """, clock: clock)
    let (one, other) = (try stage.client(), try stage.client())
    let id = one.send("perform", #"{"ref": "slow", "wait": true}"#)
    expect(other.result("perform", #"{"ref": "fast"}"#)["undo"], is: .text("Fast"))
    try stage.host.advance(by: .seconds(2))
    stage.live.turn()
    expect(one.answer(to: id)["result"]?["undo"], is: .text("Slow"))
  }

  @Test("L8: Clients get the changes of a waiting action before its asker gets the answer")
  func changesBeforeAnswer() throws {
    let stage = try LiveStage(
      """
      local title = "Old"
      menubar { menu "M" { item "I" { "x", look = function() return { title = title } end } } }
      function app.on:x() sleep(1) title = "New" end
      """, clock: TestClock())
    let client = try stage.client()
    _ = client.ask("subscribe", #"{"to": ["menus"]}"#)
    let id = client.send("perform", #"{"ref": "x", "wait": true}"#)
    stage.live.turn()
    client.told = []
    try stage.host.advance(by: .seconds(2))
    let answer = client.answer(to: id)
    expect(client.told.contains { $0["method"] == .text("menus") && $0.written.contains("New") }, "\(client.told)")
    expect(answer["result"]?["revision"]?.integer, is: client.told.last?["params"]?["revision"]?.integer)
  }

  @Test("L6: An entry that merges with an earlier one is in 'undo' too; an entry in another history isn't")
  func undoableWhereTheFocusIs() throws {
    let stage = try LiveStage(
      """
      local page = responder "page" { undo = true }
      function page.on:type(ctx) ctx:undo("Typing", function() end, { coalesce = "typing" }) end
      local other = responder "other" { undo = true }
      function other.on:draw(ctx) ctx:undo("Drawing", function() end) end
      focus(page)
      """)
    let client = try stage.client()
    for _ in 1...3 { expect(client.result("perform", #"{"ref": "type"}"#)["undo"], is: .text("Typing")) }
    expect(client.result("undo_stack")["undo"], is: .list([.text("Typing")]), "all of it is one")
    let drawn = client.result("perform", #"{"ref": "draw", "to": "other"}"#)
    expect(drawn["status"] == .text("handled") && drawn["undo"] == nil, "\(drawn.written)")
  }

  /// A mail in two windows: 'rename' can be undone, 'send' and 'wait' can't.
  private static let mail = """
    mail = { title = "a" }
    local one, two = window "one", window "two"
    for _, w in ipairs { one, two } do
      w.on.rename = function(_, ctx) ctx:set(mail, w.name, ctx.to, "Rename") end
      function w.on:send() end
      function w.on:wait() sleep(1) end
      function w.on:waitAndRename(ctx) sleep(1) ctx:set(mail, "later", true, "Rename later") end
    end
    one.on.go = function() focus(two) end
    one.on.find = function() open_palette() end
    function one.on:look() end
    menubar { menu "M" { item "Send…" { "send", id = "send", key = "s" }, item "Undo" { "undo", key = "ctrl+z" } } }
    panel { section "rows" { items = function() return { "r" } end, id = function(r) return r end,
      row = function(r) return item(r) { "look" } end, current = "look" } }
    function app.on:look() end
    focus(one)
    """

  private static let passed = "'Send' can't be undone; undo again to take back 'Rename'"

  @Test("U15: A face's undo is refused once, with a reason, if the last action can't be undone; the next undo works")
  func passed() throws {
    for undo in [("perform", #""ref": "undo""#), ("press", #""keys": "ctrl+z""#), ("undo", #""trace": true"#)] {
      let stage = try LiveStage(Self.mail)
      let client = try stage.client()
      func undone() -> JSON { client.result(undo.0, "{\(undo.1), \"called\": \"Undo Rename\"}") }
      _ = client.result("perform", #"{"ref": "rename(to: b)", "called": "Rename"}"#)
      _ = client.result("pick", #"{"id": "send", "called": "Send"}"#)
      expect(stage.host.validate("undo").isEnabled, "it is drawn as before")
      let refused = undone()
      expect(refused["status"] == .text("disabled") && refused["reason"] == .text(Self.passed), "\(refused.written)")
      expect(stage.host.undoHistory.undo, is: ["Rename"])
      expect(undone()["status"], is: .text("handled"))
      expect(undone()["reason"], is: .text("there is nothing to undo"))
    }
  }

  @Test("U15: A program's undo is never held up, nor an undo after a rename, a redo or a move to a row")
  func notPassed() throws {
    let stage = try LiveStage(Self.mail)
    let client = try stage.client()
    func did(_ reference: String, _ called: String = #", "called": "Send""#) {
      _ = client.result("perform", "{\"ref\": \"\(reference)\"\(called)}")
    }
    func undone() -> JSON? { client.result("undo", #"{"called": "Undo"}"#)["status"] }
    did("rename(to: b)")
    did("send")
    expect(client.result("undo")["status"], is: .text("handled"), "a program says no 'called'")
    expect(client.result("redo")["status"], is: .text("handled"))
    expect(undone(), is: .text("handled"), "it was undone and redone since")
    did("rename(to: c)")
    did("send")
    did("rename(to: d)")
    expect(undone(), is: .text("handled"), "the last action can be undone")
    did("send", "")
    expect(undone(), is: .text("handled"), "no person did it")
    did("rename(to: e)")
    _ = client.result("choose", #"{"id": "r", "called": "r"}"#)
    expect(undone(), is: .text("handled"), "a row became current")
    did("rename(to: f)")
    did("send")
    did("go")
    expect(undone(), is: .text("disabled"), "nothing was done in the other window")
    did("rename(to: g)")
    stage.host.onWish = { _ in true }
    did("find")
    expect(undone(), is: .text("handled"), "it only opened the palette")
    did("rename(to: g)")
    expect(undone(), is: .text("handled"), "what was done in the other window doesn't count here")
    try stage.host.focus(try require(stage.host.find("one")))
    expect(undone(), is: .text("disabled"))
    expect(undone(), is: .text("handled"))
  }

  @Test("K10: Clients hear that the keys changed when the answer of a 'when' changes, and 'keys' says which are off")
  func conditions() throws {
    let stage = try LiveStage(
      """
      writes = false
      app.keys.x = { "go", when = function() return writes end }
      function app.on:go() end
      function app.on:turn() writes = not writes end
      function app.on:other() end
      """)
    let client = try stage.client()
    _ = client.result("subscribe", #"{"to": ["app"]}"#)
    func isOff() -> JSON? { client.result("keys")["keys"]?.list?.first?["off"] }
    expect(isOff(), is: .bool(true))
    _ = client.result("perform", #"{"ref": "turn"}"#)
    expect(client.notification("app")?["keys"], is: .bool(true))
    expect(isOff(), is: nil)
    _ = client.result("perform", #"{"ref": "other"}"#)
    _ = client.result("keys")
    expect(!client.toldNames.contains("app"))
  }

  @Test("L3: After the end of its parent's input a host answers waiting requests for ten seconds, and then ends")
  func endOfInput() throws {
    let stage = try LiveStage("function app.on:wait() sleep(60) end", clock: TestClock())
    let end = try stage.live.faceEnd()
    let descriptor = end.descriptor
    let client = LiveClient(at: end)
    _ = try client.send("perform", [("ref", .text("wait")), ("wait", .bool(true))])
    for _ in 0..<3 { stage.live.turn() }
    shutdown(descriptor, Int32(SHUT_WR))
    for _ in 0..<3 { stage.live.turn() }
    try stage.host.advance(by: .seconds(9))
    stage.live.turn()
    expect(!stage.live.isOver)
    try stage.host.advance(by: .seconds(2))
    stage.live.turn()
    expect(stage.live.isOver)
  }

  @Test("U15: A waiting action counts when it ends")
  func passedWaiting() throws {
    let stage = try LiveStage(Self.mail, clock: TestClock())
    let client = try stage.client()
    for (action, first) in [("wait", "disabled"), ("waitAndRename", "handled")] {
      _ = client.result("perform", #"{"ref": "rename(to: b)", "called": "Rename"}"#)
      _ = client.result("perform", "{\"ref\": \"\(action)\", \"called\": \"Wait\"}")
      try stage.host.advance(by: .seconds(1))
      stage.live.turn()
      expect(client.result("undo", #"{"called": "Undo"}"#)["status"], is: .text(first), "\(action)")
    }
  }

  @Test(
    "L11: The answer to a waiting action has its own undo entry and steps, none that others made meanwhile")
  func ownDeeds() throws {
    let stage = try LiveStage(
      """
      menubar { menu "A" { item "G" { "go" } } }
      local page = responder "page" { n = 0, undo = true }
      function page.on:go(ctx) ctx:set(self, "n", self.n + 1, "Going") end
      function page.on:fails(ctx) sleep(1) error("no") end
      function page.on:bakes(ctx) sleep(1) ctx:set(self, "n", 7, "Baking") end
      focus(page)
      """, clock: TestClock())
    let (one, other) = (try stage.client(), try stage.client())
    for (ref, undo) in [("fails", nil), ("bakes", "Baking")] as [(String, String?)] {
      one.write(
        #"{"jsonrpc": "2.0", "id": "w", "method": "perform", "params": {"ref": "\#(ref)", "wait": true, "trace": true}}"#
          + "\n")
      stage.turn(until: { stage.host.jobs.count == 1 })
      let picked = other.result("pick", #"{"id": "A/G", "trace": true}"#)
      expect(picked["undo"] == .text("Going") && picked["trace"]?.list?.isEmpty == false, "\(picked.written)")
      try stage.host.advance(by: .seconds(2))
      stage.turn(until: { stage.host.jobs.isEmpty })
      let ended = try require(one.next())["result"] ?? .null
      expect(ended["undo"]?.text, is: undo, "\(ended.written)")
      let asked = (ended["trace"]?.list ?? []).compactMap { $0["asked"]?.text }
      expect(asked.contains("perform \(ref)") && !asked.contains("perform go"), "\(asked)")
    }
  }

  @Test("L6: Each client picks from the context menu that it was shown")
  func ownContextMenus() throws {
    let stage = try LiveStage(
      """
      panel { section "p" { kind = "photo", items = { "a", "b" }, id = function(v) return v end,
        row = function(v) return item(v) { "open" } end } }
      function app.build:photo(m, v) m:insert_last("root", item "Delete" { "delete", args = { photo = v } }) end
      function app.on:open() end
      function app.on:delete(ctx) return "deleted " .. ctx.photo end
      """)
    let clients = [try stage.client(), try stage.client(), try stage.client()]
    for (client, id) in zip(clients, ["a", "b"]) { _ = client.result("context_menu", #"{"id": "\#(id)"}"#) }
    for _ in 1...2 {
      for (client, id) in zip(clients, ["a", "b"]) {
        expect(client.result("pick", #"{"id": "Delete"}"#)["result"], is: .text("deleted \(id)"))
      }
    }
    expect(clients[2].result("pick", #"{"id": "Delete"}"#)["status"], is: .text("failed"), "it was shown none")
    expect(clients[0].result("pick", #"{"id": "Delete"}"#)["result"], is: .text("deleted a"))
    clients[0].end()
    stage.live.turn()
    stage.live.turn()
    expect(clients[1].result("pick", #"{"id": "Delete"}"#)["result"], is: .text("deleted b"), "the other is gone")
  }

  @Test("L6, A13: A pick without 'args' shows the form of an action that needs nothing; any 'args' answer it")
  func formByItself() throws {
    let stage = try LiveStage(
      """
      app.takes.export = { note = { "string", optional = true } }
      app.about.export = { title = "Export", form = true }
      function app.on:export(ctx) return ctx.note or "none" end
      menubar { menu "M" { item "Export" { "export" } } }
      """)
    let client = try stage.client()
    let asked = client.result("pick", #"{"id": "M/Export"}"#)
    expect(asked["status"] == .text("asks") && asked["asks"]?["arguments"]?.list?.first?["key"] == .text("note"))
    expect(client.result("pick", #"{"id": "M/Export", "args": {}}"#)["result"], is: .text("none"))
    expect(client.result("pick", #"{"id": "M/Export", "args": {"note": "x"}}"#)["result"], is: .text("x"))
  }

  @Test("L6, A5: If making a row current asks, choosing it again answers")
  func chosen() throws {
    let stage = try LiveStage(
      """
      panel { section "p" { items = { 1 }, id = function(v) return "p" .. v end, current = "cur",
        row = function(v) return item("P" .. v) { "t" } end } }
      app.takes.cur = { q = { "integer" } }
      function app.on:cur(ctx) return ctx.q end
      """)
    let client = try stage.client()
    expect(client.result("choose", #"{"id": "p1"}"#)["status"], is: .text("asks"))
    expect(client.result("choose", #"{"id": "p1", "args": {"q": 3}}"#)["result"], is: .integer(3))
  }

  @Test(
    "L6, A12: form returns the fields after some answers and performs nothing: for a reference, an item, keys or a row",
    arguments: [#""ref": "book""#, #""id": "M/Book""#, #""keys": "b""#, #""row": "p1""#])
  func form(of what: String) throws {
    let stage = try LiveStage(
      """
      menubar { menu "M" { item "Book" { "book", key = "b" } } }
      panel { section "p" { items = { 1 }, id = function(v) return "p" .. v end, current = "book",
        row = function(v) return item("P" .. v) { "t" } end } }
      app.takes.book = {
        country = { one_of = { "CH", "FR" }, order = 1 },
        city = { one_of = function(_, ctx)
          return ({ CH = { "Bern" }, FR = { "Lyon" } })[ctx.country] or error("no country", 0)
        end, order = 2 },
      }
      done = 0
      function app.on:book() done = done + 1 end
      """)
    let client = try stage.client()
    func form(_ answers: String = "") -> JSON { client.result("form", "{\(what)\(answers)}") }
    expect(
      form().written,
      is: #"""
        {"fields": [{"key": "country", "type": "one_of", "one_of": ["CH", "FR"]}, {"key": "city", "type": "one_of", "error": {"message": "no country", "file": "app.lua", "line": 7, "owner": "app"}}], "enabled": true, "by": "app", "revision": 0}
        """#, "\(form().written)")
    expect(form(#", "args": {"country": "FR"}"#)["fields"]?.list?.last?["one_of"]?.written, is: #"["Lyon"]"#)
    let wrong = form(#", "args": {"country": "FR", "city": "Bern"}"#)
    expect(
      wrong["enabled"] == .bool(false) && wrong["argument"] == .text("city")
        && wrong["expected"] == .text("one of 'Lyon'"))
    expect(form(#", "args": {"country": "FR", "city": "Lyon"}"#)["enabled"], is: .bool(true))
    try expect(stage.value("done"), is: "integer(0)")
    expect(
      client.ask("form", #"{"ref": "a", "id": "b"}"#).error,
      is: "-32602 'form' needs one of 'ref', 'id', 'keys' and 'row'")
    expect(client.ask("form", #"{"id": "M/Boook"}"#).error?.contains("there is no element 'M/Boook'"), is: true)
    expect(client.ask("form", #"{"row": "p9"}"#).error?.contains("there is no element 'p9'"), is: true)
  }

  @Test("L6, A6: 'asked' beside 'confirmed' is the answered question; a changed question needs a new yes")
  func asked() throws {
    let stage = try LiveStage(
      """
      count = 1
      function app.confirm:delete() return "Delete " .. count .. "?" end
      function app.on:delete() return count end
      app.keys.d = "delete"
      """)
    let client = try stage.client()
    expect(client.result("press", #"{"keys": "d"}"#)["asks"]?["confirm"], is: .text("Delete 1?"))
    _ = try stage.value("(function() count = 2 end)()")
    let yes = #""confirmed": true, "asked": "Delete 1?""#
    expect(client.result("press", #"{"keys": "d", \#(yes)}"#)["asks"]?["confirm"], is: .text("Delete 2?"))
    expect(client.result("perform", #"{"ref": "delete", \#(yes)}"#)["status"], is: .text("asks"))
    expect(
      client.result("press", #"{"keys": "d", "confirmed": true, "asked": "Delete 2?"}"#)["result"], is: .integer(2))
  }

  @Test("L6: With 'title' the answer has the title of an action without an item, as of its beginning")
  func titles() throws {
    let stage = try LiveStage(
      """
      n = 1
      app.about.a = "An action"
      function app.on:a() n = n + 1 end
      function app.look:a() return { title = n > 1 and "Action " .. n or nil } end
      function app.on:b() end
      app.keys = { a = "a", ["g a"] = "a" }
      """)
    let client = try stage.client()
    expect(client.result("press", #"{"keys": "a", "title": true}"#)["title"], is: .text("An action"))
    _ = client.result("press", #"{"keys": "g", "title": true}"#)
    expect(client.result("press", #"{"keys": "a", "title": true}"#)["title"], is: .text("Action 2"))
    expect(client.result("perform", #"{"ref": "x.a", "title": true}"#)["title"], is: .text("Action 3"))
    expect(client.result("perform", #"{"ref": "b", "title": true}"#)["title"], is: nil)
    expect(client.result("perform", #"{"ref": "a"}"#)["title"], is: nil)
  }

  @Test("L6: Any number, 1001 names and very long lines are answered")
  func extremes() throws {
    let stage = try LiveStage(LiveStage.photos)
    let client = try stage.client()
    _ = client.result("menus")
    for number in [Int.min, Int.min + 1, -1, 0, 3, .max] {
      expect(client.ask("pick", #"{"number": \#(number)}"#).error?.contains("there is no item \(number)"), is: true)
    }
    let names = Array(repeating: #""Image/Rate""#, count: 1001).joined(separator: ", ")
    expect(
      client.ask("validate", #"{"ids": [\#(names)]}"#).error,
      is: "-32602 'validate' takes 1000 names at most, and these are 1001")
    let large = try LiveStage(
      """
      local t = ("x"):rep(4000)
      local one, l = item(t) { "go", subtitle = t, icon = t, enabled = t, args = { a = t } }, {}
      for i = 1, 4000 do l[i] = one end
      menubar { menu "A" (l) }
      """)
    try expect(
      large.client().ask("menus").error?.hasPrefix(
        "-32001 an answer can have 64 MiB at most, and this one would have "), is: true)
    let line = String(repeating: "a.", count: 200_000)
    expect(client.result("complete", #"{"line": "\#(line)"}"#)["candidates"], is: .list([]))
    // Ids come back unchanged.
    for id in ["12345678901234567890", "1e2", "-0"] {
      client.write(#"{"jsonrpc": "2.0", "id": \#(id), "method": "jobs"}"# + "\n")
      stage.turn(until: {
        client.read()
        return !client.lines.isEmpty
      })
      expect(
        client.rawLines.last?.hasPrefix(#"{"jsonrpc": "2.0", "id": \#(id), "#), is: true,
        "\(client.rawLines.last ?? "")")
      _ = client.next()
    }
  }

  @Test("A7: No client sees a secret in a malformed reference; clients do see a pick's modifiers")
  func unreadSecrets() throws {
    let stage = try LiveStage(
      """
      app.takes.rate = { s = { "string", secret = true } }
      function app.on:rate() end
      menubar { menu "A" { item "x" { "rate", alternates = { alt = item "y" { "other" } } } } }
      function app.on:other() return "other" end
      """)
    let (client, listener) = (try stage.client(), try stage.client())
    _ = listener.result("subscribe", #"{"to": ["outcomes"]}"#)
    _ = client.ask("perform", #"{"ref": "rate(s: hunter7"}"#)
    _ = client.ask("pick", #"{"id": "A/x", "modifiers": ["alt"]}"#)
    let told = [listener.next(), listener.next()].map { $0?.written ?? "" }
    expect(told.allSatisfy { !$0.contains("hunter7") }, "\(told)")
    expect(told[1].contains(#""do": {"pick": "A/x", "modifiers": ["alt"]}"#), "\(told)")
  }

  @Test(
    "L6: A pick by number counts the last snapshot's items, and is refused with a reason if 'of' is another revision"
  )
  func numbers() throws {
    let stage = try LiveStage(LiveStage.photos + "\nstars = 3\npanel { item 'Row' { 'rate(stars: 4)' } }")
    let client = try stage.client()
    expect(
      client.ask("pick", #"{"number": 1}"#).error,
      is: "-32602 no menus were sent yet to count items in: request 'menus' first")
    let revision = client.result("menus")["revision"]?.integer ?? 0
    expect(client.result("pick", #"{"number": 1, "of": \#(revision)}"#)["action"], is: .text("Image/Rate"))
    let refused = client.result("pick", #"{"number": 1, "of": \#(revision)}"#)
    expect(
      refused["status"] == .text("disabled")
        && refused["reason"]
          == .text("the menus have changed since revision 1, so number 1 may be another item: it is 2 now")
    )
    expect(client.result("pick", #"{"number": 2, "of": 2}"#)["result"], is: .integer(0))
    expect(client.result("pick", #"{"number": 3}"#)["action"], is: .text("Row"), "rows stand behind the items")
    for (parameters, message) in [
      (#"{"number": 4}"#, "there is no item 4: the last menus that were sent have 3"),
      (#"{"number": 0}"#, "there is no item 0: the last menus that were sent have 3"),
      (#"{"number": 1, "id": "Image/Rate"}"#, "'pick' takes an 'id' or a 'number', not both"),
      (#"{"id": "Image/Rate", "of": 2}"#, "'of' of 'pick' needs a 'number'"),
      ("{}", "'pick' needs 'id', a string, or 'number', a whole number"),
    ] { expect(client.ask("pick", parameters).error, is: "-32602 \(message)") }
  }

  @Test("L6: Only a row of a section with a kind has a context menu, requested by the row's id")
  func contextMenus() throws {
    let stage = try LiveStage(
      """
      panel { section "s" { kind = "photo", items = { "Pier" }, id = function(p) return p end,
        row = function(p) return item(p) { "open" } end } }
      menubar { menu "M" { item "A" { "open" } } }
      function app.build:photo(m, photo) m:insert_last("root", item("Rate " .. photo) { "rate" }) end
      function app.on:rate() return "rated" end
      """)
    let client = try stage.client()
    expect(client.result("context_menu", #"{"id": "Pier"}"#)["children"]?.list?.first?["title"], is: .text("Rate Pier"))
    expect(client.result("pick", #"{"id": "Rate Pier"}"#)["status"], is: .text("handled"))
    for (parameters, message) in [
      (#"{"id": "M/A"}"#, "'M/A' has no context menu: it is no row of a section with a 'kind'"),
      (#"{"id": "Peer"}"#, "there is no element 'Peer'; did you mean 'Pier'?"),
      ("{}", "'context_menu' needs 'kind', or the 'id' of a row"),
    ] { expect(client.ask("context_menu", parameters)["error"]?["message"], is: .text(message)) }
  }
}
