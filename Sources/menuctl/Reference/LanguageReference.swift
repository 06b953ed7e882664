import ScriptHost

/// The *language reference*: every name of the script language, for the help, the stubs and `docs/reference.md`.
enum LanguageReference {
  /// The groups, in the order in which they are best read.
  static let groups: [LanguageGroup] = [
    globals, app, responder, window, classes, definition, context, look, claim, item, menu, section, element, builder,
    snapshot, change, argumentType, question, reachable, asked, performOptions, pickOptions, contextMenuOptions,
    modalOptions,
    undoOptions, undoSetting,
    sender, outcome, failure, validation, explanation, step, key, link, stack,
    job, progress, registration, session, openMenu, event, listening, tests, expectation, subject, json, granted,
    programOptions, programResult, files, clipboard, plugin, pluginManifest, base, libraries,
  ]

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
