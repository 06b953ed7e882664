import CLua

/// The words of all code that an engine has loaded. They are in a table of the interpreter's, because most are never asked for.
final class ScriptWords: CodeWords {
  private let lua: LuaState
  private let table: LuaTable
  /// The roles of all its words together.
  private let roles: Roles

  init(of lua: LuaState) {
    self.lua = lua
    let (table, answer) = lua.words()
    self.table = table
    roles = Roles(rawValue: answer >> CLUA_WORDS_ROLES.rawValue)
    super.init(
      computesPerformed: answer & CLUA_PERFORMS_COMPUTED.rawValue != 0,
      computesDefined: answer & CLUA_DEFINES_COMPUTED.rawValue != 0,
      focusesLater: answer & CLUA_FOCUSES_LATER.rawValue != 0,
      computesAnswers: answer & CLUA_ANSWERS_COMPUTED.rawValue != 0,
      touchesGlobals: answer & CLUA_TOUCHES_GLOBALS.rawValue != 0)
  }

  override func has(_ word: String, _ any: Roles) -> Bool { lua.roles(of: word, in: table) & any.rawValue != 0 }

  override func all(_ any: Roles) -> [String] {
    guard !roles.isDisjoint(with: any) else { return [] }
    return lua.words(doing: any.rawValue, in: table).sorted { $0.precedesByBytes($1) }
  }
}
