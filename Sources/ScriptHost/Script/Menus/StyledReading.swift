import CLua

// Styled texts of scripts (P16): `span`, `ansi`, and texts that are lists of texts and spans.

extension ScriptEngine {
  static let textNames: [ScriptName] = [
    ScriptName("span") { engine, call, _ in try engine.span(call) },
    ScriptName("ansi") { engine, call, _ in try engine.ansi(call) },
  ]

  /// `span(text, style)`: returns a table with both.
  private func span(_ call: LuaCall) throws -> LuaReturn {
    guard clua_type(call.L, 1) == CLUA_TSTRING.rawValue else {
      throw LuaMisuse("span takes a text and a style, not \(try call[0].described) as text")
    }
    _ = try style(call[1], "the style of a span")
    clua_setTop(call.L, 2)
    clua_newTable(call.L, 0, 2)
    clua_copy(call.L, 1)
    lua.setField("text", on: call.L)
    clua_copy(call.L, 2)
    lua.setField("style", on: call.L)
    return .pushed(1)
  }

  /// `ansi(text)`: converts a program's terminal output to texts and spans.
  private func ansi(_ call: LuaCall) throws -> LuaReturn {
    guard clua_type(call.L, 1) == CLUA_TSTRING.rawValue else {
      throw LuaMisuse("ansi takes a text, not \(try call[0].described)")
    }
    let bytes = lua.bytes(at: 1, on: call.L)
    charge(bytes.count)
    let styled = StyledText(ansi: String(decoding: bytes, as: UTF8.self))
    clua_newTable(call.L, Int32(styled.spans.count), 0)
    // An empty text is a text too.
    for (index, span) in (styled.spans.isEmpty ? [StyledText.Span("")] : styled.spans).enumerated() {
      if span.style.isPlain {
        lua.push(text: span.text, on: call.L)
      } else {
        clua_newTable(call.L, 0, 2)
        lua.push(text: span.text, on: call.L)
        lua.setField("text", on: call.L)
        lua.push(text: span.style.words, on: call.L)
        lua.setField("style", on: call.L)
      }
      clua_rawSetAt(call.L, -2, Int64(index) + 1)
    }
    return .pushed(1)
  }

  /// Returns the style that a script names.
  func style(_ value: LuaValue, _ what: @autoclosure () -> String) throws -> TextStyle {
    guard case .text(let words) = value else {
      throw LuaMisuse("\(what()) must be the name of a style, not \(value.described)")
    }
    if let style = TextStyle(words: words) { return style }
    let known = TextStyle.Meaning.allCases.map(\.rawValue)
    let word = words.split(separator: " ").map(String.init).first { TextStyle(words: $0) == nil } ?? words
    let near = nearest(to: word, among: known + TextStyle.Colour.names).first.map { "; did you mean '\($0)'?" }
    throw LuaMisuse(
      "\(what()) has no meaning or colour '\(word.cut(toBytes: 40).visible)'"
        + (near ?? ": use \(known.joined(separator: ", ")), or a colour such as \"bold red\""))
  }

  /// The most texts and spans of a text.
  private static let mostParts = 1000
  /// The deepest nesting of lists of texts and spans.
  private static let deepestList = 8

  /// Reads a text to show: a string, a span, or a nested list of strings and spans; nil for any other value.
  func styledText(
    at index: Int32, _ what: @autoclosure () -> String, at place: Place?, hasLines: Bool = false
  ) throws -> StyledText? {
    let L = lua.L
    guard clua_type(L, index) == CLUA_TTABLE.rawValue, clua_hostNumber(L, index) < 0 else {
      return shownText(try lua.value(at: index, on: L), what(), at: place, hasLines: hasLines).map { StyledText($0) }
    }
    let table = index < 0 ? clua_top(L) + 1 + index : index
    if clua_rawLength(L, table) == 0, lua.firstName(inTableAt: table, on: L) == nil { return nil }
    var reading = StyledReading(what: what(), place: place, hasLines: hasLines)
    try read(table, 0, &reading)
    return StyledText(reading.spans)
  }

  private func read(_ table: Int32, _ depth: Int, _ reading: inout StyledReading) throws {
    let L = lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard depth < Self.deepestList, clua_room(L, 24) else {
      throw LuaMisuse("\(reading.what) has lists in lists, more than \(Self.deepestList) deep")
    }
    lua.push(text: "text", on: L)
    clua_rawGet(L, table)
    if clua_type(L, -1) == CLUA_TSTRING.rawValue {
      let text = try lua.value(at: -1, on: L)
      lua.push(text: "style", on: L)
      clua_rawGet(L, table)
      let style =
        clua_type(L, -1) == CLUA_TNIL.rawValue
        ? TextStyle() : try style(try lua.value(at: -1, on: L), "a style in \(reading.what)")
      return try add(text, style, to: &reading)
    }
    clua_setTop(L, top)
    let count = clua_rawLength(L, table)
    if count == 0, let name = lua.firstName(inTableAt: table, on: L) {
      throw LuaMisuse(
        "\(reading.what) must be a text or a list of texts and spans, not a table with the name '\(name)'")
    }
    guard count <= UInt64(Self.mostParts) else { throw LuaMisuse(Self.tooMany(reading.what)) }
    for place in 0..<Int64(count) {
      clua_rawGetAt(L, table, place + 1)
      let value = try lua.value(at: -1, on: L)
      switch value {
      case .text, .bytes: try add(value, TextStyle(), to: &reading)
      case .table where clua_hostNumber(L, -1) < 0: try read(clua_top(L), depth + 1, &reading)
      default:
        let isElement = element(at: -1, on: L) != nil
        let hint = isElement ? "; write the title before the braces: menu \"…\" { … }" : ""
        throw LuaMisuse(
          "\(reading.what) must be a text or a list of texts and spans, but has \(value.described) in it\(hint)")
      }
      clua_setTop(L, top)
    }
  }

