import LiveHost
import ScriptHost

/// A *tool* is an action in the protocol's list.
struct Tool {
  let name: String
  /// The action that it performs.
  let action: String
  let title: String
  let description: String
  let takes: [AskedArgument]
  /// Whether the action declares its arguments.
  let isDeclared: Bool
  let schema: JSON
  let isDestructive: Bool

  /// - Parameter items: the items that perform the action, each with its path in the menus.
  init(_ entry: ActionEntry, items: [(path: [String], element: MenuElement)]) {
    name = Self.name(for: entry.name)
    action = entry.name
    takes = entry.takes
    isDeclared = entry.isDeclared
    let only = items.count == 1 ? items[0].path.last : nil
    title = only.map { $0.hasSuffix("…") ? String($0.dropLast()) : $0 } ?? entry.title
    description = Self.description(of: entry, items.map(\.path))
    // Arguments that some of its handlers declare say more than the items'.
    schema =
      isDeclared || !takes.isEmpty
      ? InputSchema.declared(takes, isClosed: isDeclared) : InputSchema.seen(in: items.map(\.element.arguments))
    isDestructive =
      entry.confirm != nil || entry.isDestructive || entry.name == "quit"
      || items.contains { $0.element.isDestructive }
  }

  /// Makes the tool behind `menuctl.undo`.
  init(undoing title: String) {
    (name, action, self.title, description) = (OwnTool.undo.name, "undo", title, "")
    (takes, isDeclared, schema, isDestructive) = ([], true, InputSchema.object([], required: []), false)
  }

  /// The most items that a description names.
  private static let mostPaths = 6

  private static func description(of entry: ActionEntry, _ paths: [[String]]) -> String {
    var sentences = entry.help.map { [$0.hasSuffix(".") ? $0 : "\($0)."] } ?? []
    if !paths.isEmpty {
      let named = paths.prefix(mostPaths).map { $0.joined(separator: " › ") }
      let more = paths.count > mostPaths ? ["and \(paths.count - mostPaths) more"] : []
      sentences.append("In the menus: \((named + more).joined(separator: "; ")).")
    }
    if !entry.keys.isEmpty { sentences.append("Keys: \(entry.keys.joined(separator: ", ")).") }
    return sentences.isEmpty ? "The action '\(entry.name)' of this app." : sentences.joined(separator: " ")
  }

  /// Returns the name of an action's tool. Replaces characters that the protocol forbids and then adds a hash of the
  /// name, so that it doesn't depend on other actions.
  static func name(for action: String) -> String {
    let bytes = Array(action.utf8)
    if bytes.count <= 128, !bytes.isEmpty, bytes.allSatisfy(isAllowed), !action.hasPrefix(OwnTool.prefix),
      !endsInHash(action)
    {
      return action
    }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let end = String(hash, radix: 16)
    let begin = bytes.prefix(100).map { isAllowed($0) && $0 != UInt8(ascii: ".") ? $0 : UInt8(ascii: "_") }
    return "\(String(decoding: begin, as: UTF8.self))_\(String(repeating: "0", count: 16 - end.utf8.count) + end)"
  }

