import LiveHost
import ScriptHost

/// Renders answers as JSON for programs: one object, `{"menuctl": 1, "ok": …, …}`.
enum JSONRenderer {
  /// Makes the JSON of an app's answers.
  static var answers: AnswerJSON { AnswerJSON() }

  /// - Parameter isStarted: false if the app's `start` failed. Then `ok` is false for every answer.
  static func text(_ answer: Shown, isStarted: Bool = true) -> String {
    let (members, isWell) = content(of: answer)
    return object(members, ok: isWell && isStarted)
  }

  private static func content(of answer: Shown) -> (members: [(String, JSON)], isWell: Bool) {
    switch answer {
    case .text(let text): ([("text", .text(text))], true)
    case .version(let version): ([("version", .text(version))], true)
    case .app(let app): (answers.members(app), app.outcomes.allSatisfy(\.isWell))
    case .menus(let menus, named: _): ([("menus", .list(menus.map(answers.json)))], true)
    case .validations(let validated, let isNamed):
      ([("items", .list(validated.map(answers.json)))], !isNamed || validated.allSatisfy(\.validation.isEnabled))
    case .explanation(let explanation): (answers.members(explanation), true)
    case .chain(let chain): (answers.members(chain), true)
    case .context(let entries): (answers.members(Answer.Context(entries: entries)), true)
    case .actions(let actions): ([("actions", .list(actions.map(answers.json)))], true)
    case .keys(let keys): ([("keys", .list(keys.map(answers.json)))], true)
    case .findings(let findings, in: _):
      ([("diagnostics", .list(findings.map(answers.json)))], !findings.findsFault)
    case .tests(let report): (members(report), report.status == .done)
    case .plugins(let plugins, let apps):
      (
        [("plugins", .list(plugins.map(json)))] + (apps.isEmpty ? [] : [("apps", .list(apps.map(json)))]),
        plugins.allSatisfy { $0.problem == nil }
      )
    case .apps(let apps):
      ([("apps", .list(apps.map { .object([("name", .text($0.name)), ("path", .text($0.path))]) }))], true)
    case .sessions(let sessions): ([("sessions", .list(sessions.map(json)))], true)
    case .done(let done): (answers.members(done), done.isWell)
    case .replay(let replay): (members(replay), replay.status == .done)
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
    return object([("diagnostics", .list([answers.json(diagnostic)]))], ok: false)
  }

  private static func object(_ members: [(String, JSON)], ok: Bool = true) -> String {
    object(ok: ok) { $0.members(members) }
  }

  /// - Parameter write: writes the members after `menuctl` and `ok`.
  private static func object(ok: Bool, _ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    json.raw("{")
    json.members([("menuctl", .integer(1)), ("ok", .bool(ok))])
    write(&json)
    json.raw("}")
    return json.text
  }
}

extension JSONRenderer {
  static func json(_ app: Shown.GrantedApp) -> JSON {
    .object([
      ("name", .text(app.name)), ("path", .text(app.path)), ("granted", .list(app.grants.map { .text($0) })),
    ])
  }

  static func json(_ plugin: Shown.Plugin) -> JSON {
    var members: [(String, JSON)] = [("path", .text(plugin.path))]
    if let manifest = plugin.manifest {
      members.insert(("name", .text(manifest.name)), at: 0)
      members.append(("version", .text(manifest.version.description)))
      if let summary = manifest.summary { members.append(("summary", .text(summary))) }
      members.append(("requires", .object(manifest.requires.map { ($0.name, .text($0.versions.description)) })))
      members.append(("allow", .list(manifest.allow.map { .text($0.description) })))
      members.append(("granted", .bool(plugin.isGranted)))
    }
    if let holds = plugin.holds {
      members.append(("holds", .object(holds.counts.map { ($0.kind, .integer($0.count)) })))
    }
    if let problem = plugin.problem { members.append(("problem", .text(problem))) }
    return .object(members)
  }
}

extension JSONRenderer {
  static func coverage(_ coverage: ScriptCoverage) -> JSON {
    .object([
      ("subject", .text(coverage.subject)), ("percent", .integer(coverage.share)),
      ("seen", .integer(coverage.seen)), ("total", .integer(coverage.total)),
      ("items", .list(coverage.items.map(item))), ("handlers", .list(coverage.handlers.map(handler))),
      ("reasons", .list(coverage.reasons.map(reason))),
    ])
  }

