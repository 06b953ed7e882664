import CLua

/// The fields of one parameter that a function uses, as found in its code.
///
/// ```lua
/// function grid:provide(ctx)
///   ctx.photo = self.photos[ctx.index]      -- reads index, writes photo
///   ctx:append("observers", self)           -- calls append, writes observers
/// end
/// ```
struct LuaFieldUse: Equatable {
  /// Keys that it may read or ask for by `each`, `flag` and `has`, in order of first appearance.
  var reads: [String] = []
  /// Keys that it may write or append to.
  var writes: [String] = []
  /// Methods that it may call.
  var calls: [String] = []
  /// Whether the lists are complete. If not, the parameter's value may reach other code, a key is computed,
  /// or the code can't be read.
  var isComplete = false

  /// The fields that it reads; nil if the lists aren't complete, or if it calls methods of the parameter.
  var fieldsRead: Set<String>? { isComplete && calls.isEmpty ? Set(reads) : nil }
}

extension LuaState {
  /// Finds in a function's code which fields of a parameter it uses; parameters count from 1, and `self` is the first.
  ///
  /// The parameter's methods are taken for those of a context, and nothing but the parameter may lead to its value.
  func fieldUse(of function: LuaFunction, parameter: Int) -> LuaFieldUse {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard let parameter = Int32(exactly: parameter), clua_room(L, 16),
      (try? push(function.reference, on: L)) != nil
    else { return LuaFieldUse() }
    let isComplete = clua_fieldUse(L, -1, parameter) != 0
    return takeFieldUse(isComplete: isComplete)
  }

  /// Pops the table on top of the stack as a `LuaFieldUse`.
  func takeFieldUse(isComplete: Bool) -> LuaFieldUse {
    var use = LuaFieldUse(isComplete: isComplete)
    use.reads = names("reads", isComplete: &use.isComplete)
    use.writes = names("writes", isComplete: &use.isComplete)
    use.calls = names("calls", isComplete: &use.isComplete)
    clua_pop(L, 1)
    return use
  }

  /// A list in the table on top. A key that isn't UTF-8 is left out, since it is no key of a context, and the list isn't complete then.
  private func names(_ list: String, isComplete: inout Bool) -> [String] {
    push(text: list, on: L)
    clua_rawGet(L, -2)
    defer { clua_pop(L, 1) }
    var names: [String] = []
    for index in 0..<Int64(clua_rawLength(L, -1)) {
      clua_rawGetAt(L, -1, index + 1)
      var count = 0
      let start = clua_bytes(L, -1, &count)
      if let name = String(utf8: UnsafeRawBufferPointer(start: start, count: count)) {
        names.append(name)
      } else {
        isComplete = false
      }
      clua_pop(L, 1)
    }
    return names
  }
}
