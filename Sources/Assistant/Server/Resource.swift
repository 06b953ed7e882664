import LiveHost
import ScriptHost

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
