/// A *client call* is an action that a client does, a program outside of the host. It ends when the client answers, or when its patience is over.
package final class ClientCall: Job {
  /// The answer of a client.
  package enum Answer {
    case result(Value)
    case reason(String)
    case error(String)
    case pass
  }

  /// The action that takes back what the client did.
  package struct Undoing {
    let reference: Reference
    let arguments: LiteralObject
    let title: String?
    /// Merges it with what was done right before under the same key.
    let key: String?

    package init(_ reference: Reference, _ arguments: LiteralObject, title: String?, coalesce key: String?) {
      self.key = key
      self.reference = reference
      self.arguments = arguments
      self.title = title
    }
  }

  /// The dispatcher lives as long as the host; the client may retain this longer.
  private let life: Life<Dispatcher>
  /// The seconds for which it waits.
  private let patience: Double
  /// Called if the action ends before the client has answered.
  private let onEndWithoutAnswer: (ClientCall) -> Void
  /// The reply of the handler; nil until the client has answered.
  private var reply: Reply?
  private var undoing: Undoing?

  init(
    _ action: String, of responder: Responder, _ owner: Owner, in dispatcher: Dispatcher, patience: Double,
    onEndWithoutAnswer: @escaping (ClientCall) -> Void
  ) {
    life = dispatcher.life
    self.patience = patience
    self.onEndWithoutAnswer = onEndWithoutAnswer
    // It bars nothing itself: the action that waits for it does.
    super.init(Subject(action: action, responder: responder, owner: owner, isReentrant: true))
  }

  private var owner: Owner { memory.value.subject.owner }

  /// Only the action that waits for it is a job for others.
  override var isTimer: Bool { true }

  /// Begins to wait, and returns the reply of the handler that waits for it.
  func begin() -> Reply {
    life.object?.scheduler.add(self, nanoseconds: Int64(patience * 1e9))
    return .waiting(ClientWait(self))
  }

  /// Ends the call; the action goes on as soon as the host runs. Returns false if nobody waits for the answer.
  @discardableResult
  package func answer(_ answer: Answer, undoing: Undoing? = nil) -> Bool {
    guard isWaiting else { return false }
    self.undoing = undoing
    switch answer {
    case .result(let value): end(with: .value(value))
    case .reason(let reason): end(with: .refused(reason))
    case .error(let message): end(with: .failed(Failure(.client, message, owner: owner.name)))
    case .pass: end(with: .pass)
    }
    return true
  }

  /// Reports progress, and begins the patience anew. Returns false if nobody waits for the answer.
  package func report(fraction: Double?, text: String?) -> Bool {
    guard isWaiting, let scheduler = life.object?.scheduler else { return false }
    scheduler.leave(self)
    scheduler.add(self, nanoseconds: Int64(patience * 1e9))
    guard let waiter = memory.value.parent?.takeUnretainedValue() else { return true }
    waiter.progress = Progress(fraction: fraction ?? waiter.progress?.fraction ?? 0, text: text)
    return true
  }

  private func end(with reply: Reply) {
    guard let scheduler = life.object?.scheduler else { return }
    self.reply = reply
    scheduler.leave(self)
    scheduler.end(self)
  }

  /// The patience is over.
  override func wake() {
    let seconds = patience.asSeconds
    let sentence = "'\(owner.name)' didn't answer '\(action)' of '\(by)' within \(seconds)"
    end(with: .failed(Failure(.client, sentence, owner: owner.name)))
    onEndWithoutAnswer(self)
  }

  override func cancel(because reason: String) {
    guard isWaiting else { return }
    end(with: .failed(Failure(.cancelled, reason, owner: owner.name)))
    onEndWithoutAnswer(self)
  }

  override func interrupt() { cancel(because: "it was interrupted") }

  /// The reply once the client has answered, with what takes it back registered; nil before.
  fileprivate func taken() -> Reply? {
    if let undoing, case .value? = reply, let dispatcher = life.object {
      let reversal = PerformedReversal(
        undoing.reference, undoing.arguments, at: by, taker: responder, of: owner, dispatcher)
      (reversal.title, reversal.key) = (undoing.title, undoing.key)
      dispatcher.undo.register(reversal)
      self.undoing = nil
    }
    return reply
  }

  fileprivate var stray: Owner? { owner.isInactive ? owner : nil }
}

/// The suspension of an action that a client does.
private final class ClientWait: Suspension {
  private let call: ClientCall

  init(_ call: ClientCall) {
    self.call = call
    super.init()
    awaited = call
    isNested = true
  }

  override var stray: Owner? { call.stray }

  override func resume() -> Reply { call.taken() ?? .waiting(self) }
}

extension Double {
  /// So many seconds, in words.
  fileprivate var asSeconds: String {
    let number = self == rounded() && self < 1e9 ? "\(Int(self))" : "\(self)"
    return self == 1 ? "1 second" : "\(number) seconds"
  }
}
