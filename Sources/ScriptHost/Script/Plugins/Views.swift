import CLua
import CScript

// Responders as values. Each owner has its own table for each responder, and a value becomes the table of the owner who gets it: with another owner's
// table a plugin could do what that owner may.

extension ScriptEngine {
  /// Runs a body with values pushed as an owner's scripts see them.
  func speaking<Result>(to owner: ScriptOwner?, _ body: () throws -> Result) rethrows -> Result {
    let before = speaker
    speaker = owner
    defer { speaker = before }
    return try body()
  }

  func script(of owner: Owner) -> ScriptOwner? { owners.last { $0.owner === owner } }

  /// Makes contexts show responders to each owner as it may see them, from the first plugin on and for good: what a plugin handed out may be held by
  /// others when no plugin is left.
  func watchViews() {
    guard viewer == nil else { return }
    let made = lua.function { [unowned self] in view($0) }
    let shows = lua.function { [unowned self] in show($0) }
    (viewer, shower) = (made, shows)
    clua_setViewer(lua.L, made.reference.id, shows.reference.id)
  }

  /// Pushes a responder in a context's field as the function that reads the field may see it.
  private func view(_ call: LuaCall) -> LuaReturn {
    guard let responder = responder(at: 1, on: call.L)?.responder else {
      clua_setTop(call.L, 1)
      return .pushed(1)
    }
    clua_pushReference(call.L, object(of: responder, for: caller(on: call.L)))
    return .pushed(1)
  }

  /// Replaces the responders in a context by the tables of the owner who is called next, or, if none is given, of the caller of the running function.
  private func show(_ call: LuaCall) -> LuaReturn {
    let isNamed = clua_type(call.L, 2) == CLUA_TTABLE.rawValue
    let owner = isNamed ? responder(at: 2, on: call.L)?.owner : caller(from: 2, on: call.L)
    if clua_type(call.L, 1) == CLUA_TTABLE.rawValue { show(in: 1, of: call.L, to: owner ?? nobody, isWhole: true) }
    return .nothing
  }

  private func show(in table: Int32, of L: OpaquePointer, to owner: ScriptOwner, isWhole: Bool) {
    guard clua_room(L, 8) else { return }
    clua_pushNil(L)
    while clua_next(L, table) {
      if let (responder, whose) = responder(at: -1, on: L), whose !== owner {
        clua_copy(L, -2)
        clua_pushReference(L, object(of: responder, for: owner))
        _ = clua_rawSet(L, table)
      } else if isWhole, clua_isPart(L, -2, -1) {
        show(in: clua_top(L), of: L, to: owner, isWhole: false)
      }
      clua_pop(L, 1)
    }
  }

  /// Replaces the responders in the context at an index by the tables of an owner's scripts.
  func show(at index: Int32, of L: OpaquePointer, to script: ScriptOwner) {
    guard viewer != nil else { return }
    clua_copy(L, index)
    clua_pushReference(L, object(of: chain.app, for: script))
    clua_show(L, -2, -1)
    clua_pop(L, 2)
  }
}
