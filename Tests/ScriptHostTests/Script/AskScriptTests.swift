import Expectations
import Testing

@testable import ScriptHost

@Suite("Questions in the middle of an action")
struct AskScriptTests {
  static let app = """
    function app.on:leave() return ask { title = "Leave", confirm = "Leave the room?" } end
    app.takes.trip = {}
    function app.on:trip()
      local answers, why = ask {
        title = "A trip", help = "Where to?",
        takes = {
          country = { one_of = { "CH", "FR" }, order = 1 },
          city = { one_of = function(_, ctx) return ctx.country == "FR" and { "Lyon" } or { "Bern" } end, order = 2 },
          nights = { "integer", from = 1, default = 2 },
        },
      }
      if not answers then return why or "at home" end
      return answers.city .. ", " .. answers.nights
    end
    function app.on:quick() return "quick" end

    """

  @Test("A10: The action waits for the answer, and everything else continues")
  func waits() throws {
    let stage = try ScriptStage(Self.app)
    let outcome = stage.host.perform("trip")
    let job = try require(outcome.job)
    expect(outcome.status == .running && stage.perform("quick") == "handled by app via on → text(\"quick\")")
    let question = try require(job.asks)
    expect(stage.host.questions.count == 1 && stage.host.questions[0] === question)
    expect(question.title == "A trip" && question.help == "Where to?" && question.confirm == nil)
    expect(question.question.arguments.map(\.key), is: ["country", "city", "nights"])
    try expect(question.answer(["country": "FR", "city": "Lyon"]))
    expect(job.outcome == nil, "it goes on when the host is run")
    stage.host.run()
    expect(job.outcome?.line, is: "handled by app via on → text(\"Lyon, 2\")")
    expect(stage.host.questions.isEmpty && job.asks == nil)
  }

  @Test("A10: A confirmation returns true, or nil if the person refuses")
  func confirmation() throws {
    let stage = try ScriptStage(Self.app)
    for (isYes, result) in [(true, "handled by app via on → bool(true)"), (false, "handled by app via on")] {
      let job = try require(stage.host.perform("leave").job)
      let question = try require(job.asks)
      expect(question.confirm == "Leave the room?" && question.question.arguments.isEmpty)
      if isYes { try question.answer() } else { question.refuse() }
      stage.host.run()
      expect(job.outcome?.line, is: result)
    }
  }

  @Test("A10: An answer that doesn't fit, or is missing, is refused with its reason, and the question stays open")
  func misfits() throws {
    let stage = try ScriptStage(Self.app)
    let job = try require(stage.host.perform("trip").job)
    let question = try require(job.asks)
    func refusal(_ answers: Arguments) -> String? {
      do throws(Misfit) {
        try question.answer(answers)
        return nil
      } catch { return error.reason }
    }
    expect(refusal(["country": "DE"]), is: "'country' must be one of 'CH', 'FR', not 'DE'")
    expect(refusal(["country": "CH", "city": "Lyon"]), is: "'city' must be one of 'Bern', not 'Lyon'")
    expect(refusal(["country": "CH"]), is: "'city' is missing: one of 'Bern'")
    expect(refusal(["country": "CH", "town": "Bern"])?.hasPrefix("'trip' takes no 'town'") ?? false)
    expect(job.asks === question)
    expect(
      refusal(["country": "CH", "city": "Bern", "nights": 0]), is: "'nights' must be an integer of 1 or more, not 0")
    expect(refusal(["country": "CH", "city": "Bern", "nights": 3]), is: nil)
    expect(refusal(["country": "nowhere"]), is: nil, "the first answer counts")
    stage.host.run()
    expect(job.outcome?.result.shownText, is: "Bern, 3")
  }

  @Test("A10, A12: The fields of the form see the answers so far; drawing the form answers nothing")
  func form() throws {
    let stage = try ScriptStage(Self.app)
    let job = try require(stage.host.perform("trip").job)
    let question = try require(job.asks)
    let form = question.form(answers: ["country": "FR"])
    expect(form.fields.first { $0.key == "city" }?.expected, is: "one of 'Lyon'")
    expect(form.validation.misfit?.argument == "city" && !form.validation.isEnabled)
    expect(question.form(answers: ["country": "FR", "city": "Lyon"]).validation.isEnabled && job.asks === question)
  }

  @Test("A11: If nobody can answer, ask returns nil and the reason; a driver that waits for the action gives up")
  func nobody() throws {
    let stage = try ScriptStage(Self.app, clock: SystemClock())
    expect(stage.perform("trip"), is: "handled by app via on → text(\"nobody can be asked\")")
    stage.host.onQuestion = { _ in false }
    let waiting = try require(stage.host.perform("trip").job)
    stage.host.run()
    expect(waiting.outcome?.result.shownText, is: "nobody can be asked")
    expect(stage.host.perform("trip", wait: true).result.shownText, is: "nobody can be asked")
    var asked: [String] = []
    stage.host.onQuestion = { question in
      asked.append(question.title ?? "")
      return (try? question.answer(["country": "CH", "city": "Bern"])) ?? false
    }
    expect(stage.host.perform("trip", wait: true).result.shownText == "Bern, 2" && asked == ["A trip"])
  }

