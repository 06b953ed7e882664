import ScriptHost

/// Writes answers, and the values in them, as JSON: for programs, and for clients that read them back.
package struct AnswerJSON {
  /// Whether all of an answer is written, so that `AnswerReader` can read it back; the JSON for programs leaves some members out.
  package var isWhole = false

  /// Finds the text of the script's line at a place, for clients that can't read the script; written only if `isWhole`.
  var lineText: (Place) -> String? = { _ in nil }

  package init(whole: Bool = false) { isWhole = whole }

  // MARK: The answers

  package func members(_ app: Answer.App) -> [(String, JSON)] {
    let members: [(String, JSON)] =
      [
        ("app", .object(optional("title", app.title) + [("source", .text(app.source))])),
        ("focus", .text(app.focus)),
        ("chain", .list(app.chain.map(node))),
        ("menus", .list(app.menus.map(json))),
      ]
      + (app.panel.map { [("panel", .list($0.map(json)))] } ?? []) + [
        ("outcomes", .list(app.outcomes.map { json($0) })),
        ("diagnostics", .list(app.diagnostics.map(json))),
      ]
    return isWhole ? members + [("others", .list(app.others.map(node)))] : members
  }

  private func node(_ node: Answer.Node) -> JSON {
    var members: [(String, JSON)] = [("name", .text(node.name)), ("owner", .text(node.owner))]
    guard isWhole else { return .object(members) }
    if node.isWindow { members.append(("window", .bool(true))) }
    if node.isKey { members.append(("key", .bool(true))) }
    if node.isMain { members.append(("main", .bool(true))) }
    if !node.actions.isEmpty {
      members.append(
        (
          "actions",
          .list(node.actions.map { .object([("name", .text($0.name))] + self.members($0.validation)) })
        ))
    }
    if node.hasMore { members.append(("more", .bool(true))) }
    return .object(members)
  }

  package func json(_ done: Answer.Done) -> JSON {
    var json = JSONWriter()
    json.raw("{")
    write(done, to: &json)
    json.raw("}")
    return .written(json.text)
  }

  /// Writes the members of an answer, after others or after the '{'.
  package func write(_ done: Answer.Done, to json: inout JSONWriter) {
    switch done {
    case .performed(let performed): write(performed, to: &json)
    case .evaluated(let evaluated): json.members(members(evaluated))
    case .focused(let focused): json.members(members(focused))
    }
  }

  package func members(_ evaluated: Answer.Evaluated) -> [(String, JSON)] {
    [("eval", .text(evaluated.line)), ("values", .list(evaluated.values.map(json)))]
      + (isWhole ? [("inspected", .list(evaluated.inspected.map(json)))] : [])
      + (evaluated.failure.map { [("error", json($0))] } ?? [])
      + members(evaluated.changes)
  }

  package func members(_ focused: Answer.Focused) -> [(String, JSON)] {
    [("focus", .text(focused.name)), ("focused", .bool(focused.hasFocus))] + optional("reason", focused.reason)
      + members(focused.changes)
  }

  /// Writes the outcome of an action, which is written more often than all other answers together.
  package func write(_ performed: Answer.Performed, to json: inout JSONWriter) {
    json.string(behind: json.last == UInt8(ascii: "{") ? "\"action\": " : ", \"action\": ", performed.name)
    // The outcome is read property by property: a copy would retain each of them.
    write(", \"title\": ", performed.title, to: &json)
    json.string(behind: ", \"status\": ", performed.outcome.status.rawValue)
    write(", \"by\": ", performed.outcome.by, to: &json)
    write(", \"via\": ", performed.outcome.via?.rawValue, to: &json)
    switch performed.result {
    case .nil: break
    default:
      json.raw(", \"result\": ")
      json.value(self.json(performed.result))
    }
    // A handled action has neither a reason nor an error.
    if performed.outcome.status != .handled { writeObstacle(of: performed.outcome, to: &json) }
    if let changes = performed.changes {
      json.raw(", \"changes\": ")
      json.changes(changes.all, whole: isWhole)
    }
    write(", \"undo\": ", performed.undo, to: &json)
    if let trace = performed.trace {
      json.raw(", \"trace\": ")
      json.value(.list(trace.map(traced)))
    }
  }

  private func writeObstacle(of outcome: Outcome, to json: inout JSONWriter) {
    write(", \"reason\": ", outcome.reason, to: &json)
    write(", \"elsewhere\": ", outcome.elsewhere, to: &json)
    if let error = outcome.error {
      json.raw(", \"error\": ")
      json.value(self.json(error))
    }
    if let misfit = outcome.misfit {
      write(", \"argument\": ", misfit.argument, to: &json)
      write(", \"expected\": ", misfit.expected, to: &json)
    }
    if let question = outcome.asks {
      json.raw(", \"asks\": ")
      json.value(JSON(question.value))
    }
  }

  @inline(__always)
  private func write(_ name: StaticString, _ text: String?, to json: inout JSONWriter) {
    if let text { json.string(behind: name, text) }
  }

  package func json(_ validated: Answer.Validated) -> JSON {
    let validation = validated.validation
    let look = validation.look
    var members: [(String, JSON)] = [
      (validated.kind.rawValue, .text(validated.name)), ("enabled", .bool(validation.isEnabled)),
    ]
    members += optional("reason", validation.reason)
    members += optional("elsewhere", validation.elsewhere)
    members.append(("state", .text((look.state ?? .off).rawValue)))
    members.append(("title", .text(validated.title)))
    members.append(("hidden", .bool(look.hidden ?? false)))
    members += optional("by", validation.by)
    if let misfit = validation.misfit {
      members += [("argument", .text(misfit.argument)), ("expected", .text(misfit.expected))]
    }
    if let question = validation.asks { members.append(("asks", JSON(question.value))) }
    if isWhole { members.append(("look", .object(self.members(look)))) }
    return .object(members)
  }

  package func members(_ form: Form) -> [(String, JSON)] {
    let validation = form.validation
    let misfit = validation.misfit.map { [("argument", JSON.text($0.argument)), ("expected", .text($0.expected))] }
    return [("fields", JSON.list(form.fields.map { JSON($0.value) })), ("enabled", .bool(validation.isEnabled))]
      + optional("reason", validation.reason) + optional("by", validation.by)
      + optional("elsewhere", validation.elsewhere) + (misfit ?? [])
  }

  /// A validation with its whole look.
  private func members(_ validation: Validation) -> [(String, JSON)] {
    [("enabled", .bool(validation.isEnabled))] + optional("reason", validation.reason) + optional("by", validation.by)
      + [("look", .object(members(validation.look)))]
  }

  private func members(_ look: Look) -> [(String, JSON)] {
    optional("title", look.title) + optional("subtitle", look.subtitle) + optional("state", look.state?.rawValue)
      + optional("hidden", look.hidden) + optional("icon", look.icon) + optional("destructive", look.destructive)
  }

  package func members(_ explanation: Explanation) -> [(String, JSON)] {
    [("enabled", .bool(explanation.isEnabled))] + optional("by", explanation.by)
      + optional("reason", explanation.reason)
      + [
        ("steps", .list(explanation.steps.map { .object(members($0)) })), ("keys", .list(explanation.keys.map(key))),
        ("text", .text(explanation.text)),
      ]
  }

  private func members(_ step: Trace.Step) -> [(String, JSON)] {
    [("node", .text(step.node)), ("asked", .text(step.asked)), ("answer", .text(step.answer))] + members(step.place)
  }

  private func key(_ key: Explanation.Key) -> JSON {
    .object(
      [("key", .text(key.key))] + optional("by", key.by) + [("candidates", .list(key.candidates.map { .text($0) }))])
  }

  package func traced(_ traced: Answer.Traced) -> JSON {
    .object([("level", .integer(traced.level))] + members(traced.step))
  }

  package func members(_ chain: Answer.Chain) -> [(String, JSON)] {
    let links = chain.links.map { link -> JSON in
      .object([("name", .text(link.name)), ("owner", .text(link.owner))] + optional("answer", link.answer))
    }
    return [("chain", .list(links))] + (isWhole ? [("focus", .text(chain.focus))] : [])
  }

  package func members(_ entries: [Answer.Entry]) -> [(String, JSON)] {
    [
      (
        "context",
        .object(entries.map { ($0.key, .object([("value", json($0.value)), ("by", .text($0.by))])) })
      )
    ]
  }

  package func json(_ action: ActionEntry) -> JSON { JSON(action.value) }

  package func json(_ key: KeyEntry) -> JSON {
    var members: [(String, JSON)] = [
      ("key", .text(key.keys)), ("ref", .text(key.reference)), ("owner", .text(key.by)),
    ]
    if !key.others.isEmpty { members.append(("others", .list(key.others.map { .text($0) }))) }
    members += optional("conflict", key.conflict)
    if isWhole { members += [("item", .bool(key.isItem)), ("reached", .bool(key.isReached))] }
    return .object(members)
  }

  // MARK: Facts

  package func json(_ diagnostic: Diagnostic) -> JSON {
    .object(
      [
        ("severity", .text(diagnostic.severity.rawValue)), ("code", .text(diagnostic.code)),
        ("message", .text(diagnostic.message)),
      ] + members(diagnostic.place)
        + (isWhole ? optional("line_text", diagnostic.place.flatMap(lineText)) : [])
        + optional("help", diagnostic.help))
  }

  package func json(_ failure: Failure) -> JSON {
    .object(
      [("message", .text(failure.message))] + members(failure.place)
        + (isWhole ? optional("line_text", failure.text) : [])
        + optional("traceback", failure.traceback) + [("code", .text(failure.code.rawValue))]
        + optional("owner", failure.owner) + optional("limit", failure.limit?.rawValue))
  }

  package func members(_ place: Place?) -> [(String, JSON)] {
    guard let place else { return [] }
    let column: [(String, JSON)] = place.column.map { [("column", .integer($0))] } ?? []
    return [("file", .text(place.file)), ("line", .integer(place.line))] + column
  }

  private func optional(_ name: String, _ text: String?) -> [(String, JSON)] {
    text.map { [(name, .text($0))] } ?? []
  }

  private func optional(_ name: String, _ value: Bool?) -> [(String, JSON)] {
    value.map { [(name, .bool($0))] } ?? []
  }
}

