// The program's functions, types and capabilities for scripts.

extension ScriptHost {
  /// Registers a function that scripts call by a dotted name.
  ///
  /// The function has the types of the closure. A later function of that name replaces it.
  ///
  /// ```swift
  /// let host = ScriptHost()
  /// host.function("words.repeated", "word", "times", reads: true) { (word: String, times: Int?) in
  ///   String(repeating: word, count: times ?? 2)
  /// }
  /// host.onPrint = { print($0) }
  /// try host.load(text: "print(words.repeated('ha'), words.repeated { word = 'ho', times = 3 })", name: "laugh.lua")
  /// ```
  ///
  /// - Parameters:
  ///   - name: names between dots. All but the last are tables of functions.
  ///   - parameters: the names of the closure's parameters, for errors, editors and calls with a table.
  ///   - reads: whether scripts may call it where they may only read, as in `can`.
  ///   - needs: the capability that a script needs to call it.
  ///   - about: a sentence about the function for editors.
  @discardableResult
  public func function<each Argument, Result>(
    _ name: String, _ parameters: String..., reads: Bool = false, needs: String? = nil, about: String? = nil,
    _ body: @escaping (repeat each Argument) throws -> Result
  ) -> Registration {
    let facts = NativeFunction.Facts(name: name, parameters: parameters, reads: reads, needs: needs, about: about)
    return add(facts) { NativeFunction(facts, in: $0, body) }
  }

  /// Registers a function that runs outside of the host's isolation. A script waits for its result, as in `sleep`.
  ///
  /// It is cancelled with the action that called it. `wakeDescriptor` becomes readable when it has ended.
  @discardableResult
  public func function<each Argument: Sendable, Result: Sendable>(
    _ name: String, _ parameters: String..., reads: Bool = false, needs: String? = nil, about: String? = nil,
    _ body: @escaping @Sendable (repeat each Argument) async throws -> Result
  ) -> Registration {
    let facts = NativeFunction.Facts(name: name, parameters: parameters, reads: reads, needs: needs, about: about)
    return add(facts) { NativeFunction(facts, in: $0, awaiting: body) }
  }

  /// Registers a type, with the properties and methods that scripts see.
  ///
  /// Only a class has fields that scripts write. A type that is no class is a value.
  @discardableResult
  public func type<Native>(
    _ type: Native.Type, name: String, about: String? = nil, _ declare: (TypeEditor<Native>) -> Void = { _ in }
  ) -> Registration {
    guard let natives = madeNatives, isName(name, "a type") else { return Registration {} }
    let made = NativeType(type, name: name, about: about)
    declare(
      TypeEditor(type: made, natives: natives.natives) { [unowned self] field, parameters, count in
        isName(field, "a field of \(name)") && areNames(parameters ?? [], count, "\(name):\(field)")
      })
    natives.natives.add(made)
    return Registration { [weak natives] in natives?.natives.remove(made) }
  }

  /// Makes every later use of an object by a script an error, as of a photo that the program has closed.
  public func close(_ object: AnyObject) { madeNatives?.natives.close(object) }

  /// Declares a capability of the program. Functions need it, and apps and plugins request it.
  ///
  /// - Parameter sentence: the words of the consent question: "change your photo library".
  @discardableResult
  public func capability(_ name: String, _ sentence: String) -> Capability {
    madeNatives?.natives.declare(name, sentence) ?? Capability(native: name, sentence)
  }

  /// Returns annotations for editors, as a Lua file, of all registered functions and types.
  public func stubs() -> String { madeNatives?.natives.stubs ?? "" }

  // MARK: Checks

  func add(_ facts: NativeFunction.Facts, _ make: (Natives) -> NativeFunction) -> Registration {
    guard let natives = madeNatives, isFunctionName(facts.name) else { return Registration {} }
    let function = make(natives.natives)
    guard areNames(facts.parameters, function.parameters.count, facts.name) else { return Registration {} }
    do throws(Misuse) {
      try natives.add(function)
    } catch {
      refuse(error.message)
      return Registration {}
    }
    return Registration { [weak natives] in natives?.remove(function) }
  }

  /// The natives of the engine, made at the first use.
  var madeNatives: ScriptNatives? {
    do {
      let engine = try scriptEngine()
      if let known = engine.natives as? ScriptNatives { return known }
      let made = try ScriptNatives(engine)
      engine.natives = made
      return made
    } catch {
      refuse("\(error)")
      return nil
    }
  }

  private func refuse(_ sentence: String) {
    report(Diagnostic(.error, Failure.Code.misuse.rawValue, sentence))
  }

  private func isName(_ name: String, _ what: String) -> Bool {
    if name.isLuaWord { return true }
    refuse("'\(name)' can't be the name of \(what): use letters, digits and '_'")
    return false
  }

  private func isFunctionName(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1 else {
      refuse("'\(name)' can't be the name of a function: put it into a table, as in 'library.\(name)'")
      return false
    }
    if (try? scripts?.isLanguageName(parts[0])) ?? false {
      refuse("'\(name)' can't be registered: '\(parts[0])' belongs to Lua or the host")
      return false
    }
    return parts.allSatisfy { isName($0, "a function") }
  }

  private func areNames(_ parameters: [String], _ count: Int, _ name: String) -> Bool {
    guard parameters.isEmpty || parameters.count == count else {
      refuse("'\(name)' has \(count) parameters, and \(parameters.count) names for them")
      return false
    }
    guard Set(parameters).count == parameters.count else {
      refuse("'\(name)' has two parameters with the same name")
      return false
    }
    return parameters.allSatisfy { isName($0, "a parameter of '\(name)'") }
  }
}

extension ScriptEngine {
  /// Returns true if a name is in Lua's library or in the host's language.
  fileprivate func isLanguageName(_ name: String) throws -> Bool {
    if Self.scriptNames.contains(where: { $0.name == name }) { return true }
    if case .nil = try lua.rawGet(.text(name), of: lua.globals) { return ["os", "io", "plugin"].contains(name) }
    return true
  }
}
