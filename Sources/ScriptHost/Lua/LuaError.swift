/// What went wrong in or around a script, as facts.
struct LuaError: Error, Sendable {
  enum Kind: Sendable, Equatable {
    /// The source doesn't compile.
    case syntax
    /// The script raised, or did what Lua can't do.
    case runtime
    /// A limit was spent.
    case limit(LuaLimit)
    /// One table, string or stack wanted more than a block may have.
    case block(limit: Int)
    /// A Swift function that the script called threw; see `cause`.
    case thrown
    /// A handler's refusal on its way to the perform; no script in between may catch it.
    case refused
    /// The source is not text: the byte at the offset can't be in a script.
    case notText(offset: Int)
    /// The source is longer than it may be.
    case tooLong(bytes: Int, limit: Int)
    /// The name of a chunk has a byte that names can't have.
    case badName
    /// A value can't cross: it is nested deeper, or is larger, than a value that crosses may be, or holds itself.
    case tooDeep(limit: Int)
    case tooLarge(limit: Int)
    case cycle
    /// A value belongs to another state, or to one that is closed.
    case foreign
    /// A value has another type than was asked for.
    case type(expected: String, found: String)
    /// Lua can't be opened: there is no memory, or this library can't be made safe.
    case unavailable
  }

  /// A place in a script, as far as it is known.
  struct Place: Sendable, Equatable {
    /// The name that the chunk was loaded under.
    var source: String
    var line: Int
    /// Counted in characters from 1.
    var column: Int?
    /// The line itself, without its end.
    var text: String?
  }

  var kind: Kind
  /// One sentence, without the place.
  var message: String
  var place: Place?
  var traceback: String?
  /// The error of Swift's that began it.
  var cause: (any Error)?

  init(_ kind: Kind, _ message: String, place: Place? = nil, traceback: String? = nil, cause: (any Error)? = nil) {
    self.kind = kind
    self.message = message
    self.place = place
    self.traceback = traceback
    self.cause = cause
  }

  /// This error, at a place where it has none.
  func placed(at place: Place) -> LuaError {
    var placed = self
    placed.place = self.place ?? place
    return placed
  }

  static var foreign: LuaError {
    LuaError(.foreign, "the value belongs to another interpreter, or to one that is closed")
  }

  /// The limit that was spent, if that is what happened.
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

/// An error that a Swift function reports to the script that called it, at the script's own line.
///
/// A script that catches it gets a string, "file:line: message", as from Lua's own functions.
struct LuaMisuse: Error, Sendable {
  var message: String

  init(_ message: String) { self.message = message }
}