  private static func item(_ item: ScriptCoverage.Item) -> JSON {
    .object([
      ("id", .text(item.id)), ("enabled", .bool(item.isSeenEnabled)), ("disabled", .bool(item.isSeenDisabled)),
      ("performed", .bool(item.isPerformed)),
    ])
  }

  private static func handler(_ handler: ScriptCoverage.Handler) -> JSON {
    let action: [(String, JSON)] = handler.action.map { [("action", .text($0))] } ?? []
    return .object([("responder", .text(handler.responder))] + action + [("ran", .bool(handler.hasRun))])
  }

  private static func reason(_ reason: ScriptCoverage.Reason) -> JSON {
    let text: [(String, JSON)] = reason.text.map { [("reason", .text($0))] } ?? []
    return .object(
      [("responder", .text(reason.responder)), ("action", .text(reason.action))] + text
        + [("shown", .bool(reason.isShown))])
  }
}

extension JSONRenderer {
  static func members(_ report: TestReport) -> [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("passed", .integer(report.count(.passed))), ("failed", .integer(report.count(.failed))),
      ("skipped", .integer(report.count(.skipped))),
    ]
    if report.notRun > 0 { members.append(("notRun", .integer(report.notRun))) }
    if let seed = report.seed { members.append(("seed", .text("\(seed)"))) }
    members.append(("tests", .list(report.results.map { test($0, again: report.again($0.test)) })))
    if report.settings.measures { members.append(("coverage", .list(report.coverages.map(coverage)))) }
    let unloadable = report.files.compactMap { file in
      file.error.map { error in
        Diagnostic(
          .error, error.failure.code.rawValue, error.failure.message,
          place: error.failure.place ?? Place(file: file.name, line: 1))
      }
    }
    let problems = report.problems.compactMap(\.diagnostic)
    if !unloadable.isEmpty || !problems.isEmpty {
      members.append(("diagnostics", .list((problems + unloadable).map(answers.json))))
    }
    return members
  }

  private static func test(_ result: ScriptTestResult, again: String) -> JSON {
    let test = result.test
    var members: [(String, JSON)] = [
      ("name", .text(test.name)), ("file", .text(test.file)), ("line", .integer(test.place.line)),
      ("status", .text(result.status.rawValue)), ("seconds", .number(result.seconds)),
    ]
    if let reason = result.reason, result.status == .skipped { members.append(("reason", .text(reason))) }
    if let first = result.failures.first {
      members.append(("message", .text(first.failure.message)))
      if let limit = result.limit { members.append(("limit", .text(limit.rawValue))) }
      members.append(("failures", .list(result.failures.map(failure))))
      members.append(("again", .text(again)))
    }
    if !result.output.printed.isEmpty {
      members.append(("printed", .list(result.output.printed.map { .text($0) })))
    }
    if !result.output.diagnostics.isEmpty {
      members.append(("diagnostics", .list(result.output.diagnostics.map(answers.json))))
    }
    return .object(members)
  }

  private static func failure(_ failure: ScriptTestFailure) -> JSON {
    guard case .object(var members) = answers.json(failure.failure) else { return .null }
    if !failure.callers.isEmpty { members.append(("callers", .list(failure.callers.map { .text("\($0)") }))) }
    if !failure.differences.isEmpty {
      members.append(
        (
          "differences",
          .list(
            failure.differences.map {
              .object([("path", .text($0.path)), ("expected", .text($0.expected)), ("found", .text($0.found))])
            })
        ))
    }
    if failure.moreDifferences > 0 { members.append(("moreDifferences", .integer(failure.moreDifferences))) }
    return .object(members)
  }
}

extension Problem {
  /// The problem as a diagnostic.
  fileprivate var diagnostic: Diagnostic? {
    switch content {
    case .sentence(let sentence, let help): Diagnostic(.error, "usage", sentence, help: help)
    case .script(let diagnostic): diagnostic
    case .reference: nil
    }
  }
}

// The answers of each verb with `--json`, for `docs/schema.json`, which 'menuctl help --form schema' writes.

extension Definition {
  /// The schema of all JSON output of the tool.
  static var schema: JSON {
    let all = verbs + parts + Definition.all
    let names = verbs.map { JSON.object([("$ref", .text("#/$defs/\($0.name)"))]) }
    let definitions = all.map { definition -> (String, JSON) in
      let about: [(String, JSON)] = definition.about.map { [("description", .text($0))] } ?? []
      return (definition.name, .object(about + (definition.shape.schema.members ?? [])))
    }
    return .object([
      ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
      ("title", .text("The answers of menuctl with --json")),
      (
        "description",
        .text(
          "One object on stdout. $defs has one schema for each verb, under its name; 'press' and 'pick' answer as "
            + "'perform' does, and what can't be done is answered with 'problem'.")
      ),
      ("anyOf", .list(names)), ("$defs", .object(definitions)),
    ])
  }

