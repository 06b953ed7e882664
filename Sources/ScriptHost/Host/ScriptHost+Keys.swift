extension ScriptHost {
  /// Presses keys, one stroke or several: performs what they are bound to along the chain, or else picks the item that has these keys. The
  /// outcome is that of the last stroke.
  ///
  /// A stroke that begins a sequence is `pending`; `esc` gives up what is pending.
  @discardableResult
  public func press(
    _ keys: String, confirmed: Bool? = nil, asked: String? = nil, arguments: Arguments = Arguments()
  ) -> Outcome {
    do {
      let answered = Answered(confirmed: confirmed, asked: asked, arguments: arguments)
      return press(try ownKeys.read(keys), answered: answered)
    } catch {
      return Outcome(.failed, error: Failure(error))
    }
  }

  /// Presses keys that were read before.
  ///
  /// - Parameters:
  ///   - pending: the strokes begun by whoever presses, so that of several nobody completes another's sequence; the host's own if left out.
  ///   - answered: the answers to what is asked, whose arguments are put over those of what is performed.
  @discardableResult
  package func press(
    _ keys: KeySequence, after pending: PendingKeys? = nil, answered: Answered = Answered()
  ) -> Outcome {
    if let misuse = dispatcher.whileAskingMisuse("'\(keys.text)' can't be pressed") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    if keys.strokes.count == 1 { return strike(only: keys, pending ?? ownKeys, answered) }
    // What is pressed at once has one allowance, however many strokes there are.
    return dispatcher.allowing {
      keys.strokes.reduce(Outcome(.unhandled)) { strike(only: KeySequence($1), pending ?? ownKeys, answered) }
    }
  }

  /// Strikes one key, as the next of a sequence or by itself.
  private func strike(only stroke: KeySequence, _ keys: PendingKeys, _ answered: Answered) -> Outcome {
    if let pending = keys.begun {
      keys.begun = nil
      let stroke = stroke.strokes[0]
      if let outcome = strike(pending.followed(by: stroke), keys, answered) { return outcome }
      if stroke == .escape { return Outcome(.cancelled, reason: "'\(pending.text)' was begun, and is given up") }
    }
    return strike(stroke, keys, answered)
      ?? Outcome(.unhandled, reason: "nothing is bound to '\(stroke.text)'")
  }

  /// Does what keys are bound to, or waits for more of them; nil where they are bound to nothing.
  private func strike(_ keys: KeySequence, _ pending: PendingKeys, _ answered: Answered) -> Outcome? {
    let bound = dispatcher.boundKeys
    if let binding = bound[keys] {
      let modifiers = keys.strokes.last?.modifiers.names ?? []
      if modifiers.isEmpty, answered.isEmpty { return perform(binding, struck) }
      return perform(binding, PerformOptions(asking: answered, modifiers: modifiers))
    }
    let tree = menuTrees.snapshotTree()
    if let node = tree.keys[keys] {
      return pick(
        MenuTrees.Found(node: node, tree: tree, options: PerformOptions()),
        keys.strokes.last?.modifiers.names ?? [], answered)
    }
    guard bound.has(longerThan: keys) || tree.keys.entries.contains(where: { keys.begins($0.keys) }) else {
      return nil
    }
    pending.begun = keys
    return Outcome(.pending, reason: "'\(keys.text)' waits for the rest of a sequence")
  }
}

extension ScriptHost {
  /// Performs the first action of a binding that can be done now; if none can, the outcome says why the first can't.
  private func perform(_ binding: KeyBinding, _ options: PerformOptions) -> Outcome {
    let (raw, obstacle) = first(of: binding, options)
    if let obstacle { return Outcome(.disabled, by: obstacle.by, reason: obstacle.reason) }
    return perform(raw, options)
  }

  /// The first action of a binding that can be done now. If none can, its very first with the validation that says why (K6).
  func first(of binding: KeyBinding, _ options: PerformOptions) -> (raw: String, obstacle: Validation?) {
    if binding.others.isEmpty { return (binding.raw, nil) }
    var first: Validation?
    for (reference, raw) in binding.all {
      let validation = dispatcher.validate(reference, raw: raw, options)
      if validation.isEnabled { return (raw, nil) }
      if first == nil { first = validation }
    }
    return (binding.raw, first)
  }
}

extension Failure {
  /// Keys that can't be read.
  init(_ error: KeyError) {
    self.init(.keys, error.message)
    place = Place(file: "keys", line: 1, column: error.column)
    text = error.excerpt.line
  }
}
