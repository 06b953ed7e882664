import CLua

/// A field of `app` that a script assigns and the host reads.
///
/// The table of `app` never has it, so that the host sees and checks each write (V8).
enum AppField: String, CaseIterable {
  case title, name, version, exact, allow
  case allowWarnings = "allow_warnings"
}

extension ScriptEngine {
  /// Sets a field of an owner's `app`, after checking its value.
  func set(_ field: AppField, _ value: LuaValue, for owner: ScriptOwner) throws {
    let name = field.rawValue
    try refuseWhileAsking("assigning '\(name)'")
    try refuseForeignField(name, of: chain.app, owner)
    switch field {
    case .title, .name, .version: try checkText(name, value)
    case .exact: try checkFlag(name, value)
    case .allow: try checkWishes(value)
    case .allowWarnings: try checkCodes(value)
    }
    let object = object(chain.app, for: owner)
    let fields = object.fields ?? lua.newTable()
    object.fields = fields
    try lua.rawSet(.text(name), value, of: fields)
  }

  /// Returns a field of an owner's `app`; nil if the script didn't set it.
  func value(_ field: AppField, for owner: ScriptOwner) -> LuaValue {
    guard let fields = object(chain.app, for: owner).fields else { return .nil }
    return (try? lua.rawGet(.text(field.rawValue), of: fields)) ?? .nil
  }

  /// Returns a text field of an owner's `app`.
  func text(_ field: AppField, for owner: ScriptOwner) -> String? {
    if case .text(let text) = value(field, for: owner) { text } else { nil }
  }

  /// Makes writes of these fields reach the host. The table of `app` is on top.
  func keepAppFieldsApart() {
    _ = clua_room(lua.L, 8)
    clua_newTable(lua.L, 0, Int32(AppField.allCases.count))
    for field in AppField.allCases {
      clua_pushBool(lua.L, true)
      lua.setField(field.rawValue, on: lua.L)
    }
    clua_keepApart(lua.L, clua_top(lua.L) - 1)
  }

  /// True if the app's script turns off the fallback of references to their last component (M16).
  var isExact: Bool {
    guard let app, case .bool(true) = value(.exact, for: app) else { return false }
    return true
  }

  /// Returns the codes of the warnings that the app's script silences.
  func allowedWarnings() -> [String] {
    guard let app, case .table(let list) = value(.allowWarnings, for: app), let count = try? lua.rawCount(of: list)
    else { return [] }
    return lua.copying {
      (0..<count).compactMap { index in
        guard case .text(let code)? = try? lua.rawGet(.integer(index + 1), of: list) else { return nil }
        return code
      }
    }
  }

  private func checkText(_ name: String, _ value: LuaValue) throws {
    switch value {
    case .nil, .text: return
    default: throw LuaMisuse("'\(name)' must be a string, not \(value.described)")
    }
  }

  private func checkFlag(_ name: String, _ value: LuaValue) throws {
    switch value {
    case .nil, .bool: return
    default: throw LuaMisuse("'\(name)' must be true or false, not \(value.described)")
    }
  }

  private func checkWishes(_ value: LuaValue) throws {
    if !host.isLoading {
      throw LuaMisuse("'app.allow' can't be changed now: the host reads it once, when the script has loaded")
    }
    if case .nil = value { return }
    _ = try capabilities(value)
  }

  private func checkCodes(_ value: LuaValue) throws {
    if case .nil = value { return }
    guard case .table(let list) = value else {
      throw LuaMisuse("'allow_warnings' must be a list of codes, not \(value.described)")
    }
    try lua.forEach(in: list) { key, value in
      guard case .integer = key, case .text = value else {
        throw LuaMisuse(
          "'allow_warnings' must be a list of codes such as { \"key-conflict\" }: it has \(value.described)")
      }
      return true
    }
  }
}
