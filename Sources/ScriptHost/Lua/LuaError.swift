/// An error in or around a script.
struct LuaError: Error, Sendable {
  enum Kind: Sendable, Equatable {
    /// The source doesn't compile.
    case syntax
    /// The script raised an error, or did something invalid in Lua.
    case runtime
    /// A limit was exceeded.
    case limit(LuaLimit)
    /// A table, string or stack exceeded the limit for one block.
    case block(limit: Int)
    /// A Swift function that the script called threw; see `cause`.
    case thrown
    /// A handler's refusal on its way to the perform. No script in between may catch it.
    case refused
    /// The source isn't text: the byte at the offset isn't allowed in scripts.
    case notText(offset: Int)
    /// The source exceeds the limit.
    case tooLong(bytes: Int, limit: Int)
    /// A chunk's name has a byte that isn't allowed in names.
    case badName
    /// A value can't cross between Swift and Lua: it is too deep or too large, or contains itself.
    case tooDeep(limit: Int)
    case tooLarge(limit: Int)
    case cycle
    /// A value belongs to another state, or to a closed one.
    case foreign
    /// A value has another type than requested.
    case type(expected: String, found: String)
    /// Lua can't be opened: memory is missing, or the library can't be made safe.
    case unavailable
  }

  /// A location in a script, as far as it is known.
  struct Place: Sendable, Equatable {
    /// The name under which the chunk was loaded.
    var source: String
    var line: Int
    /// The column in characters, from 1.
    var column: Int?
    /// The text of the line, without its end.
    var text: String?
  }

  var kind: Kind
  /// One sentence, without the place.
  var message: String
  var place: Place?
  var traceback: String?
  /// The original Swift error.
  var cause: (any Error)?

  init(_ kind: Kind, _ message: String, place: Place? = nil, traceback: String? = nil, cause: (any Error)? = nil) {
    self.kind = kind
    self.message = message
    self.place = place
    self.traceback = traceback
    self.cause = cause
  }

  /// Returns a copy with a place, if it has none.
  func placed(at place: Place) -> LuaError {
    var placed = self
    placed.place = self.place ?? place
    return placed
  }

  static var foreign: LuaError {
    LuaError(.foreign, "the value belongs to another interpreter, or to a closed one")
  }

  /// The limit that was exceeded; nil for other errors.
  var limit: LuaLimit? {
    if case .limit(let limit) = kind { return limit }
    return nil
  }
}

extension LuaError: CustomStringConvertible {
  var description: String {
    guard let place else { return message }
    let column = place.column.map { ":\($0)" } ?? ""
    return "\(place.source):\(place.line)\(column): \(message)"
  }
}

/// An error that a Swift function raises in the script that called it, at the script's line. A script that catches it
/// gets a string, "file:line: message", as from Lua's own functions.
struct LuaMisuse: Error, Sendable {
  var message: String

  init(_ message: String) { self.message = message }
}

/// Finds the column of an error. Lua reports only the line and, in the message, the name or token.
enum LuaColumn {
  /// Returns the column of the name in the message, if it occurs exactly once in the line.
  static func find(message: String, line: String) -> Int? {
    if message.hasSuffix("near <eof>") { return line.unicodeScalars.count + 1 }
    guard let name = named(in: message) ?? first(in: message), !name.isEmpty else { return nil }
    let isGlobal =
      message.contains("' is not defined") || message.contains("' was not defined") || message.contains("(global '")
    return onlyPlace(of: Array(name.unicodeScalars), in: Array(line.unicodeScalars), isFree: isGlobal)
  }

  /// Returns the column of a method's name, if it is called exactly once in the line.
  static func find(method: String, line: String) -> Int? {
    onlyPlace(of: Array(":\(method)".unicodeScalars), in: Array(line.unicodeScalars)).map { $0 + 1 }
  }

  /// Returns the text in quotes at the end of a message: `… near 'x'`, `… (global 'x')`. A token after `near` may
  /// contain quotes.
  private static func named(in message: String) -> Substring? {
    var text = message[...]
    if text.last == ")" { text.removeLast() }
    guard text.last == "'" else { return nil }
    text.removeLast()
    for quote in text.indices where text[quote] == "'" && text[..<quote].hasSuffix("near ") {
      return text[text.index(after: quote)...]
    }
    guard let quote = text.lastIndex(of: "'") else { return nil }
    return text[text.index(after: quote)...]
  }

  /// Returns the text in quotes at the start of a host message: `'x' is not defined; did you mean 'y'?`
  private static func first(in message: String) -> Substring? {
    guard message.first == "'", let end = message.dropFirst().firstIndex(of: "'") else { return nil }
    return message[message.index(after: message.startIndex)..<end]
  }

  /// - Parameter isFree: true for a global's name, so that places after a dot or a colon don't count.
  private static func onlyPlace(of name: [Unicode.Scalar], in line: [Unicode.Scalar], isFree: Bool = false) -> Int? {
    let startsWord = isWordScalar(name[0])
    let endsWord = isWordScalar(name[name.count - 1])
    var found: Int?
    var at = 0
    while at + name.count <= line.count {
      defer { at += 1 }
      guard line[at..<at + name.count].elementsEqual(name) else { continue }
      if startsWord, at > 0, isWordScalar(line[at - 1]) { continue }
      if isFree, isField(at, in: line) { continue }
      if endsWord, at + name.count < line.count, isWordScalar(line[at + name.count]) { continue }
      if found != nil { return nil }
      found = at + 1
    }
    return found
  }

  /// Returns true if a dot or a colon precedes an index. Two dots don't count, because they concatenate.
  private static func isField(_ at: Int, in line: [Unicode.Scalar]) -> Bool {
    at > 0 && (line[at - 1] == ":" || line[at - 1] == "." && !(at > 1 && line[at - 2] == "."))
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }
}
