import Glibc
import ScriptHost

/// A *client* is one connection to a live host: its subscriptions, the sequence of keys it has begun, the answers it waits for.
final class Client {
  @exclusivity(unchecked) var connection: Connection
  /// The handover through which a face of this process gets its messages; nil for any other client.
  let handover: Handover?
  /// What it is shown, if it names a view.
  var shown: Shown?
  /// The name that it gave in `hello`.
  var name: String?
  var topics: Set<Topic> = [] { didSet { bits = topics.reduce(0) { $0 | $1.bit } } }
  /// The topics as bits, which are read for each client at each notification.
  @exclusivity(unchecked) private(set) var bits = 0

  func wants(_ topic: Topic) -> Bool { bits & topic.bit != 0 }

  /// Whether it is in the list of clients to which `sendAll` sends.
  @exclusivity(unchecked) var isToBeSent = false

  /// The topics of notifications that were dropped because it didn't read.
  @exclusivity(unchecked) private var missed: Set<Topic> = []
  /// The context menu for which it asked last.
  var contextMenu: ContextMenu?

  enum ContextMenu {
    case ofRow(String)
    /// A menu of a kind, for a subject, asked for from a responder on.
    case of(String, Value, Responder?)
  }

  /// The strokes with which it has begun a sequence.
  @exclusivity(unchecked) var strokes = PendingKeys()
  /// The number of answers for which it waits until jobs end.
  @exclusivity(unchecked) var awaited = 0

  init(_ connection: consuming Connection, _ handover: Handover? = nil) {
    self.connection = connection
    self.handover = handover
  }

  /// Changes what it is shown, from what it was shown before.
  func look(at view: MenuView, before: Shown) {
    if before === shown { before.view = view } else { shown = Shown(view, from: before) }
  }

  /// Whether it can be removed: it is broken, or it sends no more and everything it asked was answered.
  var isDone: Bool {
    connection.isBroken
      || connection.hasEnded && !connection.hasLine && (connection.isUnheard || awaited == 0)
        && !connection.wantsToWrite
  }

  /// Whether a request waits and may be answered: not while too many bytes wait for the client to read, so that these stay bounded.
  var isToBeServed: Bool { connection.hasLine && connection.waiting < connection.room }

  /// Writes and reads as `poll` found possible; returns whether there was anything to do or a line to answer.
  func takesPart(by polled: [pollfd], at index: inout Int) -> Bool {
    let (events, writing) = connection.events(in: polled, at: &index)
    if events | writing == 0, !connection.hasLine { return false }
    if writing & ~POLLIN != 0 { flush() }
    if events & ~POLLOUT != 0, connection.wantsToRead { connection.read() }
    if events & POLLHUP != 0 { connection.hungUp() }
    if writing & (POLLERR | POLLHUP) != 0 { connection.isUnread() }
    return true
  }

  func answer(_ line: borrowing JSONWriter) { line.withBytes { connection.send($0) } }

  /// Hands over a message in memory, and sends an empty line that stands for it.
  func answer(_ message: JSON, at handover: Handover) {
    handover.put(message)
    connection.send(Self.handed)
  }

  private static let handed: [UInt8] = [0x0A]

  /// Sends it a notification, unless too many bytes wait for it to read already.
  func tell(_ topic: Topic, _ line: [UInt8]) {
    if hasRoom(for: line.count, of: topic) { connection.send(line) }
  }

  func tell(_ topic: Topic, _ message: JSON, at handover: Handover) {
    if hasRoom(for: handover.waiting, of: topic) { answer(message, at: handover) }
  }

  /// Whether it takes so many more bytes. If not, the topic is noted as missed, for the `resync` that `flush` sends.
  private func hasRoom(for count: Int, of topic: Topic) -> Bool {
    if missed.isEmpty, connection.waiting + count <= connection.room { return true }
    missed.insert(topic)
    return false
  }

  /// Sends what is queued for it, and takes it off `sendAll`'s list.
  func send() {
    isToBeSent = false
    flush()
  }

  /// Sends as much as it takes. Once it has read everything, a `resync` names the topics that it has missed.
  func flush() {
    connection.flush()
    guard !missed.isEmpty, connection.waiting == 0, !connection.isBroken else { return }
    let names = Topic.allCases.filter(missed.contains).map { JSON.text($0.rawValue) }
    missed = []
    connection.send(Message.line { Message.notification("resync", to: &$0) { $0.members([("to", .list(names))]) } })
    connection.flush()
  }
}
