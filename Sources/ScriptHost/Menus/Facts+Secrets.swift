// A7: secret arguments of an item's action are in no snapshot.

extension Dispatcher {
  /// The facts as they are shown: without secrets.
  func shown(_ element: Element) -> Facts {
    guard chain.hasSecrets, let action = element.action, !action.arguments.isEmpty else { return element.facts }
    let secrets = secrets(of: action.reference)
    guard action.arguments.members.contains(where: { secrets.contains($0.key) }) else { return element.facts }
    let arguments = element.facts.details?.arguments.map { $0.masking(secrets) }
    return element.facts.showing(action: masked(action.raw, action.reference), arguments)
  }
}
