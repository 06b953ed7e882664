import CLua
import CScript

// The declaring words of scripts: window, responder, class, focus, observe, listen, log, print.

extension ScriptEngine {
  /// The declaring words, which a script may hide by mistake with a local of the same name.
  var constructors: [String] {
    ["responder", "window", "class", "focus", "modal", "observe", "listen", "log", "app"] + Self.elementConstructors
  }

  /// The names for declaring, observing, printing and waiting, with `app`, `pass` and `null`.
  static let declaringNames: [ScriptName] = [
    ScriptName("responder") { try $0.declare(.responder, $1, $2) },
    ScriptName("window") { try $0.declare(.window, $1, $2) },
    ScriptName("class") { try $0.declareClass($1, $2) },
    ScriptName("focus") { engine, call, _ in try engine.focus(call) },
    ScriptName("modal") { try $0.modal($1, $2) },
    ScriptName("observe") { try $0.observe($1, $2) },
    ScriptName("listen") { try $0.listen($1, $2) },
    ScriptName("emit") { try $0.emit($1, $2) },
    ScriptName("log") { try $0.log($1, $2) },
    ScriptName("print") { try $0.print($1, $2) },
    ScriptName("sleep", pushed: { engine, _ in engine.pushSleep() }),
    ScriptName("progress") { engine, call, _ in try engine.sayProgress(call) },
    ScriptName("pass", pushed: { engine, _ in clua_pushReference(engine.lua.L, clua_passReference(engine.lua.L)) }),
    ScriptName("null", pushed: { engine, _ in clua_pushReference(engine.lua.L, engine.nullReference) }),
    ScriptName(
      "app",
      pushed: { engine, script in clua_pushReference(engine.lua.L, engine.object(of: engine.chain.app, for: script)) }),
  ]

  // MARK: Responders

  private func declare(_ kind: Responder.Kind, _ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("declaring")
    let word = kind == .window ? "window" : "responder"
    if case .table = try call[0] {
      let found = try call[0].described
      throw LuaMisuse("the name of a \(word) must be a string, not \(found); write it first: \(word) \"…\" { … }")
    }
    let name = try call.text(0, "the name of a \(word)")
    try refuseFields(call, of: word, "its name")
    let responder = try allowing {
      try chain.add(name, kind: kind, owner: owner.owner, place: declarationPlace(call))
    }
    clua_pushReference(call.L, object(of: responder, for: owner))
    return .pushed(1)
  }

  /// `responder "grid" { next = main }`: handles the table after the name.
  func configure(_ call: LuaCall) throws -> LuaReturn {
    let (responder, owner) = try receiver(call, "responder {…}")
    // If a plugin's own code calls this table, its fields would go to another owner's responder.
    if viewer != nil, clua_isCallable(call.L, 2) {
      throw LuaMisuse("the fields of '\(responder.name)' must be a plain table, not one with __call")
    }
    guard case .table(let fields) = try call[1] else {
      let hidden =
        if case .text = try call[1] { ": rename the local '\(responder.kindWord)' that hides the host's" } else { "" }
      throw LuaMisuse(
        "this calls the \(responder.kindWord) '\(responder.name)' without a table of fields, but with \(try call[1].described)\(hidden)"
      )
    }
    var named: [(name: String, value: LuaValue)] = []
    try lua.forEach(in: fields) { key, value in
      if case .text(let name) = key {
        named.append((name, value))
      } else {
        try setRaw(key, value, call)
      }
      return true
    }
    // The order of a table differs in each process, and one host field may depend on another.
    for (name, value) in named.sorted(by: { $0.name.precedesByBytes($1.name) }) {
      if try !setHostField(name, value, of: responder, owner: owner) { try setRaw(.text(name), value, call) }
    }
    clua_setTop(call.L, 1)
    return .pushed(1)
  }

  /// Sets a field of a call's first argument.
  private func setRaw(_ key: LuaValue, _ value: LuaValue, _ call: LuaCall) throws {
    clua_copy(call.L, 1)
    try lua.push(key, on: call.L)
    try lua.push(value, on: call.L)
    _ = clua_rawSet(call.L, -3)
    clua_pop(call.L, 1)
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
    let number = newClassNumber()
    clua_newHostTable(lua.L, number, metatable(.classes))
    lua.push(text: definition.name, on: lua.L)
    clua_setHostName(lua.L, -2)
    let made = ScriptClass(
      definition: definition, owner: owner, fields: lua.newTable(), number: number, object: lua.takeReference(),
      register: classes)
    definition.scriptObject = made
    classes[number] = made
    return made
  }

  private func push(_ made: ScriptClass, on L: OpaquePointer) -> LuaReturn {
    clua_pushReference(L, made.object.id)
    return .pushed(1)
  }

  func scriptClass(_ call: LuaCall) throws -> ScriptClass {
    if let known = classes[clua_hostNumber(call.L, 1)] { return known }
    throw LuaMisuse(hostName(at: 1, on: call.L).map { "the class '\($0)' is gone" } ?? "this is not a class")
  }

