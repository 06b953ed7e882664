import CSocket
import Glibc

/// A *connection* sends lines to one client and receives lines from it, without ever waiting.
struct Connection: ~Copyable {
  /// The most bytes of a line from a client.
  static let longestLine = 1 << 20
  /// The most bytes of an answer, because it is kept as a whole for a client that doesn't read.
  static let longestAnswer = 64 << 20
  /// The most bytes that may wait for a client to read before it gets no more notifications.
  static let queue = 4 << 20
  /// The same for this client.
  var room = Connection.queue

  let input: Int32
  let output: Int32
  let isSocket: Bool

  private var inbox = Inbox(longest: Connection.longestLine)
  /// Whether the client sends nothing more.
  private(set) var hasEnded = false
  /// Whether the client is gone.
  private(set) var isBroken = false
  /// Whether the client no longer reads. Its earlier requests are carried out all the same.
  private(set) var isUnheard = false

  private var outbox = Outbox()
  /// The number of bytes that wait for the client to read.
  var waiting: Int { outbox.waiting }

  /// A connection over a connected socket.
  init(socket: Int32) {
    (input, output) = (socket, socket)
    isSocket = true
  }

  /// A connection over two descriptors, one for reading and one for writing.
  init(reading input: Int32, writing output: Int32) {
    (self.input, self.output) = (input, output)
    isSocket = false
    for descriptor in [input, output] { Self.setBlocking(descriptor, false) }
  }

  mutating func close() {
    isBroken = true
    if isSocket {
      Glibc.close(input)
    } else {
      for descriptor in [input, output] { Self.setBlocking(descriptor, true) }
    }
  }

  private static func setBlocking(_ descriptor: Int32, _ blocks: Bool) {
    let flags = fcntl(descriptor, F_GETFL)
    if flags >= 0 { _ = fcntl(descriptor, F_SETFL, blocks ? flags & ~O_NONBLOCK : flags | O_NONBLOCK) }
  }

  /// Called for a hang-up of `input`. For a socket the client is gone. For a pipe it says nothing about `output`.
  mutating func hungUp() { if isSocket, !hasLine, !wantsToRead { isBroken = true } }

  /// Called for an error or a hang-up of `output`, if that is a descriptor of its own: nobody reads it any more.
  mutating func isUnread() { if !isSocket, hasEnded { isBroken = true } }

  // MARK: Waiting

  /// Writes the entries for `poll`: one for a socket, two for a pair of descriptors.
  func wait(in polled: inout [pollfd], at index: inout Int) {
    if isSocket {
      polled.set(input, (wantsToRead ? POLLIN : 0) | (wantsToWrite ? POLLOUT : 0), at: &index)
    } else {
      polled.set(wantsToRead ? input : -1, POLLIN, at: &index)
      // Once the input has ended, `output` is polled for a hang-up, in case nobody reads the answers that are still to come.
      polled.set(wantsToWrite || hasEnded ? output : -1, wantsToWrite ? POLLOUT : 0, at: &index)
    }
  }

  /// The events that `poll` found for reading and for writing.
  func events(in polled: [pollfd], at index: inout Int) -> (reading: Int32, writing: Int32) {
    let reading = Int32(polled[index].revents)
    let writing = isSocket ? reading : Int32(polled[index + 1].revents)
    index += isSocket ? 1 : 2
    return (reading, writing)
  }

  // MARK: In

  /// Whether more may be read: no line waits to be answered, and not too many bytes wait for the client.
  var wantsToRead: Bool { !hasEnded && !isBroken && !hasLine && waiting < room }

  /// Whether a line has come whole.
  var hasLine: Bool { inbox.hasLine }

  /// Reads a part of the bytes that have come.
  mutating func read() {
    var count = 0
    repeat {
      count = inbox.fill { room in
        isSocket
          ? csocket_receive(input, room.baseAddress, room.count) : Glibc.read(input, room.baseAddress, room.count)
      }
    } while count < 0 && errno == EINTR
    if count == 0 || count < 0 && errno != EAGAIN { hasEnded = true }
  }

  /// Takes the next whole line, without its end.
  mutating func nextLine() -> Inbox.Line? { inbox.next() }

  // MARK: Out

  var wantsToWrite: Bool { waiting > 0 && !isBroken }

  /// Queues a line, with its end; `flush` sends it.
  mutating func send(_ line: [UInt8]) {
    if !isBroken, !isUnheard { outbox.add(line) }
  }

  /// Queues a copy of a line, because the caller uses its memory again.
  mutating func send(_ line: UnsafeBufferPointer<UInt8>) {
    if !isBroken, !isUnheard { outbox.add(line) }
  }

  /// Sends as much as the client takes now.
  mutating func flush() {
    if isBroken || isUnheard { return }
    let error = outbox.flush { bytes in
      isSocket
        ? csocket_send(output, bytes.baseAddress, bytes.count) : write(output, bytes.baseAddress, bytes.count)
    }
    if error == nil { return }
    outbox = Outbox()
    if isSocket { isUnheard = true } else { isBroken = true }
  }
}

extension [pollfd] {
  /// Writes the entry at `index`, and moves to the next.
  @inline(__always)
  mutating func set(_ descriptor: Int32, _ events: Int32, at index: inout Int) {
    let waited = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    if index < count { self[index] = waited } else { append(waited) }
    index += 1
  }
}
