// Secret arguments are seen only by the handler that does the action, by its `can` and by its question (A7).

extension Dispatcher {
  /// The names of the arguments that any responder answering a reference declares secret.
  func secrets(of reference: Reference) -> Set<String> {
    guard chain.hasSecrets else { return [] }
    let names = reference.candidates.compactMap { self.names.name(of: $0.name) }
    var secrets: Set<String> = []
    engine?.charge(chain.responders.count)
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

  /// A reference as others may see it, with its secrets masked.
  func masked(_ raw: String, _ reference: Reference) -> String {
    guard chain.hasSecrets, let arguments = reference.arguments else { return raw }
    let secrets = secrets(of: reference)
    guard arguments.members.contains(where: { secrets.contains($0.key) }) else { return raw }
    return Reference(id: reference.id, arguments: arguments.masking(secrets)).format()
  }

  /// An unreadable reference as others may see it: all arguments are masked, because nobody can tell which are secret.
  static func maskedUnreadable(_ text: String) -> String { "\(text.prefix { $0 != "(" })(…" }

  /// Arguments as others may see them, with secrets masked.
  func masked(_ arguments: Arguments, of reference: Reference) -> Arguments {
    guard chain.hasSecrets else { return arguments }
    var masked = arguments
    for key in secrets(of: reference) where arguments.has(key) { masked[key] = Value(.secret) }
    return masked
  }
}

extension Dispatcher {
  /// A sender as others may see it, with the secrets of an item's action masked.
  func masked(_ sender: Sender) -> Sender {
    guard case .item(let id, let title, let action, let key) = sender, let reference = try? Reference.parse(action)
    else {
      return sender
    }
    return .item(id: id, title: title, action: masked(action, reference), key: key)
  }
}

extension Dispatcher {
  /// Tells who hears of secrets those among given arguments, even if the perform is refused before anybody reads them.
  func tellSecrets(of reference: Reference, _ given: Arguments) {
    guard chain.hasSecrets, !secretHearers.isEmpty, reference.arguments != nil || !given.isEmpty else { return }
    let arguments = Arguments(reference.arguments, under: given)
    for key in secrets(of: reference) {
      if let value = arguments[key]?.orNone { secretHearers.tell(value) }
    }
  }
}

extension Dispatcher {
  /// An undo title as others may see it.
  func told(_ title: String) -> String { maskingTitle?(title) ?? title }
}

extension Takes {
  /// Passes the secrets among given arguments, and secret defaults, to a closure.
  func tell(_ told: (Value) -> Void, of given: Arguments) {
    for argument in arguments where argument.facts.isSecret {
      if let value = given[argument.key]?.orNone ?? argument.facts.preset { told(value) }
    }
  }
}

extension LiteralObject {
  /// The same object with secrets masked.
  func masking(_ secrets: Set<String>) -> LiteralObject {
    LiteralObject(members.map { secrets.contains($0.key) ? Member(key: $0.key, value: .secret) : $0 }) ?? self
  }
}

extension Literal {
  /// The literal that replaces a secret.
  package static let secret = Literal.object(
    LiteralObject([LiteralObject.Member(key: "$", value: .text("secret"))]) ?? LiteralObject())
}
