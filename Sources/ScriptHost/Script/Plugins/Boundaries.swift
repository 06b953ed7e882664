// What one owner's scripts may do with what others made.

extension ScriptEngine {
  /// Whether a responder's state and its place in the chain are an owner's: the app's script has those of the embedding program too.
  func isMaker(_ owner: ScriptOwner, of responder: Responder) -> Bool {
    // The tables of the program's own scripts, of which there are none, are shown to whoever is not known.
    if owner.index == 0 { return false }
    if responder.owner === owner.owner { return true }
    return owner.plugin == nil
      && (viewer == nil || !plugins.contains { $0.owner === responder.owner })
  }

  /// Why a field is not for an owner; nil where it is.
  func foreignField(_ name: String, of responder: Responder, _ owner: ScriptOwner) -> String? {
    if isMaker(owner, of: responder) { return nil }
    if responder.kind == .app { return "'app.\(name)' is the app's: it is not for others" }
    return "'\(responder.name)' is made by '\(responder.owner.name)': its '\(name)' is not for others"
  }

  func refuseForeignField(_ name: String, of responder: Responder, _ owner: ScriptOwner) throws {
    if let reason = foreignField(name, of: responder, owner) { throw LuaMisuse(reason) }
  }

  /// The behaviour that an owner gives to a responder: of the app's and of its own, and of a plugin's where it requires that.
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
      "'\(responder.name)' is made by the plugin '\(maker)', which '\(owner.owner.name)' doesn't require in its manifest"
    )
  }

  /// Has a responder asked before another, by its object or its name; nil has it asked in its own place.
  func setBefore(_ value: LuaValue, of responder: Responder, owner: ScriptOwner) throws {
    if case .nil = value { return chain.detach(responder) }
    let other = try self.responder(value, "before")
    try refuseUnrequired(other, owner)
    try allowing { try chain.attach(responder, before: other) }
  }

  /// How a responder stands in the chain is its maker's business. The app's delegate a plugin may give, as `refuseDelegate` says.
  func refuseOthers(_ what: String, of responder: Responder, _ owner: ScriptOwner) throws {
    guard ["next", "before", "class", "delegate", "remove", "derive", "undo"].contains(what) else { return }
    if owner.index == 0 { throw LuaMisuse.unknownScript }
    if responder.kind == .app {
      if what == "delegate" || owner.plugin == nil { return }
      throw LuaMisuse("'app.\(what)' is the app's: it is not for others")
    }
    if responder.owner !== owner.owner {
      throw LuaMisuse("'\(responder.name)' is made by '\(responder.owner.name)': its '\(what)' is not for others")
    }
  }

  /// A plugin gives the app a delegate of its own, where there is no other's: so that it goes with the plugin, and the app is as it was before.
  func refuseDelegate(_ delegate: Responder?, of responder: Responder, _ owner: ScriptOwner) throws {
    guard responder.kind == .app, owner.plugin != nil else { return }
    if let present = responder.delegate, present.owner !== owner.owner {
      throw LuaMisuse(
        "the app's delegate is '\(present.name)', made by '\(present.owner.name)': a plugin doesn't replace another's")
    }
    if let delegate, delegate.owner !== owner.owner {
      throw LuaMisuse(
        "'\(delegate.name)' is made by '\(delegate.owner.name)': the delegate that a plugin gives the app is its own")
    }
  }
}
