import CLua

// What scripts put into the table `keys`: strokes as they like to spell them, and the actions that these perform.

extension ScriptEngine {
  /// The keys that something is to be bound to.
  func bindable(_ key: LuaValue) throws -> KeySequence {
    guard case .text(let text) = key else {
      throw LuaMisuse("'keys' is indexed by key strokes such as 'ctrl+k', not by \(key.described)")
    }
    do {
      return try KeySequence.bindable(text)
    } catch {
      let place = place(lua.place(level: 1, on: lua.L))
      throw unreadable(text, "keys['\(text)']: \(error.message)", column: error.column, near: place)
    }
  }

  /// What a script binds keys to: a reference, or nil to take the binding out.
  func binding(_ value: LuaValue, _ keys: String, _ owner: ScriptOwner, _ place: Place?) throws -> KeyBinding? {
    switch value {
    case .nil: return nil
    case .text(let raw):
      do {
        return KeyBinding(reference: try Reference.parse(raw), raw: raw, owner: owner.owner, place: place)
      } catch {
        throw unreadable(raw, "keys['\(keys)']: \(error.message)", column: error.column, near: place)
      }
    default: throw LuaMisuse("keys['\(keys)'] must be an action reference, not \(value.described)")
    }
  }

  /// The reference that one's own layer binds keys to, however they are spelled.
  func read(keys: String, _ behaviour: Behaviour) -> LuaValue {
    guard let keys = try? KeySequence.parse(keys), let entry = behaviour.keys[keys] else { return .nil }
    return .text(entry.content.raw)
  }
}
