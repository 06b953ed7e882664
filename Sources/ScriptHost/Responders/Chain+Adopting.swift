// While a script is reloaded, what plugins added to its responders is kept by name, for the responders of the same name that it makes anew.

extension Chain {
  /// Moves other owners' layers from removed responders to the new ones of the same names; layers without a new responder wait for one.
  func adopt(_ gone: [Responder]) -> [(old: Responder, new: Responder)] {
    for responder in gone where responder.layers.count > 1 { orphans[ByteText(responder.name)] = responder }
    var pairs: [(old: Responder, new: Responder)] = []
    for responder in gone { if let new = find(responder.name) { pairs.append((responder, new)) } }
    for (name, old) in orphans {
      guard let new = responders[name] else { continue }
      orphans[name] = nil
      new.setLayers(new.layers + old.layers.dropFirst().filter { $0.owner !== new.owner && !$0.owner.isLeaving })
      if !pairs.contains(where: { $0.old === old }) { pairs.append((old, new)) }
    }
    changeAll()
    return pairs
  }

  /// Drops the layers of an owner on removed responders.
  func forgetOrphans(of owner: Owner) {
    for (name, orphan) in orphans {
      orphan.removeLayer(of: owner)
      if orphan.layers.count == 1 { orphans[name] = nil }
    }
  }
}
