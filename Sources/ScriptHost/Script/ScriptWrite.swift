import CLua
import CScript

/// Takes back what a script's handler changed in one stretch: steps in a table of Lua's (`CScript/Host/Steps.c`).
final class ScriptWrite: FieldWrite {
  /// Unowned, because the engine lives as long as the host; this may outlive it, and then does nothing any more.
  private unowned let engine: ScriptEngine
  private let script: ScriptOwner
  /// A reference to the table.
  let steps: Int32
  private var titled = KeptTitle()

  private var L: OpaquePointer { engine.lua.L }
  override var owner: Owner { script.owner }

  /// Takes over the reference to the steps.
  init(
    _ steps: Int32, of script: ScriptOwner, taker: Responder, engine: ScriptEngine, isUndone: Bool = false,
    isApart: Bool = false
  ) {
    self.engine = engine
    self.script = script
    self.steps = steps
    super.init(taker: taker, undo: engine.undo, isUndone: isUndone, isApart: isApart)
  }

  deinit {
    let life = script.environment.reference.life
    if life.state != nil { life.dropped.pointee.references.append(steps) }
  }

  /// Takes the title and the key that a handler gave to its steps.
  func take(_ said: UnsafePointer<clua_Steps>) { titled.take(said, for: self, of: script, engine) }

  /// While an action is taken back that failed, a step that fails is skipped; the first failure is returned.
  override func takeBack(for direction: UndoStack.Direction) -> Failure? {
    guard clua_room(L, 16) else { return Failure(.limit, "the stack has no room", owner: owner.name) }
    engine.lua.settleDropped()
    var left = clua_stepCount(L, steps)
    let other = ScriptWrite(
      clua_newSteps(L, left), of: script, taker: taker, engine: engine, isUndone: direction == .undo)
    let isKept = undo.register(other)
    var failure: Failure?
    while left > 0 {
      let status = clua_takeBack(L, steps, isKept ? other.steps : 0, &left)
      if status == CLUA_OK.rawValue { break }
      failure = failure ?? engine.failure(engine.lua.takeError(status, on: L), owner: owner)
      // Once the allowance is spent, nothing else can run.
      guard undo.isTakingBack, !engine.isSpent else { break }
      left -= 1
    }
    return failure
  }

  override func merge(_ later: FieldWrite) -> Bool {
    guard let later = later as? ScriptWrite, later.script === script, later.taker === taker, clua_room(L, 16) else {
      return false
    }
    return clua_mergeSteps(L, steps, later.steps)
  }

  // MARK: Later writes

  /// The index of what scripts wrote later.
  private func index(of later: LaterWrites) -> LuaTable {
    let id = ObjectIdentifier(ScriptWrite.self)
    if let known = later.notes[id] as? LuaReference { return LuaTable(reference: known) }
    let table = engine.lua.newTable()
    later.notes[id] = table.reference
    return table
  }

  override func note(in later: LaterWrites, as number: Int) {
    guard clua_room(L, 16) else { return }
    engine.charge(Int(clua_stepCount(L, steps)))
    clua_noteWrites(L, index(of: later).reference.id, steps, Int32(clamping: number))
  }

  override func overwriter(in later: LaterWrites) -> Int {
    guard clua_room(L, 16) else { return 0 }
    engine.charge(Int(clua_stepCount(L, steps)))
    return Int(clua_overwriter(L, index(of: later).reference.id, steps))
  }

  override func split(_ number: Int, in later: LaterWrites) -> FieldWrite? {
    guard let receiver = later[number] as? ScriptWrite else { return nil }
    let moved = clua_splitSteps(L, index(of: later).reference.id, steps, Int32(clamping: number))
    return ScriptWrite(
      moved, of: receiver.script, taker: receiver.taker, engine: engine, isUndone: isUndone, isApart: true)
  }
}
