import Expectations
import ScriptHost
import Testing

@testable import LiveHost

/// A7: No client sees a secret.
@Suite("Secrets that no client sees") struct SecretTests {
  private func masked(_ json: JSON, _ values: Value...) -> String {
    var secrets = Secrets()
    for value in values { secrets.keep(value) }
    return json.told(without: secrets, inWords: false).written
  }

  @Test("A7: A fraction is secret too, as a number and in a text, and so is each value and name in a table")
  func kinds() {
    let result = JSON.object([("result", .list([.number(0.125), .text("pin 0.125"), .number(0.5), .text("0.1")]))])
    expect(masked(result, .number(0.125)), is: #"{"result": [{"$": "secret"}, {"$": "secret"}, 0.5, "0.1"]}"#)
    // In Lua's notation.
    expect(masked(.text("it is 0.33333333333333"), .number(1.0 / 3)), is: #"{"$": "secret"}"#)
    let table = Value.object([("sesame", .object([("at", .list([.text("noon")]))]))])
    expect(
      masked(.list([.text("at noon"), .text("sesame"), .text("open")]), table),
      is: ##"[{"$": "secret"}, {"$": "secret"}, "open"]"##)
  }

  @Test("A7: Among any secrets, the host finds those that are in a text")
  func finding() {
    var random = SystemRandomNumberGenerator()
    func word(_ most: Int) -> String {
      String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 1...most, using: &random)).map { _ in "ab é0_".unicodeScalars.randomElement()! }))
    }
    for _ in 0..<2000 {
      let texts = (0..<Int.random(in: 0...12, using: &random)).map { _ in word(6) }
      var secrets = Secrets()
      for text in texts { secrets.keep(.text(text)) }
      let text = word(30)
      let isPart = texts.contains { secret in
        Array(text.utf8).indices.contains { Array(text.utf8)[$0...].starts(with: Array(secret.utf8)) }
      }
      expect(secrets.areIn(text, asPart: true), is: isPart, "\(texts) in '\(text)'")
    }
  }

  @Test("A7, S11: Ten thousand secrets don't hold up ten thousand texts")
  func manyTexts() {
    var secrets = Secrets()
    for number in 0..<9900 { secrets.keep(.text("secret-number-\(number)")) }
    let texts = JSON.list((0..<10_000).map { .text("secret-number-x \($0)") })
    let began = ContinuousClock.now
    expect(texts.value(without: secrets) == texts)
    expect(ContinuousClock.now - began < .seconds(8))
  }

  @Test("A7: A secret list that a script gives is masked like one that a client gives")
  func list() throws {
    let stage = try LiveStage(
      """
      app.takes.login = { pw = { "string", many = true, secret = true } }
      function app.on:login() end
      function app.on:lists() return app:perform("login", { pw = { "hunter-44", nil, "x-1" } }).status end
      function app.on:echo() return "say hunter-44" end
      function app.on:number() return "number 3" end
      """, clock: TestClock())
    let client = try stage.client()
    _ = client.ask("subscribe", #"{"to": ["outcomes"]}"#)
    let other = try stage.client()
    _ = other.ask("perform", #"{"ref": "lists"}"#)
    _ = client.notification("outcome")
    _ = other.ask("perform", #"{"ref": "echo"}"#)
    expect(client.notification("outcome")?["result"], is: .object([("$", .text("secret"))]))
    // The list has a gap, so its places are names; they are no secrets.
    _ = other.ask("perform", #"{"ref": "number"}"#)
    expect(client.notification("outcome")?["result"], is: .text("number 3"))
  }

  @Test("A7: In scripts' values no name is the host's; outside of them the protocol's names stay")
  func names() {
    let told = JSON.object([
      ("status", .text("handled")), ("job", .integer(7)),
      ("result", .object([("status", .text("sesame")), ("n", .integer(1))])),
    ])
    expect(
      masked(told, .text("sesame"), .text("handled"), .integer(7)),
      is: #"{"status": "handled", "job": 7, "result": {"status": {"$": "secret"}, "n": 1}}"#)
    let named = JSON.object([("result", .object([("sesame", .integer(1))])), ("sesame", .integer(2))])
    expect(masked(named, .text("sesame")), is: #"{"result": {"$": "secret"}, "sesame": 2}"#)
  }

  @Test(
    "A7: A secret that equals the host's own words and numbers doesn't hide them; scripts' texts and values are hidden")
  func ownOfHost() {
    let asks = JSON.object([
      (
        "asks",
        .object([
          ("number", .integer(1)), ("title", .text("Rate n")),
          (
            "arguments",
            .list([
              .object([
                ("key", .text("n")), ("type", .text("integer")), ("title", .text("n")), ("from", .integer(1)),
                ("to", .integer(5)), ("default", .integer(1)), ("lines", .integer(1)),
              ]),
              .object([
                ("key", .text("o")), ("type", .text("one_of")), ("one_of", .list([.text("n"), .text("up")])),
                ("suggest", .list([.integer(1), .integer(2)])), ("proposal", .text("n")),
                ("default", .object([("$", .text("function"))])),
              ]),
            ])
          ),
        ])
      ),
      ("diagnostic", .object([("severity", .text("error")), ("message", .text("an error"))])),
    ])
    expect(
      masked(asks, .text("n"), .integer(1), .text("error"), .text("function")),
      is: #"{"asks": {"number": 1, "title": {"$": "secret"}, "arguments": ["#
        + #"{"key": "n", "type": "integer", "title": {"$": "secret"}, "from": 1, "to": 5, "default": {"$": "secret"}, "lines": 1}, "#
        + #"{"key": "o", "type": "one_of", "one_of": [{"$": "secret"}, "up"], "suggest": [{"$": "secret"}, 2], "#
        + #""proposal": {"$": "secret"}, "default": {"$": "function"}}]}, "#
        + #""diagnostic": {"severity": "error", "message": {"$": "secret"}}}"#)
    let changes = JSON.object([
      ("change", .text("move")), ("id", .text("n")), ("parent", .text("n")), ("after", .text("n")),
    ])
    expect(masked(changes, .text("n")), is: changes.written)
  }

  @Test(
    "A7, A10: A question can be answered after secrets that equal its keys, numbers and bounds", arguments: ["n", "1"])
  func questionsStay(secret: String) throws {
    let stage = try LiveStage(
      """
      app.takes.unlock = { pin = { "any", secret = true } }
      function app.on:unlock() end
      function app.on:rate() return ask { title = "Rate", takes = { n = { "integer", from = 1, to = 5 } } }.n end
      """)
    let client = try stage.client()
    _ = client.ask("subscribe", #"{"to": ["jobs"]}"#)
    expect(client.result("perform", #"{"ref": "unlock(pin: \#(secret))"}"#)["status"], is: .text("handled"))
    _ = client.ask("perform", #"{"ref": "rate"}"#)
    let asks = client.told.compactMap { $0["params"]?["asks"] }.first ?? .null
    expect(
      asks.written,
      is: #"{"number": 1, "title": "Rate", "arguments": [{"key": "n", "type": "integer", "from": 1, "to": 5}]}"#)
    let job = client.result("jobs")["jobs"]?.list?.first ?? .null
    expect(job["asks"] == asks && job["job"] == .integer(1))
    client.told = []
    expect(client.result("answer", #"{"job": 1, "number": 1, "args": {"n": 4}}"#)["answered"], is: .bool(true))
  }

  @Test("A7: If there are more secrets than the host keeps, every possible secret is masked", arguments: [true, false])
  func tooMany(areLong: Bool) {
    var secrets = Secrets()
    let long = String(repeating: "x", count: 1 << 20)
    for number in 0...(areLong ? 16 : 10_000) { secrets.keep(.text("\(areLong ? long : "")secret \(number)")) }
    let told = JSON.object([
      ("status", .text("handled")), ("message", .text("any")), ("result", .list([.integer(5), .bool(true)])),
    ])
    expect(
      told.told(without: secrets, inWords: false).written,
      is: #"{"status": "handled", "message": {"$": "secret"}, "result": [{"$": "secret"}, true]}"#)
    expect(told.told(without: secrets, inWords: true)["message"]?.text, is: "secret")
    expect("a line of Lua".without(all: secrets), is: "secret")
  }

  @Test(
    "A7: In a sentence only a whole word is a short secret; in a value a part of a word may be"
  )
  func short() {
    let reason = JSON.text("select a photo first")
    expect(masked(reason, .text("e")) == reason.written && masked(reason, .text("a")) == #"{"$": "secret"}"#)
    expect(
      masked(.text("pin 125"), .integer(12)) == #""pin 125""# && masked(.text("photo"), .text("phot")) != #""photo""#)
    let result = JSON.object([("result", .list([.text("x125"), .object([("x12", .integer(1))])]))])
    expect(masked(result, .integer(12)), is: #"{"result": [{"$": "secret"}, {"$": "secret"}]}"#)
    var secrets = Secrets()
    secrets.keep(.integer(12))
    let told = JSON.object([("text", .text("x12, 12")), ("result", .list([.text("x12"), .text("no 12")]))])
    expect(
      told.told(without: secrets, inWords: true).written,
      is: #"{"text": "x12, secret", "result": [{"$": "secret"}, "no secret"]}"#)
  }

  @Test("A7: If a value is nested too deep to read, only that value is masked")
  func nested() {
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    let written = #"{"action": "x, \"y\"", "result": \#(deep), "do": {"args": {"a": ["b", {}]}}, "n": 1}"#
    expect(
      JSON.readMembers(written.utf8).written,
      is: #"{"action": "x, \"y\"", "result": {"$": "secret"}, "do": {"args": {"a": ["b", {}]}}, "n": 1}"#)
    expect(JSON.readMembers("{}".utf8).written, is: "{}")
  }

  @Test("A7: Progress, undo titles and diagnostics show no client a secret, in answers and notifications")
  func texts() throws {
    let stage = try LiveStage(
      """
      app.takes.log_in = { pw = { "string", secret = true } }
      function app.on:log_in(ctx)
        ctx:undo("logging in with " .. ctx.pw, function() end)
        after(0, function() error("refused " .. ctx.pw) end)
      end
      app.takes.wait = { pw = { "string", secret = true } }
      function app.on:wait(ctx) progress(0.5, "sending " .. ctx.pw) sleep(100) end
      menubar { menu "Edit" { item "Undo" { "undo" } } }
      """)
    let (asker, other) = (try stage.client(), try stage.client())
    _ = other.ask("subscribe", #"{"to": ["jobs", "diagnostics", "outcomes", "menus"]}"#)
    let done = asker.ask("perform", #"{"ref": "log_in(pw: sesame)"}"#)
    expect(done["result"]?["undo"]?.text, is: "logging in with secret", "\(done.written)")
    _ = asker.ask("perform", #"{"ref": "wait(pw: sesame)"}"#)
    stage.turn(until: { !stage.host.diagnostics.isEmpty }, within: 2)
    expect(stage.host.diagnostics.contains { $0.message.contains("sesame") })
    for method in ["jobs", "diagnostics", "undo_stack", "menus"] {
      let answer = other.ask(method, "{}").written
      expect(answer.contains(" secret") && !answer.contains("sesame"), "\(method): \(answer)")
    }
    let told = other.told.map(\.written).joined()
    for text in ["refused secret", "sending secret", "Undo logging in with secret"] {
      expect(told.contains(text), "\(told)")
    }
    expect(!told.contains("sesame"), "\(told)")
  }

  @Test("A7: An outcome with arguments nested as deep as a request may be is sent complete")
  func nestedOutcome() throws {
    let stage = try LiveStage(
      """
      app.takes.log_in = { pw = { "string", secret = true } }
      function app.on:log_in() end
      function app.on:x() end
      """)
    let client = try stage.client()
    _ = client.ask("subscribe", #"{"to": ["outcomes"]}"#)
    _ = client.ask("perform", #"{"ref": "log_in(pw: sesame)"}"#)
    client.told = []
    let deep = String(repeating: "[", count: 124) + String(repeating: "]", count: 124)
    _ = client.ask("perform", #"{"ref": "x", "args": {"a": \#(deep)}}"#)
    stage.turn(
      until: {
        client.read(); return !client.told.isEmpty
      }, within: 1)
    expect(client.told.first?["params"]?["action"]?.text, is: "x", "\(client.told.map(\.written))")
  }
}

@Test(
  "A host continues when its live host is gone: prints, logs, warnings and secrets harm nobody"
)
func hostOutlives() throws {
  let host = ScriptHost(clock: TestClock())
  try host.load(
    text: """
      app.takes.x = { pw = { "string", secret = true } }
      function app.on:x(ctx) print("p") log("l") progress(0.5, "on") sleep(1) progress(0.7, "on") end
      menubar { menu "M" { item "I" { "x" } } }
      """, name: "app.lua")
  var printed: [String] = []
  host.onPrint = { printed.append($0) }
  var live: LiveHost? = LiveHost(host)
  let client = LiveClient(at: try require(live).faceEnd())
  _ = try client.send("subscribe", [("to", .list(["jobs", "log", "focus", "app", "diagnostics"].map { .text($0) }))])
  _ = try client.send("perform", [("ref", .text("x(pw: sesame)"))])
  live?.turn()
  live = nil
  expect(printed, is: ["p"])
  try host.advance(by: .seconds(2))
  host.perform("x(pw: again)")
  _ = host.menus()
  expect(printed, is: ["p", "p"])
}
