import CLua
import CScript

/// Reverses what a script's handlers did in one stretch: steps in a table of Lua's, which `CScript/Host/Undo.c` writes and takes back.
final class ScriptReversal: Reversal {
  /// Unowned, because the engine lives as long as the host; this may outlive it, and then does nothing any more.
  private unowned let engine: ScriptEngine
  private let script: ScriptOwner
  /// A reference to the table.
  let steps: Int32
  /// The number of the taker's object through which it was registered; 0 if that was done by code that takes something back.
  let number: Int64

  private var share: KeptBytes.Share?

  private var L: OpaquePointer { engine.lua.L }
  override var owner: Owner { script.owner }

  /// Takes over the reference to the steps.
  init(_ steps: Int32, of script: ScriptOwner, taker: Responder, number: Int64 = 0, engine: ScriptEngine) {
    self.engine = engine
    self.script = script
    self.steps = steps
    self.number = number
    super.init(taker: taker)
  }

  deinit {
    let life = script.environment.reference.life
    if life.state != nil { life.dropped.pointee.references.append(steps) }
  }

  /// Takes the title and the key that a handler gave to its steps.
  func take(_ said: UnsafePointer<clua_Steps>) {
    if said.pointee.title.count > 0 { title = kept(said.pointee.title.shown) }
    if said.pointee.key.bytes != nil { key = said.pointee.key.shown }
  }

  /// A title, which counts as kept for its owner if it is long; a short one is in proportion to the steps, which are Lua's.
  private func kept(_ title: String) -> String {
    share = nil
    guard title.utf8.count > 256 else { return title }
    guard (try? engine.checkKept(title.utf8.count, for: script)) != nil else { return title.cut(toBytes: 256) }
    share = script.kept.share(title.utf8.count)
    return title
  }

  override func swapValues() -> Bool { clua_swapValues(L, steps) }

  override func retire() -> Bool {
    title = nil
    share = nil
    key = nil
    return number != 0
  }

  override func reverse(_ makeContext: @escaping () -> Context) -> Reply {
    guard clua_room(L, 16) else { return .failed(Failure(.limit, "the stack has no room", owner: owner.name)) }
    clua_pushReference(L, steps)
    let count = clua_stepCount(L, -1)
    clua_pop(L, 1)
    return reverse(count, makeContext, after: nil)
  }

  /// Takes back that many steps, the last first; `waiting` is the first of them, if it waited. Of an owner that was set aside no function is called,
  /// but fields are put back all the same. While `isTakingBack`, a step that fails is skipped; the first failure is returned.
  fileprivate func reverse(
    _ count: Int32, _ makeContext: @escaping () -> Context, after waiting: Suspension?, besides failed: Reply? = nil
  ) -> Reply {
    engine.reversing.append((taker, script))
    defer { engine.reversing.removeLast() }
    var left = count
    var waiting = waiting
    var failed = failed
    var isWhole = true
    while left > 0 {
      if waiting == nil, let failure = takeBackFields(&left) { return failed ?? .failed(failure) }
      guard left > 0 else { break }
      if owner.whySetAside != nil {
        left -= 1
        isWhole = false
        continue
      }
      let reply = waiting?.resume() ?? call(left, makeContext)
      waiting = nil
      switch reply {
      case .value, .pass: left -= 1
      case .waiting(let suspension):
        return .waiting(WaitingReversal(self, left, makeContext, suspension, besides: failed))
      case .refused, .failed:
        failed = failed ?? reply
        // Once the allowance is spent, no other function can run.
        guard engine.dispatcher.undo.isTakingBack, !engine.isSpent else { return failed ?? reply }
        left -= 1
      }
    }
    if let failed { return failed }
    return isWhole ? .value(.null) : .refused(owner.whySetAside ?? "")
  }

  /// Puts fields back, down to the next step that is a function.
  private func takeBackFields(_ left: inout Int32) -> Failure? {
    clua_pushStep(L, steps, left)
    let isFunction = clua_type(L, -1) == CLUA_TFUNCTION.rawValue
    clua_pop(L, 1)
    if isFunction { return nil }
    engine.lua.settleDropped()
    let other = ScriptReversal(clua_newSteps(L, left), of: script, taker: taker, engine: engine)
    let isKept = engine.dispatcher.undo.register(other)
    let status = clua_takeBack(L, steps, isKept ? other.steps : 0, &left)
    return status == CLUA_OK.rawValue ? nil : engine.failure(engine.lua.takeError(status, on: L), owner: owner)
  }

  /// Calls the function of a step, with a context of its own.
  private func call(_ step: Int32, _ makeContext: () -> Context) -> Reply {
    guard let context = makeContext() as? ScriptContext else { return .pass }
    clua_pushStep(L, steps, step)
    let function = engine.lua.takeReference()
    let answer = clua_do(L, function.id, 0, 0, context.table(for: script))
    return engine.reply(answer, owner: owner)
  }

  override func absorb(_ later: Reversal) -> Bool {
    guard let later = later as? ScriptReversal, later.script === script, later.taker === taker, clua_room(L, 16) else {
      return false
    }
    return clua_mergeSteps(L, steps, later.steps)
  }
}

/// A reversal of a script's steps, one of which waits.
private final class WaitingReversal: Suspension {
  private let reversal: ScriptReversal
  private let left: Int32
  private let makeContext: () -> Context
  private let waiting: Suspension
  private let failed: Reply?

  init(
    _ reversal: ScriptReversal, _ left: Int32, _ makeContext: @escaping () -> Context, _ waiting: Suspension,
    besides failed: Reply?
  ) {
    self.reversal = reversal
    self.left = left
    self.makeContext = makeContext
    self.waiting = waiting
    self.failed = failed
    super.init()
    follow(waiting)
  }

  override func resume() -> Reply { reversal.reverse(left, makeContext, after: waiting, besides: failed) }
  override func unwind() { waiting.unwind() }
  override var stray: Owner? { waiting.stray }
}

extension clua_Text {
  /// The text as the host keeps it, of which only the beginning is copied.
  fileprivate var shown: String {
    String(decoding: buffer.prefix(Element.textLimit), as: UTF8.self).shown(hasLines: false)
  }
}
