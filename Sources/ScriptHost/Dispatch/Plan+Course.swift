extension Plan {
  /// What there is to tell of each of its performs, laid out once; nil where it can't be told.
  func course(_ dispatcher: Dispatcher) -> QuickCourse? {
    if let course = presentCourse { return course }
    guard let keys = layOutKeys() else { return nil }
    let witness = Witness()
    let resolution = Resolution(
      resolution.reference, raw: resolution.raw, on: resolution.walk, dispatcher: dispatcher, isKept: true)
    _ = resolution.candidate(0, witness: witness)
    if candidate.isLastResort {
      witness.asked(
        candidate.responder.name, .unknown, candidate.action, answer: .takes, place: candidate.handler.place)
    }
    let providers = zip(resolution.walk.providers, keys).map { provider, keys in
      QuickCourse.Provider(name: provider.responder.name, place: provider.handler.place, keys: keys)
    }
    course = QuickCourse(candidate, steps: witness.steps, providers: providers)
    return course
  }
}
