import CLua

extension LuaState {
  /// The words of everything that was loaded: a table with each and what it does there, a sum of `clua_Word`, and what can't be told of
  /// all, some of `clua_WordsAnswer`.
  func words() -> (table: LuaTable, answer: UInt32) {
    let table = newTable()
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    let unknown = [
      CLUA_PERFORMS_COMPUTED, CLUA_DEFINES_COMPUTED, CLUA_FOCUSES_LATER, CLUA_ANSWERS_COMPUTED, CLUA_TOUCHES_GLOBALS,
    ].reduce(0) { $0 | $1.rawValue }
    var answer: UInt32 = 0
    guard clua_room(L, 18), (try? push(table.reference, on: L)) != nil else { return (table, unknown) }
    for (name, source) in sources {
      clua_setTop(L, top + 1)
      guard pushChunk(source, name: name) else { continue }
      let read = UInt32(bitPattern: clua_words(L, -1, top + 1))
      // Where not all of the code could be read anything may be in it.
      answer |= read & CLUA_WORDS_READ.rawValue == 0 ? unknown : read
    }
    return (table, answer)
  }

  /// Pushes what a source was compiled to, compiled anew where that is gone; false where it can't be.
  private func pushChunk(_ source: LuaSource, name: String) -> Bool {
    clua_pushChunk(L, "=" + name)
    if clua_type(L, -1) == CLUA_TFUNCTION.rawValue { return true }
    clua_setTop(L, -2)
    // One that is an expression was a line.
    for prefix in ["", "return "] {
      if let chunk = try? load(bytes: source.bytes, name: name, environment: nil, behind: prefix) {
        return (try? push(chunk.reference, on: L)) != nil
      }
    }
    return false
  }

  /// What a word does by a table of words; 0 where it isn't in it.
  func roles(of word: String, in words: LuaTable) -> UInt32 {
    guard case .integer(let roles)? = try? rawGet(.text(word), of: words) else { return 0 }
    return UInt32(truncatingIfNeeded: roles)
  }

  /// The words of such a table that do one of some things.
  func words(doing roles: UInt32, in words: LuaTable) -> [String] {
    var found: [String] = []
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard clua_room(L, 8), (try? push(words.reference, on: L)) != nil else { return [] }
    clua_pushNil(L)
    while clua_next(L, top + 1) {
      if UInt32(truncatingIfNeeded: clua_integer(L, -1)) & roles != 0, let word = text(at: -2, on: L) {
        found.append(word)
      }
      clua_setTop(L, top + 2)
    }
    return found
  }
}
