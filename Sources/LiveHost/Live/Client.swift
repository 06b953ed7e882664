import Glibc
import ScriptHost

/// A *client* is one connection to a live host, with its subscriptions, pending keys and awaited answers.
final class Client {
  var connection: Connection
  /// The handover through which a face of this process gets its messages; nil for any other client.
  let handover: Handover?
  /// The view that the client named and its last snapshot; nil if it named no view.
  var shown: Shown?
  /// The name that the client sent in `hello`.
  var name: String?
  /// Whether the client itself ends when a person quits, as a face does.
  var endsItself = false
  var topics: Set<Topic> = [] { didSet { bits = topics.reduce(0) { $0 | $1.bit } } }
  /// The client's responders and the calls that it must still answer; nil until it registers a responder.
  var part: ClientPart?
  /// The topics as bits, which are read for each client at each notification.
  private(set) var bits = 0

  func wants(_ topic: Topic) -> Bool { bits & topic.bit != 0 }

  /// Whether it is in the list of clients to which `sendAll` sends.
  var isToBeSent = false

  /// The topics whose notifications were dropped because the client didn't read.
  private var missed: Set<Topic> = []
  /// The context menu that the client opened last.
  var contextMenu: ContextMenu?

  enum ContextMenu {
    case ofRow(String)
    /// A menu of a kind, for a subject, built from a responder on.
    case of(String, Value, Responder?)
  }

  /// The strokes of a key sequence that the client has begun.
  var strokes = PendingKeys()
  /// The number of requests that the host answers when their jobs end.
  var awaited = 0

  init(_ connection: consuming Connection, _ handover: Handover? = nil) {
    self.connection = connection
    self.handover = handover
  }

  /// Changes the client's view. `before` is the view and the snapshot it had until now.
  func look(at view: MenuView, before: Shown) {
    if before === shown { before.view = view } else { shown = Shown(view, from: before) }
  }

  /// Whether the host can remove the client: it is broken, or it has closed its end and every request is answered.
  var isDone: Bool {
    connection.isBroken
      || connection.hasEnded && !connection.hasLine && (connection.isUnheard || awaited == 0)
        && !connection.wantsToWrite
  }

  /// Whether the client sends nothing more, so that it answers no call.
  var hasFallenSilent: Bool { connection.isBroken || connection.hasEnded && !connection.hasLine }

  /// Whether the host may answer a waiting request. It doesn't while the client has too many bytes to read.
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

  /// Puts a message into the handover, and sends an empty line in its place.
  func answer(_ message: JSON, at handover: Handover) {
    handover.put(message)
    connection.send(Self.handed)
  }

  private static let handed: [UInt8] = [0x0A]

  /// Sends a notification, unless the client already has too many bytes to read.
  func tell(_ topic: Topic, _ line: [UInt8]) {
    if hasRoom(for: line.count, of: topic) { connection.send(line) }
  }

  func tell(_ topic: Topic, _ message: JSON, at handover: Handover) {
    if hasRoom(for: handover.waiting, of: topic) { answer(message, at: handover) }
  }

  /// Returns true if so many more bytes fit. If not, notes the topic as missed, for the `resync` that `flush` sends.
  private func hasRoom(for count: Int, of topic: Topic) -> Bool {
    if missed.isEmpty, connection.waiting + count <= connection.room { return true }
    missed.insert(topic)
    return false
  }

  /// Sends the queued lines, and takes the client off `sendAll`'s list.
  func send() {
    isToBeSent = false
    flush()
  }

  /// Sends as much as the client reads. Once it has read everything, a `resync` names the topics that it missed.
  func flush() {
    connection.flush()
    guard !missed.isEmpty, connection.waiting == 0, !connection.isBroken else { return }
    let names = Topic.allCases.filter(missed.contains).map { JSON.text($0.rawValue) }
    missed = []
    connection.send(Message.line { Message.notification("resync", to: &$0) { $0.members([("to", .list(names))]) } })
    connection.flush()
  }
}

/// The view of some clients, its last snapshot, and the number of snapshots that differed from the previous snapshot.
///
/// Clients that name no view share one `Shown` of everything. A client that names a view has its own, with its own
/// revisions.
final class Shown {
  var view: MenuView { didSet { hasMoved = view.panes != oldValue.panes } }
  /// Whether other rows came into sight since the last snapshot.
  private var hasMoved = false
  private(set) var menus = MenuElement.nothing
  /// The view of the last snapshot.
  private var lastView: MenuView?
  /// The number of rows in the panel, in sight or not.
  private(set) var rowCount = 0
  private(set) var revision = 0
  /// Whether something happened since the last snapshot.
  var isStale = true

  init(_ view: MenuView) { self.view = view }

