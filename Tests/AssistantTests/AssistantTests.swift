import Expectations
import Glibc
import LiveHost
import ScriptHost
import Testing

@testable import Assistant

/// An app with everything that an assistant may meet: conditions, arguments, questions, secrets, undo and waiting
/// actions.
private let notes = """
  app.title = "Notes"
  lines, secret = {}, nil
  menubar {
    menu "Edit" {
      item "Add" { "add", key = "a" },
      item "Clear" { "clear", destructive = true },
      item "By Name" { "sort(by: name)" },
      item "By Age" { "sort(by: age)" },
    },
  }
  app.takes.add = { text = "string", times = { "integer", from = 1, to = 9, default = 1 } }
  app.about.add = { title = "Add", help = "adds a line to the notes" }
  function app.on:add(ctx)
    lines[#lines + 1] = ctx.text
    ctx:undo("Add", function() lines[#lines] = nil end)
    return #lines
  end
  function app.can:clear() return #lines > 0, "there are no lines" end
  app.confirm.clear = "Delete all lines?"
  function app.on:clear() lines = {} end
  function app.on:sort(ctx) return ctx.by end
  app.takes.unlock = { code = { "string", secret = true } }
  function app.on:unlock() secret = true end
  function app.on:patient(ctx) ctx:undo("Wait", "restore") end
  function app.on:restore() sleep(0.01) end
  function app.on:slow() progress(0.5, "half") sleep(0.05) progress(0.9) sleep(3600) end
  function app.on:quick() progress(0.5, "half") sleep(0.01) return "done" end
  function app.on:boom() error("it broke") end
  function app.on:grow() app.on.late = function() return "late" end end
  function app.on:count() return #lines end
  """

private func tools(_ stage: AssistantStage) -> [JSON] {
  stage.say(AssistantStage.line(1, "tools/list")).last?["result"]?["tools"]?.list ?? []
}

private func names(_ tools: [JSON]) -> [String] { tools.compactMap { $0["name"]?.text } }

@Test("Z1: A client that names its revision in each request is served without a session")
func stateless() throws {
  let stage = try AssistantStage(notes)
  let found = try require(stage.say(AssistantStage.line(1, "server/discover", capabilities: "{}")).first)
  expect(found["result"]?["resultType"]?.text, is: "complete")
  expect(
    found["result"]?["supportedVersions"]?.list?.compactMap(\.text), is: ["2026-07-28", "2025-11-25", "2025-06-18"])
  let list = try require(stage.say(AssistantStage.line(2, "tools/list", capabilities: "{}")).first)
  expect(list["result"]?["ttlMs"]?.integer, is: 0)
  expect(list["result"]?["cacheScope"]?.text, is: "private")
  let info = list["result"]?["_meta"]?["io.modelcontextprotocol/serverInfo"]
  expect(info?["title"]?.text, is: "Notes")
}

@Test(
  "Z1: A session begins with initialize, in the client's revision if it is known",
  arguments: [
    ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2025-11-25"),
  ])
