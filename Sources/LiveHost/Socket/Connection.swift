import CSocket
import Glibc

/// A *connection* leads to one client: lines come in and go out, and neither is ever waited for.
final class Connection {
  /// What a line may have at most.
  static let longestLine = 1 << 20
  /// How much waits to be read by a client before it is told nothing more.
  static let queue = 4 << 20
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

  private var outbox: [[UInt8]] = []
  private var first = 0
  private var sent = 0
  /// How many bytes wait to be read by the client.
  private(set) var waiting = 0

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
  var wantsToRead: Bool { !hasEnded && !isBroken && !hasLine && waiting < Self.queue }

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
    if isBroken { return }
    outbox.append(line)
    waiting += line.count
  }

  /// Sends what the client takes now.
  func flush() {
    while waiting > 0, !isBroken {
      let count = outbox[first].withUnsafeBytes { line in
        let rest = UnsafeRawBufferPointer(rebasing: line[sent...])
        return isSocket
          ? csocket_send(output, rest.baseAddress, rest.count) : write(output, rest.baseAddress, rest.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { isBroken = true }
        return
      }
      sent += count
      waiting -= count
      if sent == outbox[first].count { next() }
    }
  }

  private func next() {
    sent = 0
    outbox[first] = []
    first += 1
    if first == outbox.count {
      outbox.removeAll(keepingCapacity: outbox.capacity < 1024)
      first = 0
    } else if first > 1024 {
      outbox.removeFirst(first)
      first = 0
    }
  }
}
