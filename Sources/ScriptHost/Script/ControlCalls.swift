import CLua
import CScript

// The calls on `app` with which scripts and tests drive the host.

extension ScriptEngine {
  static let controlCalls: [(name: String, body: HostCalls.Body)] = [
    ("validate", { try $0.validate($1) }),
    ("chain", { try $0.chain($1) }),
    ("context", { try $0.context($1) }),
    ("why", { try $0.why($1) }),
    ("actions", { try $0.actions($1) }),
    ("jobs", { try $0.jobs($1) }),
    ("advance", { try $0.advance($1) }),
    ("answer", { try $0.answer($1) }),
    ("find", { try $0.find($1) }),
    ("windows", { try $0.windows($1) }),
  ]

  private func windows(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "windows")
    return .values([try list(chain.windows.map { .text($0.name) })])
  }

  private func list(_ values: [Value]) throws -> LuaValue {
    push(.list(values), on: lua.L)
    return .table(LuaTable(reference: lua.takeReference()))
  }

  // MARK: Performing

  /// perform(reference [, arguments] [, options])
  func perform(_ call: LuaCall, _ base: PerformOptions, _ owner: ScriptOwner) throws -> LuaReturn {
    var options = base
    try checkKept()
    if let table = try call.table(2, "the arguments") {
      (options.arguments, options.hasAnswers) = (try arguments(table), true)
    }
    var waits = true
    if let table = try call.table(3, "the options") { try read(table, into: &options, &waits, owner) }
    return try act(call, "performing", for: owner, waits: waits) { host in
      let reference = try call.reference(1)
      let outcome = waits ? host.perform(reference, options) : dispatcher.apart { host.perform(reference, options) }
      return outcome.hasObstacle ? placed(outcome, by: call) : outcome
    }
  }

  /// Adds the place of the call to the outcome of too deep a nesting, and warns, because the caller may ignore it.
  /// Returns any other outcome as it is.
  @inline(never)
  private func placed(_ outcome: Outcome, by call: LuaCall) -> Outcome {
    guard var error = outcome.error, error.code == .nesting, error.place == nil else { return outcome }
    error.place = place(call.place).map { place(of: "perform", from: $0, lines: 1) }
    error.text = call.place?.text
    warnOnce("nesting", error.message, at: error.place)
    var outcome = outcome
    outcome.error = error
    return outcome
  }

  func refuseWhileLoading(_ what: String) throws {
    if loading > 0 {
      throw LuaMisuse("\(what) is not possible while a script loads: do it in an action or in 'start'")
    }
  }

  /// Returns the fields of a table, sorted by name, because Lua's order differs each time.
  func arguments(_ table: LuaTable) throws -> Arguments {
    var fields: [(key: String, value: Value)] = []
    try lua.forEach(in: table) { key, value in
      guard case .text(let name) = key else {
        throw LuaMisuse("arguments are named, as in { to = \"disk\" }: \(key.described) can't be a name")
      }
      fields.append((name, self.value(value)))
      return true
    }
    if fields.count > 1 { fields.sort { $0.key.precedesByBytes($1.key) } }
    return Arguments(fields)
  }

  private func read(
    _ table: LuaTable, into options: inout PerformOptions, _ waits: inout Bool, _ owner: ScriptOwner
  ) throws {
    var read = options
    var wait = true
    var observers: [LuaFunction] = []
    try lua.forEach(in: table) { key, value in
      guard case .text(let name) = key else {
        throw LuaMisuse("options are named, as in { wait = false }: \(key.described) can't be a name")
      }
      switch name {
      case "to": read.to = try responder(value, "to")
      case "from": read.from = try responder(value, "from")
      case "info":
        guard case .table(let table) = value else { throw LuaMisuse("info must be a table, not \(value.described)") }
        read.info = try arguments(table)
      case "skip_validation": read.skipValidation = self.value(value).isOn
      case "modifiers": read.modifiers = try modifiers(value)
      case "sender": read.sender = .responder(try responder(value, "sender").name)
      case "observe":
        guard case .function(let function) = value else {
          throw LuaMisuse("observe must be a function, not \(value.described)")
        }
        observers.append(function)
      case "wait": wait = self.value(value).isOn
      case "confirmed": read.confirmed = value.isTrue
      case "asks": read.asks = value.isTrue
      case "exact": read.isExact = value.isTrue
      default:
        let known = [
          "to", "from", "info", "skip_validation", "modifiers", "sender", "observe", "wait", "confirmed", "asks",
          "exact",
        ]
        let near = nearest(to: name, among: known).first.map { "; did you mean '\($0)'?" } ?? ""
        throw LuaMisuse("perform has no option '\(name)'\(near)")
      }
      return true
    }
    if let function = observers.first {
      var isDeaf = false
      read.observe = { [unowned self] event in
        guard !isDeaf, let failure = notify(function, of: owner, { push(event, on: $0) }) else { return }
        isDeaf = failure.limit != nil && isSpent
        report(Diagnostic(failure))
      }
    }
    options = read
    waits = wait
  }

  private func modifiers(_ value: LuaValue) throws -> [String] {
    guard case .table(let table) = value else { throw LuaMisuse("modifiers must be a table, not \(value.described)") }
    var modifiers: [String] = []
    try lua.forEach(in: table) { key, value in
      switch (key, value) {
      case (.integer, .text(let name)): modifiers.append(name)
      case (.text(let name), let value): if value.isTrue { modifiers.append(name) }
      default: throw LuaMisuse("modifiers must be a table of names: { alt = true }")
      }
      return true
    }
    do throws(Misuse) {
      return try Modifiers.names(of: modifiers)
    } catch {
      throw LuaMisuse(error.message)
    }
  }

  func push(_ outcome: Outcome, on L: OpaquePointer) {
    _ = clua_room(L, 8)
    clua_newTable(L, 0, 4)
    set("status", .text(outcome.status.rawValue), on: L)
    if let by = outcome.by { set("by", .text(by), on: L) }
    if let via = outcome.via { set("via", .text(via.rawValue), on: L) }
    set("result", outcome.result, on: L)
    if !outcome.hasObstacle, outcome.status != .running { return }
    if let reason = outcome.reason ?? outcome.error?.message { set("reason", .text(reason), on: L) }
    if let elsewhere = outcome.elsewhere { set("elsewhere", .text(elsewhere), on: L) }
    if let job = outcome.job { set("job", .opaque(job), on: L) }
    if let question = outcome.asks {
      set("asks", question.value, on: L)
    }
    if let misfit = outcome.misfit {
      set("argument", .text(misfit.argument), on: L)
      set("expected", .text(misfit.expected), on: L)
    }
    if let error = outcome.error {
      clua_pushReference(L, key("error"))
      push(error, on: L)
      _ = clua_rawSet(L, -3)
    }
  }

  /// Sets a field of the table on top.
  func set(_ name: String, _ value: Value, on L: OpaquePointer) { set(key(name), value, on: L) }

  func set(_ key: Int32, _ value: Value, on L: OpaquePointer) {
    clua_pushReference(L, key)
    push(value, on: L)
    _ = clua_rawSet(L, -3)
  }

  // MARK: Asking

  private func validate(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "validate")
    let validation = try reading(call) { host.validate($0) } ?? Validation(enabled: false, reason: unreadable(call))
    if let coverage, !validation.isEnabled {
      coverage.saw(validation.reason, by: validation.by, of: try call.reference(1))
    }
    clua_newTable(call.L, 0, 8)
    set("enabled", .bool(validation.isEnabled), on: call.L)
    if let reason = validation.reason { set("reason", .text(reason), on: call.L) }
    if let by = validation.by { set("by", .text(by), on: call.L) }
    if let question = validation.asks { set("asks", question.value, on: call.L) }
    if let misfit = validation.misfit {
      set("argument", .text(misfit.argument), on: call.L)
      set("expected", .text(misfit.expected), on: call.L)
    }
    let look = validation.look
    set("state", .text((look.state ?? .off).rawValue), on: call.L)
    set("hidden", .bool(look.hidden ?? false), on: call.L)
    if let destructive = look.destructive { set("destructive", .bool(destructive), on: call.L) }
    if let title = look.title { set("title", .text(title), on: call.L) }
    if let subtitle = look.subtitle { set("subtitle", .text(subtitle), on: call.L) }
    if let icon = look.icon { set("icon", .text(icon), on: call.L) }
    return .pushed(1)
  }

  private func chain(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "chain")
    if case .nil = try call[1] { return .values([try list(host.chainNames.map { .text($0) })]) }
    guard let links = try reading(call, { try host.chain($0) }) else {
      return .values([.nil, .text(try unreadable(call))])
    }
    return .values([
      try list(
        links.map { link in
          .object(
            [("name", .text(link.name)), ("owner", .text(link.owner))]
              + (link.answer.map { [("answer", .text($0))] } ?? [])
          )
        })
    ])
  }

  private func context(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "context")
    let shown = if case .nil = try call[1] { try host.context() } else { try reading(call) { try host.context($0) } }
    guard let shown else { return .values([.nil, .text(try unreadable(call))]) }
    speaking(to: owner) { push(.object(shown.map { ($0.key, $0.value) }), on: call.L) }
    return .pushed(1)
  }

  private func why(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "why")
    let item = try call.text(1, "a reference or an id")
    let explanation =
      try host.why(item: item) ?? host.severalRows(item).map { Explanation(unanswered: $0) }
      ?? reading(call) { try host.why($0) } ?? Explanation(unanswered: unreadable(call))
    push(explanation.value, on: call.L)
    return .pushed(1)
  }

  private func actions(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "actions")
    let found = if case .nil = try call[1] { try host.actions() } else { try reading(call) { try host.actions($0) } }
    guard let found else { return .values([.nil, .text(try unreadable(call))]) }
    return .values([try list(found.map(\.value))])
  }

  private func find(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "find")
    let name = try call.text(1, "the name of a responder")
    guard let found = chain.find(name) else {
      let near = nearest(to: name, among: host.responders.map(\.name)).first.map { "; did you mean '\($0)'?" } ?? ""
      lastMissed = MissedLookup(name: name, sentence: "there is no responder '\(name)'\(near)", place: call.place)
      return .values([.nil])
    }
    clua_pushReference(call.L, object(of: found, for: owner))
    return .pushed(1)
  }

  /// Calls a body with the reference of a call; nil if the reference is invalid.
  private func reading<Answer>(_ call: LuaCall, _ answer: (String) throws -> Answer) throws -> Answer? {
    do {
      return try answer(try call.reference(1))
    } catch is ReferenceError {
      return nil
    }
  }

  /// Returns why the reference of a call is invalid.
  private func unreadable(_ call: LuaCall) throws -> String {
    do {
      _ = try Reference.parse(try call.reference(1))
      return ""
    } catch let error as ReferenceError {
      return error.render()
    }
  }
}

