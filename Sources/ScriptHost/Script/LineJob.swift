import CLua
import CScript

/// A *line job* is a line of Lua that is evaluated. It may wait, and is no action: what it performs is performed by itself.
///
/// ```swift
/// let host = ScriptHost(clock: TestClock())
/// try host.load(text: "function app.on:nap() sleep(2) return 'rested' end", name: "nap.lua")
/// let line = try host.begin(line: "app:perform('nap').result")
/// line.onEnd { _ in print((try? line.result?.get()) ?? []) }
/// try host.advance(by: .seconds(2))  // [ScriptHost.Value.text("rested")]
/// ```
public final class LineJob: Job {
  private unowned let host: ScriptHost
  private let script: ScriptOwner
  /// How many of the function's values come before the line's own.
  private let skipped: Int
  /// Its values, or why it did not come to its end; nil as long as it goes on.
  public private(set) var result: Result<[Value], LineError>?

  init(_ function: LuaFunction, skipping skipped: Int, name: String, of script: ScriptOwner, in host: ScriptHost) throws
  {
    self.host = host
    self.script = script
    self.skipped = skipped
    super.init(Subject(action: name, responder: host.chain.app, owner: script.owner, isReentrant: true))
    let engine = try host.scriptEngine()
    guard let thread = clua_newLine(engine.lua.L, try engine.lua.id(of: function.reference)) else { return }
    memory.value.suspension = LineSuspension(engine, owner: script.owner, beginning: thread)
  }

  /// The outcome so far.
  package var progressed: Outcome {
    outcome ?? Outcome(running: self, by: Outcome.Taker(name: responder.name, via: nil))
  }

  override func wake() { goOn() }

  /// Runs the line up to its end or its next wait.
  func goOn() {
    if let reason = memory.value.cancellation { return cancel(Failure(.cancelled, reason)) }
    guard let line = memory.value.suspension as? LineSuspension else { return }
    let dispatcher = host.dispatcher
    let resumed = dispatcher.state.value.resumed
    // Before its first wait the line is not a job that was resumed.
    dispatcher.state.value.resumed = memory.value.number > 0 ? .passUnretained(self) : nil
    var reply = Reply.pass
    line.engine.isRunningLine = true
    _ = dispatcher.apart {
      reply = line.resume()
      return Outcome(.handled)
    }
    line.engine.isRunningLine = false
    dispatcher.state.value.resumed = resumed
    dispatcher.doPostponed()
    defer {
      host.actionEnded()
      host.endTurn()
    }
    guard case .waiting = reply else { return end(line.end(of: script, skipping: skipped)) }
    if let reason = dispatcher.reasonToCancel(self) { return cancel(Failure(.cancelled, reason)) }
    begin(line)
    dispatcher.scheduler.add(self, nanoseconds: line.nanoseconds)
    line.awaited?.isAwaitedNow()
  }

  private func end(_ result: Result<[Value], LineError>) {
    memory.value.suspension = nil
    self.result = result
    switch result {
    case .success(let values):
      note(Outcome(.handled, by: responder.name, result: values.first ?? .null))
    case .failure(let error):
      note(Outcome(Outcome.Status(error.failure), by: responder.name, error: error.failure))
    }
    host.dispatcher.scheduler.end(self)
    tellEnd()
  }

  // MARK: Cancelling

  override func interrupt() { cancel(because: "cancelled") }

  /// Stops waiting for something that nothing would ever wake.
  override func giveUp() { if let awaited { awaited.giveUp() } else { super.giveUp() } }

  override func cancel(because reason: String) {
    guard memory.value.state != .ended else { return }
    if memory.value.cancellation == nil { memory.value.cancellation = reason }
    let dispatcher = host.dispatcher
    // A line that runs is cancelled at its next wait, and one that waits when the host has finished asking.
    if !isWaiting || dispatcher.isAsking { return dispatcher.scheduler.wakeSoon(self) }
    dispatcher.scheduler.leave(self)
    cancel(Failure(.cancelled, reason))
    host.endTurn()
  }

  /// Ends the line where it waits: none of its code runs any more, and what it performed and waits for is cancelled.
  private func cancel(_ failure: Failure) {
    var failure = failure
    if let line = memory.value.suspension as? LineSuspension {
      if let place = line.place {
        failure.place = Place(file: place.source, line: place.line, column: place.column)
        failure.text = place.text
      }
      host.dispatcher.drop(line, of: self)
    }
    end(.failure(LineError(kind: .raised, failure: failure)))
  }
}

/// The suspension of a line, which takes the values or the error of its end.
private final class LineSuspension: ScriptSuspension {
  private var values: [LuaValue] = []
  private var error: (any Error)?

  override func goOn(
    with wait: inout clua_Wait, as job: UnsafeMutableRawPointer?, arguments: Int32, raises: Bool
  ) -> clua_Answer {
    clua_goOnLine(
      engine.lua.L, &wait, job, arguments, raises, engine.allowance.nanoseconds, engine.allowance.instructions)
  }

  override func reply(_ answer: clua_Answer) -> Reply {
    let L = engine.lua.L
    do {
      switch clua_What(UInt32(bitPattern: answer.what)) {
      case CLUA_DID: values = try engine.lua.values(from: clua_top(L) - answer.index + 1, on: L)
      case CLUA_REFUSED: error = LuaError(.refused, "the handler refused")
      default: error = engine.lua.takeError(answer.status, on: L)
      }
    } catch { self.error = error }
    return .pass
  }

  var place: LuaError.Place? { wait.thread.flatMap { engine.lua.place(level: 1, on: $0) } }

  /// The result of the line.
  func end(of script: ScriptOwner, skipping skipped: Int) -> Result<[Value], LineError> {
    do {
      if let error { throw error }
      let own = values.dropFirst(skipped)
      if let first = own.first { try engine.lua.rawSet("_", first, of: try engine.lineGlobals(of: script)) }
      return .success(own.map(engine.value))
    } catch {
      return .failure(engine.host.lineError(error))
    }
  }
}

/// A line of Lua that was not evaluated to its end.
public struct LineError: Error, CustomStringConvertible {
  /// How far the line came.
  public enum Kind: Sendable {
    /// It can't be read yet: something may follow, as after `if x then`.
    case incomplete
    /// It can't be read.
    case unreadable
    /// It was read, and ended by an error or a limit.
    case raised
  }

  /// How far it came.
  public var kind: Kind
  /// What is wrong, and where.
  public var failure: Failure

  public var description: String { failure.description }
}

extension ScriptEngine {
  /// The globals of lines: the script's, and `_`.
  func lineGlobals(of script: ScriptOwner) throws -> LuaTable {
    if let known = script.lineGlobals { return known }
    let globals = lua.newTable()
    let metatable = lua.newTable()
    let write = script.function(lua) { [unowned self] call, script in
      let key = try call[1]
      if case .text(let name) = key, !script.defined.contains(name) {
        if try languageNames(of: script).contains(name) { throw LuaMisuse(try unassignable(name, script, call)) }
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
