/// *Holdings* are the responders, classes, layers on others' responders, and focus of one owner in a chain.
struct Holdings {
  let owner: Owner
  /// In the order in which they were made.
  let responders: [Responder]
  fileprivate let classes: [ClassDefinition]
  /// Its responders that are attached before others.
  fileprivate let attachments: [(responder: Responder, before: Responder)]
  fileprivate let layers: [(responder: Responder, layer: Behaviour)]
  /// The class that it gave to the app.
  fileprivate let ancestor: ClassDefinition?
  fileprivate let derived: [ClassDefinition]
  fileprivate let delegate: Responder?
  fileprivate let focus: FocusNames
}

extension Owner {
  /// Throws if the owner is leaving or set aside, so that it can't add anything.
  func checkIsThere() throws(Misuse) {
    if let whyInactive { throw Misuse(.notNow, whyInactive) }
  }

  /// The reason why the owner's code doesn't run any more; nil while it does.
  var whyInactive: String? { isLeaving ? gone.message : whySetAside }

  /// The error for a script or a client that is gone.
  var gone: Misuse { Misuse(.notNow, isClient ? "'\(name)' is gone" : "the script of '\(name)' is gone") }
}

extension Chain {
  /// Returns the present holdings of an owner.
  func holdings(of owner: Owner) -> Holdings {
    let own = responders.values.filter { $0.owner === owner && $0 !== app }.sorted { $0.number < $1.number }
    return Holdings(
      owner: owner, responders: own,
      classes: classes.filter { $0.owner === owner },
      attachments: own.compactMap { responder in responder.before.map { (responder, $0) } },
      layers: responders.values.filter { $0.owner !== owner }.flatMap { responder in
        responder.layers.filter { $0.owner === owner }.map { (responder, $0) }
      },
      ancestor: app.ancestor.flatMap { $0.owner === owner ? $0 : nil },
      derived: app.derived.filter { $0.owner === owner },
      delegate: app.delegate.flatMap { $0.owner === owner ? $0 : nil },
      focus: focusNames)
  }

  /// Throws if another owner has one of the names by now, so that the holdings can't be added.
  func checkRoom(for holdings: Holdings, insteadOf owner: Owner) throws(Misuse) {
    for responder in holdings.responders {
      guard let taken = find(responder.name), taken.owner !== owner else { continue }
      throw taken.hasName
    }
  }

  /// Adds holdings that were made while the chain was arranged otherwise.
  func take(_ holdings: Holdings) {
    var all = responders
    for responder in holdings.responders { all[ByteText(responder.name)] = responder }
    let windows = windows + holdings.responders.filter { $0.kind == .window }
    hold(all, windows: windows.sorted { $0.owner.number < $1.owner.number }, classes: classes + holdings.classes)
    for (responder, before) in holdings.attachments {
      before.attached.removeAll { $0 === responder }
      responder.before = nil
      if holds(before) { try? attach(responder, before: before) }
    }
    for responder in holdings.responders {
      responder.next = responder.next.map(present) ?? app
      responder.delegate = responder.delegate.flatMap { holds($0) ? $0 : nil }
      responder.first = responder.first.flatMap { holds($0) ? $0 : nil }
      responder.restack()
    }
    for (responder, layer) in holdings.layers where holds(responder) {
      responder.setLayers(responder.layers + [layer])
    }
    if holdings.ancestor != nil || !holdings.derived.isEmpty {
      app.setClasses(ancestor: holdings.ancestor ?? app.ancestor, derived: holdings.derived + app.derived)
    }
    if let delegate = holdings.delegate { app.delegate = delegate }
    changeAll()
    restore(holdings.focus)
  }

  /// Returns a responder, or the first responder along `next` that is still in the chain.
  private func present(_ responder: Responder) -> Responder {
    var node = responder
    while !holds(node) { node = node.next ?? app }
    return node
  }
}

// MARK: By name

/// The names of the key, main, first and focused responders, to restore the focus to new responders of these names.
struct FocusNames {
  fileprivate let keyHistory: [String]
  fileprivate let main: String?
  fileprivate let loose: String?
  fileprivate let firsts: [(window: String, first: String)]
}

/// The names of responders about to be removed that others link to.
struct LinkNames {
  /// For each responder, the names of its next and of those after it of the same owner. The first that exists again
  /// counts.
  fileprivate var nexts: [(responder: Responder, names: [String])] = []
  fileprivate var delegates: [(window: Responder, name: String)] = []
  fileprivate var attachments: [(responder: Responder, name: String)] = []
}

extension Chain {
  var focusNames: FocusNames {
    FocusNames(
      keyHistory: keyHistory.map(\.name), main: main?.name, loose: loose?.name,
      firsts: windows.compactMap { window in window.first.map { (window.name, $0.name) } })
  }

  /// Restores a focus by names. If a name is missing, that part of the focus stays as it is.
  func restore(_ names: FocusNames) {
    for (window, first) in names.firsts {
      guard let window = find(window), window.kind == .window, let first = find(first),
        self.window(of: first) === window
      else { continue }
      window.first = first === window ? nil : first
    }
    let known = names.keyHistory.compactMap(find).filter { $0.kind == .window }
    let others = keyHistory.filter { window in !known.contains { $0 === window } }
    let loose = names.loose == nil ? (known.isEmpty ? loose : nil) : names.loose.flatMap(find) ?? loose
    let main = names.main.flatMap(find).flatMap { $0.kind == .window ? $0 : nil } ?? main ?? windows.first
    restore(Arrangement.Focus(keyHistory: others + known, main: main, loose: loose))
    changeShape()
  }

  /// Returns the links of other owners' responders to those of an owner that is about to be removed.
  func links(to owner: Owner) -> LinkNames {
    var links = LinkNames()
    for responder in responders.values.sorted(by: { $0.number < $1.number }) where responder.owner !== owner {
      if let before = responder.before, before.owner === owner {
        links.attachments.append((responder, before.name))
      } else if let next = responder.next, next.owner === owner {
        links.nexts.append((responder, ownNames(from: next)))
      }
      if let delegate = responder.delegate, delegate.owner === owner {
        links.delegates.append((responder, delegate.name))
      }
    }
    return links
  }

  /// Returns the names of a responder and of those after it, while they have the same owner.
  private func ownNames(from start: Responder) -> [String] {
    var names: [String] = []
    var node: Responder? = start
    while let known = node, known.owner === start.owner {
      names.append(known.name)
      node = known.next
    }
    return names
  }

  /// Links responders to the new responders of the saved names. Returns the errors of links that can't be made.
  func restore(_ links: LinkNames) -> [Misuse] {
    var misuses: [Misuse] = []
    for (responder, names) in links.nexts where holds(responder) {
      guard let next = names.lazy.compactMap(find).first else { continue }
      do throws(Misuse) { try setNext(next, of: responder) } catch { misuses.append(error) }
    }
    for (responder, name) in links.attachments {
      responder.lostBefore = name
      if find(name) == nil {
        let sentence =
          "'\(responder.name)' of '\(responder.owner.name)' is out of the chain: '\(name)', which came after it, is gone"
        misuses.append(Misuse(.unknownName, sentence))
      }
    }
    for responder in responders.values.sorted(by: { $0.number < $1.number }) {
      guard let before = responder.lostBefore.flatMap(find) else { continue }
      do throws(Misuse) { try attach(responder, before: before) } catch { misuses.append(error) }
    }
    for (window, name) in links.delegates where holds(window) && window.delegate == nil {
      if let delegate = find(name) { window.delegate = delegate }
    }
    changeShape()
    return misuses
  }
}
