import Expectations
import LiveHost
import ScriptHost
import Testing

@testable import Assistant

private let lamps = """
  app.title = "Lamps"
  on = false
  menubar { menu "Lamp" { item "Switch" { "switch" } } }
  function app.on:switch() on = not on end
  function app.look:switch() return { state = on } end
  function app.can:dim() return on, "the lamp is off" end
  function app.on:dim() end
  function app.on:grow() app.on.glow = function() end end
  """

private func read(_ stage: AssistantStage, _ uri: String) throws -> JSON {
  let answer = try require(stage.say(AssistantStage.line(1, "resources/read", #""uri": "\#(uri)""#)).last)
  let content = try require(answer["result"]?["contents"]?.list?.first)
  expect(content["uri"]?.text == uri && content["mimeType"]?.text == "application/json")
  return try JSONReader.read((content["text"]?.text ?? "").utf8)
}

@Test("Z6: The menus, the panel, the context and the chain are resources; an element and why are templates")
func resources() throws {
  let stage = try AssistantStage(lamps)
  let list = stage.say(AssistantStage.line(1, "resources/list")).last?["result"]?["resources"]?.list ?? []
  let uris = list.compactMap { $0["uri"]?.text }
  expect(uris, is: ["menuctl://menus", "menuctl://panel", "menuctl://context", "menuctl://chain"])
  for uri in uris { try expect(read(stage, uri).members?.isEmpty, is: false, "\(uri)") }
  let templates = stage.say(AssistantStage.line(1, "resources/templates/list")).last?["result"]?["resourceTemplates"]
  expect(
    templates?.list?.compactMap { $0["uriTemplate"]?.text },
    is: [
      "menuctl://menus/{id}", "menuctl://why/{ref}", "menuctl://texts/{id}",
    ])
  try expect(read(stage, "menuctl://menus/Lamp%2FSwitch")["menus"]?.list?.first?["id"]?.text, is: "Lamp/Switch")
  try expect(read(stage, "menuctl://why/dim")["reason"]?.text, is: "the lamp is off")
}

private let pages = """
  app.title = "Pages"
  panel {
    pane "list" { marks = true, section "pages" { items = function() return { "a", "b", "c" } end, id = function(page) return page end,
      row = function(page) return item(page) {} end } },
    text "my page" { title = "Page", of = "list", lines = function(ctx) sleep(0.05) return { "page " .. ctx.row, "the end" } end },
    text "long" { lines = function(ctx, add) for i = 1, 2500 do add("line " .. i) end end },
  }
  """

@Test("Z6, P14: The texts of the panel are resources, which wait for their lines")
func texts() throws {
  let stage = try AssistantStage(pages)
  let list = stage.say(AssistantStage.line(1, "resources/list")).last?["result"]?["resources"]?.list ?? []
  expect(list.suffix(2).map { $0["uri"]?.text }, is: ["menuctl://texts/my%20page", "menuctl://texts/long"])
  expect(list.suffix(2).map { $0["title"]?.text }, is: ["Page", "long"])
  func lines(_ uri: String) -> JSON? {
    stage.say(AssistantStage.line(1, "resources/read", #""uri": "\#(uri)""#)).last?["result"]?["contents"]?.list?.first
  }
  expect(lines("menuctl://texts/my%20page")?["text"]?.text, is: "page a\nthe end")
  expect(lines("menuctl://texts/my%20page")?["mimeType"]?.text, is: "text/plain")
  let long = lines("menuctl://texts/long")?["text"]?.text?.split(separator: "\n") ?? []
  expect(long.count == 2500 && long.last == "line 2500")
}

@Test("Z6: A subscription to a text notifies of its new lines")
func subscribedText() throws {
  let stage = try AssistantStage(pages)
  stage.say(AssistantStage.line(1, "resources/subscribe", #""uri": "menuctl://texts/my%20page""#))
  let person = try require(try LiveClient(at: stage.app.path, within: 5000))
  _ = try person.request("choose", [("id", .text("b"))])
  expect(stage.waited(for: 1).compactMap { $0["params"]?["uri"]?.text }, is: ["menuctl://texts/my%20page"])
}

@Test("Z6, P9: The panel marks the current row and the marked rows")
func currentAndMarked() throws {
  let stage = try AssistantStage(pages)
  let person = try require(try LiveClient(at: stage.app.path, within: 5000))
  _ = try person.request("choose", [("id", .text("b"))])
  _ = try person.request("mark", [("ids", .list([.text("a"), .text("c")]))])
  let rows = try read(stage, "menuctl://panel")["panel"]?.list?.first?["children"]?.list ?? []
  expect(rows.map { $0["current"]?.bool ?? false }, is: [false, true, false])
  expect(rows.map { $0["marked"]?.bool ?? false }, is: [true, false, true])
}

@Test(
  "Z6: A URI that is no resource is an error",
  arguments: [
    "menuctl://", "menuctl://menu", "menuctl://menus/None", "menuctl://menus/%zz", "menuctl://why/",
    "menuctl://texts/none", "menuctl://texts/", "menuctl://texts",
    "file:///etc/passwd",
    "menuctl://evaluate/1",
  ])
func noResource(uri: String) throws {
  let stage = try AssistantStage(lamps)
  let members = #""uri": "\#(uri)""#
  expect(stage.say(AssistantStage.line(1, "resources/read", members)).last?.code, is: -32002)
  expect(stage.say(AssistantStage.line(2, "resources/read", members, capabilities: "{}")).last?.code, is: -32602)
  expect(stage.say(AssistantStage.line(3, "resources/subscribe", members)).last?.code, is: -32002)
}

@Test("Z6: A subscription notifies of changes, and of nothing else, until it ends")
func subscription() throws {
  let stage = try AssistantStage(lamps)
  let why = #""uri": "menuctl://why/dim""#
  expect(stage.say(AssistantStage.line(1, "resources/subscribe", why)).last?["result"] != nil)
  let told = stage.say(AssistantStage.line(2, "tools/call", #""name": "switch""#))
  expect(told.compactMap { $0["params"]?["uri"]?.text }, is: ["menuctl://why/dim"])
  expect(stage.say(AssistantStage.line(3, "tools/call", #""name": "dim""#)).count, is: 1, "nothing has changed")
  stage.say(AssistantStage.line(4, "resources/unsubscribe", why))
  expect(stage.say(AssistantStage.line(5, "tools/call", #""name": "switch""#)).count, is: 1)
}

@Test("Z6: Without a session a subscription is a request that stays open, and notifications have its id")
func listening() throws {
  let stage = try AssistantStage(lamps)
  let wish =
    #""notifications": {"toolsListChanged": true, "resourceSubscriptions": ["menuctl://menus", "menuctl://no"]}"#
  let begun = stage.say(AssistantStage.line(4, "subscriptions/listen", wish, capabilities: "{}"))
  expect(begun.compactMap { $0["method"]?.text }, is: ["notifications/subscriptions/acknowledged"])
  let honoured = begun.first?["params"]?["notifications"]?["resourceSubscriptions"]?.list?.compactMap(\.text)
  expect(honoured, is: ["menuctl://menus"])
  let told = stage.say(AssistantStage.line(5, "tools/call", #""name": "switch""#, capabilities: "{}"))
  let update = try require(told.first { $0["method"] != nil })
  expect(update["params"]?["_meta"]?["io.modelcontextprotocol/subscriptionId"]?.integer, is: 4)
  stage.say(#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4}}"#)
  expect(stage.say(AssistantStage.line(6, "tools/call", #""name": "switch""#, capabilities: "{}")).count, is: 1)
}

@Test("Z6: tools/list_changed is for structure only, and comes at most once in 250 ms")
func listChanged() throws {
  let stage = try AssistantStage(lamps)
  stage.initialize()
  stage.say(AssistantStage.line(1, "tools/list"))
  stage.pass(.seconds(1))
  expect(stage.call("switch")["method"], is: nil, "a tick is no structure")
  // The server has seen that change, so the next one waits.
  stage.say(AssistantStage.line(3, "tools/call", #""name": "grow""#))
  stage.assistant.turn()
  expect(stage.taken().isEmpty)
  expect(stage.assistant.deadline != nil)
  stage.pass(.milliseconds(250))
  stage.assistant.turn()
  expect(stage.taken().compactMap { $0["method"]?.text }, is: ["notifications/tools/list_changed"])
  expect(stage.assistant.deadline, is: nil)
}
