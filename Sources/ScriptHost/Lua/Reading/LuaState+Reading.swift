import CLua

extension LuaState {
  /// Returns the analysis of a source. Each text is analysed once.
  func reading(of name: String) -> LuaReading? {
    guard let source = sources[name]?.bytes else { return nil }
    if let known = readings[name], known.source == source { return known.reading }
    let reading = LuaReading(of: source)
    readings[name] = (source, reading)
    return reading
  }

  /// Returns the words of all loaded sources.
  func words() -> CodeWords {
    sources.keys.filter { !ownSources.contains($0) }.sorted().reduce(into: CodeWords()) { words, name in
      reading(of: name).map { words.merge($0.words) }
    }
  }

  /// Returns the fields of a parameter that a function uses; parameters count from 1, and `self` is the first.
  func fieldUse(of function: LuaFunction, parameter: Int) -> LuaFieldUse {
    var use = LuaFieldUse()
    guard let (reading, found) = written(function) else { return LuaFieldUse(isComplete: false) }
    for one in found { reading.fieldUse(of: one, parameter: parameter, &use) }
    return use
  }

  func answers(of function: LuaFunction) -> LuaAnswers {
    guard let (_, found) = written(function) else { return LuaAnswers(isNothing: false) }
    return LuaAnswers(
      text: found.lazy.compactMap(\.answers.text).first, denial: found.lazy.compactMap(\.answers.denial).first,
      isNothing: found.allSatisfy(\.answers.isNothing), isTable: found.contains(where: \.answers.isTable))
  }

  /// Returns the names of a function's parameters.
  func parameters(of function: LuaFunction) -> [String] {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard clua_room(L, 8), (try? push(function.reference, on: L)) != nil else { return [] }
    var names: [String] = []
    while true {
      clua_pushParameter(L, top + 1, Int32(names.count + 1))
      guard let name = text(at: -1, on: L) else { return names }
      names.append(name)
      clua_setTop(L, top + 1)
    }
  }

  /// Finds a function's text. If several are on the same lines, the parameters decide; if they don't, it returns all of
  /// them.
  private func written(_ function: LuaFunction) -> (LuaReading, [LuaReading.Function])? {
    guard let place = place(of: function, withText: false), let lines = lines(of: function),
      let reading = reading(of: place.source)
    else { return nil }
    let found = reading.functions(in: lines, taking: parameters(of: function))
    return found.isEmpty ? nil : (reading, found)
  }

  /// Returns true if the function `level` calls up uses its current call in this way, according to its line.
  func isCall(_ use: LuaReading.Call.Use, level: Int32, on L: OpaquePointer) -> Bool {
    guard clua_room(L, 4), clua_pushCallName(L, level - 1) else { return false }
    defer { clua_pop(L, 1) }
    guard let name = text(at: -1, on: L), let place = place(level: level, on: L, withText: false) else { return false }
    return reading(of: place.source)?.calls(name, inLine: place.line, are: use) ?? false
  }
}
