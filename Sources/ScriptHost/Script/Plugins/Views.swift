import CLua
import CScript

// Responders as values. Each owner has a table of its own for each, so a value is shown as who gets it sees it: no plugin is handed the
// table of another, with which it could do what that one may.

extension ScriptEngine {
  /// Pushes what a body pushes as an owner's scripts see it.
  func speaking<Result>(to owner: ScriptOwner?, _ body: () throws -> Result) rethrows -> Result {
    let before = speaker
    speaker = owner
    defer { speaker = before }
    return try body()
  }

  func script(of owner: Owner) -> ScriptOwner? { owners.last { $0.owner === owner } }

  /// Makes contexts show responders to each as it may see them, from the first plugin on and for good: what one lent may be held by
  /// others when none is left.
  func watchViews() {
    guard viewer == nil else { return }
    let made = lua.function { [unowned self] in view($0) }
    let shows = lua.function { [unowned self] in show($0) }
    (viewer, shower) = (made, shows)
    clua_setViewer(lua.L, made.reference.id, shows.reference.id)
    // What was prepared shows what it showed.
    chain.changeAll()
  }

  /// A responder of a context's fields as the function sees it that reads them.
  private func view(_ call: LuaCall) -> LuaReturn {
    guard let responder = responder(at: 1, on: call.L)?.responder else {
      clua_setTop(call.L, 1)
      return .pushed(1)
    }
    clua_pushReference(call.L, object(of: responder, for: caller(on: call.L)))
    return .pushed(1)
  }

  /// Shows the responders among what a context holds to whoever's is called next, or, where that isn't said, to who called what runs.
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

  /// Shows the responders among what a context holds to an owner's scripts.
  func show(_ context: LuaReference, to script: ScriptOwner) {
    guard viewer != nil else { return }
    clua_pushReference(lua.L, context.id)
    clua_pushReference(lua.L, object(of: chain.app, for: script))
    clua_show(lua.L, -2, -1)
    clua_pop(lua.L, 2)
  }
}
