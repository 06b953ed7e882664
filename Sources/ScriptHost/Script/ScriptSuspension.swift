import CLua
import CScript

/// The suspension of a waiting script: the coroutine of its handler, or of a line.
class ScriptSuspension: Suspension {
  unowned let engine: ScriptEngine
  /// The owner of its errors.
  final let owner: Owner
  final var wait = clua_Wait()
  /// The host's time at which the wait began, if it doesn't end at a set time.
  private var began: Int64 = 0
  /// The forwarding that it waits for, if there is one.
  private var forwarded: Forwarding?
  /// The program for which it waits, if it is one. The script goes on only after the program has written or ended.
  private var program: RunningProgram?

  /// Suspends the handler that has just begun to wait.
  init(_ engine: ScriptEngine, owner: Owner) {
    self.engine = engine
    self.owner = owner
    super.init()
    take()
  }

  /// Suspends code that hasn't begun yet, on its own coroutine.
  init(_ engine: ScriptEngine, owner: Owner, beginning thread: OpaquePointer) {
    self.engine = engine
    self.owner = owner
    super.init()
    wait.thread = thread
    wait.nanoseconds = .max
  }

  final func take() {
    if let last = clua_wait(engine.lua.L) { wait = last.pointee }
    nanoseconds = wait.nanoseconds
    program = engine.takeAwaitedProgram()
    if nanoseconds < 0 {
      began = engine.dispatcher.scheduler.now
      takeAwaited()
    }
    if let aside = wait.aside {
      wait.aside = nil
      let said = Unmanaged<EarlyProgress>.fromOpaque(aside).takeRetainedValue().progress
      fraction = said.fraction
      doing = said.text
    }
  }

  private func takeAwaited() {
    switch engine.takeAwaited() {
    case .job(let job, let isNested)?:
      awaited = job
      self.isNested = isNested
    case .forwarded(let forwarding)?:
      forwarded = forwarding
      follow(forwarding.suspension)
    case nil: break
    }
  }

  // MARK: Going on

  override var stray: Owner? { owner.isInactive ? owner : forwarded?.suspension.stray }

  override var stillWaits: Int64? {
    if let forwarded { return forwarded.suspension.stillWaits }
    guard let program, owner.whyInactive == nil, !program.hasNews() else { return nil }
    return program.patience
  }

  override func resume() -> Reply {
    let ended = awaited?.outcome
    let called = awaited.flatMap { $0.givesValues ? $0 : nil }
    awaited = nil
    isNested = false
    if let forwarded { return goOn(after: forwarded.resume()) }
    guard let ended, let thread = wait.thread else { return goOn(arguments: 0) }
    if let called {
      let count = engine.pushValues(of: called, on: thread)
      return goOn(arguments: count ?? 1, raises: count == nil)
    }
    engine.speaking(to: engine.script(of: owner)) { engine.push(ended, on: thread) }
    return goOn(arguments: 1)
  }

  /// Resumes the coroutine with the reply of the candidate that it forwarded to, unless the candidate waits again.
  private func goOn(after reply: Reply) -> Reply {
    if case .waiting(let inner) = reply {
      follow(inner)
      return .waiting(self)
    }
    forwarded = nil
    guard let thread = wait.thread else { return .pass }
    do {
      let pushed = try engine.speaking(to: engine.script(of: owner)) { try engine.push(reply, on: thread) }
      guard case .pushed(let count) = pushed else { return goOn(arguments: 0) }
      return goOn(arguments: Int32(clamping: count))
    } catch {
      engine.lua.push(LuaFailure(error), on: thread)
      return goOn(arguments: 1, raises: true)
    }
  }

  private func goOn(arguments: Int32, raises: Bool = false) -> Reply {
    let L = engine.lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    let job = engine.dispatcher.state.resumed.map { Unmanaged.passUnretained($0).toOpaque() }
    // While the coroutine runs, `unwind` has nothing to drop.
    var goesOn = wait
    wait.thread = nil
    if goesOn.nanoseconds < 0 { goesOn.nanoseconds = engine.dispatcher.scheduler.now - began }
    let answer = goOn(with: &goesOn, as: job, arguments: arguments, raises: raises)
    if answer.what == CLUA_WAITS.rawValue {
      take()
      return .waiting(self)
    }
    return reply(answer)
  }

  /// Resumes the coroutine.
  func goOn(
    with wait: inout clua_Wait, as job: UnsafeMutableRawPointer?, arguments: Int32, raises: Bool
  ) -> clua_Answer {
    clua_goOn(
      engine.lua.L, &wait, job, arguments, raises, engine.allowance.nanoseconds, engine.allowance.instructions)
  }

  /// Returns the reply of the coroutine, whose value is on the stack.
  func reply(_ answer: clua_Answer) -> Reply {
    return engine.reply(answer, owner: owner)
  }

  override func unwind() {
    forwarded?.unwind()
    forwarded = nil
    guard let thread = wait.thread else { return }
    wait.thread = nil
    clua_unwind(engine.lua.L, thread)
    engine.endPrograms()
  }
}
