// Only the handler that does the action, its `can` and its `confirm` see secret arguments (A7).

extension Dispatcher {
  /// Returns the arguments that any responder handling a reference declares as secret.
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

  /// Returns a reference with its secrets masked.
  func masked(_ raw: String, _ reference: Reference) -> String {
    guard chain.hasSecrets, let arguments = reference.arguments else { return raw }
    let secrets = secrets(of: reference)
    guard arguments.members.contains(where: { secrets.contains($0.key) }) else { return raw }
    return Reference(id: reference.id, arguments: arguments.masking(secrets)).format()
  }

  /// Masks all arguments of an unreadable reference, because which are secret is unknown.
  static func maskedUnreadable(_ text: String) -> String { "\(text.prefix { $0 != "(" })(…" }

  /// Returns arguments with their secrets masked.
  func masked(_ arguments: Arguments, of reference: Reference) -> Arguments {
    guard chain.hasSecrets else { return arguments }
    var masked = arguments
    for key in secrets(of: reference) where arguments.has(key) { masked[key] = Value(.secret) }
    return masked
  }
}

extension Dispatcher {
  /// Hides secret arguments from the functions that the body calls: `look`, and those of other arguments.
  func hiding<Result>(_ secrets: some Collection<String>, in context: Context, _ body: () -> Result) -> Result {
    guard let request = context.request else { return body() }
    let hidden = secrets.filter { request.arguments.has($0) }
    if hidden.isEmpty { return body() }
    var arguments = request.arguments
    for key in hidden { arguments[key] = Value(.secret) }
    let reference = try? Reference.parse(request.raw)
    let raw = reference.map { masked(request.raw, $0) } ?? Self.maskedUnreadable(request.raw)
    return context.replacing(
      hidden.map { ($0, Value(.secret)) },
      Request(request, raw: raw, arguments: arguments, sender: masked(request.sender)), body)
  }

  /// Hides the secret arguments of the request from logs and errors, for any handler.
  func hidingSecrets<Result>(in context: Context, _ body: () -> Result) -> Result {
    guard chain.hasSecrets, let reference = context.request.flatMap({ try? Reference.parse($0.raw) }) else {
      return body()
    }
    return hiding(secrets(of: reference), in: context, body)
  }

  /// Hides a candidate's secret arguments from the functions that the body calls.
  func hidingSecrets<Result>(of takes: Takes?, in context: Context, _ body: () -> Result) -> Result {
    guard let takes, takes.hasSecrets else { return body() }
    return hiding(takes.secrets, in: context, body)
  }

  /// Returns a sender with the secrets of its item's action masked.
  func masked(_ sender: Sender) -> Sender {
    guard case .item(let id, let title, let action, let key) = sender, let reference = try? Reference.parse(action)
    else {
      return sender
    }
    return .item(id: id, title: title, action: masked(action, reference), key: key)
  }
}

extension Dispatcher {
  /// Passes the secrets among arguments to the secret hearers, even if the host refuses the perform before it reads
  /// them.
  func tellSecrets(of reference: Reference, _ given: Arguments) {
    guard chain.hasSecrets, !secretHearers.isEmpty, reference.arguments != nil || !given.isEmpty else { return }
    let arguments = Arguments(reference.arguments, under: given)
    for key in secrets(of: reference) {
      if let value = arguments[key]?.orNone { tell(secret: value) }
    }
  }

  /// Passes a secret to the secret hearers, with everything in it.
  func tell(secret: Value) { secretHearers.tell(opened(secret)) }
}

extension Dispatcher {
  /// Returns an undo title with its secrets masked.
  func told(_ title: String) -> String { maskingTitle?(title) ?? title }
}

extension Takes {
  /// The names of the secret arguments.
  var secrets: [String] { arguments.filter(\.facts.isSecret).map(\.key) }

  /// Passes the secrets among arguments, and secret defaults, to a closure.
  func tell(_ told: (Value) -> Void, of given: Arguments) {
    for argument in arguments where argument.facts.isSecret {
      if let value = given[argument.key]?.orNone ?? argument.facts.preset { told(value) }
    }
  }
}

extension LiteralObject {
  /// Returns a copy with secrets masked.
  func masking(_ secrets: Set<String>) -> LiteralObject {
    LiteralObject(members.map { secrets.contains($0.key) ? Member(key: $0.key, value: .secret) : $0 }) ?? self
  }
}

extension Literal {
  /// The literal that replaces a secret.
  package static let secret = Literal.object(
    LiteralObject([LiteralObject.Member(key: "$", value: .text("secret"))]) ?? LiteralObject())
}
