import Glibc
import ScriptHost

@testable import LiveHost

/// What must hold whatever several clients do: everybody's snapshot, brought up by what is told, is the host's.
struct ClientsCheck {
  /// Brings a snapshot up; another way shows that a fault would be found.
  var apply: (MenuElement, [MenuChange]) -> MenuElement = { $0.applying($1) }

  private static let steps = 60

  /// A client, and the menus as it knows them.
  private struct Mirror {
    var end: FuzzedEnd
    var isSubscribed = false
    var menus: MenuElement?
    var revision = 0
    var lastID = 0
    /// What it asked that was not answered yet, by its number.
    var asked: [Int: String] = [:]
  }

  func fault(in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let session = try? FuzzedSession() else { return "the session does not begin" }
    var rest = Array(bytes)[...]
    func next() -> Int { Int(rest.popFirst() ?? 0) }
    var mirrors: [Mirror] = []
    defer { for mirror in mirrors { close(mirror.end.descriptor) } }
    for _ in 0..<3 { if let end = session.connect() { mirrors.append(Mirror(end: FuzzedEnd(end))) } }
    guard mirrors.count == 3 else { return nil }
    for _ in 0..<Self.steps where !rest.isEmpty {
      let who = next() % 3
      switch next() % 14 {
      case 0, 1: ask(&mirrors[who], "subscribe", #"{"to": ["menus", "jobs", "outcomes"]}"#)
      case 2: ask(&mirrors[who], "unsubscribe", #"{"to": ["menus"]}"#)
      case 3, 4: ask(&mirrors[who], "menus", "{}")
      case 5, 6, 7:
        let rows = Set((0..<next() % 6).map { _ in "\"\(["a", "b", "c", "d", "e", "f"][next() % 6])\"" }).sorted()
        ask(
          &mirrors[who], "perform",
          "{\"ref\": \"set\", \"args\": {\"rows\": [\(rows.joined(separator: ", "))]}, \"changes\": \(next() % 2 == 0)}"
        )
      case 8: ask(&mirrors[who], "pick", #"{"id": "M/Tick", "confirmed": true}"#)
      case 9: ask(&mirrors[who], "press", "{\"keys\": \"\(["g", "t", "g t", "esc", "x"][next() % 5])\"}")
      case 10:
        ask(&mirrors[who], "perform", "{\"ref\": \"nap\", \"wait\": \(next() % 2 == 0), \"owned\": \(next() % 2 == 0)}")
      case 11: try? session.host.advance(by: .seconds(next() % 8))
      case 12: ask(&mirrors[who], "evaluate", "{\"line\": \"ticked = \(next() % 2 == 0)\"}")
      default:
        close(mirrors[who].end.descriptor)
        guard let end = session.connect() else { return nil }
        mirrors[who] = Mirror(end: FuzzedEnd(end))
      }
      for _ in 0...(next() % 3) { session.live.turn() }
      // Some read later.
      if next() % 4 > 0, let fault = hear(&mirrors[who]) { return fault }
    }
    for index in mirrors.indices where mirrors[index].isSubscribed || mirrors[index].menus != nil {
      ask(&mirrors[index], "subscribe", #"{"to": ["menus"]}"#)
      ask(&mirrors[index], "menus", "{}")
    }
    ask(&mirrors[0], "perform", #"{"ref": "set", "args": {"rows": ["z", "a"]}}"#)
    for _ in 0..<100 { session.live.turn() }
    let menus = session.host.menus()
    for index in mirrors.indices {
      if let fault = hear(&mirrors[index]) { return fault }
      let waits = mirrors[index].asked.values.filter { $0 != "perform" }
      if !waits.isEmpty { return "client \(index) waits for answers to \(waits.sorted())" }
      guard mirrors[index].isSubscribed, let known = mirrors[index].menus else { continue }
      // What an element looks like is the same, whoever says it: its declaration or its look.
      if known.json != menus.json {
        return "client \(index) knows other menus at revision \(mirrors[index].revision) than the host"
      }
      if mirrors[index].revision != session.live.revision { return "client \(index) is at another revision" }
    }
    return nil
  }

  private func ask(_ mirror: inout Mirror, _ method: String, _ parameters: String) {
    mirror.lastID += 1
    mirror.asked[mirror.lastID] = method
    mirror.end.write(
      Array(
        "{\"jsonrpc\": \"2.0\", \"id\": \(mirror.lastID), \"method\": \"\(method)\", \"params\": \(parameters)}\n".utf8)
    )
  }

  /// Takes in what has come.
  private func hear(_ mirror: inout Mirror) -> String? {
    for line in mirror.end.lines() {
      guard let json = try? JSONReader.read(line) else { return "no JSON" }
      if json["method"]?.text == "menus" {
        if let fault = told(&mirror, json["params"] ?? .null) { return fault }
      } else if let id = json["id"]?.integer {
        guard let method = mirror.asked.removeValue(forKey: id) else { return "an answer to nothing that was asked" }
        guard let result = json["result"] else { return "an error: \(String(decoding: line, as: UTF8.self))" }
        answered(&mirror, method, result)
      }
    }
    return nil
  }

  private func answered(_ mirror: inout Mirror, _ method: String, _ result: JSON) {
    switch method {
    case "subscribe":
      mirror.isSubscribed = true
      // What is told begins with another snapshot than the one that is known.
      if result["revision"]?.integer != mirror.revision { mirror.menus = nil }
    case "unsubscribe": (mirror.isSubscribed, mirror.menus) = (false, nil)
    case "menus":
      guard let menus = try? AnswerReader().menus(result["menus"]) else { return }
      mirror.menus = MenuElement(rootOf: menus)
      mirror.revision = result["revision"]?.integer ?? -1
    default: break
    }
  }

  private func told(_ mirror: inout Mirror, _ told: JSON) -> String? {
    guard let from = told["from"]?.integer, let revision = told["revision"]?.integer,
      let changes = try? AnswerReader().changes(told["changes"])
    else { return "a notification of no menus" }
    guard let menus = mirror.menus else { return nil }
    guard from == mirror.revision else {
      // Whoever asked for the menus before subscribing begins with what the subscription begins with.
      mirror.menus = mirror.isSubscribed ? mirror.menus : nil
      return mirror.isSubscribed ? "told of the changes since \(from), and \(mirror.revision) is known" : nil
    }
    mirror.menus = apply(menus, changes)
    mirror.revision = revision
    return nil
  }
}
