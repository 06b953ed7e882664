import ScriptHost

// Values of scripts in JSON. A value without a JSON form is written by name: `{"$": "function"}`.

extension LuaTree {
  /// - Parameter isWhole: whether the JSON must restore the same value.
  package func json(whole isWhole: Bool = false) -> JSON {
    switch self {
    case .nil: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(orNamed: value)
    case .text(let value): return .text(value)
    case .bytes(let bytes):
      return isWhole ? .object([("$", .text("bytes")), ("count", .integer(bytes.count))]) : .named("bytes")
    case .opaque(let what): return .named(what)
    case .object(let id, _): return .object([("$", .text("object")), ("id", .integer(id))])
    case .list(let values): return .list(values.map { $0.json(whole: isWhole) })
    case .map(let entries):
      let members = entries.map { entry -> (String, JSON) in
        let name = if case .text(let text) = entry.key { text } else { entry.key.text }
        return (name, entry.value.json(whole: isWhole))
      }
      // The keys 1 and "1" are different keys with the same name.
      if Set(members.map { ByteText($0.0) }).count < members.count { return .named("doubled keys") }
      return .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    }
  }

  init(coded json: JSON) {
    switch json {
    case .null, .element, .changes, .written: self = .nil
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let text): self = .text(text)
    case .list(let values): self = .list(values.map { LuaTree(coded: $0) })
    case .object(let members):
      if let named = json["$"]?.text, members.count <= 2 {
        if let number = Double(named: named) { self = .number(number); return }
        if let id = json.objectID { self = .object(id, of: 0); return }
        let count = min(max(json["count"]?.integer ?? 0, 0), 1 << 24)
        self = named == "bytes" ? .bytes(Array(repeating: 0xFF, count: count)) : .opaque(named)
      } else {
        self = .map(members.map { Entry(told: .text($0.0), LuaTree(coded: $0.1)) })
      }
    }
  }
}

/// A detailed value, under the name of its kind.
extension Inspection {
  var json: JSON {
    switch self {
    case .nil: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(orNamed: value)
    case .text(let text): .text(text)
    case .bytes(let count): .object([("bytes", .integer(count))])
    case .function(let place): .object([("function", place == nil ? .null : .object(AnswerJSON().members(place)))])
    case .object(let name): .object([("object", .text(name))])
    case .cycle(let path): .object([("cycle", .text(path))])
    case .responder(let name, let fields): .object([("responder", .text(name)), ("fields", .object(fields.members))])
    case .table(let table): .object(table.members)
    }
  }

  init(coded json: JSON) {
    switch json {
    case .null, .element, .changes, .written, .list: self = .nil
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let text): self = .text(text)
    case .object(let members):
      guard let (kind, value) = members.first else { self = .nil; return }
      if let number = json["$"]?.text.flatMap(Double.init(named:)) { self = .number(number); return }
      switch kind {
      case "bytes": self = .bytes(count: value.integer ?? 0)
      case "function":
        self = .function(
          value["file"]?.text.map { file in
            Place(file: file, line: value["line"]?.integer ?? 0, column: value["column"]?.integer)
          })
      case "object": self = .object(value.text ?? "")
      case "cycle": self = .cycle(path: value.text ?? "")
      case "responder": self = .responder(value.text ?? "", fields: Table(coded: json["fields"] ?? .null))
      default: self = .table(Table(coded: json))
      }
    }
  }
}

extension Inspection.Table {
  fileprivate var members: [(String, JSON)] {
    [("table", .list(entries.map { .list([$0.key.json, $0.value.json]) }))]
      + (more > 0 ? [("more", .integer(more))] : [])
      + (isClosed ? [("closed", .bool(true))] : [])
  }

  fileprivate init(coded json: JSON) {
    let entries = (json["table"]?.list ?? []).compactMap { entry -> Inspection.Table.Entry? in
      guard let pair = entry.list, pair.count == 2 else { return nil }
      return Entry(told: Inspection(coded: pair[0]), Inspection(coded: pair[1]))
    }
    self.init(told: entries, more: json["more"]?.integer ?? 0, isClosed: json["closed"]?.bool ?? false)
  }
}

extension JSON {
  /// The number of a client's object, `{"$": "object", "id": 7}`; nil for any other value.
  var objectID: Int? {
    guard let members, members.count == 2, self["$"]?.text == "object" else { return nil }
    return self["id"]?.integer
  }

  fileprivate static func named(_ what: String) -> JSON { .object([("$", .text(what))]) }

  /// Returns a number, or its name if JSON can't write it.
  fileprivate static func number(orNamed value: Double) -> JSON {
    value.isFinite ? .number(value) : named(value.isNaN ? "nan" : "\(value)")
  }
}

extension Double {
  fileprivate init?(named name: String) {
    switch name {
    case "nan": self = .nan
    case "inf": self = .infinity
    case "-inf": self = -.infinity
    default: return nil
    }
  }
}

// Elements of menus write and read themselves, since a program that embeds the library codes them too.

extension MenuElement {
  /// The shapes of the parts of elements: styled text and columns.
  static let partShapes: [(name: String, shape: Shape)] = [
    ("span", "{text: string, style?: string}"),
    (
      "cell",
      "{text: string, spans?: [@span], title?: string, grow?: true, align?: right, least?: integer, most?: integer, cut?: middle}"
    ),
  ]

