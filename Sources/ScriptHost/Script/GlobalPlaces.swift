import CLua

// Finds where a script uses a global, and no local of that name.
//
// The text alone doesn't tell the two apart, but the compiler does: a word that is renamed throughout the beginning of a script is a global
// in what was compiled as soon as its first use as a global is renamed too. The beginning is found by halving.

extension ScriptEngine {
  /// How many bytes may be compiled anew to find places.
  static var mostRenamed: Int { 8 << 20 }

  /// The place where a global is first used in one of the given ways; nil if there is none, or if the bytes run out.
  func place(ofGlobal name: String, _ roles: CodeWords.Roles, within bytes: inout Int) -> Place? {
    for file in lua.sources.keys.sorted() {
      guard let source = lua.sources[file], let use = firstUse(of: name, roles, in: source, within: &bytes) else {
        continue
      }
      return source.place(at: use, file: file)
    }
    return nil
  }

  /// The offset of the first use of a global in a source.
  private func firstUse(
    of name: String, _ roles: CodeWords.Roles, in source: LuaSource, within bytes: inout Int
  ) -> Int? {
    let words = source.offsets(ofVariable: name)
    if words.isEmpty { return nil }
    var other = name + "_"
    while !source.offsets(ofVariable: other).isEmpty { other += "_" }
    // Whether the name is used so among the first of its words.
    func isUsed(_ count: Int) -> Bool {
      bytes -= source.bytes.count
      guard bytes >= 0 else { return false }
      let renamed = source.renaming(name, at: words.prefix(count), to: other)
      return lua.roles(of: other, inText: renamed) & roles.rawValue != 0
    }
    guard isUsed(words.count) else { return nil }
    var (few, enough) = (0, words.count)
    while enough - few > 1 {
      let half = (few + enough) / 2
      if isUsed(half) { enough = half } else { few = half }
    }
    return bytes >= 0 ? words[enough - 1] : nil
  }
}

extension LuaState {
  /// The roles of a word in a text that is compiled for this alone; 0 if it can't be compiled.
  fileprivate func roles(of word: String, inText bytes: [UInt8]) -> UInt32 {
    let name = "renamed"
    let known = sources[name]
    defer { sources[name] = known }
    for prefix in ["", "return "] {
      guard let chunk = try? load(bytes: bytes, name: name, behind: prefix) else { continue }
      let table = newTable()
      let top = clua_top(L)
      defer { clua_setTop(L, top) }
      guard clua_room(L, 18), (try? push(table.reference, on: L)) != nil, (try? push(chunk.reference, on: L)) != nil
      else {
        return 0
      }
      _ = clua_words(L, -1, top + 1)
      return roles(of: word, in: table)
    }
    return 0
  }
}

extension LuaSource {
  /// Where a name stands in the code as a word that is no field: as a variable, or as a key in braces.
  fileprivate func offsets(ofVariable name: String) -> [Int] {
    let code = code.bytes[...]
    let wanted = Array(name.utf8)
    var found: [Int] = []
    var start = 0
    while let offset = code.offset(ofWord: wanted, from: start, isVariable: true) {
      found.append(offset)
      start = offset + wanted.count
    }
    return found
  }

  /// The text with a name replaced at some offsets, which are in order.
  fileprivate func renaming(_ name: String, at offsets: some Collection<Int>, to other: String) -> [UInt8] {
    var text: [UInt8] = []
    var start = 0
    for offset in offsets {
      text += bytes[start..<offset]
      text += other.utf8
      start = offset + name.utf8.count
    }
    return text + bytes[start...]
  }

  fileprivate func place(at offset: Int, file: String) -> Place {
    let before = bytes[..<offset]
    let begin = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return Place(
      file: file, line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: bytes[begin...].column(at: offset))
  }
}
