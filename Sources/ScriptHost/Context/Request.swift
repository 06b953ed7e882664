/// The parameters of one perform: the action, its arguments, the sender, and more.
public final class Request {
  /// The name of the action as the taker handles it; the reference's last component if nobody does.
  public internal(set) var action: String
  /// The reference, as written.
  public let raw: String
  /// The prefix dropped before the action's name.
  public internal(set) var prefix: String
  /// The arguments of the reference and the options together, with the taker's defaults.
  public let arguments: Arguments
  /// The given arguments, without defaults.
  let given: Arguments
  /// The info of the options: the caller's values.
  public let info: Arguments
  /// The sender of the action.
  public let sender: Sender
  /// The modifier keys that were held.
  public let modifiers: [String]
  /// The subject of a context menu.
  public let subject: Value
  /// The values put over a context under their keys: first the info, then the arguments.
  private(set) lazy var supplied = info.isEmpty ? arguments.supplied : info.supplied + arguments.supplied
  /// Whether several performs share it, and keep `fields`.
  var isShared = false
  /// The engine's fields for scripts.
  var fields: AnyObject?

  init(
    raw: String, action: String, prefix: String, arguments: Arguments, info: Arguments = Arguments(),
    sender: Sender = .app, modifiers: [String] = [], subject: Value = .null
  ) {
    self.raw = raw
    self.action = action
    self.prefix = prefix
    self.arguments = arguments
    given = arguments
    self.info = info
    self.sender = sender
    self.modifiers = modifiers
    self.subject = subject
  }

  /// Creates a copy with values put over the arguments for its taker.
  init(_ other: Request, filling filledIn: Arguments) {
    raw = other.raw
    action = other.action
    prefix = other.prefix
    arguments = other.given.merging(filledIn)
    given = other.given
    info = other.info
    sender = other.sender
    modifiers = other.modifiers
    subject = other.subject
  }

  /// Creates a copy with other arguments, texts and sender, for functions that may not see secrets.
  init(_ other: Request, raw: String, arguments: Arguments, sender: Sender) {
    self.raw = raw
    action = other.action
    prefix = other.prefix
    self.arguments = arguments
    given = arguments
    info = other.info
    self.sender = sender
    modifiers = other.modifiers
    subject = other.subject
  }

  /// Whether scripts can't change any argument, so that many performs can share it.
  var hasPlainArguments: Bool { arguments.members.allSatisfy(\.value.isPlain) }

  /// The request without the caller's values, if there are objects among them.
  var withoutObjects: Request {
    if ![arguments, given, info].contains(where: \.hasObject), !subject.hasObject { return self }
    return Request(
      raw: raw, action: action, prefix: prefix, arguments: Arguments(), sender: sender, modifiers: modifiers)
  }

  /// Creates a copy under another name, without the values filled in for the previous taker.
  convenience init(_ other: Request, as action: String, _ prefix: String) {
    self.init(
      raw: other.raw, action: action, prefix: prefix, arguments: other.given, info: other.info,
      sender: other.sender, modifiers: other.modifiers, subject: other.subject)
  }

  /// Returns one of the host's fields; nil if the key isn't one.
  func field(_ key: String, taker: AnyObject?) -> Value? {
    switch key {
    case "action": .text(action)
    case "raw": .text(raw)
    case "prefix": .text(prefix)
    case "args": .object(arguments.members)
    case "sender": sender.value
    case "taker": taker.map(Value.opaque) ?? .null
    case "modifiers": .object(modifiers.map { ($0, .bool(true)) })
    case "subject": subject
    default: nil
    }
  }

}

extension Sender {
  /// The sender as a plain value.
  var value: Value {
    switch self {
    case .app: .text("app")
    case .responder(let name): .text(name)
    case .item(let id, let title, let action, let key):
      .object([
        ("id", .text(id)), ("title", .text(title)), ("action", .text(action)), ("key", key.map(Value.text) ?? .null),
      ])
    }
  }
}

extension Arguments {
  fileprivate var hasObject: Bool { !isEmpty && members.contains { $0.value.hasObject } }
}

extension Value {
  /// Whether it has no parts.
  fileprivate var isPlain: Bool {
    switch self {
    case .null, .bool, .integer, .number, .text: true
    case .list, .object, .opaque: false
    }
  }

  /// Whether it contains an object.
  fileprivate var hasObject: Bool {
    switch self {
    case .null, .bool, .integer, .number, .text: false
    case .list(let values): values.contains(where: \.hasObject)
    case .object(let members): members.contains { $0.value.hasObject }
    case .opaque: true
    }
  }
}

/// The sender of an action: the app, an item of a menu, or a responder.
public enum Sender: Equatable {
  case app
  case item(id: String, title: String, action: String, key: String?)
  /// The responder with this name.
  case responder(String)
}

/// The host's names in a context. Values that a provider supplies under them aren't stored.
enum HostNames {
  static let fields = ["action", "raw", "prefix", "args", "sender", "taker", "modifiers", "subject"]
  static let calls = ["append", "each", "flag", "has", "set", "insert", "remove", "undo", "refuse", "super", "forward"]

  static let all = fields + calls

  /// The names by a mark of their length, first and last letter, which is unique for each.
  private static let byMark = all.reduce(into: [String](repeating: "", count: 64)) { marks, name in
    marks[name.withBytes(mark)] = name
  }

  @inline(__always)
  private static func mark(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    (5 &* Int(bytes[0]) &+ Int(bytes[bytes.count - 1]) &+ 4 &* bytes.count) & 63
  }

  static func contains(_ name: String) -> Bool { name.withBytes(contains) }

  static func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    !name.isEmpty && byMark[mark(of: name)].withBytes { $0.hasSameBytes(as: name) }
  }
}

extension Arguments {
  /// The arguments for a context under their own keys. Those with one of the host's names are only in `args`.
  var supplied: [(key: String, value: Value)] {
    members.contains { HostNames.contains($0.key) } ? members.filter { !HostNames.contains($0.key) } : members
  }
}

/// The context keys that a function reads, found by static analysis.
struct ContextReads {
  let keys: [String]
  /// Where the function is.
  let place: Place?
  /// The number of its lines.
  let lineCount: Int
}
