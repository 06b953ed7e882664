// Registrations in tables. A change takes effect with the next perform.

extension Chain {
  /// Puts a handler into a table, or removes it. Returns the number of the entry.
  @discardableResult
  func set(
    _ table: Behaviour.Table, _ action: String, _ handler: Handler?, in behaviour: Behaviour, of responder: Responder?
  ) -> Int {
    set(table, intern(action), handler, in: behaviour, of: responder)
  }

  @discardableResult
  func set(
    _ table: Behaviour.Table, _ name: Name, _ handler: Handler?, in behaviour: Behaviour, of responder: Responder?
  ) -> Int {
    let number = newEntryNumber()
    // A handler that replaces another leaves the candidates as they are.
    if behaviour.set(table, name, handler, number: number) { changeAnswers() }
    askAgain(responder, behaviour)
    if table == .build { changeShape() }
    return number
  }

  /// Returns the handle that removes an entry.
  func registration(
    of number: Int, _ table: Behaviour.Table, _ action: String, in behaviour: Behaviour, of responder: Responder?
  ) -> Registration {
    let name = intern(action)
    return Registration { [life, weak behaviour, responder = responder?.name] in
      guard let chain = life.object, let behaviour, behaviour.entry(table, name)?.number == number else { return }
      _ = behaviour.set(table, name, nil, number: 0)
      chain.changeAnswers()
      chain.askAgain(responder.flatMap(chain.find), behaviour)
      if table == .build { chain.changeShape() }
    }
  }

  /// A table of values, not functions, that are declared for actions.
  typealias Sayings<Content> = ReferenceWritableKeyPath<Behaviour, [Name: Entry<Content>]>

  @discardableResult
  func set<Content>(
    _ table: Sayings<Content>, _ action: String, _ content: Content?, in behaviour: Behaviour, of responder: Responder?
  ) -> Int {
    let name = intern(action)
    let number = newEntryNumber()
    behaviour[keyPath: table][name] = content.map { Entry(content: $0, number: number) }
    // A cast of a type that doesn't conform would search all conformances of the program, so the type is compared
    // first.
    if Content.self == Takes.self, let takes = content as? Takes, takes.hasSecrets { hasSecrets = true }
    changeAnswers()
    askAgain(responder, behaviour)
    return number
  }

  func registration<Content>(
    of number: Int, _ table: Sayings<Content>, _ action: String, in behaviour: Behaviour, of responder: Responder?
  ) -> Registration {
    let name = intern(action)
    return Registration { [life, weak behaviour, responder = responder?.name] in
      guard let chain = life.object, let behaviour, behaviour[keyPath: table][name]?.number == number else { return }
      behaviour[keyPath: table][name] = nil
      chain.changeAnswers()
      chain.askAgain(responder.flatMap(chain.find), behaviour)
    }
  }

  private func askAgain(_ responder: Responder?, _ behaviour: Behaviour) {
    guard let responder else {
      // This table belongs to a class: the `resolve` of all its responders may find a handler now.
      for other in responders.values where other.has(behaviour) { askAgain(other) }
      return
    }
    askAgain(responder)
  }

  /// Forgets the actions that `resolve` was called for, so that the host calls it again.
  private func askAgain(_ responder: Responder) {
    guard !responder.resolved.isEmpty else { return }
    responder.resolved = []
    changeShape()
  }

  /// Notes that a hook changed. The host makes all walks again, because walks contain hooks.
  func hooksChanged(of responder: Responder?, in behaviour: Behaviour) {
    responder?.resolved = []
    // A class's hook is a hook of all its responders.
    if responder == nil { for other in responders.values where other.has(behaviour) { other.resolved = [] } }
    changeShape()
  }
}

// A reload keeps the layers that plugins added to a script's responders. Its new responders of the same names get them.

extension Chain {
  /// Moves other owners' layers from removed responders to the new responders of the same names. Other layers wait.
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

// Attaching: each walk that reaches a responder tries its attached responders first.

extension Chain {
  /// Attaches a responder before another, which becomes its next. Of several, the last loaded comes first.
  func attach(_ responder: Responder, before other: Responder) throws(Misuse) {
    if responder.kind != .responder {
      throw Misuse(
        .wrongType, "'before' needs a responder, and '\(responder.name)' is a \(responder.kindWord)")
    }
    let known = responder.before
    detach(responder)
    do throws(Misuse) {
      try setNext(other, of: responder)
    } catch {
      if let known { insert(responder, before: known) }
      throw error
    }
    insert(responder, before: other)
    changeShape()
  }

  private func insert(_ responder: Responder, before other: Responder) {
    responder.before = other
    responder.lostBefore = nil
    let position = other.attached.firstIndex { $0.owner.number <= responder.owner.number }
    other.attached.insert(responder, at: position ?? other.attached.count)
  }

