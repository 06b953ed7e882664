import Expectations
import Glibc
import LiveHost
import ScriptHost
import Testing

@testable import Assistant

private let files = """
  app.title = "Files"
  gone, asked = 0, "Delete it?"
  app.confirm.delete = function() return asked end
  app.takes.delete = { name = { "string", optional = true } }
  function app.on:delete() gone = gone + 1 return gone end
  app.takes.copy = { to = "string", how = { one_of = { "deep", "flat" } }, deep = { "boolean", optional = true } }
  function app.on:copy(ctx) return ctx.to .. " " .. ctx.how end
  app.takes.unlock = { code = { "string", secret = true } }
  function app.on:unlock() return "open" end
  function app.on:change() asked = "Delete all of it?" end
  function app.on:gone() return gone end
  """

private let forms = #"{"elicitation": {"form": {}}}"#

/// Calls `delete` without a session. Returns the `requestState` of the question.
private func stateOfDelete(_ stage: AssistantStage, _ arguments: String = "{}") throws -> String {
  let line = AssistantStage.line(
    1, "tools/call", #""name": "delete", "arguments": \#(arguments)"#, capabilities: forms)
  let answer = try require(stage.say(line).last)
  expect(answer["result"]?["resultType"]?.text, is: "input_required")
  let form = answer["result"]?["inputRequests"]?["confirm"]
  expect(form?["method"]?.text, is: "elicitation/create")
  expect(form?["params"]?["message"]?.text, is: "Delete it?")
  expect(form?["params"]?["requestedSchema"]?["properties"]?.members?.count, is: 1)
  return try require(answer["result"]?["requestState"]?.text)
}

/// Sends the person's answer.
private func comeBack(
  _ stage: AssistantStage, _ state: String, tool: String = "delete", arguments: String = "{}",
  answer: String = #"{"action": "accept", "content": {"yes": true}}"#
) -> JSON {
  let members =
    #""name": "\#(tool)", "arguments": \#(arguments), "requestState": "\#(state)", "inputResponses": {"confirm": \#(answer)}"#
  return stage.say(AssistantStage.line(2, "tools/call", members, capabilities: forms)).last ?? .null
}

private func gone(_ stage: AssistantStage) -> Int? {
  stage.call("gone")["result"]?["structuredContent"]?["result"]?.integer
}

@Test("Z4: Without a session a question is input_required, and the answer comes with its sealed state")
func sealedQuestion() throws {
  let stage = try AssistantStage(files)
  let state = try stateOfDelete(stage)
  expect(gone(stage), is: 0)
  expect(comeBack(stage, state).status, is: "handled")
  expect(gone(stage), is: 1)
}

@Test("Z4: A sealed state is good once")
func replayed() throws {
  let stage = try AssistantStage(files)
  let state = try stateOfDelete(stage)
  expect(comeBack(stage, state).status, is: "handled")
  expect(comeBack(stage, state).code, is: -32602)
  expect(gone(stage), is: 1)
}

@Test("Z4: A sealed state that is altered, belongs to other arguments or comes too late is refused")
func altered() throws {
  let stage = try AssistantStage(files)
  let state = try stateOfDelete(stage)
  let altered = (state.hasPrefix("0") ? "1" : "0") + state.dropFirst()
  expect(comeBack(stage, altered).code, is: -32602)
  expect(comeBack(stage, state, arguments: #"{"name": "all"}"#).code, is: -32602)
  expect(comeBack(stage, state).code, is: -32602, "a refused try uses it up")
  let other = try stateOfDelete(stage)
  expect(comeBack(stage, other, tool: "change").code, is: -32602)
  let late = try stateOfDelete(stage)
  stage.pass(SealedQuestions.patience)
  expect(comeBack(stage, late).code, is: -32602)
  expect(gone(stage), is: 0)
}

@Test(
  "Z4: A no, no answer and an unticked box do nothing",
  arguments: [
    (#"{"action": "decline"}"#, "the person said no"), (#"{"action": "cancel"}"#, "the person gave no answer"),
    (#"{"action": "accept", "content": {"yes": false}}"#, "the person said no"),
    (#"{"action": "accept"}"#, "the person said no"),
    ("5", "the person gave no answer"),
  ])
func declined(answer: String, reason: String) throws {
  let stage = try AssistantStage(files)
  let refused = comeBack(stage, try stateOfDelete(stage), answer: answer)
  expect(refused.isRefused && refused.said == "'delete' was not done: \(reason).", "\(refused.said)")
  expect(gone(stage), is: 0)
}

@Test("Z4: A yes answers the question that the person read; a changed question needs a new yes")
func otherQuestion() throws {
  let stage = try AssistantStage(files)
  let state = try stateOfDelete(stage)
  stage.call("change")
  let again = comeBack(stage, state)
  expect(again["result"]?["resultType"]?.text, is: "input_required")
  expect(again["result"]?["inputRequests"]?["confirm"]?["params"]?["message"]?.text, is: "Delete all of it?")
  expect(gone(stage), is: 0)
}

@Test(
  "Z4: In a session an elicitation asks the person, in either revision", arguments: ["2025-11-25", "2025-06-18"])
func elicitation(revision: String) throws {
  let stage = try AssistantStage(files)
  stage.initialize(revision)
  let question = stage.call("delete", id: 3)
  expect(question["method"]?.text, is: "elicitation/create")
  expect(question["params"]?["mode"]?.text, is: (revision == "2025-11-25" ? "form" : nil))
  let yes = #"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"yes": true}}}"#
  let done = try require(stage.say(yes).first)
  expect(done["id"]?.integer == 3 && done.status == "handled")
  expect(stage.say(yes).isEmpty, "an answer counts once")
  expect(gone(stage), is: 1)
  stage.call("delete", id: 4)
  let error = #"{"jsonrpc": "2.0", "id": "ask-2", "error": {"code": -1, "message": "no"}}"#
  expect(stage.say(error).first?.isRefused, is: true)
  expect(gone(stage), is: 1)
}

@Test("Z4: Cancelling a call withdraws its question")
func withdrawn() throws {
  let stage = try AssistantStage(files)
  stage.initialize()
  stage.call("delete", id: 3)
  let told = stage.say(#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}"#)
  expect(told.first?["params"]?["requestId"]?.text, is: "ask-1")
  stage.say(#"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"yes": true}}}"#)
  expect(gone(stage), is: 0)
}

@Test("Z4, A12: A question waits for the values that a field may have")
func awaitedValues() throws {
  let stage = try AssistantStage(
    """
    app.takes.go = { branch = { one_of = function() sleep(0.1) return { "main", "next" } end } }
    function app.on:go(ctx) return ctx.branch end
    """)
  stage.initialize()
  let schema = stage.call("go")["params"]?["requestedSchema"]
  expect(schema?["properties"]?["branch"]?["enum"]?.list?.compactMap(\.text), is: ["main", "next"])
}

@Test("Z4: An elicitation names the action, and requests missing arguments from the person, with their types")
func arguments() throws {
  let stage = try AssistantStage(files)
  stage.initialize()
  let question = stage.call("copy", #"{"to": "there"}"#)
  expect(
    question["params"]?["message"]?.text,
    is: "An assistant wants to do “copy”, and asks for: how\nThe assistant gives to: \"there\".")
  let schema = question["params"]?["requestedSchema"]
  expect(schema?["properties"]?["how"]?["enum"]?.list?.compactMap(\.text), is: ["deep", "flat"])
  expect(schema?["required"]?.list?.compactMap(\.text), is: ["how"])
  let answer = #"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"how": "flat"}}}"#
  expect(stage.say(answer).first?["result"]?["structuredContent"]?["result"]?.text, is: "there flat")
}

@Test(
  "Z4: A client that can't ask is refused, and the action doesn't run",
  arguments: [nil, "{}", #"{"elicitation": {"url": {}}}"#])
func cannotAsk(capabilities: String?) throws {
  let stage = try AssistantStage(files)
  let line = AssistantStage.line(
    1, "tools/call", #""name": "delete", "arguments": {"confirmed": true}"#, capabilities: capabilities)
  expect(stage.say(line).last?.isRefused, is: true)
  let plain = AssistantStage.line(2, "tools/call", #""name": "delete""#, capabilities: capabilities)
  let refused = try require(stage.say(plain).last)
  expect(refused.said.hasPrefix("'delete' was not done: it asks the person “Delete it?”"), "\(refused.said)")
  expect(gone(stage), is: 0)
}

@Test("Z4: The server neither requests a secret nor accepts one")
func secrets() throws {
  let stage = try AssistantStage(files)
  stage.initialize()
  let asked = stage.call("unlock")
  expect(asked.isRefused && asked.said.contains("needs the secret 'code'"), "\(asked.said)")
  let given = stage.call("unlock", #"{"code": "1234"}"#)
  expect(given.isRefused && given.said.contains("'code' is a secret"), "\(given.said)")
  expect(!JSONText.text(given).contains("1234"), "A7: \(JSONText.text(given))")
}

@Test("Z4: A secret isn't taken through menuctl.perform either")
func secretsOfLargeApps() throws {
  let many = "for i = 1, 200 do app.on['act' .. i] = function() end end"
  let stage = try AssistantStage("\(files)\n\(many)")
  stage.initialize()
  let given = stage.call("menuctl.perform", #"{"action": "unlock", "arguments": {"code": "1234"}}"#)
  expect(given.isRefused && given.said.contains("'code' is a secret"), "\(given.said)")
  expect(!JSONText.text(given).contains("1234"), "A7: \(JSONText.text(given))")
}

@Test("Z4: A secret of any responder isn't taken, even of one that got the focus after the tools were listed")
func secretsAfterFocus() throws {
  let stage = try AssistantStage(
    """
    local a, b = responder "a", responder "b"
    a.takes.login = { name = "string" }
    function a.on:login(ctx) return "a " .. ctx.name end
    function app.on:move()
      b.takes.login = { code = { "string", secret = true } }
      function b.on:login(ctx) return "b " .. ctx.code end
      focus(b)
    end
    focus(a)
    """)
  expect(stage.call("login", #"{"name": "1"}"#).said.contains("a 1"))
  stage.call("move")
  let given = stage.call("login", #"{"code": "1"}"#)
  expect(given.isRefused && given.said.contains("'code' is a secret"), "\(given.said)")
}

@Test("Z4: A person confirms the question of a menu's item before the assistant does the same")
func questionOfItem() throws {
  let stage = try AssistantStage(
    """
    wiped = 0
    menubar { menu "Disk" { item "Wipe" { "wipe(all: true)", confirm = "Really wipe all?" } } }
    function app.on:wipe(ctx) wiped = wiped + 1 return wiped end
    """)
  stage.initialize()
  expect(stage.call("wipe", #"{"all": false}"#, id: 3)["result"]?["structuredContent"]?["result"]?.integer, is: 1)
  let question = stage.call("wipe", #"{"all": true}"#, id: 4)
  expect(question["params"]?["message"]?.text, is: "Really wipe all?\nThe assistant gives all: true.", "\(question)")
  let yes = #"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"yes": true}}}"#
  expect(stage.say(yes).first?["result"]?["structuredContent"]?["result"]?.integer, is: 2)
}

@Test("Z4: Items and rows of the panel ask the assistant's person, too, also rows that the host makes by number")
func questionOfRow() throws {
  let stage = try AssistantStage(
    """
    menubar { menu "M" { item "Other" { "wipe(what: zero)" } } }
    panel { stack {
      pane "p" { section "rows" { items = { "one", "two" }, id = function(v) return v end,
        row = function(v) return item(v) { "wipe", args = { what = v }, confirm = "Wipe " .. v .. "?" } end },
        item "Burn" { "burn", confirm = "Burn everything?" } },
      pane "q" { section "many" { count = 1000, value = function(i) return i end,
        row = function(i) return item("Row " .. i) { "drop", args = { n = i }, confirm = "Drop " .. i .. "?" } end } } } }
    function app.on:wipe(ctx) return ctx.what end
    function app.on:burn() return "burnt" end
    function app.on:drop(ctx) return ctx.n end
    """)
  stage.initialize()
  func asked(_ tool: String, _ arguments: String = "{}", id: Int) -> String? {
    stage.call(tool, arguments, id: id)["params"]?["message"]?.text
  }
  expect(asked("wipe", #"{"what": "two"}"#, id: 3), is: "Wipe two?\nThe assistant gives what: \"two\".")
  let yes = #"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"yes": true}}}"#
  expect(stage.say(yes).first?["result"]?["structuredContent"]?["result"]?.text, is: "two")
  expect(asked("burn", id: 4), is: "Burn everything?")
  expect(asked("drop", #"{"n": 1}"#, id: 5), is: "Drop 1?\nThe assistant gives n: 1.")
  expect(asked("drop", #"{"n": 900}"#, id: 6) != nil, "nobody has made this row, but it is of the same section")
  expect(stage.call("wipe", #"{"what": "zero"}"#).status, is: "handled")
}

@Test(
  "Z4: An argument that is missing or spelt in another way doesn't evade the question of an item",
  arguments: [
    ("five", "{}", true), ("five", #"{"count": 5}"#, true), ("five", #"{"count": 5.0}"#, true),
    ("five", #"{"count": "5"}"#, true), ("five", #"{"count": null}"#, true), ("five", #"{"count": 5, "x": 1}"#, true),
    ("five", #"{"count": 6}"#, false), ("five", #"{"count": "six"}"#, false), ("whole", #"{"count": 5.0}"#, true),
    ("whole", #"{"count": 4}"#, false), ("usual", "{}", true), ("usual", #"{"count": 4}"#, false),
    ("other", "{}", false), ("flag", #"{"all": 1}"#, true), ("flag", #"{"all": "yes"}"#, true),
    ("flag", #"{"all": false}"#, false), ("object", #"{"it": 3}"#, true), ("list", #"{"of": ["1", 2.0]}"#, true),
    ("list", #"{"of": [1]}"#, false),
  ])
func spelling(action: String, arguments: String, isAsked: Bool) throws {
  let stage = try AssistantStage(
    """
    app.takes.whole = { count = "integer" }
    app.takes.usual = { count = { "integer", default = 5 } }
    app.takes.other = { count = { "integer", default = 4 } }
    local one = responder "one"
    menubar { menu "M" {
      item "A" { "five(count: 5)", confirm = "Sure?" }, item "B" { "whole(count: 5)", confirm = "Sure?" },
      item "C" { "usual(count: 5)", confirm = "Sure?" }, item "D" { "other(count: 5)", confirm = "Sure?" },
      item "E" { "flag(all: true)", confirm = "Sure?" }, item "F" { "object", args = { it = one }, confirm = "Sure?" },
      item "G" { "list(of: [1, 2])", confirm = "Sure?" },
    } }
    for _, name in ipairs { "five", "whole", "usual", "other", "flag", "object", "list" } do
      app.on[name] = function() return "done" end
    end
    """)
  stage.initialize()
  let answer = stage.call(action, arguments)
  // Arguments that don't fit the schema of the items do nothing either.
  let asks = answer["params"]?["message"]?.text?.hasPrefix("Sure?") ?? false
  expect(isAsked ? asks || answer.isRefused : !asks, "\(answer)")
}

@Test("Z4: The question of an item that has come since the last list of tools counts")
func questionSince() throws {
  let stage = try AssistantStage(
    """
    local isMore = false
    menubar { menu "M" { section "s" { items = function() return isMore and { 1, 2 } or {} end,
      id = function(v) return "s" .. v end,
      row = function(v) return item("Drop " .. v) { "drop", args = { n = v }, confirm = "Drop " .. v .. "?" } end } } }
    function app.on:drop(ctx) return ctx.n end
    function app.on:more() after(0.01, function() isMore = true app:rebuild() end) end
    """)
  stage.initialize()
  stage.say(AssistantStage.line(1, "tools/list"))
  expect(stage.call("drop", #"{"n": 1}"#, id: 2).status, is: "handled")
  stage.call("more", id: 3)
  usleep(50_000)
  expect(
    stage.call("drop", #"{"n": 1}"#, id: 5)["params"]?["message"]?.text, is: "Drop 1?\nThe assistant gives n: 1.")
}

@Test("S16, S12: A question to the person shows the invisible characters and line ends of the assistant's text")
func visibleQuestion() throws {
  let stage = try AssistantStage(
    """
    function app.on:delete() return "deleted" end
    app.confirm.delete = function(self, ctx) return "Delete " .. ctx.path .. "?" end
    app.takes.move = { path = "string", to = { one_of = function(_, ctx) return { ctx.path, "b" } end } }
    function app.on:move(ctx) return ctx.to end
    function app.on:burn(ctx) return ask { title = "Burn", confirm = ctx.path } and "burnt" or "kept" end
    """)
  stage.initialize()
  let path = #"{"path": "x?\n\nAgreed. \u202egpj\u200b\u200d"}"#
  let shown = #"x?\n\nAgreed. \u{202E}gpj\u{200B}\u{200D}"#
  func lines(_ message: JSON) -> [Substring]? { message["params"]?["message"]?.text?.split(separator: "\n") }
  let given = #"The assistant gives path: "x?\n\nAgreed. \u202egpj\u200b\u{200D}"."#
  expect(lines(stage.call("delete", path, id: 3)), is: ["Delete \(shown)?", given[...]])
  let yes = #"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"yes": true}}}"#
  expect(stage.say(yes).first?.status, is: "handled", "the person has confirmed the app's question")
  let choices = stage.call("move", path, id: 4)["params"]?["requestedSchema"]?["properties"]?["to"]?["enum"]
  expect(choices?.list?.compactMap(\.text), is: [shown, "b"])
  let line = AssistantStage.line(5, "tools/call", #""name": "burn", "arguments": \#(path)"#)
  expect(stage.ask(line).last.flatMap(lines), is: ["Burn", shown[...], given[...]])
}

@Test("Z4, Z5: Cancelling a call that was answered with a question of its action ends the action")
func cancelledQuestion() throws {
  let stage = try AssistantStage(
    "function app.on:burn() return ask { confirm = 'Burn it?' } and 'burnt' or 'kept' end")
  let capable = #"{"elicitation": {}}"#
  let line = AssistantStage.line(1, "tools/call", #""name": "burn""#, capabilities: capable)
  expect(stage.ask(line).last?["result"]?["resultType"]?.text, is: "input_required")
  let again = AssistantStage.line(2, "tools/call", #""name": "burn""#, capabilities: capable)
  expect(stage.say(again).first?.said.hasPrefix("'burn' can't be done now: running"), is: true)
  stage.say(#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}"#)
  let third = AssistantStage.line(3, "tools/call", #""name": "burn""#, capabilities: capable)
  expect(stage.ask(third).last?["result"]?["resultType"]?.text, is: "input_required")
}

@Test("Z4: A secret that an action asks for in the middle is named, and the action is cancelled")
func secretInTheMiddle() throws {
  let stage = try AssistantStage(
    "function app.on:login() return ask { takes = { code = { 'string', secret = true } } } and 'in' or 'out' end")
  stage.initialize()
  let answer = stage.ask(AssistantStage.line(3, "tools/call", #""name": "login""#)).last
  expect(
    answer?.said,
    is:
      "'login' was cancelled: it asks the person for the secret 'code', which this client can't show. The person can do it in the app."
  )
}

@Test("Z4, S16: A question quotes names of arguments that aren't names, and isn't asked beside too many arguments")
func oddArguments() throws {
  let stage = try AssistantStage("app.confirm.pay = 'Pay?' function app.on:pay() end")
  stage.initialize()
  let odd = #"{"amount: 1, to: ann): x": 0, "": 1, "to": "bob"}"#
  expect(
    stage.call("pay", odd)["params"]?["message"]?.text,
    is: #"Pay?\#nThe assistant gives "amount: 1, to: ann): x": 0, "": 1, to: "bob"."#)
  let many = (0..<21).map { #""k\#($0)": \#($0)"# }.joined(separator: ", ")
  let refused = stage.call("pay", "{\(many)}", id: 8)
  expect(refused.isRefused && refused.said.contains("can see 20 arguments at most"), "\(refused.said)")
}
