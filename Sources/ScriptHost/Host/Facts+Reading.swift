// Initializers for clients of the live protocol, which make these values from decoded JSON.

extension MenuElement {
  /// An empty tree.
  package static var nothing: MenuElement { MenuElement(nothingOf: "root") }

  /// The root of a tree with these children.
  package init(rootOf children: [MenuElement], panel: [MenuElement] = []) {
    self.init(nothingOf: "root")
    self.children = children
    if !panel.isEmpty { extras = Extras(look: Look(), alternates: [], panel: MenuElement(panelOf: panel)) }
  }

  /// A panel with these rows.
  package init(panelOf rows: [MenuElement]) {
    self = .emptyPanel
    children = rows
  }
}

extension Explanation {
  package init(enabled: Bool, by: String?, reason: String?, toldSteps: [Step], toldKeys: [Key]) {
    self.init(isEnabled: enabled, by: by, reason: reason, steps: toldSteps, keys: toldKeys)
  }
}

extension Explanation.Key {
  package init(told key: String, by: String?, candidates: [String]) {
    self.init(key: key, by: by, candidates: candidates)
  }
}

extension Trace.Step {
  package init(told node: String, asked: String, answer: String, place: Place?) {
    self.init(node: node, asked: asked, answer: answer, place: place)
  }
}

extension ChainLink {
  package init(told name: String, owner: String, answer: String?) {
    self.init(name: name, owner: owner, answer: answer)
  }
}

extension KeyEntry {
  package init(
    told keys: String, reference: String, others: [String], by: String, isItem: Bool, isReached: Bool, conflict: String?
  ) {
    self.init(
      keys: keys, reference: reference, others: others, by: by, isItem: isItem, place: nil, isReached: isReached,
      conflict: conflict)
  }
}

extension Validation {
  package init(
    told isEnabled: Bool, reason: String?, by: String?, look: Look, asks: Outcome.Question?, misfit: Misfit?,
    elsewhere: String?
  ) {
    self.init(enabled: isEnabled, reason: reason, by: by, look: look)
    self.asks = asks
    self.misfit = misfit
    self.elsewhere = elsewhere
  }
}

extension ActionEntry {
  package init(told name: String, title: String?, enabled: Bool) {
    self.init(name: name, title: title ?? name, isEnabled: enabled)
  }
}

extension LuaTree.Entry {
  package init(told key: LuaTree, _ value: LuaTree) { self.init(key: key, value: value) }
}

extension LogEntry {
  package init(told level: LogLevel, _ text: String, owner: String, place: Place?) {
    self.init(level: level, text: text, owner: owner, place: place)
  }
}

extension Job.Progress {
  package init(told fraction: Double, text: String?) { self.init(fraction: fraction, text: text) }
}
