import CLua

extension ScriptHost {
  /// Loads a script: all of it, or nothing.
  public func load(path: String) throws(LoadError) {
    try load(bytes: try ScriptFile.read(path), name: path, folder: ScriptFile.folder(of: path))
  }

  /// Loads a script from text.
  public func load(text: String, name: String) throws(LoadError) {
    try load(bytes: Array(text.utf8), name: name)
  }

  /// Loads a script from unchecked bytes. Its modules are below the folder, if there is one.
  public func load(bytes: [UInt8], name: String, folder: String? = nil) throws(LoadError) {
    try load(newOwner("app")) { [granted] engine, script in
      script.grant(granted, folder: folder)
      try engine.run(bytes, name: name, of: script, in: script.environment)
      try engine.checkWishes(of: script, path: name)
    }
  }

  /// Runs a body that loads an owner's scripts: all of it, or nothing. After a failure, plugins that were loaded with
  /// it are removed too, and the chain is as before the first plugin.
  func load(
    _ owner: Owner, with plugins: [Int] = [], before: Arrangement? = nil,
    _ body: (ScriptEngine, ScriptOwner) throws -> Void
  ) throws(LoadError) {
    try checkMayLoad()
    let before = before ?? chain.arrangement
    isLoading = true
    defer {
      isLoading = false
      scripts?.writeStores()
      endTurn()
    }
    do {
      let engine = try scriptEngine()
      try body(engine, try engine.addOwner(owner))
    } catch {
      // Notifications of focus moves wait until everything is restored.
      dispatcher.tellingFocusOnce {
        removeAll(of: owner)
        takeOut(plugins: plugins)
        chain.restore(before)
        isLoading = false
      }
      throw loadError(error, owner)
    }
    finishLoading(of: owner)
    isLoading = false
    menuTrees.panes.begin()
    startLate(owner)
  }

  /// Returns an owner that is loaded after all present owners.
  func newOwner(_ name: String) -> Owner {
    lastOwner += 1
    return Owner(name: name, number: lastOwner)
  }

  /// Returns the error for a script that could not be loaded.
  func loadError(_ error: any Error, _ owner: Owner) -> LoadError {
    switch error {
    case let error as LoadError: return error
    case let missing as ConsentMissing:
      return LoadError(kind: .failed, failure: missing.failure, asks: missing.request)
    case let misuse as LuaMisuse: return LoadError(kind: .failed, failure: Failure(.misuse, misuse.message))
    case let failure as Failure: return LoadError(kind: .failed, failure: failure)
    case let misuse as Misuse:
      return LoadError(kind: .failed, failure: Failure(.misuse, misuse.message, place: misuse.place))
    case let error as LuaError:
      let failure = scripts?.failure(error, owner: owner) ?? Failure(.script, error.message)
      return LoadError(kind: .failed, failure: failure)
    default: return LoadError(kind: .failed, failure: Failure(.script, "\(error)"))
    }
  }

  /// Reports likely mistakes in a loaded script.
  func finishLoading(of owner: Owner) {
    chain.isExact = scripts?.isExact ?? false
    menuTrees.invalidate()
    scripts?.startTimers(of: owner)
    scripts?.recallHistories()
    for diagnostic in chain.strayRedirects(of: owner) + keyConflicts(of: owner) { report(diagnostic) }
  }

  /// The interpreter of this host.
  var scripts: ScriptEngine? { engine as? ScriptEngine }

  func scriptEngine() throws(LuaError) -> ScriptEngine {
    if let scripts { return scripts }
    let made = try ScriptEngine(host: self)
    engine = made
    dispatcher.engine = made
    return made
  }
}

extension ScriptEngine {
  /// Runs the chunk of a script, which declares. It may run within another chunk of the same owner.
  func run(_ bytes: [UInt8], name: String, of script: ScriptOwner, in environment: LuaTable) throws {
    script.sources.insert(name)
    try run(of: script) { try lua.load(bytes: bytes, name: name, environment: environment, owner: script.code) }
  }

