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

// A face reads all menus before its first frame, so elements are read from the JSON directly. By `Decodable` it takes seven times as long.

extension AnswerReader {
  /// Reads an element of a menu with its children.
  ///
  /// - Parameter place: the path of the element, from the outermost: its id if it has none.
  func element(_ json: JSON, at place: () -> String) throws -> MenuElement {
    // A face in the app's process is handed the element itself.
    if case .element(let element, _) = json { return element }
    guard let members = json.members, let kind = json["kind"]?.text.flatMap(MenuElement.Kind.init) else {
      throw Unreadable()
    }
    var told = MenuElement.Told(kind)
    for (name, value) in members { try read(name, value, into: &told, place) }
    return MenuElement(told, at: place())
  }

  private func read(_ name: String, _ value: JSON, into told: inout MenuElement.Told, _ place: () -> String) throws {
    switch name {
    case "id": told.id = value.text
    case "title": told.title = value.text ?? ""
    case "subtitle": told.subtitle = value.text
    case "action": told.action = value.text ?? ""
    case "args": told.arguments = Literal(value).asObject
    case "key": told.key = value.text
    case "enabled": told.isEnabled = value.bool
    case "hidden": told.isHidden = value.bool ?? false
    case "state": told.state = value.text.flatMap(Look.State.init) ?? .off
    case "reason": told.reason = value.text
    case "by": told.by = value.text
    case "elsewhere": told.elsewhere = value.text
    case "blocked": told.isBlocked = value.bool ?? false
    case "icon": told.icon = value.text
    case "confirm": told.confirm = value.text
    case "mark": told.mark = value.text.flatMap(MenuElement.Mark.init)
    case "mnemonic": told.mnemonic = value.text
    case "asks": told.asks = value.bool ?? false
    case "destructive": told.isDestructive = value.bool ?? false
    case "keeps_open": told.keepsOpen = value.bool ?? false
    case "children":
      told.children = try (value.list ?? []).enumerated().map { index, child in
        try element(child) { "\(place()).children.\(index)" }
      }
    case "alternates":
      told.alternates = try (value.list ?? []).enumerated().map { index, alternate in
        MenuElement.Alternate(
          told: (alternate["modifiers"]?.list ?? []).compactMap(\.text),
          try element(alternate["element"] ?? .null) { "\(place()).alternates.\(index).element" })
      }
    default: break
    }
  }
}

extension Literal {
  /// Reads a value; the cases that are no plain JSON become null.
  fileprivate init(_ json: JSON) {
    switch json {
    case .null, .element, .changes, .written: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let text): self = .text(text)
    case .list(let values): self = .list(values.map { Literal($0) })
    case .object(let members):
      // Sorted by key, as a decoded object is, because changes and snapshots are compared.
      let sorted = members.count < 2 ? members : members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      self = LiteralObject(sorted.map { .init(key: $0.0, value: Literal($0.1)) }).map { .object($0) } ?? .null
    }
  }

  fileprivate var asObject: LiteralObject? { if case .object(let object) = self { object } else { nil } }
}

extension AnswerReader {
  /// Reads an argument for which an action asks; nil if its key is missing or its type is unknown.
  func argument(_ json: JSON) -> AskedArgument? {
    guard let key = json["key"]?.text, let kind = json["type"]?.text.flatMap(AskedArgument.Kind.init) else {
      return nil
    }
    var argument = AskedArgument(key, kind)
    argument.title = json["title"]?.text
    argument.help = json["help"]?.text
    argument.choices = json["one_of"]?.list?.map { choice in
      choice["title"]?.text.map { AskedArgument.Choice(Value(choice["value"] ?? .null), title: $0) }
        ?? AskedArgument.Choice(Value(choice))
    }
    argument.from = json["from"].map(Value.init)
    argument.to = json["to"].map(Value.init)
    argument.failure = json["error"].map { error in
      Failure(.script, error["message"]?.text ?? "", place: place(error), owner: error["owner"]?.text)
    }
    argument.isPresetComputed = json["default"]?["$"]?.text == "function"
    argument.preset = argument.isPresetComputed ? nil : json["default"].map(Value.init)
    argument.proposal = json["proposal"].map(Value.init)
    argument.isOptional = json["optional"]?.bool ?? false
    argument.isMany = json["many"]?.bool ?? false
    argument.isSecret = json["secret"]?.bool ?? false
    return argument
  }

  func tree(_ json: JSON) -> LuaTree {
    switch json {
    case .null: return .nil
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .text(let text): return .text(text)
    case .list(let values): return .list(values.map(tree))
    case .element, .changes, .written: return .nil
    case .object(let members):
      if let named = json["$"]?.text, members.count <= 2 {
        if let number = Self.number(named) { return .number(number) }
        let count = min(max(json["count"]?.integer ?? 0, 0), 1 << 24)
        return named == "bytes" ? .bytes(Array(repeating: 0xFF, count: count)) : .opaque(named)
      }
      return .map(members.map { LuaTree.Entry(told: .text($0.0), tree($0.1)) })
    }
  }

  /// The numbers that JSON can't write, by their names.
  private static func number(_ name: String) -> Double? {
    switch name {
    case "nan": .nan
    case "inf": .infinity
    case "-inf": -.infinity
    default: nil
    }
  }

  /// The part of a job that is done, between 0 and 1 whatever number the app says; nil if it says none.
  package func fraction(_ json: JSON?) -> Double? {
    switch json {
    case .integer(let value): Double(min(1, max(0, value)))
    case .number(let value): value.isNaN ? 0 : min(1, max(0, value))
    default: nil
    }
  }

  func inspection(_ json: JSON) -> Inspection {
    switch json {
    case .null, .element, .changes, .written: return .nil
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(value)
    case .text(let text): return .text(text)
    case .list: return .nil
    case .object(let members):
      if let number = json["$"]?.text.flatMap(Self.number) { return .number(number) }
      guard let (kind, value) = members.first else { return .nil }
      switch kind {
      case "bytes": return .bytes(count: value.integer ?? 0)
      case "function":
        let line = value["line"]?.integer ?? 0
        return .function(value["file"]?.text.map { Place(file: $0, line: line, column: value["column"]?.integer) })
      case "object": return .object(value.text ?? "")
      case "cycle": return .cycle(path: value.text ?? "")
      case "responder": return .responder(value.text ?? "", fields: table(json["fields"] ?? .null))
      default: return .table(table(json))
      }
    }
  }

  private func table(_ json: JSON) -> Inspection.Table {
    let entries = (json["table"]?.list ?? []).compactMap { entry -> Inspection.Table.Entry? in
      guard let pair = entry.list, pair.count == 2 else { return nil }
      return Inspection.Table.Entry(told: inspection(pair[0]), inspection(pair[1]))
    }
    return Inspection.Table(told: entries, more: json["more"]?.integer ?? 0, isClosed: json["closed"]?.bool ?? false)
  }
}