// Requests to the face that began the action (E6): open_palette(), open_menu(id), open_form(ref).

extension ScriptEngine {
  static let faceNames: [ScriptName] = [
    ScriptName("open_palette") { engine, _, _ in try engine.wish("open_palette") { .palette } },
    ScriptName("open_menu") { engine, call, _ in try engine.wish("open_menu") { try engine.wishedMenu(call) } },
    ScriptName("open_form") { engine, call, _ in try engine.wish("open_form") { try engine.wishedForm(call) } },
  ]

  private func wishedMenu(_ call: LuaCall) throws -> FaceWish {
    let id = try elementID(try call[0], "the id of a menu")
    guard let found = host.menuTrees.find(id) else { throw Misuse(.unknownName, host.unknownElement(id)) }
    let kind = found.node.element.kind
    if kind == .menu { return .menu(found.node.id) }
    throw Misuse(.unknownName, "'\(id)' is \(kind.described), not a menu")
  }

  private func wishedForm(_ call: LuaCall) throws -> FaceWish {
    let raw = try call.text(0, "the reference of an action")
    do {
      _ = try Reference.parse(raw)
      return .form(raw)
    } catch {
      throw LuaMisuse("open_form takes the reference of an action: \(error.message)")
    }
  }

  /// Passes a wish to the face. Returns true, or nil and the reason why nothing opens.
  private func wish(_ name: String, _ made: () throws -> FaceWish) throws -> LuaReturn {
    try refuseWhileAsking("\(name)")
    try refuseWhileLoading("\(name)")
    do {
      let wish = try made()
      guard host.onWish?(wish) ?? false else {
        throw Misuse(.notNow, "nothing can be opened: this action wasn't started from the terminal UI or another face")
      }
      host.wishes += 1
      return .values([.bool(true)])
    } catch let misuse as Misuse {
      return .values([.nil, .text(misuse.message)])
    }
  }
}
