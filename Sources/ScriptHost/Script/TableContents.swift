import CLua

// Reads what scripts write to `on`, `can`, `look`, `needs` and `keys`. A table takes effect after all of it is checked.

/// The content of an entry of these tables.
enum TableContent {
  case nothing
  case handler(ScriptHandler)
  /// The question of a confirmation: a function, or a fixed text.
  case question(Handler)
  case needs([Need])
  case takes(Takes)
  case about(About)
  case binding(KeyBinding)
}

extension Behaviour {
  /// Returns the names in one of its tables: actions, or keys.
  func entries(of table: ObjectTable, in names: NameTable) -> [String] {
    let known: [Name]
    switch table {
    case .on: known = Array(on.keys)
    case .can: known = Array(can.keys)
    case .look: known = Array(look.keys)
    case .confirm: known = Array(confirm.keys)
    case .needs: known = Array(needs.keys)
    case .takes: known = Array(takes.keys)
    case .about: known = Array(about.keys)
    case .keys: return keys.keys.map(\.text)
    case .build: known = Array(build.keys)
    }
    return known.map(names.text)
  }
}

extension ScriptEngine {
  /// Returns the action's name from a table's key. A key that the table has already is known to be a name.
  func actionName(_ key: LuaValue, _ table: ObjectTable, in behaviour: Behaviour? = nil) throws -> String {
    guard case .text(let action) = key else {
      let names = table == .build ? "kinds of menus" : "the names of actions"
      throw LuaMisuse("'\(table.name)' is indexed by \(names), not by \(key.described)")
    }
    if let behaviour, let name = host.names.name(of: action), behaviour.on[name] != nil { return action }
    guard action.utf8.count <= 256, let parsed = try? Reference.parse(action), parsed.arguments == nil,
      parsed.id.hasSameBytes(as: action)
    else { throw LuaMisuse("'\(action)' can't be the name of \(table == .build ? "a kind of menu" : "an action")") }
    if host.names.name(of: action) == nil { try makeName(action, behaviour?.owner) }
    return action
  }

  /// Counts a new name. Names live as long as the host, so no plugin may use up all of them.
  private func makeName(_ action: String, _ owner: Owner?) throws {
    if host.names.count >= NameTable.limit {
      throw LuaMisuse("'\(action)' would be one name more than the \(NameTable.limit) that a host knows")
    }
    guard let owner, script(of: owner)?.plugin != nil else { return }
    if owner.namesMade >= NameTable.limitOfPlugin {
      throw LuaMisuse("'\(action)' would be one name more than the \(NameTable.limitOfPlugin) that a plugin may make")
    }
    owner.namesMade += 1
  }

  /// Returns the key of an entry: the name of an action, or the canonical spelling of keys.
  func entryName(_ key: LuaValue, _ table: ObjectTable, in behaviour: Behaviour) throws -> String {
    table == .keys ? try bindable(key).text : try actionName(key, table, in: behaviour)
  }

  /// Reads the value for an action: a function, needs, or nil to remove the entry; for keys, a reference.
  func content(
    _ table: ObjectTable, _ action: String, _ value: LuaValue, _ owner: ScriptOwner,
    _ place: @autoclosure () -> Place? = nil
  ) throws -> TableContent {
    switch table {
    case .keys: return try binding(value, action, owner, place()).map(TableContent.binding) ?? .nothing
    case .needs: return try needs(value, action, place()).map(TableContent.needs) ?? .nothing
    case .takes: return try takes(value, action, owner, place()).map(TableContent.takes) ?? .nothing
    case .confirm: return try confirmation(value, action, owner, place()).map(TableContent.question) ?? .nothing
    case .about: return try about(value, action, place()).map(TableContent.about) ?? .nothing
    case .on, .can, .look, .build: break
    }
    switch value {
    case .nil: return .nothing
    case .function(let function): return .handler(ScriptHandler(function, of: owner, engine: self))
    default: throw LuaMisuse("\(table.name).\(action) must be a function, not \(value.described)")
    }
  }

  /// Registers the content, and returns the number of the entry.
  @discardableResult
  func put(
    _ content: TableContent, into table: ObjectTable, _ action: String, _ behaviour: Behaviour, _ responder: Responder?
  ) -> Int {
    countKept(content, in: table, action, behaviour)
    let handler: ScriptHandler? = if case .handler(let handler) = content { handler } else { nil }
    switch table {
    case .on: return chain.set(.on, action, handler, in: behaviour, of: responder)
    case .can: return chain.set(.can, action, handler, in: behaviour, of: responder)
    case .look: return chain.set(.look, action, handler, in: behaviour, of: responder)
    case .build: return chain.set(.build, action, handler, in: behaviour, of: responder)
    case .confirm:
      let question: Handler? = if case .question(let question) = content { question } else { nil }
      return chain.set(.confirm, action, question, in: behaviour, of: responder)
    case .needs:
      let needs: [Need]? = if case .needs(let needs) = content { needs } else { nil }
      return chain.set(\.needs, action, needs, in: behaviour, of: responder)
    case .takes:
      let takes: Takes? = if case .takes(let takes) = content { takes } else { nil }
      return chain.set(\.takes, action, takes, in: behaviour, of: responder)
    case .about:
      let about: About? = if case .about(let about) = content { about } else { nil }
      return chain.set(\.about, action, about, in: behaviour, of: responder)
    case .keys:
      let binding: KeyBinding? = if case .binding(let binding) = content { binding } else { nil }
      return (try? KeySequence.bindable(action)).map { chain.set($0, binding, in: behaviour) } ?? 0
    }
  }

