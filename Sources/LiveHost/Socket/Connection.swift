import CSocket
import Glibc

/// A *connection* sends lines to one client and receives lines from it, without ever waiting.
struct Connection: ~Copyable {
  /// The most bytes of a line from a client.
  static let longestLine = 1 << 20
  /// The most bytes of an answer, because the host keeps the whole answer for a client that doesn't read.
  static let longestAnswer = 64 << 20
  /// The most unread bytes with which a client still gets notifications.
  static let queue = 4 << 20
  /// The same limit for this client.
  var room = Connection.queue

  let input: Int32
  let output: Int32
  let isSocket: Bool

  private var inbox = Inbox(longest: Connection.longestLine)
  /// Whether the client sends nothing more.
  private(set) var hasEnded = false
  /// Whether the client is gone.
  private(set) var isBroken = false
  /// Whether the client no longer reads. The host still performs its earlier requests.
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

  /// Called for a hang-up of `input`. A socket's client is gone; beside a pipe, `output` may still be open.
  mutating func hungUp() { if isSocket, !hasLine, !wantsToRead { isBroken = true } }

  /// Called for an error or a hang-up of a separate `output`: the client no longer reads.
  mutating func isUnread() { if !isSocket, hasEnded { isBroken = true } }

  // MARK: Waiting

  /// Writes the entries for `poll`: one for a socket, two for a pair of descriptors.
  func wait(in polled: inout [pollfd], at index: inout Int) {
    if isSocket {
      polled.set(input, (wantsToRead ? POLLIN : 0) | (wantsToWrite ? POLLOUT : 0), at: &index)
    } else {
      polled.set(wantsToRead ? input : -1, POLLIN, at: &index)
      // Once the input has ended, a hang-up of `output` shows that the client doesn't wait for the remaining answers.
      polled.set(wantsToWrite || hasEnded ? output : -1, wantsToWrite ? POLLOUT : 0, at: &index)
    }
  }

  /// Returns the events that `poll` found for reading and for writing.
  func events(in polled: [pollfd], at index: inout Int) -> (reading: Int32, writing: Int32) {
    let reading = Int32(polled[index].revents)
    let writing = isSocket ? reading : Int32(polled[index + 1].revents)
    index += isSocket ? 1 : 2
    return (reading, writing)
  }

  // MARK: In

  /// Whether the connection may read more: no line waits for an answer, and few enough bytes wait for the client.
  var wantsToRead: Bool { !hasEnded && !isBroken && !hasLine && waiting < room }

  /// Whether a whole line has come.
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

  /// Queues a copy of a line, because the caller reuses its memory.
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

/// An *inbox* holds a connection's received bytes, and finds the lines in them. A line is read without being copied.
struct Inbox: ~Copyable {
  enum Line {
    /// The bytes of the line, valid until the next `fill`.
    case text(UnsafeBufferPointer<UInt8>)
    /// A line that is longer than allowed.
    case tooLong
  }

  private let longest: Int
  private var bytes: UnsafeMutablePointer<UInt8>?
  private var capacity = 0
  /// The numbers of bytes in the buffer: those of lines already taken, and all.
  private var taken = 0
  private var count = 0
  /// The index of the next line's end; nil if no whole line has come.
  private var lineEnd: Int?
  /// Whether the current line is too long, so that its rest is dropped.
  private var isSkipping = false
  private var hasSkipped = false

  /// The first size of the buffer, enough for most clients, and the size above which an empty buffer is freed.
  private static let least = 4 << 10
  private static let usual = 64 << 10

  /// - Parameter longest: the most bytes that a line may have.
  init(longest: Int) { self.longest = longest }

  deinit { bytes?.deallocate() }

  /// Whether `next()` has a line, even one that is too long.
  var hasLine: Bool { hasSkipped || lineEnd != nil }

  /// Reads more bytes. Call it only if no line waits.
  ///
  /// - Parameter read: fills a part of its buffer, like the system's `read`.
  mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    makeRoom()
    let got = read(UnsafeMutableRawBufferPointer(start: bytes.map { $0 + count }, count: capacity - count))
    if got > 0 { add(got) }
    return got
  }

  /// Takes the next whole line, without its end; nil if there is none.
  mutating func next() -> Line? {
    if hasSkipped {
      hasSkipped = false
      return .tooLong
    }
    guard let end = lineEnd else { return nil }
    let line = UnsafeBufferPointer(start: bytes.map { UnsafePointer($0 + taken) }, count: end - taken)
    taken = end + 1
    lineEnd = find(from: taken)
    return line.count > longest ? .tooLong : .text(line)
  }

