// What an embedding program can read of a script's interpreter.

extension ScriptHost {
  /// Ends whatever a script of this host runs, from a signal handler or another thread.
  public func canceller() throws -> Canceller { Canceller(interpreter: try scriptEngine().lua.canceller) }

  /// What the script says is the title of its app.
  public var title: String? { text(ofAppField: "title") }

  /// A text that the script gave its app under a name, as `app.name`.
  package func text(ofAppField name: String) -> String? {
    guard let scripts, let owner = scripts.app else { return nil }
    let object = LuaTable(reference: scripts.object(chain.app, for: owner).reference)
    guard case .text(let text)? = try? scripts.lua.rawGet(.text(name), of: object) else { return nil }
    return text.shown(hasLines: false)
  }

  /// A copy of a value with everything in it, including a script's table. Of scripts' values no more is copied than they may print in one call.
  package func tree(of value: Value) -> LuaTree {
    var left = limits.output
    return tree(of: value, within: &left)
  }

  /// Copies a value, and subtracts the size of its texts from the bytes that are left.
  package func tree(of value: Value, within left: inout Int) -> LuaTree {
    switch value {
    case .null: .nil
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .text(let value): tree(of: value, within: &left)
    case .list(let values): .list(values.map { tree(of: $0, within: &left) })
    case .object(let members):
      .map(members.map { LuaTree.Entry(key: .text($0.key), value: tree(of: $0.value, within: &left)) })
    case .opaque(let responder as Responder): .opaque("\(responder.kindWord) '\(responder.name)'")
    case .opaque(let script as ScriptValue): tree(of: script, within: &left)
    case .opaque(let object): .opaque(Value.opaque(object).typeName)
    }
  }

  private func tree(of text: String, within left: inout Int) -> LuaTree {
    left -= text.utf8.count
    return left < 0 ? .opaque("too large") : .text(text)
  }

  /// Copies a script's value; what can't be copied whole is named.
  private func tree(of script: ScriptValue, within left: inout Int) -> LuaTree {
    do {
      return try scripts?.lua.tree(script.value, within: &left) ?? .opaque(script.value.typeName)
    } catch {
      switch (error as? LuaError)?.kind {
      case .cycle?: return .opaque("cycle")
      case .tooDeep?: return .opaque("too deep")
      case .tooLarge?: return .opaque("too large")
      default: return .opaque(script.value.typeName)
      }
    }
  }
}