  /// Returns the registration of a table's entry.
  func registration(
    of number: Int, in table: ObjectTable, _ action: String, _ behaviour: Behaviour, _ responder: Responder?
  ) -> Registration {
    switch table {
    case .on: chain.registration(of: number, .on, action, in: behaviour, of: responder)
    case .can: chain.registration(of: number, .can, action, in: behaviour, of: responder)
    case .look: chain.registration(of: number, .look, action, in: behaviour, of: responder)
    case .build: chain.registration(of: number, .build, action, in: behaviour, of: responder)
    case .confirm: chain.registration(of: number, .confirm, action, in: behaviour, of: responder)
    case .needs: chain.registration(of: number, \.needs, action, in: behaviour, of: responder)
    case .takes: chain.registration(of: number, \.takes, action, in: behaviour, of: responder)
    case .about: chain.registration(of: number, \.about, action, in: behaviour, of: responder)
    case .keys:
      (try? KeySequence.bindable(action)).map { chain.registration(of: number, $0, in: behaviour) } ?? Registration {}
    }
  }

  /// Returns needs in the form of scripts: a list of keys, or keys with their reasons.
  func read(_ needs: [Need]) throws -> LuaValue {
    let table = lua.newTable()
    for (index, need) in needs.enumerated() {
      if let reason = need.reason {
        try lua.rawSet(.text(need.key), .text(reason), of: table)
      } else {
        try lua.rawSet(.integer(index + 1), .text(need.key), of: table)
      }
    }
    return .table(table)
  }

  func isHostTable(_ table: LuaTable) throws -> Bool {
    try lua.push(table.reference, on: lua.L)
    defer { clua_pop(lua.L, 1) }
    return clua_hostNumber(lua.L, -1) >= 0
  }

  private func needs(_ value: LuaValue, _ action: String, _ place: Place?) throws -> [Need]? {
    func key(_ key: String) throws -> String { try keptName(key, "a key of needs.\(action)") }
    switch value {
    case .nil: return nil
    case .text(let needed): return [Need(key: try key(needed), reason: nil)]
    case .table(let table):
      var needs: [Need] = []
      try lua.forEach(in: table) { field, value in
        if needs.count == Need.most { throw LuaMisuse("needs.\(action) can have \(Need.most) keys at most") }
        switch (field, value) {
        case (.integer, .text(let needed)): needs.append(Need(key: try key(needed), reason: nil))
        case (.text(let needed), .text), (.text(let needed), .bytes):
          let reason = try keptText(value, "a reason of needs.\(action)", at: place)
          needs.append(Need(key: try key(needed), reason: reason.isEmpty ? nil : reason))
        default:
          throw LuaMisuse(
            "needs.\(action) must list context keys, each alone or with a reason: { \"photo\", text = \"write something first\" }"
          )
        }
        return true
      }
      return needs
    default: throw LuaMisuse("needs.\(action) must be a context key or a list of them, not \(value.described)")
    }
  }
}

// Reads scripts' `keys` tables: strokes in any spelling, and their actions.

extension ScriptEngine {
  /// Returns keys that a script may bind. Throws for any other text.
  func bindable(_ key: LuaValue) throws -> KeySequence {
    guard case .text(let text) = key else {
      throw LuaMisuse("'keys' is indexed by key strokes such as 'ctrl+k', not by \(key.described)")
    }
    do {
      let keys = try KeySequence.bindable(text)
      warnOfCapitals(text, place(lua.place(level: 1, on: lua.L, withText: false)))
      return keys
    } catch {
      let place = place(lua.place(level: 1, on: lua.L))
      throw unreadable(text, "keys['\(text)']: \(error.message)", column: error.column, near: place)
    }
  }

  /// Warns that a capital letter alone is the key without shift, because a letter is the same key in either case.
  func warnOfCapitals(_ text: String, _ place: Place?) {
    for word in text.split(separator: " ") where word.utf8.count == 1 && word.lowercased() != word {
      // A loop may bind thousands of keys, and finding each place takes time.
      guard told.insert("capital-key \(word)").inserted else { continue }
      let quoted = place.flatMap { place in
        ["\"\(text)\"", "'\(text)'"].lazy.compactMap { self.found($0, from: place, lines: 4) }.first
      }
      report(
        Diagnostic(
          .warning, "capital-key", "'\(word)' is the key '\(word.lowercased())' without shift", place: quoted ?? place,
          help: "for shift write 'shift+\(word.lowercased())'"))
    }
  }