  private func find(from start: Int) -> Int? {
    guard let bytes, start < count else { return nil }
    return memchr(bytes + start, 0x0A, count - start).map { bytes.distance(to: $0.assumingMemoryBound(to: UInt8.self)) }
  }

  /// Moves the current line to the front of the buffer, and doubles the buffer if that line fills it.
  private mutating func makeRoom() {
    let rest = count - taken
    let wanted = rest == capacity ? max(Self.least, 2 * capacity) : rest == 0 && capacity > Self.usual ? 0 : capacity
    if wanted != capacity || capacity == 0 {
      let size = max(wanted, Self.least)
      let room = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
      if let bytes { room.update(from: bytes + taken, count: rest) }
      bytes?.deallocate()
      (bytes, capacity) = (room, size)
    } else if let bytes, taken > 0, rest > 0 {
      memmove(bytes, bytes + taken, rest)
    }
    (taken, count) = (0, rest)
  }

  private mutating func add(_ got: Int) {
    let start = count
    count += got
    if isSkipping {
      guard let end = find(from: start) else { return forget() }
      taken = end + 1
      isSkipping = false
      lineEnd = find(from: taken)
    } else {
      lineEnd = find(from: start)
    }
    if lineEnd == nil, count - taken > longest {
      isSkipping = true
      hasSkipped = true
      forget()
    }
  }

  private mutating func forget() { (taken, count) = (0, 0) }
}

/// An *outbox* holds lines until their reader takes them. Outboxes share a line for several clients.
struct Outbox {
  /// The line in progress, and the number of its bytes already written.
  private var line: [UInt8] = []
  private var sent = 0
  /// The later lines. Those before `first` were taken already.
  private var later: [[UInt8]] = []
  private var first = 0
  /// The number of waiting bytes.
  private(set) var waiting = 0

  /// The most memory that is kept for the next line; most lines are shorter.
  private static let usual = 4 << 10
  /// The most bytes of several short lines that are written at once.
  private static let portion = 64 << 10

  mutating func add(_ line: [UInt8]) {
    if waiting == 0 {
      (self.line, sent) = (line, 0)
    } else {
      later.append(line)
    }
    waiting += line.count
  }

  /// Adds a copy of a line, because the caller reuses its memory. An empty outbox copies into the last line's memory.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    if waiting > 0 { return add(Array(bytes)) }
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: bytes)
    (sent, waiting) = (0, bytes.count)
  }

  mutating func forget() { self = Outbox() }

  /// Writes as much as the reader takes now. Returns the error if the reader is gone.
  mutating func flush(_ write: (UnsafeRawBufferPointer) -> Int) -> Int32? {
    while waiting > 0 {
      if sent == line.count { next() }
      if sent == 0, first < later.count { gather() }
      let count = line.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      if count < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN ? nil : errno
      }
      sent += count
      waiting -= count
    }
    if line.capacity > Self.usual { line = [] }
    sent = line.count
    return nil
  }

  private mutating func next() {
    (line, sent) = (later[first], 0)
    taken()
  }

  /// Appends the following lines to the next line to write, as long as all together are short.
  private mutating func gather() {
    while first < later.count, line.count + later[first].count <= Self.portion {
      line += later[first]
      taken()
    }
  }

  private mutating func taken() {
    later[first] = []
    first += 1
    if first == later.count {
      later.removeAll(keepingCapacity: later.capacity < 1024)
      first = 0
    } else if first > 1024 {
      later.removeFirst(first)
      first = 0
    }
  }
}

/// The error of a host that can't become live.
public struct LiveError: Error, CustomStringConvertible, Sendable {
  /// The reason why the host can't become live.
  public enum Kind: Sendable, Equatable {
    /// Another process has a live app with this name. Its number, if known.
    case taken(process: Int32?)
    /// The folder of the sockets belongs to another user, or is open to others.
    case unsafe
    /// A call to the system failed.
    case system(errno: Int32)
  }

  /// The reason why the host can't become live.
  public let kind: Kind
  /// One sentence.
  public let message: String

  public var description: String { message }

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// Returns the error of the last call to the system, from `errno`.
  static func system(_ what: String, _ number: Int32 = errno) -> LiveError {
    LiveError(.system(errno: number), "\(what): \(strerror(number).map { String(cString: $0) } ?? "error \(number)")")
  }
}
