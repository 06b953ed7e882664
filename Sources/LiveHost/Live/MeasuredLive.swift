import Glibc
import ScriptHost

/// A live host with clients on socket pairs, for benchmarks of requests, answers and notifications.
@_spi(Measuring) public final class MeasuredLive {
  public let host: ScriptHost
  private let live: LiveHost
  private let clients: [Int32]
  // Plain memory, so that reading an answer costs no more than it would a client in C.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  private let request: [UInt8]
  private var calls = 0

  /// - Parameters:
  ///   - clients: the number of clients that subscribe to changes of the menus.
  ///   - method, parameters: the request, its parameters as JSON.
  public init(_ script: String, clients count: Int = 0, asking method: String, _ parameters: String) throws {
    host = ScriptHost(limits: HostLimits(load: .milliseconds(600_000), perform: .milliseconds(600_000)))
    try host.load(text: script, name: "app.lua")
    live = LiveHost(host)
    request = Array(#"{"jsonrpc": "2.0", "id": 1, "method": "\#(method)", "params": \#(parameters)}"#.utf8) + [0x0A]
    let live = live
    clients = try (0...count).map { _ in try live.pairedDescriptor() }
    let subscribing = Array(
      (#"{"jsonrpc": "2.0", "id": 1, "method": "subscribe", "params": {"to": ["menus"]}}"# + "\n").utf8)
    for client in clients.dropFirst() { _ = subscribing.withUnsafeBytes { send(client, $0.baseAddress, $0.count, 0) } }
    for _ in 0..<3 { live.turn() }
    for client in clients.dropFirst() { _ = bytes(of: client) }
  }

  deinit {
    for client in clients { close(client) }
    buffer.deallocate()
  }

  /// The bytes of the request.
  public var asked: [UInt8] { request }

  /// Sends the request, reads the answer, and returns its number of bytes.
  public func ask() -> Int {
    write()
    live.turn()
    return bytes(of: clients[0])
  }

  /// Registers a responder of the client. The client performs its actions.
  public func register(_ parameters: String) {
    write(#"{"jsonrpc": "2.0", "id": 1, "method": "register", "params": \#(parameters)}"#)
    live.turn()
    _ = bytes(of: clients[0])
  }

  /// Performs an action of the client's responder: sends the request, reads `do`, sends `done`, and reads the answer.
  /// Returns the bytes of these four lines, in this order.
  public func roundTrip() -> [Int] {
    write()
    live.turn()
    let called = bytes(of: clients[0])
    calls += 1
    let done = #"{"jsonrpc": "2.0", "method": "done", "params": {"call": \#(calls), "result": 1}}"#
    write(done)
    live.turn()
    return [request.count, called, done.utf8.count + 1, bytes(of: clients[0])]
  }

  /// Sends the request, reads the notification of every client, and returns the number of bytes of the last.
  public func tell() -> Int {
    _ = ask()
    var count = 0
    for client in clients.dropFirst() { count = bytes(of: client) }
    return count
  }

  /// Runs the loop for some seconds without a request.
  public func idle(for seconds: Int) {
    let end = host.now + .seconds(seconds)
    live.others = [LiveHost.Other(descriptor: -1, deadline: { end }) { [live] in live.stop() }]
    live.run()
  }

  private func write(_ line: String) {
    let line = line + "\n"
    _ = line.utf8.withContiguousStorageIfAvailable { send(clients[0], $0.baseAddress, $0.count, 0) }
  }

  private func write() { _ = request.withUnsafeBytes { send(clients[0], $0.baseAddress, $0.count, 0) } }

  /// Reads up to the end of a line, and returns the number of bytes.
  private func bytes(of client: Int32) -> Int {
    var count = 0
    while count < buffer.count {
      let got = recv(client, buffer.baseAddress?.advanced(by: count), buffer.count - count, 0)
      if got <= 0 { return count }
      count += got
      if buffer[count - 1] == 0x0A { break }
    }
    return count
  }
}
