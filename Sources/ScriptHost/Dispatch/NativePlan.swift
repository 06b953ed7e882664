/// The plan of a native action to which nobody supplies anything. No allowance is begun: no script runs but those that the handler has
/// performed.
class NativePlan: Plan {
  private final let responder: Responder
  private final let spare = Cell<PlainContext?>(nil)

  override init(_ candidate: Candidate, _ resolution: Resolution) {
    responder = candidate.responder
    super.init(candidate, resolution)
  }

  deinit { spare.free() }

  override func perform(
    _ dispatcher: Dispatcher, _ options: PerformOptions, _ watching: consuming Watching
  ) -> Outcome {
    guard options.isUsual, fits(options), options.isUnwatched(for: candidate), watching.observers.isEmpty else {
      return super.perform(dispatcher, options, watching)
    }
    // A perform of the same action by the handler makes a context of its own.
    var context = spare.take() ?? newContext(dispatcher.undo)
    let reply = dispatcher.reply(of: handler, for: responder, in: context)
    guard case .value(let result) = reply else { return goOn(with: reply, context, dispatcher, options) }
    // Used again unless somebody kept it or wrote into it.
    if isKnownUniquelyReferenced(&context), context.isFresh { spare.value = consume context }
    return Outcome(handledBy: taker, result: result)
  }

  @inline(never)
  private func goOn(
    with reply: Reply, _ own: PlainContext, _ dispatcher: Dispatcher, _ options: PerformOptions
  ) -> Outcome {
    dispatcher.allowingPerform {
      let perform = Perform(self, options, dispatcher)
      // What the handler wrote goes to the next candidate. It may have kept its context, and sees there what it wrote itself.
      if case .pass = reply, !own.isFresh { perform.adopt(dispatcher.context(continuing: own), of: candidate) }
      return perform.goOn(with: reply, of: candidate)
    }
  }

  @inline(never)
  private func newContext(_ undo: Undo) -> PlainContext {
    let context = PlainContext()
    context.undoObject = undo
    context.taker = responder
    context.resolution = resolution
    context.begin(request(PerformOptions()))
    context.isFresh = true
    return context
  }
}
