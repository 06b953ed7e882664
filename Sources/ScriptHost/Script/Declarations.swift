import CLua

// What a script declares with: window, responder, class, focus, observe, listen, log, print.

/// A class that a script made.
final class ScriptClass {
  /// Set in the number of a table that stands for a class.
  static let mark: Int64 = 1 << 62

  let definition: ClassDefinition
  let owner: ScriptOwner
  /// The fields that responders of the class share.
  let fields: LuaTable
  let number: Int64
  var object: LuaReference?
  var tables: [ObjectTable: LuaReference] = [:]

  init(definition: ClassDefinition, owner: ScriptOwner, fields: LuaTable, number: Int64) {
    self.definition = definition
    self.owner = owner
    self.fields = fields
    self.number = number
  }

  /// Whether a table is the one that stands for it.
  func isSame(_ table: LuaTable, in lua: LuaState) -> Bool {
    guard let object, let mine = try? lua.identity(of: LuaTable(reference: object)) else { return false }
    return (try? lua.identity(of: table)) == mine
  }
}

extension ScriptEngine {
  /// The functions that an owner's scripts declare with.
  func declarations(for owner: ScriptOwner) -> [String: LuaFunction] {
    [
      "responder": lua.function { [unowned self] in try declare(.responder, $0, owner) },
      "window": lua.function { [unowned self] in try declare(.window, $0, owner) },
      "class": lua.function { [unowned self] in try declareClass($0, owner) },
      "focus": lua.function { [unowned self] in try focus($0) },
      "observe": lua.function { [unowned self] in try observe($0, owner) },
      "listen": lua.function { [unowned self] in try listen($0, owner) },
      "log": lua.function { [unowned self] in try log($0, owner) },
      "print": lua.function { [unowned self] in try print($0) },
    ]
  }

  // MARK: Responders

  private func declare(_ kind: Responder.Kind, _ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("declaring")
    let name = try call.text(0, "the name of a \(kind == .window ? "window" : "responder")")
    let responder = try allowing {
      try chain.add(name, kind: kind, owner: owner.owner, place: place(call.place))
    }
    clua_pushReference(call.L, object(of: responder, for: owner))
    return .pushed(1)
  }

  /// `responder "grid" { next = main }`: the table after the name.
  func configure(_ call: LuaCall) throws -> LuaReturn {
    let (responder, owner) = try receiver(call, "configure")
    guard case .table(let fields) = try call[1] else {
      throw LuaMisuse(
        "after the name of a \(responder.kindWord) comes a table of its fields, not a \(try call[1].typeName)")
    }
    try lua.forEach(in: fields) { key, value in
      if case .text(let name) = key, try setHostField(name, value, of: responder, owner: owner) { return true }
      clua_copy(call.L, 1)
      try lua.push(key, on: call.L)
      try lua.push(value, on: call.L)
      _ = clua_rawSet(call.L, -3)
      clua_pop(call.L, 1)
      return true
    }
    clua_setTop(call.L, 1)
    return .pushed(1)
  }

  private func focus(_ call: LuaCall) throws -> LuaReturn {
    try refuseWhileAsking("focusing")
    let responder = try responder(try call[0], "focus")
    return .values([.bool(try allowing { try host.focus(responder) })])
  }

  // MARK: Classes

  private func declareClass(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("declaring")
    let name = try call.text(0, "the name of a class")
    let definition = try allowing {
      try chain.define(name, ancestor: nil, owner: owner.owner, place: place(call.place))
    }
    return push(add(definition, owner), on: call.L)
  }

  func add(_ definition: ClassDefinition, _ owner: ScriptOwner) -> ScriptClass {
    let number = ScriptClass.mark | Int64(classes.count)
    let made = ScriptClass(definition: definition, owner: owner, fields: lua.newTable(), number: number)
    clua_newHostTable(lua.L, number, metatables.classes)
    made.object = lua.takeReference()
    definition.scriptObject = made
    classes.append(made)
    return made
  }

  private func push(_ made: ScriptClass, on L: OpaquePointer) -> LuaReturn {
    guard let object = made.object else { return .nothing }
    clua_pushReference(L, object.id)
    return .pushed(1)
  }

  func scriptClass(_ call: LuaCall) throws -> ScriptClass {
    let number = clua_hostNumber(call.L, 1)
    let index = Int(truncatingIfNeeded: number & ~ScriptClass.mark)
    guard number & ScriptClass.mark != 0, number > 0, classes.indices.contains(index) else {
      throw LuaMisuse("this is not a class")
    }
    return classes[index]
  }

  /// `class "base" { … }`: the table after the name.
  func configureClass(_ call: LuaCall) throws -> LuaReturn {
    let made = try scriptClass(call)
    guard case .table(let fields) = try call[1] else {
      throw LuaMisuse("after the name of a class comes a table of its fields, not a \(try call[1].typeName)")
    }
    try lua.forEach(in: fields) { key, value in
      try setClassField(key, value, of: made)
      return true
    }
    clua_setTop(call.L, 1)
    return .pushed(1)
  }

