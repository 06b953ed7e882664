import CLua
import CScript

// The tables of responders: `grid.on`, `grid.next`, `grid:perform(…)`, and any field that the script adds.

extension ScriptEngine {
  /// Returns a reference to the metatable of a kind of host object.
  func metatable(_ kind: ObjectMetatables.Kind) -> Int32 {
    if metatables[kind] == 0 { metatables[kind] = makeMetatable(kind) }
    return metatables[kind]
  }

  private func makeMetatable(_ kind: ObjectMetatables.Kind) -> Int32 {
    switch kind {
    case .responder:
      metatable(
        name: "responder", index: readField, keepsParts: true, newIndex: writeField, string: describeResponder,
        call: { [unowned self] in try configure($0) })
    case .classes:
      metatable(
        name: "class", index: readClassField,
        newIndex: { [unowned self] call in
          try setClassField(try call[1], try call[2], of: try scriptClass(call))
          return .nothing
        }, string: nil, call: { [unowned self] in try configureClass($0) })
    case .job: makeJobMetatable()
    case .failure:
      metatable(
        name: "error", index: nil, newIndex: nil,
        string: { [unowned self] call in
          guard case .table(let table) = try call[0] else { return .values(["error"]) }
          return .values([try lua.rawGet("message", of: table)])
        })
    case .table(let table):
      metatable(
        name: table.name, index: { [unowned self] in try readHandler($0, table) },
        newIndex: { [unowned self] in try writeHandler($0, table) }, string: nil,
        call: { _ in throw LuaMisuse("'\(table.name)' is a table, not a function; write \(table.declaration)") })
    }
  }

  typealias Body = (LuaCall) throws -> LuaReturn

  /// Makes the metatable of a kind of host object.
  ///
  /// - Parameters:
  ///   - keepsParts: whether objects keep parts that C finds by name before it calls the body.
  func metatable(
    name: String, index: Body?, keepsParts: Bool = false, newIndex: Body?, string: Body?,
    call: Body? = nil
  ) -> Int32 {
    let L = lua.L
    clua_newTable(L, 0, 6)
    lua.push(text: name, on: L)
    lua.setField("__name", on: L)
    clua_pushBool(L, false)
    lua.setField("__metatable", on: L)
    for (event, body) in [("__index", index), ("__newindex", newIndex), ("__tostring", string), ("__call", call)] {
      guard let body else { continue }
      if keepsParts, event == "__index" {
        lua.push(function: body, on: L, by: clua_pushPartReader)
      } else {
        lua.push(function: body, on: L)
      }
      lua.setField(event, on: L)
    }
    clua_markHostMetatable(L, -1)
    return clua_reference(L)
  }

  private var describeResponder: Body {
    { [unowned self] call in
      guard let (responder, _) = responder(at: 1, on: call.L), !responder.isRemoved else {
        let fate = goneScript(clua_hostNumber(call.L, 1)) == nil ? "which was removed" : "of a script that is gone"
        return .values([.text(hostName(at: 1, on: call.L).map { "responder '\($0)', \(fate)" } ?? "responder")])
      }
      return .values([.text("\(responder.kindWord) '\(responder.name)'")])
    }
  }

  // MARK: Fields

