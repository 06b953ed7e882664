import LiveHost
import ScriptHost

// The arguments of an action as JSON Schema: for a tool, and for a form that the person fills in.

extension AskedArgument {
  /// The schema of the argument in a tool's `inputSchema`.
  var schema: JSON {
    let suggested = suggestions.map { [("examples", JSON.list($0.map { JSON($0.value) }))] } ?? []
    let chosen = choices.map { [("enum", JSON.list($0.map { JSON($0.value) }))] } ?? []
    let one: [(String, JSON)] = typed + range + suggested + chosen
    let facts = isMany ? [("type", .text("array")), ("items", .object(one))] : one
    return .object(facts + described + (preset.map { [("default", JSON($0))] } ?? []))
  }

  /// The schema of the argument in a form; nil if a form can't have it. Forms have no lists and no objects.
  var formSchema: JSON? {
    if isSecret || isMany { return nil }
    switch kind {
    case .any: return nil
    case .oneOf:
      guard let choices, !choices.isEmpty else { return nil }
      return .object([("type", .text("string"))] + shown + [("enum", .list(choices.map { .text($0.name) }))])
    default: return .object(typed + range + shown + ((proposal ?? preset).map { [("default", JSON($0))] } ?? []))
    }
  }

  /// Returns the value of a person's entry in a form.
  func value(inForm json: JSON) -> JSON {
    guard kind == .oneOf, let text = json.text, let choice = choices?.first(where: { $0.name == text }) else {
      return json
    }
    return JSON(choice.value)
  }

  private var typed: [(String, JSON)] {
    let type: String? =
      switch kind {
      case .string, .file, .folder: "string"
      case .integer: "integer"
      case .number: "number"
      case .boolean: "boolean"
      case .any, .oneOf: nil
      }
    return type.map { [("type", .text($0))] } ?? []
  }

  private var range: [(String, JSON)] {
    if kind == .string {
      return (from.map { [("minLength", JSON($0))] } ?? []) + (to.map { [("maxLength", JSON($0))] } ?? [])
    }
    guard kind == .integer || kind == .number else { return [] }
    return (from.map { [("minimum", JSON($0))] } ?? []) + (to.map { [("maximum", JSON($0))] } ?? [])
  }

  private var described: [(String, JSON)] {
    (title.map { [("title", .text($0))] } ?? []) + (help.map { [("description", .text($0))] } ?? [])
  }

  /// The same for a person, without invisible characters.
  private var shown: [(String, JSON)] {
    described.map { name, text in (name, .text(text.text?.visibleBlanks ?? "")) }
  }
}

extension AskedArgument.Choice {
  /// The text of the choice in a form.
  fileprivate var name: String { (title ?? value.described).visibleBlanks }
}

extension Value {
  /// A text unchanged, any other value as JSON.
  fileprivate var described: String { if case .text(let text) = self { text } else { JSONText.text(JSON(self)) } }
}

/// Makes the schemas of objects.
enum InputSchema {
  /// - Parameter isClosed: whether other members are forbidden.
  static func object(_ properties: [(String, JSON)], required: [String], isClosed: Bool = true) -> JSON {
    .object(
      [
        ("type", .text("object")), ("properties", .object(properties)), ("required", .list(required.map { .text($0) })),
      ] + (isClosed ? [("additionalProperties", .bool(false))] : []))
  }

  /// Returns a sentence why arguments don't fit a schema made by `object`; nil if they fit.
  static func misfit(_ arguments: [(String, JSON)], _ schema: JSON) -> String? {
    let properties = schema["properties"]?.members ?? []
    for name in (schema["required"]?.list ?? []).compactMap(\.text) where !arguments.contains(where: { $0.0 == name }) {
      return "'\(name)' is missing."
    }
    for (name, value) in arguments {
      guard let property = properties.first(where: { $0.0 == name })?.1 else {
        if schema["additionalProperties"]?.bool != false { continue }
        let near = nearest(to: name, among: properties.map(\.0)).first
        return "there is no argument '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ".")
      }
      guard let type = property["type"]?.text, !value.isOfType(type) else { continue }
      return "'\(name)' must be of type \(type)."
    }
    return nil
  }

  /// Returns the schema of an action with declared arguments, without secrets: no assistant may know them.
  static func declared(_ takes: [AskedArgument], isClosed: Bool) -> JSON {
    let open = takes.filter { !$0.isSecret }
    return object(
      open.map { ($0.key, $0.schema) }, required: open.filter(\.isRequired).map(\.key), isClosed: isClosed)
  }

  /// Returns the schema of an action without declarations, from its items' arguments. The common ones are required.
  static func seen(in items: [LiteralObject]) -> JSON {
    var types: [(key: String, type: String?, count: Int)] = []
    let members = items.flatMap { JSON(Literal.object($0)).members ?? [] }
    for (key, value) in members where key != Arguments.skipping {
      if let index = types.firstIndex(where: { $0.key == key }) {
        types[index].count += 1
        if types[index].type != value.schemaType { types[index].type = nil }
      } else {
        types.append((key, value.schemaType, 1))
      }
    }
    types.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return object(
      types.map { ($0.key, .object($0.type.map { [("type", .text($0))] } ?? [])) },
      required: types.filter { $0.count == items.count }.map(\.key), isClosed: false)
  }
}

extension JSON {
  /// Returns true if the value has a schema's type. An integer is a number too, and `3.0` is an integer.
  fileprivate func isOfType(_ type: String) -> Bool {
    switch (self, type) {
    case (.integer, "number"): true
    case (.number(let number), "integer"): number.rounded() == number
    default: schemaType == type
    }
  }

  /// The name of the value's type in a schema; nil if the type is unknown.
  fileprivate var schemaType: String? {
    switch self {
    case .bool: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .text: "string"
    case .list: "array"
    case .object: "object"
    default: nil
    }
  }
}
