extension Dispatcher {
  /// Performs the action that a text refers to. There is always exactly one outcome.
  @inline(__always)
  func perform(_ text: String, _ options: PerformOptions = PerformOptions()) -> Outcome {
    guard state.value.mayRunPlans, options.isFromFocus, !state.value.isToldSecrets, let plan = plan(of: text),
      beginAction(plan.id)
    else { return performAny(text, options) }
    defer { endAction() }
    return run(plan, options)
  }

  /// Runs a plan while nobody watches but observers.
  @inline(__always)
  private func run(_ plan: Plan, _ options: PerformOptions) -> Outcome {
    let outcome = plan.perform(self, options, state.value.isWatched ? Watching(observers, chain) : Watching())
    if hasRecorded, outcome.status != .running { return settled(outcome, options.title ?? plan.candidate.action) }
    return outcome
  }

  /// Performs a text for which no plan can run at once: it is new, not asked from the focus, or watched.
  @inline(never)
  private func performAny(_ text: String, _ options: PerformOptions) -> Outcome {
    do {
      let index = try references.index(of: text)
      let known = index.flatMap { references[$0] }
      let reference = if let known { known } else { try Reference.parse(text) }
      return perform(reference, raw: text, index: index, options)
    } catch {
      var failure = Failure(error)
      if chain.hasSecrets { failure.text = failure.text.map(Self.maskedUnreadable) }
      return Outcome(.failed, error: failure)
    }
  }

  private func perform(_ reference: Reference, raw: String, index: Int?, _ options: PerformOptions) -> Outcome {
    if let misuse = stranger(options) ?? whileAskingMisuse("'\(reference.id)' can't be performed") {
      return Outcome(.failed, error: Failure(.misuse, misuse.message))
    }
    if state.value.isWatched {
      deliverWaitingURLs()
      tellSecrets(of: reference, options.arguments)
    }
    guard beginAction(reference.id) else { return nestedTooDeep(reference.id) }
    defer { endAction() }  // whatever comes of it
    if state.value.mayRunPlans, let plan = index.flatMap(walk(options).resolutions.entry).flatMap(plan) {
      return run(plan, options)
    }
    return perform(reference, begun: raw, index: index, options)
  }

  /// Performs a reference whose action `beginAction` has begun.
  private func perform(_ reference: Reference, begun raw: String, index: Int?, _ options: PerformOptions) -> Outcome {
    engine?.beginPerform()
    let trace = beginTrace(tracing.deliver == nil ? raw : masked(raw, reference), options)
    let walk = walk(options)
    let entry = index.flatMap(walk.resolutions.entry)
    var outcome: Outcome
    var settling: Perform?
    if let plan = entry.flatMap(plan), mayRun(plan, trace, options) {
      let perform = Perform(plan, options, self, Watching(observers, chain, trace))
      outcome = perform.run(plan)
      settling = perform
    } else if trace == nil, let stuck = entry?.pointee.stuck, entry?.pointee.tables == chain.tables {
      outcome = perform(asking: stuck, after: [], options)
    } else {
      let witness = trace?.witness
      // Cached for the next perform, which may have a plan.
      if trace != nil { _ = resolution(reference, raw: raw, index: index, on: walk) }
      let candidates = Candidates(reference, raw: raw, index: index, on: walk, dispatcher: self, witness: witness)
      let perform = Perform(candidates, options, self, observers: observers)
      perform.witness = witness
      perform.trace = trace
      outcome = perform.run()
      settling = perform
    }
    engine?.endAllowance()
    // An observer that was told after the allowance had ended may have registered something.
    if hasRecorded, outcome.status != .running {
      outcome = settled(outcome, settling?.title ?? options.title ?? reference.name)
    }
    if let trace { leave(trace, outcome) }
    return outcome
  }

  /// Whether a plan may run although somebody traces or a modal session is open.
  private func mayRun(_ plan: Plan, _ trace: Trace?, _ options: PerformOptions) -> Bool {
    // The hooks decide which responder the session would block.
    if state.value.isModal, plan.asks { return false }
    guard let trace else { return true }
    guard state.value.isOnlyTraced, options.isPlain, plan.fits(options), let outline = plan.outline(self) else {
      return false
    }
    trace.quick = QuickNotes(outline)
    return true
  }

  /// Settles what a perform registered, if it has ended.
  func settled(_ outcome: Outcome, _ perform: Perform) -> Outcome {
    hasRecorded && outcome.status != .running ? settled(outcome, perform.title) : outcome
  }

  private func nestedTooDeep(_ action: String) -> Outcome {
    let actions = waitingActions + performing + [action]
    let sentence = "performs are nested more than \(Self.nestingLimit) deep"
    return Outcome(.failed, error: Failure(.nesting, "\(sentence): \(Self.described(actions))"))
  }

  /// The actions that perform each other: the circle if there is one, else all.
  private static func described(_ actions: [String]) -> String {
    let length = (1...actions.count / 3).first { length in
      actions.suffix(3 * length).enumerated().allSatisfy { index, action in
        action.hasSameBytes(as: actions[actions.count - 3 * length + index % length])
      }
    }
    guard let length else { return actions.joined(separator: " → ") }
    let circle = actions.suffix(length)
    let shown = (circle.prefix(8) + (length > 8 ? ["…"] : []) + circle.prefix(1)).joined(separator: " → ")
    if length > 1 { return "\(shown); they perform each other without an end" }
    return "\(shown); 'ctx:forward()' performs what the next responder has for it, 'ctx:super()' what the class has"
  }
}

extension Failure {
  /// A reference that can't be read.
  init(_ error: ReferenceError) {
    self.init(.reference, error.message)
    place = Place(file: "reference", line: 1, column: error.column)
    text = error.excerpt.line
  }
}
