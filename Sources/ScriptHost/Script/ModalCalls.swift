import CLua

// modal, and what a script holds of a session: `session:close()`, `session.open`.

extension ScriptEngine {
  /// modal(responder [, { dismissable = … }]); returns nil and the reason if the responder doesn't get the focus.
  func modal(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("opening a modal session")
    try refuseWhileLoading("opening a modal session")
    let responder = try responder(try call[0], "what modal opens a session on")
    let isDismissable = try call.table(1, "the options of modal").map(isDismissable) ?? false
    let session = try allowing {
      try host.modal(responder, dismissable: isDismissable, owner: owner.owner, place: place(call.place))
    }
    guard let session else { return .values([.nil, .text(host.refusedFocus(responder).message)]) }
    return .values([try handle(session, named: "modal session")])
  }

  private func isDismissable(_ options: LuaTable) throws -> Bool {
    var answer = false
    try lua.forEach(in: options) { key, value in
      guard case .text("dismissable") = key else {
        guard case .text(let name) = key else { throw LuaMisuse("an option has a name, not \(key.described) as key") }
        let near = nearest(to: name, among: ["dismissable"]).first.map { "; did you mean '\($0)'?" } ?? ""
        throw LuaMisuse("modal has no option '\(name)'\(near)")
      }
      guard case .bool(let value) = value else {
        throw LuaMisuse("'dismissable' must be a boolean, not \(value.described)")
      }
      answer = value
      return true
    }
    return answer
  }

  /// A table that stands for a session. The host keeps the session, so that it doesn't end when the table is collected.
  ///
  /// The table has only the number of the session. The session leads to its responder and to that one's handlers, so a handler that kept a table
  /// with the session in it would retain itself.
  func handle(
    _ session: ModalSession, named name: String, calls: [String: LuaFunction] = [:]
  ) throws -> LuaValue {
    let number = session.number
    let close = lua.function { [unowned self] _ in
      try refuseWhileAsking("closing a session")
      try allowing { try dispatcher.checkFocusIsFree() }
      openSession(number)?.close()
      return .nothing
    }
    let calls = calls.merging(["close": close]) { $1 }
    let metatable = lua.newTable()
    let read = lua.function { [unowned self] call in
      guard case .text(let field) = try call[1] else { return .values([.nil]) }
      return .values([field == "open" ? .bool(openSession(number) != nil) : calls[field].map { .function($0) } ?? .nil])
    }
    let write = lua.function { _ in throw LuaMisuse("the fields of this \(name) are the host's and can't be assigned") }
    try lua.rawSet("__index", .function(read), of: metatable)
    try lua.rawSet("__newindex", .function(write), of: metatable)
    try lua.rawSet("__name", .text(name), of: metatable)
    try lua.rawSet("__metatable", false, of: metatable)
    let table = lua.newTable()
    try setMetatable(metatable, of: table)
    return .table(table)
  }

  /// The session of a number, as long as it goes on.
  func openSession(_ number: Int) -> ModalSession? { chain.sessions.last { $0.number == number } }
}
