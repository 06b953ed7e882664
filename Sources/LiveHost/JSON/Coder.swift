import ScriptHost

/// A *coded* type names the members of its JSON once, in `code`. Coders go through them to write them, to read them, or
/// to describe them for `docs/schema.json`.
package protocol Coded {
  associatedtype Whole = Self

  /// The name in the schema's definitions, and a sentence about the type.
  static var definition: (name: String, about: String?) { get }

  /// - Parameter it: the value to write; nil to read or describe one.
  /// - Returns: the value that was written or read.
  static func code<C: Coder>(_ it: Whole?, by coder: inout C) throws -> Whole
}

/// The settings of a coder.
package struct Coding {
  /// Whether to code all of an answer, so that clients can read it back. The JSON for programs skips some members.
  var isWhole = false
  /// The menus before the deed, to which the answer's changes apply.
  var before = MenuElement.nothing
  /// Finds the text of the script's line at a place, for clients that can't read the script.
  var lineText: (Place) -> String? = { _ in nil }
  /// Called with the lines of scripts that come with the JSON.
  var onLine: ((Place, String) -> Void)?
}

/// Goes through the members of an object in their order.
package protocol Coder {
  var coding: Coding { get }

  /// Codes a member with any value; returns nil if it is missing.
  ///
  /// - Parameters:
  ///   - shape: the allowed values. With `isNeeded` the member is always present.
  ///   - value: the value to write; nil skips the member.
  mutating func member(
    _ name: StaticString, _ shape: @autoclosure () -> Shape, isNeeded: Bool, _ value: @autoclosure () -> JSON?
  ) throws -> JSON?

  /// Codes a member that is a text.
  mutating func text(_ name: StaticString, _ value: String?, isNeeded: Bool, _ shape: @autoclosure () -> Shape) throws
    -> String?

  /// Returns the name of another type in a shape.
  func reference(to type: any Coded.Type) -> Shape
}

/// Thrown if a required member is missing.
package struct Unreadable: Error {}

extension Coder {
  package var isWhole: Bool { coding.isWhole }

  mutating func text(_ name: StaticString, _ value: String?) throws -> String {
    guard let text = try text(name, value, isNeeded: true, "string") else { throw Unreadable() }
    return text
  }

  mutating func optional(_ name: StaticString, _ value: String?) throws -> String? {
    try text(name, value, isNeeded: false, "string")
  }

  /// Codes one of several words.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ name: StaticString, _ value: Word?, isNeeded: Bool = false
  ) throws -> Word? where Word.RawValue == String {
    func words() -> Shape { Shape(Word.allCases.map(\.rawValue).joined(separator: "|")) }
    return try text(name, value?.rawValue, isNeeded: isNeeded, words()).flatMap(Word.init)
  }

  mutating func flag(_ name: StaticString, _ value: Bool?, isNeeded: Bool = true) throws -> Bool? {
    try member(name, "boolean", isNeeded: isNeeded, value.map { .bool($0) })?.bool
  }

  /// Codes a member that is only present if true.
  mutating func mark(_ name: StaticString, _ value: Bool?) throws -> Bool {
    try member(name, "true", isNeeded: false, value == true ? .bool(true) : nil)?.bool ?? false
  }

  mutating func integer(
    _ name: StaticString, _ value: Int?, isNeeded: Bool = true, _ shape: Shape = "integer"
  ) throws -> Int? {
    try member(name, shape, isNeeded: isNeeded, value.map { .integer($0) })?.integer
  }

  /// Codes a list of texts. If it isn't needed, an empty list is skipped.
  mutating func texts(_ name: StaticString, _ value: [String]?, isNeeded: Bool = true) throws -> [String] {
    func list() -> JSON? { value.flatMap { isNeeded || !$0.isEmpty ? .list($0.map { .text($0) }) : nil } }
    return (try member(name, "[string]", isNeeded: isNeeded, list())?.list ?? []).compactMap(\.text)
  }

  /// Codes a member of a coded type.
  mutating func one<Type: Coded>(
    _ name: StaticString, _ type: Type.Type, _ value: Type.Whole?, isNeeded: Bool = false
  ) throws -> Type.Whole? {
    let (reference, coding) = (reference(to: type), coding)
    return try member(
      name, reference, isNeeded: isNeeded, value.map { .object(MemberWriter.members($0, type, coding)) }
    )
    .flatMap { try MemberReader.read($0, type, coding) }
  }

  /// Codes a list of values of a coded type.
  mutating func all<Type: Coded>(
    _ name: StaticString, _ type: Type.Type, _ value: [Type.Whole]?, isNeeded: Bool = true
  ) throws -> [Type.Whole] {
    let (reference, coding) = (reference(to: type), coding)
    func list() -> JSON? {
      value.flatMap { all in
        isNeeded || !all.isEmpty ? .list(all.map { .object(MemberWriter.members($0, type, coding)) }) : nil
      }
    }
    let json = try member(name, Shape("[\(reference.notation)]"), isNeeded: isNeeded, list())
    return try (json?.list ?? []).map { try MemberReader.read($0, type, coding) }
  }
}

