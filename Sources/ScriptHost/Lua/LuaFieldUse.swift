import CLua

/// Which fields of one of its parameters a function uses, as far as its code tells.
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
  /// Whether these are all. If not, the parameter's value may get where other code uses it, a key is computed,
  /// or the code can't be read.
  var isComplete = false

  /// The fields that it reads, where it does nothing else with the parameter; nil where it may.
  var fieldsRead: Set<String>? { isComplete && calls.isEmpty ? Set(reads) : nil }
}

extension LuaState {
  /// Tells from a function's code which fields of a parameter it uses; parameters count from 1, and `self` is the first.
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

  /// The answer that lies on top of the stack.
  func takeFieldUse(isComplete: Bool) -> LuaFieldUse {
    var use = LuaFieldUse(isComplete: isComplete)
    use.reads = names("reads", isComplete: &use.isComplete)
    use.writes = names("writes", isComplete: &use.isComplete)
    use.calls = names("calls", isComplete: &use.isComplete)
    clua_pop(L, 1)
    return use
  }

  /// A list in the table on top. A key that is not UTF-8 is no key of a context's, and missing in the list.
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
