import LiveHost
import ScriptHost

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
