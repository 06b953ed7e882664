// Lines of Lua from a person: of the REPL, of a command line, of a program's console.

extension ScriptHost {
  /// Evaluates a line of Lua in the environment of the app's script; gives its values if it is an expression, else what it returns.
  ///
  /// It may wait; the host moves on meanwhile. A global that it assigns is defined in the script, and `_` is the first value of the
  /// line before it that had one. What it does to the script counts as an action does: menus are made again.
  ///
  /// ```swift
  /// let host = ScriptHost()
  /// try host.load(text: "count = 1; function app.on:add() count = count + 1 end", name: "count.lua")
  /// try host.evaluate("app:perform('add')")
  /// print(try host.evaluate("count, count * 10"))  // [ScriptHost.Value.integer(2), ScriptHost.Value.integer(20)]
  /// ```
  /// - Parameters:
  ///   - name: what errors call the line.
  ///   - waits: whether it may wait; where it may not, what would wait raises.
  @discardableResult
  public func evaluate(_ line: String, name: String = "line", waits: Bool = true) throws(LineError) -> [Value] {
    do {
      if let misuse = lineMisuse { throw misuse }
      let engine = try lineEngine()
      guard let script = engine.app else { return [] }
      let line = try engine.compile(line, name: name, of: script)
      defer {
        actionEnded()
        endTurn()
      }
      return try engine.evaluate(line, of: script, waits: waits).map(engine.value)
    } catch {
      let error = lineError(error)
      // To find out whose fault it is may have set somebody aside.
      dispatcher.catchUp()
      throw error
    }
  }

  /// Whether a line can be read; why not, where it can't. Nothing is run.
  public func read(line: String, name: String = "line") throws(LineError) {
    do {
      let engine = try scriptEngine()
      _ = try engine.compile(line, name: name, of: engine.app ?? engine.owners[0])
    } catch {
      throw lineError(error)
    }
  }

  private var lineMisuse: Misuse? {
    if let misuse = dispatcher.whileAskingMisuse("a line can't be evaluated") { return misuse }
    guard isLoading || dispatcher.depth.value > 0 else { return nil }
    return Misuse(.notNow, "a line can't be evaluated within \(isLoading ? "a load" : "an action")")
  }

  /// The interpreter; where no script was loaded, an empty one is.
  private func lineEngine() throws -> ScriptEngine {
    let engine = try scriptEngine()
    if engine.app == nil { try load(text: "", name: "line") }
    return engine
  }

  private func lineError(_ error: any Error) -> LineError {
    switch error {
    case let error as LuaError:
      let failure =
        scripts?.failure(error, owner: scripts?.app?.owner ?? program) ?? Failure(.script, error.message)
      guard let isIncomplete = error.isIncomplete else { return LineError(kind: .raised, failure: failure) }
      return LineError(kind: isIncomplete ? .incomplete : .unreadable, failure: failure)
    case let error as LoadError: return LineError(kind: .raised, failure: error.failure)
    default: return LineError(kind: .raised, failure: Failure(.misuse, "\(error)"))
    }
  }
}

extension LuaError {
  /// Of what can't be read, whether something is missing at its end; nil of what was read.
  fileprivate var isIncomplete: Bool? {
    switch kind {
    case .syntax: message.hasSuffix("near <eof>")
    case .notText, .tooLong, .badName: false
    default: nil
    }
  }
}

extension ScriptEngine {
  /// A line, as a function.
  fileprivate struct Line {
    let function: LuaFunction
    /// How many of its values are not the line's own.
    let skipped: Int
  }

  /// An expression is a line that can stand behind `return`. It is not what is returned first: a call there would take the place of
  /// the line that makes it, and errors would have no place.
  fileprivate func compile(_ line: String, name: String, of script: ScriptOwner) throws -> Line {
    let globals = try lineGlobals(of: script)
    let bytes = Array(line.utf8)
    do {
      let function = try lua.load(
        bytes: bytes, name: name, environment: globals, owner: script.code, behind: "return nil, ")
      return Line(function: function, skipped: 1)
    } catch  where error.kind == .syntax {
      do {
        return Line(
          function: try lua.load(bytes: bytes, name: name, environment: globals, owner: script.code), skipped: 0)
      } catch let ofStatements {
        throw error.isIncomplete == true ? error : ofStatements
      }
    }
  }

  fileprivate func evaluate(_ line: Line, of script: ScriptOwner, waits: Bool) throws -> [LuaValue] {
    let values = try within(allowance) {
      try (waits ? callDriving(line.function) : lua.call(line.function)).dropFirst(line.skipped)
    }
    if let first = values.first { try lua.rawSet("_", first, of: try lineGlobals(of: script)) }
    return Array(values)
  }

  /// The globals of lines: the script's, and `_`.
  private func lineGlobals(of script: ScriptOwner) throws -> LuaTable {
    if let known = script.lineGlobals { return known }
    let globals = lua.newTable()
    let metatable = lua.newTable()
    let write = script.function(lua) { [unowned self] call, script in
      let key = try call[1]
      if case .text(let name) = key, !script.defined.contains(name) {
        if try languageNames(of: script).contains(name) { throw LuaMisuse(try unassignable(name, script)) }
        script.defined.insert(name)
      }
      try lua.rawSet(key, try call[2], of: script.environment)
      return .nothing
    }
    try lua.rawSet("__index", .table(script.environment), of: metatable)
    try lua.rawSet("__newindex", .function(write), of: metatable)
    try lua.rawSet("__metatable", false, of: metatable)
    try setMetatable(metatable, of: globals)
    script.lineGlobals = globals
    script.environments.append(globals)
    return globals
  }
}
