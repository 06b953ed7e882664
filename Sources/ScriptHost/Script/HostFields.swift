import CLua

// The fields of a responder that are the host's: who is next, the class, the hooks.

/// A hook that a script gives to a responder.
enum Hook: String, CaseIterable {
  case provide, resolve, redirect, claims, unknown, failed

  /// What one's own layer has.
  func read(_ behaviour: Behaviour) -> LuaValue {
    let handler: Handler?
    switch self {
    case .provide: handler = behaviour.provide
    case .resolve: handler = behaviour.resolve
    case .unknown: handler = behaviour.unknown
    case .failed: handler = behaviour.failed
    case .redirect:
      switch behaviour.redirect {
      case .to(let name)?: return .text(name)
      case .asked(let hook)?: handler = hook
      case nil: handler = nil
      }
    case .claims:
      switch behaviour.claims {
      case .all?: return true
      case .asked(let hook)?: handler = hook
      case .these?, nil: handler = nil
      }
    }
    return (handler as? ScriptHandler).map { .function($0.function) } ?? .nil
  }
}

extension ScriptEngine {
  /// Sets a field if it is one of the host's; whether it is.
  func setHostField(_ name: String, _ value: LuaValue, of responder: Responder, owner: ScriptOwner) throws -> Bool {
    if let hook = Hook(rawValue: name) {
      try refuseWhileAsking("assigning '\(name)'")
      try set(hook, value, in: responder.layer(of: owner.owner), owner: owner)
      chain.hooksChanged(of: responder, in: responder.layer(of: owner.owner))
      return true
    }
    guard Self.hostFields.contains(name) else { return false }
    if responder.kind == .app && name == "name" { return false }
    try refuseWhileAsking("assigning '\(name)'")
    switch name {
    case "next":
      let next = if case .nil = value { chain.app } else { try self.responder(value, "next") }
      try allowing { try chain.setNext(next, of: responder) }
    case "delegate":
      let delegate: Responder? = if case .nil = value { nil } else { try self.responder(value, "delegate") }
      try allowing { try chain.setDelegate(delegate, of: responder) }
    case "class": try setClass(value, of: responder, owner: owner)
    case "undo", "works_when_modal", "accepts_focus": try checkSwitch(name, value)
    case "on", "can", "look", "needs":
      guard let table = ObjectTable.allCases.first(where: { $0.name == name }) else { return false }
      try fill(table, from: value, in: responder.layer(of: owner.owner), of: responder, owner: owner)
      return true
    default: throw LuaMisuse("'\(name)' is the host's and can't be assigned")
    }
    if name == "undo" || name == "works_when_modal" || name == "accepts_focus" { return false }
    return true
  }

  static let hostFields: Set<String> = [
    "name", "next", "class", "delegate", "undo", "works_when_modal", "accepts_focus", "perform", "define", "derive",
    "remove", "on", "can", "look", "needs",
  ]

  private func checkSwitch(_ name: String, _ value: LuaValue) throws {
    switch (name, value) {
    case (_, .nil), (_, .bool), ("undo", .table), ("accepts_focus", .function): return
    default: throw LuaMisuse("'\(name)' can't be a \(value.typeName)")
    }
  }

  func setClass(_ value: LuaValue, of responder: Responder, owner: ScriptOwner) throws {
    let definition: ClassDefinition?
    switch value {
    case .nil: definition = nil
    case .text(let name): definition = try findClass(name, owner: owner)
    case .table(let table):
      guard let known = classes.first(where: { $0.isSame(table, in: lua) }) else {
        throw LuaMisuse("'class' must be a class or its name, not a table")
      }
      definition = known.definition
    default: throw LuaMisuse("'class' must be a class or its name, not a \(value.typeName)")
    }
    responder.setAncestor(definition)
  }

  func findClass(_ name: String, owner: ScriptOwner) throws -> ClassDefinition {
    if let known = chain.findClass(name, owner: owner.owner) { return known }
    let near = nearest(to: name, among: chain.classes.map(\.name)).first
    throw LuaMisuse("there is no class named '\(name)'\(near.map { "; did you mean '\($0)'?" } ?? "")")
  }

  /// Puts each function of a table into a table of handlers.
  func fill(
    _ table: ObjectTable, from value: LuaValue, in behaviour: Behaviour, of responder: Responder?, owner: ScriptOwner
  ) throws {
    guard case .table(let source) = value else {
      throw LuaMisuse("'\(table.name)' must be a table of functions, not a \(value.typeName)")
    }
    try lua.forEach(in: source) { key, value in
      guard case .text(let action) = key else {
        throw LuaMisuse("'\(table.name)' is indexed by the names of actions, not by a \(key.typeName)")
      }
      _ = try register(table, action, value, in: behaviour, of: responder, owner: owner)
      return true
    }
  }

  func set(_ hook: Hook, _ value: LuaValue, in behaviour: Behaviour, owner: ScriptOwner) throws {
    switch hook {
    case .provide: behaviour.provide = try handler(hook, value, owner)
    case .resolve: behaviour.resolve = try handler(hook, value, owner)
    case .unknown: behaviour.unknown = try handler(hook, value, owner)
    case .failed: behaviour.failed = try handler(hook, value, owner)
    case .redirect: behaviour.redirect = try redirect(value, owner)
    case .claims: behaviour.claims = try claims(value, owner)
    }
  }

  private func handler(_ hook: Hook, _ value: LuaValue, _ owner: ScriptOwner) throws -> ScriptHandler? {
    switch value {
    case .nil: return nil
    case .function(let function): return ScriptHandler(function, of: owner, engine: self)
    default: throw LuaMisuse("'\(hook.rawValue)' must be a function, not a \(value.typeName)")
    }
  }

  private func redirect(_ value: LuaValue, _ owner: ScriptOwner) throws -> Redirect? {
    switch value {
    case .nil: return nil
    case .function(let function): return .asked(ScriptHandler(function, of: owner, engine: self))
    case .text(let name): return .to(name)
    default: return .to(try responder(value, "'redirect'").name)
    }
  }

  private func claims(_ value: LuaValue, _ owner: ScriptOwner) throws -> Claims? {
    switch value {
    case .nil, .bool(false): return nil
    case .bool(true): return .all
    case .text(let action): return .these([action])
    case .function(let function): return .asked(ScriptHandler(function, of: owner, engine: self))
    case .table(let table):
      var actions: [String] = []
      try lua.forEach(in: table) { _, value in
        guard case .text(let action) = value else {
          throw LuaMisuse("'claims' lists the names of actions, not a \(value.typeName)")
        }
        actions.append(action)
        return true
      }
      return .these(actions)
    default: throw LuaMisuse("'claims' must be true, a list of actions or a function, not a \(value.typeName)")
    }
  }
}
