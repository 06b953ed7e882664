import ScriptHost

/// Makes JSON for programs: one object, `{"menuctl": 1, "ok": …, …}`.
enum JSONRenderer {
  static func text(_ answer: Answer) -> String {
    switch answer {
    case .text(let text): object([("text", .text(text))])
    case .app(let app): object(members(app), ok: app.outcomes.allSatisfy(\.isWell))
    case .menus(let menus): object([("menus", .list(menus.map(json)))])
    case .validations(let validated):
      object([("items", .list(validated.map(item)))], ok: validated.allSatisfy(\.validation.isEnabled))
    case .explanation(let explanation): object(members(explanation))
    case .chain(let links, focus: _): object([("chain", .list(links.map { link($0.name, $0.owner, $0.answer) }))])
    case .context(let entries): object([("context", .object(entries.map(entry)))])
    case .keys(let keys): object([("keys", .list(keys.map(json)))])
    case .findings(let findings, in: _):
      object([("diagnostics", .list(findings.map(json)))], ok: findings.isEmpty)
    case .tests(let report): object(members(report), ok: report.status == .done)
    case .plugins(let plugins):
      object([("plugins", .list(plugins.map(json)))], ok: plugins.allSatisfy { $0.problem == nil })
    case .done(let done): object(members(done), ok: done.isWell)
    case .replay(let replay): object(members(replay), ok: replay.status == .done)
    }
  }

  static func text(_ problem: Problem) -> String {
    let diagnostic: Diagnostic
    switch problem.content {
    case .script(let own): diagnostic = own
    case .sentence(let sentence, let help):
      diagnostic = Diagnostic(.error, problem.status == .limit ? "limit" : "usage", sentence, help: help)
    case .reference(let error):
      let place = Place(file: "reference", line: 1, column: error.column)
      diagnostic = Diagnostic(.error, "reference", error.message, place: place)
    }
    return object([("diagnostics", .list([json(diagnostic)]))], ok: false)
  }

  private static func object(_ members: [(String, JSON)], ok: Bool = true) -> String {
    JSONText.text(.object([("menuctl", .integer(1)), ("ok", .bool(ok))] + members))
  }

  // MARK: The answers

  private static func members(_ app: Answer.App) -> [(String, JSON)] {
    let source: [(String, JSON)] = [("source", .text(app.source))]
    return [
      ("app", .object((app.title.map { [("title", .text($0))] } ?? []) + source)),
      ("focus", .text(app.focus)),
      ("chain", .list(app.chain.map { link($0.name, $0.owner, nil) })),
      ("menus", .list(app.menus.map(json))),
      ("outcomes", .list(app.outcomes.map { .object(members($0)) })),
      ("diagnostics", .list(app.diagnostics.map(json))),
    ]
  }

  static func members(_ done: Answer.Done) -> [(String, JSON)] {
    switch done {
    case .performed(let performed): members(performed)
    case .evaluated(let evaluated): members(evaluated)
    case .focused(let focused): members(focused)
    }
  }

  static func members(_ evaluated: Answer.Evaluated) -> [(String, JSON)] {
    [("eval", .text(evaluated.line)), ("values", .list(evaluated.values.map(json)))]
      + (evaluated.failure.map { [("error", json($0))] } ?? [])
      + [("changes", .list(evaluated.changes.all.map(json)))]
  }

  static func members(_ performed: Answer.Performed) -> [(String, JSON)] {
    let outcome = performed.outcome
    var members: [(String, JSON)] = [
      ("action", .text(performed.name)), ("status", .text(outcome.status.rawValue)),
    ]
    if let by = outcome.by { members.append(("by", .text(by))) }
    if let via = outcome.via { members.append(("via", .text(via.rawValue))) }
    if performed.result != .nil { members.append(("result", json(performed.result))) }
    if let reason = outcome.reason { members.append(("reason", .text(reason))) }
    if let error = outcome.error { members.append(("error", json(error))) }
    members.append(("changes", .list(performed.changes.all.map(json))))
    if let undo = performed.undo { members.append(("undo", .text(undo))) }
    if let traces = performed.traces { members.append(("trace", .list(traces.flatMap(\.steps).map(traced)))) }
    return members
  }

