import CLua

// Reads what scripts put into the table `keys`: strokes in any spelling, and the actions that they perform.

extension ScriptEngine {
  /// The keys to which a script may bind something; throws for any other text.
  func bindable(_ key: LuaValue) throws -> KeySequence {
    guard case .text(let text) = key else {
      throw LuaMisuse("'keys' is indexed by key strokes such as 'ctrl+k', not by \(key.described)")
    }
    do {
      let keys = try KeySequence.parse(text)
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
      // A loop may bind thousands of keys, and finding each one's place takes time.
      guard told.insert("capital-key \(word)").inserted else { continue }
      let quoted = place.flatMap { place in
        ["\"\(text)\"", "'\(text)'"].lazy.compactMap { self.found($0, from: place, lines: 4) }.first
      }
      report(
        Diagnostic(
          .warning, "capital-key", "'\(word)' is the key '\(word.lowercased())', without shift", place: quoted ?? place,
          help: "with shift it is 'shift+\(word.lowercased())'"))
    }
  }

  /// The binding that a script assigns to keys: a reference, a list of references, or nil to remove it.
  func binding(_ value: LuaValue, _ keys: String, _ owner: ScriptOwner, _ place: Place?) throws -> KeyBinding? {
    switch value {
    case .nil: return nil
    case .text(let raw):
      return KeyBinding(reference: try reference(raw, keys, place), raw: raw, owner: owner.owner, place: place)
    case .table(let table):
      var all: [(reference: Reference, raw: String)] = []
      let count = try lua.rawCount(of: table)
      for index in 0..<count {
        guard case .text(let raw) = try lua.rawGet(.integer(index + 1), of: table) else { break }
        all.append((try reference(raw, keys, place), raw))
      }
      guard let first = all.first, all.count == count, count <= Self.mostBound else {
        throw LuaMisuse(
          "keys['\(keys)'] must be a reference or a list of \(Self.mostBound) at most, of which the first is done that can be"
        )
      }
      return KeyBinding(
        reference: first.reference, raw: first.raw, others: Array(all.dropFirst()), owner: owner.owner, place: place)
    default: throw LuaMisuse("keys['\(keys)'] must be an action reference, not \(value.described)")
    }
  }

  /// How many actions may be bound to the same keys.
  private static var mostBound: Int { 32 }

  private func reference(_ raw: String, _ keys: String, _ place: Place?) throws -> Reference {
    do {
      return try Reference.parse(raw)
    } catch {
      throw unreadable(raw, "keys['\(keys)']: \(error.message)", column: error.column, near: place)
    }
  }

  /// The reference that an owner's own layer binds to keys, however they are spelled.
  func read(keys: String, _ behaviour: Behaviour) -> LuaValue {
    guard let keys = try? KeySequence.parse(keys), let entry = behaviour.keys[keys] else { return .nil }
    let binding = entry.content
    if binding.others.isEmpty { return .text(binding.raw) }
    return (try? lua.newList(binding.all.map { .text($0.raw) })).map { .table($0) } ?? .text(binding.raw)
  }
}