  /// Runs a script that a closure loads.
  func run(of script: ScriptOwner, _ load: () throws -> LuaFunction) throws {
    let before = script.isLoading
    script.isLoading = true
    loading += 1
    defer {
      script.isLoading = before
      loading -= 1
    }
    let chunk = try load()
    // A test that loads a plugin may wait, but the plugin's own lines may not.
    _ = try lua.inPhase(CLUA_IDLE) { try within(host.limits.load) { try lua.call(chunk) } }
  }
}

extension Chain {
  /// The most reports: each is compared with all names, to suggest a near name.
  private static var strayLimit: Int { 20 }

  /// Returns redirections to missing responders, whose names are probably misspelt.
  fileprivate func strayRedirects(of owner: Owner) -> [Diagnostic] {
    let names = responders.values.map(\.name)
    var strays: [Diagnostic] = []
    for responder in responders.values.sorted(by: { $0.number < $1.number }) {
      guard case .to(let name)? = responder.layers.first(where: { $0.owner === owner })?.redirect, find(name) == nil
      else { continue }
      let near = nearest(to: name, among: names).first
      strays.append(
        Diagnostic(
          .warning, "stray-redirect", "'\(responder.name)' redirects to '\(name)', but there is no such responder",
          place: responder.place, help: near.map { "did you mean '\($0)'?" }))
      if strays.count == Self.strayLimit { break }
    }
    return strays
  }
}

// The parts of a script's interpreter for the embedding program.

extension ScriptHost {
  /// Returns a canceller that ends the running script from a signal handler or another thread.
  public func canceller() throws -> Canceller { Canceller(interpreter: try scriptEngine().lua.canceller) }

  /// The title of the app, from its script.
  public var title: String? { text(ofAppField: "title") }

  /// Returns a text field that the script gave its app, as `app.name`.
  package func text(ofAppField name: String) -> String? {
    guard let scripts, let owner = scripts.app, let field = AppField(rawValue: name) else { return nil }
    return scripts.text(field, for: owner)?.shown(hasLines: false)
  }

  /// Copies a value with everything in it, including a script's table. The limit for printing cuts scripts' values.
  package func tree(of value: Value) -> LuaTree {
    var left = limits.output
    return tree(of: value, within: &left)
  }

  /// Copies a value, and subtracts the size of its texts from the remaining bytes.
  package func tree(of value: Value, within left: inout Int) -> LuaTree {
    switch value {
    case .null: .nil
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .text(let value): tree(of: value, within: &left)
    case .list(let values): .list(values.map { tree(of: $0, within: &left) })
    case .object(let members):
      .map(members.map { LuaTree.Entry(key: .text($0.key), value: tree(of: $0.value, within: &left)) })
    case .opaque(let responder as Responder): .opaque("\(responder.kindWord) '\(responder.name)'")
    case .opaque(let script as ScriptValue): tree(of: script, within: &left)
    case .opaque(let object as ClientObject): .object(object.id, of: object.client)
    case .opaque(let object): .opaque(Value.opaque(object).typeName)
    }
  }

  private func tree(of text: String, within left: inout Int) -> LuaTree {
    left -= text.utf8.count
    return left < 0 ? .opaque("too large") : .text(text)
  }

  /// Copies a script's value. A value that can't be copied whole becomes its name.
  private func tree(of script: ScriptValue, within left: inout Int) -> LuaTree {
    do {
      return try scripts?.lua.tree(script.value, within: &left) ?? .opaque(script.value.typeName)
    } catch {
      switch (error as? LuaError)?.kind {
      case .cycle?: return .opaque("cycle")
      case .tooDeep?: return .opaque("too deep")
      case .tooLarge?: return .opaque("too large")
      default: return .opaque(script.value.typeName)
      }
    }
  }
}

extension Value {
  /// Creates a list of the texts and numbers to mask, without objects, functions and the numbers of places.
  init(secret tree: LuaTree) {
    switch tree {
    case .nil: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .bytes(let bytes): self = .text(String(decoding: bytes, as: UTF8.self))
    case .list(let values): self = .list(values.map(Value.init(secret:)))
    case .map(let entries):
      let names = entries.map(\.key).filter { if case .text = $0 { true } else { false } }
      self = .list((names + entries.map(\.value)).map(Value.init(secret:)))
    case .object, .opaque: self = .null
    }
  }
}

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
    guard isLoading || dispatcher.depth > 0 else { return nil }
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
