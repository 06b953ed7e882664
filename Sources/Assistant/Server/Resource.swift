import LiveHost

/// A *resource* is what an assistant may read without doing anything.
enum Resource: Equatable {
  case menus, panel, context, chain
  /// An element of the menus with all below it.
  case element(String)
  case why(String)

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
    }
  }

  static let all: [JSON] = [
    entry("menus", "uri", "The menus", "every item as it is now, with its action, its keys and why it is disabled"),
    entry("panel", "uri", "The panel", "the rows that the person sees, with the current and the marked ones"),
    entry("context", "uri", "The context", "what actions know now, and who supplied it"),
    entry("chain", "uri", "The chain", "who is asked for an action, first to last, and who has the focus"),
  ]

  static let templates: [JSON] = [
    entry("menus/{id}", "uriTemplate", "An element", "one menu or item by its id, with all below it"),
    entry("why/{ref}", "uriTemplate", "Why", "why an action can or can't be done now, step by step"),
  ]

  private static func entry(_ path: String, _ member: String, _ title: String, _ about: String) -> JSON {
    .object([
      (member, .text(scheme + path)), ("name", .text(path)), ("title", .text(title)), ("description", .text(about)),
      ("mimeType", .text("application/json")),
    ])
  }

  /// A part of a URI without its percent signs; nil if it isn't written well.
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