  private var readField: Body {
    { [unowned self] call in
      guard let (responder, whose) = responder(at: 1, on: call.L) else {
        return .values([try fieldOfRemoved(call)])
      }
      let owner = try acting(whose, on: call.L)
      guard case .text(let key) = try call[1] else { return .values([.nil]) }
      if let table = ObjectTable.allCases.first(where: { $0.name == key }) {
        clua_pushReference(call.L, objectTable(table, of: responder, for: owner))
        return .pushed(1)
      }
      if let function = hostCall(key, of: responder.kind) {
        // Scripts call the app's functions repeatedly, so from now on C finds this function.
        if viewer == nil, responder.kind == .app { keep(key, function.reference, in: object(responder, for: owner)) }
        return .values([.function(function)])
      }
      if responder.kind == .app, let field = AppField(rawValue: key) {
        let value = value(field, for: owner)
        if case .nil = value {} else { return .values([value]) }
      }
      switch key {
      case "name": return .values([.text(responder.name)])
      case "settings" where responder.kind == .app:
        clua_pushReference(call.L, settings(of: owner).id)
        return .pushed(1)
      case "keep" where responder.kind == .app: return .values([.table(kept(by: owner))])
      case "store" where responder.kind == .app: return .values([.table(try store(of: owner, call))])
      case "next":
        try refuseOthers("next", of: responder, owner)
        return object(responder.next, for: owner, on: call.L)
      case "before":
        try refuseOthers("before", of: responder, owner)
        return object(responder.before, for: owner, on: call.L)
      case "delegate" where responder.kind != .responder: return object(responder.delegate, for: owner, on: call.L)
      case "undo": return .values([try value(of: try layer(of: responder, for: owner).undo)])
      case "class": return .values([responder.ancestor.map { .text($0.name) } ?? .nil])
      case "phase" where responder.kind == .app: return .values([.text(host.phase.rawValue)])
      case "is_key" where responder.kind == .window: return .values([.bool(chain.key === responder)])
      case "is_main" where responder.kind == .window: return .values([.bool(chain.main === responder)])
      case "first" where responder.kind == .window: return object(responder.first ?? responder, for: owner, on: call.L)
      default: break
      }
      if let hook = Hook(rawValue: key) {
        return .values([try hook.read(try layer(of: responder, for: owner), lua)])
      }
      try refuseForeignField(key, of: responder, owner)
      for definition in responder.derived {
        let value = try field(key, from: definition)
        if case .nil = value {} else { return .values([value]) }
      }
      return .values([try field(key, from: responder.ancestor)])
    }
  }

  /// Returns the call of a name for a kind of responders.
  private func hostCall(_ name: String, of kind: Responder.Kind) -> LuaFunction? {
    switch kind {
    case .app: appCalls.function(name, of: self)
    case .responder: responderCalls.function(name, of: self)
    case .window: responderCalls.function(name, of: self) ?? windowCalls.function(name, of: self)
    }
  }

  private func object(_ responder: Responder?, for owner: ScriptOwner, on L: OpaquePointer) -> LuaReturn {
    guard let responder else { return .values([.nil]) }
    clua_pushReference(L, object(of: responder, for: owner))
    return .pushed(1)
  }

  /// Returns a field of a removed responder: its name, or a method that fails. Throws if its script is gone.
  private func fieldOfRemoved(_ call: LuaCall) throws -> LuaValue {
    guard let name = hostName(at: 1, on: call.L), case .text(let key) = try call[1] else { return .nil }
    if key == "name" { return .text(name) }
    if let gone = goneScript(clua_hostNumber(call.L, 1)) { throw gone }
    if let function = hostCall(key, of: .window) { return .function(function) }
    if ObjectTable.allCases.contains(where: { $0.name == key }) { throw LuaMisuse("'\(name)' was removed") }
    return .nil
  }

  /// Returns a field of a class or its ancestors.
  func field(_ key: String, from ancestor: ClassDefinition?) throws -> LuaValue {
    var definition = ancestor
    while let known = definition {
      if let table = known.scriptObject as? ScriptClass {
        let value = try lua.rawGet(.text(key), of: table.fields)
        if case .nil = value {} else { return value }
      }
      definition = known.ancestor
    }
    return .nil
  }

  private var readClassField: Body {
    { [unowned self] call in
      let made = try scriptClass(call)
      guard case .text(let key) = try call[1] else { return .values([try lua.rawGet(try call[1], of: made.fields)]) }
      if key == "name" { return .values([.text(made.definition.name)]) }
      guard let table = ObjectTable.allCases.first(where: { $0.name == key }) else {
        if let hook = Hook(rawValue: key) { return .values([try hook.read(made.definition.behaviour, lua)]) }
        if key == "undo" { return .values([try value(of: made.definition.behaviour.undo)]) }
        if key == "class" { return .values([made.definition.ancestor.map { .text($0.name) } ?? .nil]) }
        return .values([try field(key, from: made.definition)])
      }
      if made.tables[table] == nil {
        clua_newHostTable(lua.L, made.number, metatable(.table(table)))
        lua.push(text: made.definition.name, on: lua.L)
        clua_setHostName(lua.L, -2)
        made.tables[table] = lua.takeReference()
      }
      clua_pushReference(call.L, made.tables[table]?.id ?? 0)
      return .pushed(1)
    }
  }

