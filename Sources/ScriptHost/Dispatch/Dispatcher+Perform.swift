extension Dispatcher {
  /// Performs the action that a text refers to. There is always exactly one outcome.
  func perform(_ text: String, _ options: PerformOptions = PerformOptions()) -> Outcome {
    do {
      let index = try references.index(of: text)
      guard let reference = try index.flatMap({ references[$0] }) ?? Reference.parse(text) as Reference? else {
        return Outcome(.unhandled)
      }
      return perform(reference, raw: text, index: index, options)
    } catch let error as ReferenceError {
      return Outcome(.failed, error: Failure(error))
    } catch {
      return Outcome(.failed, error: Failure(.reference, "\(error)"))
    }
  }

  func perform(
    _ reference: Reference, raw: String, index: Int?, _ options: PerformOptions, witness: Witness? = nil
  ) -> Outcome {
    guard beginAction(reference.id) else { return nestedTooDeep(reference.id) }
    defer { endAction() }
    let walk = walk(options)
    let resolution =
      witness == nil
      ? resolution(reference, raw: raw, index: index, on: walk)
      : Resolution(queries(for: reference), raw: raw, on: walk, dispatcher: self)
    var perform = Perform(
      reference, raw: raw, options: options, walk: walk, resolution: resolution, dispatcher: self, witness: witness)
    let outcome = perform.run()
    if resolution.askedFunctions, let index { walk.resolutions.forget(index) }
    return outcome
  }

  private func nestedTooDeep(_ action: String) -> Outcome {
    let actions = (performing + [action]).joined(separator: " → ")
    return Outcome(
      .failed,
      error: Failure(.nesting, "performs are nested more than \(Self.nestingLimit) deep: \(actions)"))
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

/// One perform under way.
struct Perform {
  let reference: Reference
  let raw: String
  let options: PerformOptions
  let walk: Walk
  let resolution: Resolution
  unowned let dispatcher: Dispatcher
  let witness: Witness?
  private var context: Context?
  /// Those who are told, as they were when it began.
  private var observers: [Observer] = []
  private var willWasSent = false
  /// Catch-alls that passed already, because their responder claims the action.
  private var passed: Set<Int> = []

  init(
    _ reference: Reference, raw: String, options: PerformOptions, walk: Walk, resolution: Resolution,
    dispatcher: Dispatcher, witness: Witness?
  ) {
    self.reference = reference
    self.raw = raw
    self.options = options
    self.walk = walk
    self.resolution = resolution
    self.dispatcher = dispatcher
    self.witness = witness
    observers = dispatcher.observers
  }

  private var arguments: Arguments { Arguments(reference.arguments).merging(options.arguments) }

  private var skipsValidation: Bool {
    options.skipValidation || arguments["skip_validation"]?.isOn ?? false
  }

  mutating func run() -> Outcome {
    var index = 0
    if let engine = dispatcher.engine, options.isPlain, observers.isEmpty, witness == nil {
      switch engine.perform(resolution, reference: reference, in: dispatcher) {
      case .notFused: break
      case .outcome(let outcome): return outcome
      case .failed(let failure): return fail(failure, of: resolution.candidate(0, witness: nil))
      case .passed(let built):
        // The general way goes on behind the first candidate, with the context that is there.
        begin(built)
        if let first = resolution.candidate(0, witness: nil) { notePass(of: first) }
        index = 1
      }
    }
    while let candidate = resolution.candidate(index, witness: witness) {
      index += 1
      if let outcome = offer(candidate) { return finished(outcome) }
    }
    if let failure = resolution.failure { return finished(Outcome(.failed, error: failure)) }
    return finished(askCatchAlls() ?? unhandled())
  }

  // MARK: A candidate

  /// Has a candidate do it; nil when it passes.
  private mutating func offer(_ candidate: Candidate) -> Outcome? {
    let context = prepare(action: candidate.action, prefix: candidate.prefix, for: candidate.responder)
    switch skipsValidation ? .yes : dispatcher.verdict(candidate, in: context, witness: witness) {
    case .pass: return nil
    case .yes: break
    case .no(let reason):
      return Outcome(
        .disabled, by: candidate.responder.name, via: candidate.via,
        reason: reason ?? candidate.derivedRefusal)
    case .failed(let failure):
      dispatcher.report(Diagnostic(failure))
      return Outcome(
        .disabled, by: candidate.responder.name, via: candidate.via, reason: "error: \(failure.message)")
    }
    let outcome = ask(
      candidate.handler, of: candidate.responder, via: candidate.via, in: context, step: candidate.step)
    if outcome == nil { notePass(of: candidate) }
    return outcome
  }

  /// A catch-all that passed by `claims` is not asked again.
  private mutating func notePass(of candidate: Candidate) {
    if candidate.via == .claims || candidate.via == .redirect { passed.insert(candidate.responder.number) }
  }

  /// Asks a handler to do it; nil when it passes.
  private mutating func ask(
    _ handler: Handler, of responder: Responder, via: Outcome.Via, in context: Context, step: Int
  ) -> Outcome? {
    tellWill(context, by: responder)
    switch handler.perform(for: responder, in: context) {
    case .value(let result): return Outcome(.handled, by: responder.name, via: via, result: result)
    case .pass: return nil
    case .refused(let reason): return Outcome(.disabled, by: responder.name, via: via, reason: reason)
    case .failed(let failure): return fail(failure, of: responder, via: via, step: step)
    }
  }

  /// Lets a failure travel up; what is left of it is the outcome.
  private func fail(_ failure: Failure, of responder: Responder, via: Outcome.Via, step: Int) -> Outcome {
    let farther = walk.nodes.dropFirst(min(step, walk.nodes.count))
    let failure = dispatcher.travel(failure, from: responder, along: farther)
    return Outcome(failure.code == .cancelled ? .cancelled : .failed, by: responder.name, via: via, error: failure)
  }

  private func fail(_ failure: Failure, of candidate: Candidate?) -> Outcome {
    guard let candidate else { return Outcome(.failed, error: failure) }
    return fail(failure, of: candidate.responder, via: candidate.via, step: candidate.step)
  }

  // MARK: Catch-alls

  private mutating func askCatchAlls() -> Outcome? {
    guard !walk.catchAlls.isEmpty else { return nil }
    for (responder, handler) in walk.catchAlls where !passed.contains(responder.number) {
      let context = prepare(action: reference.name, prefix: reference.prefix, for: responder)
      let step = (walk.nodes.firstIndex { $0 === responder } ?? walk.nodes.count) + 1
      if let outcome = ask(handler, of: responder, via: .unknown, in: context, step: step) {
        return outcome
      }
    }
    return nil
  }

  private func unhandled() -> Outcome {
    let near = dispatcher.knownNames(near: reference.name)
    let hint = near.first.map { "; did you mean '\($0)'?" } ?? ""
    return Outcome(.unhandled, reason: "nobody answers '\(reference.name)'\(hint)")
  }

  // MARK: The context, built once

  private mutating func prepare(action: String, prefix: String, for responder: Responder) -> Context {
    let context = context ?? build(action: action, prefix: prefix)
    context.aim(at: responder, action: action, prefix: prefix)
    context.resolution = resolution
    return context
  }

  private mutating func build(action: String, prefix: String) -> Context {
    let built = dispatcher.context(of: walk, witness: witness)
    built.begin(request(action: action, prefix: prefix))
    context = built
    return built
  }

  private func request(action: String, prefix: String) -> Request {
    Request(
      raw: raw, action: action, prefix: prefix, arguments: arguments, info: options.info, sender: options.sender,
      modifiers: options.modifiers, subject: options.subject)
  }

  /// Takes a context over that has everything in it already.
  private mutating func begin(_ built: Context) {
    built.request = request(action: reference.name, prefix: reference.prefix)
    context = built
  }

  // MARK: Observers

  private mutating func tellWill(_ context: Context, by responder: Responder) {
    guard !willWasSent else { return }
    willWasSent = true
    tell(.will, by: responder.name, nil)
  }

  /// Tells what came of it to everyone who was told that it would come.
  private func finished(_ outcome: Outcome) -> Outcome {
    if willWasSent { tell(outcome.status == .handled ? .did : .failed, by: outcome.by, outcome) }
    if outcome.status == .unhandled { tellUnhandled(outcome) }
    return outcome
  }

  private func tell(_ stage: ActionEvent.Stage, by name: String?, _ outcome: Outcome?) {
    guard !observers.isEmpty || options.observe != nil else { return }
    let event = event(stage, by: name, outcome)
    for observer in observers where observer.pattern.matches(event.action) {
      if let failure = observer.notify(event) { dispatcher.report(Diagnostic(failure)) }
    }
    options.observe?(event)
  }

  private func tellUnhandled(_ outcome: Outcome) {
    guard let listener = dispatcher.onUnhandled else { return }
    listener(event(.failed, by: nil, outcome), dispatcher.knownNames(near: reference.name))
  }

  private func event(_ stage: ActionEvent.Stage, by name: String?, _ outcome: Outcome?) -> ActionEvent {
    ActionEvent(
      stage: stage, action: context?.request?.action ?? reference.name, raw: raw, arguments: arguments, by: name,
      outcome: outcome)
  }
}
