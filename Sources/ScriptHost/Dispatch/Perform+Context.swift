// Builds the context of a perform, once, and puts the arguments into it.

extension Perform {
  /// The supplied context as Swift sees it: that of the plan that runs, or one built here.
  var suppliedContext: Context {
    if context == nil { beginContext() }
    return context.unsafelyUnwrapped
  }

  private func beginContext() {
    context = slot == 0 ? nil : plan?.context(at: slot, spare.take())
    guard context == nil else { return }
    var stopped: Failure?
    context = dispatcher.context(of: walk, witness: witness, &stopped)
    ended = stopped.map { .stopped($0) }
  }

  /// The supplied context with the request in it.
  func contextWithArguments(_ candidate: Candidate) -> Context {
    let context = suppliedContext
    if context.request == nil { prepare(context, for: candidate) }
    return context
  }

  /// Takes over a context that was built already, and has the request to a candidate in it.
  func adopt(_ built: Context, of candidate: Candidate) {
    guard context == nil || context === built else { return }
    prepare(built, for: candidate)
    context = built
  }

  /// Sets what Swift reads of a context that has the request for scripts already.
  private func prepare(_ built: Context, for candidate: Candidate) {
    built.request = request(candidate)
    // A reused context has these already; comparing is faster than retaining and releasing.
    if built.undoObject !== dispatcher.undo { built.undoObject = dispatcher.undo }
    if built.takerObject !== candidate.responder { built.takerObject = candidate.responder }
    if built.resolutionObject !== resolution { built.resolutionObject = resolution }
    built.group = Context.handlers
  }

  /// Puts the request over what providers supplied.
  func putArguments(_ candidate: Candidate) {
    let context = suppliedContext
    context.undoObject = dispatcher.undo
    context.taker = candidate.responder
    context.resolution = candidates?.resolution ?? resolution
    context.begin(request(candidate))
  }

  func request(_ candidate: Candidate) -> Request {
    if let plan { return plan.request(options) }
    return Request(resolution, candidate, options)
  }
}

extension Request {
  /// The request to a candidate of a resolution.
  convenience init(_ resolution: Resolution, _ candidate: Candidate, _ options: PerformOptions) {
    self.init(
      raw: resolution.raw, action: candidate.action, prefix: candidate.prefix,
      arguments: Arguments(resolution.reference.arguments, under: options.arguments), info: options.info,
      sender: options.sender, modifiers: options.modifiers, subject: options.subject)
  }
}
