/// A *group* is what belongs to one thing that scripts meet: its calls, its fields, and what it is.
struct LanguageGroup: Sendable {
  /// How an entry is written with the thing that it belongs to.
  enum Receiver: Sendable {
    /// It stands alone: `window`.
    case none
    /// Behind the thing: `app:perform()`, `app.title`.
    case object(String)
    /// In a library, whose functions are called with a dot: `fs.read()`.
    case library(String)
  }

  let title: String
  /// The class of the thing in editors; nil for what belongs to nothing.
  var type: String?
  /// The class that its class builds on.
  var base: String?
  let receiver: Receiver
  let says: String
  let entries: [LanguageEntry]
}

extension LanguageGroup {
  /// What the thing that it is about is called in scripts; nil where there is none.
  var word: String? {
    switch receiver {
    case .none: nil
    case .object(let word), .library(let word): word
    }
  }

  /// An entry's name as it is written in scripts.
  func name(of entry: LanguageEntry) -> String {
    switch receiver {
    case .none: entry.name
    case .object(let object):
      if case .call = entry.shape { "\(object):\(entry.name)" } else { "\(object).\(entry.name)" }
    case .library(let library): "\(library).\(entry.name)"
    }
  }

  /// An entry as it is written in scripts, with what it is given and what comes of it.
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
