/// The plan of a native action to which nobody supplies anything.
class NativePlan: Plan {
  private final let responder: Responder
  private final let memory = Cell(Memory())

  private struct Memory {
    /// The context of the last perform, used again where nobody kept it or wrote into it.
    var context = PlainContext()
    var isBegun = false
  }

  override init(_ candidate: Candidate, _ resolution: Resolution) {
    responder = candidate.responder
    super.init(candidate, resolution)
  }

  deinit { memory.free() }

  override func perform(
    _ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: consuming Watching
  ) -> Outcome {
    guard options.isUsual, fits(options), options.isUnwatched(for: candidate), watching.observers.isEmpty else {
      return super.perform(dispatcher, options, watching)
    }
    if !memory.value.isBegun || !isKnownUniquelyReferenced(&memory.value.context) || !memory.value.context.isFresh {
      beginContext(dispatcher.undo)
    }
    let reply = handler.perform(for: responder, in: memory.value.context)
    if case .value(let result) = reply { return Outcome(handledBy: taker, result: result) }
    return goOn(with: reply, dispatcher)
  }

  @inline(never)
  private func goOn(with reply: Reply, _ dispatcher: Dispatcher) -> Outcome {
    dispatcher.allowing {
      let perform = Perform(self, PerformOptions(), dispatcher)
      if case .pass = reply, let context = written(dispatcher) { perform.adopt(context, of: candidate) }
      return perform.goOn(with: reply, of: candidate)
    }
  }

  @inline(never)
  private func beginContext(_ undo: Undo) {
    let context = PlainContext()
    context.undoObject = undo
    context.taker = responder
    context.resolution = resolution
    context.begin(request(PerformOptions()))
    context.isFresh = true
    memory.value.context = context
    memory.value.isBegun = true
  }

  /// A context with what the handler wrote, for the next candidate; nil if it wrote nothing.
  private func written(_ dispatcher: Dispatcher) -> Context? {
    let own = memory.value.context
    guard !own.isFresh else { return nil }
    // The handler may have kept this context and must go on seeing what it wrote, so the next perform gets another.
    memory.value.isBegun = false
    return dispatcher.context(continuing: own)
  }
}
