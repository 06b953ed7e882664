import CLua

/// What a function may return, as found in its code.
struct LuaAnswers {
  /// A string that some `return` of the function gives alone.
  var text: String?
  /// Whether it never returns anything, nor raises by `error`.
  var isNothing = false
  /// Whether it returns a table that it makes.
  var isTable = false
}

extension LuaState {
  func answers(of function: LuaFunction) -> LuaAnswers {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard clua_room(L, 8), (try? push(function.reference, on: L)) != nil else { return LuaAnswers() }
    let answer = UInt32(bitPattern: clua_answers(L, -1))
    return LuaAnswers(
      text: text(at: -1, on: L), isNothing: answer & CLUA_ANSWERS_NOTHING.rawValue != 0,
      isTable: answer & CLUA_ANSWERS_TABLE.rawValue != 0)
  }

  /// The name of a function's parameter, counted from 1.
  func parameter(_ number: Int32, of function: LuaFunction) -> String? {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard clua_room(L, 8), (try? push(function.reference, on: L)) != nil else { return nil }
    clua_pushParameter(L, -1, number)
    return text(at: -1, on: L)
  }
}
