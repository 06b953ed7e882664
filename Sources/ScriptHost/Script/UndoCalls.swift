import CLua
import CScript

// Undo for scripts: `ctx:set`, `ctx:insert`, `ctx:remove` and `ctx:undo`, which are in `CScript/Host/Undo.c`, and
// `app:undo()`, `app:redo()`, `app:undo_stack()`, `app:forget_undo()`.

extension ScriptEngine {
  func watchUndo() {
    let check = lua.function { [unowned self] in try checkField($0) }
    clua_pushReference(lua.L, check.reference.id)
    let keep: clua_Keep = { keeper, L, steps in
      guard let keeper, let L, let steps else { return 0 }
      return Unmanaged<ScriptEngine>.fromOpaque(keeper).takeUnretainedValue().keep(steps, on: L)
    }
    clua_watchUndo(
      lua.L, keep, Unmanaged.passUnretained(self).toOpaque(), clua_reference(lua.L), UnsafePointer(undo.changes))
    undo.recall = { [unowned self] in recall($0) }
  }

  /// Registers a handler's function or a table for its steps, or reads title and key of the last table. Returns 0 if
  /// nothing is recorded, and -1, with the reason pushed, if the script is gone or set aside.
  private func keep(_ steps: UnsafePointer<clua_Steps>, on L: OpaquePointer) -> Int32 {
    if steps.pointee.isKept {
      guard let known = undo.last as? ScriptWrite else { return 0 }
      known.take(steps)
      return known.steps
    }
    let number = steps.pointee.number
    if let gone = goneOwner(number) {
      lua.push(text: gone.message, on: L)
      return -1
    }
    lua.settleDropped(on: L)
    guard let (taker, script) = responder(number), !undo.isTakingBack else { return 0 }
    if steps.pointee.reference != 0 {
      return keepAction(steps, on: L, of: script, taker)
    }
    if steps.pointee.isFunction {
      let function = LuaReference(id: clua_reference(L), life: lua.life)
      let reversal = ScriptReversal(function, of: script, taker: taker, number: number, engine: self)
      reversal.take(steps)
      return undo.register(reversal) ? function.id : 0
    }
    let write = ScriptWrite(clua_newSteps(L, 1), of: script, taker: taker, engine: self)
    write.take(steps)
    return undo.register(write) ? write.steps : 0
  }

  /// Registers a reversal by an action, whose reference and arguments are on the stack. Returns -1, with the reason
  /// pushed, if they can't be kept.
  private func keepAction(
    _ steps: UnsafePointer<clua_Steps>, on L: OpaquePointer, of script: ScriptOwner, _ taker: Responder
  ) -> Int32 {
    do {
      guard case .text(let text) = try lua.value(at: steps.pointee.reference, on: L) else { return 0 }
      let reference = try Reference.parse(text)
      var plain = PlainLiteral(lua, limit: 64 << 10, rule: "the arguments of ctx:undo must be plain data")
      var arguments = LiteralObject()
      if case .table(let table) = try lua.value(at: steps.pointee.reference + 1, on: L) {
        guard case .object(let object) = try plain.literal(.table(table), "args") else {
          throw LuaMisuse("the arguments of ctx:undo must have names, as in { text = \"x\" }, not be a list")
        }
        arguments = object
      }
      let reversal = ScriptActionReversal(
        reference, arguments, at: taker.name, taker: taker, of: script.owner, dispatcher)
      try reversal.count(text.utf8.count + plain.size, of: script, self)
      reversal.take(steps, of: script, self)
      return undo.register(reversal) ? 1 : 0
    } catch {
      let reason =
        switch error {
        case let error as ReferenceError:
          "ctx:undo can't read its reference: \(error.message), at column \(error.column)"
        case let misuse as LuaMisuse: misuse.message
        default: "\(error)"
        }
      lua.push(text: reason, on: L)
      return -1
    }
  }

  /// Returns why changes of a handler can never be undone: its script is gone or set aside. Nil during an undo, when
  /// nothing is recorded.
  private func goneOwner(_ number: Int64) -> LuaMisuse? {
    if undo.isTakingBack { return nil }
    guard let script = script(Int(number >> 32)) else { return goneScript(index: number >> 32) }
    return script.owner.isInactive ? script.owner.whySetAside.map { LuaMisuse($0) } : nil
  }

  /// Returns why `ctx:set` can't write a field of a responder's object; nil if it can.
  private func checkField(_ call: LuaCall) throws -> LuaReturn {
    func refuse(_ reason: String) -> LuaReturn { .values([.text(reason)]) }
    if clua_type(call.L, 1) == CLUA_TUSERDATA.rawValue { return try setNative(call) }
    guard let (responder, owner) = responder(at: 1, on: call.L),
      clua_identity(call.L, 1) == identity(of: object(of: responder, for: owner))
    else {
      let number = clua_hostNumber(call.L, 1)
      if let gone = goneScript(number) { return refuse(gone.message) }
      let isClass = number >= ScriptClass.mark
      let name = isClass ? nil : hostName(at: 1, on: call.L)
      let removed = name.flatMap { chain.find($0) == nil ? "'\($0)' was removed" : nil }
      return refuse(removed ?? "ctx:set writes fields of a responder, not its tables and not a class")
    }
    if responder.isRemoved { return refuse("'\(responder.name)' was removed") }
    guard case .text(let name) = try call[1] else { return .values([.nil]) }
    if let reason = foreignField(name, of: responder, try acting(owner, on: call.L)) { return refuse(reason) }
    if responder.kind == .app, ["title", "version"].contains(name) {
      if case .text = try call[2] { return .values([.nil]) }
      return refuse("'\(name)' must be a string, not \(try call[2].described)")
    }
    return isHostField(name, of: responder)
      ? refuse("'\(name)' belongs to the host: ctx:set writes only a responder's own fields") : .values([.nil])
  }

