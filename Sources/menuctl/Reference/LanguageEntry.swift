/// An *entry* is the documentation of one name of the script language.
///
/// The editor stubs, `docs/reference.md` and `menuctl help NAME` are all made from entries.
struct LanguageEntry: Sendable {
  /// A parameter of a call: its name, with '?' if it is optional, its type, and its description.
  typealias Parameter = (name: String, type: String, says: String)
  /// A result of a call.
  typealias Result = (type: String, says: String)

  enum Shape: Sendable {
    /// A function of the host, which scripts call.
    case call([Parameter], returns: [Result])
    /// A function of the script, which the host calls.
    case hook([Parameter], returns: [Result])
    /// Anything else, with its type.
    case value(String)
    /// A name of Lua itself, which editors know.
    case lua
  }

  let name: String
  let shape: Shape
  /// What it is or does, in one sentence; more may follow.
  let says: String
  /// The type that may be assigned, if it is wider than the type that is read.
  var assigned: String?
  /// When it raises, or what it gives back instead.
  var errors: String?
  /// The example: the body of a test, in which `--> text` follows what prints it. None if an example of the group shows the entry.
  var example: Example = .none
  /// How editors are told of a name of Lua's own; nil where they know enough.
  var annotations: String?

  enum Example: Sendable {
    case none
    /// The body of a test.
    case lines(String)
    /// A file of tests, and what `menuctl test` shows of it.
    case tests(String, shows: String)
    /// A file that isn't run.
    case file(String)
  }
}

extension LanguageEntry {
  /// The parameters of a function.
  var parameters: [Parameter] {
    switch shape {
    case .call(let parameters, _), .hook(let parameters, _): parameters
    case .value, .lua: []
    }
  }

  /// The results of a function.
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

  /// `(ref, args?)` for a function; else empty.
  var arguments: String { isFunction ? "(\(parameters.map(\.name).joined(separator: ", ")))" : "" }
}
