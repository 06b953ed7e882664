import Glibc
import LiveHost
import ScriptHost
import Testing

@testable import Assistant

/// An app that runs on a thread of its own, as `menuctl mcp APP` runs it.
final class StagedApp: @unchecked Sendable {
  private let script: String
  private let clock: HostClock
  /// The socket for other clients.
  let path: String
  private let ready = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private var end: FaceEnd?

  /// - Parameter script: the text of the app, or the path of its file.
  init(_ script: String, clock: HostClock = SystemClock()) {
    self.script = script
    self.clock = clock
    path = "/tmp/menuctl-assistant-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
    sem_init(ready, 0, 0)
  }

  deinit {
    unlink(path)
    unlink("\(path).lock")
    ready.deallocate()
  }

  /// Starts the app. Returns the assistant's end; nil if the app can't be loaded.
  func start() -> FaceEnd? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 16 << 20)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    pthread_create(
      &thread, &attributes,
      { pointer in
        if let pointer { Unmanaged<StagedApp>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    sem_wait(ready)
    return end
  }

  private func run() {
    let host = ScriptHost(clock: clock)
    let live = LiveHost(host)
    do {
      if script.hasSuffix(".lua") { try host.load(path: script) } else { try host.load(text: script, name: "app.lua") }
      try live.listen(path: path)
      end = try live.faceEnd()
    } catch { Issue.record(error) }
    sem_post(ready)
    live.run()
  }
}

/// An assistant's server for an app, to which a test speaks as a client.
final class AssistantStage {
  let app: StagedApp
  let client: LiveClient
  let assistant: Assistant
  private let sent: Sent

  /// What the server has sent, and the time that the test gives it.
  private final class Sent {
    var messages: [JSON] = []
    var time = Duration.zero
  }

  struct NoApp: Error {}

  init(_ script: String, _ settings: AssistantSettings = AssistantSettings()) throws {
    app = StagedApp(script)
    guard let end = app.start() else { throw NoApp() }
    client = LiveClient(at: end)
    try client.greet(as: "test")
    let sent = Sent()
    self.sent = sent
    assistant = try Assistant(client, settings, now: { sent.time }) { text in
      do { sent.messages.append(try JSONReader.read(text.utf8)) } catch { Issue.record("no JSON: \(text)") }
    }
  }

  /// Lets time pass.
  func pass(_ time: Duration) { sent.time += time }

  /// Says a line to the server. Returns the messages that come at once.
  @discardableResult
  func say(_ line: String) -> [JSON] {
    assistant.take(Array(line.utf8))
    return taken()
  }

  /// Says a line to the server. Returns the messages that come until there is one.
  func ask(_ line: String) -> [JSON] {
    assistant.take(Array(line.utf8))
    return waited(for: 1)
  }

  /// The messages that have come since they were taken last.
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

  /// A request with an id, in the era without a session if `capabilities` says what the client can do.
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
