// How many bytes the host keeps of what scripts declare, and how many it may.

extension ScriptEngine {
  /// How many bytes the host keeps of the declarations of one owner.
  private var mostKept: Int { lua.limits.memory / 4 }

  /// Throws if the host can't keep so many more bytes for an owner.
  func checkKept(_ more: Int, for owner: ScriptOwner) throws {
    guard owner.kept.bytes + more > mostKept else { return }
    throw LuaMisuse(
      "the texts and tables that '\(owner.owner.name)' declares have more than \(mostKept) bytes together")
  }

  /// Counts what the host keeps of an entry of a table as long as the entry is there.
  func countKept(_ content: TableContent, in table: ObjectTable, _ action: String, _ behaviour: Behaviour) {
    let bytes = content.keptBytes
    if bytes == 0, behaviour.kept.isEmpty { return }
    behaviour.kept["\(table.name).\(action)"] =
      bytes == 0 ? nil : script(of: behaviour.owner)?.kept.share(KeptBytes.base + bytes)
  }
}

extension TableContent {
  /// The bytes of the texts and values that the host keeps; 0 for a function, which Lua keeps.
  var keptBytes: Int {
    switch self {
    case .nothing, .handler: 0
    case .question(let question): (question as? SaidConfirmation)?.text.utf8.count ?? 0
    case .needs(let needs): needs.reduce(0) { $0 + KeptBytes.base + $1.key.utf8.count + ($1.reason?.utf8.count ?? 0) }
    case .takes(let takes): takes.arguments.reduce(0) { $0 + $1.keptBytes }
    case .about(let about): about.title.utf8.count + (about.help?.utf8.count ?? 0) + (about.icon?.utf8.count ?? 0)
    case .binding(let binding): binding.all.reduce(0) { $0 + 2 * $1.raw.utf8.count }
    }
  }
}

extension DeclaredArgument {
  fileprivate var keptBytes: Int {
    let texts = [facts.title, facts.help, facts.pattern].reduce(4 * KeptBytes.base) { $0 + ($1?.utf8.count ?? 0) }
    let values = [facts.preset, facts.proposal].reduce(facts.key.utf8.count) { $0 + ($1?.keptBytes ?? 0) }
    let choices = (facts.choices ?? []).reduce(0) { sum, choice in
      sum + KeptBytes.base + choice.value.keptBytes + (choice.title?.utf8.count ?? 0)
    }
    return texts + values + choices
  }
}

extension ActionPattern {
  var keptBytes: Int { patterns.reduce(0) { $0 + KeptBytes.base + $1.utf8.count } }
}

extension Value {
  /// The bytes that it takes in Swift; a script's table is Lua's.
  fileprivate var keptBytes: Int { if case .text(let text) = self { text.utf8.count } else { 0 } }
}
