// A7: what is secret is seen by who does the action, by its 'can' and by its question, and by nobody else.

extension Dispatcher {
  /// The names of the arguments of a reference that somebody who answers it declares secret.
  func secrets(of reference: Reference) -> Set<String> {
    guard chain.hasSecrets else { return [] }
    let names = reference.candidates.compactMap { self.names.name(of: $0.name) }
    var secrets: Set<String> = []
    for responder in Array(chain.responders.values) + [hostResponder] {
      for behaviour in responder.stack where !behaviour.takes.isEmpty {
        for name in names {
          for argument in behaviour.takes[name]?.content.arguments ?? [] where argument.facts.isSecret {
            secrets.insert(argument.key)
          }
        }
      }
    }
    return secrets
  }

  /// A reference as it is shown to others.
  func masked(_ raw: String, _ reference: Reference) -> String {
    guard chain.hasSecrets, let arguments = reference.arguments else { return raw }
    let secrets = secrets(of: reference)
    guard arguments.members.contains(where: { secrets.contains($0.key) }) else { return raw }
    let members = arguments.members.map { member in
      secrets.contains(member.key) ? LiteralObject.Member(key: member.key, value: .secret) : member
    }
    return Reference(id: reference.id, arguments: LiteralObject(members)).format()
  }

  /// Arguments as they are shown to others.
  func masked(_ arguments: Arguments, of reference: Reference) -> Arguments {
    guard chain.hasSecrets else { return arguments }
    var masked = arguments
    for key in secrets(of: reference) where arguments.has(key) { masked[key] = Value(.secret) }
    return masked
  }
}

extension Literal {
  /// What stands in the place of what is secret.
  package static let secret = Literal.object(
    LiteralObject([LiteralObject.Member(key: "$", value: .text("secret"))]) ?? LiteralObject())
}
