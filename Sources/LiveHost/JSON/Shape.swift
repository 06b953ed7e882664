import ScriptHost

/// A *shape* says what JSON may stand somewhere, in a notation that a person reads at a glance. `docs/schema.json` is made of shapes.
///
///     {id: string, rows?: [integer>=0], state: on|off, args: {*: @value}, ...}
///
/// `?` marks a member that may be missing, `@name` is another definition, `*` any other name, `...` that there may be other members,
/// `[x]+` a list that isn't empty; words are the texts themselves, as are `true`, `false` and numbers; a text in quotes is that text.
package struct Shape: ExpressibleByStringLiteral, Sendable {
  package let notation: String

  package init(_ notation: String) { self.notation = notation }
  package init(stringLiteral notation: String) { self.init(notation) }

  /// The shape in the words of JSON Schema.
  package var schema: JSON {
    var reader = Reader(text: Array(notation.utf8))
    return reader.shape()
  }

  /// The members of an object's shape with others behind them.
  package func with(_ members: String) -> Shape {
    Shape(notation == "{}" ? "{\(members)}" : "\(notation.dropLast()), \(members)}")
  }
}

extension Shape {
  /// Reads the notation. It stands in the sources only, so what can't be read becomes a text that the test of the schema finds.
  private struct Reader {
    let text: [UInt8]
    var place = 0

    private var next: UInt8? { place < text.count ? text[place] : nil }

    private mutating func skip(_ what: String) -> Bool {
      while next == 0x20 || next == 0x0A { place += 1 }
      guard text[place...].starts(with: what.utf8) else { return false }
      place += what.utf8.count
      return true
    }

    private mutating func word() -> String {
      _ = skip("")
      let start = place
      while let byte = next, !" ,:?|[]{}+\n".utf8.contains(byte) { place += 1 }
      return String(decoding: text[start..<place], as: UTF8.self)
    }

    mutating func shape() -> JSON {
      var all = [one()]
      while skip("|") { all.append(one()) }
      if all.count == 1 { return all[0].schema }
      let words = all.compactMap(\.word)
      if words.count == all.count { return .object([("enum", .list(words))]) }
      let types = all.compactMap(\.type)
      if types.count == all.count { return .object([("type", .list(types))]) }
      return .object([("anyOf", .list(all.map(\.schema)))])
    }

    private struct One {
      var schema: JSON
      /// The value itself, if it is the only one.
      var word: JSON?
      /// The type, if it is nothing but that.
      var type: JSON?
    }

    private mutating func one() -> One {
      if skip("{") { return One(schema: object()) }
      if skip("[") {
        var list: [(String, JSON)] = [("type", .text("array"))]
        if !skip("]") {
          list.append(("items", shape()))
          _ = skip("]")
        }
        if skip("+") { list.append(("minItems", .integer(1))) }
        return One(schema: .object(list))
      }
      return named(word())
    }

    private func named(_ word: String) -> One {
      if word == "any" { return One(schema: .object([])) }
      if word.hasPrefix("@") { return One(schema: .object([("$ref", .text("#/$defs/\(word.dropFirst())"))])) }
      if ["string", "boolean", "integer", "number", "null", "object"].contains(word) {
        return One(schema: .object([("type", .text(word))]), type: .text(word))
      }
      if let least = word.firstIndex(of: ">") {
        let number = Int(word[least...].dropFirst(2)) ?? 0
        return One(schema: .object([("type", .text(String(word[..<least]))), ("minimum", .integer(number))]))
      }
      let value: JSON =
        word == "true"
        ? .bool(true)
        : word == "false"
          ? .bool(false)
          : Int(word).map { .integer($0) }
            ?? .text(word.hasPrefix("\"") ? String(word.dropFirst().dropLast()) : word)
      return One(schema: .object([("const", value)]), word: value)
    }

    private mutating func object() -> JSON {
      var (members, needed): ([(String, JSON)], [JSON]) = ([], [])
      var others: JSON? = .bool(false)
      while !skip("}"), place < text.count {
        if skip("...") {
          others = nil
        } else if skip("*") {
          _ = skip(":")
          others = shape()
        } else {
          let name = word()
          if !skip("?") { needed.append(.text(name)) }
          guard skip(":") else { return .text("'\(name)' has no shape in \(String(decoding: text, as: UTF8.self))") }
          members.append((name, shape()))
        }
        _ = skip(",")
      }
      var object: [(String, JSON)] = [("type", .text("object"))]
      if !members.isEmpty { object.append(("properties", .object(members))) }
      if !needed.isEmpty { object.append(("required", .list(needed))) }
      if let others, !(members.isEmpty && others == .object([])) { object.append(("additionalProperties", others)) }
      return .object(object)
    }
  }
}
