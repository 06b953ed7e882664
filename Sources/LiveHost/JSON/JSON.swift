import ScriptHost

/// A JSON value. The members of an object keep their order.
package enum JSON: Sendable {
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case null
  case list([JSON])
  case object([(String, JSON)])
  /// An element of a menu, which writes itself. With `isWhole` it includes the ids that only changes use.
  indirect case element(MenuElement, isWhole: Bool = false)
  /// The changes of menus, which write themselves in the same way.
  case changes([MenuChange], isWhole: Bool = false)
  /// A value that is written already; it is parsed when a caller reads a member or an element.
  case written(String)
}

extension JSON {
  package init(_ literal: Literal) { self.init(Value(literal)) }

  /// Returns a member of an object; nil if it is missing, or if this is no object.
  package subscript(name: String) -> JSON? {
    guard let members else { return nil }
    // By index: copying each member out takes longer than comparing its name.
    for index in members.indices where members[index].0.hasSameBytes(as: name) { return members[index].1 }
    return nil
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
  package var list: [JSON]? {
    switch self {
    case .list(let values): values
    case .written: read?.list
    default: nil
    }
  }
  package var members: [(String, JSON)]? {
    switch self {
    case .object(let members): members
    case .written: read?.members
    default: nil
    }
  }

  /// The parsed value of `.written`.
  private var read: JSON? { if case .written(let text) = self { try? JSONReader.read(text.utf8) } else { nil } }
}

extension JSON: Equatable {
  /// Compares objects without regard to the order of members. Texts are compared byte by byte.
  package static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.list(let left), .list(let right)): left == right
    case (.object(let left), .object(let right)): haveSame(left, right)
    default: false
    }
  }

  /// Returns true if these are the same members in any order. An object that was not parsed may repeat a name.
  private static func haveSame(_ members: [(String, JSON)], _ others: [(String, JSON)]) -> Bool {
    var rest = others
    for (name, value) in members {
      guard let index = rest.firstIndex(where: { $0.0.hasSameBytes(as: name) && $0.1 == value }) else { return false }
      rest.remove(at: index)
    }
    return rest.isEmpty
  }
}

extension JSONReader {
  /// Parses one value; only blanks may follow it.
  package static func read(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSON {
    try value(bytes) { JSON($0, at: 0, in: $1) }
  }
}

extension JSON {
  /// The value at a node of a parsed text.
  init(_ tape: borrowing JSONTape, at node: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    switch tape.kind(of: node) {
    case .null: self = .null
    case .yes: self = .bool(true)
    case .no: self = .bool(false)
    case .integer: self = .integer(tape.integer(at: node, in: bytes))
    case .number: self = .number(tape.number(at: node, in: bytes))
    case .text: self = .text(tape.text(at: node, in: bytes))
    case .list: self = .list(tape.children(of: node).map { JSON(tape, at: $0, in: bytes) })
    case .object:
      self = .object(
        tape.children(of: node).map { (tape.text(at: $0, in: bytes), JSON(tape, at: $0 + 1, in: bytes)) })
    }
  }
}

// Reads an object member by member if it can't be parsed whole, so that a bad member doesn't lose the others.

extension JSON {
  /// Parses a written object. A member that can't be parsed, because of its depth say, is replaced like a secret.
  static func readMembers(_ written: some Collection<UInt8>) -> JSON {
    if let whole = try? JSONReader.read(written) { return whole }
    let members = memberTexts(of: Array(written)).compactMap { text -> (String, JSON)? in
      if let member = (try? JSONReader.read([UInt8(ascii: "{")] + text + [UInt8(ascii: "}")]))?.members?.first {
        return member
      }
      return name(of: text).map { ($0, .unsaid) }
    }
    return .object(members)
  }

  /// Returns the members of an object as written, each with its name.
  private static func memberTexts(of object: [UInt8]) -> [ArraySlice<UInt8>] {
    var (depth, isText, isEscaped, start) = (0, false, false, 1)
    var texts: [ArraySlice<UInt8>] = []
    for (index, byte) in object.enumerated() {
      if isEscaped { isEscaped = false; continue }
      switch byte {
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      guard !isText, depth == 0 || depth == 1 && byte == UInt8(ascii: ",") else { continue }
      if start < index { texts.append(object[start..<index]) }
      start = index + 1
    }
    return texts
  }

  private static func name(of member: ArraySlice<UInt8>) -> String? {
    var isEscaped = false
    guard let begin = member.firstIndex(of: UInt8(ascii: "\"")),
      let end = member[(begin + 1)...].firstIndex(where: { byte in
        if isEscaped { isEscaped = false; return false }
        isEscaped = byte == UInt8(ascii: "\\")
        return byte == UInt8(ascii: "\"")
      })
    else { return nil }
    return (try? JSONReader.read(member[begin...end]))?.text
  }
}

/// Writes JSON.
package enum JSONText {
  package static func text(_ value: JSON) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return writer.text
  }

  /// Returns a quoted string with JSON's escapes, in which terminal control characters are escaped too.
  package static func quoted(_ text: String) -> String {
    var writer = JSONWriter(capacity: text.utf8.count + 16)
    writer.string(text)
    return writer.text
  }
}

extension JSONWriter {
  /// Writes a value.
  package mutating func value(_ value: JSON) {
    switch value {
    case .null: raw("null")
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .text(let value): string(value)
    case .element(let element, let isWhole): element.write(to: &self, whole: isWhole)
    case .changes(let all, let isWhole): changes(all, whole: isWhole)
    case .written(let text): written(text)
    case .list(let values):
      raw("[")
      for (index, value) in values.enumerated() {
        if index > 0 { raw(", ") }
        self.value(value)
      }
      raw("]")
    case .object(let members):
      raw("{")
      self.members(members)
      raw("}")
    }
  }

  /// Writes members of an object, after other members or after its '{'.
  package mutating func members(_ members: [(String, JSON)]) {
    for member in members {
      if last != UInt8(ascii: "{") { raw(", ") }
      string(member.0)
      raw(": ")
      value(member.1)
    }
  }
}

extension JSONWriter {
  /// Writes a list of changes of menus.
  ///
  /// - Parameter isWhole: whether elements without names include the ids by which changes find them.
  mutating func changes(_ changes: [MenuChange], whole isWhole: Bool) {
    raw("[")
    for (index, change) in changes.enumerated() {
      if index > 0 { raw(", ") }
      self.change(change, isWhole)
    }
    raw("]")
  }

  private mutating func change(_ change: MenuChange, _ isWhole: Bool) {
    switch change {
    case .insert(let element, let parent, let after):
      raw("{\"change\": \"insert\", \"id\": ")
      string(element.id)
      place(parent, after)
      raw(", \"element\": ")
      element.write(to: &self, whole: isWhole)
    case .move(let id, let parent, let after):
      raw("{\"change\": \"move\", \"id\": ")
      string(id)
      place(parent, after)
    case .remove(let id):
      raw("{\"change\": \"remove\", \"id\": ")
      string(id)
    case .update(let element):
      raw("{\"change\": \"update\", \"id\": ")
      string(element.id)
      raw(", \"element\": ")
      element.write(to: &self, whole: isWhole)
    }
    raw("}")
  }

  private mutating func place(_ parent: String, _ after: String?) {
    raw(", \"parent\": ")
    string(parent)
    guard let after else { return }
    raw(", \"after\": ")
    string(after)
  }
}
