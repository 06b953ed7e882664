import CLua
import CScript

// Converts what scripts return to the core's types.

extension ScriptEngine {
  /// The reply of a handler; its value is on top and is popped.
  func reply(_ answer: clua_Answer, owner: Owner) -> Reply {
    let L = lua.L
    switch clua_What(UInt32(bitPattern: answer.what)) {
    case CLUA_DID:
      defer { clua_pop(L, 1) }
      return .value(value(at: -1, on: L))
    case CLUA_PASSED:
      clua_pop(L, 1)
      return .pass
    case CLUA_REFUSED:
      defer { clua_pop(L, 1) }
      return .refused(reason(at: -1, on: L) ?? "")
    case CLUA_WAITS:
      clua_pop(L, 1)
      return .waiting(ScriptSuspension(self, owner: owner))
    default: return .failed(failure(lua.takeError(answer.status, on: L), owner: owner))
    }
  }

  /// An error of Lua's as a failure of an owner's.
  func failure(_ error: LuaError, owner: Owner) -> Failure {
    if let passed = error.cause as? Failure { return passed }
    let place = pointed(error)
    let text = place?.line == error.place?.line ? error.place?.text : place.flatMap { lua.line($0.line, of: $0.file) }
    var failure = Failure(
      .script, hinted(error), place: place, text: text, traceback: error.traceback, owner: owner.name,
      cause: error.cause)
    // A script can catch the error of a block that is too large; if it doesn't, it has spent a limit as well.
    if case .block = error.kind { failure.owner = noteViolation(by: owner, of: nil).name }
    guard let limit = error.limit else { return failure }
    switch limit {
    case .time: failure.limit = .time
    case .instructions: failure.limit = .instructions
    case .memory: failure.limit = .memory
    case .cancelled:
      failure.code = .cancelled
      return failure
    }
    failure.code = .limit
    failure.owner = noteViolation(by: owner, of: limit).name
    return failure
  }

  /// What a `look` answered.
  func look(at index: Int32, of handler: ScriptHandler) -> Result<Look, Failure> {
    let L = lua.L
    if clua_type(L, index) == CLUA_TNIL.rawValue { return .success(Look()) }
    if clua_type(L, index) == CLUA_TTABLE.rawValue, let look = usualLook(at: index) { return .success(look) }
    guard clua_type(L, index) == CLUA_TTABLE.rawValue, let table = try? lua.value(at: index, on: L) else {
      let found = (try? lua.value(at: index, on: L).typeName) ?? "value"
      return .failure(misuse(LuaMisuse("look answers a table or nil, not a \(found)"), handler))
    }
    return Result { try look(table, at: handler.place) }.mapError { misuse($0, handler) }
  }

  /// A look of known fields, each of its usual type; nil where there is anything else.
  private func usualLook(at index: Int32) -> Look? {
    var answer = clua_LookAnswer()
    guard clua_readLook(lua.L, index, &answer) else { return nil }
    var look = Look(state: answer.state, hidden: answer.hidden, destructive: answer.destructive)
    guard set(&look.title, answer.title), set(&look.subtitle, answer.subtitle), set(&look.icon, answer.icon) else {
      return nil
    }
    return look
  }

  /// Sets a field of a look; false if the bytes are not UTF-8.
  private func set(_ field: inout String?, _ text: clua_Text) -> Bool {
    guard let start = text.bytes else { return true }
    field = String(utf8: UnsafeRawBufferPointer(start: start, count: text.count))
    return field != nil
  }

  /// The answer of an item's `look`, which may say what that of a responder may.
  func itemLook(at index: Int32, of function: ElementFunction) -> Result<Look, Failure> {
    if clua_type(lua.L, index) == CLUA_TNIL.rawValue { return .success(Look()) }
    do {
      let value = try lua.value(at: index, on: lua.L)
      guard case .table = value else { throw LuaMisuse("look answers a table or nil, not \(value.described)") }
      return .success(try look(value, at: function.place))
    } catch {
      return .failure(function.misuse(error))
    }
  }

  /// What the `look` of a menu answered: a title, or whether it is hidden.
  func menuLook(at index: Int32, of function: ElementFunction) -> Result<Look, Failure> {
    let L = lua.L
    if clua_type(L, index) == CLUA_TNIL.rawValue { return .success(Look()) }
    do {
      guard case .table(let table) = try lua.value(at: index, on: L) else {
        throw LuaMisuse("look answers a table or nil, not \(try lua.value(at: index, on: L).described)")
      }
      var look = Look()
      try lua.forEach(in: table) { key, value in
        switch key {
        case .text("title"): look.title = try text(value, "title", at: function.place)
        case .text("hidden"): look.hidden = value.isTrue
        default:
          guard case .text(let field) = key else {
            throw LuaMisuse("look answers named fields, not \(key.described) as key")
          }
          unknownField(field, of: "what the look of a menu answers", ["title", "hidden"], at: function.place)
        }
        return true
      }
      return .success(look)
    } catch {
      return .failure(function.misuse(error))
    }
  }

  /// The failure of a function that answered what can't be used.
  func misuse(_ error: any Error, _ handler: ScriptHandler) -> Failure {
    let message = (error as? LuaMisuse)?.message ?? "\(error)"
    return Failure(
      .misuse, message, place: handler.place, text: handler.place.flatMap { lua.line($0.line, of: $0.file) },
      owner: handler.owner.name)
  }

  /// The reason, as a script gave it, why something can't be done.
  func reason(at index: Int32, on L: OpaquePointer) -> String? {
    switch clua_type(L, index) {
    case CLUA_TSTRING.rawValue: return lua.text(at: index, on: L)?.shown(hasLines: true)
    case CLUA_TNUMBER.rawValue:
      return clua_isInteger(L, index) ? "\(clua_integer(L, index))" : "\(clua_number(L, index))"
    default: return nil
    }
  }

