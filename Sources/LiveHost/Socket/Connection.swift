import CSocket
import Glibc

/// A *connection* leads to one client: lines come in and go out, and neither is ever waited for.
struct Connection: ~Copyable {
  /// What a line may have at most.
  static let longestLine = 1 << 20
  /// What an answer may have at most: it is kept as a whole for who doesn't read.
  static let longestAnswer = 64 << 20
  /// How much waits to be read by a client before it is told nothing more.
  static let queue = 4 << 20
  /// The same of this one.
  var room = Connection.queue

  let input: Int32
  let output: Int32
  let isSocket: Bool

  private var inbox = Inbox(longest: Connection.longestLine)
  /// Whether nothing more comes.
  private(set) var hasEnded = false
  /// Whether nobody is there any more.
  private(set) var isBroken = false
  /// Whether nobody reads any more what goes out. What was asked before is done all the same.
  private(set) var isUnheard = false

  private var outbox = Outbox()
  /// How many bytes wait to be read by the client.
  var waiting: Int { outbox.waiting }

  /// A socket that was connected.
  init(socket: Int32) {
    (input, output) = (socket, socket)
    isSocket = true
  }

  /// A pair of descriptors, from which one reads and to which one writes.
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

  /// The other end of a socket is gone: nobody reads any more. From a pipe nothing more comes, which says nothing of where it writes to.
  mutating func hungUp() { if isSocket, !hasLine, !wantsToRead { isBroken = true } }

  /// Nobody reads what a pair writes any more.
  mutating func isUnread() { if !isSocket, hasEnded { isBroken = true } }

  // MARK: Waiting

  /// Says what is waited for. A pair has two descriptors; what it writes to is polled apart.
  func wait(in polled: inout [pollfd], at index: inout Int) {
    if isSocket {
      polled.set(input, (wantsToRead ? POLLIN : 0) | (wantsToWrite ? POLLOUT : 0), at: &index)
    } else {
      polled.set(wantsToRead ? input : -1, POLLIN, at: &index)
      // Once nothing comes any more it is looked at for whether somebody reads what waits to be answered.
      polled.set(wantsToWrite || hasEnded ? output : -1, wantsToWrite ? POLLOUT : 0, at: &index)
    }
  }

  /// What came of that for reading and for writing.
  func events(in polled: [pollfd], at index: inout Int) -> (reading: Int32, writing: Int32) {
    let reading = Int32(polled[index].revents)
    let writing = isSocket ? reading : Int32(polled[index + 1].revents)
    index += isSocket ? 1 : 2
    return (reading, writing)
  }

  // MARK: In

  /// Whether more may be read: what came before was taken, and the client reads what it is told.
  var wantsToRead: Bool { !hasEnded && !isBroken && !hasLine && waiting < room }

  /// Whether a line has come whole.
  var hasLine: Bool { inbox.hasLine }

  /// Takes in what has come, a portion of it.
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

  /// The next line that has come whole, without its end.
  mutating func nextLine() -> Inbox.Line? { inbox.next() }

  // MARK: Out

  var wantsToWrite: Bool { waiting > 0 && !isBroken }

  /// Has a line, with its end, go out when the client takes it.
  mutating func send(_ line: [UInt8]) {
    if !isBroken, !isUnheard { outbox.add(line) }
  }

  /// The same with one whose memory is used again once this returns.
  mutating func send(_ line: UnsafeBufferPointer<UInt8>) {
    if !isBroken, !isUnheard { outbox.add(line) }
  }

  /// Sends what the client takes now.
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
  /// Says what is waited for in one place, and goes to the next.
  @inline(__always)
  mutating func set(_ descriptor: Int32, _ events: Int32, at index: inout Int) {
    let waited = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    if index < count { self[index] = waited } else { append(waited) }
    index += 1
  }
}
