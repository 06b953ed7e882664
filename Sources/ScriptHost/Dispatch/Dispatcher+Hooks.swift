extension Dispatcher {
  /// Asks a function who takes an action.
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

  /// Performs an action that was begun, after what functions were heard to say so far: the others are asked, and where they say what they
  /// said once before that leads to a plan.
  @inline(never)
  func perform(asking kept: Resolution, after said: [HookAnswer], _ options: PerformOptions) -> Outcome {
    var hookAnswers = said
    let known = knownPlan(of: kept, &hookAnswers)
    if let known, !isRunning(known.candidate) { return run(known, options) }
    // It asks whom it meets beyond those.
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

  /// Asks who was asked before, until it is clear which of the plans it comes to; what was said, where it is none.
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

  /// The plan of who takes the action after all that was said, kept for the next time.
  private func newPlan(of kept: Resolution, after resolution: Resolution) -> Plan? {
    guard let candidate = firstCandidate(of: resolution), resolution.isRepeatable, kept.isCurrent,
      let plan = prepare(candidate, kept)
    else { return nil }
    plan.prepare(resolution.hookAnswers)
    return keep(plan, of: kept) ? plan : nil
  }

  /// Keeps a plan for the next time; false where what was asked has changed who would be asked.
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
