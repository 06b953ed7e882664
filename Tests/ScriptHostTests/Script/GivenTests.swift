import Expectations
import Testing

@testable import ScriptHost

/// A call's values, read by a handler whose code names its fields, and by one that passes its context on.
@Suite("The values that a call passes")
struct GivenTests {
  private static let script = """
    local far = responder "far"
    local near = responder "near" { next = far }
    function far:provide(ctx) ctx.a, ctx.b, ctx.c = "far", "far", "far" end
    local function text(list)
      local keys = {}
      for key in pairs(list) do keys[#keys + 1] = tostring(key) .. "=" .. tostring(list[key]) end
      table.sort(keys)
      return table.concat(keys, ",")
    end
    function near.on:known(ctx)
      local sender = ctx.sender
      return tostring(ctx.a) .. tostring(ctx.b) .. tostring(ctx.c) .. " " .. text(ctx.args) .. " " .. text(ctx.modifiers)
        .. " " .. tostring(sender.name or sender.id) .. " " .. ctx.raw .. " " .. tostring(ctx.subject)
    end
    local function show(ctx)
      return tostring(ctx.a) .. tostring(ctx.b) .. tostring(ctx.c) .. " " .. text(ctx.args) .. " " .. text(ctx.modifiers)
        .. " " .. tostring(ctx.sender.name or ctx.sender.id) .. " " .. ctx.raw .. " " .. tostring(ctx.subject)
    end
    near.on["handed-on"] = function(self, ctx) return show(ctx) end
    function near.on:both(ctx) return ctx.sender.name or ctx.sender.id end
    function near.on:early(ctx) ctx.a = "written" return tostring(ctx.a) .. text(ctx.args) end
    function near.on:slow(ctx) sleep(1) return tostring(ctx.a) .. " " .. tostring(ctx.sender.name) .. " " .. text(ctx.args) end
    function near.can:passes(ctx) return pass end
    function near.on:passes(ctx) return "never" end
    function far.on:passes(ctx) return tostring(ctx.a) .. " " .. tostring(ctx.sender.name) .. " " .. text(ctx.args) end
    function near.on:unread() return pass end
    function far.on:unread(ctx) return tostring(ctx.a) .. " " .. tostring(ctx.sender.name) end
    focus(near)
    """

  private func options(_ change: (inout PerformOptions) -> Void) -> PerformOptions {
    var options = PerformOptions()
    change(&options)
    return options
  }

  private let item = Sender.item(id: "file.x", title: "X", action: "known", key: nil)

  @Test("C1: A handler reads the same values of a call, whether or not its code names the fields")
  func same() throws {
    let host = try ScriptStage(Self.script).host
    let all: [(PerformOptions, String)] = [
      (options { _ in }, "argfarfar a=arg  app %(a: arg) nil"),
      (options { $0.info = ["a": "info", "b": "info"] }, "arginfofar a=arg  app %(a: arg) nil"),
      (options { $0.arguments = ["b": "given"] }, "arggivenfar a=arg,b=given  app %(a: arg) nil"),
      (
        options {
          $0.arguments = ["a": "given", "c": "given"]
          $0.info = ["c": "info", "b": "info"]
        }, "giveninfogiven a=given,c=given  app %(a: arg) nil"
      ),
      (options { $0.arguments = ["a": .null] }, "nilfarfar   app %(a: arg) nil"),
      (options { $0.sender = .responder("far") }, "argfarfar a=arg  far %(a: arg) nil"),
      (options { $0.sender = item }, "argfarfar a=arg  file.x %(a: arg) nil"),
      (options { $0.modifiers = ["shift", "alt"] }, "argfarfar a=arg alt=true,shift=true app %(a: arg) nil"),
      (options { $0.subject = .integer(3) }, "argfarfar a=arg  app %(a: arg) 3"),
      (
        options { $0.arguments = ["sender": "me", "raw": "mine"] },
        "argfarfar a=arg,raw=mine,sender=me  app %(a: arg) nil"
      ),
    ]
    for (options, expected) in all {
      for action in ["known", "handed-on"] {
        for _ in 0..<2 {
          let outcome = host.perform("\(action)(a: arg)", options)
          expect(outcome.result.shownText, is: expected.replacing("%", with: action), "\(outcome.line)")
        }
      }
    }
  }

  @Test("C1: A handler reads the program's values beside those of a call")
  func besideTheProgram() throws {
    let host = try ScriptStage("function app.on:x(ctx) return #ctx.list .. tostring(ctx.n) end").host
    host["list"] = .list([.integer(1), .integer(2)])
    for _ in 0..<3 {
      expect(host.perform("x", options { $0.info = ["n": 7] }).result.shownText, is: "27")
      expect(host.perform("x", options { $0.sender = item }).result.shownText, is: "2nil")
    }
  }

