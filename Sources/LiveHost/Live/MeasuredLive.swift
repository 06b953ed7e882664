import Glibc
import ScriptHost

/// A live host with clients on sockets of its own, for benchmarks: what they ask and are told, from their bytes to theirs.
@_spi(Measuring) public final class MeasuredLive {
  public let host: ScriptHost
  private let live: LiveHost
  private let clients: [Int32]
  // Plain memory: what a client of C's does with its bytes takes no time of ours.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  private let request: [UInt8]

  /// - Parameters:
  ///   - clients: how many are told of what changes in the menus.
  ///   - method, parameters: what is asked, as JSON.
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

  /// Asks, and reads the answer; how many bytes it has.
  public func ask() -> Int {
    write()
    live.turn()
    return bytes(of: clients[0])
  }

  /// Asks, and reads what everybody is told; how many bytes the last of them was.
  public func tell() -> Int {
    _ = ask()
    var count = 0
    for client in clients.dropFirst() { count = bytes(of: client) }
    return count
  }

  /// Goes on for so many seconds in which nobody asks anything.
  public func idle(for seconds: Int) {
    let end = host.now + .seconds(seconds)
    live.others = [LiveHost.Other(descriptor: -1, deadline: { end }) { [live] in live.stop() }]
    live.run()
  }

  private func write() { _ = request.withUnsafeBytes { send(clients[0], $0.baseAddress, $0.count, 0) } }

  /// What has come up to the end of a line.
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
