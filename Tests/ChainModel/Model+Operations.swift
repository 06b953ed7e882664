// What each operation does to the model: the shape (D1, D8, D9), the registrations (D10, D14), focus and windows (F0, F2).

extension Model {
  /// Applies an operation; whether it was allowed.
  @discardableResult
  mutating func apply(_ operation: Operation) -> Bool {
    switch operation {
    case .nothing: return true
    case .add(let name, let isWindow, let next): return add(name, isWindow: isWindow, next: find(next))
    case .remove(let name): return find(name).map { remove($0) } ?? true
    case .next(let next, let name):
      guard let next = find(next), let node = find(name) else { return true }
      return setNext(next, of: node)
    case .delegate(let delegate, let name):
      guard let node = find(name) else { return true }
      guard nodes[node].isWindow || node == Model.app else { return false }
      nodes[node].delegate = find(delegate)
    case .focus(let name):
      if let node = find(name) { focus(node) }
    case .makeKey(let name):
      guard let node = find(name) else { return true }
      guard nodes[node].isWindow else { return false }
      if key != node { makeKey(node) }
    case .makeMain(let name):
      guard let node = find(name) else { return true }
      guard nodes[node].isWindow else { return false }
      main = node
    case .set(let table, let action, let place):
      if exists(place) { set(table, action, place) }
    case .setHook(let hook, let place):
      if exists(place) { edit(place) { $0.set(hook) } }
    case .native(let action, let reaction):
      handles.append((Where(owner: 0, name: "host"), .on(reaction), action))
      natives[action] = (reaction, handles.count)
    case .takeBack(let index):
      if !handles.isEmpty { takeBack(index % handles.count) }
    case .derive(let name, let className):
      guard let node = find(name), !nodes[node].derived.contains(className) else { return true }
      nodes[node].derived.insert(className, at: 0)
      nodes[node].resolved = []
    case .ancestor(let className, let name):
      guard let node = find(name) else { return true }
      nodes[node].ancestor = className
      nodes[node].resolved = []
    case .removeLayer(let owner, let name):
      guard let node = find(name), owner != 0 else { return true }
      nodes[node].layers.removeAll { $0.owner == owner }
      nodes[node].resolved = []
    case .focusAnswers(let accepts, let becomes, let resigns, let name):
      guard let node = find(name) else { return true }
      nodes[node].accepts = accepts
      nodes[node].becomes = becomes
      nodes[node].resigns = resigns
      nodes[node].resolved = []
    case .modal(let name, let isDismissable):
      guard let node = find(name) else { return true }
      return modal(node, isDismissable)
    case .close(let index):
      if !sessions.isEmpty { close(index % sessions.count) }
    case .background:
      if !sessions.isEmpty { close(0) }
    case .hostValue(let value): hostValues = value.map { [Write(key: "k", how: .set($0))] } ?? []
    }
    return true
  }

  private func exists(_ place: Where) -> Bool { place.isClass || find(place.name) != nil }

  // MARK: Shape

  private mutating func add(_ name: String, isWindow: Bool, next: Int?) -> Bool {
    guard find(name) == nil else { return false }
    nodes.append(Node(name: name, isWindow: isWindow, next: next ?? Model.app))
    let node = nodes.count - 1
    if isWindow {
      // F0: the first window made is key and main.
      if keyHistory.isEmpty { keyHistory = [node] }
      main = main ?? node
    }
    return true
  }

  /// Whoever had it as next gets its next; F2: so does a window whose first responder it was.
  private mutating func remove(_ node: Int) -> Bool {
    guard node != Model.app else { return false }
    let next = nodes[node].next
    let heir = next == Model.app ? nil : next
    // F5: a session ends with its responder.
    if let index = sessions.firstIndex(where: { $0.node == node }) { close(index) }
    forgetInSessions(node, heir: heir)
    for other in nodes.indices {
      if nodes[other].next == node { nodes[other].next = next }
      if nodes[other].delegate == node { nodes[other].delegate = nil }
      if nodes[other].first == node { nodes[other].first = heir }
    }
    if loose == node { loose = heir }
    nodes[node] = Node(name: nodes[node].name, isWindow: nodes[node].isWindow, isRemoved: true)
    handles = handles.map { $0?.where.name == name(node) ? nil : $0 }
    keyHistory.removeAll { $0 == node }
    if keyHistory.isEmpty {
      keyHistory = nodes.indices.filter { nodes[$0].isWindow && !nodes[$0].isRemoved }.prefix(1) + []
    }
    if main == node { main = key }
    return true
  }

  /// D8: a circle is refused where it would arise.
  private mutating func setNext(_ next: Int, of node: Int) -> Bool {
    guard node != Model.app else { return false }
    var further: Int? = next
    while let known = further {
      if known == node { return false }
      further = nodes[known].next
    }
    nodes[node].next = next
    return true
  }

  // MARK: Registrations

  /// Changes the tables of a place; D2: whoever has them is asked by `resolve` again.
  private mutating func edit(_ place: Where, _ body: (inout Tables) -> Void) {
    if place.isClass {
      body(&classes[place.name]!)
      for node in nodes.indices where has(node, place.name) { nodes[node].resolved = [] }
      return
    }
    let node = find(place.name)!
    if !nodes[node].layers.contains(where: { $0.owner == place.owner }) {
      nodes[node].layers.append((place.owner, Tables()))
    }
    let layer = nodes[node].layers.firstIndex { $0.owner == place.owner }!
    body(&nodes[node].layers[layer].tables)
    nodes[node].resolved = []
  }

  private func has(_ node: Int, _ className: String) -> Bool {
    var ancestor = nodes[node].ancestor
    while let known = ancestor {
      if known == className { return true }
      ancestor = ancestors[known]
    }
    return nodes[node].derived.contains(className)
  }

  mutating func set(_ table: Operation.Table, _ action: String, _ place: Where) {
    handles.append((place, table, action))
    let number = handles.count
    edit(place) { tables in
      switch table {
      case .on(let reaction): tables.on[action] = (reaction, number)
      case .can(let permit): tables.can[action] = (permit, number)
      case .needs(let keys): tables.needs[action] = (keys, number)
      }
    }
  }

  /// D10: a handle removes only its own.
  private mutating func takeBack(_ index: Int) {
    guard let handle = handles[index] else { return }
    let number = index + 1
    let action = handle.action
    if handle.where.name == "host" {
      if natives[action]?.number == number { natives[action] = nil }
      return
    }
    guard isThere(handle.where, handle.table, action, number) else { return }
    edit(handle.where) { tables in
      switch handle.table {
      case .on: tables.on[action] = nil
      case .can: tables.can[action] = nil
      case .needs: tables.needs[action] = nil
      }
    }
  }

  private func isThere(_ place: Where, _ table: Operation.Table, _ action: String, _ number: Int) -> Bool {
    var tables = classes[place.name]
    if !place.isClass { tables = nodes[find(place.name)!].layers.first { $0.owner == place.owner }?.tables }
    switch table {
    case .on: return tables?.on[action]?.number == number
    case .can: return tables?.can[action]?.number == number
    case .needs: return tables?.needs[action]?.number == number
    }
  }
}

extension Model.Tables {
  mutating func set(_ hook: Operation.Hook) {
    switch hook {
    case .provide(let provider): provide = provider
    case .resolve(let answer): resolve = answer
    case .redirect(let redirection): redirect = redirection
    case .claims(let claiming): claims = claiming
    case .unknown(let reaction): unknown = reaction
    case .worksWhenModal(let answer): worksWhenModal = answer
    }
  }
}
