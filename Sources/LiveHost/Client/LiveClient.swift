import CSocket
import Glibc
import ScriptHost

/// A *live client* sends requests to a live app over its socket, one at a time, and receives notifications meanwhile.
package final class LiveClient {
  /// The app's answer to `hello`.
  package private(set) var hello = JSON.null
  /// Called with each notification, in their order.
  package var onNotification: ((String, JSON) -> Void)?
  /// Called while the client waits, after another thread called `ring`.
  package var onAlarm: (() -> Void)? {
    didSet { madeAlarm.onRing = { [unowned self] _ in onAlarm?() } }
  }

  /// The process at the other end of the socket; 0 if the system doesn't know it.
  package private(set) var process: Int32 = 0

  private let connection: Int32
  /// The handover of messages, for a face in the app's process.
  private let handover: Handover?
  /// The alarm with which other threads wake the client; made at its first use.
  private var alarm: Alarm?
  private var bytes: [UInt8] = []
  /// The buffer for receiving, made once: allocating it each time takes longer than reading.
  private var chunk: UnsafeMutableRawBufferPointer?
  private var searched = 0
  private var lastID = 0

  /// The most bytes that an answer may have.
  private static let longest = 256 << 20

  /// The default time limit of a request in milliseconds; nil for no limit.
  package var patience: Int32?

  /// Connects to a socket; nil if no process listens there.
  package init?(at path: String, within milliseconds: Int32) throws(Unanswered) {
    connection = csocket_connect(path, milliseconds)
    handover = nil
    if connection < 0 {
      if errno == ETIMEDOUT { throw Unanswered(.silent, "the live app accepts no connection") }
      return nil
    }
    var peer = csocket_Peer()
    guard csocket_peer(connection, &peer), peer.user == geteuid() else { return nil }
    process = peer.process
  }

  /// A client for a face in the app's process.
  package init(at end: FaceEnd) { (connection, handover) = (end.descriptor, end.handover) }

  deinit {
    if connection >= 0 { close(connection) }
    chunk?.deallocate()
  }

  /// Makes the thread that waits in this client call `onAlarm`. You can call it from any thread or signal handler.
  package var ring: @Sendable (UInt8) -> Void { madeAlarm.ring }

  private var madeAlarm: Alarm {
    let made = alarm ?? Alarm()
    alarm = made
    return made
  }

  /// Sends `hello` with the client's name, and keeps the answer.
  package func greet(as name: String, within milliseconds: Int32? = nil) throws(Unanswered) {
    hello = try request(
      "hello", [("protocol", .integer(1)), ("client", .object([("name", .text(name))]))], within: milliseconds)
  }

  /// Sends a request and waits for the answer.
  package func request(
    _ method: String, _ members: [(String, JSON)] = [], within milliseconds: Int32? = nil
  ) throws(Unanswered) -> JSON {
    let deadline = deadline(within: milliseconds)
    return try answer(to: try send(method, members, until: deadline), until: deadline)
  }

  /// Sends two requests at once, so that the app is woken once, and waits for both answers.
  package func requests(
    _ first: (method: String, members: [(String, JSON)]), _ second: (method: String, members: [(String, JSON)])
  ) throws(Unanswered) -> (JSON, JSON) {
    let deadline = deadline(within: nil)
    var lines = line(first.method, first.members)
    let one = lastID
    lines += line(second.method, second.members)
    let other = lastID
    try send(lines, until: deadline)
    return (try answer(to: one, until: deadline), try answer(to: other, until: deadline))
  }

  private func answer(to id: Int, until deadline: Int?) throws(Unanswered) -> JSON {
    while true {
      let message = try next(until: deadline)
      // If the app can't read a request, its error has no id. It belongs to the open request.
      let isUnread = message["error"] != nil && message["id"]?.integer == nil
      guard isUnread || message["id"]?.integer == id else {
        told(message)
        continue
      }
      if let error = message["error"] {
        let code = error["code"]?.integer.flatMap(CallError.Fault.init) ?? .parse
        let kind: Unanswered.Kind =
          code == .busy ? .now : code == .parameters || code == .method || isUnread ? .asking : .gone
        throw Unanswered(kind, error["message"]?.text ?? "it can't be done")
      }
      return message["result"] ?? .null
    }
  }

  /// Sends a request without waiting for the answer, and returns its id.
  @discardableResult
  package func send(_ method: String, _ members: [(String, JSON)] = []) throws(Unanswered) -> Int {
    try send(method, members, until: deadline(within: nil))
  }

  private func send(
    _ method: String, _ members: [(String, JSON)], until deadline: Int?
  ) throws(Unanswered) -> Int {
    try send(line(method, members), until: deadline)
    return lastID
  }

  /// Returns a request as a line, with a new id.
  private func line(_ method: String, _ members: [(String, JSON)]) -> [UInt8] {
    lastID += 1
    return Message.line { Message.request(method, members, id: lastID, to: &$0) }
  }

  private func send(_ line: [UInt8], until deadline: Int?) throws(Unanswered) {
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { csocket_send(connection, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        try waitToSend(until: deadline)
      } else if errno != EINTR {
        // The app may have sent why it closed the connection, and the next read gets that.
        var byte: UInt8 = 0
        if recv(connection, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0 { return }
        throw Self.gone
      }
    }
  }

  /// The descriptor that a caller's own loop polls.
  package var descriptor: Int32 { connection }

  /// Returns the answers and notifications that have come, in their order, without waiting.
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

  /// Waits for the next message, and calls `onNotification` if it is a notification.
  package func hear(within milliseconds: Int32? = nil) throws(Unanswered) {
    told(try next(until: deadline(within: milliseconds)))
  }

  private func told(_ message: JSON) {
    if let method = message["method"]?.text { onNotification?(method, message["params"] ?? .null) }
  }

  package static let gone = Unanswered(.gone, "the live app has ended")

  private static let silent = Unanswered(.silent, "the live app doesn't answer")

  private func next(until deadline: Int?) throws(Unanswered) -> JSON {
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
      throw Unanswered(.gone, "the live app sent no JSON")
    }
  }

  /// The system's monotonic clock in milliseconds.
  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  private func deadline(within milliseconds: Int32?) -> Int? { (milliseconds ?? patience).map { Self.now + Int($0) } }

  /// Returns the milliseconds until a deadline, as `poll` takes them.
  private static func left(until deadline: Int?) -> Int32 { deadline.map { Int32(clamping: max(0, $0 - now)) } ?? -1 }

  private func waitToSend(until deadline: Int?) throws(Unanswered) {
    var polled = pollfd(fd: connection, events: Int16(POLLOUT), revents: 0)
    if poll(&polled, 1, Self.left(until: deadline)) != 0 { return }
    // After a request that may be incomplete, no other request can follow.
    shutdown(connection, Int32(SHUT_RDWR))
    throw Self.silent
  }

  private func wait(until deadline: Int?) throws(Unanswered) {
    var polled = [
      pollfd(fd: connection, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let left = Self.left(until: deadline)
    let count = poll(&polled, 2, left)
    if count == 0 || left == 0 { throw Self.silent }
    if count < 0 { return }
    if polled[1].revents != 0 { alarm?.heard() }
    if polled[0].revents != 0, try !takeIn() { throw Self.gone }
  }

  /// Reads the bytes that have come. Returns false if the connection is closed.
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

/// A running live app, as other processes see it.
package struct LiveSession {
  package let name: String
  package let process: Int
  /// The session's answer to `hello`; nil if it doesn't answer.
  package let told: Told?

  package struct Told {
    /// The title of its app, if it has one.
    package let app: String?
    package let source: String
    /// The number of its clients without the caller.
    package let clients: Int
    /// When it began, in seconds since 1970.
    package let since: Int
  }

  /// A session that accepts no connection.
  private init(silent name: String) {
    self.name = name
    process = Self.process(at: RuntimeFolder.socket(of: name)).map(Int.init) ?? 0
    told = nil
  }

  /// Returns the process that holds a socket's lock, as its file says; nil if the lock is free or the file is empty.
  package static func process(at path: String) -> Int32? { SessionLock.holder(of: path) }

  private init(_ name: String, _ client: LiveClient) {
    self.name = name
    let session = client.hello["session"]
    process = session?["pid"]?.integer ?? Int(client.process)
    told = session.map { session in
      Told(
        app: client.hello["app"]?["title"]?.text, source: client.hello["app"]?["source"]?.text ?? "",
        clients: max(0, (session["clients"]?.integer ?? 1) - 1), since: session["since"]?.integer ?? 0)
    }
  }

  /// The time limit in milliseconds for accepting a connection, and for answering `hello`.
  private static let patience: Int32 = 2000

  /// Returns the names of the sessions whose lock names a process, without connecting to any.
  package static func names() throws(LiveError) -> [String] {
    try RuntimeFolder.names().filter { process(at: RuntimeFolder.socket(of: $0)) != nil }
  }

  /// Returns the running sessions, even stopped or busy ones. Removes the sockets of killed processes.
  package static func all() throws(LiveError) -> [LiveSession] {
    try RuntimeFolder.names().compactMap { name in
      let path = RuntimeFolder.socket(of: name)
      let found: LiveClient?
      do throws(Unanswered) { found = try LiveClient(at: path, within: patience) } catch {
        return LiveSession(silent: name)
      }
      guard let client = found else {
        forget(path)
        return nil
      }
      do throws(Unanswered) { try client.greet(as: "sessions", within: patience) } catch {
        if error.isGone { return nil }
      }
      return LiveSession(name, client)
    }
  }

  /// Removes a socket without a listener, unless a process holds its lock and is about to listen.
  private static func forget(_ path: String) {
    guard let lock = try? SessionLock.taken(for: path) else { return }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() { unlink(path) }
    lock.release()
  }
}
