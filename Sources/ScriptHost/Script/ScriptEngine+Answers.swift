import CLua
import CScript

// Converts scripts' results to the core's types.

extension ScriptEngine {
  /// Returns the reply of a handler. Pops the value on top.
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
    default:
      // After `ctx:super()` another script's function may run for the handler.
      let failed = Int(clua_failedScript(L))
      let runner = failed > 0 ? script(failed)?.owner ?? owner : owner
      return .failed(failure(lua.takeError(answer.status, on: L), owner: runner))
    }
  }

  /// Converts an error of Lua to a failure of an owner.
  func failure(_ error: LuaError, owner: Owner) -> Failure {
    if let passed = error.cause as? Failure { return passed }
    let place = pointed(error)
    let text = place?.line == error.place?.line ? error.place?.text : place.flatMap { lua.line($0.line, of: $0.file) }
    var failure = Failure(
      .script, hinted(error), place: place, text: text, traceback: error.traceback, owner: owner.name,
      cause: error.cause)
    // A script can catch the error of an overlarge block. If it doesn't, it has exceeded a limit too.
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

  /// Returns the look in the result of a handler's `look`.
  func look(at index: Int32, of handler: ScriptHandler) -> Result<Look, Failure> {
    Result { try look(at: index, at: handler.place) }.mapError { misuse($0, handler) }
  }

  /// Returns the look in the result of an item's `look`, which has the fields of a responder's.
  func itemLook(at index: Int32, of function: ElementFunction) -> Result<Look, Failure> {
    Result { try look(at: index, at: function.place) }.mapError(function.misuse)
  }

  /// Returns the look in the result of a menu's `look`: a title, or whether the menu is hidden.
  func menuLook(at index: Int32, of function: ElementFunction) -> Result<Look, Failure> {
    Result { try look(at: index, at: function.place, of: .menuLook) }.mapError(function.misuse)
  }

  func paneLook(at index: Int32, of function: ElementFunction) -> Result<Look, Failure> {
    Result { try look(at: index, at: function.place, of: .paneLook) }.mapError(function.misuse)
  }

  /// Returns the failure for an unusable result of a function.
  func misuse(_ error: any Error, _ handler: ScriptHandler) -> Failure {
    let message = (error as? LuaMisuse)?.message ?? "\(error)"
    return Failure(
      .misuse, message, place: handler.place, text: handler.place.flatMap { lua.line($0.line, of: $0.file) },
      owner: handler.owner.name)
  }

  /// Returns a script's reason why an action can't be done.
  func reason(at index: Int32, on L: OpaquePointer) -> String? {
    switch clua_type(L, index) {
    case CLUA_TSTRING.rawValue: return lua.text(at: index, on: L)?.shown(hasLines: true)
    case CLUA_TNUMBER.rawValue:
      return clua_isInteger(L, index) ? "\(clua_integer(L, index))" : "\(clua_number(L, index))"
    default: return nil
    }
  }

  /// Returns the claim in the result of a `claims` function: yes, no, or a table in the place of `can` and `look`.
  func claim(at index: Int32, of handler: ScriptHandler) throws -> Claim {
    guard clua_type(lua.L, index) == CLUA_TTABLE.rawValue else { return Claim(isClaimed: clua_bool(lua.L, index)) }
    var reason: String?
    let look = try look(at: index, at: handler.place, of: .claims) { value in
      switch value {
      case .bool(false): break
      case .text(let text): reason = text.isEmpty ? nil : text.shown(hasLines: true)
      default: throw LuaMisuse("the 'reason' of claims must be a string, not \(value.described)")
      }
    }
    var claim = Claim.looking(look)
    claim.reason = reason
    return claim
  }

  /// The functions that return a look.
  private enum LookQuestion: String {
    case look, claims
    case menuLook = "the look of a menu"
    case paneLook = "the look of a pane"

    /// Whether a menu or a pane has it. Its look has fewer fields than an item's.
    var isOfMenu: Bool { self == .menuLook || self == .paneLook }

    func fields(_ names: ElementFieldNames) -> KnownFields {
      switch self {
      case .look: names.look
      case .claims: names.claims
      case .menuLook: names.menuLook
      case .paneLook: names.paneLook
      }
    }
  }

  /// Returns the look in the value at an index. `claims` may return a reason with it.
  private func look(
    at index: Int32, at place: @autoclosure () -> Place?, of question: LookQuestion = .look,
    reason: ((LuaValue) throws -> Void)? = nil
  ) throws -> Look {
    var look = Look()
    let name = question.isOfMenu ? "look" : question.rawValue
    if clua_type(lua.L, index) == CLUA_TNIL.rawValue { return look }
    guard clua_type(lua.L, index) == CLUA_TTABLE.rawValue else {
      throw LuaMisuse("\(name) must return a table or nil, not \(try lua.value(at: index, on: lua.L).described)")
    }
    let odd: (LuaValue) throws -> Void = {
      throw LuaMisuse("\(name) must return named fields: \($0.described) can't be a name")
    }
    let table = index < 0 ? clua_top(lua.L) + 1 + index : index
    try forEachField(table, of: question.fields(fieldNames), lua.L, others: odd) { field, L in
      switch field {
      case "title": (look.title, look.spans) = try text(field, at: place())
      case "hidden": look.hidden = clua_bool(L, -1)
      case "subtitle" where question != .menuLook:
        (look.subtitle, look.subtitleSpans) = try text(field, at: place())
      case "icon" where !question.isOfMenu:
        let (icon, spans) = try text(field, at: place())
        (look.icon, look.iconStyle) = (icon, spans?.spans.first?.style)
      case "destructive" where !question.isOfMenu: look.destructive = clua_bool(L, -1)
      case "state" where !question.isOfMenu: look.state = try state()
      case "reason" where reason != nil: try reason?(lua.value(at: -1, on: L))
      default: unknownLookField(field, of: question, at: place())
      }
    }
    return look
  }

  /// Returns the text of a look on top of the stack.
  private func text(_ field: String, at place: @autoclosure () -> Place?) throws -> (String, StyledText?) {
    if clua_type(lua.L, -1) == CLUA_TSTRING.rawValue,
      let text = shownText(try lua.value(at: -1, on: lua.L), "look's '\(field)'", at: place())
    {
      charge(text.utf8.count)
      return (text, nil)
    }
    guard let styled = try styledText(at: -1, "look's '\(field)'", at: place()) else {
      throw LuaMisuse("'\(field)' of a look must be a string, not \(try lua.value(at: -1, on: lua.L).described)")
    }
    // A snapshot keeps the text for each item, so the script is charged for long texts of thousands of items.
    charge(styled.isPlain ? styled.text.utf8.count : 2 * styled.keptBytes)
    return (styled.text, styled.unlessPlain)
  }

  /// Returns the state of a look on top of the stack.
  private func state() throws -> Look.State {
    let value = try lua.value(at: -1, on: lua.L)
    if let state = Look.State(value) { return state }
    let found = if case .text(let text) = value { "\"\(text)\"" } else { value.described }
    throw LuaMisuse("'state' of a look must be \(Look.State.kinds), not \(found)")
  }

  private func unknownLookField(_ field: String, of question: LookQuestion, at place: Place?) {
    if question.isOfMenu {
      let known = question.fields(fieldNames).names
      return unknownField(field, of: "the result of \(question.rawValue)", known, at: place)
    }
    let isOfCan = question == .look && ["enabled", "disabled", "can", "reason"].contains(field)
    let known = nearest(to: field, among: fieldNames.look.names).first
    report(
      Diagnostic(
        .warning, "look-field", "\(question.rawValue) returns an unknown field '\(field)'", place: place,
        help: isOfCan ? Self.enabledByCan : known.map { "did you mean '\($0)'?" }))
  }

  func report(_ diagnostic: Diagnostic) { host.report(diagnostic) }

  // MARK: Errors as scripts see them

  /// Pushes a failure as a table: `message`, `file`, `line` …; `tostring` returns the message.
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

  /// Returns the failure after a `failed` hook: nil ends it, a table or a string changes it.
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

extension Look.State {
  /// The possible values of a state, for a message.
  static let kinds = "a boolean, \"on\", \"off\" or \"mixed\""

  /// Creates a state from a script's value; nil for any other value.
  init?(_ value: LuaValue) {
    switch value {
    case .bool(let isOn): self = isOn ? .on : .off
    case .text(let word): self.init(rawValue: word)
    default: return nil
    }
  }
}
