import ScriptHost

/// A JSON value. The members of an object stay in the order in which they are given.
package enum JSON: Sendable {
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case null
  case list([JSON])
  case object([(String, JSON)])
  /// An element of a menu, which writes itself; if `isWhole`, with the ids that only changes use too.
  indirect case element(MenuElement, isWhole: Bool = false)
  /// The changes of menus, which write themselves in the same way.
  case changes([MenuChange], isWhole: Bool = false)
  /// A value that was written already; it is parsed when a member or an element is asked for.
  case written(String)
}

extension JSON {
  package init(_ literal: Literal) { self.init(Value(literal)) }

  /// A member of an object; nil if there is none, or if this is no object.
  package subscript(name: String) -> JSON? {
    guard let members else { return nil }
    // By index: copying each member out takes longer than comparing its name.
    for index in members.indices where members[index].0.hasSameBytes(as: name) { return members[index].1 }
    return nil
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
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
  /// The order of an object's members doesn't count. Texts are compared byte by byte.
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

  /// Whether these are the same members in any order. A name may stand twice in an object that was not parsed.
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