  /// What the `claims` at an index answered: yes, no, or a table that stands for `can` and `look`.
  func claim(at index: Int32, of handler: ScriptHandler) throws -> Claim {
    guard clua_type(lua.L, index) == CLUA_TTABLE.rawValue else { return Claim(isClaimed: clua_bool(lua.L, index)) }
    let value = try lua.value(at: index, on: lua.L)
    guard case .table(let table) = value else { return .yes }
    var claim = Claim.looking(try look(value, at: handler.place, of: "claims"))
    switch try lua.rawGet("reason", of: table) {
    case .nil, .bool(false): break
    case .text(let reason): claim.reason = reason.isEmpty ? nil : reason.shown(hasLines: true)
    case let other: throw LuaMisuse("claims' 'reason' must be a string, not \(other.described)")
    }
    return claim
  }

  /// - Parameter question: what was asked; `claims` may give a reason as well.
  private func look(
    _ value: LuaValue, at place: @autoclosure () -> Place?, of question: String = "look"
  ) throws -> Look {
    guard case .table(let table) = value else { return Look() }
    var look = Look()
    var fields: [(name: String, value: LuaValue)] = []
    try lua.forEach(in: table) { key, value in
      guard case .text(let field) = key else {
        throw LuaMisuse("\(question) answers named fields, not \(key.described) as key")
      }
      fields.append((field, value))
      return true
    }
    // In one order, so that what is wrong with them is said in one order.
    for (field, value) in fields.sorted(by: { $0.name.precedesByBytes($1.name) }) {
      switch field {
      case "reason" where question == "claims": break
      case "title": look.title = try text(value, field, at: place())
      case "subtitle": look.subtitle = try text(value, field, at: place())
      case "icon": look.icon = try text(value, field, at: place())
      case "hidden": look.hidden = value.isTrue
      case "destructive": look.destructive = value.isTrue
      case "state":
        look.state = Look.State(value)
        if look.state == nil {
          let found = if case .text(let text) = value { "\"\(text)\"" } else { value.described }
          throw LuaMisuse("look's 'state' must be \(Look.State.kinds), not \(found)")
        }
      default:
        let isOfCan = question == "look" && ["enabled", "disabled", "can", "reason"].contains(field)
        let known = nearest(to: field, among: ["title", "subtitle", "icon", "hidden", "destructive", "state"]).first
        report(
          Diagnostic(
            .warning, "look-field", "\(question) answers an unknown field '\(field)'", place: place(),
            help: isOfCan ? Self.enabledByCan : known.map { "did you mean '\($0)'?" }))
      }
    }
    return look
  }

  private func text(_ value: LuaValue, _ field: String, at place: @autoclosure () -> Place?) throws -> String {
    guard let text = shownText(value, "look's '\(field)'", at: place()) else {
      throw LuaMisuse("look's '\(field)' must be a string, not \(value.described)")
    }
    return text
  }

  func report(_ diagnostic: Diagnostic) { host.report(diagnostic) }

  // MARK: Errors as scripts see them

  /// Pushes a failure as a table: `message`, `file`, `line` …; tostring gives the message.
  func push(_ failure: Failure, on L: OpaquePointer) {
    var members: [(key: String, value: Value)] = [
      ("message", .text(failure.message)), ("code", .text(failure.code.rawValue)),
    ]
    if let place = failure.place {
      lua.noteTold(line: place.line, of: place.file)
      members.append(("file", .text(place.file)))
      members.append(("line", .integer(place.line)))
      if let column = place.column { members.append(("column", .integer(column))) }
    }
    if let traceback = failure.traceback { members.append(("traceback", .text(traceback))) }
    if let owner = failure.owner { members.append(("owner", .text(owner))) }
    if let limit = failure.limit { members.append(("limit", .text(limit.rawValue))) }
    if failure.ended { members.append(("ended", .bool(true))) }
    push(.object(members), on: L)
    clua_pushReference(L, metatable(.failure))
    clua_setRawMetatable(L, -2)
  }

  /// What a `failed` hook made of a failure: nil ends it, a table or a string changes it.
  func failure(at index: Int32, insteadOf failure: Failure, on L: OpaquePointer) -> Failure? {
    switch clua_type(L, index) {
    case CLUA_TNIL.rawValue: return nil
    case CLUA_TSTRING.rawValue:
      var changed = failure
      changed.message = lua.text(at: index, on: L) ?? failure.message
      return changed
    case CLUA_TTABLE.rawValue:
      var changed = failure
      clua_copy(L, index)
      clua_pushReference(L, key("message"))
      clua_rawGet(L, -2)
      if let message = lua.text(at: -1, on: L) { changed.message = message }
      clua_pop(L, 2)
      return changed
    default: return failure
    }
  }
}

extension Look {
  /// A look with these of C's answers, in which -1 says nothing.
  init(state: Int32, hidden: Int32, destructive: Int32) {
    if state >= 0 { self.state = State(number: state) }
    if hidden >= 0 { self.hidden = hidden > 0 }
    if destructive >= 0 { self.destructive = destructive > 0 }
  }
}

extension Look.State {
  /// What a script may give as a state, for a message.
  static let kinds = "a boolean, \"on\", \"off\" or \"mixed\""

  /// A state by C's number.
  init(number: Int32) { self = number == 0 ? .off : number == 1 ? .on : .mixed }

  /// A state as scripts write it; nil for any other value.
  init?(_ value: LuaValue) {
    switch value {
    case .bool(let isOn): self = isOn ? .on : .off
    case .text(let word): self.init(rawValue: word)
    default: return nil
    }
  }
}
