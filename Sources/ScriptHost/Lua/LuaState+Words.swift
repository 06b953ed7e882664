import CLua

extension LuaState {
  /// The words in the code of all that was loaded: a table from each word to its roles, a set of `clua_Word` flags; and what isn't known of
  /// the code as a whole, a set of `clua_WordsAnswer` flags.
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
      // Code that couldn't be read completely may contain anything.
      answer |= read & CLUA_WORDS_READ.rawValue == 0 ? unknown : read
    }
    return (table, answer)
  }

  /// The local variables and parameters in a source.
  func locals(of name: String) -> [LuaLocal] {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard clua_room(L, 18), let source = sources[name], pushChunk(source, name: name) else { return [] }
    clua_locals(L, -1)
    let list = clua_top(L)
    var found: [LuaLocal] = []
    while true {
      for part in 1...3 { clua_rawGetAt(L, list, Int64(found.count * 3 + part)) }
      guard let name = text(at: list + 1, on: L) else { return found }
      found.append(LuaLocal(name: name, lines: Int(clua_integer(L, list + 2))...Int(clua_integer(L, list + 3))))
      clua_setTop(L, list)
    }
  }

  /// Pushes the compiled code of a source, compiling it again if that was collected; false if it can't be compiled.
  private func pushChunk(_ source: LuaSource, name: String) -> Bool {
    clua_pushChunk(L, "=" + name)
    if clua_type(L, -1) == CLUA_TFUNCTION.rawValue { return true }
    clua_setTop(L, -2)
    // A source that is an expression was a line that a person entered.
    for prefix in ["", "return "] {
      if let chunk = try? load(bytes: source.bytes, name: name, environment: nil, behind: prefix) {
        return (try? push(chunk.reference, on: L)) != nil
      }
    }
    return false
  }

  /// The roles of a word in a table of words; 0 if it isn't in it.
  func roles(of word: String, in words: LuaTable) -> UInt32 {
    guard case .integer(let roles)? = try? rawGet(.text(word), of: words) else { return 0 }
    return UInt32(truncatingIfNeeded: roles)
  }

  /// The words of a table of words that have one of these roles.
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