  private var writeField: Body {
    { [unowned self] call in
      let (responder, owner) = try receiver(call, "field = value", isOperator: true)
      let key = try call[1]
      if case .text(let name) = key {
        if try setHostField(name, try call[2], of: responder, owner: owner) { return .nothing }
      } else {
        try refuseForeignField("[\(key.described)]", of: responder, owner)
      }
      clua_setTop(call.L, 3)
      if !clua_rawSet(call.L, 1) { throw LuaMisuse("a field's name can't be nil or NaN") }
      return .nothing
    }
  }

  // MARK: Handlers

  /// Returns the table `on`, `can` … of a responder in an owner's scripts.
  func objectTable(_ table: ObjectTable, of responder: Responder, for owner: ScriptOwner) -> Int32 {
    let object = object(responder, for: owner)
    if let known = object.tables[table] {
      // A table that is read again is likely to be read often, so from now on C finds it.
      if viewer == nil { keep(table.name, known, in: object) }
      return known.id
    }
    pushTable(of: responder, for: owner, metatable: metatable(.table(table)))
    let reference = lua.takeReference()
    object.tables[table] = reference
    return reference.id
  }

  private func keep(_ part: String, _ reference: LuaReference, in object: ScriptObject) {
    _ = clua_room(lua.L, 3)
    clua_pushReference(lua.L, object.reference.id)
    clua_pushReference(lua.L, key(part))
    clua_pushReference(lua.L, reference.id)
    clua_keepPart(lua.L)
  }

  private func readHandler(_ call: LuaCall, _ table: ObjectTable) throws -> LuaReturn {
    guard case .text(let action) = try call[1] else { return .values([.nil]) }
    let behaviour = try tableReceiver(call, table).behaviour
    if table == .keys { return .values([read(keys: action, behaviour)]) }
    guard let name = host.names.name(of: action) else { return .values([.nil]) }
    return .values([try read(table, name, behaviour)])
  }

  private func read(_ table: ObjectTable, _ name: Name, _ behaviour: Behaviour) throws -> LuaValue {
    let handler: Handler?
    switch table {
    case .on: handler = behaviour.on[name]?.content
    case .can: handler = behaviour.can[name]?.content
    case .look: handler = behaviour.look[name]?.content
    case .build: handler = behaviour.build[name]?.content
    case .confirm:
      handler = behaviour.confirm[name]?.content
      if let said = handler as? SaidConfirmation { return .text(said.text) }
    case .needs: return try behaviour.needs[name].map { try read($0.content) } ?? .nil
    case .takes: return (behaviour.takes[name]?.content.source as? ScriptValue)?.value ?? .nil
    case .about: return try behaviour.about[name].map { try read($0.content) } ?? .nil
    case .keys: return .nil
    }
    return (handler as? ScriptHandler).map { .function($0.function) } ?? .nil
  }

  private func writeHandler(_ call: LuaCall, _ table: ObjectTable) throws -> LuaReturn {
    let receiver = try tableReceiver(call, table)
    let action = try entryName(try call[1], table, in: receiver.behaviour)
    try refuseWhileAsking("registering", exceptResolving: table == .keys ? nil : receiver.responder)
    let content = try content(table, action, try call[2], receiver.owner, place(call.place))
    try checkKept(content.keptBytes, for: receiver.owner)
    put(content, into: table, action, receiver.behaviour, receiver.responder)
    return .nothing
  }

  /// Returns the responder or the class of a table that a script writes to.
  private func tableReceiver(
    _ call: LuaCall, _ table: ObjectTable
  ) throws -> (behaviour: Behaviour, responder: Responder?, owner: ScriptOwner) {
    let number = clua_hostNumber(call.L, 1)
    if number > 0, number & ScriptClass.mark != 0 {
      let made = try scriptClass(call)
      return (made.definition.behaviour, nil, made.owner)
    }
    let (responder, owner) = try receiver(number, call, table.name)
    return (try layer(of: responder, for: owner), responder, owner)
  }
}
