import CLua
import CScript

/// A script's function that reverses an action.
final class ScriptReversal: Reversal {
  /// Unowned, because the engine lives as long as the host. This object may outlive it, and then does nothing.
  private unowned let engine: ScriptEngine
  private let script: ScriptOwner
  private let function: LuaReference
  /// The number of the taker's object through which it was registered.
  private let number: Int64
  private var titled = KeptTitle()

  override var owner: Owner { script.owner }

  init(_ function: LuaReference, of script: ScriptOwner, taker: Responder, number: Int64, engine: ScriptEngine) {
    self.engine = engine
    self.script = script
    self.function = function
    self.number = number
    super.init(taker: taker)
  }

  /// Reads the title and the key that a handler set.
  func take(_ said: UnsafePointer<clua_Steps>) { titled.take(said, for: self, of: script, engine) }

  /// Calls the function with a new context, unless the owner was set aside.
  override func reverse(_ makeContext: @escaping () -> Context) -> Reply {
    if let reason = owner.whySetAside { return .refused(reason) }
    guard let context = makeContext() as? ScriptContext else { return .pass }
    defer { context.end() }
    return context.run(function.id, for: 0, number, of: script)
  }
}

/// A reversal by an action, which a script registered. Its reference and arguments count as the script's bytes.
final class ScriptActionReversal: PerformedReversal {
  private var titled = KeptTitle()
  private var share: KeptBytes.Share?

  /// Counts the kept bytes. Throws if the script may keep no more.
  func count(_ bytes: Int, of script: ScriptOwner, _ engine: ScriptEngine) throws {
    try engine.checkKept(bytes, for: script)
    share = script.kept.share(bytes)
  }

  /// Reads the title and the key that a handler set.
  func take(_ said: UnsafePointer<clua_Steps>, of script: ScriptOwner, _ engine: ScriptEngine) {
    titled.take(said, for: self, of: script, engine)
  }
}

/// The title of a reversal. A long title counts as its owner's bytes. A short title is small beside its Lua values.
struct KeptTitle {
  private var share: KeptBytes.Share?

  mutating func take(
    _ said: UnsafePointer<clua_Steps>, for reversal: Reversal, of script: ScriptOwner, _ engine: ScriptEngine
  ) {
    if said.pointee.title.count > 0 { reversal.title = kept(said.pointee.title.shown, of: script, engine) }
    if said.pointee.key.bytes != nil { reversal.key = said.pointee.key.shown }
  }

  private mutating func kept(_ title: String, of script: ScriptOwner, _ engine: ScriptEngine) -> String {
    share = nil
    guard title.utf8.count > 256 else { return title }
    guard (try? engine.checkKept(title.utf8.count, for: script)) != nil else { return title.cut(toBytes: 256) }
    share = script.kept.share(title.utf8.count)
    return title
  }
}

extension clua_Text {
  /// The text as the host keeps it. Only the beginning is copied.
  fileprivate var shown: String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: min(count, Element.textLimit)), as: UTF8.self)
      .shown(hasLines: false)
  }
}

/// Reverses the changes of a script's handler in one stretch, with steps in a Lua table (`CScript/Host/Steps.c`).
final class ScriptWrite: FieldWrite {
  /// Unowned, because the engine lives as long as the host. This object may outlive it, and then does nothing.
  private unowned let engine: ScriptEngine
  private let script: ScriptOwner
  /// A reference to the table.
  let steps: Int32
  /// The bits of the fields, and the number of steps for which they hold.
  private var knownFields: (steps: Int32, bits: FieldBits) = (0, FieldBits())
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

  /// Reads the title and the key that a handler set for its steps.
  func take(_ said: UnsafePointer<clua_Steps>) { titled.take(said, for: self, of: script, engine) }

  /// While a failed action is reversed, failing steps are skipped. Returns the first failure.
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

  /// Returns the index of scripts' later writes.
  private func index(of later: LaterWrites) -> LuaTable {
    let id = ObjectIdentifier(ScriptWrite.self)
    if let known = later.notes[id] as? LuaReference { return LuaTable(reference: known) }
    let table = engine.lua.newTable()
    later.notes[id] = table.reference
    return table
  }

  override var fields: FieldBits {
    guard clua_room(L, 16) else { return .all }
    let count = clua_stepCount(L, steps)
    if count == knownFields.steps { return knownFields.bits }
    engine.charge(Int(count))
    var bits = FieldBits()
    clua_fieldBits(L, steps, &bits.one, &bits.other)
    knownFields = (count, bits)
    return bits
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
