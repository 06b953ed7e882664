extension ScriptHost {
  /// Presses one or several keys: performs the binding along the chain, or else picks the item that has these keys. The
  /// outcome is that of the last stroke.
  ///
  /// A stroke that begins a sequence, or a digit of a count, is `pending`; `esc` drops what is pending.
  @discardableResult
  public func press(
    _ keys: String, confirmed: Bool? = nil, asked: String? = nil, about: [String]? = nil, arguments: Arguments? = nil
  ) -> Outcome {
    do {
      let answered = Answered(confirmed: confirmed, asked: asked, about: about, arguments: arguments)
      return press(try ownKeys.read(keys), answered: answered)
    } catch {
      return Outcome(.failed, error: Failure(error))
    }
  }

  /// Presses keys that are already parsed.
  ///
  /// - Parameters:
  ///   - pending: the unfinished strokes of the user, to keep users' sequences apart; by default the host's.
  ///   - answered: the answers to questions. Their arguments override those of the binding.
  @discardableResult
  package func press(
    _ keys: KeySequence, after pending: PendingKeys? = nil, answered: Answered = Answered()
  ) -> Outcome {
    if let misuse = dispatcher.whileAskingMisuse("'\(keys.text)' can't be pressed") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    if keys.strokes.count == 1 { return strike(only: keys, pending ?? ownKeys, answered) }
    // Several strokes at once share one allowance.
    return dispatcher.allowing {
      keys.strokes.reduce(Outcome(.unhandled)) { strike(only: KeySequence($1), pending ?? ownKeys, answered) }
    }
  }

  /// Strikes one key, as the next of a sequence or by itself.
  private func strike(only stroke: KeySequence, _ keys: PendingKeys, _ answered: Answered) -> Outcome {
    let waiting = keys.endWaiting()
    if let pending = keys.begun {
      keys.begun = nil
      let stroke = stroke.strokes[0]
      if let outcome = strike(pending.followed(by: stroke), keys, answered) { return keys.ended(outcome) }
      if stroke == .escape { return keys.ended(.givenUp(pending.text)) }
      if let waiting { keys.tell(perform(waiting, of: pending, keys)) }
      keys.count = nil
      if waiting == nil { type(dropped: pending, keys) }
    } else if let count = keys.count, stroke.strokes[0] == .escape {
      return keys.ended(.givenUp("\(count)"))
    }
    // After a digit, 0 belongs to the count even if it is bound.
    let zero = keys.count != nil && stroke.strokes[0].digit == 0 ? count(by: stroke, keys) : nil
    let outcome =
      zero ?? strike(stroke, keys, answered) ?? count(by: stroke, keys) ?? type(stroke, keys, answered)
      ?? focusPane(by: stroke)
    return keys.ended(outcome ?? Outcome(.unhandled, reason: whyNothing(for: stroke)))
  }

  /// Returns why keys do nothing now: nothing is bound to them, or only under conditions that say no.
  func whyNothing(for keys: KeySequence) -> String {
    guard let binding = dispatcher.boundKeys[keys].first, !binding.isRemoval else {
      return "nothing is bound to '\(keys.text)'"
    }
    return "'\(keys.text)' does '\(masked(binding.raw))', but not now: its 'when' says no"
  }

  /// Performs the binding of keys, or waits for more of them; nil if nothing is bound to them.
  private func strike(_ keys: KeySequence, _ pending: PendingKeys, _ answered: Answered) -> Outcome? {
    let binding = binding(of: keys)
    if let binding, !binding.isRemoval {
      // A person who answers a question of the binding has waited already.
      if let wait = binding.wait, answered.isEmpty, isLonger(than: keys) {
        pending.begun = keys
        pending.wait(for: binding, Later(dispatcher) { [unowned self, unowned pending] in timeOut(pending) }, wait)
        return .begun(keys)
      }
      return perform(binding, options(keys, pending, answered))
    }
    let tree = menuTrees.snapshotTree()
    // Keys that are removed can still begin a longer sequence.
    if binding == nil, let node = tree.keys[keys] {
      let pane = menuTrees.panes.pane(of: node)
      let found = MenuTrees.Found(node: node, tree: tree, options: pending.optionsOfItem, pane: pane)
      return pick(found, keys.strokes.last?.modifiers.names ?? [], answered)
    }
    guard isLonger(than: keys) else { return nil }
    pending.begun = keys
    return .begun(keys)
  }

  /// Returns true if a longer sequence is bound that begins with these keys.
  private func isLonger(than keys: KeySequence) -> Bool {
    let bound = dispatcher.boundKeys
    if bound.has(longerThan: keys) { return true }
    if menuTrees.keys.entries.contains(where: { keys.begins($0.keys) && !bound.isTakenAway($0.keys) }) { return true }
    // A sequence with a condition counts only while its condition holds.
    return bound.conditional(longerThan: keys).contains { binding(of: $0).map { !$0.isRemoval } ?? false }
  }
}

// K12: text, counts, and keys that wait before they act alone.

extension ScriptHost {
  /// Adds a digit to the count if a responder counts; nil for any other stroke.
  private func count(by stroke: KeySequence, _ pending: PendingKeys) -> Outcome? {
    guard let digit = stroke.strokes[0].digit, dispatcher.boundKeys.counts(besides: binding(of: .text)) else {
      return nil
    }
    let count = min((pending.count ?? 0) * 10 + digit, PendingKeys.mostCounted)
    pending.count = count
    return Outcome(.pending, reason: "'\(count)' is a count for the next key")
  }

