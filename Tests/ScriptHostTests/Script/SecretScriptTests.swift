import Expectations
import Testing

@testable import ScriptHost

@Suite("Secret arguments stay secret")
struct SecretScriptTests {
  private static let app = """
    app.takes.login = { user = "string", pw = { "string", secret = true } }
    function app.on:login(ctx) return #ctx.pw end
    menubar { menu "M" {
      item "Written" { "login(user: a, pw: xyzzy)", key = "ctrl+l" },
      item "Given" { "login", args = { user = "a", pw = "xyzzy" } },
    } }
    panel { item "Row" { "login(user: c, pw: xyzzy)" } }
    function app.build:thing(m) m:insert_last("root", item "Context" { "login(user: d, pw: xyzzy)" }) end
    app.keys = { p = { "nosuch", "login(user: b, pw: xyzzy)" } }

    """

  @Test("A7: Secrets in items and keys appear in no snapshot and no list, and their actions still work")
  func shown() throws {
    let host = try ScriptStage(Self.app).host
    let written = "login(user: a, pw: {\"$\": secret})"
    expect(host.item("M/Written")?.action, is: written)
    expect(host.item("M/Given")?.arguments["pw"] == .secret && host.item("M/Given")?.arguments["user"] == .text("a"))
    expect(host.keys().map(\.reference), is: ["nosuch", written])
    expect(host.keys()[0].others, is: ["login(user: b, pw: {\"$\": secret})"])
    let context = host.contextMenu("thing")
    for text in ["\(host.menus())", "\(host.keys())", "\(context)"] { expect(!text.contains("xyzzy")) }
    expect(!(try host.why(keys: "p").text).contains("xyzzy"))
    expect(host.why(item: "M/Written")?.text.contains("xyzzy"), is: false)
    for id in ["M/Written", "M/Given", "Row", "Context"] {
      let outcome = host.pick(id)
      expect(outcome.result.shownInteger, is: 5, "\(id): \(outcome)")
    }
    expect(host.press("p").result.shownInteger, is: 5)
  }

  @Test("A7: The context of a reference shows its secrets as secret")
  func context() throws {
    let stage = try ScriptStage(
      Self.app + """
        function app.on:go()
          local known = app:context("login(user: a, pw: xyzzy)")
          print(known.user, known.pw["$"])
        end
        """)
    expect(stage.perform("go").hasPrefix("handled") && stage.takePrinted() == ["a\tsecret"])
    let shown = try stage.host.context("login(user: a, pw: xyzzy)").first { $0.key == "pw" }
    expect(shown?.value.shown == Value(.secret).shown && shown?.by == "arguments")
  }

  @Test("A7: No look sees a secret, nor does a function of another argument")
  func looks() throws {
    let stage = try ScriptStage(
      """
      local function told(ctx) return tostring(ctx.p) .. " " .. ctx.raw .. " " .. tostring(ctx.args.p) end
      app.takes.login = {
        p = { "string", secret = true },
        site = { one_of = function(self, ctx) print("one_of", told(ctx)) return { "a" } end },
        by = { "string", default = function(self, ctx) print("default", told(ctx)) return "x" end },
      }
      function app.can:login(ctx) return ctx.p == "xyzzy", "who?" end
      function app.look:login(ctx) print("look", told(ctx), ctx.sender.action) end
      function app.on:login(ctx) return ctx.p .. ctx.by end
      menubar { menu "M" {
        item "C" { "login(p: xyzzy)", can = function(ctx) return #ctx.p == 5, "too short" end, look = function() return {} end },
        item "L" { "login(p: xyzzy, site: a)", look = function(ctx) print("own", told(ctx)) return { subtitle = "s" } end },
      } }
      """)
    expect(stage.host.item("M/L")?.isEnabled == true && stage.host.item("M/C")?.isEnabled == true)
    let printed = Set(
      stage.takePrinted().map { String($0.prefix { $0 != "\t" }) + ($0.contains("xyzzy") ? " sees it" : "") })
    expect(printed, is: ["look", "own", "one_of"])
    expect(stage.host.pick("M/L").result.shownText, is: "xyzzyx")
    expect(!stage.takePrinted().joined().contains("xyzzy"))
    let form = stage.host.form("login", answers: ["p": "xyzzy"])
    expect(form.fields.map(\.key).contains("p") && !stage.takePrinted().joined().contains("xyzzy"))
  }

  @Test("A7: Observers see no secret in the sender either")
  func sender() throws {
    let stage = try ScriptStage(
      Self.app + "observe('login', function(e) print(e.stage, e.sender.action, e.raw) end)")
    expect(stage.host.pick("M/Written").status, is: .handled)
    let told = "login(user: a, pw: {\"$\": secret})"
    expect(stage.takePrinted(), is: ["will\t\(told)\t\(told)", "did\t\(told)\t\(told)"])
  }

  @Test("A7: The host passes each secret value to its secret hearers, from any caller")
  func told() throws {
    let stage = try ScriptStage(
      Self.app + "function app.on:go() return app:perform('login', { user = 'e', pw = 'plugh' }).result end")
    var secrets: [String] = []
    let stop = stage.host.secretHearers.add { if case .text(let text) = $0 { secrets.append(text) } }
    expect(stage.host.perform("go").result.shownInteger, is: 5)
    expect(stage.host.press("p").status, is: .handled)
    expect(Set(secrets) == ["plugh", "xyzzy"] && stage.host.secretNames == ["pw"])
    // Also if it was performed before the hearer came.
    stop()
    for _ in 0..<2 { expect(stage.host.pick("M/Written").status, is: .handled) }
    secrets = []
    stage.host.secretHearers.add { if case .text(let text) = $0 { secrets.append(text) } }
    expect(stage.host.pick("M/Written").status == .handled && !secrets.isEmpty)
  }

  @Test("A7: A malformed reference may have a secret too: its error shows the text without it")
  func unreadable() throws {
    let secret = try ScriptStage("app.takes.login = { pw = { 'string', secret = true } } function app.on:login() end")
    expect(secret.host.perform("login(pw: hunter2").error?.text, is: "login(…")
    let open = try ScriptStage("function app.on:login() end")
    expect(open.host.perform("login(pw: hunter2").error?.text, is: "login(pw: hunter2")
  }
}
