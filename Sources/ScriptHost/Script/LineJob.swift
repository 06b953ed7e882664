import CLua
import CScript

/// A *line job* evaluates a line of Lua, and may wait. It is no action: actions that it performs are outermost.
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
  /// The number of the function's values before the line's own values.
  private let skipped: Int
  /// The values, or the reason why the line ended early; nil as long as it goes on.
  public private(set) var result: Result<[Value], LineError>?

  init(_ function: LuaFunction, skipping skipped: Int, name: String, of script: ScriptOwner, in host: ScriptHost) throws
  {
    self.host = host
    self.script = script
    self.skipped = skipped
    super.init(Subject(action: name, responder: host.chain.app, owner: script.owner, isReentrant: true))
    let engine = try host.scriptEngine()
    guard let thread = clua_newLine(engine.lua.L, try engine.lua.id(of: function.reference)) else { return }
    memory.suspension = LineSuspension(engine, owner: script.owner, beginning: thread)
  }

  /// The outcome so far.
  package var progressed: Outcome {
    outcome ?? Outcome(running: self, by: Outcome.Taker(name: responder.name, via: nil))
  }

  override func wake() { goOn() }

  /// Runs the line up to its end or its next wait.
  func goOn() {
    if let reason = memory.cancellation { return cancel(Failure(.cancelled, reason)) }
    guard let line = memory.suspension as? LineSuspension else { return }
    let dispatcher = host.dispatcher
    let resumed = dispatcher.state.resumed
    // Before its first wait, the line is not a resumed job.
    dispatcher.state.resumed = memory.number > 0 ? self : nil
    var reply = Reply.pass
    line.engine.isRunningLine = true
    _ = dispatcher.apart {
      reply = line.resume()
      return Outcome(.handled)
    }
    line.engine.isRunningLine = false
    dispatcher.state.resumed = resumed
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
    memory.suspension = nil
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
    guard memory.state != .ended else { return }
    if memory.cancellation == nil { memory.cancellation = reason }
    let dispatcher = host.dispatcher
    // A running line is cancelled at its next wait, and a waiting line when the host has finished asking.
    if !isWaiting || dispatcher.isAsking { return dispatcher.scheduler.wakeSoon(self) }
    dispatcher.scheduler.leave(self)
    cancel(Failure(.cancelled, reason))
    host.endTurn()
  }

  /// Ends a waiting line: its code doesn't run any more, and the action that it waits for is cancelled.
  private func cancel(_ failure: Failure) {
    var failure = failure
    if let line = memory.suspension as? LineSuspension {
      if let place = line.place {
        failure.place = Place(file: place.source, line: place.line, column: place.column)
        failure.text = place.text
      }
      host.dispatcher.drop(line, of: self)
    }
    end(.failure(LineError(kind: .raised, failure: failure)))
  }
}

/// The suspension of a line, which stores the values or the error of its end.
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

  /// Returns the result of the line.
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

/// The error of a line of Lua that wasn't evaluated to its end.
public struct LineError: Error, CustomStringConvertible {
  /// The stage that the line reached.
  public enum Kind: Sendable {
    /// The line isn't complete: more may follow, as after `if x then`.
    case incomplete
    /// The line has a syntax error.
    case unreadable
    /// The line ran, and ended with an error or at a limit.
    case raised
  }

  /// The stage that the line reached.
  public var kind: Kind
  /// The failure with its place.
  public var failure: Failure

  public var description: String { failure.description }
}

extension ScriptEngine {
  /// Returns the globals of lines: the script's, and `_`.
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
