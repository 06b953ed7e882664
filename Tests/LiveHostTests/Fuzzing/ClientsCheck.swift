import Glibc
import ScriptHost

@testable import LiveHost

/// Checks several clients with random behavior: every client's snapshots, updated by notifications, equal the host's.
struct ClientsCheck {
  /// Updates a snapshot. A test replaces it with a wrong way, to see that the check finds a fault.
  var apply: (MenuElement, [MenuChange]) -> MenuElement = { $0.applying($1) }
  /// Called with the number of times that clients missed something.
  var onMissed: (Int) -> Void = { _ in }

  private static let steps = 80
  private static let clients = 5
  /// The last of them has so small a queue that it misses much when it doesn't read.
  private static let least = 3 << 10

  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let session = try? FuzzedSession() else { return "the session does not begin" }
    var rest = Array(bytes)[...]
    func next() -> Int { Int(rest.popFirst() ?? 0) }
    func connect(_ index: Int) -> Mirror? {
      session.connect(room: index == Self.clients - 1 ? Self.least : nil).map { Mirror(FuzzedEnd($0), apply) }
    }
    var mirrors: [Mirror] = []
    defer { for mirror in mirrors { close(mirror.end.descriptor) } }
    for index in 0..<Self.clients { if let mirror = connect(index) { mirrors.append(mirror) } }
    guard mirrors.count == Self.clients else { return nil }
    for _ in 0..<Self.steps where !rest.isEmpty {
      let who = next() % Self.clients
      switch next() % 25 {
      case 11: try? session.host.advance(by: .seconds(next() % 8))
      case 13:
        close(mirrors[who].end.descriptor)
        guard let mirror = connect(who) else { return nil }
        mirrors[who] = mirror
      // The last client misses more if it sees everything.
      case 24: if who < Self.clients - 1 { look(&mirrors[who], next) }
      case let deed: step(deed, &mirrors[who], next)
      }
      for _ in 0...(next() % 3) { session.live.turn() }
      // Some clients read later.
      if next() % 4 > 0, let fault = mirrors[who].hear() { return fault }
    }
    return faultAtTheEnd(&mirrors, session)
  }

  /// One step of a client.
  private func step(_ deed: Int, _ mirror: inout Mirror, _ next: () -> Int) {
    switch deed {
    case 0, 1: mirror.ask("subscribe", #"{"to": ["menus", "jobs", "outcomes"]}"#, "subscribe menus")
    case 2: mirror.ask("unsubscribe", #"{"to": ["menus"]}"#, "unsubscribe menus")
    case 3, 4: mirror.ask("menus")
    case 5, 6, 7:
      let rows = Set((0..<next() % 6).map { _ in "\"\(["a", "b", "c", "d", "e", "f"][next() % 6])\"" }).sorted()
      mirror.ask(
        "perform",
        "{\"ref\": \"set\", \"args\": {\"rows\": [\(rows.joined(separator: ", "))]}, \"changes\": \(next() % 2 == 0)}")
    case 8: mirror.ask("pick", #"{"id": "M/Tick", "confirmed": true, "asked": "Sure?"}"#)
    case 9: mirror.ask("press", "{\"keys\": \"\(["g", "t", "g t", "esc", "x"][next() % 5])\"}")
    case 10: mirror.ask("perform", "{\"ref\": \"nap\", \"wait\": \(next() % 2 == 0), \"owned\": \(next() % 2 == 0)}")
    case 12: mirror.ask("evaluate", "{\"line\": \"ticked = \(next() % 2 == 0)\"}")
    case 14, 15: mirror.ask("subscribe", #"{"to": ["panel", "log", "app"]}"#, "subscribe panel")
    case 16: mirror.ask("unsubscribe", #"{"to": ["panel"]}"#, "unsubscribe panel")
    case 17: mirror.ask("panel")
    case 18: mirror.ask("choose", "{\"id\": \"line \(["a", "b", "z"][next() % 3])\"}")
    case 19: mirror.ask("focus", "{\"name\": \"\(["list", "app"][next() % 2])\"}")
    case 20: mirror.ask("perform", #"{"ref": "count"}"#)
    case 21: mirror.ask(["undo", "redo"][next() % 2])
    case 22: mirror.ask("reload")
    default:
      switch next() % 9 {
      case 4: mirror.ask("emit", #"{"event": "a.b", "data": [1]}"#)
      case 5:
        mirror.ask(
          "register", #"{"responder": "own", "before": "list", "on": {"go": {}}, "keys": {"x": false}}"#, Mirror.mayFail
        )
      case 6: mirror.ask("perform", #"{"ref": "go"}"#)
      case 7: mirror.ask("done", "{\"call\": \(next() % 4), \"result\": 1}", Mirror.mayFail)
      case 8: mirror.ask("unregister", #"{"responder": "own"}"#, Mirror.mayFail)
      case 0: mirror.ask("pick", #"{"id": "N/Name", "args": {"number": 3}}"#, "unconfirmed")
      case 2:
        let yes = #""confirmed": true, "asked": "Another?""#
        mirror.ask("pick", #"{"id": "N/Name", "args": {"number": 3}, \#(yes)}"#, "unconfirmed")
      case 1: mirror.ask("perform", #"{"ref": "name"}"#, "asked")
      default: mirror.ask("pick", #"{"id": "N/Name", "args": {"number": 4}, "confirmed": true}"#)
      }
    }
  }

  /// Names a view of the menus, and of some rows of the panel.
  private func look(_ mirror: inout Mirror, _ next: () -> Int) {
    let menus = ["M", "N"].filter { _ in next() % 2 == 0 }
    let from = next() % 4
    let count = next() % 4
    let keys = count == 3
    mirror.view = MenuView(menus: menus, rows: from..<from + count, keys: keys)
    let named = menus.map { "\"\($0)\"" }.joined(separator: ", ")
    mirror.ask(
      "subscribe",
      "{\"to\": [\"menus\"], \"view\": {\"menus\": [\(named)], \"keys\": \(keys), "
        + "\"rows\": {\"panel\": [\(from + 1), \(from + count)]}}}",
      "subscribe menus")
  }

  private func faultAtTheEnd(_ mirrors: inout [Mirror], _ session: FuzzedSession) -> String? {
    func hear() -> String? {
      for _ in 0..<100 {
        session.live.turn()
        for index in mirrors.indices { if let fault = mirrors[index].hear() { return fault } }
      }
      return nil
    }
    // After reading everything, a client knows what it missed.
    if let fault = hear() { return fault }
    for index in mirrors.indices {
      // A client with a snapshot continues with notifications.
      if !mirrors[index].menus.isSubscribed || mirrors[index].menus.root == nil {
        mirrors[index].ask("subscribe", #"{"to": ["menus"]}"#, "subscribe menus")
        mirrors[index].ask("menus")
      }
      if !mirrors[index].panel.isSubscribed || mirrors[index].panel.root == nil {
        mirrors[index].ask("subscribe", #"{"to": ["panel"]}"#, "subscribe panel")
        mirrors[index].ask("panel")
      }
    }
    if let fault = hear() { return fault }
    mirrors[0].ask("perform", #"{"ref": "set", "args": {"rows": ["z", "a"]}}"#)
    if let fault = hear() { return fault }
    onMissed(mirrors.reduce(0) { $0 + $1.missed })
    for index in mirrors.indices {
      let waits = mirrors[index].asked.values.filter { $0 != "perform" }
      if !waits.isEmpty { return "client \(index) waits for answers to \(waits.sorted())" }
      let menus = session.host.menus(in: mirrors[index].view ?? .everything)
      let panel = MenuElement(rootOf: [], panel: menus.panel?.children ?? []).withPanel
      for (known, host, name) in [
        (mirrors[index].menus, menus.withoutPanel, "menus"),
        (mirrors[index].panel, panel, "panel"),
      ] {
        // An element's JSON is the same from its declaration or its look.
        if known.root?.json != host.json || known.root?.panel?.json != host.panel?.json {
          return "client \(index) knows another \(name) at revision \(known.revision) than the host"
        }
        if mirrors[index].view == nil, known.revision != session.live.revision {
          return "client \(index) is at another revision"
        }
      }
    }
    return nil
  }
}
