/// An *entry* says what there is to know of one name of the script language.
///
/// Editor stubs, `docs/reference.md` and `menuctl help NAME` are made of entries, so that they can't differ.
struct LanguageEntry: Sendable {
  /// Something that a call is given: its name with '?' where it can be left out, its type, and what it is.
  typealias Parameter = (name: String, type: String, says: String)
  /// Something that a call gives back.
  typealias Result = (type: String, says: String)

  enum Shape: Sendable {
    /// A function of the host's, which scripts call.
    case call([Parameter], returns: [Result])
    /// A function of the script's, which the host calls.
    case hook([Parameter], returns: [Result])
    /// Anything else, with its type.
    case value(String)
    /// Something of Lua's own, which editors know.
    case lua
  }

  let name: String
  let shape: Shape
  /// What it is or does, in one sentence; more may follow.
  let says: String
  /// What it may be assigned, where that is more than what is read.
  var assigned: String?
  /// When it raises, or what it gives back instead.
  var errors: String?
  /// The body of a test, in which `--> text` stands behind what prints that text; empty where that of its group shows it.
  var example: Example = .none

  enum Example: Sendable {
    case none
    /// What a test could do.
    case lines(String)
    /// A file of tests, and what `menuctl test` shows of it.
    case tests(String, shows: String)
    /// A file of which nothing is shown.
    case file(String)
  }
}

extension LanguageEntry {
  static func call(
    _ name: String, _ parameters: [Parameter], returns: [Result] = [], _ says: String, errors: String? = nil,
    _ example: String = ""
  ) -> LanguageEntry {
    LanguageEntry(
      name: name, shape: .call(parameters, returns: returns), says: says, errors: errors, example: lines(example))
  }

  static func call(
    _ name: String, returns: [Result] = [], _ says: String, errors: String? = nil, _ example: String = ""
  ) -> LanguageEntry {
    call(name, [], returns: returns, says, errors: errors, example)
  }

  static func hook(
    _ name: String, _ parameters: [Parameter], returns: [Result] = [], assigned: String? = nil, _ says: String,
    _ example: String = ""
  ) -> LanguageEntry {
    LanguageEntry(
      name: name, shape: .hook(parameters, returns: returns), says: says, assigned: assigned, example: lines(example))
  }

  static func value(
    _ name: String, _ type: String, assigned: String? = nil, _ says: String, errors: String? = nil,
    _ example: String = ""
  ) -> LanguageEntry {
    LanguageEntry(
      name: name, shape: .value(type), says: says, assigned: assigned, errors: errors, example: lines(example))
  }

  static func lua(_ name: String, _ says: String, _ example: String = "") -> LanguageEntry {
    LanguageEntry(name: name, shape: .lua, says: says, example: lines(example))
  }

  private static func lines(_ text: String) -> Example { text.isEmpty ? .none : .lines(text) }
}

extension LanguageEntry {
  /// What it is given, where it is a function.
  var parameters: [Parameter] {
    switch shape {
    case .call(let parameters, _), .hook(let parameters, _): parameters
    case .value, .lua: []
    }
  }

  /// What comes of it, where it is a function.
  var results: [Result] {
    switch shape {
    case .call(_, let results), .hook(_, let results): results
    case .value, .lua: []
    }
  }

  var isFunction: Bool {
    switch shape {
    case .call, .hook: true
    case .value, .lua: false
    }
  }

  /// `(ref, args?)`, where it is a function.
  var arguments: String { isFunction ? "(\(parameters.map(\.name).joined(separator: ", ")))" : "" }
}
