import ScriptHost

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
