import Glibc
import LiveHost
import ScriptHost

// Resources: the menus, the panel, the context and the chain, and why an action is disabled.

extension Assistant {
  func read(_ request: Request, _ era: Era) throws(RPCError) {
    let uri = try request.text("uri")
    guard let resource = Resource(uri: uri), let text = try found(uri) else { throw missing(uri, era) }
    let content = JSON.object([
      ("uri", .text(uri)), ("mimeType", .text(resource.mediaType)), ("text", .text(text)),
    ])
    reply(to: request, era, [("contents", .list([content]))], isCached: true)
  }

  private func found(_ uri: String) throws(RPCError) -> String? {
    guard let resource = Resource(uri: uri) else { return nil }
    do throws(Unanswered) { return try text(of: resource) } catch { throw RPCError(error) }
  }

  private func missing(_ uri: String, _ era: Era) -> RPCError {
    RPCError(era.isStateless ? .parameters : .resource, "there is no resource '\(uri)'")
  }

  /// Returns the current text of a resource; nil if the app doesn't have it.
  ///
  /// - Parameter waits: whether a text's function that runs has a while to end.
  func text(of resource: Resource, waits: Bool = true) throws(Unanswered) -> String? {
    let (method, members) = resource.request
    if case .why(let reference) = resource, Self.skipsValidation(reference) { return nil }
    if case .text = resource { return try lines(members, within: waits ? Self.patience : 0) }
    let json: JSON
    do throws(Unanswered) { json = try request(method, members) } catch {
      guard case .asking = error.kind else { throw error }
      return nil
    }
    // The revision counts snapshots, which is no news of their content.
    return JSONText.text(.object((json.members ?? []).filter { $0.0 != "revision" }))
  }

  /// The milliseconds that a text's function may run before its lines are read as they are.
  private static let patience = 2000
  /// The most lines of a text for a client.
  private static let mostLines = 20_000

  /// Returns the lines of a text; nil for an unknown text. A function that runs for the first time has a while to end.
  private func lines(_ members: [(String, JSON)], within patience: Int) throws(Unanswered) -> String? {
    do throws(Unanswered) {
      var waited = 0
      var part = try request("lines", members)
      while part["running"]?.bool == true, waited < patience {
        poll(nil, 0, 20)
        waited += 20
        part = try request("lines", members)
      }
      var lines: [String] = []
      while let more = part["lines"]?.list, !more.isEmpty, lines.count < Self.mostLines {
        lines += more.map { $0["text"]?.text ?? "" }
        part = try request("lines", members + [("from", .integer(lines.count + 1))])
      }
      let all = part["of"]?.integer ?? 0
      return (lines + (all > lines.count ? ["… \(all - lines.count) more"] : [])).joined(separator: "\n")
    } catch {
      guard case .asking = error.kind else { throw error }
      return nil
    }
  }

  /// Lists the current resources: those of every app, and the texts of this app.
  func listResources(_ request: Request, _ era: Era) throws(RPCError) {
    do {
      let panel = try AnswerReader().menus(self.request("panel")["panel"])
      reply(to: request, era, [("resources", .list(Resource.all + Resource.texts(in: panel)))], isCached: true)
    } catch let error as Unanswered { throw RPCError(error) } catch {
      throw RPCError(.inside, "the app's answer can't be read")
    }
  }

  func subscribe(_ request: Request, _ era: Era) throws(RPCError) {
    let uri = try request.text("uri")
    guard let text = try found(uri) else { throw missing(uri, era) }
    guard subscriptions.uris.count < Subscriptions.most else {
      throw RPCError(.parameters, "a client subscribes to \(Subscriptions.most) resources at most")
    }
    subscriptions.changeOwn { wish in if !wish.uris.contains(uri) { wish.uris.append(uri) } }
    _ = subscriptions.differs(uri, text)
    try follow()
    reply(to: request, era, [])
  }

  func unsubscribe(_ request: Request, _ era: Era) throws(RPCError) {
    let uri = try request.text("uri")
    subscriptions.changeOwn { wish in wish.uris.removeAll { $0 == uri } }
    subscriptions.tidy()
    reply(to: request, era, [])
  }

  /// Begins a subscription of a client without a session. The answer to the request is a stream of notifications.
  func listen(_ request: Request) throws(RPCError) {
    let wanted = request.parameters["notifications"]
    let uris = (wanted?["resourceSubscriptions"]?.list ?? []).compactMap(\.text)
    guard subscriptions.uris.count + uris.count <= Subscriptions.most, subscriptions.wishes.count < Subscriptions.most
    else { throw RPCError(.parameters, "a client subscribes to \(Subscriptions.most) resources at most") }
    var wish = Subscriptions.Wish(id: request.id)
    wish.tellsTools = wanted?["toolsListChanged"]?.bool ?? false
    for uri in uris where !wish.uris.contains(uri) {
      guard let text = try found(uri) else { continue }
      wish.uris.append(uri)
      _ = subscriptions.differs(uri, text)
    }
    subscriptions.add(wish)
    try follow()
    notify(
      "notifications/subscriptions/acknowledged",
      [
        (
          "notifications",
          .object([
            ("toolsListChanged", .bool(wish.tellsTools)),
            ("resourceSubscriptions", .list(wish.uris.map { .text($0) })),
          ])
        )
      ], of: wish)
  }
}

