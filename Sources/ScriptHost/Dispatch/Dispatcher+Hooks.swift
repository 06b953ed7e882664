extension Dispatcher {
  /// Asks a `redirect` or `claims` function who takes an action.
  func askHook(_ question: HookAnswer.Asked) -> HookAnswer.Said {
    whileAsking { answer(to: question) }
  }

  private func answer(to question: HookAnswer.Asked) -> HookAnswer.Said {
    switch question.kind {
    case .redirect:
      switch question.hook.redirect(question.action, for: question.responder) {
      case .success(let answer): .redirects(answer.flatMap { chain.holds($0) ? $0 : nil })
      case .failure(let failure): .fails(failure)
      }
    case .claims:
      switch question.hook.claims(question.action, for: question.responder) {
      case .success(let answer): .claims(answer)
      case .failure(let failure): .fails(failure)
      }
    }
  }

  /// Performs an action whose hooks have given some answers already. The other hooks are asked; if all answers are those that a plan was
  /// made for, that plan runs.
  @inline(never)
  func perform(asking kept: Resolution, after said: [HookAnswer], _ options: PerformOptions) -> Outcome {
    var hookAnswers = said
    let known = knownPlan(of: kept, &hookAnswers)
    if let known, !isRunning(known.candidate) { return run(known, options) }
    // This one asks the hooks that have not been asked yet.
    let resolution = Resolution(
      kept.reference, raw: kept.raw, on: kept.walk, dispatcher: self, isKept: false, known: hookAnswers)
    if known == nil, let plan = newPlan(of: kept, after: resolution), !isRunning(plan.candidate) {
      return run(plan, options)
    }
    let perform = Perform(Candidates(resolution, dispatcher: self), options, self, observers: observers)
    let outcome = perform.run()
    return settled(outcome, perform)
  }

  private func run(_ plan: Plan, _ options: PerformOptions) -> Outcome {
    let perform = Perform(plan, options, self, Watching(observers, chain))
    let outcome = perform.run(plan, hooksWereAsked: true)
    return settled(outcome, perform)
  }

  /// Asks hooks again until their answers fit one of the plans kept. Collects the answers, also when none fits.
  private func knownPlan(of kept: Resolution, _ hookAnswers: inout [HookAnswer]) -> Plan? {
    for plan in entry(of: kept)?.pointee.answeredPlans ?? [] {
      let isSame = plan.hookAnswers.indices.allSatisfy { index in
        let before = plan.hookAnswers[index]
        if index == hookAnswers.count {
          hookAnswers.append(HookAnswer(question: before.question, answer: askHook(before.question)))
        }
        return hookAnswers[index].answer.isSame(as: before.answer)
      }
      if isSame { return keep(plan, of: kept) ? plan : nil }
    }
    return nil
  }

  /// Makes the plan of the candidate that these answers lead to, and keeps it for the next time.
  private func newPlan(of kept: Resolution, after resolution: Resolution) -> Plan? {
    guard let candidate = firstCandidate(of: resolution), resolution.isRepeatable, kept.isCurrent,
      let plan = prepare(candidate, kept)
    else { return nil }
    plan.prepare(resolution.hookAnswers)
    return keep(plan, of: kept) ? plan : nil
  }

  /// Keeps a plan for the next time; false if asking the hooks has changed the tables or the entry.
  private func keep(_ plan: Plan, of kept: Resolution) -> Bool {
    guard let entry = entry(of: kept), entry.pointee.stuck === kept, entry.pointee.tables == chain.tables else {
      return false
    }
    entry.pointee.keep(plan)
    return true
  }

  /// The cached entry of a resolution's reference, on its walk.
  private func entry(of kept: Resolution) -> UnsafeMutablePointer<ResolutionCache.Entry>? {
    kept.raw.withBytes(references.known).flatMap(kept.walk.resolutions.entry)
  }
}