  /// Makes a view that continues the snapshot and the revision of another.
  init(_ view: MenuView, from other: Shown) {
    self.view = view
    (menus, rowCount, revision) = (other.menus, other.rowCount, other.revision)
  }

  /// The differences between two snapshots.
  struct Changes {
    var menus: [MenuChange] = []
    var panel: [MenuChange] = []
    /// Whether the panel has more rows than before, or fewer, or others are in sight.
    var isLonger = false

    var isEmpty: Bool { menus.isEmpty && panel.isEmpty && !isLonger }
  }

  /// Makes a snapshot, and raises the revision if it differs. Computes the changes only if a client wants them.
  func draw(_ host: ScriptHost, wantsChanges: Bool) -> Changes {
    let before = (menus: menus, rowCount: rowCount)
    let isWhole = view == .everything
    let seen = isStale ? nil : lastView.map { SeenMenus(menus, in: $0) }
    menus = isWhole ? host.menusAndTexts() : host.menus(in: view, seen: seen)
    lastView = view
    if view.rows != nil { rowCount = host.panelRowCount }
    isStale = false
    var changes = Changes(isLonger: before.rowCount != rowCount || hasMoved)
    hasMoved = false
    if wantsChanges {
      changes.menus = MenuChanges(from: before.menus.withoutPanel, to: menus.withoutPanel).all
      changes.panel = MenuChanges(from: before.menus.panel ?? .emptyPanel, to: menus.panel ?? .emptyPanel).all
    } else {
      changes.isLonger = changes.isLonger || before.menus.withPanel != menus.withPanel
    }
    if !changes.isEmpty { revision += 1 }
    return changes
  }

  /// The number of the first row in the snapshot and the count of all rows, if the snapshot has only rows in sight.
  var rows: [(String, JSON)] {
    view.rows.map { [("first", .integer($0.lowerBound + 1)), ("rows", .integer(rowCount))] } ?? []
  }
}

extension MenuView {
  /// Reads a client's view: `{menus: [ids], keys: true, rows: {pane: [from, to]}, texts: [ids]}`. Rows count from 1.
  init(_ json: JSON) throws(CallError) {
    let members = json.members ?? []
    for (name, _) in members where !["menus", "keys", "rows", "texts"].contains(name) {
      throw CallError(.parameters, "'view' can have 'menus', 'keys', 'rows' and 'texts', but not '\(name)'")
    }
    let menus = json["menus"]
    if let menus, menus.list?.allSatisfy({ $0.text != nil }) != true {
      throw CallError(.parameters, "'menus' of 'view' must be a list of ids")
    }
    let texts = json["texts"]
    if let texts, texts.list?.allSatisfy({ $0.text != nil }) != true {
      throw CallError(.parameters, "'texts' of 'view' must be a list of ids")
    }
    let panes = try json["rows"].map { rows throws(CallError) in try Self.panes(rows) }
    let keys = json["keys"]
    if let keys, keys.bool == nil { throw CallError(.parameters, "'keys' of 'view' must be true or false") }
    self.init(
      menus: menus?.list?.compactMap(\.text), panes: panes, keys: keys?.bool ?? false,
      texts: texts?.list?.compactMap(\.text))
  }

  private static func panes(_ json: JSON) throws(CallError) -> [String: Range<Int>] {
    var panes: [String: Range<Int>] = [:]
    for (pane, ends) in json.members ?? [("", .null)] {
      guard let ends = ends.list, ends.count == 2, let from = ends[0].integer, let to = ends[1].integer, from > 0,
        to >= from - 1
      else {
        throw CallError(
          .parameters,
          "'rows' of 'view' must be {\"panel\": [from, to]}, or have a pair for each pane, with rows from 1")
      }
      panes[pane] = from - 1..<to
    }
    return panes
  }
}

/// A *client part* is what a client has in the host: responders, objects, and the calls that it must still answer.
final class ClientPart {
  let owner: Owner
  let objects: ClientObjects
  var responders: [String: ClientResponder] = [:]
  private(set) var calls: [Int: ClientCall] = [:]
  private var lastCall = 0

  init(_ owner: Owner, _ objects: ClientObjects) {
    self.owner = owner
    self.objects = objects
  }

  /// Keeps a call until the client answers it. Returns a number, unique within this client.
  func add(_ call: ClientCall) -> Int {
    lastCall += 1
    calls[lastCall] = call
    return lastCall
  }

  /// Returns the number of an open call.
  func number(of call: ClientCall) -> Int? { calls.first { $0.value === call }?.key }

  /// Removes a call that is over. Returns its number; nil if the call was removed already.
  func take(_ call: ClientCall) -> Int? {
    guard let number = number(of: call) else { return nil }
    calls[number] = nil
    return number
  }

  func take(_ number: Int) -> ClientCall? { calls.removeValue(forKey: number) }
}
