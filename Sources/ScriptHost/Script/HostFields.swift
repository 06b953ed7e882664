import CLua

// The fields of a responder that belong to the host: its next, its class, its hooks.

/// A hook that a script gives to a responder.
enum Hook: String, CaseIterable {
  case provide, resolve, redirect, claims, unknown, failed, become, resign, start, stop, counts
  case acceptsFocus = "accepts_focus"
  case worksWhenModal = "works_when_modal"

  /// Reads the hook from an owner's layer.
  func read(_ behaviour: Behaviour, _ lua: LuaState) throws -> LuaValue {
    let handler: Handler?
    switch self {
    case .provide: handler = behaviour.provide
    case .resolve: handler = behaviour.resolve
    case .unknown: handler = behaviour.unknown
    case .failed: handler = behaviour.failed
    case .become: handler = behaviour.become
    case .resign: handler = behaviour.resign
    case .start: handler = behaviour.start
    case .stop: handler = behaviour.stop
    case .worksWhenModal: return behaviour.worksWhenModal.map { .bool($0) } ?? .nil
    case .counts: return behaviour.counts.map { .bool($0) } ?? .nil
    case .acceptsFocus:
      switch behaviour.acceptsFocus {
      case .always(let answer)?: return .bool(answer)
      case .asked(let hook)?: handler = hook
      case nil: handler = nil
      }
    case .redirect:
      switch behaviour.redirect {
      case .to(let name)?: return .text(name)
      case .asked(let hook)?: handler = hook
      case nil: handler = nil
      }
    case .claims:
      switch behaviour.claims {
      case .all?: return true
      case .these(let actions)?: return .table(try lua.newList(actions.map { .text($0) }))
      case .asked(let hook)?: handler = hook
      case nil: handler = nil
      }
    }
    return (handler as? ScriptHandler).map { .function($0.function) } ?? .nil
  }
}

extension ScriptEngine {
  /// Sets a field if it belongs to the host. Returns false if it doesn't.
  func setHostField(_ name: String, _ value: LuaValue, of responder: Responder, owner: ScriptOwner) throws -> Bool {
    if let hook = Hook(rawValue: name) {
      try refuseWhileAsking("assigning '\(name)'")
      try refuseOthers(name, of: responder, owner)
      let layer = try layer(of: responder, for: owner)
      try set(hook, value, in: layer, owner: owner)
      chain.hooksChanged(of: responder, in: layer)
      return true
    }
    if responder.kind == .app, let field = AppField(rawValue: name) {
      try set(field, value, for: owner)
      return true
    }
    if responder.kind == .app, name == "keep" {
      try refuseWhileAsking("assigning 'keep'")
      try setKept(value, by: owner)
      return true
    }
    if responder.kind == .app, name == "store" { throw hostField(name) }
    if responder.kind == .app, appCalls.has(name) && name != "undo" || ["settings", "phase"].contains(name) {
      throw hostField(name)
    }
    if responder.kind == .window, windowCalls.has(name) || Self.windowFields.contains(name) {
      throw hostField(name)
    }
    guard Self.hostFields.contains(name) else {
      try refuseForeignField(name, of: responder, owner)
      return false
    }
    let writesTables = ObjectTable.byAction.contains { $0.name == name }
    try refuseWhileAsking("assigning '\(name)'", exceptResolving: writesTables ? responder : nil)
    try refuseOthers(name, of: responder, owner)
    switch name {
    case "next":
      let next = if case .nil = value { chain.app } else { try self.responder(value, "next") }
      try allowing { try chain.setNext(next, of: responder) }
    case "before": try setBefore(value, of: responder, owner: owner)
    case "delegate":
      let delegate: Responder? = if case .nil = value { nil } else { try self.responder(value, "delegate") }
      try refuseDelegate(delegate, of: responder, owner)
      try allowing { try chain.setDelegate(delegate, of: responder) }
    case "class": try setClass(value, of: responder, owner: owner)
    case "undo": try setUndo(value, of: responder, owner: owner)
    case "on", "can", "look", "needs", "keys", "build", "takes", "confirm", "about":
      guard let table = ObjectTable.allCases.first(where: { $0.name == name }) else { return false }
      try fill(table, from: value, in: try layer(of: responder, for: owner), of: responder, owner: owner)
    default: throw hostField(name)
    }
    return true
  }