  /// Writes fields of the program's object, and registers the reversal. The arguments are those of `ctx:set`, with a
  /// merge key instead of the options, and the number of the handler's responder.
  private func setNative(_ call: LuaCall) throws -> LuaReturn {
    guard let natives, case .integer(let number) = try call[5] else {
      return .values([.text("ctx:set writes into a table or a responder, not an object of the host's")])
    }
    let changes: [(change: NativeChange, apply: () -> Void)]
    do { changes = try natives.set(call) } catch let misuse as LuaMisuse { return .values([.text(misuse.message)]) }
    if let gone = goneOwner(Int64(number)) { return .values([.text(gone.message)]) }
    let title: String? = if case .text(let title) = try call[3], !title.isEmpty { title } else { nil }
    let key: String? = if case .text(let key) = try call[4] { key } else { nil }
    for (change, apply) in changes {
      if !undo.isTakingBack, let taker = responder(Int64(number))?.responder {
        let write = NativeWrite(change, taker: taker, undo: undo)
        (write.title, write.key) = (title, key)
        undo.register(write)
      }
      apply()
    }
    return .values([.nil])
  }

  private func identity(of reference: Int32) -> UnsafeRawPointer? {
    clua_pushReference(lua.L, reference)
    defer { clua_pop(lua.L, 1) }
    return clua_identity(lua.L, -1)
  }

  // MARK: Control calls

  static let undoCalls: [(name: String, body: HostCalls.Body)] = [
    ("undo", { try $0.performUndo($1, .undo) }),
    ("redo", { try $0.performUndo($1, .redo) }),
    ("undo_stack", { try $0.undoStack($1) }),
    ("forget_undo", { try $0.forgetUndo($1) }),
  ]

  private func performUndo(_ call: LuaCall, _ direction: UndoStack.Direction) throws -> LuaReturn {
    try act(call, direction.rawValue, direction.rawValue) { $0.perform(direction.rawValue) }
  }

  private func undoStack(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "undo_stack")
    let history = host.undoHistory
    push(
      .object([
        ("undo", .list(history.undo.map { .text($0) })), ("redo", .list(history.redo.map { .text($0) })),
        ("owner", .text(history.owner)), ("redo_owner", .text(history.redoOwner)),
      ]), on: call.L)
    return .pushed(1)
  }

  /// forget_undo(): drops the next undo step. A plugin can drop only its own steps.
  private func forgetUndo(_ call: LuaCall) throws -> LuaReturn {
    let owner = try acting(receiver(call, "forget_undo").owner, on: call.L)
    try refuseWhileAsking("forgetting an undo")
    try refuseWhileLoading("forgetting an undo")
    do throws(Misuse) {
      let title = try dispatcher.forgetUndo { owner.plugin == nil || $0.owner === owner.owner }
      return .values([.text(title)])
    } catch {
      return .values([.nil, .text(error.message)])
    }
  }

  // MARK: Stacks of responders

  /// Reads the value that a script assigned to `undo`.
  func undoSetting(_ value: LuaValue) throws -> UndoSetting? {
    switch value {
    case .nil: return nil
    case .bool(let has): return has ? .levels(UndoSetting.defaultLevels) : UndoSetting.none
    case .table(let table):
      var levels = UndoSetting.defaultLevels
      var isKept = false
      try lua.forEach(in: table) { key, value in
        switch (key, value) {
        case (.text("levels"), .integer(let count)) where count > 0: levels = count
        case (.text("levels"), _): throw LuaMisuse("'levels' must be a whole number from 1 on")
        case (.text("keep"), .bool(let keeps)): isKept = keeps
        case (.text("keep"), _): throw LuaMisuse("'keep' must be a boolean, not \(value.described)")
        case (.text(let name), _):
          let near = nearest(to: name, among: ["levels", "keep"]).first.map { "; did you mean '\($0)'?" } ?? ""
          throw LuaMisuse("'undo' has no field '\(name)'\(near)")
        default: throw LuaMisuse("'undo' has no field \(key.described)")
        }
        return true
      }
      return .levels(levels, isKept: isKept)
    default: throw LuaMisuse("'undo' must be a boolean or a table, not \(value.described)")
    }
  }

  func value(of setting: UndoSetting?) throws -> LuaValue {
    switch setting {
    case nil: return .nil
    case UndoSetting.none?: return false
    case .levels(UndoSetting.defaultLevels, isKept: false)?: return true
    case .levels(let levels, let isKept)?:
      let table = lua.newTable()
      try lua.rawSet("levels", .integer(levels), of: table)
      if isKept { try lua.rawSet("keep", true, of: table) }
      return .table(table)
    }
  }

  /// Gives a responder its own history, or removes the history with its content.
  func setUndo(_ value: LuaValue, of responder: Responder, owner: ScriptOwner) throws {
    let setting = try undoSetting(value)
    let behaviour = try layer(of: responder, for: owner)
    host.setUndo(setting, in: behaviour, of: responder)
  }
}
