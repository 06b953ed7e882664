import LiveHost
import ScriptHost
import Testing

@testable import Assistant

private let letters = """
  app.title = "Letters"
  function app.on:send()
    local answers, reason = ask { title = "Send", takes = { to = { "string", from = 2 } } }
    if not answers then return reason or "kept" end
    return "sent to " .. answers.to
  end
  function app.on:burn() return ask { title = "Burn", confirm = "Burn the letter?" } and "burnt" or "kept" end
  """

@Test("Z4: An elicitation asks the person in the middle of an action, and again if the answer doesn't fit")
func askedInSession() throws {
  let stage = try AssistantStage(letters)
  stage.initialize()
  let line = AssistantStage.line(3, "tools/call", #""name": "send""#)
  let question = try #require(stage.ask(line).last)
  #expect(question["params"]?["requestedSchema"]?["properties"]?["to"]?["type"]?.text == "string")
  stage.say(#"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"to": "x"}}}"#)
  let again = #"{"jsonrpc": "2.0", "id": "ask-2", "result": {"action": "accept", "content": {"to": "Ada"}}}"#
  let done = try #require(stage.ask(again).last)
  #expect(done["id"]?.integer == 3 && done["result"]?["structuredContent"]?["result"]?.text == "sent to Ada")
}

@Test("Z4: A person's no in the middle of an action reaches the action")
func declinedInSession() throws {
  let stage = try AssistantStage(letters)
  stage.initialize()
  let question = try #require(
    stage.ask(AssistantStage.line(3, "tools/call", #""name": "burn""#)).last)
  #expect(question["params"]?["message"]?.text == "Burn the letter?")
  let no = #"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "decline"}}"#
  let done = try #require(stage.ask(no).last)
  #expect(done["result"]?["structuredContent"]?["result"]?.text == "kept")
}

@Test("Z4: Without a session the action waits until the client comes back with the sealed state")
func askedWithoutSession() throws {
  let stage = try AssistantStage(letters)
  let forms = #"{"elicitation": {"form": {}}}"#
  let call = AssistantStage.line(3, "tools/call", #""name": "burn""#, capabilities: forms)
  let asked = try #require(stage.ask(call).last)
  let state = try #require(asked["result"]?["requestState"]?.text)
  let members =
    #""name": "burn", "requestState": "\#(state)", "inputResponses": {"confirm": {"action": "accept", "content": {"yes": true}}}"#
  let back = AssistantStage.line(4, "tools/call", members, capabilities: forms)
  let done = try #require(stage.ask(back).last)
  #expect(done["id"]?.integer == 4 && done["result"]?["structuredContent"]?["result"]?.text == "burnt")
  #expect(stage.say(back).last?.code == -32602)
}

@Test("Z4: Cancelling an action withdraws its question, and a later answer does nothing")
func cancelledWhileAsked() throws {
  let stage = try AssistantStage(letters)
  stage.initialize()
  let question = try #require(stage.ask(AssistantStage.line(3, "tools/call", #""name": "burn""#)).last)
  #expect(question["id"]?.text == "ask-1")
  let person = try #require(try LiveClient(at: stage.app.path, within: 5000))
  _ = try person.request("cancel", [("job", .integer(1))])
  let told = stage.waited(for: 2)
  #expect(told.first?["params"]?["requestId"]?.text == "ask-1")
  #expect(told.last?["id"]?.integer == 3 && told.last?.status == "cancelled")
  let late = #"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"yes": true}}}"#
  #expect(stage.say(late).isEmpty)
  #expect(stage.say(AssistantStage.line(3, "ping")).last?["result"] != nil, "the id is free again")
}

@Test("Z4: If the client can't ask, an action that asks in the middle learns that nobody can answer")
func nobodyToAsk() throws {
  let stage = try AssistantStage(letters)
  let done = try #require(
    stage.ask(AssistantStage.line(3, "tools/call", #""name": "send""#)).last)
  #expect(done["result"]?["structuredContent"]?["result"]?.text == "nobody can be asked")
}
