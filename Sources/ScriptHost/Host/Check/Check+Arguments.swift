// A8: finds items and keys whose arguments fit no handler of their action, and arguments that nothing fits.

extension Check {
  /// Arguments that are declared to be one of no values.
  func unchoosable() -> [Diagnostic] {
    behaviours.filter { $0.owner !== host.program }.flatMap { behaviour in
      behaviour.takes.flatMap { name, takes in
        takes.content.arguments.filter { $0.facts.choices?.isEmpty ?? false }.map { argument in
          let action = host.names.text(of: name)
          return Diagnostic(
            .warning, "unfit-argument", "takes.\(action).\(argument.key) has no choices: nothing that is given fits it",
            place: place(
              of: "one_of", behind: argument.key, at: written("takes", action) ?? takes.content.place, lines: 32),
            help: "a function as 'one_of' lists those that there are at the time")
        }
      }
    }
  }

  func unfit() -> [Diagnostic] {
    var met: Set<String> = []
    return (uses + calls(.asked)).compactMap { use in
      guard let misfit = misfit(of: use) else { return nil }
      let place = place(of: use)
      guard met.insert("\(place.map { "\($0)" } ?? use.what) \(misfit.reason)").inserted else { return nil }
      return Diagnostic(
        .warning, "unfit-argument", "\(use.what) performs '\(use.reference.id)': \(misfit.reason)", place: place)
    }
  }

  /// Why no responder that answers the action takes the arguments, as far as that is known without calling a function.
  private func misfit(of use: Use) -> Misfit? {
    var first: Misfit?
    for candidate in use.reference.candidates {
      guard let name = host.names.name(of: candidate.name) else { continue }
      for responder in host.responders + [dispatcher.hostResponder] where responder.entry(.on, name) != nil {
        guard let takes = responder.said(\.takes, name) else { return nil }
        let comparing = Comparing(
          purpose: .drawing, asking: { _, _ in .failure(Failure(.script, "nobody is asked")) },
          elements: dispatcher.elements(of:most:),
          spend: { [dispatcher] in try dispatcher.spend($0, by: responder.owner) })
        guard case .unfit(let misfit) = takes.fit(use.given, of: candidate.name, comparing) else { return nil }
        if first == nil { first = misfit }
      }
      if first != nil { return first }
    }
    return nil
  }
}
