// Wraps closures of the embedding program as handlers. Each class overrides a single method.

final class NativeAction: Handler {
  private let body: (Command) throws -> Value

  init(owner: Owner, body: @escaping (Command) throws -> Value) {
    self.body = body
    super.init(owner: owner)
  }

  override var isOfProgram: Bool { true }

  override func perform(for responder: Responder, in context: Context) -> Reply {
    do {
      return .value(try body(Command(context: context, responder: responder)))
    } catch is Pass {
      return .pass
    } catch let refusal as Refusal {
      return .refused(refusal.reason)
    } catch {
      return .failed(Failure(native: error, of: owner))
    }
  }
}

final class NativeCan: Handler {
  private let body: (Command) throws -> Permission

  init(owner: Owner, body: @escaping (Command) throws -> Permission) {
    self.body = body
    super.init(owner: owner)
  }

  override func can(for responder: Responder, in context: Context) -> Verdict {
    do {
      switch try body(Command(context: context, responder: responder)) {
      case .yes: return .yes
      case .no(let reason): return .no(reason)
      case .pass: return .pass
      }
    } catch {
      return .failed(Failure(native: error, of: owner))
    }
  }
}

final class NativeLook: Handler {
  private let body: (Command) throws -> Look

  init(owner: Owner, body: @escaping (Command) throws -> Look) {
    self.body = body
    super.init(owner: owner)
  }

  override func look(for responder: Responder, in context: Context) -> Result<Look, Failure> {
    Result { try body(Command(context: context, responder: responder)) }.mapError { Failure(native: $0, of: owner) }
  }
}

final class NativeProvider: Handler {
  private let body: (Context) throws -> Void

  init(owner: Owner, body: @escaping (Context) throws -> Void) {
    self.body = body
    super.init(owner: owner)
  }

  override func provide(for responder: Responder, into context: Context) -> Failure? {
    do {
      try body(context)
      return nil
    } catch {
      return Failure(native: error, of: owner)
    }
  }
}

/// A closure that answers a question about an action's name.
final class NativeQuestion<Answer>: Handler {
  private let body: (String) throws -> Answer

  init(owner: Owner, body: @escaping (String) throws -> Answer) {
    self.body = body
    super.init(owner: owner)
  }

  private func answer(_ action: String) -> Result<Answer, Failure> {
    Result { try body(action) }.mapError { Failure(native: $0, of: owner) }
  }

  override func resolve(_ action: String, for responder: Responder) -> Result<Bool, Failure> {
    answer(action).map { $0 as? Bool ?? false }
  }

  override func claims(_ action: String, for responder: Responder) -> Result<Claim, Failure> {
    answer(action).map { $0 as? Claim ?? Claim(isClaimed: $0 as? Bool ?? false) }
  }

  override func redirect(_ action: String, for responder: Responder) -> Result<Responder?, Failure> {
    answer(action).map { $0 as? Responder }
  }
}

final class NativeFailed: Handler {
  private let body: (Failure) throws -> Failure?

  init(owner: Owner, body: @escaping (Failure) throws -> Failure?) {
    self.body = body
    super.init(owner: owner)
  }

  override func failed(_ failure: Failure, for responder: Responder) -> Result<Failure?, Failure> {
    Result { try body(failure) }.mapError { Failure(native: $0, of: owner) }
  }
}

/// A closure that watches actions.
final class NativeObserver: Observer {
  private let body: (ActionEvent) -> Void

  init(_ pattern: ActionPattern, owner: Owner, body: @escaping (ActionEvent) -> Void) {
    self.body = body
    super.init(pattern, owner: owner)
  }

  override func notify(_ event: ActionEvent) -> Failure? {
    body(event)
    return nil
  }
}

extension Failure {
  /// Wraps an error that a closure of the embedding program threw.
  init(native error: any Error, of owner: Owner) {
    if let failure = error as? Failure {
      self = failure
    } else {
      self.init(.script, "\(error)", owner: owner.name, cause: error)
    }
  }
}
