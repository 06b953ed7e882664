import CLua

// K11: the user's own keys, from a file that returns them by responder and sees no globals.

extension ScriptHost {
  /// Loads the user's own keys, which precede all keys of the app and its plugins. They replace an earlier keymap.
  ///
  /// ```swift
  /// let host = ScriptHost()
  /// try host.load(text: "function app.on:top() return 'at the top' end", name: "app.lua")
  /// try host.loadKeymap(text: #"return { app = { ["g g"] = "top" } }"#, name: "keys.lua")
  /// print(host.press("g g").result)  // text("at the top")
  /// ```
  public func loadKeymap(text: String, name: String) throws(LoadError) {
    try loadKeymap(bytes: Array(text.utf8), name: name)
  }

  /// Loads the user's own keys from a file.
  public func loadKeymap(path: String) throws(LoadError) {
    do { try scriptEngine().files.insert(path) } catch { throw loadError(error, program) }
    try loadKeymap(bytes: try ScriptFile.read(path), name: path)
  }

  private func loadKeymap(bytes: [UInt8], name: String) throws(LoadError) {
    let old = chain.keymap
    try load(newOwner("keymap")) { [chain] engine, script in
      chain.keymap = try engine.keymap(bytes, name: name, of: script)
    }
    if let old { removeAll(of: old.owner) }
    for diagnostic in Check(self).strayKeymap() { report(diagnostic) }
  }
}

extension Check {
  /// Finds missing responders that the user's keymap names.
  func strayKeymap() -> [Diagnostic] {
    guard let keymap = host.chain.keymap else { return [] }
    let known = host.responders.map(\.name)
    return keymap.names.filter { host.find($0) == nil }.map { name in
      Diagnostic(
        .warning, "stray-keymap", "the keymap has keys for '\(name)', but there is no such responder",
        place: keymap.place(of: name), help: nearest(to: name, among: known).first.map(Check.didYouMean))
    }
  }
}

extension ScriptEngine {
  /// Runs a keymap's file, and reads its result.
  fileprivate func keymap(_ bytes: [UInt8], name: String, of script: ScriptOwner) throws -> Keymap {
    script.isKeymap = true
    script.sources.insert(name)
    let globals = try noGlobals(of: script)
    loading += 1
    defer { loading -= 1 }
    let chunk = try lua.load(bytes: bytes, name: name, environment: globals, owner: script.code)
    let returned = try within(host.limits.load) { try lua.call(chunk) }.first
    let lines = KeymapLines(bytes, file: name)
    guard case .table(let all)? = returned else {
      throw Misuse(
        .wrongType, "a keymap must return a table by responder: return { app = { [\"g g\"] = \"top\" } }",
        place: Place(file: name, line: 1))
    }
    var bindings: [ByteText: [KeySequence: KeyBinding]] = [:]
    var kept = 0
    try lua.forEach(in: all) { key, value in
      guard case .text(let responder) = key, case .table(let keys) = value else {
        throw Misuse(
          .wrongType,
          "a keymap must have a table of keys for each responder, not \(value.described) for \(key.described)",
          place: Place(file: name, line: 1))
      }
      let start = lines.line(of: responder, from: 1) ?? 1
      try lua.forEach(in: keys) { key, value in
        let (sequence, binding) = try self.binding(key, value, of: responder, script) {
          Place(file: name, line: lines.line(of: $0, from: start) ?? start)
        }
        kept += KeptBytes.base + TableContent.binding(binding).keptBytes
        try checkKept(kept, for: script)
        guard bindings[ByteText(responder), default: [:]].updateValue(binding, forKey: sequence) == nil else {
          throw Misuse(
            .nameTaken, "the keymap binds '\(sequence.text)' of '\(responder)' twice, spelt in two ways: remove one",
            place: binding.place)
        }
        return true
      }
      return true
    }
    return Keymap(
      script.owner, bindings, share: script.kept.share(kept),
      places: { Place(file: name, line: lines.line(of: $0, from: 1) ?? 1) })
  }

  private func binding(
    _ key: LuaValue, _ value: LuaValue, of responder: String, _ script: ScriptOwner, _ placeOf: (String) -> Place
  ) throws -> (KeySequence, KeyBinding) {
    guard case .text(let text) = key else {
      throw Misuse(
        .wrongType, "the keys of '\(responder)' must be strokes such as 'ctrl+k', not \(key.described)",
        place: placeOf(responder))
    }
    let place = placeOf(text)
    do {
      let sequence = try KeySequence.bindable(text)
      guard let binding = try binding(value, sequence.text, script, place) else {
        throw LuaMisuse("keys['\(text)'] must be an action reference")
      }
      return (sequence, binding)
    } catch let error as KeyError {
      throw Misuse(.wrongType, "'\(text)' of '\(responder)': \(error.message)", place: place)
    } catch let misuse as LuaMisuse {
      throw Misuse(.wrongType, misuse.message, place: place)
    }
  }

  /// Returns an environment without names, where none can be defined.
  private func noGlobals(of script: ScriptOwner) throws -> LuaTable {
    func refuse(_ why: String) -> LuaFunction {
      script.function(lua) { call, _ in
        let name = if case .text(let name) = try call[1] { name } else { "" }
        throw LuaMisuse("'\(name)' is not defined: a keymap has no globals\(why)")
      }
    }
    let globals = lua.newTable()
    let guarding = lua.newTable()
    try lua.rawSet("__index", .function(refuse("")), of: guarding)
    try lua.rawSet("__newindex", .function(refuse(", and defines none")), of: guarding)
    try lua.rawSet("__metatable", false, of: guarding)
    try setMetatable(guarding, of: globals)
    script.environments.append(globals)
    return globals
  }
}

/// The lines of the words in a keymap's file: names of fields, and strings.
private struct KeymapLines {
  private var lines: [ByteText: [Int]] = [:]

  init(_ bytes: [UInt8], file: String) {
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      for word in line.split(whereSeparator: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }) {
        note(String(decoding: word, as: UTF8.self), number + 1)
      }
      for word in line.split(whereSeparator: { !$0.isOfName }) {
        note(String(decoding: word, as: UTF8.self), number + 1)
      }
    }
  }

  private mutating func note(_ word: String, _ line: Int) { lines[ByteText(word), default: []].append(line) }

  /// Returns the first line of a word, from a line on.
  func line(of word: String, from first: Int) -> Int? {
    guard let all = lines[ByteText(word)] else { return nil }
    // They are in order, and a word may occur for thousands of responders.
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle] < first { low = middle + 1 } else { high = middle }
    }
    return low < all.count ? all[low] : nil
  }
}

extension UInt8 {
  /// True if a name may have this byte.
  fileprivate var isOfName: Bool {
    self == UInt8(ascii: "_") || (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20)
  }
}
