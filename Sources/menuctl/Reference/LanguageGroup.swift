/// A *group* is the documentation of one object or library of the script language: its description, its calls and its fields.
struct LanguageGroup: Sendable {
  /// How scripts write the entries of a group.
  enum Receiver: Sendable {
    /// Alone: `window`.
    case none
    /// Behind the object: `app:perform()`, `app.title`.
    case object(String)
    /// In a library, whose functions are called with a dot: `fs.read()`.
    case library(String)
  }

  let title: String
  /// The object's class in the stubs; nil for globals.
  var type: String?
  /// The class that its class inherits from.
  var base: String?
  let receiver: Receiver
  let says: String
  let entries: [LanguageEntry]
}

extension LanguageGroup {
  /// The name of the object or library in scripts; nil for globals.
  var word: String? {
    switch receiver {
    case .none: nil
    case .object(let word), .library(let word): word
    }
  }

  /// An entry's name as scripts write it.
  func name(of entry: LanguageEntry) -> String {
    switch receiver {
    case .none: entry.name
    case .object(let object):
      if case .call = entry.shape { "\(object):\(entry.name)" } else { "\(object).\(entry.name)" }
    case .library(let library): "\(library).\(entry.name)"
    }
  }

  /// An entry as scripts write it, with its parameters and results or its type.
  func signature(of entry: LanguageEntry) -> String {
    switch entry.shape {
    case .value(let type): return "\(name(of: entry)): \(type)"
    case .lua: return name(of: entry)
    case .call, .hook:
      let results = entry.results.map(\.type).joined(separator: ", ")
      return "\(name(of: entry))\(entry.arguments)" + (results.isEmpty ? "" : " → \(results)")
    }
  }
}
