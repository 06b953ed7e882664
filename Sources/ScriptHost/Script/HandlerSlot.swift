import CLua
import CScript

/// A *handler slot* is where the function of a handler stands that is assigned anew: from then on C puts another in its place.
///
/// A script that exchanges a handler most likely does so again, so the second assignment makes one. It is good as long as the handler is
/// registered and the shape of the chain stays; who comes to stand in it becomes a handler when somebody asks who is registered.
final class HandlerSlot {
  /// What plans call: what stands in it now.
  let function: LuaReference
  /// Holds the memory, which is Lua's.
  private let holder: LuaReference
  private let memory: UnsafeMutablePointer<clua_Slot>

  /// Keeps a new one under a name in a host's table.
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

  /// Lets no other function be put there.
  func close() {
    if function.isOpen { memory.pointee.function = 0 }
  }

  /// Puts a function there that others may take the place of as long as the chain has the shape.
  func open(for handler: LuaFunction, shape: Int, on L: OpaquePointer) {
    clua_pushReference(L, handler.reference.id)
    clua_put(L, function.id)
    memory.pointee = clua_Slot(function: function.id, isOther: false, shape: shape)
  }

  /// The function that has taken the place of the one that was there, once.
  func takeOther(_ lua: LuaState) -> LuaFunction? {
    guard memory.pointee.isOther, memory.pointee.function != 0, clua_room(lua.L, 1) else { return nil }
    memory.pointee.isOther = false
    clua_pushReference(lua.L, function.id)
    return LuaFunction(reference: lua.takeReference())
  }
}

extension ScriptEngine {
  /// Has C exchange a handler of a script's from now on, which took the place of another.
  func replaceByItself(
    _ handler: ScriptHandler, insteadOf other: Handler, _ action: String, of responder: Responder,
    for owner: ScriptOwner
  ) {
    // After a change of its tables `resolve` is asked again, and it is Swift that says so.
    guard viewer == nil, let other = other as? ScriptHandler, responder.hook(\.resolve) == nil,
      let table = object(responder, for: owner).tables[.on],
      let slot = other.slot ?? HandlerSlot(action, in: table, of: lua)
    else { return }
    other.slot = nil
    handler.slot = slot
    slot.open(for: handler.function, shape: chain.shape, on: lua.L)
  }
}