  /// Detaches a responder, so that walks try it only at its own place. Its `next` stays.
  func detach(_ responder: Responder) {
    responder.lostBefore = nil
    guard let known = responder.before else { return }
    known.attached.removeAll { $0 === responder }
    responder.before = nil
    changeShape()
  }
}

/// An *arrangement* holds the links between responders, to undo the changes of a script that fails to load.
struct Arrangement {
  fileprivate struct Position {
    let responder: Responder
    let next: Responder?
    let delegate: Responder?
    let first: Responder?
    let ancestor: ClassDefinition?
    let derived: [ClassDefinition]
  }

  fileprivate let positions: [Position]
  fileprivate let focus: Focus

  /// The key windows, the main window, and the focused responder outside of windows.
  struct Focus {
    let keyHistory: [Responder]
    let main: Responder?
    let loose: Responder?
  }
}

extension Chain {
  /// The present arrangement.
  var arrangement: Arrangement {
    Arrangement(
      positions: responders.values.map {
        Arrangement.Position(
          responder: $0, next: $0.next, delegate: $0.delegate, first: $0.first, ancestor: $0.ancestor,
          derived: $0.derived)
      }, focus: focusState)
  }

  /// Restores an arrangement. The responder after a removed responder replaces it.
  func restore(_ arrangement: Arrangement) {
    let heirs = heirs(in: arrangement)
    // The focus of a removed responder doesn't go to the app.
    let present: (Responder) -> Responder? = { known in
      known.isRemoved ? heirs[known.number].flatMap { $0.kind == .app ? nil : $0 } : known
    }
    for position in arrangement.positions where !position.responder.isRemoved {
      let responder = position.responder
      responder.next = position.next.map { present($0) ?? app }
      responder.delegate = position.delegate.flatMap { $0.isRemoved ? nil : $0 }
      responder.first = position.first.flatMap(present)
      responder.setClasses(ancestor: position.ancestor, derived: position.derived)
    }
    let focus = arrangement.focus
    let keyHistory = focus.keyHistory.filter { !$0.isRemoved }
    restore(
      Arrangement.Focus(
        keyHistory: keyHistory, main: focus.main.flatMap { $0.isRemoved ? keyHistory.last ?? windows.first : $0 },
        loose: focus.loose.flatMap(present)))
    changeShape()
  }

  /// Returns, for each responder removed since, the next responder after it that is still there.
  private func heirs(in arrangement: Arrangement) -> [Int: Responder] {
    let removed = arrangement.positions.filter(\.responder.isRemoved)
    let nexts = Dictionary(uniqueKeysWithValues: removed.map { ($0.responder.number, $0.next ?? app) })
    var heirs: [Int: Responder] = [:]
    for position in removed {
      var way: [Int] = []
      var node = position.responder
      while heirs[node.number] == nil, let next = nexts[node.number] {
        way.append(node.number)
        node = next
      }
      for number in way { heirs[number] = heirs[node.number] ?? node }
    }
    return heirs
  }
}

// The key bindings of a responder.

extension Chain {
  /// Binds keys, or removes the binding. Returns the number of the entry.
  func set(_ keys: KeySequence, _ binding: KeyBinding?, in behaviour: Behaviour) -> Int {
    let number = newEntryNumber()
    behaviour.set(keys, binding.map { Entry(content: $0, number: number) })
    keyChanges += 1
    return number
  }

  /// Returns the handle that removes a binding.
  func registration(of number: Int, _ keys: KeySequence, in behaviour: Behaviour) -> Registration {
    Registration { [life, weak behaviour] in
      guard let behaviour, behaviour.keys[keys]?.number == number else { return }
      behaviour.set(keys, nil)
      life.object?.keyChanges += 1
    }
  }
}

extension Responder {
  /// Returns the bindings of keys, that of the last loaded owner first.
  func allBindings(of keys: KeySequence) -> [KeyBinding] {
    stack.compactMap { $0.keys.isEmpty ? nil : $0.keys[keys]?.content }
  }

  /// The effective bindings, each sequence once, in the order of their spelling.
  var bindings: [(keys: KeySequence, binding: KeyBinding)] { allBindings.map { ($0, $1[0]) } }

  /// All bindings, each sequence once, in the order of their spelling. The last loaded owner's binding comes first.
  var allBindings: [(keys: KeySequence, bindings: [KeyBinding])] {
    var known: [KeySequence: [KeyBinding]] = [:]
    for behaviour in stack {
      for (keys, entry) in behaviour.keys where !(known[keys]?.contains { $0.owner === entry.content.owner } ?? false) {
        known[keys, default: []].append(entry.content)
      }
    }
    return known.map { ($0.key, $0.value) }.sorted { $0.keys.text.precedesByBytes($1.keys.text) }
  }
}

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
