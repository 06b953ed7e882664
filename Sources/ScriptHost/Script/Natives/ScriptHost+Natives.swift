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
    guard let natives = madeNatives, isName(name, "a type"), isFree(name, for: type) else { return Registration {} }
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
    guard let natives = madeNatives, isCapabilityName(name) else { return Capability(native: name, sentence) }
    return natives.natives.declare(name, sentence)
  }

  /// Returns annotations for editors, as a Lua file, of all registered functions and types.
  public func stubs() -> String { madeNatives?.natives.stubs ?? "" }

  // MARK: Checks

  func add(_ facts: NativeFunction.Facts, _ make: (Natives) -> NativeFunction) -> Registration {
    guard let natives = madeNatives, isFunctionName(facts.name), facts.needs.map(isCapabilityName) ?? true else {
      return Registration {}
    }
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

  /// - Parameter whole: the dotted name, if this is a part of it.
  private func isName(_ name: String, _ what: String, in whole: String? = nil) -> Bool {
    if name.isLuaWord { return true }
    let reason =
      if String.luaWords.contains(name) {
        "Lua reserves the word '\(name)'"
      } else if name.utf8.first.map({ (0x30...0x39).contains($0) }) ?? false {
        "'\(name)' begins with a digit"
      } else if name.isEmpty {
        "a name is missing"
      } else {
        "use letters, digits and '_'"
      }
    refuse("'\(whole ?? name)' can't be the name of \(what): \(reason)")
    return false
  }

  /// Refuses the name of another type.
  private func isFree(_ name: String, for type: Any.Type) -> Bool {
    let others = madeNatives?.natives.types.values.filter { $0.name == name && $0.type != type } ?? []
    guard let other = others.first else { return true }
    refuse("the type \(type) can't be named '\(name)', because \(other.type) has that name: use another name")
    return false
  }

  private func isCapabilityName(_ name: String) -> Bool {
    let isHosts = Capability.Kind(rawValue: name).map { $0 != .program } ?? false
    if isHosts {
      refuse("'\(name)' can't be the name of a capability: it belongs to the host")
    } else if !name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ String($0).isCapabilityWord })
    {
      refuse("'\(name)' can't be the name of a capability: use letters, digits, '_' and '-' between dots")
    } else {
      return true
    }
    return false
  }

  private func isFunctionName(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !name.isEmpty else {
      refuse("a function needs a name, as in 'library.photos'")
      return false
    }
    guard parts.count > 1 else {
      refuse("'\(name)' can't be the name of a function: put it into a table, as in 'library.\(name)'")
      return false
    }
    if (try? scripts?.isLanguageName(parts[0])) ?? false {
      refuse("'\(name)' can't be registered: '\(parts[0])' belongs to Lua or the host")
      return false
    }
    return parts.allSatisfy { isName($0, "a function", in: name) }
  }

  private func areNames(_ parameters: [String], _ count: Int, _ name: String) -> Bool {
    guard parameters.isEmpty || parameters.count == count else {
      let has = count == 0 ? "no parameters" : count == 1 ? "1 parameter" : "\(count) parameters"
      let names = parameters.count == 1 ? "1 name" : "\(parameters.count) names"
      let help =
        count == 0 ? "remove \(parameters.count == 1 ? "the name" : "the names")" : "name each of them, or none"
      refuse("'\(name)' has \(has), but \(names) for them: \(help)")
      return false
    }
    var known: Set<String> = []
    if let twice = parameters.first(where: { !known.insert($0).inserted }) {
      refuse("'\(name)' has two parameters with the name '\(twice)'")
      return false
    }
    return parameters.allSatisfy { isName($0, "a parameter of '\(name)'") }
  }
}

extension String {
  fileprivate var isCapabilityWord: Bool {
    !isEmpty
      && utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & ~0x20) || $0 == 0x5F || $0 == 0x2D
      }
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
