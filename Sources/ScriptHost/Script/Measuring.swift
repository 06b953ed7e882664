import CLua

// What the benchmarks reach that no embedding program needs.

extension ScriptHost {
  /// A global function of the script that was loaded first, to be called without arguments.
  @_spi(Measuring)
  public func globalFunction(_ name: String) throws -> () throws -> Void {
    let engine = try scriptEngine()
    guard let script = engine.app,
      case .function(let function) = try engine.lua.rawGet(.text(name), of: script.environment)
    else { throw Misuse(.unknownName, "there is no function '\(name)'") }
    return { [lua = engine.lua] in
      try lua.push(function.reference, on: lua.L)
      try lua.check(clua_call(lua.L, 0, 0), on: lua.L)
    }
  }
}

extension ScriptHost {
  /// Looks at the clock after as many instructions as always, however long they took: counting them makes them slow.
  @_spi(Measuring)
  public func keepPace() throws { clua_keepPace(try scriptEngine().lua.L) }
}

extension ScriptHost {
  /// Makes the main menu anew without validating it; how many elements there are.
  @_spi(Measuring)
  public func remakeMenus() -> Int {
    menuTrees.invalidate()
    return menuTrees.snapshotTree().count
  }
}

extension ScriptHost {
  /// Throws away what nobody holds any more, so that what is left can be measured.
  @_spi(Measuring)
  public func collectGarbage() throws { try scriptEngine().lua.collect() }
}

/// Finds references as a perform does.
@_spi(Measuring)
public final class ReferenceLookup {
  private let references = ReferenceTable()

  public init() {}

  public func finds(_ text: String) -> Bool {
    ((try? references.index(of: text)) ?? nil) != nil
  }
}
