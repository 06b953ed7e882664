// What an owner's scripts may do with responders that others made.

extension ScriptEngine {
  /// Whether a responder's state and its place in the chain are an owner's to change. Those of the embedding program are the app's script's too.
  func isMaker(_ owner: ScriptOwner, of responder: Responder) -> Bool {
    // Index 0 is the embedding program, which has no scripts: its tables are shown to callers that aren't known.
    if owner.index == 0 { return false }
    if responder.owner === owner.owner { return true }
    return owner.plugin == nil
      && (viewer == nil || !plugins.contains { $0.owner === responder.owner })
  }

  /// Why an owner may not use a field of a responder; nil where it may.
  func foreignField(_ name: String, of responder: Responder, _ owner: ScriptOwner) -> String? {
    if isMaker(owner, of: responder) { return nil }
    if responder.kind == .app { return "'app.\(name)' is the app's: it is not for others" }
    return "'\(responder.name)' is made by '\(responder.owner.name)': its '\(name)' is not for others"
  }

  func refuseForeignField(_ name: String, of responder: Responder, _ owner: ScriptOwner) throws {
    if let reason = foreignField(name, of: responder, owner) { throw LuaMisuse(reason) }
  }

  /// The layer of a responder that an owner writes to. A plugin may write to the app's responders, its own, and those of plugins that it requires.
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

  /// Sets the responder, given as object or by name, before which this one is asked; nil restores its own place.
  func setBefore(_ value: LuaValue, of responder: Responder, owner: ScriptOwner) throws {
    if case .nil = value { return chain.detach(responder) }
    let other = try self.responder(value, "before")
    try refuseUnrequired(other, owner)
    try allowing { try chain.attach(responder, before: other) }
  }

  /// Refuses changes of how a responder stands in the chain, and to modal sessions, to all but its maker. A plugin may set the app's delegate, as `refuseDelegate` says.
  func refuseOthers(_ what: String, of responder: Responder, _ owner: ScriptOwner) throws {
    let itsOwn = ["next", "before", "class", "delegate", "remove", "derive", "undo", "works_when_modal"]
    guard itsOwn.contains(what) else { return }
    if owner.index == 0 { throw LuaMisuse.unknownScript }
    if responder.kind == .app {
      if what == "delegate" || owner.plugin == nil { return }
      throw LuaMisuse("'app.\(what)' is the app's: it is not for others")
    }
    if responder.owner !== owner.owner {
      throw LuaMisuse("'\(responder.name)' is made by '\(responder.owner.name)': its '\(what)' is not for others")
    }
  }

  /// Refuses a plugin's delegate for the app unless it is the plugin's own and replaces no other owner's: so it goes with the plugin, and the app is
  /// as it was before.
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
