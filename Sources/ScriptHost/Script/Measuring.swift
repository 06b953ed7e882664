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

  /// Bytes of small blocks that are free, and kept to be used again.
  @_spi(Measuring)
  public var sparedBytes: Int { get throws { try Int(clamping: clua_counters(scriptEngine().lua.L).spare) } }
}

extension [MenuElement] {
  /// What these elements say of how they stand: enabled + 2 × on + bytes of text. Read where they lie: to ask one for its title from
  /// outside of the library copies it.
  @_spi(Measuring)
  public var sumOfStates: Int {
    withUnsafeBufferPointer { elements in
      guard let first = elements.baseAddress else { return 0 }
      var sum = 0
      for index in elements.indices {
        sum += (first[index].isEnabled ? 1 : 0) + (first[index].state == .on ? 2 : 0)
        sum += first[index].reason?.utf8.count ?? 0
        sum += (first[index].extras?.look.title ?? first[index].facts.title).utf8.count
      }
      return sum
    }
  }
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

/// Counts of things in a host that must not grow with time.
@_spi(Measuring)
public struct Held: Equatable, Sendable {
  /// Bytes that the interpreter holds.
  public let memory: Int
  /// Values of the interpreter's that are kept from outside.
  public let references: Int
  /// Objects of ours that the interpreter keeps.
  public let objects: Int
  /// Responders, classes, and what owners gave to them.
  public let nodes: Int
  /// Names that were ever met.
  public let names: Int
  /// Those who observe or listen, modal sessions, actions that wait, and undo groups of the app.
  public let others: Int
}

extension ScriptHost {
  /// What it holds now, once everything that nobody holds was collected.
  @_spi(Measuring)
  public func held() throws -> Held {
    let engine = try scriptEngine()
    // What is gone may have been the last to hold something, and that again.
    for _ in 0..<4 { engine.lua.collect() }
    let counters = clua_counters(engine.lua.L)
    return Held(
      memory: counters.live, references: engine.lua.referenceCount, objects: Int(counters.objects),
      nodes: chain.responders.values.reduce(chain.classes.count) { $0 + 1 + $1.layers.count }, names: names.count,
      others: dispatcher.observers.count + listenerCount + chain.sessions.count + jobs.count
        + undoHistory.undo.count + undoHistory.redo.count)
  }
}

extension LuaState {
  /// How many entries of the registry are in use: each reference stands under an integer; a free one holds the number of the next free one.
  var referenceCount: Int {
    let registry: Int32 = -1_001_000
    return (1...Int64(max(1, clua_rawLength(L, registry)))).count { key in
      clua_rawGetAt(L, registry, key)
      defer { clua_pop(L, 1) }
      let type = clua_type(L, -1)
      return type != CLUA_TNUMBER.rawValue && type != CLUA_TNIL.rawValue
    }
  }
}