  /// `class "base" { … }`: handles the table after the name.
  func configureClass(_ call: LuaCall) throws -> LuaReturn {
    let made = try scriptClass(call)
    guard case .table(let fields) = try call[1] else {
      let hidden = if case .text = try call[1] { ": rename the local 'class' that hides the host's" } else { "" }
      throw LuaMisuse(
        "this calls the class '\(made.definition.name)' without a table of fields, but with \(try call[1].described)\(hidden)"
      )
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
      if Hook(rawValue: name) != nil || Self.hostFields.contains(name) { try refuseWhileAsking("assigning '\(name)'") }
      if let table = ObjectTable.allCases.first(where: { $0.name == name }) {
        return try fill(table, from: value, in: made.definition.behaviour, of: nil, owner: made.owner)
      }
      if let hook = Hook(rawValue: name) {
        try set(hook, value, in: made.definition.behaviour, owner: made.owner)
        return chain.hooksChanged(of: nil, in: made.definition.behaviour)
      }
      if name == "class" {
        let ancestor = try ancestor(value, owner: made.owner)
        return try allowing { try chain.setAncestor(ancestor, of: made.definition) }
      }
      if name == "undo" {
        made.definition.behaviour.undo = try undoSetting(value)
        return chain.hooksChanged(of: nil, in: made.definition.behaviour)
      }
      if Self.hostFields.contains(name) {
        throw LuaMisuse("'\(name)' belongs to the host and can't be assigned to a class")
      }
    }
    try lua.rawSet(key, value, of: made.fields)
  }

  // MARK: Watching

  /// The most observers of an owner: each perform by any script visits all of them.
  private static let mostObservers = 1000

  private func observe(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("observing")
    try owner.checkIsThere()
    let pattern: ActionPattern
    switch try call[0] {
    case .text(let text): pattern = ActionPattern([try actionPattern(text)])
    case .table(let table):
      var patterns: [String] = []
      try lua.forEach(in: table) { _, value in
        guard case .text(let text) = value else {
          throw LuaMisuse("a pattern must be a string, not \(value.described)")
        }
        patterns.append(try actionPattern(text))
        return true
      }
      pattern = ActionPattern(patterns)
    default: throw LuaMisuse("observe takes the name of an action, a list of them, or \"*\"")
    }
    let function = try call.function(1, "the function of 'observe'")
    try checkKept(pattern.keptBytes, for: owner)
    guard dispatcher.observers.count(where: { $0.owner === owner.owner }) < Self.mostObservers else {
      throw LuaMisuse("'\(owner.owner.name)' has \(Self.mostObservers) observers already, and that is the limit")
    }
    let observer = ScriptObserver(pattern, function, of: owner, engine: self)
    return .values([try handle(host.observe(observer))])
  }

  /// Checks a pattern of action names: a misspelt one would match nothing, in silence.
  private func actionPattern(_ text: String) throws -> String {
    if text.isEmpty { throw LuaMisuse("a pattern can't be empty: write the name of an action, or \"*\" for all") }
    let text = try keptName(text, "a pattern")
    if text.dropLast().contains("*") { throw LuaMisuse("the pattern '\(text)' can have '*' only at its end") }
    return text
  }

  /// emit(name [, data])
  private func emit(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("emitting")
    try refuseWhileLoading("emitting")
    try owner.checkIsThere()
    let event = EmittedEvent(name: try call.text(0, "the name of an event"), data: value(try call[1]))
    do throws(Misuse) { try host.note(event) } catch { throw LuaMisuse(error.message) }
    // A test is no turn, so listeners hear of each event at once.
    if clua_phase(call.L) == CLUA_DRIVING.rawValue { dispatcher.doPostponed() }
    return .nothing
  }

  private func listen(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("listening")
    try owner.checkIsThere()
    let name = try keptName(try call.text(0, "the event of 'listen'"), "the name of an event")
    let function = try call.function(1, "the function of 'listen'")
    guard let kind = HostEvent.Kind(rawValue: name) else {
      if name.contains(".") {
        let place = place(call.place)
        let registration = try host.listen(name, owner: owner.owner, at: place) { [unowned self] event in
          notify(function, of: owner, [event.data, .text(event.name)])
        }
        return .values([try handle(registration)])
      }
      let known = HostEvent.Kind.allCases.map(\.rawValue)
      let own = name.contains("_") ? "; the names of your events need a dot, as in photo.changed" : nil
      throw LuaMisuse("there is no event '\(name)' to listen for\(own ?? meant(name, among: known))")
    }
    let registration = host.listen(kind, owner: owner.owner) { [unowned self] event in
      switch event {
      case .phase(let new, let old):
        notify(function, of: owner, [.text(new.rawValue), .text(old.rawValue)])
      case .focus(let new, let old): notify(function, of: owner, [.opaque(new), .opaque(old)])
      case .unhandled(let event, let near):
        notify(function, of: owner) { push(event, near: near, on: $0) }
      case .menu(let changes), .validation(let changes):
        notify(function, of: owner, [.list(changes.map(\.value))])
      case .reload(let ok): notify(function, of: owner, [.bool(ok)])
      }
    }
    return .values([try handle(registration)])
  }

  /// Returns the handle for removing a registration: `handle:remove()`.
  func handle(_ registration: Registration) throws -> LuaValue {
    let table = lua.newTable()
    // The registration may hold the handle, so the closure drops it on removal.
    var held: Registration? = registration
    let remove = lua.function { [unowned self] _ in
      try refuseWhileAsking("removing")
      held?.remove()
      held = nil
      return .nothing
    }
    try lua.rawSet("remove", .function(remove), of: table)
    return .table(table)
  }

  // MARK: Speaking

  private func log(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    let level = try call.text(0, "the level")
    guard let severity = LogLevel(rawValue: level) else {
      throw LuaMisuse("there is no level '\(level)'\(meant(level, among: LogLevel.allCases.map(\.rawValue)))")
    }
    let text = try call.texts(from: 1, between: " ")
    let entry = LogEntry(level: severity, text: text, owner: owner.owner.name, place: place(call.place))
    ration(text, of: owner) { host.log(entry) }
    return .nothing
  }

  private func print(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    let text = try call.texts(from: 0, between: "\t")
    ration(text, of: owner) { host.print(text) }
    return .nothing
  }
}