extension AnswerJSON {
  package func json(_ element: MenuElement) -> JSON { .element(element, isWhole: isWhole) }
  func json(_ changes: [MenuChange]) -> JSON { .changes(changes, isWhole: isWhole) }

  /// The changes as a member; nothing if they weren't asked for.
  func members(_ changes: Answer.Changes?) -> [(String, JSON)] {
    changes.map { [("changes", json($0.all))] } ?? []
  }
}

// Writes values of scripts. A value that JSON can't write is named: `{"$": "function"}`.

extension AnswerJSON {
  package func json(_ value: LuaTree) -> JSON {
    switch value {
    case .nil: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return value.isFinite ? .number(value) : unsayable(value.isNaN ? "nan" : "\(value)")
    case .text(let value): return .text(value)
    case .bytes(let bytes):
      return isWhole ? .object([("$", .text("bytes")), ("count", .integer(bytes.count))]) : unsayable("bytes")
    case .opaque(let what): return unsayable(what)
    case .list(let values): return .list(values.map(json))
    case .map(let entries):
      let members = entries.map { (name(of: $0.key), json($0.value)) }
      // The keys 1 and "1" are different keys with the same name.
      if Set(members.map { ByteText($0.0) }).count < members.count { return unsayable("doubled keys") }
      return .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    }
  }

  private func unsayable(_ what: String) -> JSON { .object([("$", .text(what))]) }

  private func name(of key: LuaTree) -> String {
    if case .text(let text) = key { return text }
    return key.text
  }

  /// A value in detail, as a person looks at it: under the name of its kind.
  func json(_ value: Inspection) -> JSON {
    switch value {
    case .nil: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): value.isFinite ? .number(value) : unsayable(value.isNaN ? "nan" : "\(value)")
    case .text(let text): .text(text)
    case .bytes(let count): .object([("bytes", .integer(count))])
    case .function(let place): .object([("function", place == nil ? .null : .object(members(place)))])
    case .object(let name): .object([("object", .text(name))])
    case .cycle(let path): .object([("cycle", .text(path))])
    case .responder(let name, let fields):
      .object([("responder", .text(name)), ("fields", .object(members(fields)))])
    case .table(let table): .object(members(table))
    }
  }

  private func members(_ table: Inspection.Table) -> [(String, JSON)] {
    let entries = table.entries.map { JSON.list([json($0.key), json($0.value)]) }
    return [("table", .list(entries))] + (table.more > 0 ? [("more", .integer(table.more))] : [])
      + (table.isClosed ? [("closed", .bool(true))] : [])
  }
}
