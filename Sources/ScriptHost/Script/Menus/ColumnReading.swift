import CLua

// Reads the columns of a section (P11).

extension ScriptEngine {
  /// The columns of a section: a list of tables of their fields.
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
        let found = if case .text(let text) = value { "'\(text.cut(toBytes: 40).visible)'" } else { value.described }
        return LuaMisuse("'\(field)' of \(what) must be \(expected), not \(found)")
      }
      switch (field, value) {
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
    return column
  }
}
