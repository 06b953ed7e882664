import CLua

/// Which words stand in the code of chunks, as far as it can be told without running it.
struct LuaWords {
  /// The names that something is assigned under.
  var assigned: Set<String> = []
  /// The other strings.
  var texts: Set<String> = []
  /// What `define` is called with.
  var defined: Set<String> = []
  /// The names of fields, methods and globals that are read.
  var read: Set<String> = []
  /// The fields that `ctx:set` writes.
  var stored: Set<String> = []
  /// The words of menus by which statements make what they throw away.
  var dropped: Set<String> = []
  /// What `app:perform` is called with.
  var performed: Set<String> = []
  /// What `app:perform` or `app:validate` is called with, and with nothing else.
  var asked: Set<String> = []
  /// Whether `perform` may be called with what no string of the code is.
  var computesPerformed = false
  /// The same for `define`.
  var computesDefined = false
  /// Whether a function moves the focus, or changes who comes after whom.
  var focusesLater = false
}

extension LuaState {
  /// The words of everything that was loaded. It is compiled anew for that: what was loaded has mostly been let go.
  func words() -> LuaWords {
    var words = LuaWords()
    for (name, source) in sources {
      if let chunk = chunk(source, name: name) { add(chunk, to: &words) }
    }
    return words
  }

  private func chunk(_ source: LuaSource, name: String) -> LuaFunction? {
    // One that is an expression was a line.
    for prefix in ["", "return "] {
      if let chunk = try? load(bytes: source.bytes, name: name, environment: nil, behind: prefix) { return chunk }
    }
    return nil
  }

  private func add(_ chunk: LuaFunction, to words: inout LuaWords) {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard clua_room(L, 18), (try? push(chunk.reference, on: L)) != nil else { return words.stayUnknown() }
    let answer = UInt32(bitPattern: clua_words(L, -1))
    if answer & CLUA_WORDS_READ.rawValue == 0 { words.stayUnknown() }
    if answer & CLUA_PERFORMS_COMPUTED.rawValue != 0 { words.computesPerformed = true }
    if answer & CLUA_DEFINES_COMPUTED.rawValue != 0 { words.computesDefined = true }
    if answer & CLUA_FOCUSES_LATER.rawValue != 0 { words.focusesLater = true }
    for (index, path) in [
      \LuaWords.assigned, \.texts, \.defined, \.read, \.stored, \.dropped, \.performed, \.asked,
    ].enumerated() {
      addKeys(of: top + 2 + Int32(index), to: &words[keyPath: path])
    }
  }

  private func addKeys(of table: Int32, to words: inout Set<String>) {
    let top = clua_top(L)
    clua_pushNil(L)
    while clua_next(L, table) {
      if let word = text(at: -2, on: L) { words.insert(word) }
      clua_setTop(L, top + 1)
    }
  }
}

extension LuaWords {
  /// Not all of the code could be read: anything may be in it.
  fileprivate mutating func stayUnknown() {
    computesPerformed = true
    computesDefined = true
    focusesLater = true
  }
}
