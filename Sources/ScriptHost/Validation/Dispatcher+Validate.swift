extension Dispatcher {
  /// Whether the action that a text refers to can be done now.
  func validate(_ text: String, _ options: PerformOptions = PerformOptions(), witness: Witness? = nil) -> Validation {
    do {
      let reference = try Reference.parse(text)
      return validate(reference, raw: text, options, witness: witness)
    } catch {
      return Validation(enabled: false, reason: error.message)
    }
  }

  func validate(
    _ reference: Reference, raw: String, _ options: PerformOptions, witness: Witness? = nil
  ) -> Validation {
    if let misuse = stranger(options) { return Validation(enabled: false, reason: misuse.message) }
    if let reason = beginValidation(raw, options) { return Validation(enabled: false, reason: reason) }
    defer { endValidation() }
    let arguments = Arguments(reference.arguments).merging(options.arguments)
    if options.skipValidation || arguments["skip_validation"]?.isOn ?? false { return Validation(enabled: true) }

    engine?.beginAllowance()
    defer { engine?.endAllowance() }
    let walk = walk(options)
    let context = context(of: walk, witness: witness)
    let request = Request(
      raw: raw, action: reference.name, prefix: reference.prefix, arguments: arguments, info: options.info,
      sender: options.sender, modifiers: options.modifiers, subject: options.subject)
    context.begin(request)
    let index = try? references.index(of: raw)
    let candidates = Candidates(reference, raw: raw, index: index, on: walk, dispatcher: self, witness: witness)
    return answer(candidates, on: walk, in: context, request, witness: witness)
  }

  private func answer(
    _ candidates: Candidates, on walk: Walk, in context: Context, _ request: Request, witness: Witness?
  ) -> Validation {
    let action = request.action
    var candidates = candidates
    while let candidate = candidates.next(witness) {
      context.aim(at: candidate.responder, action: candidate.action, prefix: candidate.prefix)
      context.resolution = candidates.resolution
      let name = candidate.responder.name
      switch verdict(candidate, in: context, witness: witness) {
      case .pass: continue
      case .yes: return looked(Validation(enabled: true, by: name), candidate, context, witness)
      case .running:
        var validation = looked(
          Validation(enabled: false, reason: Self.running, by: name), candidate, context, witness)
        validation.look.state = .mixed
        return validation
      case .no(let reason):
        let reason = candidate.reason(reason)
        return looked(Validation(enabled: false, reason: reason, by: name), candidate, context, witness)
      case .failed(let failure):
        report(Diagnostic(failure))
        return Validation(enabled: false, reason: "error: \(failure.message)", by: name)
      }
    }
    if let trouble = candidates.trouble {
      report(Diagnostic(trouble.failure))
      return Validation(enabled: false, reason: "error: \(trouble.failure.message)")
    }
    return Validation(enabled: false, reason: nobody(action, walk))
  }

  /// Adds how it looks, as who takes or refuses it says.
  private func looked(
    _ validation: Validation, _ candidate: Candidate, _ context: Context, _ witness: Witness?
  ) -> Validation {
    guard let handler = candidate.look else { return validation }
    let answer = whileAsking {
      context.isReadOnly = true
      defer { context.isReadOnly = false }
      return handler.look(for: candidate.responder, in: context)
    }
    var validation = validation
    switch answer {
    case .success(let look):
      witness?.asked(candidate.responder.name, .look, candidate.action, answer: .yes, place: handler.place)
      validation.look = look
    case .failure(let failure):
      witness?.asked(
        candidate.responder.name, .look, candidate.action, answer: .fails(failure.message), place: handler.place)
      report(Diagnostic(failure))
      validation.isEnabled = false
      validation.reason = "error: \(failure.message)"
    }
    return validation
  }

  private func nobody(_ action: String, _ walk: Walk) -> String {
    guard let catchAll = walk.catchAlls.first else {
      let hint = knownNames(near: action).first.map { "; did you mean '\($0)'?" } ?? ""
      return "nobody answers '\(action)'\(hint)"
    }
    return
      "nobody answers '\(action)' but the catch-all of '\(walk.nodes[catchAll.node].name)', which enables only what it claims"
  }
}
