import ScriptHost
import CSocket
import Glibc

/// A *live client* asks a live app over its socket, one thing at a time, and hears meanwhile what is told.
package final class LiveClient {
  /// What the app said of itself.
  package private(set) var hello = JSON.null
  /// Told what is told, in its order.
  package var onNotification: ((String, JSON) -> Void)?
  /// What is done when somebody rang, from a signal's thread.
  package var onAlarm: (() -> Void)? {
    didSet { madeAlarm.onRing = { [unowned self] _ in onAlarm?() } }
  }

  /// Whose socket it is, as the system says; 0 where it doesn't.
  package private(set) var process: Int32 = 0

  private let connection: Int32
  /// Where messages lie for a face of the process that the app runs in.
  private let handover: Handover?
  /// There where somebody may ring.
  private var alarm: Alarm?
  private var bytes: [UInt8] = []
  /// Where what comes is put first, made once: to have as much memory each time would take longer than to read what came.
  private var chunk: UnsafeMutableRawBufferPointer?
  private var searched = 0
  private var lastID = 0

  /// The most that one answer may have.
  private static let longest = 256 << 20

  /// How many milliseconds an answer may take where nothing else is said; without end where it is nil.
  package var patience: Int32?

  /// Connects to a socket; nil where nobody listens there.
  package init?(at path: String, within milliseconds: Int32) throws(Unanswered) {
    connection = csocket_connect(path, milliseconds)
    handover = nil
    if connection < 0 {
      if errno == ETIMEDOUT { throw Unanswered(.silent, "the live app lets nobody in") }
      return nil
    }
    var peer = csocket_Peer()
    guard csocket_peer(connection, &peer), peer.user == geteuid() else { return nil }
    process = peer.process
  }

  /// For a face of the process that the app runs in.
  package init(at end: FaceEnd) { (connection, handover) = (end.descriptor, end.handover) }

  deinit {
    if connection >= 0 { close(connection) }
    chunk?.deallocate()
  }

  /// Has `onAlarm` called by whoever waits here.
  package var ring: @Sendable (UInt8) -> Void { madeAlarm.ring }

  private var madeAlarm: Alarm {
    let made = alarm ?? Alarm()
    alarm = made
    return made
  }

  /// Says who asks, and learns who answers.
  package func greet(as name: String, within milliseconds: Int32? = nil) throws(Unanswered) {
    hello = try request(
      "hello", [("protocol", .integer(1)), ("client", .object([("name", .text(name))]))], within: milliseconds)
  }

  /// Asks for something and waits for the answer.
  package func request(
    _ method: String, _ members: [(String, JSON)] = [], within milliseconds: Int32? = nil
  ) throws(Unanswered) -> JSON {
    let id = try send(method, members)
    while true {
      let message = try next(within: milliseconds)
      guard message["id"]?.integer == id else {
        told(message)
        continue
      }
      if let error = message["error"] {
        let code = error["code"]?.integer.flatMap(CallError.Fault.init) ?? .parse
        throw Unanswered(
          code == .parameters || code == .method ? .asking : .gone, error["message"]?.text ?? "it can't be done")
      }
      return message["result"] ?? .null
    }
  }

  /// Asks for something whose answer nobody waits for.
  @discardableResult
  package func send(_ method: String, _ members: [(String, JSON)] = []) throws(Unanswered) -> Int {
    lastID += 1
    let line = Message.line { Message.request(method, members, id: lastID, to: &$0) }
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { csocket_send(connection, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var polled = pollfd(fd: connection, events: Int16(POLLOUT), revents: 0)
        poll(&polled, 1, -1)
      } else if errno != EINTR {
        throw Self.gone
      }
    }
    return lastID
  }

  /// What a loop of one's own waits for.
  package var descriptor: Int32 { connection }

  /// The messages that have come: answers and what is told, in their order. It waits for nothing.
  package func received() throws(Unanswered) -> [JSON] {
    var messages: [JSON] = []
    var start = 0
    let isOver = try !takeIn()
    while let end = bytes[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
      messages.append(try message(in: bytes[start..<end]))
      (start, searched) = (end + 1, end + 1)
    }
    bytes.removeFirst(start)
    searched = bytes.count
    if isOver, messages.isEmpty { throw Self.gone }
    return messages
  }

  /// Waits for what is told next, and hands it on.
  package func hear(within milliseconds: Int32? = nil) throws(Unanswered) { told(try next(within: milliseconds)) }

  private func told(_ message: JSON) {
    if let method = message["method"]?.text { onNotification?(method, message["params"] ?? .null) }
  }

  static let gone = Unanswered(.gone, "the live app has ended")

  private func next(within milliseconds: Int32?) throws(Unanswered) -> JSON {
    let deadline = (milliseconds ?? patience).map { Self.now + Int($0) }
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer {
          bytes.removeFirst(end + 1)
          searched = 0
        }
        return try message(in: bytes[..<end])
      }
      searched = bytes.count
      try wait(until: deadline)
    }
  }

  private func message(in line: ArraySlice<UInt8>) throws(Unanswered) -> JSON {
    if line.isEmpty, let message = handover?.take() { return message }
    do throws(JSONError) { return try JSONReader.read(line) } catch {
      throw Unanswered(.gone, "the live app says what is no JSON")
    }
  }

  /// In milliseconds.
  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  private func wait(until deadline: Int?) throws(Unanswered) {
    var polled = [
      pollfd(fd: connection, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let left = deadline.map { max(0, $0 - Self.now) }
    let count = poll(&polled, 2, left.map(Int32.init) ?? -1)
    if count == 0 || left == 0 { throw Unanswered(.silent, "the live app doesn't answer") }
    if count < 0 { return }
    if polled[1].revents != 0 { alarm?.heard() }
    if polled[0].revents != 0, try !takeIn() { throw Self.gone }
  }

  /// Takes in what has come; whether there can be more.
  private func takeIn() throws(Unanswered) -> Bool {
    let chunk = chunk ?? .allocate(byteCount: 64 << 10, alignment: 1)
    self.chunk = chunk
    let got = recv(connection, chunk.baseAddress, chunk.count, Int32(MSG_DONTWAIT))
    if got > 0 { bytes += chunk[..<got] }
    if got < 0, errno == EAGAIN || errno == EINTR { return true }
    guard bytes.count <= Self.longest else { throw Self.gone }
    return got > 0
  }
}
