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
  /// - Parameter name: what errors call the line.
  @discardableResult
  public func evaluate(_ line: String, name: String = "line") throws(LineError) -> [Value] {
    let job = try begin(line: line, name: name)
    _ = dispatcher.drive(untilEndOf: job)
    guard let result = job.result else {
      job.cancel()
      throw LineError(kind: .raised, failure: Failure(.misuse, "nothing can wait here"))
    }
    return try result.get()
  }

  /// Begins to evaluate a line as `evaluate` does, and doesn't wait for what it waits for.
  ///
  /// - Parameter name: what errors call the line.
  public func begin(line: String, name: String = "line") throws(LineError) -> LineJob {
    do {
      if let misuse = lineMisuse { throw misuse }
      let engine = try lineEngine()
      guard let script = engine.app else { throw Misuse(.notNow, "there is no script to evaluate a line in") }
      let line = try engine.compile(line, name: name, of: script)
      let job = try LineJob(line.function, skipping: line.skipped, name: name, of: script, in: self)
      job.goOn()
      return job
    } catch {
      throw lineError(error)
    }
  }

  /// Whether a line can be read; why not, where it can't. Nothing is run.
  package func read(line: String, name: String = "line") throws(LineError) {
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
}

extension ScriptEngine {
  /// A line, as a function.
  fileprivate struct Line {
    let function: LuaFunction
    /// How many of the function's values come before the line's own.
    let skipped: Int
  }

  /// Compiles a line as an expression if it can stand after `return`. The expression is not returned directly: a call there would be a tail call,
  /// which replaces the line's own frame, and errors would have no place.
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
}

extension ScriptHost {
  /// The error that ended a line.
  func lineError(_ error: any Error) -> LineError {
    // Finding out whose fault the error is may set an owner aside.
    defer { dispatcher.doPostponed() }
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
  /// For an error of reading, whether something is missing at the end; nil for an error of code that was read.
  var isIncomplete: Bool? {
    switch kind {
    case .syntax: message.hasSuffix("near <eof>")
    case .notText, .tooLong, .badName: false
    default: nil
    }
  }
}
