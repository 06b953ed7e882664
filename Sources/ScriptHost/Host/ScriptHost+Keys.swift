extension ScriptHost {
  /// Presses keys, one stroke or several, and performs what they are bound to along the chain, else picks the item whose keys they are; the outcome is the last one's.
  ///
  /// A stroke that begins a sequence is `pending`; `esc` gives up what is pending.
  @discardableResult
  public func press(_ keys: String) -> Outcome {
    do {
      return press(try KeySequence.parse(keys))
    } catch {
      return Outcome(.failed, error: Failure(error, in: keys))
    }
  }

  /// Presses keys that were read before.
  @discardableResult
  public func press(_ keys: KeySequence) -> Outcome {
    if let misuse = dispatcher.whileAskingMisuse("'\(keys.text)' can't be pressed") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    var outcome = Outcome(.unhandled)
    for stroke in keys.strokes { outcome = strike(stroke) }
    return outcome
  }

  /// One stroke: what goes on with a sequence, else by itself.
  private func strike(_ stroke: Stroke) -> Outcome {
    if let pending = pendingKeys {
      pendingKeys = nil
      if stroke == .escape { return Outcome(.cancelled, reason: "'\(pending.text)' was begun, and is given up") }
      if let outcome = strike(pending.followed(by: stroke)) { return outcome }
    }
    return strike(KeySequence(stroke)) ?? Outcome(.unhandled, reason: "nothing is bound to '\(stroke.text)'")
  }

  /// Does what keys are bound to, or waits for more of them; nil where they are bound to nothing.
  private func strike(_ keys: KeySequence) -> Outcome? {
    if let (_, binding) = dispatcher.binding(of: keys) {
      var options = PerformOptions()
      options.modifiers = keys.strokes.last?.modifiers.names ?? []
      return perform(binding.raw, options)
    }
    let items = menuTrees.keys()
    if let node = items[keys] {
      return pick(
        MenuTrees.Found(node: node, tree: items.tree, options: PerformOptions()),
        keys.strokes.last?.modifiers.names ?? [], nil)
    }
    guard dispatcher.binds(longerThan: keys) || items.entries.contains(where: { keys.begins($0.keys) }) else {
      return nil
    }
    pendingKeys = keys
    return Outcome(.pending, reason: "'\(keys.text)' waits for the rest of a sequence")
  }
}

extension Failure {
  /// Keys that can't be read.
  init(_ error: KeyError, in keys: String) {
    self.init(.keys, error.message)
    place = Place(file: "keys", line: 1, column: error.column)
    text = error.excerpt.line
  }
}
