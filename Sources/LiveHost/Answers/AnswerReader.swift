import ScriptHost

/// Reads answers from the JSON that `AnswerJSON` has written. Its writer is not trusted: a missing member is left empty, or is an error.
package struct AnswerReader {
  struct Unreadable: Error {}

  package init() {}

  /// Called with the lines of scripts that come with diagnostics and failures.
  var onLine: ((Place, String) -> Void)?

  // MARK: Menus

  package func menus(_ json: JSON?) throws -> [MenuElement] {
    guard let list = json?.list else { throw Unreadable() }
    return try list.enumerated().map { index, json in try element(json) { "\(index)" } }
  }

  package func changes(_ json: JSON?) throws -> [MenuChange] {
    if case .changes(let changes, _)? = json { return changes }
    return try (json?.list ?? []).map { try $0.decoded() }
  }

  // MARK: The answers

  package func app(_ json: JSON) throws -> Answer.App {
    Answer.App(
      title: json["app"]?["title"]?.text, source: json["app"]?["source"]?.text ?? "",
      focus: try text(json, "focus"), chain: try list(json["chain"], node), others: try list(json["others"], node),
      menus: try menus(json["menus"]), panel: try json["panel"].map(menus),
      diagnostics: try list(json["diagnostics"], diagnostic))
  }

  private func node(_ json: JSON) throws -> Answer.Node {
    Answer.Node(
      name: try text(json, "name"), owner: try text(json, "owner"), isWindow: json["window"]?.bool ?? false,
      isKey: json["key"]?.bool ?? false, isMain: json["main"]?.bool ?? false,
      actions: try list(json["actions"]) { Answer.Action(name: try text($0, "name"), validation: validation($0)) },
      hasMore: json["more"]?.bool ?? false)
  }

  package func validated(_ json: JSON) throws -> Answer.Validated {
    let kind: Answer.Validated.Kind = json["id"] == nil ? .ref : .id
    return Answer.Validated(
      name: try text(json, kind.rawValue), kind: kind, title: try text(json, "title"), validation: validation(json))
  }

  /// Reads a form, and whether its action can be done with the answers so far.
  package func form(_ json: JSON) throws -> Form {
    Form((json["fields"]?.list ?? []).compactMap(argument), validation(json))
  }

  private func validation(_ json: JSON) -> Validation {
    Validation(
      told: json["enabled"]?.bool ?? false, reason: json["reason"]?.text, by: json["by"]?.text,
      look: look(json["look"] ?? .null), asks: json["asks"].map(question), misfit: misfit(json),
      elsewhere: json["elsewhere"]?.text)
  }

  private func look(_ json: JSON) -> Look {
    var look = Look()
    look.title = json["title"]?.text
    look.subtitle = json["subtitle"]?.text
    look.state = json["state"]?.text.flatMap(Look.State.init)
    look.hidden = json["hidden"]?.bool
    look.icon = json["icon"]?.text
    look.destructive = json["destructive"]?.bool
    return look
  }

  package func explanation(_ json: JSON) throws -> Explanation {
    Explanation(
      enabled: json["enabled"]?.bool ?? false, by: json["by"]?.text, reason: json["reason"]?.text,
      toldSteps: try list(json["steps"], step),
      toldKeys: try list(json["keys"]) {
        Explanation.Key(
          told: try text($0, "key"), by: $0["by"]?.text,
          candidates: ($0["candidates"]?.list ?? []).compactMap(\.text))
      })
  }

  package func chain(_ json: JSON) throws -> Answer.Chain {
    Answer.Chain(
      links: try list(json["chain"]) {
        ChainLink(told: try text($0, "name"), owner: try text($0, "owner"), answer: $0["answer"]?.text)
      },
      focus: try text(json, "focus"))
  }

  package func context(_ json: JSON) throws -> [Answer.Entry] {
    guard let members = json["context"]?.members else { throw Unreadable() }
    return try members.map { key, entry in
      Answer.Entry(key: key, value: tree(entry["value"] ?? .null), by: try text(entry, "by"))
    }
  }

  package func key(_ json: JSON) throws -> KeyEntry {
    KeyEntry(
      told: try text(json, "key"), reference: try text(json, "ref"),
      others: (json["others"]?.list ?? []).compactMap(\.text), by: try text(json, "owner"),
      isItem: json["item"]?.bool ?? false, isReached: json["reached"]?.bool ?? true,
      conflict: json["conflict"]?.text)
  }

  package func action(_ json: JSON) throws -> ActionEntry {
    var entry = ActionEntry(
      told: try text(json, "name"), title: json["title"]?.text, enabled: json["enabled"]?.bool ?? false)
    entry.help = json["help"]?.text
    entry.icon = json["icon"]?.text
    entry.by = json["by"]?.text
    entry.via = json["via"]?.text.flatMap(Outcome.Via.init)
    entry.isDeclared = json["declared"]?.bool ?? false
    entry.takes = (json["takes"]?.list ?? []).compactMap(argument)
    entry.confirm = json["confirm"].map { confirm in confirm.text.map { .said($0) } ?? .asked }
    entry.reason = json["reason"]?.text
    entry.keys = (json["keys"]?.list ?? []).compactMap(\.text)
    entry.items = (json["items"]?.list ?? []).compactMap(\.text)
    return entry
  }

  // MARK: What came of something

  package func performed(_ json: JSON, before: MenuElement) throws -> Answer.Performed {
    let outcome = Outcome(
      Outcome.Status(rawValue: try text(json, "status")) ?? .failed, by: json["by"]?.text,
      via: json["via"]?.text.flatMap(Outcome.Via.init), reason: json["reason"]?.text,
      error: try json["error"].map(failure),
      asks: json["asks"].map(question), misfit: misfit(json), elsewhere: json["elsewhere"]?.text)
    return Answer.Performed(
      name: try text(json, "action"), outcome: outcome, result: json["result"].map(tree) ?? .nil,
      changes: Answer.Changes(before: before, all: try changes(json["changes"])), undo: json["undo"]?.text,
      trace: try json["trace"].map { try list($0, traced) })
  }

  private func question(_ json: JSON) -> Outcome.Question {
    Outcome.Question(
      confirm: json["confirm"]?.text, arguments: (json["arguments"]?.list ?? []).compactMap(argument))
  }

  private func misfit(_ json: JSON) -> Misfit? {
    json["argument"]?.text.map {
      Misfit(argument: $0, expected: json["expected"]?.text ?? "", reason: json["reason"]?.text ?? "")
    }
  }

  private func traced(_ json: JSON) throws -> Answer.Traced {
    Answer.Traced(level: json["level"]?.integer ?? 0, step: try step(json))
  }

  private func step(_ json: JSON) throws -> Trace.Step {
    Trace.Step(
      told: try text(json, "node"), asked: try text(json, "asked"), answer: try text(json, "answer"),
      place: place(json))
  }

  func evaluated(_ json: JSON, before: MenuElement) throws -> Answer.Evaluated {
    Answer.Evaluated(
      line: try text(json, "eval"), values: (json["values"]?.list ?? []).map(tree),
      inspected: (json["inspected"]?.list ?? []).map(inspection), failure: try json["error"].map(failure),
      changes: Answer.Changes(before: before, all: try changes(json["changes"])))
  }

  func focused(_ json: JSON, before: MenuElement) throws -> Answer.Focused {
    Answer.Focused(
      name: try text(json, "focus"), hasFocus: json["focused"]?.bool ?? false, reason: json["reason"]?.text,
      changes: Answer.Changes(before: before, all: try changes(json["changes"])))
  }

  // MARK: Facts

  package func diagnostic(_ json: JSON) throws -> Diagnostic {
    if let onLine, let place = place(json), let text = json["line_text"]?.text { onLine(place, text) }
    return Diagnostic(
      json["severity"]?.text.flatMap(Diagnostic.Severity.init) ?? .error, try text(json, "code"),
      try text(json, "message"), place: place(json), help: json["help"]?.text)
  }

  private func failure(_ json: JSON) throws -> Failure {
    Failure(
      json["code"]?.text.flatMap(Failure.Code.init) ?? .script, try text(json, "message"), place: place(json),
      text: json["line_text"]?.text, traceback: json["traceback"]?.text, owner: json["owner"]?.text,
      limit: json["limit"]?.text.flatMap(Failure.Limit.init))
  }

  package func place(_ json: JSON) -> Place? {
    guard let file = json["file"]?.text, let line = json["line"]?.integer else { return nil }
    return Place(file: file, line: line, column: json["column"]?.integer)
  }

  private func list<Element>(_ json: JSON?, _ read: (JSON) throws -> Element) throws -> [Element] {
    try (json?.list ?? []).map(read)
  }

  private func text(_ json: JSON, _ name: String) throws -> String {
    guard let text = json[name]?.text else { throw Unreadable() }
    return text
  }
}
