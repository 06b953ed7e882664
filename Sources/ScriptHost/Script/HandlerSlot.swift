import CLua
import CScript

/// A *handler slot* holds the function of a handler that a script has assigned again: from then on C replaces the function in place, and Swift
/// notices when it next reads the handler.
///
/// A script that replaces a handler most likely does so again, so the second assignment makes a slot. It is valid as long as the handler is
/// registered and the shape of the chain stays. A function that C put there becomes a handler when somebody asks who is registered.
final class HandlerSlot {
  /// The function that is in the slot now, as plans call it.
  let function: LuaReference
  /// Retains the slot's memory, which is Lua's.
  private let holder: LuaReference
  private let memory: UnsafeMutablePointer<clua_Slot>

  /// Makes a slot under a name in a host's table.
  init?(_ name: String, in table: LuaReference, of lua: LuaState) {
    let L = lua.L
    guard clua_room(L, 8) else { return nil }
    clua_pushReference(L, table.id)
    lua.push(text: name, on: L)
    memory = clua_newSlot(L)
    holder = lua.takeReference()
    clua_pushBool(L, false)
    function = lua.takeReference()
  }

  deinit { close() }

  /// Stops C from replacing the function.
  func close() {
    if function.isOpen { memory.pointee.function = 0 }
  }

  /// Puts a function into the slot, which C may replace as long as the chain has that shape.
  func open(for handler: LuaFunction, shape: Int, on L: OpaquePointer) {
    clua_pushReference(L, handler.reference.id)
    clua_put(L, function.id)
    memory.pointee = clua_Slot(function: function.id, isOther: false, shape: shape)
  }

  /// The function that C put in since the last call of this; nil if there is none.
  func takeOther(_ lua: LuaState) -> LuaFunction? {
    guard memory.pointee.isOther, memory.pointee.function != 0, clua_room(lua.L, 1) else { return nil }
    memory.pointee.isOther = false
    clua_pushReference(lua.L, function.id)
    return LuaFunction(reference: lua.takeReference())
  }
}

extension ScriptEngine {
  /// Makes C replace a script's handler from now on when it is assigned again; the handler has just taken the place of another.
  func replaceByItself(
    _ handler: ScriptHandler, insteadOf other: Handler, _ action: String, of responder: Responder,
    for owner: ScriptOwner
  ) {
    // A change of a responder's tables makes its `resolve` be asked again, and only Swift announces the change.
    guard viewer == nil, let other = other as? ScriptHandler, responder.hook(\.resolve) == nil,
      let table = object(responder, for: owner).tables[.on],
      let slot = other.slot ?? HandlerSlot(action, in: table, of: lua)
    else { return }
    other.slot = nil
    handler.slot = slot
    slot.open(for: handler.function, shape: chain.shape, on: lua.L)
  }
}
