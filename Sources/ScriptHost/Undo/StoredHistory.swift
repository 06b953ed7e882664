/// The part of a history that can outlive a reload and the process: groups of actions, newest first.
struct StoredHistory: Equatable {
  /// An action that undoes something, from an `ActionReversal`.
  struct Action: Equatable {
    let start: String
    let reference: Reference
    let arguments: LiteralObject
  }

  struct Entry: Equatable {
    let title: String
    let actions: [Action]
  }

  private(set) var undo: [Entry] = []
  private(set) var redo: [Entry] = []

  /// Stores the newest entries of a history, down to the first with a secret or a reversal that isn't an action. An
  /// object of a client ends them too, because another client may use its number for something else.
  init(of stack: UndoStack, holdsSecret: (ActionReversal) -> Bool) {
    func entries(_ direction: UndoStack.Direction) -> [Entry] {
      var entries: [Entry] = []
      for group in stack.groups(direction) {
        let actions = group.reversals.compactMap { $0 as? ActionReversal }
        guard actions.count == group.reversals.count, !actions.contains(where: holdsSecret) else { break }
        if actions.contains(where: \.holdsClientObject) { break }
        entries.append(
          Entry(
            title: group.title,
            actions: actions.map { Action(start: $0.start, reference: $0.reference, arguments: $0.arguments) }))
      }
      return entries
    }
    undo = entries(.undo)
    redo = entries(.redo)
  }

  /// Drops the oldest entries to fit a number of bytes as JSON. Redo entries go first, because they were undone
  /// earlier.
  mutating func trim(to most: Int, of responder: String) {
    var left = most - Self(undo: [], redo: []).json(of: responder).count
    func fitting(_ entries: [Entry]) -> [Entry] {
      Array(
        entries.prefix { entry in
          var writer = JSONWriter(capacity: 256)
          writer.literal(entry.literal)
          left -= writer.count + 2
          return left >= 0
        })
    }
    undo = fitting(undo)
    redo = undo.isEmpty && left < 0 ? [] : fitting(redo)
  }
}

extension ActionReversal {
  fileprivate var holdsClientObject: Bool {
    arguments.hasClientObject || reference.arguments?.hasClientObject ?? false
  }
}

extension LiteralObject {
  /// Whether a value in it is an object of a client, `{"$": "object", "id": 5}`.
  fileprivate var hasClientObject: Bool { members.contains { $0.value.hasClientObject } }
}

extension Literal {
  fileprivate var hasClientObject: Bool {
    switch self {
    case .list(let values): values.contains(where: \.hasClientObject)
    case .object(let object): object["$"] == .text("object") || object.hasClientObject
    default: false
    }
  }
}

// MARK: As JSON

extension StoredHistory {
  private init(undo: [Entry], redo: [Entry]) {
    self.undo = undo
    self.redo = redo
  }

  private static let format = "menuctl_history"

  func json(of responder: String) -> [UInt8] {
    var writer = JSONWriter(capacity: 256)
    writer.literal(
      .members([
        (Self.format, .integer(1)), ("of", .text(responder)), ("undo", .list(undo.map(\.literal))),
        ("redo", .list(redo.map(\.literal))),
      ]))
    return Array(writer.text.utf8)
  }

  /// Reads the JSON of a history.
  static func literal(_ bytes: [UInt8]) throws -> Literal {
    do throws(JSONError) { return try JSONReader.literal(bytes) } catch { throw Unreadable(error.message) }
  }

  /// Makes the history of a responder. Throws if the literal is anything else.
  init(_ literal: Literal, of responder: String) throws {
    guard case .object(let object) = literal, case .integer(let version)? = object[Self.format] else {
      throw Unreadable("the file is no history of menuctl")
    }
    if version != 1 { throw Unreadable("another version of menuctl wrote it") }
    guard case .text(let name)? = object["of"], name.hasSameBytes(as: responder) else {
      throw Unreadable("it is the history of another responder")
    }
    undo = try Self.entries(object["undo"])
    redo = try Self.entries(object["redo"])
  }

  private static func entries(_ literal: Literal?) throws -> [Entry] {
    guard case .list(let entries)? = literal else { throw Unreadable("a list of entries is missing") }
    return try entries.map { entry in
      guard case .object(let object) = entry, case .text(let title)? = object["title"],
        case .list(let actions)? = object["actions"], !actions.isEmpty
      else { throw Unreadable("an entry has no title or no actions") }
      return Entry(title: title.shown(hasLines: false), actions: try actions.map { try Action($0) })
    }
  }

  /// Why a stored history can't be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) { description = reason }
  }
}

extension StoredHistory.Entry {
  fileprivate var literal: Literal {
    .members([("title", .text(title)), ("actions", .list(actions.map(\.literal)))])
  }
}

extension StoredHistory.Action {
  fileprivate var literal: Literal {
    .members([("at", .text(start)), ("ref", .text(reference.format())), ("args", .object(arguments))])
  }

  fileprivate init(_ literal: Literal) throws {
    guard case .object(let object) = literal, case .text(let start)? = object["at"],
      case .text(let text)? = object["ref"], case .object(let arguments)? = object["args"],
      let reference = try? Reference.parse(text)
    else { throw StoredHistory.Unreadable("an action of it can't be read") }
    self.init(start: start, reference: reference, arguments: arguments)
  }
}

extension Literal {
  fileprivate static func members(_ members: [(key: String, value: Literal)]) -> Literal {
    .object(LiteralObject(distinct: members.map { LiteralObject.Member(key: $0.key, value: $0.value) }))
  }
}
