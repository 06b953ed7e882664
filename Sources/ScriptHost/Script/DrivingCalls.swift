import CLua

// The calls on `app` that act for a person: keys, phases, URLs.

extension ScriptEngine {
  static let drivingCalls: [(name: String, body: HostCalls.Body)] = [
    ("press", { try $0.press($1) }),
    ("enter", { try $0.enter($1) }),
    ("open_urls", { try $0.openURLs($1) }),
  ]

  private func press(_ call: LuaCall) throws -> LuaReturn {
    try act(call, "press", "pressing keys") { host in
      let keys = try call.text(1, "the keys")
      var answers = Answers()
      if let options = try call.table(2, "the options") {
        try lua.forEach(in: options) { key, value in
          guard case .text(let name) = key, try answers.add(name, value, self) else {
            throw LuaMisuse("app:press has only the options 'confirmed' and 'args'")
          }
          return true
        }
      }
      return host.press(keys, confirmed: answers.isConfirmed, arguments: answers.arguments)
    }
  }

  private func enter(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "enter")
    try refusePlugins("entering a phase", owner)
    try refuseWhileAsking("entering a phase")
    try refuseWhileLoading("entering a phase")
    let name = try call.text(1, "the phase")
    guard let phase = Phase(rawValue: name) else {
      throw LuaMisuse("there is no phase '\(name)'\(meant(name, among: Phase.allCases.map(\.rawValue)))")
    }
    try allowing { try host.enter(phase) }
    return .nothing
  }

  private func openURLs(_ call: LuaCall) throws -> LuaReturn {
    let (_, owner) = try receiver(call, "open_urls")
    try refuseWhileAsking("opening URLs")
    try refuseWhileLoading("opening URLs")
    guard let table = try call.table(1, "the URLs") else {
      throw LuaMisuse("app:open_urls takes a list of URLs: { \"https://…\" }")
    }
    var urls: [String] = []
    for position in 0..<(try lua.rawCount(of: table)) {
      let value = try lua.rawGet(.integer(position + 1), of: table)
      guard case .text(let url) = value else { throw LuaMisuse("a URL is a string, not \(value.described)") }
      urls.append(url)
    }
    let outcomes = host.openURLs(urls)
    speaking(to: owner) { push(.list(outcomes.map { .opaque(ScriptOutcome($0)) }), on: call.L) }
    return .pushed(1)
  }
}

/// The options `confirmed` and `args` of picks and presses: the answers to a person's questions.
struct Answers {
  private(set) var isConfirmed: Bool?
  /// The arguments; nil if there are none, and empty if a form is submitted without values.
  private(set) var arguments: Arguments?

  /// Adds an option. Returns false for any other option.
  mutating func add(_ name: String, _ value: LuaValue, _ engine: ScriptEngine) throws -> Bool {
    switch name {
    case "confirmed": isConfirmed = value.isTrue
    case "args":
      guard case .table(let table) = value else { throw LuaMisuse("args must be a table, not \(value.described)") }
      arguments = try engine.arguments(table)
    default: return false
    }
    return true
  }
}

// modal, and a script's handle of a session: `session:close()`, `session.open`.

extension ScriptEngine {
  /// modal(responder [, { dismissable = … }]): returns nil and the reason if the responder doesn't get the focus.
  func modal(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("opening a modal session")
    try refuseWhileLoading("opening a modal session")
    let responder = try responder(try call[0], "the responder of a modal session")
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
        guard case .text(let name) = key else {
          throw LuaMisuse("options are named, as in { wait = false }: \(key.described) can't be a name")
        }
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

  /// Returns the table of a session. The host retains the session, so that collecting the table doesn't end it.
  ///
  /// The table has only the number of the session. A handler that keeps the table would otherwise retain itself,
  /// through the session and its responder.
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
    let write = lua.function { _ in throw LuaMisuse("the fields of this \(name) can only be read") }
    try lua.rawSet("__index", .function(read), of: metatable)
    try lua.rawSet("__newindex", .function(write), of: metatable)
    try lua.rawSet("__name", .text(name), of: metatable)
    try lua.rawSet("__metatable", false, of: metatable)
    let table = lua.newTable()
    try setMetatable(metatable, of: table)
    return .table(table)
  }

  /// Returns the open session of a number; nil once it has ended.
  func openSession(_ number: Int) -> ModalSession? { chain.sessions.last { $0.number == number } }
}