  /// Returns true if a name could be that of another action with its hash.
  private static func endsInHash(_ name: String) -> Bool {
    guard let end = name.split(separator: "_", omittingEmptySubsequences: false).last else { return false }
    return end.utf8.count == 16 && end.allSatisfy(\.isHexDigit) && end.utf8.count < name.utf8.count
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Returns the tool's entry in the list.
  ///
  /// - Parameter isOpen: whether scripts may have effects outside of the app.
  func json(isOpen: Bool) -> JSON {
    .object([
      ("name", .text(name)), ("title", .text(title)), ("description", .text(description)), ("inputSchema", schema),
      ("outputSchema", Self.outcome),
      ("annotations", Self.annotations(readOnly: false, destructive: isDestructive, open: isOpen)),
    ])
  }

  /// Returns all hints, because the protocol's defaults assume the worst.
  static func annotations(readOnly: Bool, destructive: Bool = false, open: Bool = false) -> JSON {
    .object([
      ("readOnlyHint", .bool(readOnly)), ("destructiveHint", .bool(destructive)),
      ("idempotentHint", .bool(readOnly)), ("openWorldHint", .bool(open)),
    ])
  }

  /// The schema of an outcome.
  static let outcome: JSON = {
    let text = JSON.object([("type", .text("string"))])
    let status = JSON.object([
      ("type", .text("string")), ("enum", .list(Outcome.Status.allCases.map { .text($0.rawValue) })),
    ])
    return .object([
      ("type", .text("object")),
      (
        "properties",
        .object([
          ("action", text), ("status", status), ("by", text), ("via", text), ("result", .object([])),
          ("reason", text), ("undo", text), ("error", .object([("type", .text("object"))])),
        ])
      ),
      ("required", .list([.text("status")])),
    ])
  }()
}

/// The tools that every app has.
enum OwnTool: String, CaseIterable {
  case choose, find, menus, perform, undo, why

  static let prefix = "menuctl."
  var name: String { Self.prefix + rawValue }

  init?(named name: String) {
    guard name.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(name.dropFirst(Self.prefix.count)))
  }

  /// Whether the tool only reads.
  var isQuestion: Bool { self == .menus || self == .why || self == .find }

  func json(isOpen: Bool) -> JSON {
    let (title, description, schema) = facts
    let doesAny = self == .perform
    return .object(
      [
        ("name", .text(name)), ("title", .text(title)), ("description", .text(description)), ("inputSchema", schema),
      ] + (isQuestion ? [] : [("outputSchema", Tool.outcome)]) + [
        (
          "annotations",
          Tool.annotations(readOnly: isQuestion, destructive: doesAny, open: (doesAny || self == .undo) && isOpen)
        )
      ])
  }

  var schema: JSON { facts.schema }

  private var facts: (title: String, description: String, schema: JSON) {
    func text(_ about: String) -> JSON { .object([("type", .text("string")), ("description", .text(about))]) }
    switch self {
    case .choose:
      return (
        "Choose",
        "Chooses a row of the panel, or a pane, and marks rows, as the person does. Actions of a pane are for its current "
          + "row or its marked rows. The resource menuctl://panel has the ids.",
        InputSchema.object(
          [
            ("id", text("the row that becomes current, or the pane that gets the focus")),
            (
              "marked",
              .object([
                ("type", .text("array")), ("items", .object([("type", .text("string"))])),
                ("description", .text("exactly the rows of one pane that are marked then; [] for none")),
              ])
            ),
            ("pane", text("the pane of the marked rows; needed for []")),
          ], required: [])
      )
    case .find:
      return (
        "Find actions",
        "Finds actions by words in their names, menus and help, for menuctl.perform. Returns 20 at most, and how many there are.",
        InputSchema.object(
          [
            ("text", text("words, all of which the action must have; empty for all")),
            (
              "from",
              .object([("type", .text("integer")), ("description", .text("the number of the first to return, from 1"))])
            ),
          ], required: ["text"])
      )
    case .menus:
      return (
        "Menus", "The app's menus as they are now: each item with its action, and why it can't be done.",
        InputSchema.object([("id", text("one element with all below it; all menus if left out"))], required: [])
      )
    case .perform:
      return (
        "Perform", "Performs an action that menuctl.find has found.",
        InputSchema.object(
          [
            ("action", text("the action's name")),
            ("arguments", .object([("type", .text("object")), ("description", .text("what the action takes"))])),
          ], required: ["action"])
      )
    case .undo:
      return (
        "Undo", "Takes back the last action of this assistant that can be undone. The deeds of the person stay.",
        InputSchema.object([], required: [])
      )
    case .why:
      return (
        "Why", "Why an action can or can't be done now: who is asked, what each one says, what is missing.",
        InputSchema.object(
          [("ref", text("an action, as in rate(rating: 5), or the id of an item"))], required: ["ref"])
      )
    }
  }
}