  private static func item(_ validated: Answer.Validated) -> JSON {
    let validation = validated.validation
    let look = validation.look
    var members: [(String, JSON)] = [
      (validated.kind.rawValue, .text(validated.name)), ("enabled", .bool(validation.isEnabled)),
    ]
    if let reason = validation.reason { members.append(("reason", .text(reason))) }
    members.append(("state", .text((look.state ?? .off).rawValue)))
    members.append(("title", .text(validated.title)))
    members.append(("hidden", .bool(look.hidden ?? false)))
    if let by = validation.by { members.append(("by", .text(by))) }
    return .object(members)
  }

  private static func members(_ explanation: Explanation) -> [(String, JSON)] {
    var members: [(String, JSON)] = [("enabled", .bool(explanation.isEnabled))]
    if let by = explanation.by { members.append(("by", .text(by))) }
    if let reason = explanation.reason { members.append(("reason", .text(reason))) }
    members.append(("steps", .list(explanation.steps.map(step))))
    members.append(("keys", .list(explanation.keys.map(key))))
    return members + [("text", .text(explanation.text))]
  }

  private static func step(_ step: Explanation.Step) -> JSON {
    .object(
      [("node", .text(step.node)), ("asked", .text(step.asked)), ("answer", .text(step.answer))] + members(step.place))
  }

  private static func traced(_ level: Int, _ step: Trace.Step) -> JSON {
    .object(
      [
        ("level", .integer(level)), ("node", .text(step.node)), ("asked", .text(step.asked)),
        ("answer", .text(step.answer)),
      ] + members(step.place))
  }

  private static func key(_ key: Explanation.Key) -> JSON {
    let by: [(String, JSON)] = key.by.map { [("by", .text($0))] } ?? []
    return .object([("key", .text(key.key))] + by + [("candidates", .list(key.candidates.map { .text($0) }))])
  }

  private static func link(_ name: String, _ owner: String, _ answer: String?) -> JSON {
    let answer: [(String, JSON)] = answer.map { [("answer", .text($0))] } ?? []
    return .object([("name", .text(name)), ("owner", .text(owner))] + answer)
  }

  private static func entry(_ entry: Answer.Entry) -> (String, JSON) {
    (entry.key, .object([("value", json(entry.value)), ("by", .text(entry.by))]))
  }

  // MARK: Facts

  static func json(_ diagnostic: Diagnostic) -> JSON {
    var members: [(String, JSON)] = [
      ("severity", .text(diagnostic.severity.rawValue)), ("code", .text(diagnostic.code)),
      ("message", .text(diagnostic.message)),
    ]
    members += self.members(diagnostic.place)
    if let help = diagnostic.help { members.append(("help", .text(help))) }
    return .object(members)
  }

  static func json(_ failure: Failure) -> JSON {
    var members: [(String, JSON)] = [("message", .text(failure.message))] + self.members(failure.place)
    if let traceback = failure.traceback { members.append(("traceback", .text(traceback))) }
    members.append(("code", .text(failure.code.rawValue)))
    if let owner = failure.owner { members.append(("owner", .text(owner))) }
    if let limit = failure.limit { members.append(("limit", .text(limit.rawValue))) }
    return .object(members)
  }

  private static func members(_ place: Place?) -> [(String, JSON)] {
    guard let place else { return [] }
    let column: [(String, JSON)] = place.column.map { [("column", .integer($0))] } ?? []
    return [("file", .text(place.file)), ("line", .integer(place.line))] + column
  }

  /// A value of a script's; what JSON can't say is named.
  private static func json(_ value: LuaTree) -> JSON {
    switch value {
    case .nil: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return value.isFinite ? .number(value) : unsayable(value.isNaN ? "nan" : "\(value)")
    case .text(let value): return .text(value)
    case .bytes: return unsayable("bytes")
    case .opaque(let what): return unsayable(what)
    case .list(let values): return .list(values.map(json))
    case .map(let entries):
      let members = entries.map { (name(of: $0.key), json($0.value)) }
      // The keys 1 and "1" are two, and have one name.
      if Set(members.map { ByteText($0.0) }).count < members.count { return unsayable("doubled keys") }
      return .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    }
  }

  private static func unsayable(_ what: String) -> JSON { .object([("$", .text(what))]) }

  private static func name(of key: LuaTree) -> String {
    if case .text(let text) = key { return text }
    return TextRenderer().text(key)
  }
}
