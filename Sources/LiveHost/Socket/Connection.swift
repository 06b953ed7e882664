import CSocket
import Glibc

/// A *connection* leads to one client: lines come in and go out, and neither is ever waited for.
final class Connection {
  /// What a line may have at most.
  static let longestLine = 1 << 20
  /// How much waits to be read by a client before it is told nothing more.
  static let queue = 4 << 20
  /// The same of this one.
  var room = Connection.queue
  /// How much is read in one go.
  private static let portion = 64 << 10

  enum Line {
    case text(ArraySlice<UInt8>)
    /// One of more than `longestLine`, which was not kept.
    case tooLong
  }

  let input: Int32
  let output: Int32
  private let isSocket: Bool

  private var inbox: [UInt8] = []
  /// What of it was taken, and what of it has no end of a line.
  private var taken = 0
  private var searched = 0
  /// Whether the line under way is too long, so that what comes of it is dropped.
  private var isSkipping = false
  private var hasSkipped = false
  /// Whether nothing more comes.
  private(set) var hasEnded = false
  /// Whether nobody is there any more.
  private(set) var isBroken = false

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
    for descriptor in [input, output] { setBlocking(descriptor, false) }
  }

  func close() {
    isBroken = true
    if isSocket { Glibc.close(input) } else { for descriptor in [input, output] { setBlocking(descriptor, true) } }
  }

  private func setBlocking(_ descriptor: Int32, _ blocks: Bool) {
    let flags = fcntl(descriptor, F_GETFL)
    if flags >= 0 { _ = fcntl(descriptor, F_SETFL, blocks ? flags & ~O_NONBLOCK : flags | O_NONBLOCK) }
  }

  /// The other end of a socket is gone: nobody reads any more. From a pipe nothing more comes, which says nothing of where it writes to.
  func hungUp() { if isSocket, !hasLine, !wantsToRead { isBroken = true } }

  // MARK: In

  /// Whether more may be read: what came before was taken, and the client reads what it is told.
  var wantsToRead: Bool { !hasEnded && !isBroken && !hasLine && waiting < room }

  /// Whether a line has come whole.
  var hasLine: Bool { hasSkipped || lineEnd != nil }

  private var lineEnd: Int? {
    guard searched < inbox.count else { return nil }
    return inbox[searched...].firstIndex(of: UInt8(ascii: "\n"))
  }

  /// Takes in what has come, a portion of it.
  func read() {
    withUnsafeTemporaryAllocation(byteCount: Self.portion, alignment: 1) { bytes in
      var count = 0
      repeat { count = Glibc.read(input, bytes.baseAddress, bytes.count) } while count < 0 && errno == EINTR
      if count < 0 {
        if errno != EAGAIN { hasEnded = true }
        return
      }
      if count == 0 { return hasEnded = true }
      add(bytes[..<count])
    }
  }

  private func add(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
    var bytes = bytes
    if isSkipping {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return }
      bytes = bytes[(end + 1)...]
      isSkipping = false
    }
    if taken > 0 {
      inbox.removeFirst(taken)
      searched -= taken
      taken = 0
    }
    let begun = inbox.count
    inbox += bytes
    if lineEnd == nil {
      searched = inbox.count
      if inbox.count - taken > Self.longestLine {
        isSkipping = true
        hasSkipped = true
        forget()
      }
    } else {
      searched = min(searched, begun)
    }
  }

  private func forget() {
    inbox = []
    (taken, searched) = (0, 0)
  }

  /// The next line that has come whole, without its end.
  func nextLine() -> Line? {
    if hasSkipped {
      hasSkipped = false
      return .tooLong
    }
    guard let end = lineEnd else { return nil }
    let line = inbox[taken..<end]
    taken = end + 1
    searched = taken
    if taken == inbox.count { forget() } else if lineEnd == nil { searched = inbox.count }
    if line.count > Self.longestLine { return .tooLong }
    return .text(line)
  }

  // MARK: Out

  var wantsToWrite: Bool { waiting > 0 && !isBroken }

  /// Has a line, with its end, go out when the client takes it.
  func send(_ line: [UInt8]) {
    if !isBroken { outbox.add(line) }
  }

  /// Sends what the client takes now.
  func flush() {
    if isBroken { return }
    let error = outbox.flush { bytes in
      isSocket
        ? csocket_send(output, bytes.baseAddress, bytes.count) : write(output, bytes.baseAddress, bytes.count)
    }
    if error != nil { isBroken = true }
  }
}
