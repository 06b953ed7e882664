import LiveHost
import ScriptHost

@testable import Assistant

/// Checks `menuctl mcp` with any bytes from a client: each message is valid, each request has one answer at most, no
/// action that asks runs without a yes, and the server answers afterwards.
///
/// The first byte chooses the settings and the length of the pieces in which the others come. In them `$STATE` is
/// replaced by the `requestState` that the server sent last, which nobody can guess.
struct AssistantCheck {
  /// Reads the server's messages. A test replaces it with a wrong way, to see that the check finds a fault.
  var read: (String) -> JSON? = { try? JSONReader.read($0.utf8) }

  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let first = bytes.first ?? 0
    var settings = AssistantSettings()
    settings.isReadOnly = first & 1 != 0
    if first & 2 != 0 { settings.mostTools = 3 }
    let app = StagedApp(
      FuzzedConversation.script,
      limits: HostLimits(
        memory: 12 << 20, load: .milliseconds(2000, instructions: 300_000),
        perform: .milliseconds(1000, instructions: 60_000)), clock: TestClock(), isAlone: true)
    defer { app.waitForEnd() }
    do {
      let conversation = try FuzzedConversation(LiveClient(at: try app.start()), settings, read)
      let size = 16 + Int(first >> 2) * 16
      var rest = bytes.dropFirst()
      while !rest.isEmpty {
        try conversation.take(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      try conversation.end()
      return nil
    } catch { return "\(error)" }
  }
}

/// A conversation of the fuzzer with a server. Each message is checked.
final class FuzzedConversation {
  static let script = """
    app.title = "Fuzzed"
    rows, deleted, on = { "a", "b" }, 0, false
    menubar {
      menu "Go" {
        section "rows" { items = function() return rows end, id = function(row) return row end, row = function(row) return item(row) { "use" } end },
        item "Next" { "next", key = "n" }, item "Rate" { "rate(rating: 3)" },
        item "Delete" { "delete", destructive = true }, item "Wait" { "nap" }, item "Send" { "send" },
      },
    }
    panel { pane "list" { marks = true, section "lines" { items = function() return rows end,
      id = function(row) return "line " .. row end, row = function(row) return item(row) { "next" } end } },
      text "notes" { lines = function() return rows end } }
    function app:provide(ctx) ctx.deleted = deleted end
    app.takes.rate = { rating = { "integer", from = 0, to = 5 } }
    function app.on:rate(ctx) rating = ctx.rating ctx:undo("Rate", function() rating = nil end) return rating end
    function app.can:previous() return on, "this is the first" end
    function app.on:previous() end
    function app.on:next() on = not on end
    function app.look:next() return { state = on } end
    app.confirm.delete = "Delete it?"
    app.takes.delete = { name = { "string", optional = true } }
    function app.on:delete() deleted = deleted + 1 return deleted end
    app.takes.copy = { to = "string", how = { one_of = { "deep", "flat" } } }
    function app.on:copy(ctx) return ctx.to .. ctx.how end
    app.takes.unlock = { code = { "string", secret = true } }
    function app.on:unlock() end
    function app.on:nap() progress(0.5, "half") sleep(5) end
    function app.on:send() return ask { title = "Send", takes = { to = { "string", from = 2 } } } end
    function app.on:burn() if ask { confirm = "Burn it?" } then deleted = deleted + 1 end end
    function app.on:use(ctx) rows = { ctx.sender.title .. "x", "b" } end
    function app.on:grow() app.on["late " .. #rows] = function() end end
    function app.on:boom() error("it broke") end
    """

  struct Fault: Error, CustomStringConvertible { let description: String }

  private let client: LiveClient
  private let assistant: Assistant
  private let read: (String) -> JSON?
  private let sent: Sent
  private var lines = IncomingLines()
  private var state = Array("$STATE".utf8)
  /// The number of answers that each request may still get, by its id as JSON.
  private var open: [String: Int] = [:]
  private var hasAccepted = false

  private final class Sent { var messages: [String] = [] }

  init(_ client: LiveClient, _ settings: AssistantSettings, _ read: @escaping (String) -> JSON?) throws {
    self.client = client
    self.read = read
    try client.greet(as: "fuzzer")
    let sent = Sent()
    self.sent = sent
    assistant = try Assistant(client, settings, now: { .zero }) { sent.messages.append($0) }
  }

  /// Takes bytes of the client, and checks the server's messages.
  func take(_ bytes: some Collection<UInt8>) throws {
    for line in lines.take(bytes) {
      guard case .whole(let line) = line, !assistant.isOver else { continue }
      try say(Array(line).replacing(Array("$STATE".utf8), with: state))
    }
  }

  private func say(_ line: [UInt8]) throws {
    var id = JSON.null
    let incoming = try? Incoming(line, id: &id)
    if case .answer? = incoming {} else { open[JSONText.text(id), default: 0] += 1 }
    if let json = try? JSONReader.read(line), Self.accepts(json) { hasAccepted = true }
    assistant.take(line)
    // The app's notifications for this line come before its next answer, so a run doesn't depend on the threads.
    _ = try? client.request("jobs")
    assistant.turn()
    for message in sent.messages { try look(at: message) }
    sent.messages.removeAll()
  }

  /// Returns true if a message contains a yes of the person.
  private static func accepts(_ json: JSON) -> Bool {
    switch json {
    case .text(let text): text == "accept"
    case .list(let values): values.contains(where: accepts)
    case .object(let members): members.contains { accepts($0.1) }
    default: false
    }
  }

  private func look(at message: String) throws {
    guard let json = read(message), !message.contains("\n") else {
      throw Fault(description: "no line of JSON: \(message)")
    }
    guard json["jsonrpc"]?.text == "2.0" else { throw Fault(description: "no version: \(message)") }
    let kinds = ["result", "error", "method"].filter { json[$0] != nil }
    guard kinds.count == 1 else { throw Fault(description: "neither answer nor request: \(message)") }
    if kinds == ["method"] {
      let isQuestion = json["id"]?.text?.hasPrefix("ask-") == true && json["method"]?.text == "elicitation/create"
      let isNotification = json["id"] == nil && json["method"]?.text?.hasPrefix("notifications/") == true
      guard isQuestion || isNotification else { throw Fault(description: "nothing that a server says: \(message)") }
      return
    }
    guard let id = json["id"] else { throw Fault(description: "an answer to nobody: \(message)") }
    let left = open[JSONText.text(id), default: 0]
    guard left > 0 else { throw Fault(description: "a second answer: \(message)") }
    open[JSONText.text(id)] = left - 1
    if let text = json["result"]?["requestState"]?.text { state = Array(text.utf8) }
    if let error = json["error"] {
      let isKnown = RPCError.Code(rawValue: error["code"]?.integer ?? 0) != nil
      guard isKnown, error["message"]?.text?.isEmpty == false else { throw Fault(description: "no error: \(message)") }
    }
  }

  /// Checks that the server still answers, and that the app did nothing that only a person may allow.
  func end() throws {
    try take(Array("\n".utf8))
    if assistant.isOver { return }
    let context = try client.request("context")["context"]
    guard let count = context?["deleted"]?["value"]?.integer else {
      throw Fault(description: "no count of the deleted")
    }
    guard count == 0 || hasAccepted else { throw Fault(description: "something was deleted, and nobody said yes") }
    open = [:]
    try say(Array(#"{"jsonrpc": "2.0", "id": "at the end", "method": "ping"}"#.utf8))
    guard open["\"at the end\""] == 0 else { throw Fault(description: "the server doesn't answer any more") }
  }
}
