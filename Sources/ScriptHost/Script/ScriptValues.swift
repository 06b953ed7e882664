import CLua

/// A script's table, function or coroutine, as a value that only scripts understand.
package final class ScriptValue: NamedType {
  let value: LuaValue

  init(_ value: LuaValue) { self.value = value }

  package var typeName: String { value.typeName }
}

extension LuaCallableValue: NamedType {
  var typeName: String { LuaValue.object(self).typeName }
}

extension ClientObject: NamedType, Representing {
  package var typeName: String { "object" }

  func standsForSame(as other: AnyObject) -> Bool {
    guard let other = other as? ClientObject else { return false }
    return id == other.id && client == other.client
  }
}

// Converts values between the core and Lua.

/// Returns the value at an index of a stack, if it needs no memory.
@inline(__always)
func scalar(at index: Int32, on L: OpaquePointer) -> Value? {
  switch clua_type(L, index) {
  case CLUA_TBOOLEAN.rawValue: .bool(clua_bool(L, index))
  case CLUA_TNUMBER.rawValue:
    clua_isInteger(L, index) ? .integer(Int(clua_integer(L, index))) : .number(clua_number(L, index))
  case CLUA_TNIL.rawValue, CLUA_TNONE.rawValue: .null
  default: nil
  }
}

extension ScriptEngine {
  /// Returns the value at an index of a stack. A responder's object becomes the responder.
  func value(at index: Int32, on L: OpaquePointer) -> Value {
    scalar(at: index, on: L) ?? (try? lua.value(at: index, on: L)).map(value) ?? .null
  }

  /// Returns the elements of a list, unconverted.
  func list(at index: Int32, on L: OpaquePointer) -> Value {
    var values: [Value] = []
    while true {
      // The border is unreliable in a table with gaps.
      clua_rawGetAt(L, index, Int64(values.count + 1))
      defer { clua_pop(L, 1) }
      if clua_type(L, -1) == CLUA_TNIL.rawValue { return .list(values) }
      values.append(value(at: -1, on: L))
    }
  }

  func value(_ value: LuaValue) -> Value {
    switch value {
    case .nil: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .text(let value): return .text(value)
    case .object(let object): return object is LuaSentinel ? .null : .opaque(object)
    case .table(let table):
      let object: AnyObject? = responder(table) ?? job(table)
      return .opaque(object ?? ScriptValue(value))
    case .bytes, .function, .thread: return .opaque(ScriptValue(value))
    }
  }

  /// Copies a value to Swift: plain tables become lists and objects.
  func plain(_ value: LuaValue) throws -> Value {
    if case .table(let table) = value, responder(table) != nil { return self.value(value) }
    return plain(try lua.tree(value), original: value)
  }

  private func plain(_ tree: LuaTree, original: LuaValue) -> Value {
    switch tree {
    case .nil: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .text(let value): return .text(value)
    case .bytes, .object, .opaque: return value(original)
    case .list(let values): return .list(values.map { plain($0, original: .nil) })
    case .map(let entries):
      return .object(
        entries.compactMap { entry in
          guard case .text(let key) = entry.key else { return nil }
          return (key, plain(entry.value, original: .nil))
        })
    }
  }

  /// Pushes a value. `null` inside lists and objects is the script's `null`.
  func push(_ value: Value, on L: OpaquePointer, inside: Bool = false) {
    guard clua_room(L, 8) else { return }
    switch value {
    case .null: inside ? clua_pushReference(L, nullReference) : clua_pushNil(L)
    case .bool(let value): clua_pushBool(L, value)
    case .integer(let value): clua_pushInteger(L, Int64(value))
    case .number(let value): clua_pushNumber(L, value)
    case .text(let value): lua.push(text: value, on: L)
    case .list(let values):
      clua_newTable(L, Int32(clamping: values.count), 0)
      for (index, value) in values.enumerated() {
        push(value, on: L, inside: true)
        clua_rawSetAt(L, -2, Int64(index + 1))
      }
    case .object(let members):
      clua_newTable(L, 0, Int32(clamping: members.count))
      for (key, value) in members {
        lua.push(text: key, on: L)
        push(value, on: L, inside: true)
        _ = clua_rawSet(L, -3)
      }
    case .opaque(let object): push(object, on: L)
    }
  }

  private func push(_ object: AnyObject, on L: OpaquePointer) {
    switch object {
    case let responder as Responder: clua_pushReference(L, self.object(of: responder, for: voice(for: responder)))
    case let job as Job: push(job, on: L)
    case let outcome as ScriptOutcome: push(outcome.outcome, on: L)
    case is LuaCallableValue:
      if (try? lua.push(.object(object), on: L)) == nil { clua_pushNil(L) }
    case let script as ScriptValue:
      if (try? lua.push(script.value, on: L)) == nil { clua_pushNil(L) }
    default: clua_pushObject(L, Unmanaged.passRetained(object).toOpaque())
    }
  }
}

/// An outcome on its way into Lua.
final class ScriptOutcome {
  let outcome: Outcome

  init(_ outcome: Outcome) { self.outcome = outcome }
}
