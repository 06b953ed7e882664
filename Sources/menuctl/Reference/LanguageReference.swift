import Language

/// The *language reference*: every name of the script language, for the help, the stubs and `docs/reference.md`, as `language.lua` has it.
enum LanguageReference {
  /// The groups, in the order in which they are best read.
  static let groups = LanguageFile(String(language_reference)).groups

  /// The group of a title, or of what scripts call such an object or library.
  static func group(_ name: String) -> LanguageGroup {
    groups.first { $0.title == name || $0.type == name || $0.word == name }
      ?? LanguageGroup(title: name, receiver: .none, says: "", entries: [])
  }

  /// A name of the reference: its entry and the group that the entry is in.
  struct Found {
    let group: LanguageGroup
    let entry: LanguageEntry

    var name: String { group.name(of: entry) }
  }

  static let all: [Found] = groups.flatMap { group in group.entries.map { Found(group: group, entry: $0) } }

  /// The entries of a name: `app:perform`, `app.perform` and `perform` find the same. An entry whose whole name it is goes before the others.
  static func find(_ name: String) -> [Found] {
    let plain = name.map { $0 == ":" ? "." : "\($0)" }.joined()
    let wanted = plain.hasSuffix("()") ? String(plain.dropLast(2)) : plain
    let exact = all.filter { $0.plainName == wanted }
    return exact.isEmpty ? all.filter { $0.entry.name == wanted } : exact
  }

  /// All names and types, for suggestions.
  static var names: [String] { all.map(\.name) + groups.compactMap(\.type) }
  /// The names without those of their groups: `perform` for `app:perform`.
  static var shortNames: [String] { all.map(\.entry.name) }
}

extension LanguageReference.Found {
  fileprivate var plainName: String { name.map { $0 == ":" ? "." : "\($0)" }.joined() }
}
