import Glibc
import ScriptHost

/// A *client* is who is connected: what it wants to be told, what it has begun, what it waits for.
final class Client {
  @exclusivity(unchecked) var connection: Connection
  /// Where what it is told lies, where it is a face of this process.
  let handover: Handover?
  /// What it says that it is.
  var name: String?
  var topics: Set<Topic> = [] { didSet { bits = topics.reduce(0) { $0 | $1.bit } } }
  /// The same, looked at for each client whenever something is told.
  @exclusivity(unchecked) private(set) var bits = 0

  func wants(_ topic: Topic) -> Bool { bits & topic.bit != 0 }

  /// Whether there is something for it since it was sent what it takes.
  @exclusivity(unchecked) var isToBeSent = false

  /// What it was not told, since it didn't read.
  @exclusivity(unchecked) private var missed: Set<Topic> = []
  /// The context menu that it has asked for last.
  var contextMenu: ContextMenu?

  enum ContextMenu {
    case ofRow(String)
    /// Of a kind, for a subject, from a responder on.
    case of(String, Value, Responder?)
  }

  /// The strokes that it has begun a sequence with.
  @exclusivity(unchecked) var strokes = PendingKeys()
  /// How many answers it waits for that come when a job ends.
  @exclusivity(unchecked) var awaited = 0

  init(_ connection: consuming Connection, _ handover: Handover? = nil) {
    self.connection = connection
    self.handover = handover
  }

  /// Whether all that it asked was answered, and it asks nothing any more.
  var isDone: Bool {
    connection.isBroken
      || connection.hasEnded && !connection.hasLine && (connection.isUnheard || awaited == 0)
        && !connection.wantsToWrite
  }

  /// Whether it has asked something, and reads what it is answered: what waits for it is bounded, however much it has asked.
  var isToBeServed: Bool { connection.hasLine && connection.waiting < connection.room }

  /// Writes and reads what was waited for; whether anything has come of that.
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

  /// Answers something with what lies in memory; the line that goes to it says no more than that.
  func answer(_ message: JSON, at handover: Handover) {
    handover.put(message)
    connection.send(Self.handed)
  }

  private static let handed: [UInt8] = [0x0A]

  /// Tells it something, unless it has too much to read already.
  func tell(_ topic: Topic, _ line: [UInt8]) {
    if hasRoom(for: line.count, of: topic) { connection.send(line) }
  }

  func tell(_ topic: Topic, _ message: JSON, at handover: Handover) {
    if hasRoom(for: handover.waiting, of: topic) { answer(message, at: handover) }
  }

  /// Whether it takes so many bytes more; else it hears of the topic later.
  private func hasRoom(for count: Int, of topic: Topic) -> Bool {
    if missed.isEmpty, connection.waiting + count <= connection.room { return true }
    missed.insert(topic)
    return false
  }

  /// Sends what there is for it.
  func send() {
    isToBeSent = false
    flush()
  }

  /// Sends what it takes; once it has read everything it hears of what it was not told.
  func flush() {
    connection.flush()
    guard !missed.isEmpty, connection.waiting == 0, !connection.isBroken else { return }
    let names = Topic.allCases.filter(missed.contains).map { JSON.text($0.rawValue) }
    missed = []
    connection.send(Message.line { Message.notification("resync", to: &$0) { $0.members([("to", .list(names))]) } })
    connection.flush()
  }
}