  static let hostFields = [
    "name", "next", "before", "class", "delegate", "undo", "perform", "define", "derive", "remove", "on", "can", "look",
    "needs", "keys", "build", "takes", "confirm", "about",
  ]

  /// Returns true if a field belongs to the host, not to the script.
  func isHostField(_ name: String, of responder: Responder) -> Bool {
    Hook(rawValue: name) != nil || Self.hostFields.contains(name)
      || responder.kind == .app
        && (appCalls.has(name) || AppField(rawValue: name) != nil
          || ["settings", "phase", "keep", "store"].contains(name))
      || responder.kind == .window && (windowCalls.has(name) || Self.windowFields.contains(name))
  }

  /// Returns the fields of a responder that belong to the host: its hooks, tables and methods.
  func hostFieldNames(of responder: Responder) -> Set<String> {
    var names = Set(Self.hostFields).union(Hook.allCases.map(\.rawValue))
    switch responder.kind {
    case .app: names.formUnion(appCalls.names + AppField.allCases.map(\.rawValue) + ["settings", "phase", "store"])
    case .window: names.formUnion(windowCalls.names + Self.windowFields)
    case .responder: break
    }
    return names
  }

  /// The fields with a window's state.
  private static let windowFields: Set<String> = ["is_key", "is_main", "first"]

  private func hostField(_ name: String) -> LuaMisuse {
    LuaMisuse("'\(name)' belongs to the host and can't be assigned")
  }

  func setClass(_ value: LuaValue, of responder: Responder, owner: ScriptOwner) throws {
    let definition = try ancestor(value, owner: owner)
    responder.setAncestor(definition)
  }

  /// Returns the ancestor of a class, as the object or by name.
  func ancestor(_ value: LuaValue, owner: ScriptOwner) throws -> ClassDefinition? {
    switch value {
    case .nil: return nil
    case .text(let name): return try findClass(name, owner: owner)
    case .table(let table): return try scriptClass(table).definition
    default: throw LuaMisuse("'class' must be a class or its name, not \(value.described)")
    }
  }

  func findClass(_ name: String, owner: ScriptOwner) throws -> ClassDefinition {
    if let known = chain.findClass(name, owner: owner.owner) { return known }
    let near = nearest(to: name, among: chain.classes.map(\.name)).first
    let help = near.map { "; did you mean '\($0)'?" } ?? ": declare it before it is named"
    throw LuaMisuse("there is no class named '\(name)'\(help)")
  }

  /// Fills a table of handlers from a table of functions.
  func fill(
    _ table: ObjectTable, from value: LuaValue, in behaviour: Behaviour, of responder: Responder?, owner: ScriptOwner
  ) throws {
    guard case .table(let source) = value, try !isHostTable(source) else {
      let found = if case .table = value { "a table of the host's" } else { value.described }
      throw LuaMisuse(
        "'\(table.name)' must be a table of \(table.contents), not \(found)")
    }
    let place = place(lua.place(level: 1, on: lua.L))
    var contents: [(action: String, content: TableContent)] = []
    // A script's table can have tens of thousands of entries, and no limit is checked during this loop.
    var known: Set<ByteText> = []
    var kept = 0
    try lua.forEach(in: source) { key, value in
      let action = try entryName(key, table, in: behaviour)
      guard known.insert(ByteText(action)).inserted else {
        throw LuaMisuse("'\(table.name)' binds '\(action)' twice, spelt in two ways: remove one")
      }
      let content = try content(table, action, value, owner, place)
      kept += content.keptBytes
      try checkKept(kept, for: owner)
      contents.append((action, content))
      return true
    }
    for action in behaviour.entries(of: table, in: host.names) where !known.contains(ByteText(action)) {
      put(.nothing, into: table, action, behaviour, responder)
    }
    for (action, content) in contents { put(content, into: table, action, behaviour, responder) }
  }

