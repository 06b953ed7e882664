import LiveHost
import ScriptHost

/// Renders answers as JSON for programs: one object, `{"menuctl": 1, "ok": …, …}`.
enum JSONRenderer {
  /// Makes the JSON of an app's answers.
  static var answers: AnswerJSON { AnswerJSON() }

  static func text(_ answer: Shown) -> String {
    switch answer {
    case .text(let text): object([("text", .text(text))])
    case .app(let app): object(answers.members(app), ok: app.outcomes.allSatisfy(\.isWell))
    case .menus(let menus, named: _): object([("menus", .list(menus.map(answers.json)))])
    case .validations(let validated, let isNamed):
      object(
        [("items", .list(validated.map(answers.json)))], ok: !isNamed || validated.allSatisfy(\.validation.isEnabled))
    case .explanation(let explanation): object(answers.members(explanation))
    case .chain(let chain): object(answers.members(chain))
    case .context(let entries): object(answers.members(entries))
    case .actions(let actions): object([("actions", .list(actions.map(answers.json)))])
    case .keys(let keys): object([("keys", .list(keys.map(answers.json)))])
    case .findings(let findings, in: _):
      object([("diagnostics", .list(findings.map(answers.json)))], ok: !findings.findsFault)
    case .tests(let report): object(members(report), ok: report.status == .done)
    case .plugins(let plugins, let apps):
      object(
        [("plugins", .list(plugins.map(json)))] + (apps.isEmpty ? [] : [("apps", .list(apps.map(json)))]),
        ok: plugins.allSatisfy { $0.problem == nil })
    case .sessions(let sessions): object([("sessions", .list(sessions.map(json)))])
    case .done(let done): object(ok: done.isWell) { answers.write(done, to: &$0) }
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
    return object([("diagnostics", .list([answers.json(diagnostic)]))], ok: false)
  }

  private static func object(_ members: [(String, JSON)], ok: Bool = true) -> String {
    object(ok: ok) { $0.members(members) }
  }

  /// - Parameter write: writes the members behind `menuctl` and `ok`.
  private static func object(ok: Bool, _ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    json.raw("{")
    json.members([("menuctl", .integer(1)), ("ok", .bool(ok))])
    write(&json)
    json.raw("}")
    return json.text
  }
}