  private static func answer(_ verb: String, _ shape: Shape, about: String? = nil) -> Definition {
    let members = shape.notation.dropFirst()
    return Definition(
      verb, about ?? "The answer of '\(verb)'.",
      "{menuctl: 1, ok: boolean\(members == "}" ? "" : ", ")\(String(members))")
  }

  private static func answer(_ verb: String, _ type: any Coded.Type, about: String? = nil) -> Definition {
    answer(verb, ShapeMaker.shape(of: type, whole: false), about: about)
  }

  private static var verbs: [Definition] {
    [
      answer("load", Answer.App.self),
      answer("perform", Answer.Performed.self, about: "The answer of 'perform', 'press' and 'pick'."),
      answer("menu", "{menus: [@element]}"), answer("validate", "{items: [@validated]}"),
      answer("why", Explanation.self), answer("chain", Answer.Chain.self), answer("context", Answer.Context.self),
      answer("actions", "{actions: [@reachable]}"), answer("keys", "{keys: [@key]}"),
      answer("check", "{diagnostics: [@diagnostic]}"),
      answer(
        "replay",
        """
        {steps: integer>=0, same: integer>=0, difference?: {step: integer>=1, file: string, line: integer>=1, do: @deed,
        differences: [{path: string, expected?: any, found?: any}]+, unrecorded?: [{call: string, args: []}]+}}
        """),
      answer("stubs", "{text: string}"),
      answer(
        "plugin", "{plugins: [@installed], apps?: [{name: string, path: string, granted: [string]}]}",
        about: "The answer of 'plugin list', 'plugin info' and 'plugin check'."),
      answer(
        "test",
        """
        {passed: integer>=0, failed: integer>=0, skipped: integer>=0, notRun?: integer>=0, seed?: string,
        tests: [@test-result], coverage?: [@coverage], diagnostics?: [@diagnostic]}
        """),
      answer(
        "sessions",
        """
        {sessions: [{name: string, app?: string, source?: string, pid: integer, answers?: false, clients?: integer,
        since?: integer}]}
        """),
      answer("stop", "{text: string}"), answer("version", "{version: string}"),
      answer("apps", "{apps: [{name: string, path: string}]}"),
      Definition(
        "problem",
        "The answer of every verb that can't do what it was asked for: a command line that can't be read, a script that "
          + "does not load.", "{menuctl: 1, ok: false, diagnostics: [@diagnostic]+}"),
    ]
  }

  /// The parts of verbs' answers that clients don't get.
  private static var parts: [Definition] {
    [
      Definition(
        "installed", nil,
        """
        {name?: string, path: string, version?: string, summary?: string, requires?: {*: string}, allow?: [string],
        granted?: boolean, holds?: {*: integer}, problem?: string}
        """),
      Definition(
        "test-failure", nil,
        ShapeMaker.shape(of: Failure.self, whole: false).with(
          """
          callers?: [string], differences?: [{path: string, expected: string, found: string}],
          moreDifferences?: integer
          """)),
      Definition(
        "test-result", nil,
        """
        {name: string, file: string, line: integer, status: passed|failed|skipped, seconds: number>=0,
        reason?: string, message?: string, limit?: time|instructions|memory, failures?: [@test-failure],
        again?: string, printed?: [string], diagnostics?: [@diagnostic]}
        """),
      Definition(
        "coverage", nil,
        """
        {subject: string, percent: integer>=0, seen: integer>=0, total: integer>=0,
        items: [{id: string, enabled: boolean, disabled: boolean, performed: boolean}],
        handlers: [{responder: string, action?: string, ran: boolean}],
        reasons: [{responder: string, action: string, reason?: string, shown: boolean}]}
        """),
    ]
  }
}

extension JSON {
  /// Returns the JSON for a readable file: short objects and lists in one line.
  func pretty(indent: String = "") -> String {
    let line = JSONText.text(self)
    if indent.utf8.count + line.utf8.count <= 120 { return line }
    let inner = indent + "  "
    switch self {
    case .list(let values):
      return "[\n" + values.map { inner + $0.pretty(indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members):
      let lines = members.map { name, value in "\(inner)\(JSONText.quoted(name)): \(value.pretty(indent: inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    default: return line
    }
  }
}