/// The subscriptions of a client.
struct Subscriptions {
  /// A subscription: the URIs of resources, and whether it includes the list of tools.
  struct Wish {
    /// The id of the `subscriptions/listen`; nil for a client with a session.
    var id: JSON?
    var uris: [String] = []
    var tellsTools = false
  }

  private(set) var wishes: [Wish] = []
  /// The last texts of the resources that clients got.
  private var told: [String: String] = [:]

  /// The most URIs that a client may subscribe to.
  static let most = 256

  var uris: Set<String> { Set(wishes.flatMap(\.uris)) }
  var wantTools: Bool { wishes.contains(where: \.tellsTools) }
  var isEmpty: Bool { wishes.isEmpty }

  mutating func add(_ wish: Wish) { wishes.append(wish) }

  /// Ends a `subscriptions/listen`. Returns false if there is none.
  mutating func end(_ key: String) -> Bool {
    let count = wishes.count
    wishes.removeAll { $0.id.map(JSONText.text) == key }
    return wishes.count < count
  }

  /// Changes the subscription of a client with a session.
  mutating func changeOwn(_ change: (inout Wish) -> Void) {
    if let place = wishes.firstIndex(where: { $0.id == nil }) { return change(&wishes[place]) }
    var wish = Wish()
    change(&wish)
    wishes.append(wish)
  }

  /// Notes a resource's text. Returns true if it differs from the last text.
  mutating func differs(_ uri: String, _ text: String) -> Bool {
    defer { told[uri] = text }
    return told[uri] != text
  }

  /// Forgets resources without a subscription.
  mutating func tidy() {
    let wanted = uris
    told = told.filter { wanted.contains($0.key) }
  }
}

/// A *resource* is a part of the app that an assistant can read.
enum Resource: Equatable {
  case menus, panel, context, chain
  /// An element of the menus with its descendants.
  case element(String)
  case why(String)
  /// The lines of a text of the panel.
  case text(String)

  static let scheme = "menuctl://"

  init?(uri: String) {
    guard uri.hasPrefix(Self.scheme) else { return nil }
    let path = uri.dropFirst(Self.scheme.count)
    switch path {
    case "menus": self = .menus
    case "panel": self = .panel
    case "context": self = .context
    case "chain": self = .chain
    default:
      guard let slash = path.firstIndex(of: "/"), let name = Self.decoded(path[path.index(after: slash)...]),
        !name.isEmpty
      else { return nil }
      switch path[..<slash] {
      case "menus": self = .element(name)
      case "why": self = .why(name)
      case "texts": self = .text(name)
      default: return nil
      }
    }
  }

  /// The request that reads it from the app.
  var request: (method: String, members: [(String, JSON)]) {
    switch self {
    case .menus: ("menus", [])
    case .panel: ("panel", [])
    case .context: ("context", [])
    case .chain: ("chain", [])
    case .element(let id): ("menus", [("id", .text(id))])
    case .why(let reference): ("why", [("ask", .text(reference))])
    case .text(let id): ("lines", [("text", .text(id))])
    }
  }

  var mediaType: String { if case .text = self { "text/plain" } else { "application/json" } }

  static let all: [JSON] = [
    entry("menus", "uri", "The menus", "every item as it is now, with its action, its keys and why it is disabled"),
    entry("panel", "uri", "The panel", "the rows that the person sees, with the current and the marked ones"),
    entry("context", "uri", "The context", "what actions know now, and who supplied it"),
    entry("chain", "uri", "The chain", "who is asked for an action, first to last, and who has the focus"),
  ]

  static let templates: [JSON] = [
    entry("menus/{id}", "uriTemplate", "An element", "one menu or item by its id, with all below it"),
    entry("why/{ref}", "uriTemplate", "Why", "why an action can or can't be done now, step by step"),
    entry(
      "texts/{id}", "uriTemplate", "A text", "the lines of a text in the panel, as the person sees them",
      mediaType: "text/plain"),
  ]

  /// Returns the entries of the texts in a panel.
  static func texts(in panel: [MenuElement]) -> [JSON] {
    panel.flatMap { element in
      guard element.kind == .text else { return texts(in: element.children) }
      let title = element.title.isEmpty ? element.id : element.title
      let path = "texts/\(encoded(element.id))"
      return [entry(path, "uri", title, "a text of the panel, line by line", mediaType: "text/plain")]
    }
  }

  private static func entry(
    _ path: String, _ member: String, _ title: String, _ about: String, mediaType: String = "application/json"
  ) -> JSON {
    .object([
      (member, .text(scheme + path)), ("name", .text(path)), ("title", .text(title)), ("description", .text(about)),
      ("mimeType", .text(mediaType)),
    ])
  }

  /// Returns a part of a URI, with percent signs for all special bytes.
  private static func encoded(_ part: String) -> String {
    part.utf8.map { byte in
      let isPlain =
        byte < 128 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
        || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
    }.joined()
  }

  /// Returns a part of a URI without its percent signs; nil if it is invalid.
  private static func decoded(_ part: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
