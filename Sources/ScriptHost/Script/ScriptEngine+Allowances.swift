import CLua
import CScript

// The limits of scripts, for the core.

extension ScriptEngine {
  var phase: UnsafePointer<Int32> { clua_phasePointer(lua.L) }

  var turns: UInt64 { clua_turns(lua.L) }
  var isSpent: Bool { clua_trip(lua.L) != CLUA_TRIP_NONE.rawValue }
  func spent(by owner: Owner) -> Failure? {
    LuaLimit(clua_trip(lua.L)).map { failure(lua.error(for: $0), owner: owner) }
  }

  func beginAllowance() { _ = clua_begin(lua.L, allowance.nanoseconds, allowance.instructions) }
  func beginPerform() { _ = clua_beginPerform(lua.L, allowance.nanoseconds, allowance.instructions) }
  func beginSmallAllowance() { _ = clua_begin(lua.L, allowance.nanoseconds / 64, allowance.instructions / 64) }
  func beginTest() { _ = clua_begin(lua.L, host.limits.test.nanoseconds, host.limits.test.instructions) }
  func endAllowance() { _ = clua_end(lua.L) }
  var isOutermost: Bool { clua_isOutermost(lua.L) }
  func stepOutside() -> Bool { clua_stepOutside(lua.L) }
  func stepAside() -> Bool { clua_stepAside(lua.L) }
  func stepBack() { clua_stepBack(lua.L) }
  func renewAllowance() {
    dispatcher.endAllowance()
    beginPerform()
  }

  /// Runs a body within an allowance that is not a perform's.
  func within<Result>(_ allowance: Allowance, _ body: () throws -> Result) throws -> Result {
    defer { dispatcher.doPostponed() }
    return try lua.within(nanoseconds: allowance.nanoseconds, instructions: allowance.instructions, body)
  }

  func charge(_ steps: Int) { if steps > 0 { clua_chargeWork(lua.L, UInt64(steps)) } }

  func copying<Result>(_ what: @autoclosure () -> String, _ body: () -> Result) -> Result {
    let (result, left) = lua.copying { (body(), lua.copyable) }
    if left < 0, !isSpent {
      let sentence = "\(what()) has more than \(lua.limits.memory) bytes of texts: the host drops the rest"
      report(Diagnostic(.error, "limit", sentence))
    }
    return result
  }

  // Limits no time, because that would read the clock each time.
  func beginQuestion() { _ = clua_begin(lua.L, 0, questionInstructions) }
  func endQuestion() { _ = clua_end(lua.L) }
}

extension ScriptEngine {
  /// Writes a line of an owner's scripts within its ration. Otherwise it reports once that lines are dropped.
  func ration(_ line: String, of script: ScriptOwner, write: () -> Void) {
    let all = host.limits.output
    let dispatcher = dispatcher
    switch script.ration.take(
      line.utf8.count + 1, of: all, in: clua_turns(lua.L), goesOn: dispatcher.state.resumed != nil,
      at: dispatcher.scheduler.now)
    {
    case .given: write()
    case .refused(first: false): break
    case .refused(first: true):
      let name = script.owner.name
      report(
        Diagnostic(
          .warning, "output",
          "'\(name)' wrote \(all) bytes in one call: output after this line is dropped until the host calls the script again",
          place: place(lua.place(level: 1, on: lua.L))))
    }
  }
}

// Measurements of a host for benchmarks.

extension ScriptHost {
  /// Returns a global function of the first loaded script, to call without arguments.
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
  /// Makes the interpreter read the clock after a fixed number of instructions, however slow they are: tools that count
  /// instructions slow them down.
  @_spi(Measuring)
  public func keepPace() throws { clua_keepPace(try scriptEngine().lua.L) }
}

extension ScriptHost {
  /// Makes the main menu anew without validating it. Returns the number of elements.
  @_spi(Measuring)
  public func remakeMenus() -> Int {
    menuTrees.invalidate()
    return menuTrees.snapshotTree().count
  }
}

extension ScriptHost {
  /// Collects all garbage, so that the rest can be measured.
  @_spi(Measuring)
  public func collectGarbage() throws { try scriptEngine().lua.collect() }

  /// The bytes of free small blocks that are kept for reuse.
  @_spi(Measuring)
  public var sparedBytes: Int { get throws { try Int(clamping: clua_counters(scriptEngine().lua.L).spare) } }
}

extension [MenuElement] {
  /// A sum over the states of these elements: enabled + 2 × on + bytes of text. The library computes it, because
  /// reading a title from outside copies it.
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

/// Counts in a host that must not grow with time.
@_spi(Measuring)
public struct Held: Equatable, Sendable {
  /// Bytes that the interpreter holds.
  public let memory: Int
  /// Lua values that Swift refers to.
  public let references: Int
  /// Swift objects that the interpreter retains.
  public let objects: Int
  /// Responders, classes, and the layers that owners gave to them.
  public let nodes: Int
  /// Names that were ever used.
  public let names: Int
  /// Observers and listeners, modal sessions, waiting actions, and undo groups of the app.
  public let others: Int
}

extension ScriptHost {
  /// Returns the present counts, after a garbage collection.
  @_spi(Measuring)
  public func held() throws -> Held {
    let engine = try scriptEngine()
    // Each collection may release the last reference to another value.
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
  /// The number of used entries in the registry. Each reference has an integer key, and a free entry holds a number.
  var referenceCount: Int {
    let registry: Int32 = -1_001_000
    var count = 0
    clua_pushNil(L)
    while clua_next(L, registry) {
      if clua_isInteger(L, -2), clua_type(L, -1) != CLUA_TNUMBER.rawValue { count += 1 }
      clua_pop(L, 1)
    }
    return count
  }
}
