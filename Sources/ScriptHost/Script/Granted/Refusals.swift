import CLua

// Functions of Lua that scripts don't have. Each raises an error that names the alternative, and its capability.

extension ScriptEngine {
  /// The names of granted or refused access outside of the host.
  static let grantedNames: [ScriptName] = [
    ScriptName("os", pushed: { engine, _ in try engine.pushOS() }),
    ScriptName("require") { try $0.require($1, $2) },
    ScriptName("fs", pushed: { try $0.pushFiles(of: $1) }),
    ScriptName("exec", pushed: { try $0.pushExec(of: $1) }),
    ScriptName("open", pushed: { try $0.pushOpen(of: $1) }),
    ScriptName("notify", pushed: { try $0.pushNotify(of: $1) }),
    ScriptName("clipboard", pushed: { try $0.pushClipboard(of: $1) }),
    ScriptName("env") { engine, call, script in try engine.outer("env", call) { try engine.readVariable(call, script) }
    },
  ]

  /// Pushes the part of Lua's `os` that scripts have.
  private func pushOS() throws {
    guard case .table(let os) = try lua.rawGet("os", of: lua.globals) else { return clua_pushNil(lua.L) }
    let table = lua.newTable()
    for name in ["time", "date", "clock", "difftime"] {
      let known = try lua.get(name, of: os)
      guard case .function(let function) = known, name != "difftime" else {
        try lua.rawSet(.text(name), known, of: table)
        continue
      }
      try lua.rawSet(.text(name), .function(outer("os.\(name)", function)), of: table)
    }
    try refuse(Self.refusedOfOS, in: table, of: "os")
    try lua.push(try frozen(table).reference, on: lua.L)
  }

  /// Returns the table in the place of Lua's `io`, which no list of names shows.
  func refusedIO() throws -> LuaTable {
    let table = lua.newTable()
    try refuse(Self.refusedOfIO, in: table, of: "io")
    return try frozen(table)
  }

  func frozen(_ table: LuaTable) throws -> LuaTable {
    try lua.push(table.reference, on: lua.L)
    clua_freezeTable(lua.L)
    return LuaTable(reference: lua.takeReference())
  }

  private static let refusedOfIO =
    [
      ("open", "fs.read(path)", "fs.read"), ("lines", "fs.read(path)", "fs.read"),
      ("read", "app.settings", nil), ("write", "print", nil), ("popen", "exec(program, { … })", "exec=PROGRAM"),
      ("tmpfile", "fs.write(path, text)", "fs.write"), ("close", "fs.read(path)", "fs.read"),
      ("input", "fs.read(path)", "fs.read"), ("output", "fs.write(path, text)", "fs.write"),
      ("stdin", "app.settings", nil), ("stdout", "print", nil), ("stderr", "log(\"error\", …)", nil),
    ] as [(String, String, String?)]

  private static let refusedOfOS =
    [
      ("execute", "exec(program, { … })", "exec=PROGRAM"), ("getenv", "env(name)", "env=NAME"),
      ("remove", "fs.remove(path)", "fs.write"), ("rename", "fs.rename(from, to)", "fs.write"),
      ("tmpname", "fs.write(path, text)", "fs.write"),
      ("exit", "'return', which ends a function; the app ends with the program that runs it", nil),
      ("setlocale", "the host's locale", nil),
    ] as [(String, String, String?)]

  /// Adds functions to a table that explain the alternative to a missing function. Each is made when a script reads it.
  private func refuse(_ names: [(String, String, String?)], in table: LuaTable, of library: String) throws {
    let read = lua.function { [unowned self] call in
      guard case .text(let name) = try call[1], let (_, instead, capability) = names.first(where: { $0.0 == name })
      else { return .values([.nil]) }
      let refuse = lua.function { [unowned self] call in
        let (instead, capability) = library == "io" && name == "open" ? try opening(call) : (instead, capability)
        var refusal = refusal("\(library).\(name) is not available to scripts", instead, capability, at: call.place)
        refusal.place = refusal.place.map { place(of: "\(library).\(name)", from: $0, lines: 1) }
        throw refusal
      }
      return .values([.function(refuse)])
    }
    let behind = lua.newTable()
    try lua.rawSet("__index", .function(read), of: behind)
    try setMetatable(behind, of: table)
  }

  /// Returns the alternative to `io.open` for the mode of the call, and its capability.
  private func opening(_ call: LuaCall) throws -> (instead: String, capability: String) {
    let mode = if case .text(let mode) = try call[1] { mode } else { "r" }
    if mode.hasPrefix("w") { return ("fs.write(path, text)", "fs.write") }
    if mode.hasPrefix("a") { return ("fs.write(path, fs.read(path) .. text)", "fs.write' and 'fs.read") }
    return mode.contains("+") ? ("fs.write(path, text)", "fs.write' and 'fs.read") : ("fs.read(path)", "fs.read")
  }

  /// Returns a failure that says what can't be done, with the alternative and the capability for it.
  func refusal(
    _ sentence: String, _ instead: String?, _ capability: String?, at place: LuaError.Place?, owner: String? = nil
  ) -> Failure {
    let with = capability.map { "the capability '\($0)'" }
    let help: String
    switch (instead, with) {
    case (let instead?, let with?): help = "; use \(instead), with \(with)"
    case (let instead?, nil): help = "; use \(instead)"
    case (nil, let with?): help = ": it takes \(with)"
    case (nil, nil): help = ""
    }
    return Failure(
      capability == nil ? .misuse : .capability, sentence + help, place: self.place(place), text: place?.text,
      owner: owner)
  }
}