  @Test("A11: A test answers in advance, in order; without an answer ask waits under wait = false, else returns nil")
  func tests() throws {
    let stage = try ScriptStage(Self.app)
    let lines = try stage.host.begin(
      line: """
        (function()
          app:answer { country = "FR", city = "Lyon" }
          app:answer(false)
          local first, second, third = app:perform("trip"), app:perform("trip"), app:perform("leave")
          local waiting = app:perform("trip", nil, { wait = false })
          local asks = waiting.job.asks
          local ok, why = pcall(waiting.job.answer, waiting.job, { country = "FR" })
          waiting.job:answer { country = "FR", city = "Lyon", nights = 9 }
          return first.result, second.result, third.status .. tostring(third.result), waiting.status, asks.title, asks.arguments[1].key, why,
            waiting.job:wait().result, tostring(waiting.job:answer(true))
        end)()
        """, name: "line")
    _ = stage.host.wait(for: lines)
    let values = try require(try lines.result?.get())
    let shown = values.map { $0.shownText ?? "\($0)" }
    expect(
      shown,
      is: [
        "Lyon, 2", "at home", "handlednil", "running", "A trip", "country", "'city' is missing: one of 'Lyon'",
        "Lyon, 9",
        "false",
      ], "\(shown)")
  }

  @Test("A10: ask raises where waiting is impossible, and reports what is wrong with its table")
  func misuse() throws {
    try expect(
      """
      function app.can:x() return pcall(ask, { confirm = "?" }) end
      function app.on:x() end
      function app.on:go()
        print(app:validate("x").reason)
        fails(ask)
        fails(ask, {})
        fails(ask, { takes = {} })
        fails(ask, { tittle = "x", confirm = "?" })
        fails(ask, { takes = { n = "intger" } })
        fails(ask, { takes = { n = { "integer", min = 1 } } })
        fails(ask, { confirm = 7 })
        fails(function() app:answer("x") end)
        fails(coroutine.wrap(function() ask { confirm = "?" } end))
      end
      """,
      prints: """
        'ask' is not possible here: the host only asks this function, so it must not change anything
        ask takes a table: ask { takes = { name = "string" } } or ask { confirm = "Go on?" }
        a question needs 'takes', 'confirm' or both
        a question needs 'takes', 'confirm' or both
        a question has no field 'tittle'; did you mean 'title'?
        takes.n has an unknown type 'intger'; did you mean 'integer'?
        takes.n has no field 'min'; did you mean 'from'?
        'confirm' of a question must be a string, not a number
        app.lua:12: answer takes a table of answers, true or false, not a string
        app.lua:13: a coroutine that a script made can't wait: only the action itself can
        """)
  }

  @Test("A10: Cancelling an action withdraws its question; a later answer has no effect")
  func withdrawn() throws {
    let stage = try ScriptStage(Self.app)
    let job = try require(stage.host.perform("leave").job)
    let question = try require(job.asks)
    job.cancel()
    expect(job.outcome?.status == .cancelled && stage.host.questions.isEmpty)
    try expect(!question.answer() && !question.refuse())
  }

  @Test("A10: The title of a plugin's question names the plugin")
  func plugin() throws {
    let stage = try PluginStage(
      [
        "p/plugin.lua":
          "plugin { name = 'helper', version = '1.0.0' } function app.on:leave() return ask { title = 'Leave', confirm = 'Leave?' } end"
      ],
      app: "function app.on:stay() end")
    try stage.load("p")
    expect(stage.host.perform("leave").job?.asks?.title, is: "helper: Leave")
  }

  @Test("A10: An owner may have 100 open questions")
  func bounded() throws {
    let stage = try ScriptStage(
      "for n = 1, 101 do app.on['leave' .. n] = function() return ask { confirm = 'Leave?' } end end")
    for n in 1...100 { _ = stage.host.perform("leave\(n)") }
    expect(stage.host.questions.count, is: 100)
    expect(
      stage.host.perform("leave101").error?.message, is: "'app' has 100 open questions already, and that is the limit")
    stage.host.questions[0].refuse()
    expect(stage.host.perform("leave101").status, is: .running)
  }

  @Test("A10: If an action is refused after a question, its earlier changes are taken back, as after any wait")
  func undo() throws {
    let stage = try ScriptStage(
      """
      name = "a"
      function app.on:rename(ctx)
        ctx:set(_ENV, "name", "b")
        local answers = ask { takes = { name = "string" } }
        if not answers then ctx:refuse("you said no") end
        ctx:set(_ENV, "name", answers.name)
      end
      """)
    let job = try require(stage.host.perform("rename").job)
    job.asks?.refuse()
    stage.host.run()
    let name = try stage.host.evaluate("name").first?.shownText
    expect(job.outcome?.reason == "you said no" && name == "a")
  }
}
