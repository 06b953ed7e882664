// Lines of Lua from a person: in the REPL, on a command line, in a program's console.

extension ScriptHost {
  /// Evaluates a line of Lua in the app's script. Returns the values of an expression, else those of its `return`.
  ///
  /// It may wait, and the host goes on meanwhile. A global that it assigns is defined in the script. `_` is the first
  /// value of the last line with a value. After the line, as after an action, the menus are made again.
  ///
  /// ```swift
  /// let host = ScriptHost()
  /// try host.load(text: "count = 1; function app.on:add() count = count + 1 end", name: "count.lua")
  /// try host.evaluate("app:perform('add')")
  /// print(try host.evaluate("count, count * 10"))  // [ScriptHost.Value.integer(2), ScriptHost.Value.integer(20)]
  /// ```
  /// - Parameter name: the name of the line in errors.
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

  /// Begins to evaluate a line like `evaluate`, but doesn't wait.
  ///
  /// - Parameter name: the name of the line in errors.
  public func begin(line: String, name: String = "line") throws(LineError) -> LineJob {
    do {
      if let misuse = lineMisuse { throw misuse }
      let engine = try lineEngine()
      guard let script = engine.app else { throw Misuse(.notNow, "no script is loaded to evaluate a line in") }
      let line = try engine.compile(line, name: name, of: script)
      let job = try LineJob(line.function, skipping: line.skipped, name: name, of: script, in: self)
      job.goOn()
      return job
    } catch {
      throw lineError(error)
    }
  }

  /// Parses a line, and throws the error if it is invalid. Nothing runs.
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

  /// Returns the interpreter, with an empty script if none was loaded.
  private func lineEngine() throws -> ScriptEngine {
    let engine = try scriptEngine()
    if engine.app == nil { try load(text: "", name: "line") }
    return engine
  }
}

extension ScriptEngine {
  /// A line, compiled to a function.
  fileprivate struct Line {
    let function: LuaFunction
    /// The number of the function's values before the line's own values.
    let skipped: Int
  }

  /// Compiles a line as an expression if it is valid after `return`. The expression is not returned directly: a tail
  /// call would replace the line's frame, and errors would have no place.
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
  /// Returns the error that ended a line.
  func lineError(_ error: any Error) -> LineError {
    // Attributing the error may set an owner aside.
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
  /// For a syntax error, whether the text ends too early; nil for an error of running code.
  var isIncomplete: Bool? {
    switch kind {
    case .syntax: message.hasSuffix("near <eof>")
    case .notText, .tooLong, .badName: false
    default: nil
    }
  }
}
