import Expectations
import ScriptHost
import Testing

@testable import LiveHost

// A face in the app's process gets values, other clients read text. Both get the same messages.

private let script = """
  local on, rows = false, { "a", "b" }
  menubar { menu "Edit" { item "Switch" { "switch", key = "ctrl+s" }, separator, label "a\\tlabel", item "Not" { "nobody" } } }
  panel { section "rows" { items = function() return rows end, row = function(row) return item(row) { "take", args = { row = row } } end,
    id = function(row) return row end, kind = "row" } }
  function app.on:take() end
  function app.on:switch() on = not on rows = on and { "b", "c\\u{1B}" } or { "a", "b" } print("switched") end
  function app.look:switch() return { state = on, title = on and "Is on" or nil } end
  """

private func made() throws -> (live: LiveHost, handed: LiveClient, told: LiveClient) {
  let host = ScriptHost()
  try host.load(text: script, name: "app.lua")
  let live = LiveHost(host)
  // This client gets no values: it reads the text.
  let told = LiveClient(at: FaceEnd(descriptor: try live.pairedDescriptor(), handover: Handover()))
  return (live, LiveClient(at: try live.faceEnd()), told)
}

/// The messages that a client gets, up to the answer to a method.
private func answer(_ live: LiveHost, _ client: LiveClient, _ method: String, _ members: [(String, JSON)]) throws
  -> [String]
{
  let id = try client.send(method, members)
  var messages: [JSON] = []
  for _ in 0..<100 where !messages.contains(where: { $0["id"]?.integer == id }) {
    live.turn()
    messages += try client.received()
  }
  return messages.map { JSONText.text($0["result"] ?? $0["params"] ?? .null) }
}

@Test(
  "L8: A face in the process gets the same answers and notifications as other clients",
  arguments: [
    "hello", "app", "menus", "panel", "keys", "chain", "actions", "context", "diagnostics", "check", "jobs", "plugins",
    "validate",
  ])
func handedAsTold(method: String) throws {
  let (live, handed, told) = try made()
  try expect(answer(live, handed, method, []), is: answer(live, told, method, []))
}

@Test("L8: A face in the process gets all its answers in one turn, other clients one by one")
func askedAtOnce() throws {
  let (live, handed, told) = try made()
  let ids = try ["hello", "menus", "keys"].map { try handed.send($0, []) }
  let others = try ["hello", "menus"].map { try told.send($0, []) }
  live.turn()
  try expect(handed.received().compactMap { $0["id"]?.integer }, is: ids)
  try expect(told.received().compactMap { $0["id"]?.integer }, is: Array(others.prefix(1)))
}

@Test("L8: A question sent together with a perform is answered before the perform begins")
func answeredBeforeDeed() throws {
  let (live, handed, _) = try made()
  var meanwhile: [Int] = []
  let before = live.host.onPrint
  live.host.onPrint = { line in
    before?(line)
    meanwhile += ((try? handed.received()) ?? []).compactMap { $0["id"]?.integer }
  }
  let question = try handed.send("hello", [])
  let deed = try handed.send("perform", [("ref", .text("switch"))])
  live.turn()
  expect(meanwhile, is: [question])
  try expect(handed.received().compactMap { $0["id"]?.integer }, is: [deed])
}

@Test("L12: A face in the process performs one action in a turn, like other clients")
func doneOneByOne() throws {
  let (live, handed, _) = try made()
  let deeds = try (0..<2).map { _ in try handed.send("perform", [("ref", .text("switch"))]) }
  let question = try handed.send("hello", [])
  for ids in [[deeds[0]], [deeds[1]], [question]] {
    live.turn()
    try expect(handed.received().compactMap { $0["id"]?.integer }, is: ids)
  }
}

@Test("L7: Changes are the same as values and as text, and make the same menus")
func changesHanded() throws {
  let (live, handed, told) = try made()
  let topics: [(String, JSON)] = [
    ("to", .list(["menus", "panel", "log"].map { .text($0) })), ("now", .bool(true)),
  ]
  try expect(answer(live, handed, "subscribe", topics), is: answer(live, told, "subscribe", topics))
  let own = try answer(live, told, "perform", [("ref", .text("switch"))])
  expect(own.count, is: 4, "\(own)")
  let others = try handed.received()
  expect(others.map { JSONText.text($0["params"] ?? .null) }, is: Array(own.dropLast()))
  let reader = AnswerReader()
  for message in others where message["method"]?.text == "menus" {
    let changes = try require(message["params"]?["changes"])
    let text = JSONText.text(changes)
    let read = try reader.changes(try JSONReader.read(text.utf8))
    // Changes as values and as text hold equal elements in different places.
    try expect(reader.changes(changes).map(\.id) == read.map(\.id) && !read.isEmpty)
    expect(JSONText.text(.changes(read, isWhole: true)), is: text)
  }
}

@Test("L9: A face in the process that doesn't read gets notifications up to a limit only, then a resync")
func fullHandover() throws {
  let (live, handed, _) = try made()
  _ = try answer(live, handed, "subscribe", [("to", .list([.text("log")]))])
  let client = try require(live.clients.last)
  client.connection.room = 1000
  try live.host.evaluate("for n = 1, 100 do print(('x'):rep(100)) end")
  live.turn()
  try expect(require(client.handover).waiting < 1200)
  let messages = try handed.received()
  expect(messages.count < 20)
  expect(messages.last?["method"]?.text, is: "resync")
}
