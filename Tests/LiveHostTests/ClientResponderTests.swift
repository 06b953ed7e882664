import Expectations
import Glibc
import ScriptHost
import Testing

@testable import LiveHost

/// The responder that a client registers in most of these tests, and the menu that shows it.
private let menus = """
  menubar { menu "File" { item "Save" { "save", key = "ctrl+s" }, item "Five" { "rate(stars: 5)" },
    item "Four" { "rate(stars: 4)" } } }
  """
private let declared = #"{"responder": "text", "window": true, "on": {"save": {}, "rate": {}}}"#

extension Wire {
  /// Performs an action, and returns the call that this client receives.
  fileprivate func called(_ parameters: String) -> JSON {
    send("perform", parameters)
    return notification("do") ?? .null
  }

  fileprivate func problem(_ method: String, _ parameters: String) -> String { ask(method, parameters).error ?? "none" }
}

extension LiveStage {
  fileprivate func registered(_ parameters: String = declared) throws -> Wire {
    let client = try client()
    expect(client.ask("register", parameters).error, is: nil)
    return client
  }
}

@Suite("Responders of clients") struct ClientResponderTests {
  @Test("R1: A client's responder is in the chain, handles its keys, and goes with unregister")
  func registering() throws {
    let stage = try LiveStage(menus)
    let client = try stage.client()
    _ = client.result("hello", #"{"client": {"name": "editor"}}"#)
    let keys = #"{"responder": "text", "window": true, "on": {"save": {"about": "Save"}}, "keys": {"g g": "save"}}"#
    expect(client.ask("register", keys).error, is: nil)
    expect(
      client.result("chain")["chain"]?.written,
      is: #"[{"name": "text", "owner": "client editor"}, {"name": "app", "owner": "host"}]"#)
    expect(client.ask("register", #"{"responder": "list", "before": "text", "on": {"save": {}}}"#).error, is: nil)
    expect(stage.host.chainNames, is: ["list", "text", "app"])
    expect(client.result("press", #"{"keys": "g g"}"#)["status"], is: .text("running"))
    expect(client.notification("do")?["responder"], is: .text("list"))
    expect(client.ask("unregister", #"{"responder": "list"}"#).error, is: nil)
    expect(stage.host.chainNames, is: ["text", "app"])
    expect(client.problem("unregister", #"{"responder": "lists"}"#).hasPrefix("-32602 you have no responder 'lists'"))
  }

  @Test("A10, R3: A client asks in the middle of its call; its patience rests until the answer, which it hears")
  func asking() throws {
    let stage = try LiveStage("", clock: TestClock())
    let (client, person) = (try stage.client(), try stage.client())
    _ = client.result("hello", #"{"client": {"name": "py"}}"#)
    expect(client.ask("register", #"{"responder": "t", "window": true, "on": {"purge": {}}}"#).error, is: nil)
    _ = person.result("subscribe", #"{"to": ["jobs"]}"#)
    let call = try require(client.called(#"{"ref": "purge"}"#)["call"]?.integer)
    let takes = #"[{"key": "days", "type": "integer"}]"#
    expect(client.ask("ask", "{\"call\": \(call), \"title\": \"Purge\", \"takes\": \(takes)}").error, is: nil)
    expect(client.problem("ask", "{\"call\": \(call), \"confirm\": \"Sure?\"}").contains("asks already"))
    var asked = person.notification("job")
    while asked?["asks"] == nil { asked = person.notification("job") }
    expect(asked?["asks"]?["title"], is: .text("client py: Purge"))
    try stage.host.advance(by: .seconds(60))
    stage.live.turn()
    let job = try require(asked?["job"]?.integer)
    let misfit = person.result("answer", "{\"job\": \(job), \"args\": {\"days\": \"x\"}}")
    expect(misfit["answered"], is: .bool(false))
    expect(person.result("answer", "{\"job\": \(job), \"args\": {\"days\": 7}}")["answered"], is: .bool(true))
    let answered = "{\"call\": \(call), \"confirmed\": true, \"args\": {\"days\": 7}}"
    expect(client.notification("answered")?.written, is: answered)
    // A no, then the end of a call with an open question.
    expect(client.ask("ask", "{\"call\": \(call), \"confirm\": \"Sure?\"}").error, is: nil)
    expect(person.result("answer", "{\"job\": \(job), \"confirmed\": false}")["answered"], is: .bool(true))
    expect(client.notification("answered")?["confirmed"], is: .bool(false))
    expect(client.ask("ask", "{\"call\": \(call), \"confirm\": \"Sure?\"}").error, is: nil)
    expect(client.ask("done", "{\"call\": \(call), \"result\": 7}").error, is: nil)
    expect(stage.host.questions.isEmpty)
    expect(client.problem("ask", "{\"call\": \(call), \"confirm\": \"Sure?\"}").contains("no call"))
  }

  @Test("A10: A client hears at once if nobody can answer its question; after an answer its time runs again")
  func askingNobody() throws {
    let stage = try LiveStage("", clock: TestClock())
    let client = try stage.client()
    expect(client.ask("register", #"{"responder": "t", "window": true, "on": {"purge": {}}}"#).error, is: nil)
    let call = try require(client.called(#"{"ref": "purge"}"#)["call"]?.integer)
    expect(client.ask("ask", "{\"call\": \(call), \"confirm\": \"Sure?\"}").error, is: nil)
    expect(client.notification("answered")?["reason"], is: .text("nobody can be asked"))
    expect(client.problem("ask", "{\"call\": \(call)}").contains("needs 'takes', 'confirm' or both"))
    try stage.host.advance(by: .seconds(11))
    stage.live.turn()
    expect(client.notification("cancel")?["call"], is: .integer(call))
  }

  @Test("R2: An action with 'reentrant' can begin again while the client does it; others can't")
  func reentrant() throws {
    let stage = try LiveStage("")
    let client = try stage.client()
    let on = #"{"open": {"reentrant": true}, "save": {}}"#
    expect(client.ask("register", "{\"responder\": \"text\", \"window\": true, \"on\": \(on)}").error, is: nil)
    for action in ["open", "save"] {
      expect(client.result("perform", "{\"ref\": \"\(action)\"}")["status"], is: .text("running"))
      let again = client.result("perform", "{\"ref\": \"\(action)\"}")["status"]
      expect(again, is: .text(action == "open" ? "running" : "disabled"))
    }
    expect(client.problem("register", #"{"responder": "r", "on": {"x": {"reentrant": 1}}}"#).contains("true or false"))
  }

  @Test("R3, P14: A client that reports its state in an action that a text performs doesn't begin the text again")
  func setInText() throws {
    let stage = try LiveStage(
      """
      began = 0
      panel { text "t" { lines = function() began = began + 1 app:perform("body") return "b" end } }
      """, clock: TestClock())
    let client = try stage.client()
    let declared = #"{"responder": "py", "before": "app", "on": {"body": {"reads": []}}}"#
    expect(client.ask("register", declared).error, is: nil)
    _ = client.result("subscribe", #"{"to": ["panel"]}"#)
    for round in 1...6 {
      _ = client.result("menus")
      try stage.host.advance(by: .milliseconds(500))
      stage.live.turn()
      _ = client.result("keys")
      if client.toldNames.contains("do"), let call = client.notification("do")?["call"]?.integer {
        _ = client.result("set", "{\"responder\": \"py\", \"context\": {\"n\": \(round)}}")
        _ = client.ask("done", "{\"call\": \(call)}")
      }
    }
    try expect(stage.value("return began"), is: "integer(1)")
  }

  @Test("R1: A taken name is an error that names the owner, and a wrong declaration leaves nothing")
  func names() throws {
    let stage = try LiveStage("responder 'grid' function app.on:x() end")
    let (one, two) = (try stage.registered(), try stage.client())
    for (parameters, sentence) in [
      (#"{"responder": "grid"}"#, "the name 'grid' is taken by a responder of 'app'"),
      (#"{"responder": "text"}"#, "the name 'text' is taken by a window of 'client'"),
      (#"{"responder": "app"}"#, "'app' is the name of the app itself"),
      (#"{"responder": "host"}"#, "'host' is the name of the host itself"),
      (#"{"responder": ""}"#, "the name of a responder can't be empty"),
      (#"{"responder": "a", "next": "gird"}"#, "there is no responder 'gird'; did you mean 'grid'?"),
      (#"{"responder": "a", "next": "a"}"#, "there is no responder 'a'"),
      (#"{"responder": "a", "next": "grid", "before": "grid"}"#, "'register' takes 'next' or 'before', not both"),
      (#"{"responder": "a", "window": true, "before": "grid"}"#, "'before' needs a responder"),
      (#"{"responder": "a", "on": {"b(c: 1)": {}}}"#, "'b(c: 1)' can't be the name of an action"),
      (#"{"responder": "a", "on": {"b": 1}}"#, "'b' of 'on' must be an object"),
      (#"{"responder": "a", "on": {"b": {"tkes": []}}}"#, "'b' of 'on' has no 'tkes'; did you mean 'takes'?"),
      (
        #"{"responder": "a", "on": {"b": {"takes": [{"key": "k", "type": "int"}]}}}"#,
        "'takes' of 'b': there is no type 'int', the type of 'k'; the types are string, integer, number"
      ),
      (
        #"{"responder": "a", "on": {"b": {"takes": [{"key": "k", "type": "strng"}]}}}"#,
        "there is no type 'strng', the type of 'k'; did you mean 'string'?"
      ),
      (#"{"responder": "a", "on": {"b": {"takes": [{"key": "k"}]}}}"#, "'takes' of 'b' must be a list"),
      (
        #"{"responder": "a", "on": {"b": {"takes": [{"key": "k", "type": "one_of"}]}}}"#, "'k' of 'b' has choices"
      ),
      (#"{"responder": "a", "on": {"b": {"reads": [1]}}}"#, "'reads' of 'b' is a list of strings"),
      (#"{"responder": "a", "keys": {"hyper+x": "x"}}"#, "'hyper+x' can't be bound"),
      (#"{"responder": "a", "keys": {"x": []}}"#, "'x' of 'keys' must be an action"),
      (#"{"responder": "a", "patience": 0}"#, "'patience' of 'register' must be seconds"),
    ] {
      expect(two.problem("register", parameters).contains(sentence), "\(parameters): \(two.told)")
    }
    expect(one.problem("register", declared).contains("you have registered 'text' already: unregister it first"))
    expect(stage.host.responders.map(\.name), is: ["app", "grid", "text"])
    let failure = try stage.value("tostring(select(2, pcall(responder, 'text')))")
    expect(failure.contains(": it is one of"), "\(failure)")
  }

  @Test("R1: The end of a connection removes its responders, and cancels its calls")
  func leaving() throws {
    let stage = try LiveStage(menus)
    let (client, other) = (try stage.registered(), try stage.client())
    let id = other.send("perform", #"{"ref": "save", "wait": true}"#)
    expect(client.notification("do")?["action"], is: .text("save"))
    client.end()
    let ended = other.answer(to: id)["result"]
    expect(ended?["status"] == .text("cancelled") && ended?["reason"] == .text("'client' is gone"))
    expect(stage.host.chainNames, is: ["app"])
    let outcome = other.result("perform", #"{"ref": "save"}"#)
    expect(outcome["status"], is: .text("unhandled"))
    expect(outcome["reason"], is: .text("nobody handles 'save' now that 'client' has gone"))
    expect(other.ask("register", declared).error, is: nil)
    expect(other.ask("unregister", #"{"responder": "text"}"#).error, is: nil)
    expect(other.result("perform", #"{"ref": "save"}"#)["reason"], is: .text("nobody handles 'save'"))
  }

  @Test("R2: States sent in advance apply to items, the most specific reference first, and null removes them")
  func states() throws {
    let stage = try LiveStage(menus)
    let client = try stage.registered()
    func items() -> [String] {
      (client.result("menus")["menus"]?.list?.first?["children"]?.list ?? []).map {
        let reason = $0["reason"]?.text.map { " (\($0))" } ?? ""
        return "\($0["title"]?.text ?? "") \($0["state"]?.text ?? "") \($0["enabled"] == .bool(true))\(reason)"
      }
    }
    func set(_ actions: String) {
      expect(client.problem("set", #"{"responder": "text", "actions": \#(actions)}"#), is: "none")
    }
    expect(items(), is: ["Save off true", "Five off true", "Four off true"])
    set(#"{"save": {"enabled": false, "reason": "nothing has changed"}, "rate": {"enabled": false, "reason": "no"}}"#)
    expect(items(), is: ["Save off false (nothing has changed)", "Five off false (no)", "Four off false (no)"])
    set(#"{"rate(stars: 5)": {"enabled": true, "state": "on", "title": "★"}}"#)
    expect(items(), is: ["Save off false (nothing has changed)", "★ on true", "Four off false (no)"])
    expect(client.result("why", #"{"ask": "save"}"#)["reason"], is: .text("nothing has changed"))
    let refused = client.result("perform", #"{"ref": "save"}"#)
    expect(refused["status"] == .text("disabled") && refused["reason"] == .text("nothing has changed"))
    set(#"{"save": {"reason": null}, "rate": null, "rate(stars: 5)": {"title": null}}"#)
    expect(items(), is: ["Save off false ('text' refuses 'save')", "Five on true", "Four off true"])
    for (actions, sentence) in [
      (#"{"save": {"enabled": true}, "sve": {}}"#, "'text' has no action 'sve'; did you mean 'save'?"),
      (#"{"save": {"enabled": 1}}"#, "'enabled' of 'save' must be true or false"),
      (#"{"save": {"state": "half"}}"#, "'state' of 'save' must be on, off or mixed, not 'half'"),
      (#"{"save": {"titel": "x"}}"#, "the state of 'save' has no 'titel'; did you mean 'title'?"),
      (#"{"save": true}"#, "the state of 'save' must be an object or null"),
      (#"{"save(": {}}"#, "'save(' is no action"),
    ] {
      expect(client.problem("set", #"{"responder": "text", "actions": \#(actions)}"#).contains(sentence))
    }
    expect(items().first, is: "Save off false ('text' refuses 'save')")
  }

  @Test("R2: Context sent in advance is supplied at the responder's place, and merges")
  func context() throws {
    let stage = try LiveStage(
      """
      function app.on:show(ctx) return ctx.page .. (ctx.name or '-') end
      function app:provide(ctx) ctx.page = 0 end
      """)
    let client = try stage.registered()
    func show() -> String? { client.result("perform", #"{"ref": "show"}"#)["result"]?.text }
    expect(show(), is: "0-")
    expect(client.problem("set", #"{"responder": "text", "context": {"page": 3, "name": "a"}}"#), is: "none")
    expect(show(), is: "3a")
    expect(client.problem("set", #"{"responder": "text", "context": {"page": null}}"#), is: "none")
    expect(show(), is: "0a")
    expect(client.result("context")["context"]?["name"]?.written, is: #"{"value": "a", "by": "text"}"#)
    expect(
      client.problem("set", #"{"responder": "text", "context": {"sender": 1, "name": "b"}}"#),
      is: "-32602 'sender' is a name of the host: choose another name")
    expect(show(), is: "0a")
  }

  @Test("R3: An action waits for its client, which receives arguments, context and sender, and answers with a result")
  func doing() throws {
    let stage = try LiveStage(menus + "\nfunction app.provide(self, ctx) ctx.theme = 'dark' ctx.size = 2 end")
    let client = try stage.registered(
      #"{"responder": "text", "window": true, "on": {"save": {"reads": ["theme", "none"]}, "rate": {}}}"#)
    expect(
      client.called(#"{"ref": "rate(stars: 5)"}"#).written,
      is:
        #"{"call": 1, "responder": "text", "action": "rate", "args": {"stars": 5}, "context": {"size": 2, "theme": "dark"}, "sender": "app"}"#
    )
    expect(client.problem("done", #"{"call": 1, "result": {"ok": [1, null]}}"#), is: "none")
    let told = client.notification("job")
    expect(told?["outcome"]?["result"]?.written == #"{"ok": [1, null]}"# && told?["outcome"]?["by"] == .text("text"))
    client.send("pick", #"{"id": "File/Save"}"#)
    expect(
      client.notification("do")?.written,
      is:
        #"{"call": 2, "responder": "text", "action": "save", "args": {}, "context": {"theme": "dark", "none": null}, "sender": {"id": "File/Save", "title": "Save", "action": "save", "key": "ctrl+s"}}"#
    )
    expect(client.result("validate", #"{"refs": ["save"]}"#)["items"]?.list?.first?["reason"], is: .text("running"))
  }

  @Test("R3: A reason, an error and pass work as in a handler")
  func answers() throws {
    let stage = try LiveStage("function app.on:save() return 'the app did' end")
    let client = try stage.registered()
    for (answer, outcome) in [
      (
        #""reason": "the disk is full""#,
        #""status": "disabled", "by": "text", "via": "on", "reason": "the disk is full""#
      ),
      (
        #""error": "no such file""#,
        #""status": "failed", "by": "text", "via": "on", "error": {"message": "no such file", "code": "client", "owner": "client"}"#
      ),
      (
        #""error": {"message": "broken", "code": 5}"#,
        #""status": "failed", "by": "text", "via": "on", "error": {"message": "broken", "code": "client", "owner": "client"}"#
      ),
      (#""pass": true"#, #""status": "handled", "by": "app", "via": "on", "result": "the app did""#),
    ] {
      let call = client.called(#"{"ref": "save"}"#)["call"]?.integer ?? 0
      expect(client.problem("done", #"{"call": \#(call), \#(answer)}"#), is: "none")
      expect(client.notification("job")?["outcome"]?.written, is: #"{"action": "save", \#(outcome)}"#)
    }
  }

  @Test("R3: A notification 'done' that can't be read ends the action at once with the reason")
  func unreadableDone() throws {
    let stage = try LiveStage("")
    let client = try stage.registered()
    for (done, reason) in [
      (#""undo": "x""#, "'undo' of 'done' needs 'perform', the action that undoes it"),
      (#""error": {"code": 1}"#, "'error' of 'done' must be a sentence, or an object with 'message'"),
      (#""result": 1, "reason": "no""#, "'done' needs one of 'result', 'reason', 'error' and 'pass'"),
    ] {
      let id = client.send("perform", #"{"ref": "save", "wait": true}"#)
      let call = client.notification("do")?["call"]?.integer ?? 0
      client.write(#"{"jsonrpc": "2.0", "method": "done", "params": {"call": \#(call), \#(done)}}"# + "\n")
      let answer = client.told.first { $0["id"]?.integer == id } ?? client.answer(to: id)
      expect(answer["result"]?["error"]?["message"]?.text?.contains(reason), is: true, "\(done): \(answer.written)")
      client.told = []
    }
  }

  @Test("R3: A script waits for a client's action as for any other")
  func scripts() throws {
    let stage = try LiveStage(
      "function app.on:both() return app:perform('save').result + app:perform('rate', { stars = 2 }).result end")
    let client = try stage.registered()
    let id = client.send("perform", #"{"ref": "both", "wait": true}"#)
    for result in [40, 2] {
      let call = client.notification("do")?["call"]?.integer ?? 0
      expect(client.problem("done", #"{"call": \#(call), "result": \#(result)}"#), is: "none")
    }
    let answer = client.told.first { $0["id"]?.integer == id } ?? client.answer(to: id)
    expect(answer["result"]?["result"], is: .integer(42))
  }

  @Test("R3: The action named in 'undo' takes the action back, and its own 'undo' is the redo")
  func undo() throws {
    let stage = try LiveStage("")
    let client = try stage.registered(#"{"responder": "text", "window": true, "on": {"put": {}, "cut": {}}}"#)
    func answer(_ action: String, _ args: String, _ undo: String) {
      let call = client.notification("do")
      expect(call?["action"] == .text(action) && call?["args"]?.written == args, "\(call?.written ?? "")")
      let number = call?["call"]?.integer ?? 0
      expect(client.problem("done", #"{"call": \#(number), "undo": \#(undo)}"#), is: "none")
      expect(client.notification("job")?["outcome"]?["status"], is: .text("handled"))
    }
    client.send("perform", #"{"ref": "put", "args": {"text": "a b"}}"#)
    answer("put", #"{"text": "a b"}"#, #"{"perform": "cut(from: 0)", "args": {"to": 3}, "title": "Typing"}"#)
    expect(client.result("undo_stack")["undo"]?.written, is: #"["Typing"]"#)
    client.send("undo")
    answer("cut", #"{"from": 0, "to": 3}"#, #"{"perform": "put", "args": {"text": "a b"}}"#)
    expect(client.result("undo_stack")["redo"]?.written, is: #"["Typing"]"#)
    client.send("redo")
    answer("put", #"{"text": "a b"}"#, #"{"perform": "cut(from: 0, to: 3)"}"#)
    expect(client.result("undo_stack")["undo"]?.written, is: #"["Typing"]"#)
    let call = client.called(#"{"ref": "put"}"#)["call"]?.integer ?? 0
    for (undo, sentence) in [("{}", "'undo' of 'done' needs 'perform'"), (#"{"perform": "a("}"#, "-32602")] {
      expect(client.problem("done", #"{"call": \#(call), "undo": \#(undo)}"#).contains(sentence))
    }
    expect(client.problem("done", #"{"call": \#(call)}"#), is: "none")
  }

  @Test("R3, U3: If an action fails or is cancelled, the client takes back its part of the action")
  func takenBack() throws {
    let stage = try LiveStage(
      """
      function app.on:boom() app:perform("put") error "boom" end
      function app.on:slow() app:perform("put") sleep(100) end
      """)
    let client = try stage.registered(#"{"responder": "text", "window": true, "on": {"put": {}, "cut": {}}}"#)
    func put(_ action: String) -> Int {
      let id = client.send("perform", #"{"ref": "\#(action)"}"#)
      let call = client.notification("do")?["call"]?.integer ?? 0
      let job = client.answer(to: id)["result"]?["job"]?.integer ?? 0
      expect(client.problem("done", #"{"call": \#(call), "undo": {"perform": "cut"}}"#), is: "none")
      return job
    }
    func cut(_ answer: String) {
      let call = client.notification("do")
      expect(call?["action"], is: .text("cut"))
      client.told = []
      expect(client.problem("done", #"{"call": \#(call?["call"]?.integer ?? 0)\#(answer)}"#), is: "none")
    }
    _ = put("boom")
    cut("")
    expect(stage.host.takeDiagnostics().map(\.message), is: ["boom"])
    let job = put("slow")
    client.send("cancel", #"{"job": \#(job)}"#)
    cut(#", "error": "the disk is full""#)
    expect(client.result("undo_stack")["undo"] == .list([]) && client.result("jobs")["jobs"] == .list([]))
    expect(stage.host.takeDiagnostics().contains { $0.message == "'slow' could not be undone: the disk is full" })
  }

  @Test("R3: The undo steps of a client count toward its 4 MiB")
  func undoBytes() throws {
    let stage = try LiveStage("")
    let client = try stage.registered(#"{"responder": "text", "window": true, "on": {"put": {}, "cut": {}}}"#)
    let text = String(repeating: "x", count: 900_000)
    var refused = 0
    for number in 1...6 {
      expect(client.called(#"{"ref": "put"}"#)["call"], is: .integer(number))
      let done = #"{"call": \#(number), "undo": {"perform": "cut", "args": {"text": "\#(text)"}}}"#
      if client.problem("done", done).contains("4 MiB") { refused += 1 }
    }
    expect(refused, is: 2)
    expect(client.result("undo_stack")["undo"]?.list?.count, is: 4)
  }

  @Test("R3: Actions with one coalescing key are undone in one step, the last first")
  func coalescing() throws {
    let stage = try LiveStage("")
    let client = try stage.registered(#"{"responder": "text", "window": true, "on": {"put": {}, "cut": {}}}"#)
    for number in 1...2 {
      expect(client.called(#"{"ref": "put"}"#)["call"], is: .integer(number))
      let undo = #"{"perform": "cut(from: \#(number))", "title": "Typing", "coalesce": "typing"}"#
      expect(client.problem("done", #"{"call": \#(number), "undo": \#(undo)}"#), is: "none")
    }
    expect(client.result("undo_stack")["undo"]?.written, is: #"["Typing"]"#)
    client.send("undo")
    for (call, from) in [(3, 2), (4, 1)] {
      expect(client.notification("do")?["args"]?["from"], is: .integer(from))
      expect(client.problem("done", #"{"call": \#(call)}"#), is: "none")
    }
    expect(client.result("undo_stack")["undo"], is: .list([]))
  }

  @Test("R3: The client of a cancelled job is notified, and its later answer is an error")
  func cancelling() throws {
    let stage = try LiveStage("")
    let (client, other) = (try stage.registered(), try stage.client())
    let job = other.result("perform", #"{"ref": "save"}"#)["job"]?.integer ?? 0
    expect(client.notification("do")?["call"], is: .integer(1))
    expect(client.problem("progress", #"{"call": 1, "fraction": 0.5, "text": "half"}"#), is: "none")
    expect(other.notification("job")?["progress"]?.written, is: #"{"fraction": 0.5, "text": "half"}"#)
    expect(other.result("cancel", #"{"job": \#(job)}"#)["cancelled"], is: .bool(true))
    expect(client.notification("cancel")?["call"], is: .integer(1))
    expect(other.notification("job")?["outcome"]?["status"], is: .text("cancelled"))
    expect(client.problem("done", #"{"call": 1}"#).hasPrefix("-32602 no call 1 waits for your answer"))
    expect(client.problem("progress", #"{"call": 1, "fraction": 2}"#).contains("from 0 to 1"))
  }

  @Test("R3: A client that doesn't answer within its patience fails the call; progress restarts the time")
  func patience() throws {
    let stage = try LiveStage("", clock: TestClock())
    let client = try stage.registered(#"{"responder": "text", "window": true, "on": {"save": {}}, "patience": 4}"#)
    expect(client.called(#"{"ref": "save"}"#)["call"], is: .integer(1))
    try stage.host.advance(by: .seconds(3))
    expect(client.problem("progress", #"{"call": 1, "text": "still there"}"#), is: "none")
    try stage.host.advance(by: .seconds(3))
    expect(stage.host.jobs.count, is: 1)
    try stage.host.advance(by: .seconds(1))
    var outcome: JSON?
    while outcome == nil, let told = client.notification("job") { outcome = told["outcome"] }
    expect(outcome?["error"]?["message"], is: .text("'client' didn't answer 'save' of 'text' within 4 seconds"))
    expect(client.notification("cancel")?["call"] == .integer(1) && stage.host.jobs.isEmpty)
  }

  @Test("R4: A client can focus its responders, and is notified of the focus")
  func focus() throws {
    let stage = try LiveStage("window 'main'")
    let client = try stage.registered()
    _ = client.result("subscribe", #"{"to": ["focus"]}"#)
    expect(client.result("focus", #"{"name": "text"}"#)["focused"], is: .bool(true))
    expect(client.notification("focus")?.written, is: #"{"new": "text", "old": "main"}"#)
  }

  @Test("R4: An object of a client returns unchanged through context, scripts, arguments and results")
  func objects() throws {
    let stage = try LiveStage(
      """
      function app.on:same(ctx) return ctx.doc == ctx.list[1], ctx.doc ~= ctx.list[2], type(ctx.doc) end
      function app.on:pass_on(ctx) app:perform("save", { doc = ctx.doc, all = { x = ctx.list[2] } }) end
      function app.on:get(ctx) return ctx.doc end
      """)
    let client = try stage.registered()
    let (seven, eight) = (#"{"$": "object", "id": 7}"#, #"{"$": "object", "id": 8}"#)
    let context = #"{"doc": \#(seven), "list": [\#(seven), \#(eight)]}"#
    expect(client.problem("set", #"{"responder": "text", "context": \#(context)}"#), is: "none")
    expect(client.result("perform", #"{"ref": "same"}"#)["result"], is: .bool(true))
    expect(client.result("perform", #"{"ref": "get"}"#)["result"]?.written, is: seven)
    client.send("perform", #"{"ref": "pass_on"}"#)
    let call = client.notification("do")
    expect(call?["args"]?["doc"]?.written == seven && call?["args"]?["all"]?.written == #"{"x": \#(eight)}"#)
    expect(client.problem("done", #"{"call": 1, "result": \#(eight)}"#), is: "none")
    expect(client.called(#"{"ref": "rate", "args": {"doc": \#(eight)}}"#)["args"]?["doc"]?.written, is: eight)
    // Another client doesn't see these numbers, and a number that it sends is its own object.
    let other = try stage.client()
    expect(other.ask("register", #"{"responder": "other", "before": "text", "on": {"save": {}}}"#).error, is: nil)
    other.send("perform", #"{"ref": "save", "args": {"mine": \#(seven)}}"#)
    let asked = other.notification("do")
    expect(asked?["context"]?["doc"]?.written, is: #"{"$": "object"}"#)
    expect(asked?["args"]?["mine"]?.written, is: seven)
  }

  @Test("R5: A client's arguments, confirmations and titles work as a plugin's")
  func declarations() throws {
    let stage = try LiveStage("")
    let client = try stage.registered(
      #"{"responder": "text", "window": true, "on": {"rate": {"#
        + #""takes": [{"key": "stars", "type": "integer", "from": 0, "to": 5}, {"key": "by", "type": "string"}], "#
        + #""about": {"title": "Rate", "help": "Gives stars"}, "confirm": "Really?"}}}"#)
    let rate = client.result("actions")["actions"]?.list?.first { $0["name"] == .text("rate") }
    expect(rate?["title"] == .text("Rate") && rate?["help"] == .text("Gives stars"))
    let asked = client.result("perform", #"{"ref": "rate"}"#)["asks"]?["arguments"]?.list
    expect(asked?.compactMap { $0["key"]?.text }, is: ["stars", "by"])
    expect(
      client.result("perform", #"{"ref": "rate(stars: 6, by: me)"}"#)["reason"],
      is: .text("'stars' must be an integer from 0 to 5, not 6"))
    expect(client.result("perform", #"{"ref": "rate(stars: 5, by: me)"}"#)["asks"]?["confirm"], is: .text("Really?"))
    expect(client.called(#"{"ref": "rate(stars: 5, by: me)", "confirmed": true}"#)["args"]?["stars"], is: .integer(5))
  }

  @Test("R1: A client's responder keeps its position when the app reloads")
  func reloading() throws {
    let stage = try LiveStage("focus(responder 'grid')")
    stage.live.reloading = { [host = stage.host] () throws(Failure) in
      do throws(LoadError) { try host.reload(text: "focus(responder 'grid')", name: "app.lua") } catch {
        throw error.failure
      }
    }
    let client = try stage.registered(#"{"responder": "text", "before": "grid", "on": {"save": {}}}"#)
    expect(stage.host.chainNames, is: ["text", "grid", "app"])
    expect(client.result("reload")["reloaded"], is: .bool(true))
    expect(stage.host.chainNames, is: ["text", "grid", "app"])
    expect(client.called(#"{"ref": "save"}"#)["responder"], is: .text("text"))
  }

  @Test("R1: A reload without the responder behind a client's one reports that the client's is out of the chain")
  func losingItsPlace() throws {
    let stage = try LiveStage("focus(responder 'grid')")
    stage.live.reloading = { [host = stage.host] () throws(Failure) in
      do throws(LoadError) { try host.reload(text: "focus(responder 'list')", name: "app.lua") } catch {
        throw error.failure
      }
    }
    let client = try stage.registered(#"{"responder": "text", "before": "grid", "on": {"save": {}}}"#)
    _ = client.result("subscribe", #"{"to": ["diagnostics"]}"#)
    client.send("reload")
    expect(
      client.notification("diagnostic")?["diagnostic"]?["message"],
      is: .text("'text' of 'client' is out of the chain: 'grid', which came after it, is gone"))
    expect(stage.host.chainNames, is: ["list", "app"])
  }

  @Test("E5: A client emits events, and hears those of scripts and clients; a wrong name is an error")
  func events() throws {
    let stage = try LiveStage(
      """
      heard = {}
      listen("mail.synced", function(data) table.insert(heard, data.new) emit("list.shown", { rows = #heard }) end)
      """)
    let (client, other) = (try stage.client(), try stage.client())
    _ = other.result("subscribe", #"{"to": ["events"]}"#)
    expect(client.ask("emit", #"{"event": "mail.synced", "data": {"new": 3}}"#).error, is: nil)
    expect(try stage.value("heard[1]"), is: "integer(3)")
    expect(other.notification("event")?.written, is: #"{"event": "mail.synced", "data": {"new": 3}}"#)
    expect(other.notification("event")?.written, is: #"{"event": "list.shown", "data": {"rows": 1}}"#)
    for name in ["synced", "a b.c", "a.b!"] {
      let problem = client.problem("emit", #"{"event": "\#(name)"}"#)
      expect(problem.contains("it needs words with a dot between them, as in photo.changed"), "\(problem)")
    }
  }

  @Test("E5, A7: A client that hears an event gets no secret in its data")
  func secretEvents() throws {
    let stage = try LiveStage(
      """
      app.takes.login = { word = { "string", secret = true } }
      function app.on:login(ctx) emit("user.known", { word = ctx.args.word, name = "ada" }) end
      """)
    let client = try stage.client()
    _ = client.result("subscribe", #"{"to": ["events"]}"#)
    _ = client.result("perform", #"{"ref": "login", "args": {"word": "open sesame"}}"#)
    expect(client.notification("event")?["data"]?.written, is: #"{"name": "ada", "word": {"$": "secret"}}"#)
  }

  @Test("E5, A7: A client that hears an event gets no secret in its name, nor in the keys of its data")
  func secretNames() throws {
    let stage = try LiveStage(
      """
      app.takes.login = { word = { "string", secret = true } }
      function app.on:login(ctx) emit("user." .. ctx.args.word, { ["of " .. ctx.args.word] = 1 }) end
      """)
    let client = try stage.client()
    _ = client.result("subscribe", #"{"to": ["events"]}"#)
    _ = client.result("perform", #"{"ref": "login", "args": {"word": "sesame7"}}"#)
    expect(client.notification("event")?.written, is: #"{"event": "user.secret", "data": {"$": "secret"}}"#)
  }
}

@Suite("Keys of a client's responder") struct ClientKeyTests {
  @Test("R5, K9, K10, K12: A client's keys can be removed, have titles, act one after the other, wait, and count")
  func keys() throws {
    let stage = try LiveStage("function app.on:zap() return 'zap' end app.keys = { x = 'zap', y = 'zap' }")
    let client = try stage.client()
    let keys =
      #"{"x": false, "a": {"all": ["one", "two"], "title": "Both"}, "b": {"first": ["none", "two"]}, "#
      + #""g": {"first": ["one"], "wait": 0.5}, "g g": "two"}"#
    let on = #"{"one": {}, "two": {}}"#
    _ = client.result(
      "register", #"{"responder": "r", "before": "app", "on": \#(on), "counts": true, "keys": \#(keys)}"#)
    expect(client.result("press", #"{"keys": "x"}"#)["status"]?.text, is: "unhandled")
    expect(client.result("press", #"{"keys": "y"}"#)["result"]?.text, is: "zap")
    expect(client.result("press", #"{"keys": "3"}"#)["status"]?.text, is: "pending")
    expect(client.result("press", #"{"keys": "y"}"#)["status"]?.text, is: "handled")
    expect(client.result("press", #"{"keys": "g"}"#)["status"]?.text, is: "pending")
    expect(client.called(#"{"ref": "two"}"#)["action"]?.text, is: "two")
    let entry = client.result("keys")["keys"]?.list?.first { $0["key"]?.text == "a" }
    expect(entry?["title"]?.text, is: "Both")
    for (bad, part) in [
      (#"{"q": {"all": []}}"#, "an object with 'first' or 'all'"),
      (#"{"q": {"when": "x", "first": ["one"]}}"#, "no 'when'"),
      (#"{"q": true}"#, "must be an action"), (#"{"q": {"first": ["one"], "wait": 99}}"#, "seconds from 0 to 60"),
    ] {
      let problem = client.problem("register", #"{"responder": "s", "keys": \#(bad)}"#)
      expect(problem.contains(part), "\(problem)")
    }
  }
}

@Suite("Questions before a face") struct EarlyQuestionTests {
  @Test("A11: A question of 'start' waits for a face that is starting, and ends if there is none")
  func start() throws {
    let script = "function app:start() app.keep.said = tostring(ask { confirm = 'Go?' }) end"
    let stage = try LiveStage(script)
    stage.live.awaitsFace = true
    _ = stage.host.start()
    let client = try stage.client()
    _ = client.result("subscribe", #"{"to": ["jobs"]}"#)
    let job = try require(client.result("jobs")["jobs"]?.list?.first)
    expect(job["asks"]?["confirm"]?.text, is: "Go?")
    _ = client.result("answer", #"{"job": \#(job["job"]?.integer ?? 0), "confirmed": true}"#)
    expect(client.result("evaluate", #"{"line": "return app.keep.said"}"#)["values"]?.written, is: #"["true"]"#)
    let alone = try LiveStage(script)
    _ = alone.host.start()
    let said = try alone.client().result("evaluate", #"{"line": "return app.keep.said"}"#)
    expect(said["values"]?.written, is: #"["nil"]"#)
  }
}

@Suite("Hostile clients with responders") struct HostileClientTests {
  @Test("R3: A second answer, and an answer to another client's call, are errors and change nothing")
  func strangers() throws {
    let stage = try LiveStage("")
    let (client, other) = (try stage.registered(), try stage.client())
    expect(other.ask("register", #"{"responder": "list", "on": {"load": {}}}"#).error, is: nil)
    expect(client.called(#"{"ref": "save"}"#)["call"], is: .integer(1))
    expect(other.problem("done", #"{"call": 1, "result": "stolen"}"#).hasPrefix("-32602 no call 1"))
    expect(client.problem("done", #"{"call": 1, "result": 1, "reason": "no"}"#).contains("one of"))
    expect(client.problem("done", #"{"call": 1, "result": "own"}"#), is: "none")
    expect(client.problem("done", #"{"call": 1, "result": "again"}"#).hasPrefix("-32602 no call 1"))
    expect(client.notification("job")?["outcome"]?["result"], is: .text("own"))
  }

  @Test("R3: Calls to a client that never reads fail at once, and block nothing")
  func deaf() throws {
    let stage = try LiveStage("")
    let (client, other) = (try stage.registered(), try stage.client())
    let big = String(repeating: "x", count: 700_000)
    expect(client.problem("set", #"{"responder": "text", "context": {"big": "\#(big)"}}"#), is: "none")
    var last: JSON = .null
    for _ in 0..<12 {
      last = other.result("perform", #"{"ref": "save"}"#)
      if let job = last["job"]?.integer { _ = other.result("cancel", #"{"job": \#(job)}"#) }
    }
    expect(last["status"], is: .text("failed"), "\(last.written)")
    expect(
      last["error"]?["message"], is: .text("'client' reads too slowly, so it can't handle 'save' of 'text'"))
  }

  @Test("S11: Clients that are gone use up no names of actions: the next client registers, and the app reloads")
  func goneNames() throws {
    let stage = try LiveStage("function app.on:go() return 'gone' end function app.on:wait() sleep(3600) end")
    func actions(_ client: Int, _ count: Int) -> String {
      (0..<count).map { #""n\#(client)_\#($0)": {}"# }.joined(separator: ", ")
    }
    var taken = 0
    for number in 0..<6 {
      let client = try stage.client()
      for part in 0..<2 {
        let on = actions(2 * number + part, 4000)
        if client.problem("register", #"{"responder": "r\#(part)", "on": {\#(on)}}"#) == "none" { taken += 1 }
      }
      client.end()
      stage.turn(until: { stage.live.clients.isEmpty })
    }
    expect(taken, is: 12, "a client gets the names of those that are gone")
    let client = try stage.client()
    expect(client.problem("register", #"{"responder": "honest", "on": {"honest_save": {}}}"#), is: "none")
    expect(client.result("perform", #"{"ref": "go"}"#)["result"], is: .text("gone"))
    expect(client.result("perform", #"{"ref": "n0_0"}"#)["status"], is: .text("unhandled"))
    try stage.host.reload(text: "function app.on:fresh() return 'fresh' end", name: "app.lua")
    expect(client.result("perform", #"{"ref": "fresh"}"#)["result"], is: .text("fresh"))
  }

  @Test("S11: All clients that are there together leave the scripts enough names")
  func presentNames() throws {
    let stage = try LiveStage("function app.on:go() end")
    var clients: [Wire] = []
    var errors: [String] = []
    for number in 0..<9 {
      let client = try stage.client()
      clients.append(client)
      let on = (0..<4000).map { #""n\#(number)_\#($0)": {}"# }.joined(separator: ", ")
      errors.append(client.problem("register", #"{"responder": "r\#(number)", "on": {\#(on)}}"#))
    }
    expect(errors.prefix(8).allSatisfy { $0 == "none" })
    expect(errors.last?.hasSuffix("'r8' has more actions than a client can name"), is: true, "\(errors)")
    expect(clients[0].result("perform", #"{"ref": "go"}"#)["status"], is: .text("handled"))
  }

  @Test("R1: Ten thousand names, responders or actions are refused at no cost to others")
  func floods() throws {
    let stage = try LiveStage("")
    let client = try stage.client()
    let actions = (0..<10_000).map { #""a\#($0)": {}"# }.joined(separator: ", ")
    expect(
      client.problem("register", #"{"responder": "all", "on": {\#(actions)}}"#)
        .contains("has more actions than a client can name"))
    var problem = "none"
    for number in 0...1000 where problem == "none" {
      problem = client.problem("register", #"{"responder": "r\#(number)"}"#)
    }
    expect(problem, is: "-32602 a client has 1000 responders at most")
    client.end()
    expect(stage.turn(until: { stage.host.responders.count == 1 }))
  }

  @Test("R2: A flood of set takes turns with other clients, and keeps no more than its limit")
  func setting() throws {
    let stage = try LiveStage("")
    let (client, other) = (try stage.registered(), try stage.client())
    for number in 0..<2000 { client.send("set", #"{"responder": "text", "context": {"n": \#(number)}}"#) }
    expect(other.result("perform", #"{"ref": "fly"}"#)["status"], is: .text("unhandled"))
    let states = (0..<1001).map { #""rate(stars: \#($0))": {}"# }.joined(separator: ", ")
    expect(client.problem("set", #"{"responder": "text", "actions": {\#(states)}}"#).contains("more than 1000 states"))
    let big = String(repeating: "x", count: 1_000_000)
    for key in ["a", "b", "c", "d"] {
      expect(client.problem("set", #"{"responder": "text", "context": {"\#(key)": "\#(big)"}}"#), is: "none")
    }
    // All its responders count together: texts, numbers and states of actions.
    expect(client.problem("register", #"{"responder": "more", "on": {"go": {}}}"#), is: "none")
    let numbers = "[" + String(repeating: "1,", count: 40_000) + "1]"
    for told in [
      #""context": {"e": "\#(big)"}"#, #""context": {"e": \#(numbers)}"#, #""actions": {"go": {"title": "\#(big)"}}"#,
    ] {
      expect(client.problem("set", #"{"responder": "more", \#(told)}"#).contains("more than 4 MiB of declarations"))
    }
    expect(client.problem("set", #"{"responder": "text", "context": {"a": null}}"#), is: "none")
    expect(client.problem("set", #"{"responder": "more", "context": {"e": \#(numbers)}}"#), is: "none")
    expect(client.problem("unregister", #"{"responder": "more"}"#), is: "none")
    expect(client.problem("set", #"{"responder": "text", "context": {"a": "\#(big)"}}"#), is: "none")
    let deep = String(repeating: "[", count: 300_000) + String(repeating: "]", count: 300_000)
    client.send("set", #"{"responder": "text", "context": {"deep": \#(deep)}}"#)
    expect(client.next()?.error?.hasPrefix("-32700"), is: true)
    expect(client.result("context")["context"]?["n"]?["value"], is: .integer(1999))
  }
}