  @Test("C9: The host's names win over the program's values, always, and a diagnostic reports it")
  func hostNamesOfTheProgram() throws {
    let script = "function app.on:x(ctx) return tostring(ctx.sender) .. ctx.action .. tostring(ctx.list ~= nil) end"
    let host = try ScriptStage(script).host
    for isOdd in [false, true] {
      host["sender"] = "me"
      host["action"] = .list([])
      host["raw"] = .null
      expect(
        host.takeDiagnostics().map(\.message),
        is: ["sender", "action"].map {
          "'host' supplies '\($0)', a name of the host, so nobody can read it: choose another name"
        })
      host["list"] = isOdd ? .list([]) : .null
      for _ in 0..<3 { expect(host.perform("x").result.shownText, is: "app 'app'x\(isOdd)") }
      expect(host["sender"].isNull && host.takeDiagnostics().isEmpty)
    }
  }

  @Test("C5: No value of a call is left in the next, nor in a nested one")
  func nothingLeft() throws {
    let host = try ScriptStage(Self.script).host
    let given = options {
      $0.arguments = ["b": "given"]
      $0.sender = .responder("far")
    }
    expect(host.perform("early(a: arg)", given).result.shownText, is: "writtena=arg,b=given")
    expect(host.perform("early(a: arg)").result.shownText, is: "writtena=arg")
    expect(host.perform("both", given).result.shownText == "far" && host.perform("both").result.shownText == "app")
  }

  @Test("C1: A handler that waits, and one reached by another's pass, have the call's values")
  func later() throws {
    let host = try ScriptStage(Self.script).host
    let given = options {
      $0.arguments = ["a": "given"]
      $0.sender = .responder("far")
    }
    // The second time there is a plan.
    for _ in 0..<2 {
      expect(host.perform("slow", given, wait: true).result.shownText, is: "given far a=given")
      expect(host.perform("passes", given).result.shownText, is: "given far a=given")
      expect(host.perform("unread", given).result.shownText, is: "given far")
      expect(host.perform("unread", options { $0.sender = .responder("near") }).result.shownText, is: "far near")
      expect(host.perform("unread", options { $0.info = ["sender": "me"] }).result.shownText, is: "far app")
    }
  }

  @Test("C3: Validating an item calls each provider once, also if the first responder passes")
  func askedOnce() throws {
    let stage = try ScriptStage(
      """
      local n = 0
      local far = responder "far"
      local near = responder "near" { next = far }
      function near:provide(ctx) n = n + 1 ctx.n = n end
      function near.can:x(ctx) return pass end
      function near.on:x() end
      function far.can:x(ctx) return ctx.n % 2 == 1 and ctx.a == "given", tostring(ctx.n) .. tostring(ctx.a) end
      function far.on:x() end
      function near.can:y(ctx) return false, tostring(ctx.n) .. tostring(ctx.a) end
      function near.on:y() end
      function app.unknown() end
      focus(near)
      """)
    let host = stage.host
    let given = options { $0.arguments = ["a": "given"] }
    expect(host.validate("x", given).isEnabled && host.validate("x", given).reason == "2given")
    expect(host.validate("y", given).reason == "3given" && host.validate("y").reason == "4nil")
    expect(host.validate("nobody").reason?.contains("catch-all") == true && host.perform("nobody").status == .handled)
  }

  @Test("C6: Picking an item with its own look calls each provider once to validate it, and once to do it")
  func ownLook() throws {
    let host = try ScriptStage(
      """
      local n = 0
      function app:provide(ctx) n = n + 1 ctx.n = n end
      function app.can:x(ctx) return true end
      function app.on:x(ctx) return tostring(ctx.n) end
      menubar { menu "M" { item "X" { "x", id = "x", look = function(ctx) return { subtitle = tostring(ctx.n) } end } } }
      """
    ).host
    expect(host.pick("x").result.shownText, is: "2")
    expect(host.pick("x").result.shownText, is: "4")
  }

  @Test("O1: An observer gets the fields that it reads, or all fields if its code doesn't name them")
  func observed() throws {
    let stage = try ScriptStage(
      """
      function app.on:x(ctx) return 1 end
      said = {}
      observe("x", function(event) said[#said + 1] = event.stage .. " " .. tostring(event.by) end)
      observe("x", function(event)
        local keys = {}
        for key in pairs(event) do keys[#keys + 1] = key end
        table.sort(keys)
        said[#said + 1] = table.concat(keys, " ")
      end)
      observe("x", function(event) said[#said + 1] = event.args.n .. " " .. tostring(event.outcome and event.outcome.result) end)
      function app.on:show() return table.concat(said, "; ") end
      """)
    expect(stage.host.perform("x(n: 5)").status, is: .handled)
    expect(
      stage.host.perform("show").result.shownText,
      is: "will app; action args by raw sender stage; 5 nil; did app; action args by outcome raw sender stage; 5 1")
  }
}