  /// Returns true if a table is a span, not a list or fields.
  func isSpan(at index: Int32, _ L: OpaquePointer) -> Bool {
    clua_copy(L, index)
    lua.push(text: "text", on: L)
    clua_rawGet(L, -2)
    defer { clua_pop(L, 2) }
    return clua_type(L, -1) == CLUA_TSTRING.rawValue
  }

  private static func tooMany(_ what: String) -> String { "\(what) can have \(mostParts) texts and spans at most" }

  private func add(_ value: LuaValue, _ style: TextStyle, to reading: inout StyledReading) throws {
    reading.parts += 1
    if reading.parts > Self.mostParts { throw LuaMisuse(Self.tooMany(reading.what)) }
    guard
      let text = shownText(value, reading.what, at: reading.place, hasLines: reading.hasLines), !text.isEmpty,
      reading.left > 0
    else { return }
    let shown = text.cut(toBytes: reading.left)
    if shown.utf8.count < text.utf8.count {
      warnOnce("text", "\(reading.what) is longer than \(Element.textLimit) bytes: the host cuts it", at: reading.place)
    }
    reading.left = shown.utf8.count < text.utf8.count ? 0 : reading.left - shown.utf8.count
    if let last = reading.spans.last, last.style == style {
      reading.spans[reading.spans.count - 1] = StyledText.Span(last.text + shown, style)
    } else {
      reading.spans.append(StyledText.Span(shown, style))
    }
  }
}

/// The state of reading a styled text from a script's lists.
private struct StyledReading {
  let what: String
  let place: Place?
  let hasLines: Bool
  var spans: [StyledText.Span] = []
  var parts = 0
  /// The remaining bytes.
  var left = Element.textLimit
}

extension StyledText {
  /// The text, if any part has a style; nil for a plain text, which is kept as a string alone.
  var unlessPlain: StyledText? { isPlain ? nil : self }
}

// Reads the columns of a section (P11).

extension ScriptEngine {
  /// Returns the columns of a section: a list of tables of their fields.
  func columns(of element: ScriptElement, _ L: OpaquePointer) throws -> [RowColumn] {
    let what = "'columns' of \(element.described)"
    guard clua_type(L, -1) == CLUA_TTABLE.rawValue, clua_hostNumber(L, -1) < 0 else {
      throw LuaMisuse("\(what) must be a list of tables, not \(try lua.value(at: -1, on: L).described)")
    }
    let table = clua_top(L)
    let count = Int(clamping: clua_rawLength(L, table))
    guard count <= RowColumn.limit else { throw LuaMisuse("\(what) can be \(RowColumn.limit) at most, not \(count)") }
    if count == 0, let name = lua.firstName(inTableAt: table, on: L) {
      throw LuaMisuse("\(what) must be a list of tables, not a table with the name '\(name)'")
    }
    return try (1..<count + 1).map { number in
      clua_rawGetAt(L, table, Int64(number))
      defer { clua_setTop(L, table) }
      guard clua_type(L, -1) == CLUA_TTABLE.rawValue, clua_hostNumber(L, -1) < 0 else {
        throw LuaMisuse(
          "column \(number) of \(element.described) must be a table, not \(try lua.value(at: -1, on: L).described)")
      }
      return try column("column \(number) of \(element.described)", at: element.place, L)
    }
  }

  private func column(_ what: String, at place: Place?, _ L: OpaquePointer) throws -> RowColumn {
    var column = RowColumn()
    let known = fieldNames.column
    try forEachField(clua_top(L), of: known, L) { field, L in
      let value = try lua.value(at: -1, on: L)
      func wrong(_ expected: String) -> LuaMisuse {
        let found = if case .text(let text) = value { "'\(text.cut(toBytes: 40).visible)'" } else { value.measured }
        return LuaMisuse("'\(field)' of \(what) must be \(expected), not \(found)")
      }
      switch (field, value) {
      case ("title", _):
        guard let title = shownText(value, "'title' of \(what)", at: place) else { throw wrong("a string") }
        column.title = title
      case ("grow", .bool(let grow)): column.grow = grow
      case ("grow", _): throw wrong("a boolean")
      case ("align", .text("left")): column.isRight = false
      case ("align", .text("right")): column.isRight = true
      case ("align", _): throw wrong("'left' or 'right'")
      case ("style", _): column.style = try style(value, "'style' of \(what)")
      case ("least", .integer(let least)) where 1...1000 ~= least: column.least = least
      case ("most", .integer(let most)) where 1...1000 ~= most: column.most = most
      case ("least", _), ("most", _): throw wrong("a number of cells from 1 to 1000")
      case ("cut", .text(let cut)):
        guard let cut = RowColumn.Cut(rawValue: cut) else { throw wrong("'end' or 'middle'") }
        column.cut = cut
      case ("cut", _): throw wrong("'end' or 'middle'")
      default: unknownField(field, of: what, known.names, at: place)
      }
    }
    if let least = column.least, let most = column.most, least > most {
      throw LuaMisuse("'least' of \(what) must be at most its 'most', which is \(most), not \(least)")
    }
    return column
  }
}
