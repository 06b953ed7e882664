import ScriptHost

/// A type that is *coded* names the members of its JSON once, in `code`. Coders go through them: to write them, to read them, or to describe them
/// for `docs/schema.json`.
package protocol Coded {
  associatedtype Whole = Self

  /// Its name among the definitions of the schema, and a sentence about it.
  static var definition: (name: String, about: String?) { get }

  /// - Parameter it: what is written; nil when it is read or described.
  /// - Returns: what was written or read.
  static func code<C: Coder>(_ it: Whole?, by coder: inout C) throws -> Whole
}

/// What coders are told besides the value.
package struct Coding {
  /// Whether all of an answer is coded, so that it can be read back; the JSON for programs leaves some members out.
  var isWhole = false
  /// The menus before what is read, which its changes are changes of.
  var before = MenuElement.nothing
  /// Finds the text of the script's line at a place, for clients that can't read the script.
  var lineText: (Place) -> String? = { _ in nil }
  /// Called with the lines of scripts that come with what is read.
  var onLine: ((Place, String) -> Void)?
}

/// Goes through the members of an object in their order.
package protocol Coder {
  var coding: Coding { get }

  /// A member with any value; nil where it is missing.
  ///
  /// - Parameters:
  ///   - shape: what it may be; `isNeeded` says whether it is always there.
  ///   - value: the value that is written; nil leaves the member out.
  mutating func member(
    _ name: StaticString, _ shape: @autoclosure () -> Shape, isNeeded: Bool, _ value: @autoclosure () -> JSON?
  ) throws -> JSON?

  /// A member that is a text.
  mutating func text(_ name: StaticString, _ value: String?, isNeeded: Bool, _ shape: @autoclosure () -> Shape) throws
    -> String?

  /// How another type is named in a shape.
  func reference(to type: any Coded.Type) -> Shape
}

/// What was read has not the members that it must have.
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

  /// One of several words.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ name: StaticString, _ value: Word?, isNeeded: Bool = false
  ) throws -> Word? where Word.RawValue == String {
    func words() -> Shape { Shape(Word.allCases.map(\.rawValue).joined(separator: "|")) }
    return try text(name, value?.rawValue, isNeeded: isNeeded, words()).flatMap(Word.init)
  }

  mutating func flag(_ name: StaticString, _ value: Bool?, isNeeded: Bool = true) throws -> Bool? {
    try member(name, "boolean", isNeeded: isNeeded, value.map { .bool($0) })?.bool
  }

  /// A member that is only there if it is true.
  mutating func mark(_ name: StaticString, _ value: Bool?) throws -> Bool {
    try member(name, "true", isNeeded: false, value == true ? .bool(true) : nil)?.bool ?? false
  }

  mutating func integer(
    _ name: StaticString, _ value: Int?, isNeeded: Bool = true, _ shape: Shape = "integer"
  ) throws -> Int? {
    try member(name, shape, isNeeded: isNeeded, value.map { .integer($0) })?.integer
  }

  /// A list of texts; one that isn't needed is left out where it is empty.
  mutating func texts(_ name: StaticString, _ value: [String]?, isNeeded: Bool = true) throws -> [String] {
    func list() -> JSON? { value.flatMap { isNeeded || !$0.isEmpty ? .list($0.map { .text($0) }) : nil } }
    return (try member(name, "[string]", isNeeded: isNeeded, list())?.list ?? []).compactMap(\.text)
  }

  /// A member that is coded itself.
  mutating func one<Type: Coded>(
    _ name: StaticString, _ type: Type.Type, _ value: Type.Whole?, isNeeded: Bool = false
  ) throws -> Type.Whole? {
    let (reference, coding) = (reference(to: type), coding)
    return try member(
      name, reference, isNeeded: isNeeded, value.map { .object(MemberWriter.members($0, type, coding)) }
    )
    .flatMap { try MemberReader.read($0, type, coding) }
  }

  /// A list of what is coded itself.
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

/// Reads members. Their writer is not trusted: a missing one is left empty, or is an error.
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

  /// The shape of a type's objects.
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