  /// The shape of each kind of element, under its schema name. Clients also get the ids of separators and labels.
  static var shapes: [(name: String, shape: Shape)] {
    [("", "element"), ("whole-", "whole-element")].flatMap { before, element -> [(name: String, shape: Shape)] in
      let id = before.isEmpty ? "" : ", id: string"
      return [
        (
          element,
          Shape("@\(before)item|@\(before)menu-element|@\(before)separator|@\(before)label|@\(before)area")
        ),
        (
          "\(before)item",
          Shape(
            """
            {kind: item, id: string, title: string, subtitle?: string, action: string, args: {*: @value}, key?: string,
            enabled: boolean, hidden: boolean, state: on|off|mixed, reason?: string, by?: string, elsewhere?: string, only_in?: string,
            blocked?: true, icon?: string, destructive?: true, \(ItemFact.shape),
            mark?: check|radio, asks?: true, current?: true, marked?: true, level?: integer, palette?: true, spans?: [@span],
            subtitle_spans?: [@span], icon_style?: string, section?: string, cells?: [@cell],
            alternates?: [{modifiers: [ctrl|alt|shift|super], element: @\(before)item}]}
            """)
        ),
        (
          "\(before)menu-element",
          Shape(
            """
            {kind: menu, id: string, title: string, enabled: boolean, hidden: boolean, reason?: string,
            current?: true, marked?: true, open?: boolean, level?: integer, spans?: [@span], section?: string, cells?: [@cell],
            children: [@\(element)]}
            """)
        ),
        (
          "\(before)area",
          Shape(
            """
            {kind: pane|text|beside|stack|tabs, id: string, title: string, enabled: boolean, hidden: boolean,
            reason?: string, spans?: [@span], subtitle_spans?: [@span], subtitle?: string, key?: string, share?: number,
            least?: integer, fit?: true, focused?: true,
            marks?: true, marked?: integer, filter?: string, current?: string, number?: integer, first?: integer, rows?: integer, counted?: true,
            of?: [string], lines?: integer, version?: integer, subject?: integer, running?: true, follow?: true, wrap?: true,
            line?: integer, selected?: [integer],
            children: [@\(element)]}
            """)
        ),
        ("\(before)separator", Shape("{kind: separator\(id)}")),
        ("\(before)label", Shape("{kind: label, title: string, spans?: [@span]\(id)}")),
        (
          "\(before)change",
          Shape(
            """
            {change: insert, id: string, parent: string, after?: string, element: @\(element)}
            |{change: move, id: string, parent: string, after?: string}|{change: remove, id: string}
            |{change: update, id: string, element: @\(element)}
            """)
        ),
      ]
    }
  }
}

extension MenuElement {
  /// Reads a list of elements. A face in the app's process is handed the elements themselves.
  static func list(_ json: JSON) throws -> [MenuElement] {
    try (json.list ?? []).enumerated().map { index, json in
      if case .element(let element, _) = json { return element }
      return try MenuElement(read: Literal(json), at: "\(index)")
    }
  }
}

extension [MenuChange] {
  init(coded json: JSON?) throws {
    if case .changes(let changes, _)? = json {
      self = changes
      return
    }
    self = try (json?.list ?? []).map { json in
      func text(_ name: String) throws -> String {
        guard let text = json[name]?.text else { throw Unreadable() }
        return text
      }
      func element() throws -> MenuElement {
        try MenuElement(read: Literal(json["element"] ?? .null), at: try text("id"))
      }
      switch try text("change") {
      case "insert": return .insert(try element(), parent: try text("parent"), after: json["after"]?.text)
      case "move": return .move(id: try text("id"), parent: try text("parent"), after: json["after"]?.text)
      case "remove": return .remove(id: try text("id"))
      case "update": return .update(try element())
      default: throw Unreadable()
      }
    }
  }
}

extension Literal {
  /// Reads a value. The cases that aren't plain JSON become null.
  package init(_ json: JSON) {
    switch json {
    case .null, .element, .changes, .written: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let text): self = .text(text)
    case .list(let values): self = .list(values.map { Literal($0) })
    case .object(let members):
      // Sorted by key, as a decoded object is, because changes and snapshots are compared.
      let sorted = members.count < 2 ? members : members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      self = LiteralObject(sorted.map { .init(key: $0.0, value: Literal($0.1)) }).map { .object($0) } ?? .null
    }
  }

}

// A line of a text in JSON: `{text, spans}`, without the spans where no part has a style.

extension StyledText {
  package var json: JSON {
    let plain: [(String, JSON)] = [("text", .text(text))]
    if isPlain { return .object(plain) }
    return .object(plain + [("spans", JSON(literal))])
  }

  package init(_ json: JSON) {
    guard let spans = json["spans"]?.list else {
      self.init(json["text"]?.text ?? "")
      return
    }
    self.init(
      spans.map { span in
        Span(span["text"]?.text ?? "", span["style"]?.text.flatMap(TextStyle.init(words:)) ?? TextStyle())
      })
  }
}
