import CLua
import CScript

// The rights of an owner's scripts on responders of others.

extension ScriptEngine {
  /// Returns true if an owner may change a responder's state and links. The app's script may change the program's too.
  func isMaker(_ owner: ScriptOwner, of responder: Responder) -> Bool {
    // Index 0 is the embedding program, which has no scripts: unknown callers get its tables.
    if owner.index == 0 { return false }
    if responder.owner === owner.owner { return true }
    return owner.plugin == nil
      && (viewer == nil || !plugins.contains { $0.owner === responder.owner })
  }

  /// Returns why an owner may not use a field of a responder; nil if it may.
  func foreignField(_ name: String, of responder: Responder, _ owner: ScriptOwner) -> String? {
    if isMaker(owner, of: responder) { return nil }
    if responder.kind == .app { return "only the app can use 'app.\(name)'" }
    return
      "'\(responder.name)' belongs to '\(responder.owner.name)': its '\(name)' is not for other scripts"
  }

  func refuseForeignField(_ name: String, of responder: Responder, _ owner: ScriptOwner) throws {
    if let reason = foreignField(name, of: responder, owner) { throw LuaMisuse(reason) }
  }

  /// Returns an owner's layer of a responder. A plugin may write to its own responders, the app's and required
  /// plugins'.
  func layer(of responder: Responder, for owner: ScriptOwner) throws -> Behaviour {
    try owner.checkIsThere()
    try refuseUnrequired(responder, owner)
    return responder.layer(of: owner.owner)
  }

  func refuseUnrequired(_ responder: Responder, _ owner: ScriptOwner) throws {
    guard let plugin = owner.plugin, responder.owner !== owner.owner,
      let maker = plugins.first(where: { $0.owner === responder.owner })?.owner.name,
      !plugin.manifest.requires.contains(where: { $0.name.hasSameBytes(as: maker) })
    else { return }
    throw LuaMisuse(
      "'\(responder.name)' belongs to the plugin '\(maker)': add it to 'requires' in the manifest of '\(owner.owner.name)'"
    )
  }

  /// Attaches a responder before another, which is an object or a name. Nil detaches it.
  func setBefore(_ value: LuaValue, of responder: Responder, owner: ScriptOwner) throws {
    if case .nil = value { return chain.detach(responder) }
    let other = try self.responder(value, "before")
    try refuseUnrequired(other, owner)
    try allowing { try chain.attach(responder, before: other) }
  }

  /// Refuses changes of a responder's links, classes and modality to all but its maker. The app's delegate is an
  /// exception.
  func refuseOthers(_ what: String, of responder: Responder, _ owner: ScriptOwner) throws {
    let itsOwn = ["next", "before", "class", "delegate", "remove", "derive", "undo", "works_when_modal"]
    guard itsOwn.contains(what) else { return }
    if owner.index == 0 { throw LuaMisuse.unknownScript }
    if responder.kind == .app {
      if what == "delegate" || owner.plugin == nil { return }
      throw LuaMisuse("only the app can use 'app.\(what)'")
    }
    if responder.owner !== owner.owner {
      throw LuaMisuse(
        "'\(responder.name)' belongs to '\(responder.owner.name)': its '\(what)' is not for other scripts"
      )
    }
  }

  /// Refuses a plugin's delegate for the app unless the plugin made it and no other owner's delegate is replaced. So
  /// the app is the same after the plugin leaves.
  func refuseDelegate(_ delegate: Responder?, of responder: Responder, _ owner: ScriptOwner) throws {
    guard responder.kind == .app, owner.plugin != nil else { return }
    if let present = responder.delegate, present.owner !== owner.owner {
      throw LuaMisuse(
        "a plugin can't replace the app's delegate '\(present.name)', which '\(present.owner.name)' made")
    }
    if let delegate, delegate.owner !== owner.owner {
      throw LuaMisuse(
        "a plugin can make only its own responder the app's delegate, and '\(delegate.owner.name)' made '\(delegate.name)'"
      )
    }
  }
}

// A use of a responder's table has the rights of the table's owner. If the owner passed the table to another script,
// the other script's rights apply.

extension ScriptOwner {
  /// The number in the chunks of its scripts.
  var code: LuaOwner { LuaOwner(number: Int32(index)) }
}

extension ScriptEngine {
  /// Returns the owner whose rights apply to a table: the table's owner, or the caller once there was a plugin.
  @inline(__always)
  func acting(_ owner: ScriptOwner, on L: OpaquePointer) throws -> ScriptOwner {
    viewer == nil ? owner : try knownCaller(on: L)
  }

  private func knownCaller(on L: OpaquePointer) throws -> ScriptOwner {
    let number = Int(clua_caller(L, 1))
    if number == CLUA_NONE {
      throw LuaMisuse("the host can't tell which script does this: call it from the text of a script")
    }
    guard let caller = script(number) else { throw goneScript(index: Int64(number)) }
    if caller === nobody { throw LuaMisuse.unknownScript }
    return caller
  }

  /// The owner in the place of an unknown caller: the embedding program, which has no scripts.
  var nobody: ScriptOwner { owners[0] }

  /// Returns the owner of the calling code, from a number of calls upward; `nobody` if it isn't known.
  func caller(from first: Int32 = 1, on L: OpaquePointer) -> ScriptOwner {
    script(Int(clua_caller(L, first))) ?? nobody
  }
}

// Responders as values. Each owner has its own table for each responder, and a value becomes the receiver's table. With
// another owner's table a plugin would have that owner's rights.

extension ScriptEngine {
  /// Runs a body that pushes values as an owner's scripts see them.
  func speaking<Result>(to owner: ScriptOwner?, _ body: () throws -> Result) rethrows -> Result {
    let before = speaker
    speaker = owner
    defer { speaker = before }
    return try body()
  }

  func script(of owner: Owner) -> ScriptOwner? { owners.last { $0.owner === owner } }

  /// Makes contexts show each owner its own tables of responders, from the first plugin on and for good. Scripts may
  /// hold a plugin's values after the last plugin has left.
  func watchViews() {
    guard viewer == nil else { return }
    let made = lua.function { [unowned self] in view($0) }
    let shows = lua.function { [unowned self] in show($0) }
    (viewer, shower) = (made, shows)
    clua_setViewer(lua.L, made.reference.id, shows.reference.id)
  }

  /// Pushes the reader's own table of a responder in a context's field.
  private func view(_ call: LuaCall) -> LuaReturn {
    guard let responder = responder(at: 1, on: call.L)?.responder else {
      clua_setTop(call.L, 1)
      return .pushed(1)
    }
    clua_pushReference(call.L, object(of: responder, for: caller(on: call.L)))
    return .pushed(1)
  }

  /// Replaces the responders in a context by the tables of the next owner, or else of the running function's caller.
  private func show(_ call: LuaCall) -> LuaReturn {
    let isNamed = clua_type(call.L, 2) == CLUA_TTABLE.rawValue
    let owner = isNamed ? responder(at: 2, on: call.L)?.owner : caller(from: 3, on: call.L)
    if clua_type(call.L, 1) == CLUA_TTABLE.rawValue { show(in: 1, of: call.L, to: owner ?? nobody, isWhole: true) }
    if !isNamed, let owner, owner !== nobody { clua_speak(call.L, 1, Int32(owner.index)) }
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