  /// Performs the action for typed text; nil if the stroke types nothing, or nothing is bound to text.
  private func type(_ stroke: KeySequence, _ pending: PendingKeys, _ answered: Answered) -> Outcome? {
    typing(stroke).map { perform($0, options(stroke, pending, answered, typed: stroke.strokes[0].typed)) }
  }

  /// Types the strokes of a sequence that was begun and isn't bound, if all of them are text.
  private func type(dropped keys: KeySequence, _ pending: PendingKeys) {
    let strokes = keys.strokes.map { KeySequence($0) }
    guard strokes.allSatisfy({ typing($0) != nil }) else { return }
    for stroke in strokes { pending.tell(type(stroke, pending, Answered()).map { (stroke, $0) }) }
  }

  /// Returns the binding for typed text, if a stroke types something. Nothing else may be bound to the stroke.
  func typing(_ keys: KeySequence) -> KeyBinding? {
    guard keys.strokes.count == 1, keys.strokes[0].typed != nil else { return nil }
    return binding(of: .text).flatMap { $0.isRemoval ? nil : $0 }
  }

  /// Lets time pass until waiting keys act alone. Returns the outcome; nil if none wait.
  package func letKeysActAlone() -> Outcome? {
    guard let deadline = ownKeys.deadline else { return nil }
    var acted: Outcome?
    ownKeys.onActedAlone = { acted = $1 }
    defer { ownKeys.onActedAlone = nil }
    dispatcher.drive(until: deadline)
    return acted
  }

  /// Performs a binding whose keys have waited long enough for the rest of a sequence.
  private func timeOut(_ pending: PendingKeys) {
    guard let waiting = pending.endWaiting(), let keys = pending.begun else { return }
    pending.begun = nil
    pending.tell(perform(waiting, of: keys, pending))
    pending.count = nil
  }

  /// Performs a binding that has waited; nil if its keys are bound to another action by now.
  private func perform(_ waiting: KeyBinding, of keys: KeySequence, _ pending: PendingKeys) -> (KeySequence, Outcome)? {
    guard binding(of: keys) === waiting else { return nil }
    return (keys, perform(waiting, options(keys, pending, Answered())))
  }

  /// Returns the options of a press: the modifiers of the last stroke, the count before it, and the typed text.
  private func options(
    _ keys: KeySequence, _ pending: PendingKeys, _ answered: Answered, typed: String? = nil
  ) -> PerformOptions {
    let modifiers = keys.strokes.last?.modifiers.names ?? []
    if modifiers.isEmpty, answered.isEmpty, pending.count == nil, typed == nil { return struck }
    return PerformOptions(
      asking: answered, modifiers: modifiers, pending.options(Arguments(typed.map { [("text", .text($0))] } ?? [])))
  }
}

extension ScriptHost {
  /// Gives the focus to the pane of an otherwise free key; nil if no pane has the key.
  private func focusPane(by keys: KeySequence) -> Outcome? {
    menuTrees.panes.all.first { $0.element.keys == keys }.map(focus)
  }

  /// Returns the effective binding of keys: the nearest whose condition holds. A removal of keys has no references.
  func binding(of keys: KeySequence) -> KeyBinding? {
    for binding in dispatcher.boundKeys[keys] {
      guard let condition = binding.condition else { return binding }
      if binding.owner.whySetAside == nil, holds(condition) { return binding }
    }
    return nil
  }

  private func holds(_ condition: KeyCondition) -> Bool {
    dispatcher.allowing {
      let context = dispatcher.context(of: dispatcher.defaultWalk(), witness: nil)
      defer { context.end() }
      return dispatcher.holds(condition, in: context)
    }
  }

  /// Performs the first action of a binding that can be done now. If none can, the outcome explains the first.
  private func perform(_ binding: KeyBinding, _ given: PerformOptions) -> Outcome {
    var options = given
    if binding.isExact { options.isExact = true }
    if binding.isWhole {
      let title = binding.title ?? binding.all.map(\.raw).joined(separator: ", ")
      return dispatcher.perform(all: binding.all.map(\.raw), titled: masked(title), options)
    }
    let (raw, obstacle) = first(of: binding, options)
    if let obstacle { return Outcome(.disabled, by: obstacle.by, reason: obstacle.reason) }
    return perform(raw, options)
  }

  /// Returns the first action of a binding that can be done now. If none can, returns the very first with its
  /// validation (K6).
  func first(of binding: KeyBinding, _ options: PerformOptions) -> (raw: String, obstacle: Validation?) {
    if binding.all.count == 1 || binding.isWhole { return (binding.raw, nil) }
    var first: Validation?
    for (reference, raw) in binding.all {
      let validation = dispatcher.validate(reference, raw: raw, options)
      if validation.isEnabled { return (raw, nil) }
      if first == nil { first = validation }
    }
    return (binding.raw, first)
  }
}

extension Outcome {
  /// Returns the outcome of strokes that begin a sequence.
  fileprivate static func begun(_ keys: KeySequence) -> Outcome {
    Outcome(.pending, reason: "'\(keys.text)' waits for the rest of a sequence")
  }

  /// Returns the outcome of `esc` after something was begun.
  fileprivate static func givenUp(_ text: String) -> Outcome {
    Outcome(.cancelled, reason: "'\(text)' was begun and then dropped")
  }
}

extension Failure {
  /// Wraps the error for keys that can't be parsed.
  init(_ error: KeyError) {
    self.init(.keys, error.message)
    place = Place(file: "keys", line: 1, column: error.column)
    text = error.excerpt.line
  }
}
