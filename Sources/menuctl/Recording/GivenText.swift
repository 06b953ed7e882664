import LiveHost
import ScriptHost

// Reads and writes the data in a recording that scripts got from outside of the host.

extension JSON {
  /// - Parameter secrets: the texts to mask.
  init(_ given: Given, without secrets: Secrets) {
    var members: [(String, JSON)] = [("call", .text(given.call))]
    if !given.arguments.isEmpty { members.append(("args", .list(Self.arguments(given.arguments, without: secrets)))) }
    if let failure = given.failure {
      members.append(
        (
          "raised",
          .object([
            ("message", .text(failure.message.without(all: secrets))), ("code", .text(failure.code.rawValue)),
          ])
        ))
    } else if given.hasEnded {
      members.append(("gave", .list(given.values.map { JSON($0).value(without: secrets) })))
    }
    if !given.lines.isEmpty { members.append(("lines", .list(given.lines.map { JSON($0).value(without: secrets) }))) }
    if given.seconds > 0 { members.append(("took", .number(given.seconds))) }
    self = .object(members)
  }

  static func arguments(_ arguments: [LuaTree], without secrets: Secrets) -> [JSON] {
    arguments.map { AnswerJSON().json($0).value(without: secrets) }
  }
}

extension Given {
  /// Reads one call from a recording.
  convenience init(_ json: JSON) throws(DeedError) {
    guard let call = json["call"]?.text else { throw DeedError("what was given says its 'call'") }
    self.init(call)
    if let failure = json["raised"] {
      guard let message = failure["message"]?.text, let code = failure["code"]?.text.flatMap(Failure.Code.init) else {
        throw DeedError("'raised' has a message and a code")
      }
      self.failure = (code, message)
    } else if let gave = json["gave"] {
      guard let values = gave.list else { throw DeedError("'gave' is a list") }
      self.values = values.map(Self.literal)
    }
    hasEnded = failure != nil || json["gave"] != nil
    lines = (json["lines"]?.list ?? []).map(Self.literal)
    switch json["took"] {
    case nil: break
    case .integer(let time)? where time >= 0: seconds = Double(time)
    case .number(let time)? where time >= 0: seconds = time
    default: throw DeedError("'took' is a number of seconds")
    }
  }

  /// Copies a recorded answer to a new call.
  convenience init(_ given: Given, to arguments: [LuaTree]) {
    self.init(given.call, arguments)
    (values, lines, seconds) = (given.values, given.lines, given.seconds)
    (hasEnded, failure) = (given.hasEnded, given.failure)
  }

  private static func literal(_ json: JSON) -> Literal {
    switch json {
    case .null, .element, .changes, .written: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .text(let text): return .text(text)
    case .list(let values): return .list(values.map(literal))
    case .object(let members):
      // The value was secret and isn't in the recording, so the word "secret" replaces it.
      if members.count == 1, json["$"]?.text == "secret" { return .text("secret") }
      return .object(
        LiteralObject(members.map { LiteralObject.Member(key: $0.0, value: literal($0.1)) }) ?? LiteralObject())
    }
  }
}

/// Returns the recorded answers to scripts during a replay.
final class Givens {
  private struct Entry {
    let key: String
    let given: Given
    var isUsed = false
  }

  /// The recorded calls of the current step, in their order.
  private var entries: [Entry] = []
  /// The calls without a recorded answer since the last step with the recorded effect.
  private(set) var unknown: [Replay.Unrecorded] = []
  private static let mostUnknown = 10
  /// The last answer of each call, by name and arguments, and by name alone.
  private var last: [String: Given] = [:]

  /// Sets the recorded calls of the next step.
  func begin(_ given: [JSON]) {
    entries = given.compactMap { json in
      guard let given = try? Given(json) else { return nil }
      return Entry(key: Self.key(given.call, json["args"]?.list ?? []), given: given)
    }
  }

  /// Forgets the unrecorded calls, since the step had the recorded effect anyway.
  func forgetUnknown() { unknown = [] }

  /// Returns the recorded answer to a call; nil if there is none. A repeated call without another gets its last answer.
  /// A call of `os`, such as for the time of day, gets the last answer to any arguments.
  func give(_ call: String, _ arguments: [JSON]) -> Given? {
    let key = Self.key(call, arguments)
    guard let index = entries.firstIndex(where: { !$0.isUsed && $0.key == key }) else {
      if let again = last[key] ?? (call.hasPrefix("os.") ? last[call] : nil) { return again }
      if unknown.count < Self.mostUnknown { unknown.append(Replay.Unrecorded(call: call, arguments: arguments)) }
      return nil
    }
    entries[index].isUsed = true
    last[key] = entries[index].given
    last[call] = entries[index].given
    return entries[index].given
  }

  private static func key(_ call: String, _ arguments: [JSON]) -> String {
    "\(call) \(JSONText.text(.list(arguments)))"
  }
}

/// Writes values in Lua's syntax.
enum LuaText {
  /// Returns a quoted string, with terminal control characters escaped.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        let shown = String(scalar).visible
        if shown.unicodeScalars.elementsEqual(CollectionOfOne(scalar)) {
          result += shown
        } else {
          result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
      }
    }
    return result + "\""
  }

  /// Returns a value's text; nil if it is or contains a function, an object of the host, invalid UTF-8 or a table as
  /// key.
  static func text(_ value: LuaTree) -> String? {
    switch value {
    case .nil: "nil"
    case .bool(let value): "\(value)"
    case .integer(let value): value == .min ? "math.mininteger" : "\(value)"
    case .number(let value): text(value)
    case .text(let text): quoted(text)
    case .bytes, .object, .opaque: nil
    case .list(let values): list(values)
    case .map(let entries): table(entries)
    }
  }

  /// Returns a value's text inside a table, where nil is written as `null`.
  private static func part(_ value: LuaTree) -> String? { value == .nil ? "null" : text(value) }

  /// Returns a key's text in a table; nil for a table, which as a key is unequal to all others.
  private static func key(_ key: LuaTree) -> String? {
    switch key {
    case .list, .map: nil
    default: part(key)
    }
  }

  private static func text(_ number: Double) -> String {
    if number.isNaN { return "0/0" }
    if number.isInfinite { return number > 0 ? "math.huge" : "-math.huge" }
    return "\(number)"
  }

  private static func list(_ values: [LuaTree]) -> String? {
    let texts = values.compactMap(part)
    return texts.count == values.count ? "{ \(texts.joined(separator: ", ")) }" : nil
  }

  /// Returns a table's text, sorted, because Lua's tables have no order and equal tables must have equal texts.
  private static func table(_ entries: [LuaTree.Entry]) -> String? {
    var parts: [String] = []
    for entry in entries {
      guard let key = Self.key(entry.key), let value = part(entry.value) else { return nil }
      let name = if case .text(let word) = entry.key, word.isLuaWord { word } else { "[\(key)]" }
      parts.append("\(name) = \(value)")
    }
    return parts.isEmpty ? "{}" : "{ \(parts.sorted().joined(separator: ", ")) }"
  }
}
