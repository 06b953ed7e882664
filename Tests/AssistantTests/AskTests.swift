import Expectations
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
  let question = try require(stage.ask(line).last)
  expect(question["params"]?["requestedSchema"]?["properties"]?["to"]?["type"]?.text, is: "string")
  stage.say(#"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"to": "x"}}}"#)
  let again = #"{"jsonrpc": "2.0", "id": "ask-2", "result": {"action": "accept", "content": {"to": "Ada"}}}"#
  let done = try require(stage.ask(again).last)
  expect(done["id"]?.integer == 3 && done["result"]?["structuredContent"]?["result"]?.text == "sent to Ada")
}

@Test("Z4: A person's no in the middle of an action reaches the action")
func declinedInSession() throws {
  let stage = try AssistantStage(letters)
  stage.initialize()
  let question = try require(
    stage.ask(AssistantStage.line(3, "tools/call", #""name": "burn""#)).last)
  expect(question["params"]?["message"]?.text, is: "Burn\nBurn the letter?")
  let no = #"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "decline"}}"#
  let done = try require(stage.ask(no).last)
  expect(done["result"]?["structuredContent"]?["result"]?.text, is: "kept")
}

@Test("Z4: Without a session the action waits until the client comes back with the sealed state")
func askedWithoutSession() throws {
  let stage = try AssistantStage(letters)
  let forms = #"{"elicitation": {"form": {}}}"#
  let call = AssistantStage.line(3, "tools/call", #""name": "burn""#, capabilities: forms)
  let asked = try require(stage.ask(call).last)
  let state = try require(asked["result"]?["requestState"]?.text)
  let members =
    #""name": "burn", "requestState": "\#(state)", "inputResponses": {"confirm": {"action": "accept", "content": {"yes": true}}}"#
  let back = AssistantStage.line(4, "tools/call", members, capabilities: forms)
  let done = try require(stage.ask(back).last)
  expect(done["id"]?.integer == 4 && done["result"]?["structuredContent"]?["result"]?.text == "burnt")
  expect(stage.say(back).last?.code, is: -32602)
}

@Test("Z4: Cancelling an action withdraws its question, and a later answer does nothing")
func cancelledWhileAsked() throws {
  let stage = try AssistantStage(letters)
  stage.initialize()
  let question = try require(stage.ask(AssistantStage.line(3, "tools/call", #""name": "burn""#)).last)
  expect(question["id"]?.text, is: "ask-1")
  let person = try require(try LiveClient(at: stage.app.path, within: 5000))
  _ = try person.request("cancel", [("job", .integer(1))])
  let told = stage.waited(for: 2)
  expect(told.first?["params"]?["requestId"]?.text, is: "ask-1")
  expect(told.last?["id"]?.integer == 3 && told.last?.status == "cancelled")
  let late = #"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"yes": true}}}"#
  expect(stage.say(late).isEmpty)
  expect(stage.say(AssistantStage.line(3, "ping")).last?["result"] != nil, "the id is free again")
}

@Test("Z4: If the client can't ask, an action that asks in the middle learns that nobody can answer")
func nobodyToAsk() throws {
  let stage = try AssistantStage(letters)
  let done = try require(
    stage.ask(AssistantStage.line(3, "tools/call", #""name": "send""#)).last)
  expect(done["result"]?["structuredContent"]?["result"]?.text, is: "nobody can be asked")
}

@Test("A11, Z4: An attached assistant makes no other client's question wait, since it hears only its own")
func questionsOfOthers() throws {
  let stage = try AssistantStage(letters)
  stage.initialize()
  let question = try require(stage.ask(AssistantStage.line(3, "tools/call", #""name": "burn""#)).last)
  expect(question["id"]?.text, is: "ask-1")
  let other = try require(try LiveClient(at: stage.app.path, within: 5000))
  let outcome = try other.request("perform", [("ref", .text("send")), ("wait", .bool(true))], within: 20_000)
  expect(outcome["result"]?.text, is: "nobody can be asked")
  expect(stage.taken().isEmpty)
  let yes = #"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"yes": true}}}"#
  expect(stage.ask(yes).last?["result"]?["structuredContent"]?["result"]?.text, is: "burnt")
  let alone = try other.request("perform", [("ref", .text("send")), ("wait", .bool(true))])
  expect(alone["result"]?.text, is: "nobody can be asked")
}

private let twice = """
  app.title = "Twice"
  function app.on:both()
    local one = ask { confirm = "One?" }
    local two = ask { confirm = "Two?" }
    return tostring(one) .. " " .. tostring(two)
  end
  """

@Test("Z4: A yes to one question of an action is no yes to its next, without a session")
func nextQuestionIsAskedAnew() throws {
  let stage = try AssistantStage(twice)
  let forms = #"{"elicitation": {"form": {}}}"#
  func back(_ id: Int, _ state: String) throws -> JSON {
    let yes = #"{"confirm": {"action": "accept", "content": {"yes": true}}}"#
    let members = #""name": "both", "requestState": "\#(state)", "inputResponses": \#(yes)"#
    return try require(stage.ask(AssistantStage.line(id, "tools/call", members, capabilities: forms)).last)
  }
  let asked = try require(
    stage.ask(AssistantStage.line(3, "tools/call", #""name": "both""#, capabilities: forms)).last)
  let state = try require(asked["result"]?["requestState"]?.text)
  let person = try require(try LiveClient(at: stage.app.path, within: 5000))
  let answer = try person.request("answer", [("job", .integer(1)), ("number", .integer(1))])
  expect(answer["answered"]?.bool, is: true)
  let again = try back(4, state)
  expect(again["result"]?["resultType"]?.text, is: "input_required", "\(again)")
  let message = again["result"]?["inputRequests"]?["confirm"]?["params"]?["message"]?.text
  expect(message, is: "Two?")
  let done = try back(5, try require(again["result"]?["requestState"]?.text))
  expect(done["result"]?["structuredContent"]?["result"]?.text, is: "true true")
}

@Test("Z4: A client that comes back after somebody else has answered waits for the next question")
func nextQuestionComesLater() throws {
  let stage = try AssistantStage(
    "function app.on:slow() ask { confirm = 'One?' } sleep(0.1) return ask { confirm = 'Two?' } end")
  let forms = #"{"elicitation": {"form": {}}}"#
  let call = AssistantStage.line(3, "tools/call", #""name": "slow""#, capabilities: forms)
  let asked = try require(stage.ask(call).last)
  let state = try require(asked["result"]?["requestState"]?.text)
  let person = try require(try LiveClient(at: stage.app.path, within: 5000))
  _ = try person.request("answer", [("job", .integer(1))])
  let yes = #"{"confirm": {"action": "accept", "content": {"yes": true}}}"#
  let members = #""name": "slow", "requestState": "\#(state)", "inputResponses": \#(yes)"#
  let again = stage.ask(AssistantStage.line(4, "tools/call", members, capabilities: forms)).last
  let message = again?["result"]?["inputRequests"]?["confirm"]?["params"]?["message"]?.text
  expect(message, is: "Two?", "\(again.map { JSONText.text($0) } ?? "")")
}

@Test("Z4: The app refuses an answer to a question that somebody else has answered")
func numberedQuestions() throws {
  let stage = try AssistantStage(twice)
  stage.initialize()
  let question = try require(stage.ask(AssistantStage.line(3, "tools/call", #""name": "both""#)).last)
  expect(question["id"]?.text, is: "ask-1")
  let person = try require(try LiveClient(at: stage.app.path, within: 5000))
  _ = try person.request("answer", [("job", .integer(1)), ("number", .integer(1))])
  #expect(throws: Unanswered.self) { try person.request("answer", [("job", .integer(1)), ("number", .integer(1))]) }
  stage.say(#"{"jsonrpc": "2.0", "id": "ask-1", "result": {"action": "accept", "content": {"yes": true}}}"#)
  let jobs = try person.request("jobs")["jobs"]?.list
  expect(jobs?.first?["asks"]?["confirm"]?.text, is: "Two?", "the second question waits for a person")
}

@Test("Z4: A job whose sealed question is refused ends, so that its action can be done again")
func refusedSealEndsJob() throws {
  let stage = try AssistantStage(twice)
  let forms = #"{"elicitation": {"form": {}}}"#
  let call = AssistantStage.line(3, "tools/call", #""name": "both""#, capabilities: forms)
  let asked = try require(stage.ask(call).last)
  let state = try require(asked["result"]?["requestState"]?.text)
  let altered = #""name": "both", "arguments": {"a": 1}, "requestState": "\#(state)""#
  expect(stage.ask(AssistantStage.line(4, "tools/call", altered, capabilities: forms)).last?.code, is: -32602)
  let again = AssistantStage.line(5, "tools/call", #""name": "both""#, capabilities: forms)
  expect(stage.ask(again).last?["result"]?["resultType"]?.text, is: "input_required")
}
