import Glibc
import LiveHost
import ScriptHost
import Testing

@testable import Assistant

/// An assistant's server for an app, to which a test speaks as a client.
final class AssistantStage {
  let app: StagedApp
  let client: LiveClient
  let assistant: Assistant
  private let sent: Sent

  /// The messages that the server has sent, and the time that the test lets pass.
  private final class Sent {
    var messages: [JSON] = []
    var time = Duration.zero
  }

  init(
    _ script: String, _ settings: AssistantSettings = AssistantSettings(),
    prepare: @escaping (ScriptHost) -> Void = { _ in }
  ) throws {
    app = StagedApp(script, prepare: prepare)
    client = LiveClient(at: try app.start())
    try client.greet(as: "test")
    let sent = Sent()
    self.sent = sent
    assistant = try Assistant(client, settings, now: { sent.time }) { text in
      do { sent.messages.append(try JSONReader.read(text.utf8)) } catch { Issue.record("no JSON: \(text)") }
    }
  }

  /// Lets time pass.
  func pass(_ time: Duration) { sent.time += time }

  /// Sends a line to the server. Returns the messages that come at once.
  @discardableResult
  func say(_ line: String) -> [JSON] {
    assistant.take(Array(line.utf8))
    return taken()
  }

  /// Sends a line to the server. Returns the messages that come until there is one.
  func ask(_ line: String) -> [JSON] {
    assistant.take(Array(line.utf8))
    return waited(for: 1)
  }

  /// The messages that have come since they were last taken.
  func taken() -> [JSON] {
    defer { sent.messages.removeAll() }
    return sent.messages
  }

  /// Waits for the app until the server has sent so many messages, and takes them.
  func waited(for count: Int) -> [JSON] {
    for _ in 0..<20_000 where sent.messages.count < count {
      var polled = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, 1)
      assistant.turn()
    }
    return taken()
  }

  // MARK: Requests

  private static let stateless =
    #""_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": "#

  /// A request with an id. `capabilities` makes it a request without a session, from a client with these capabilities.
  static func line(_ id: Int, _ method: String, _ members: String = "", capabilities: String? = nil) -> String {
    let meta = capabilities.map { "\(stateless)\($0)}" }
    let parameters = [members, meta ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    return #"{"jsonrpc": "2.0", "id": \#(id), "method": "\#(method)", "params": {\#(parameters)}}"#
  }

  /// Begins a session, with a client that can show forms.
  func initialize(_ revision: String = "2025-11-25", capabilities: String = #"{"elicitation": {}}"#) {
    say(Self.line(0, "initialize", #""protocolVersion": "\#(revision)", "capabilities": \#(capabilities)"#))
    say(#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#)
  }

  /// Calls a tool in a session. Returns the result.
  @discardableResult
  func call(_ tool: String, _ arguments: String = "{}", id: Int = 7) -> JSON {
    say(Self.line(id, "tools/call", #""name": "\#(tool)", "arguments": \#(arguments)"#)).last ?? .null
  }
}

extension JSON {
  /// The text of a tool's result.
  var said: String { self["result"]?["content"]?.list?.first?["text"]?.text ?? "" }
  var isRefused: Bool { self["result"]?["isError"]?.bool ?? false }
  var status: String? { self["result"]?["structuredContent"]?["status"]?.text }
  var code: Int? { self["error"]?["code"]?.integer }
}