  /// Returns the binding for keys: from a reference, or a list of references. Nil removes the binding.
  func binding(_ value: LuaValue, _ keys: String, _ owner: ScriptOwner, _ place: Place?) throws -> KeyBinding? {
    switch value {
    case .nil: return nil
    case .bool(false): return KeyBinding([], owner: owner.owner, place: place)
    case .text(let raw): return KeyBinding([(try reference(raw, keys, place), raw)], owner: owner.owner, place: place)
    case .table(let table):
      let fields = try bindingFields(of: table, keys, owner, place)
      func reference(_ raw: String) throws -> Reference {
        var reference = try self.reference(raw, keys, place)
        reference.isExact = fields.isExact
        return reference
      }
      var all: [(reference: Reference, raw: String)] = []
      let list = fields.all ?? table
      if fields.all != nil, try lua.rawCount(of: table) > 0 {
        throw LuaMisuse("keys['\(keys)'] has actions beside 'all': move them into 'all'")
      }
      let count = try lua.rawCount(of: list)
      for index in 0..<min(count, Self.mostBound) {
        guard case .text(let raw) = try lua.rawGet(.integer(index + 1), of: list) else { break }
        all.append((try reference(raw), raw))
      }
      guard !all.isEmpty, all.count == count, count <= Self.mostBound else {
        let what = fields.all == nil ? "" : "'all' of "
        throw LuaMisuse(
          "\(what)keys['\(keys)'] must be a reference or a list of \(Self.mostBound) at most, "
            + (fields.all == nil
              ? "of which the host performs the first possible one" : "performed one after the other"))
      }
      return KeyBinding(
        all, whole: fields.all != nil, title: fields.title, when: fields.condition, wait: fields.wait,
        owner: owner.owner, place: place)
    case .bool: throw LuaMisuse("keys['\(keys)'] must be an action reference, or false to take it away, not true")
    case .function:
      throw LuaMisuse("keys['\(keys)'] must be an action, not a function: write a handler, and here its action's name")
    default: throw LuaMisuse("keys['\(keys)'] must be an action reference, not \(value.described)")
    }
  }

  /// The fields of a binding beside its references.
  private struct BindingFields {
    var title: String?
    var condition: KeyCondition?
    var wait: Int64?
    /// The list of references to perform in turn.
    var all: LuaTable?
    /// Whether only the whole ids of the references are looked for (M16).
    var isExact = false

    /// The most seconds that a binding may wait.
    static let longestWait = 60.0
  }

  private func bindingFields(
    of table: LuaTable, _ keys: String, _ owner: ScriptOwner, _ place: Place?
  ) throws -> BindingFields {
    var fields = BindingFields()
    try lua.forEach(in: table) { key, value in
      guard case .text(let name) = key else { return true }
      switch (name, value) {
      case ("title", _):
        guard let text = shownText(value, "the title of keys['\(keys)']", at: place) else {
          throw LuaMisuse("the title of keys['\(keys)'] must be a string, not \(value.described)")
        }
        fields.title = text
      case ("when", .function(let function)):
        fields.condition = ScriptKeyCondition(ElementFunction(function, owner: owner.owner, at: place, engine: self))
      case ("when", _):
        throw LuaMisuse("'when' of keys['\(keys)'] must be a function of the context, not \(value.described)")
      case ("all", .table(let list)): fields.all = list
      case ("all", _):
        throw LuaMisuse("'all' of keys['\(keys)'] must be a list of references, not \(value.described)")
      case ("exact", .bool(let isExact)): fields.isExact = isExact
      case ("exact", _):
        throw LuaMisuse("'exact' of keys['\(keys)'] must be true or false, not \(value.described)")
      case ("wait", _):
        guard let seconds = value.seconds, (0...BindingFields.longestWait).contains(seconds) else {
          throw LuaMisuse(
            "'wait' of keys['\(keys)'] must be seconds between 0 and \(Int(BindingFields.longestWait)), not "
              + (value.seconds.map { "\($0)" } ?? value.described)
          )
        }
        fields.wait = Int64(seconds * 1e9)
      default: unknownField(name, of: "keys['\(keys)']", ["title", "when", "wait", "all", "exact"], at: place)
      }
      return true
    }
    return fields
  }

  /// The most actions for the same keys.
  private static var mostBound: Int { 32 }

  private func reference(_ raw: String, _ keys: String, _ place: Place?) throws -> Reference {
    do {
      return try Reference.parse(raw)
    } catch {
      throw unreadable(raw, "keys['\(keys)']: \(error.message)", column: error.column, near: place)
    }
  }

  /// Returns the reference for keys in an owner's layer, in any spelling of the keys.
  func read(keys: String, _ behaviour: Behaviour) -> LuaValue {
    guard let keys = try? KeySequence.bindable(keys), let entry = behaviour.keys[keys] else { return .nil }
    let binding = entry.content
    if binding.isRemoval { return .bool(false) }
    if binding.all.count == 1 { return .text(binding.raw) }
    return (try? lua.newList(binding.all.map { .text($0.raw) })).map { .table($0) } ?? .text(binding.raw)
  }
}

extension LuaValue {
  /// A number of seconds; nil for any other value.
  fileprivate var seconds: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}
