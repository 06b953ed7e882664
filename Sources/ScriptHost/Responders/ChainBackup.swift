/// A *backup* is the whole content and arrangement of a chain, to be restored later.
///
/// It retains the responders, because a removed responder doesn't retain its neighbours.
struct ChainBackup {
  fileprivate let responders: [ByteText: Responder]
  fileprivate let windows: [Responder]
  fileprivate let classes: [ClassDefinition]
  fileprivate let sessions: [ModalSession]
  fileprivate let layers: [(responder: Responder, layers: [Behaviour])]
  fileprivate let arrangement: Arrangement
}

extension Chain {
  /// A backup of the present chain.
  var backup: ChainBackup {
    ChainBackup(
      responders: responders, windows: windows, classes: classes, sessions: sessions,
      layers: responders.values.map { ($0, $0.layers) }, arrangement: arrangement)
  }

  /// Removes everything of an owner from the chain, without hooks or notifications, and without counting it as removed.
  func setAside(_ owner: Owner) {
    sessions = []
    let rest = responders.filter { $0.value.owner !== owner }
    for responder in rest.values {
      responder.next = responder.next.map { heir(of: $0, without: owner) }
      if responder.delegate?.owner === owner { responder.delegate = nil }
      responder.first = responder.first.map { heir(of: $0, without: owner) }.flatMap { $0 === app ? nil : $0 }
      responder.removeLayer(of: owner)
    }
    let windows = windows.filter { $0.owner !== owner }
    hold(rest, windows: windows, classes: classes.filter { $0.owner !== owner })
    restore(
      Arrangement.Focus(
        keyHistory: keyHistory.filter { $0.owner !== owner },
        main: main.flatMap { $0.owner === owner ? windows.first : $0 },
        loose: loose.flatMap { $0.owner === owner ? nil : $0 }))
    changeAll()
  }

  /// Returns the first responder along `next` that has another owner.
  private func heir(of responder: Responder, without owner: Owner) -> Responder {
    var node = responder
    while node.owner === owner, node !== app { node = node.next ?? app }
    return node
  }

  /// Restores a backup, and keeps everything that other owners have registered since.
  func restore(_ backup: ChainBackup, without owner: Owner) {
    hold(backup.responders, windows: backup.windows, classes: backup.classes)
    for (responder, layers) in backup.layers {
      let since = responder.layers.filter { layer in
        layer.owner !== owner && !layers.contains { $0.owner === layer.owner }
      }
      responder.setLayers(layers + since)
      responder.attached.removeAll { $0.owner === owner }
    }
    restore(backup.arrangement)
    sessions = backup.sessions
    changeAll()
  }

  /// Invalidates all cached actions and walks.
  func changeAll() {
    changeAnswers()
    changeShape()
  }
}
