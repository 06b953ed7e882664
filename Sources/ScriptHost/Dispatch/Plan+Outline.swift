extension Plan {
  /// The outline for traces of the plan's performs, made once; nil if the plan can't be traced without the driver.
  func outline(_ dispatcher: Dispatcher) -> TraceOutline? {
    if let outline = presentOutline { return outline }
    guard let keys = prepareKeys() else { return nil }
    let witness = Witness()
    let resolution = Resolution(
      resolution.reference, raw: resolution.raw, on: resolution.walk, dispatcher: dispatcher, isKept: true)
    _ = resolution.candidate(0, witness: witness)
    if candidate.isLastResort {
      witness.asked(
        candidate.responder.name, .unknown, candidate.action, answer: .takes, place: candidate.handler.place)
    }
    let providers = zip(resolution.walk.providers, keys).map { provider, keys in
      TraceOutline.Provider(name: provider.responder.name, place: provider.handler.place, keys: keys)
    }
    outline = TraceOutline(candidate, steps: witness.steps, providers: providers)
    return outline
  }
}
