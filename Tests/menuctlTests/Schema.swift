/// A JSON Schema, as far as docs/schema.json uses it. An unknown keyword is an error, so that nothing is skipped.
struct Schema {
  let root: StrictJSON

  struct Unusable: Error { let what: String }

  /// Keywords that are remarks for people.
  private static let remarks: Set = ["$schema", "$defs", "title", "description"]

  static func inDocs() throws -> Schema { Schema(root: try StrictJSON(try Project.text("docs/schema.json"))) }

  /// The problems of a value by the definition of a name. Empty if it is valid.
  func problems(of value: StrictJSON, as name: String) throws -> [String] {
    guard let schema = root["$defs"]?[name] else { throw Unusable(what: "there is no definition '\(name)'") }
    return try problems(of: value, by: schema, at: "")
  }

  func problems(of value: StrictJSON) throws -> [String] { try problems(of: value, by: root, at: "") }

  var definitions: [String] {
    guard case .object(let members)? = root["$defs"] else { return [] }
    return members.map(\.key)
  }

  private func problems(of value: StrictJSON, by schema: StrictJSON, at path: String) throws -> [String] {
    guard case .object(let words) = schema else { throw Unusable(what: "a schema at '\(path)' is no object") }
    var problems: [String] = []
    for word in words where !Self.remarks.contains(word.key) {
      problems += try check(value, word.key, word.value, in: schema, at: path)
    }
    return problems
  }

  private func check(
    _ value: StrictJSON, _ word: String, _ content: StrictJSON, in schema: StrictJSON, at path: String
  ) throws -> [String] {
    switch (word, content) {
    case ("$ref", .text(let reference)):
      guard reference.hasPrefix("#/$defs/"), let target = root["$defs"]?[String(reference.dropFirst(8))] else {
        throw Unusable(what: "'\(reference)' leads nowhere")
      }
      return try problems(of: value, by: target, at: path)
    case ("anyOf", .list(let schemas)):
      var all: [[String]] = []
      for schema in schemas {
        let problems = try problems(of: value, by: schema, at: path)
        if problems.isEmpty { return [] }
        all.append(problems)
      }
      let nearest = all.min { $0.count < $1.count } ?? []
      return ["\(path): is none of \(schemas.count): \(nearest.joined(separator: "; "))"]
    case ("const", _): return value == content ? [] : ["\(path): must be \(content)"]
    case ("enum", .list(let values)): return values.contains(value) ? [] : ["\(path): must be one of \(values)"]
    case ("type", .text(let name)): return try isA(value, name) ? [] : ["\(path): must be a \(name)"]
    case ("type", .list(let names)):
      let isOne = try names.contains { name in
        guard case .text(let name) = name else { throw Unusable(what: "type") }
        return try isA(value, name)
      }
      return isOne ? [] : ["\(path): must be one of \(names)"]
    case ("minimum", let least):
      guard let least = least.double else { throw Unusable(what: "minimum") }
      guard let number = value.double else { return [] }
      return number >= least ? [] : ["\(path): must be \(least) at least"]
    case ("minItems", .integer(let least)):
      guard case .list(let values) = value else { return [] }
      return values.count >= least ? [] : ["\(path): must have \(least) at least"]
    case ("required", .list(let keys)):
      guard case .object = value else { return [] }
      return keys.compactMap { key in
        guard case .text(let name) = key, value[name] == nil else { return nil }
        return "\(path): '\(name)' is missing"
      }
    case ("items", _):
      guard case .list(let values) = value else { return [] }
      return try values.enumerated().flatMap { try problems(of: $1, by: content, at: "\(path)/\($0)") }
    case ("properties", .object(let properties)):
      return try properties.flatMap { property in
        try value[property.key].map { try problems(of: $0, by: property.value, at: "\(path)/\(property.key)") } ?? []
      }
    case ("additionalProperties", _):
      guard case .object(let members) = value else { return [] }
      let others = members.filter { schema["properties"]?[$0.key] == nil }
      if content == .bool(false) { return others.map { "\(path): '\($0.key)' is unknown" } }
      return try others.flatMap { try problems(of: $0.value, by: content, at: "\(path)/\($0.key)") }
    default: throw Unusable(what: "'\(word)' at '\(path)' is not understood")
    }
  }

  private func isA(_ value: StrictJSON, _ name: String) throws -> Bool {
    switch (name, value) {
    case ("null", .null), ("boolean", .bool), ("string", .text), ("array", .list), ("object", .object),
      ("integer", .integer), ("number", .integer), ("number", .number):
      return true
    case ("null", _), ("boolean", _), ("string", _), ("array", _), ("object", _), ("integer", _), ("number", _):
      return false
    default: throw Unusable(what: "there is no type '\(name)'")
    }
  }
}

extension StrictJSON {
  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}