  func set(_ hook: Hook, _ value: LuaValue, in behaviour: Behaviour, owner: ScriptOwner) throws {
    switch hook {
    case .provide: behaviour.provide = try handler(hook, value, owner)
    case .resolve: behaviour.resolve = try handler(hook, value, owner)
    case .unknown: behaviour.unknown = try handler(hook, value, owner)
    case .failed: behaviour.failed = try handler(hook, value, owner)
    case .become: behaviour.become = try handler(hook, value, owner)
    case .resign: behaviour.resign = try handler(hook, value, owner)
    case .start: behaviour.start = try handler(hook, value, owner)
    case .stop: behaviour.stop = try handler(hook, value, owner)
    case .acceptsFocus: behaviour.acceptsFocus = try acceptsFocus(value, owner)
    case .worksWhenModal, .counts: try set(hook, flag: value, in: behaviour)
    case .redirect: behaviour.redirect = try redirect(value, owner)
    case .claims: behaviour.claims = try claims(value, owner)
    }
  }

  private func handler(_ hook: Hook, _ value: LuaValue, _ owner: ScriptOwner) throws -> ScriptHandler? {
    switch value {
    case .nil: return nil
    case .function(let function): return ScriptHandler(function, of: owner, engine: self)
    default: throw LuaMisuse("'\(hook.rawValue)' must be a function, not \(value.described)")
    }
  }

  private func redirect(_ value: LuaValue, _ owner: ScriptOwner) throws -> Redirect? {
    switch value {
    case .nil: return nil
    case .function(let function): return .asked(ScriptHandler(function, of: owner, engine: self))
    case .text(let name): return .to(try keptName(name, "the name in 'redirect'"))
    case .table: return .to(try responder(value, "'redirect'").name)
    default: throw LuaMisuse("'redirect' must be a responder, its name or a function, not \(value.described)")
    }
  }

  private func acceptsFocus(_ value: LuaValue, _ owner: ScriptOwner) throws -> FocusAnswer? {
    switch value {
    case .nil: return nil
    case .bool(let answer): return .always(answer)
    case .function(let function): return .asked(ScriptHandler(function, of: owner, engine: self))
    default: throw LuaMisuse("'accepts_focus' must be a boolean or a function, not \(value.described)")
    }
  }

  private func set(_ hook: Hook, flag value: LuaValue, in behaviour: Behaviour) throws {
    let flag: Bool?
    switch value {
    case .nil: flag = nil
    case .bool(let answer): flag = answer
    default:
      let name = hook.rawValue
      throw LuaMisuse("'\(name)' must be a boolean, not \(value.described): NAME.\(name) = true")
    }
    if hook == .counts { behaviour.counts = flag } else { behaviour.worksWhenModal = flag }
  }

  private func claims(_ value: LuaValue, _ owner: ScriptOwner) throws -> Claims? {
    switch value {
    case .nil, .bool(false): return nil
    case .bool(true): return .all
    case .text(let action): return .these([try keptName(action, "a name in 'claims'")])
    case .function(let function): return .asked(ScriptHandler(function, of: owner, engine: self))
    case .table(let table):
      var actions: [String] = []
      try lua.forEach(in: table) { _, value in
        guard case .text(let action) = value else {
          throw LuaMisuse("'claims' must list names of actions, not \(value.described)")
        }
        actions.append(try keptName(action, "a name in 'claims'"))
        return true
      }
      return .these(actions)
    default: throw LuaMisuse("'claims' must be true, a list of actions or a function, not \(value.described)")
    }
  }
}

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
    try refuseWhileAsking("assigning '\(field.rawValue)'")
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