  func setClassField(_ key: LuaValue, _ value: LuaValue, of made: ScriptClass) throws {
    if case .text(let name) = key {
      if let table = ObjectTable.allCases.first(where: { $0.name == name }) {
        return try fill(table, from: value, in: made.definition.behaviour, of: nil, owner: made.owner)
      }
      if let hook = Hook(rawValue: name) {
        try set(hook, value, in: made.definition.behaviour, owner: made.owner)
        return chain.hooksChanged(of: nil, in: made.definition.behaviour)
      }
      if name == "class" {
        guard case .text(let ancestor) = value else {
          throw LuaMisuse("'class' names the class that this one builds on; it can't be a \(value.typeName)")
        }
        let definition = try findClass(ancestor, owner: made.owner)
        return try allowing { try chain.setAncestor(definition, of: made.definition) }
      }
      if name == "name" { throw LuaMisuse("the name of a class can't be changed") }
    }
    try lua.rawSet(key, value, of: made.fields)
  }

  // MARK: Watching

  private func observe(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("observing")
    let pattern: ActionPattern
    switch try call[0] {
    case .text(let text): pattern = ActionPattern([text])
    case .table(let table):
      var patterns: [String] = []
      try lua.forEach(in: table) { _, value in
        guard case .text(let text) = value else { throw LuaMisuse("a pattern is a string, not a \(value.typeName)") }
        patterns.append(text)
        return true
      }
      pattern = ActionPattern(patterns)
    default: throw LuaMisuse("observe takes the name of an action, a list of them, or \"*\"")
    }
    let function = try call.function(1, "what observe calls")
    let registration = host.observe(pattern, owner: owner.owner) { [unowned self] event in
      notify(function, [eventValue(event)], owner: owner.owner)
    }
    return .values([try handle(registration)])
  }

  func eventValue(_ event: ActionEvent) -> Value {
    var members: [(key: String, value: Value)] = [
      ("stage", .text(event.stage.rawValue)), ("action", .text(event.action)), ("raw", .text(event.raw)),
      ("args", .object(event.arguments.members)),
    ]
    if let by = event.by { members.append(("by", .text(by))) }
    if let outcome = event.outcome { members.append(("outcome", .opaque(ScriptOutcome(outcome)))) }
    return .object(members)
  }

  /// Calls a watcher; its failure affects nobody else.
  func notify(_ function: LuaFunction, _ arguments: [Value], owner: Owner) -> Failure? {
    let L = lua.L
    guard clua_room(L, 8), (try? lua.push(function.reference, on: L)) != nil else { return nil }
    for argument in arguments { push(argument, on: L) }
    let status = clua_call(L, Int32(arguments.count), 0)
    return status == CLUA_OK.rawValue ? nil : failure(lua.takeError(status, on: L), owner: owner)
  }

  private func listen(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("listening")
    let name = try call.text(0, "what to listen for")
    let function = try call.function(1, "what listen calls")
    guard let kind = HostEvent.Kind(rawValue: name) else {
      let known = HostEvent.Kind.allCases.map(\.rawValue)
      let near = nearest(to: name, among: known).first.map { "; did you mean '\($0)'?" } ?? ""
      throw LuaMisuse("there is nothing named '\(name)' to listen for\(near)")
    }
    let registration = host.listen(kind, owner: owner.owner) { [unowned self] event in
      switch event {
      case .focus(let new, let old): notify(function, [.opaque(new), .opaque(old)], owner: owner.owner)
      case .unhandled(let event, _): notify(function, [eventValue(event)], owner: owner.owner)
      }
    }
    return .values([try handle(registration)])
  }

  /// What a script takes a registration back with: `handle:remove()`.
  func handle(_ registration: Registration) throws -> LuaValue {
    let table = lua.newTable()
    let remove = lua.function { _ in
      registration.remove()
      return .nothing
    }
    try lua.rawSet("remove", .function(remove), of: table)
    return .table(table)
  }

  // MARK: Speaking

  private func log(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    let level = try call.text(0, "the level")
    guard let severity = LogLevel(rawValue: level) else {
      let near =
        nearest(to: level, among: LogLevel.allCases.map(\.rawValue)).first.map { "; did you mean '\($0)'?" } ?? ""
      throw LuaMisuse("there is no level '\(level)'\(near)")
    }
    let text = try call.arguments.dropFirst().map { try lua.describe($0) }.joined(separator: "\t")
    host.log(LogEntry(level: severity, text: text, owner: owner.owner.name, place: place(call.place)))
    return .nothing
  }

  private func print(_ call: LuaCall) throws -> LuaReturn {
    let text = try call.arguments.map { try lua.describe($0) }.joined(separator: "\t")
    host.print(text)
    return .nothing
  }
}

/// An outcome on its way into Lua.
final class ScriptOutcome {
  let outcome: Outcome

  init(_ outcome: Outcome) { self.outcome = outcome }
}