func session(asked: String, agreed: String) throws {
  let stage = try AssistantStage(notes)
  let line = AssistantStage.line(1, "initialize", #""protocolVersion": "\#(asked)", "capabilities": {}"#)
  let answer = try require(stage.say(line).first)
  expect(answer["result"]?["protocolVersion"]?.text, is: agreed)
  expect(answer["result"]?["resultType"], is: nil)
  expect(stage.say(AssistantStage.line(2, "ping")).first?["result"]?.members?.isEmpty, is: true)
}

@Test("Z1: A request of an unknown revision is refused with the supported revisions")
func unknownRevision() throws {
  let stage = try AssistantStage(notes)
  let line =
    #"{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}}}"#
  let answer = try require(stage.say(line).first)
  expect(answer.code, is: -32022)
  expect(answer["error"]?["data"]?["supported"]?.list?.count, is: 3)
}

@Test("Z1: A client that only calls a tool is served")
func onlyCalls() throws {
  let stage = try AssistantStage(notes)
  expect(stage.call("add", #"{"text": "milk"}"#).status, is: "handled")
}

@Test("Z2: Each action is a tool, with a schema of its arguments, its place in the menus and its keys")
func toolList() throws {
  let stage = try AssistantStage(notes)
  let list = tools(stage)
  expect(names(list), is: names(list).sorted())
  expect(Set(names(list)).isSuperset(of: ["add", "clear", "sort", "menuctl.menus", "menuctl.undo", "menuctl.why"]))
  expect(!names(list).contains("undo") && !names(list).contains("redo"))
  let add = try require(list.first { $0["name"]?.text == "add" })
  expect(add["title"]?.text, is: "Add")
  expect(add["description"]?.text, is: "adds a line to the notes. In the menus: Edit › Add. Keys: a.")
  expect(add["inputSchema"]?["required"]?.list?.compactMap(\.text), is: ["text"])
  expect(add["inputSchema"]?["properties"]?["times"]?["maximum"]?.integer, is: 9)
  expect(add["inputSchema"]?["additionalProperties"]?.bool, is: false)
  let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]
  expect(hints.compactMap { add["annotations"]?[$0]?.bool }, is: [false, false, false, false])
  let sort = try require(list.first { $0["name"]?.text == "sort" })
  expect(sort["inputSchema"]?["properties"]?["by"]?["type"]?.text, is: "string")
  expect(sort["inputSchema"]?["properties"]?["by"]?["enum"], is: nil, "only a declaration says what else is no choice")
  let clear = try require(list.first { $0["name"]?.text == "clear" })
  expect(clear["annotations"]?["destructiveHint"]?.bool, is: true)
  let unlock = try require(list.first { $0["name"]?.text == "unlock" })
  expect(unlock["inputSchema"]?["properties"]?["code"], is: nil, "a secret is nothing for an assistant")
}

@Test("Z2: An action that is internal is no tool")
func internalAction() throws {
  let stage = try AssistantStage(
    """
    app.about.step = { title = "Step", internal = true }
    function app.on:step() end
    function app.on:go() return app.about.step.internal end
    """)
  expect(names(tools(stage)).filter { !$0.hasPrefix("menuctl.") }, is: ["go"])
  expect(stage.call("go")["result"]?["structuredContent"]?["result"]?.bool, is: true)
  expect(stage.call("step")["error"]?["message"]?.text?.contains("Unknown tool: step") ?? false)
}

@Test("Z2, N4: If anything is granted, also by the program, the tools have an open-world hint")
func openWorld() throws {
  func hints(_ stage: AssistantStage) -> [Bool] {
    tools(stage).filter { $0["name"]?.text == "take" }.compactMap { $0["annotations"]?["openWorldHint"]?.bool }
  }
  let script = "function app.on:take() return library.import() end"
  expect(hints(try AssistantStage(script)), is: [false])
  let granted = try AssistantStage("app.allow = { 'library.write' }\n\(script)") { host in
    host.granted = [host.capability("library.write", "change your photo library")]
    host.function("library.import", needs: "library.write") { 7 }
  }
  expect(hints(granted), is: [true])
  expect(granted.call("take")["result"]?["structuredContent"]?["result"]?.integer, is: 7)
}

@Test("Z2: A tool's name has only allowed characters, and doesn't depend on other actions")
func toolNames() {
  expect(Tool.name(for: "photo.rate"), is: "photo.rate")
  for action in ["öffnen", "a b", "a:b", String(repeating: "x", count: 300), "menuctl.why", ""] {
    let name = Tool.name(for: action)
    expect(name.wholeMatch(of: /[A-Za-z0-9_.\-]{1,128}/) != nil, "\(name)")
    expect(OwnTool(named: name), is: nil)
  }
  expect(Tool.name(for: "a b") != Tool.name(for: "a:b"))
  let hashed = Tool.name(for: "é")
  expect(Tool.name(for: hashed) != hashed, "an action that is called like another one's tool")
}

@Test("Z2: An app with more actions than the list holds has tools to find and perform them")
func largeApp() throws {
  let script = "for i = 1, 500 do app.on['act' .. i] = function(_, ctx) return i end end"
  let stage = try AssistantStage(script)
  let listed = names(tools(stage))
  let own = ["choose", "find", "menus", "perform", "undo", "why"]
  expect(listed, is: own.map { "menuctl.\($0)" })
  let found = try JSONReader.read(stage.call("menuctl.find", #"{"text": "act499"}"#).said.utf8)
  expect(found["actions"]?.list?.compactMap { $0["action"]?.text }, is: ["act499"])
  let last = try JSONReader.read(stage.call("menuctl.find", #"{"text": "", "from": 500}"#).said.utf8)
  expect(last["found"]?.integer, is: 500)
  expect(last["actions"]?.list?.map { $0["action"]?.text }, is: ["act99"], "the order is that of the names")
  let least = try JSONReader.read(stage.call("menuctl.find", #"{"text": "", "from": \#(Int.min)}"#).said.utf8)
  expect(least["actions"]?.list?.count, is: 20)
  let done = stage.call("menuctl.perform", #"{"action": "act499"}"#)
  expect(done["result"]?["structuredContent"]?["result"]?.integer, is: 499)
  let unknown = stage.call("menuctl.perform", #"{"action": "act499x"}"#)
  expect(unknown.isRefused && unknown.said.hasPrefix("there is no action 'act499x'"), "\(unknown.said)")
}

@Test("Z2: menuctl.undo takes back changes of this assistant, and none of the person's")
func undo() throws {
  let stage = try AssistantStage(notes)
  expect(stage.call("menuctl.undo").said, is: "nothing was undone: there is nothing to undo")
  stage.call("add", #"{"text": "milk"}"#)
  expect(stage.call("menuctl.undo").said, is: "undone: Add")
  expect(stage.call("count")["result"]?["structuredContent"]?["result"]?.integer, is: 0)
  stage.call("add", #"{"text": "milk"}"#)
  let person = try require(try LiveClient(at: stage.app.path, within: 5000))
  _ = try person.request("perform", [("ref", .text("add(text: bread)"))])
  let refused = stage.call("menuctl.undo")
  expect(refused.isRefused)
  expect(refused.said, is: "nothing was undone: undo would take back 'Add', which you didn't do")
  // The person undoes both and makes the same changes: the history has the same titles, but belongs to the person.
  _ = try person.request("undo")
  _ = try person.request("undo")
  _ = try person.request("perform", [("ref", .text("add(text: jam)"))])
  expect(stage.call("menuctl.undo").isRefused)
}

/// An app with a text, in which steps of the same kind become one.
private let typing = """
  local page = responder "page" { text = "", undo = true }
  function page.on:type(ctx) ctx:set(page, "text", page.text .. ctx.t, "Typing", { coalesce = "typing" }) end
  function page.on:slow(ctx) sleep(0.01) page.on.type(page, ctx) end
  function page.on:later() after(0.01, function() app:perform("type", { t = "LATER" }) end) end
  function page.on:get() return page.text end
  function page.on.openURL(_, ctx) app:perform("type", { t = ctx.url }) end
  focus(page)
  """

@Test(
  "Z2: menuctl.undo leaves a step that anybody else's deed has joined",
  arguments: [
    ("perform", #"{"ref": "type(t: X)"}"#), ("evaluate", #"{"line": "app:perform('type', { t = 'X' })"}"#),
    ("open_urls", #"{"urls": ["X"]}"#), ("perform", #"{"ref": "later"}"#),
  ])
func joinedUndo(method: String, parameters: String) throws {
  let stage = try AssistantStage(typing)
  func text() -> String? { stage.call("get")["result"]?["structuredContent"]?["result"]?.text }
  stage.call("type", #"{"t": "A"}"#)
  let person = try require(try LiveClient(at: stage.app.path, within: 5000))
  _ = try person.request(method, try JSONReader.read(parameters.utf8).members ?? [])
  for _ in 0..<1000 where text() == "A" { usleep(1000) }
  let joined = try require(text())
  expect(joined.count > 1)
  let refused = stage.call("menuctl.undo")
  expect(refused.isRefused && refused.said.contains("which you didn't do"), "\(refused.said)")
  // A deed of the assistant that joins a step of somebody else doesn't make it the assistant's.
  stage.call("type", #"{"t": "B"}"#)
  expect(stage.call("menuctl.undo").isRefused)
  expect(text(), is: joined + "B")
}

@Test("Z2: menuctl.undo takes back several deeds of the assistant that became one step, also of one that waited")
func ownJoinedUndo() throws {
  let stage = try AssistantStage(typing)
  stage.call("type", #"{"t": "A"}"#)
  stage.call("type", #"{"t": "B"}"#)
  let line = AssistantStage.line(3, "tools/call", #""name": "slow", "arguments": {"t": "C"}"#)
  expect(stage.ask(line).last?.status, is: "handled")
  expect(stage.call("get")["result"]?["structuredContent"]?["result"]?.text, is: "ABC")
  expect(stage.call("menuctl.undo").said, is: "undone: Typing")
  expect(stage.call("get")["result"]?["structuredContent"]?["result"]?.text, is: "")
  expect(stage.call("menuctl.undo").said, is: "nothing was undone: there is nothing to undo")
}

@Test("Z2: menuctl.undo is answered when the reversal has ended")
func patientUndo() throws {
  let stage = try AssistantStage(notes)
  expect(stage.call("patient").status, is: "handled")
  let line = AssistantStage.line(3, "tools/call", #""name": "menuctl.undo""#)
  expect(stage.ask(line).last?.said, is: "undone: Wait")
  expect(stage.call("menuctl.undo").isRefused)
}

@Test("Z2: An unknown tool is an error with its name; arguments that don't fit are a result")
func unknownTool() throws {
  let stage = try AssistantStage(notes)
  let unknown = stage.call("ad")
  expect(unknown.code, is: -32602)
  expect(unknown["error"]?["message"]?.text, is: "Unknown tool: ad; did you mean 'add'?")
  let misfit = stage.call("add", #"{"text": 5}"#)
  expect(misfit.isRefused && misfit.said.contains("'text' must be a string, not 5"), "\(misfit.said)")
  expect(stage.call("add", #"{"txt": "x", "text": "y"}"#).isRefused)
}

@Test("Z2: Arguments that don't fit a published schema are a result, also of tools without declared arguments")
func heldSchemas() throws {
  let stage = try AssistantStage(
    """
    function app.on:rate(ctx) return ctx.args.n end
    app.takes.open = { kind = { one_of = { "file", "url" } }, path = { "string", when = function(ctx)
      return ctx.kind == "file" end } }
    function app.on:open(ctx) return ctx.kind end
    menubar { menu "M" { item "Five" { "rate(n: 5)" }, item "Open" { "open" } } }
    """)
  func said(_ tool: String, _ arguments: String) -> String {
    let answer = stage.call(tool, arguments)
    return answer.isRefused ? answer.said : "done"
  }
  expect(said("rate", "{}"), is: "'rate' was not done: 'n' is missing.")
  expect(said("rate", #"{"n": "x"}"#), is: "'rate(n: x)' was not done: 'n' must be of type integer.")
  expect(said("rate", #"{"n": 3, "more": true}"#), is: "done")
  expect(said("menuctl.menus", #"{"id": 5}"#), is: "'id' must be of type string.")
  expect(said("menuctl.menus", #"{"ids": "M"}"#), is: "there is no argument 'ids'; did you mean 'id'?")
  expect(said("menuctl.why", "{}"), is: "'ref' is missing.")
  expect(said("menuctl.find", "{}"), is: "'text' is missing.")
  let open = try require(tools(stage).first { $0["name"]?.text == "open" })
  expect(open["inputSchema"]?["required"]?.list?.compactMap(\.text), is: ["kind"], "a field with 'when' may be missing")
  expect(said("open", #"{"kind": "url"}"#), is: "done")
}

@Test("Z2: A client can call a tool that is newer than its list")
func changedApp() throws {
  let stage = try AssistantStage(notes)
  expect(!names(tools(stage)).contains("late"))
  stage.call("grow")
  expect(stage.call("late")["result"]?["structuredContent"]?["result"]?.text, is: "late")
}

@Test("Z3: A refused or failed call has the reason and its cause; the list stays the same")
func refused() throws {
  let stage = try AssistantStage(notes)
  let before = tools(stage)
  let refused = stage.call("clear")
  expect(refused.isRefused && refused.status == "disabled")
  expect(
    refused.said.hasPrefix("'clear' can't be done now: there are no lines\n\ndisabled by 'app': there are no lines"))
  stage.call("add", #"{"text": "milk"}"#)
  expect(tools(stage), is: before)
  let failed = stage.call("boom")
  expect(failed.isRefused && failed.said.hasPrefix("'boom' failed: it broke (app.lua:"), "\(failed.said)")
  expect(stage.call("menuctl.why", #"{"ref": "clear"}"#).said.hasPrefix("enabled"))
  expect(stage.call("menuctl.menus").said.contains("  Clear → clear"))
  let unknown = stage.call("menuctl.menus", #"{"id": "nope"}"#)
  expect(unknown.isRefused && unknown.said.contains("'nope'"), "\(unknown.said)")
}

@Test("Z5: A result is the outcome, as structure and as text")
func structured() throws {
  let stage = try AssistantStage(notes)
  let done = stage.call("add", #"{"text": "milk"}"#)
  expect(done["result"]?["structuredContent"]?["result"]?.integer, is: 1)
  try expect(JSONReader.read(done.said.utf8), is: done["result"]?["structuredContent"])
  let schema = try require(tools(stage).first { $0["name"]?.text == "add" }?["outputSchema"])
  let members = done["result"]?["structuredContent"]?.members?.map(\.0) ?? []
  expect(members.allSatisfy { schema["properties"]?[$0] != nil }, "\(members)")
}

@Test("Z5: An action that waits reports its progress with rising numbers, and its end is the result")
func progress() throws {
  let stage = try AssistantStage(notes)
  let line = AssistantStage.line(
    5, "tools/call", #""name": "quick", "arguments": {}, "_meta": {"progressToken": "p"}"#)
  let all = stage.say(line) + stage.waited(for: 1)
  expect(all.last?["result"]?["structuredContent"]?["result"]?.text, is: "done")
  let token =
    #"{"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {"name": "slow", "_meta": {"progressToken": 3}}}"#
  let begun = stage.say(token).first
  expect(begun?["params"]?["progress"]?.double, is: 0.5, "what was told before the action waited")
  expect(begun?["params"]?["message"]?.text, is: "half")
  let told = stage.waited(for: 1)
  expect(told.first?["method"]?.text, is: "notifications/progress")
  expect(told.first?["params"]?["progress"]?.double, is: 0.9)
  expect(told.first?["params"]?["progressToken"]?.integer, is: 3)
}

@Test("Z5: Cancelling a call cancels its job, and nothing answers it")
func cancelling() throws {
  let stage = try AssistantStage(notes)
  expect(stage.say(AssistantStage.line(5, "tools/call", #""name": "slow""#)).isEmpty)
  expect(stage.say(AssistantStage.line(5, "ping")).first?.code, is: -32600, "the id is taken")
  let said = stage.say(#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}"#)
  expect(said.isEmpty)
  let jobs = try stage.client.request("jobs")
  expect(jobs["jobs"]?.list?.isEmpty, is: true)
}

@Test("Z7: --only, --except and --read-only choose what an assistant may do")
func chosen() throws {
  var settings = AssistantSettings()
  settings.only = ["a*", "s*"]
  settings.except = ["sl*"]
  let stage = try AssistantStage(notes, settings)
  expect(names(tools(stage)), is: ["add", "menuctl.menus", "menuctl.undo", "menuctl.why", "sort"])
  expect(stage.call("clear").code, is: -32602)
  expect(stage.call("menuctl.perform", #"{"action": "clear"}"#).isRefused)
  var reading = AssistantSettings()
  reading.isReadOnly = true
  let reader = try AssistantStage(notes, reading)
  expect(names(tools(reader)), is: ["menuctl.menus", "menuctl.why"])
  for tool in ["add", "menuctl.undo", "menuctl.perform"] { expect(reader.call(tool).code, is: -32602, "\(tool)") }
}

@Test("Z7: --except refuses a reference by its last component, too, because it may fall back to that")
func exceptLast() {
  var settings = AssistantSettings()
  settings.except = ["delete", "a.*"]
  expect(["delete", "photo.delete", "a.x"].filter(settings.allows).isEmpty)
  expect(["deleted", "delete.all", "photo.rate"].allSatisfy(settings.allows))
  settings.except = ["file.delete"]
  expect(!settings.allows("menu.file.delete") && settings.allows("delete") && settings.allows("file.deletes"))
}

@Test("Z7: A tool performs the action of its whole name, even if a responder handles a part of it by now")
func wholeNames() throws {
  var settings = AssistantSettings()
  settings.only = ["menu.*", "more"]
  let stage = try AssistantStage(
    """
    menubar { menu "M" { item "Delete" { "menu.delete" } } }
    function app.on:more()
      local late = responder "late"
      function late.on:delete() return "deleted" end
      focus(late)
    end
    """, settings)
  expect(names(tools(stage)).contains("menu.delete"))
  stage.call("more")
  let refused = stage.call("menu.delete")
  expect(refused.isRefused && refused.status == "unhandled", "\(refused.said)")
}

@Test("Z2: destructiveHint also comes from the rows and items of the panel")
func destructiveRows() throws {
  let stage = try AssistantStage(
    """
    panel { item "Burn" { "burn", confirm = "Burn?" }, item "Look" { "look" }, item "Rot" { "rot", destructive = true } }
    function app.on:burn() end
    function app.on:look() end
    function app.on:rot() end
    """)
  let hints = tools(stage).filter { $0["annotations"]?["destructiveHint"]?.bool == true }
  expect(Set(names(hints)).subtracting(["quit"]), is: ["burn", "rot"])
}

@Test(
  "Z7: A pattern's star matches any characters",
  arguments: [
    ("photo.rate", "photo.*", true), ("photo", "photo.*", false), ("abc", "*", true), ("abc", "a*c", true),
    ("abc", "a*b", false), ("abc", "abc", true), ("", "*", true), ("aab", "*ab", true), ("abc", "", false),
  ])
func patterns(name: String, pattern: String, fits: Bool) { expect(AssistantSettings.fits(name, pattern), is: fits) }

@Test(
  "Z7: For any bytes the answer is a JSON-RPC error",
  arguments: [
    ("hello", -32700), ("[]", -32600), ("5", -32600), ("{}", -32600), (#"{"jsonrpc": "2.0", "id": 1}"#, -32600),
    (#"{"jsonrpc": "1.0", "id": 1, "method": "ping"}"#, -32600),
    (#"{"jsonrpc": "2.0", "id": [], "method": "ping"}"#, -32600),
    (#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, -32600),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}"#, -32602),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "perform"}"#, -32601),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "prompts/list"}"#, -32601),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "evaluate", "params": {"line": "1"}}"#, -32601),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}"#, -32602),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "add", "arguments": 5}}"#, -32602),
    (String(repeating: "[", count: 100_000), -32700), ("{\"jsonrpc\": \"2.0\", \u{0}", -32700),
  ])
func hostile(line: String, code: Int) throws {
  let stage = try AssistantStage(notes)
  expect(stage.say(line).map(\.code), is: [code])
  expect(stage.say(AssistantStage.line(9, "ping")).first?["result"] != nil, "the server goes on")
}

@Test("S13, Z3: An assistant can't skip needs and can, by any tool, and no schema tells of skip_validation")
func noSkipping() throws {
  let script = """
    function app.can:locked() return false, "the person forbade it" end
    function app.on:locked() return "locked ran" end
    menubar { menu "M" { item "Force" { "locked(skip_validation: true, n: 1)" } } }
    """
  let stage = try AssistantStage(script)
  let tool = try require(tools(stage).first { $0["name"]?.text == "locked" })
  expect(tool["inputSchema"]?["properties"]?.members?.map(\.0), is: ["n"])
  for value in ["true", "1", "false", "null", #""yes""#] {
    let refused = stage.call("locked", #"{"skip_validation": \#(value)}"#)
    expect(refused.isRefused && refused.said.contains("no assistant can use it"), "\(refused.said)")
  }
  let why = stage.call("menuctl.why", #"{"ref": "locked(skip_validation: true)"}"#)
  expect(why.isRefused && why.said.contains("'skip_validation'"), "\(why.said)")
  let uri = #""uri": "menuctl://why/locked(skip_validation: true)""#
  expect(stage.say(AssistantStage.line(8, "resources/read", uri)).last?["error"] != nil)
  var settings = AssistantSettings()
  settings.mostTools = 1
  let large = try AssistantStage(script, settings)
  let refused = large.call("menuctl.perform", #"{"action": "locked", "arguments": {"skip_validation": true}}"#)
  expect(refused.isRefused && refused.said.contains("'skip_validation'"), "\(refused.said)")
}

@Test("Z7: Random bytes and random members never end the server")
func randomBytes() throws {
  let stage = try AssistantStage(notes)
  var random = SystemRandomNumberGenerator()
  let words = ["tools/call", "tools/list", "add", "_meta", "id", "null", "{", "}", "[", "\"", ":", ",", "0", "name"]
  for round in 0..<2000 {
    let count = Int.random(in: 0..<40, using: &random)
    let line =
      round % 2 == 0
      ? (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      : Array((0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined().utf8)
    stage.assistant.take(line)
    for message in stage.taken() { expect(message.code != nil || message["result"] != nil) }
  }
  expect(stage.say(AssistantStage.line(9, "ping")).first?["result"] != nil)
}

@Test("Z7: A line that is too long is refused once, and its rest is no line")
func longLine() {
  var lines = IncomingLines()
  expect(lines.take(Array(" \r\n{}\n[".utf8)), is: [.whole(Array("{}".utf8)[...])])
  let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: IncomingLines.longest)
  expect(lines.take(chunk), is: [.tooLong])
  expect(lines.take(chunk).isEmpty)
  expect(lines.take(Array("x\n5\n".utf8)), is: [.whole(Array("5".utf8)[...])])
}

@Test("Z7: Arguments that the app can't read are an error, and the next call is served")
func tooManyBytes() throws {
  let stage = try AssistantStage(notes)
  let text = String(repeating: "x", count: 1_200_000)
  let refused = stage.call("add", #"{"text": "\#(text)"}"#)
  expect(refused.isRefused || refused["error"] != nil, "\(refused)")
  expect(stage.call("count")["result"]?["structuredContent"]?["result"]?.integer, is: 0)
}

/// An app with two panes, whose responders handle the same action in different ways.
private let mail = """
  sent = 0
  local boxes, letters = responder "boxes", responder "letters"
  local function rows(name, all)
    return section(name) {
      items = function() return all end, id = tostring, kind = name, row = function(value) return item(tostring(value)) end,
    }
  end
  panel {
    pane "boxes" { responder = boxes, key = "1", rows("box", { "In", "Out" }) },
    pane "letters" { responder = letters, key = "2", marks = true, rows("letter", { "a", "b", "c" }) },
  }
  boxes.takes.drop = { name = "string" }
  function boxes.on:drop(ctx) return "box " .. ctx.name end
  letters.confirm.drop = "Drop the letter?"
  function letters.on:drop(ctx) return "letter" end
  function letters.on:read(ctx) return ctx.row end
  function letters.look:hush() return { hidden = true } end
  function letters.on:hush() end
  letters.about.command = { title = "Command", internal = true }
  function letters.on:command() end function boxes.on:command() end
  function app.on:rename(ctx) ctx:undo("Rename", function() end) end
  function app.on:send() sent = sent + 1 end
  """

@Test("Z2, Z3: The list of tools is the same wherever the focus is, and hints are those of all handlers")
func toolsOfAllResponders() throws {
  let stage = try AssistantStage(mail)
  let before = tools(stage)
  expect(names(before).contains("read") && names(before).contains("hush"), "\(names(before))")
  expect(!names(before).contains("command"), "one of its handlers is internal")
  let drop = try require(before.first { $0["name"]?.text == "drop" })
  expect(drop["annotations"]?["destructiveHint"]?.bool, is: true)
  expect(drop["inputSchema"]?["properties"]?.members?.map(\.0), is: ["name"])
  expect(drop["inputSchema"]?["required"]?.list?.isEmpty, is: true)
  expect(stage.call("menuctl.choose", #"{"id": "letters"}"#).said, is: "'letters' is chosen")
  expect(tools(stage).map(JSONText.text), is: before.map(JSONText.text))
}

@Test("Z2: menuctl.choose makes a row current and marks rows, and what it can't do says why")
func choose() throws {
  let stage = try AssistantStage(mail)
  let refused = stage.call("read")
  expect(
    refused.said.hasPrefix(
      "'read' can't be done now: nobody handles 'read'; 'letters' does, but isn't in the chain. If"),
    "\(refused.said)")
  expect(refused.said.contains("choose one of its rows first: menuctl.choose\n"), "\(refused.said)")
  expect(stage.call("menuctl.choose", #"{"id": "letters/b"}"#).status, is: "handled")
  expect(stage.call("read")["result"]?["structuredContent"]?["result"]?.text, is: "b")
  let marked = stage.call("menuctl.choose", #"{"id": "letters/c", "marked": ["letters/a", "letters/b"]}"#)
  expect(marked.said, is: "'letters/c' is chosen; 2 rows are marked")
  expect(stage.call("menuctl.choose", #"{"marked": [], "pane": "letters"}"#).said, is: "0 rows are marked")
  let unknown = stage.call("menuctl.choose", #"{"id": "letters/d"}"#)
  expect(unknown.isRefused && unknown.said.contains("letters/d"), "\(unknown.said)")
  let unmarked = stage.call("menuctl.choose", #"{"marked": ["boxes/In"]}"#)
  expect(unmarked.isRefused && unmarked.said.contains("can't be marked"), "\(unmarked.said)")
  expect(stage.call("menuctl.choose").said, is: "give 'id' or 'marked'")
}

@Test("Z2, U15: The person's undo names an assistant's action that can't be undone before it passes over it")
func undoAfterAssistant() throws {
  let stage = try AssistantStage(mail)
  stage.call("rename")
  stage.call("send")
  let person = try require(try LiveClient(at: stage.app.path, within: 5000))
  let refused = try person.request("perform", [("ref", .text("undo")), ("called", .text("Undo"))])
  expect(refused["reason"]?.text, is: "'send' can't be undone; undo again to take back 'Rename'")
  let undone = try person.request("perform", [("ref", .text("undo")), ("called", .text("Undo"))])
  expect(undone["status"]?.text, is: "handled")
}

@Test("Z7: A call of a tool that the options exclude says so")
func excludedTool() throws {
  var settings = AssistantSettings()
  settings.except = ["send"]
  let stage = try AssistantStage(mail, settings)
  _ = tools(stage)
  let answer = stage.call("send")
  expect(answer.code, is: -32602)
  expect(answer["error"]?["message"]?.text, is: "Unknown tool: send; the options of 'menuctl mcp' exclude it")
}

@Test("Z5: When the app ends, the calls that wait are answered")
func endOfApp() throws {
  let stage = try AssistantStage(
    "function app.on:slow() sleep(3600) end app.confirm.burn = 'Burn it?' function app.on:burn() end")
  stage.initialize()
  expect(stage.say(AssistantStage.line(3, "tools/call", #""name": "slow""#)).isEmpty)
  expect(stage.say(AssistantStage.line(4, "tools/call", #""name": "burn""#)).last?["id"]?.text, is: "ask-1")
  let person = try require(try LiveClient(at: stage.app.path, within: 5000))
  _ = try person.request("stop")
  stage.app.waitForEnd()
  let answers = stage.waited(for: 2)
  let slow = try require(answers.first { $0["id"]?.integer == 3 })
  expect(slow.isRefused && slow.said.hasPrefix("'slow' can't be done now: "), "\(slow)")
  let burn = answers.first { $0["id"]?.integer == 4 }
  expect(burn?["error"]?["message"]?.text, is: "the app has ended")
}
