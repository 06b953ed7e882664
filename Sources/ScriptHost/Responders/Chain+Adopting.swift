// What others than its maker gave to a responder is kept by its name, as long as its maker's script may make it again.

extension Chain {
  /// Gives the layers that others have on responders that went to those of the same names; what finds none waits for one.
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

  /// Lets go of what an owner gave to responders that are not there.
  func forgetOrphans(of owner: Owner) {
    for (name, orphan) in orphans {
      orphan.removeLayer(of: owner)
      if orphan.layers.count == 1 { orphans[name] = nil }
    }
  }
}