/// Writes members as values.
struct MemberWriter: Coder {
  let coding: Coding
  private var members: [(String, JSON)] = []

  static func members<Type: Coded>(_ value: Type.Whole, _ type: Type.Type, _ coding: Coding) -> [(String, JSON)] {
    var writer = MemberWriter(coding: coding)
    _ = try? Type.code(value, by: &writer)
    return writer.members
  }

  private init(coding: Coding) { self.coding = coding }

  mutating func member(
    _ name: StaticString, _ shape: @autoclosure () -> Shape, isNeeded: Bool, _ value: @autoclosure () -> JSON?
  ) throws -> JSON? {
    if let value = value() { members.append(("\(name)", value)) }
    return nil
  }

  mutating func text(
    _ name: StaticString, _ value: String?, isNeeded: Bool, _ shape: @autoclosure () -> Shape
  ) throws -> String? {
    if let value { members.append(("\(name)", .text(value))) }
    return value
  }

  func reference(to type: any Coded.Type) -> Shape { "any" }
}

/// Reads members. The JSON may come from anywhere: a missing member stays empty or is an error.
struct MemberReader: Coder {
  let coding: Coding
  private let object: JSON

  static func read<Type: Coded>(_ json: JSON, _ type: Type.Type, _ coding: Coding) throws -> Type.Whole {
    var reader = MemberReader(coding: coding, object: json)
    return try Type.code(nil, by: &reader)
  }

  private init(coding: Coding, object: JSON) {
    self.coding = coding
    self.object = object
  }

  mutating func member(
    _ name: StaticString, _ shape: @autoclosure () -> Shape, isNeeded: Bool, _ value: @autoclosure () -> JSON?
  ) throws -> JSON? {
    object["\(name)"]
  }

  mutating func text(
    _ name: StaticString, _ value: String?, isNeeded: Bool, _ shape: @autoclosure () -> Shape
  ) throws -> String? {
    object["\(name)"]?.text
  }

  func reference(to type: any Coded.Type) -> Shape { "any" }
}

/// Notes the shapes of members.
package struct ShapeMaker: Coder {
  package let coding: Coding
  private var members: [String] = []

  /// Returns the shape of a type's objects.
  package static func shape<Type: Coded>(of type: Type.Type, whole isWhole: Bool) -> Shape {
    var maker = ShapeMaker(coding: Coding(isWhole: isWhole))
    _ = try? Type.code(nil, by: &maker)
    return Shape("{\(maker.members.joined(separator: ", "))}")
  }

  private init(coding: Coding) { self.coding = coding }

  package mutating func member(
    _ name: StaticString, _ shape: @autoclosure () -> Shape, isNeeded: Bool, _ value: @autoclosure () -> JSON?
  ) throws -> JSON? {
    members.append("\(name)\(isNeeded ? "" : "?"): \(shape().notation)")
    return nil
  }

  package mutating func text(
    _ name: StaticString, _ value: String?, isNeeded: Bool, _ shape: @autoclosure () -> Shape
  ) throws -> String? {
    _ = try member(name, shape(), isNeeded: isNeeded, nil)
    return ""
  }

  package func reference(to type: any Coded.Type) -> Shape {
    Shape("@\(isWhole ? "whole-" : "")\(type.definition.name)")
  }
}

/// A *shape* describes the allowed JSON in a short notation, from which `docs/schema.json` is made.
///
///     {id: string, rows?: [integer>=0], state: on|off, args: {*: @value}, ...}
///
/// `?` marks an optional member. `@name` is another definition. `*` is any other name. `...` allows other members.
/// `[x]+` is a list that isn't empty. Words, `true`, `false` and numbers are these values; a text in quotes is that
/// text.
package struct Shape: ExpressibleByStringLiteral, Sendable {
  package let notation: String

  package init(_ notation: String) { self.notation = notation }
  package init(stringLiteral notation: String) { self.init(notation) }

  /// The shape as JSON Schema.
  package var schema: JSON {
    var reader = Reader(text: Array(notation.utf8))
    return reader.shape()
  }

  /// Returns an object's shape with more members at its end.
  package func with(_ members: String) -> Shape {
    Shape(notation == "{}" ? "{\(members)}" : "\(notation.dropLast()), \(members)}")
  }
}

extension Shape {
  /// Reads the notation. Only sources contain it, so an unreadable part becomes a text, which a test finds.
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
      /// The value itself, if it is the only possible value.
      var word: JSON?
      /// The type, if the shape is just a type.
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
