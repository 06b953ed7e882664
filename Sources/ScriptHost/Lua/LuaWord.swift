extension String {
  /// Whether it is an identifier of Lua's and no keyword.
  package var isLuaWord: Bool {
    guard let first = utf8.first, !(0x30...0x39).contains(first), !Self.luaWords.contains(self) else { return false }
    return utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & ~0x20) || $0 == 0x5F }
  }

  /// Lua's keywords.
  static let luaWords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]
}
