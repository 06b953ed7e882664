/// An action done by a client, a program outside the host. It ends when the client answers or the time limit passes.
package final class ClientCall: Job {
  /// A client's answer.
  package enum Answer {
    case result(Value)
    case reason(String)
    case error(String)
    case pass
  }

  /// The action that undoes the client's work.
  package struct Undoing {
    let reference: Reference
    let arguments: LiteralObject
    let title: String?
    /// Merges this with the previous undo step if both have the same key.
    let key: String?

    package init(_ reference: Reference, _ arguments: LiteralObject, title: String?, coalesce key: String?) {
      self.key = key
      self.reference = reference
      self.arguments = arguments
      self.title = title?.cut(toBytes: 4096)
    }

    /// The bytes that a history keeps of it.
    var bytes: Int {
      64 + Reference(id: reference.id, arguments: arguments).format().utf8.count + (title?.utf8.count ?? 0)
        + (key?.utf8.count ?? 0)
    }
  }

  /// The host owns the dispatcher. The client may keep this object longer.
  private let life: Life<Dispatcher>
  /// The time limit in seconds.
  private let patience: Double
  private var limit: Int64 { Int64(patience * 1e9) }
  /// Called if the action ends before the client answers.
  private let onEndWithoutAnswer: (ClientCall) -> Void
  /// The handler's reply; nil until the client answers.
  private var reply: Reply?
  private var undoing: Undoing?
  /// The question that the client asks a person in the middle of the call, until it has an answer.
  private(set) var question: Job?

  init(
    _ action: String, of responder: Responder, _ owner: Owner, in dispatcher: Dispatcher, patience: Double,
    onEndWithoutAnswer: @escaping (ClientCall) -> Void
  ) {
    life = dispatcher.life
    self.patience = patience
    self.onEndWithoutAnswer = onEndWithoutAnswer
    // This call blocks nothing itself: the waiting action does.
    super.init(Subject(action: action, responder: responder, owner: owner, isReentrant: true))
  }

  var owner: Owner { memory.subject.owner }

  /// Other code sees only the waiting action as a job, not this call.
  override var isTimer: Bool { true }

  /// Starts the time limit, and returns a reply that waits for the client.
  func begin() -> Reply {
    life.object?.scheduler.add(self, nanoseconds: limit)
    return .waiting(ClientWait(self))
  }

  /// Ends the call. The action continues when the host next runs. Returns false if the call has already ended.
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

  /// Reports progress and restarts the time limit. Returns false if the call has already ended.
  package func report(fraction: Double?, text: String?) -> Bool {
    guard isWaiting, let scheduler = life.object?.scheduler else { return false }
    scheduler.leave(self)
    scheduler.add(self, nanoseconds: limit)
    guard let waiter = memory.parent else { return true }
    waiter.progress = Progress(fraction: fraction ?? waiter.progress?.fraction ?? 0, text: text)
    return true
  }

  /// Asks a person. The time limit rests until the answer, and then begins anew.
  func ask(_ question: Job) {
    guard isWaiting, let scheduler = life.object?.scheduler else { return }
    self.question = question
    scheduler.leave(self)
    scheduler.add(self, nanoseconds: .max)
    question.onEnd { [weak self] _ in
      guard let self, self.question === question else { return }
      self.question = nil
      guard isWaiting, let scheduler = life.object?.scheduler else { return }
      scheduler.leave(self)
      scheduler.add(self, nanoseconds: limit)
    }
    question.isAwaitedNow()
  }

  private func end(with reply: Reply) {
    guard let scheduler = life.object?.scheduler else { return }
    question?.cancel(because: "its action has ended")
    self.reply = reply
    scheduler.leave(self)
    scheduler.end(self)
  }

  /// The time limit has passed.
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

  /// Returns the reply and registers its undo action; nil until the client answers.
  fileprivate func taken() -> Reply? {
    if let undoing, case .value? = reply, let dispatcher = life.object {
      dispatcher.undo.register(ClientReversal(undoing, at: by, taker: responder, of: owner, dispatcher))
      self.undoing = nil
    }
    return reply
  }

  fileprivate var stray: Owner? { owner.isInactive ? owner : nil }
}

/// Undoes a client's work with an action. Its bytes count toward the client's limit while a history has it.
private final class ClientReversal: PerformedReversal {
  private let bytes: Int

  init(
    _ undoing: ClientCall.Undoing, at start: String, taker: Responder, of client: Owner, _ dispatcher: Dispatcher
  ) {
    bytes = undoing.bytes
    super.init(undoing.reference, undoing.arguments, at: start, taker: taker, of: client, dispatcher)
    (title, key) = (undoing.title, undoing.key)
    client.toldBytes += bytes
  }

  deinit { owner.toldBytes -= bytes }
}

/// The suspension of an action that waits for a client.
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
  /// The duration in words, as in `2 seconds`.
  fileprivate var asSeconds: String {
    let number = self == rounded() && self < 1e9 ? "\(Int(self))" : "\(self)"
    return self == 1 ? "1 second" : "\(number) seconds"
  }
}
