import CLua

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

  /// The script of an owner.
  func script(of owner: Owner) -> ScriptOwner? { owners.last { $0.owner === owner } }

  /// Makes contexts show responders to each as it may see them, from the first plugin on to the last.
  func watchViews() {
    guard plugins.isEmpty == (viewer != nil) else { return }
    if plugins.isEmpty {
      viewer = nil
      clua_setViewer(lua.L, 0)
    } else {
      let made = lua.function { [unowned self] in view($0) }
      viewer = made
      clua_setViewer(lua.L, made.reference.id)
    }
    // What was laid out shows what it showed.
    chain.changeAll()
  }

  /// A responder of a context's fields as the function sees it that reads them, two calls up.
  private func view(_ call: LuaCall) -> LuaReturn {
    guard let responder = responder(at: 1, on: call.L)?.responder else {
      clua_setTop(call.L, 1)
      return .pushed(1)
    }
    clua_pushReference(call.L, object(of: responder, for: reader(level: 2, on: call.L) ?? owners[0]))
    return .pushed(1)
  }

  /// Whose function runs so many calls up: who is its self, or whose globals it uses.
  private func reader(level: Int32, on L: OpaquePointer) -> ScriptOwner? {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    if clua_runningFunction(L, level), let owner = responder(at: -1, on: L)?.owner { return owner }
    guard clua_runningEnvironment(L, level), let identity = clua_identity(L, -1) else { return nil }
    return owners.first { script in
      script.environments.contains { (try? lua.identity(of: $0)) == identity }
    }
  }
}
