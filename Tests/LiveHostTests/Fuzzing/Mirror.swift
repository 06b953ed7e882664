import Glibc
import ScriptHost

@testable import LiveHost

/// A *mirror* is a client with a copy of the menus and the panel, made from answers and notifications.
struct Mirror {
  var end: FuzzedEnd
  /// The copy of one topic.
  struct Known {
    var isSubscribed = false
    var root: MenuElement?
    var revision = 0
  }

  var menus = Known()
  var panel = Known()
  /// The view that it named. Nil if it named none.
  var view: MenuView?
  /// The number of notifications that something was missed.
  var missed = 0
  private var lastID = 0
  /// The open requests by number.
  private(set) var asked: [Int: String] = [:]
  private let apply: (MenuElement, [MenuChange]) -> MenuElement

  init(_ end: FuzzedEnd, _ apply: @escaping (MenuElement, [MenuChange]) -> MenuElement) {
    self.end = end
    self.apply = apply
  }

  /// - Parameter note: a note for handling the answer.
  /// The note of a request that may be answered with an error.
  static let mayFail = "may fail"

  mutating func ask(_ method: String, _ parameters: String = "{}", _ note: String? = nil) {
    lastID += 1
    asked[lastID] = note ?? method
    end.write(
      Array("{\"jsonrpc\": \"2.0\", \"id\": \(lastID), \"method\": \"\(method)\", \"params\": \(parameters)}\n".utf8))
  }

  /// Reads what has come. Returns a fault, if any.
  mutating func hear() -> String? {
    for line in end.lines() {
      guard let json = try? JSONReader.read(line) else { return "no JSON" }
      let told = json["params"] ?? .null
      switch json["method"]?.text {
      case "menus": if let fault = Self.told(&menus, told, apply) { return fault }
      case "panel": if let fault = Self.told(&panel, told, apply) { return fault }
      case "resync":
        missed += 1
        let topics = told["to"]?.list?.compactMap(\.text) ?? []
        if topics.contains("menus") { menus.root = nil }
        if topics.contains("panel") { panel.root = nil }
      case nil:
        guard let id = json["id"]?.integer, let what = asked.removeValue(forKey: id) else {
          return "an answer to nothing that was asked"
        }
        guard let result = json["result"] else {
          if what == Self.mayFail { break }
          return "an error: \(String(decoding: line, as: UTF8.self))"
        }
        if let fault = answered(what, result) { return fault }
      default: break
      }
    }
    return nil
  }

  private mutating func answered(_ what: String, _ result: JSON) -> String? {
    let revision = result["revision"]?.integer ?? -1
    switch what {
    case "subscribe menus": Self.begin(&menus, revision)
    case "subscribe panel": Self.begin(&panel, revision)
    case "unsubscribe menus": menus = Known()
    case "unsubscribe panel": panel = Known()
    case "menus":
      guard let elements = try? AnswerReader().menus(result["menus"]) else { return "menus that nobody can read" }
      (menus.root, menus.revision) = (MenuElement(rootOf: elements), revision)
    case "panel":
      guard let elements = try? AnswerReader().menus(result["panel"]) else { return "a panel that nobody can read" }
      (panel.root, panel.revision) = (MenuElement(rootOf: [], panel: elements).withPanel, revision)
    case "unconfirmed" where result["status"]?.text == "handled": return "done without being confirmed"
    case "asked" where result["status"]?.text == "handled": return "done without what it takes"
    default: break
    }
    return nil
  }

  private static func begin(_ known: inout Known, _ revision: Int) {
    known.isSubscribed = true
    // The notifications begin with another snapshot than the copy.
    if revision != known.revision { known.root = nil }
  }

  private static func told(
    _ known: inout Known, _ told: JSON, _ apply: (MenuElement, [MenuChange]) -> MenuElement
  ) -> String? {
    guard let from = told["from"]?.integer, let revision = told["revision"]?.integer,
      let changes = try? AnswerReader().changes(told["changes"])
    else { return "a notification of no menus" }
    guard let root = known.root, known.isSubscribed else { return nil }
    guard from == known.revision else { return "told of the changes since \(from), and \(known.revision) is known" }
    known.root = apply(root, changes)
    known.revision = revision
    return nil
  }
}
