/// A question that an action asks a person during its work, with `ask { … }` (A10).
///
/// The action waits for the answer, while everything else in the host continues.
///
/// ```swift
/// let host = ScriptHost()
/// try host.load(text: "function app.on:bye() return ask { confirm = 'Leave?' } end", name: "bye.lua")
/// host.onQuestion = { question in
///   print(question.confirm ?? "")  // Leave?
///   return (try? question.answer()) ?? false
/// }
/// print(host.perform("bye", wait: true).result)  // bool(true)
/// ```
public final class PendingQuestion: Job {
  /// The title for a form; nil if the script sets none.
  public let title: String?
  /// A sentence that describes the question.
  public let help: String?
  /// The text to confirm.
  public let confirm: String?
  private let takes: Takes?
  private weak var dispatcher: Dispatcher?
  /// Passes the question to a listener. Returns true if a person will see it.
  private let hear: (PendingQuestion) -> Bool
  /// The values that `ask` returns to the script: answers, true, or nil and the reason.
  private var answer: [Value] = [.null]
  /// Called with the values for the script.
  var onAnswer: (([Value]) throws -> Void)?

  init(
    _ subject: Subject, title: String?, help: String?, confirm: String?, takes: Takes?, in dispatcher: Dispatcher,
    hear: @escaping (PendingQuestion) -> Bool
  ) {
    self.hear = hear
    self.title = title
    self.help = help
    self.confirm = confirm
    self.takes = takes
    self.dispatcher = dispatcher
    super.init(subject)
    memory.state = .waiting
  }

  /// The reason that `ask` returns if there is no person.
  static let nobody = "nobody can be asked"

  override var isQuestion: Bool { true }
  override var givesValues: Bool { true }
  override var values: [Value] { answer }

  /// Passes the question to a listener, once the action waits.
  override func isAwaitedNow() {
    guard isWaiting else { return }
    let began = SystemClock().nanoseconds
    let isAsked = hear(self)
    // The listener may wait for the person, for which no script pays.
    dispatcher?.engine?.rested(SystemClock().nanoseconds - began)
    if !isAsked { giveUp() }
  }

  override func giveUp() { end(with: [.null, .text(Self.nobody)]) }

  override func cancel(because reason: String) {
    guard isWaiting else { return }
    note(Outcome(.cancelled, by: by, reason: reason))
    end()
    tellEnd()
  }

  override func interrupt() { cancel(because: "it was interrupted") }

  fileprivate func end(with answer: [Value]) {
    guard isWaiting else { return }
    self.answer = answer
    try? onAnswer?(answer)
    note(Outcome(.handled, by: by, result: answer[0]))
    dispatcher?.scheduler.end(self)
    tellEnd()
  }
}

extension PendingQuestion {
  /// Returns the form after some answers: its fields, and the errors in the answers. It doesn't answer the question.
  public func form(answers: Arguments = Arguments()) -> Form {
    guard let takes, let dispatcher else { return Form([], Validation(enabled: true)) }
    return dispatcher.comparing(answers, with: takes, for: memory.subject) { comparing in
      let fields = (try? takes.form(besides: Arguments(), with: answers, comparing)) ?? []
      do throws(Misfit) {
        _ = try Self.fitting(takes.fit(answers, of: action, comparing), answers)
        return Form(fields, Validation(enabled: true))
      } catch {
        var validation = Validation(enabled: false, reason: error.reason)
        validation.misfit = error
        return Form(fields, validation)
      }
    }
  }

  /// The question as a form shows it at first.
  public var question: Outcome.Question { Outcome.Question(confirm: confirm, arguments: form().fields) }

  /// The answer, after the question has ended: the arguments, true for a confirmation, or null and perhaps the reason.
  package var said: (value: Value, reason: String?) {
    let reason: String? = if answer.count > 1, case .text(let text) = answer[1] { text } else { nil }
    return (answer[0], reason ?? outcome.flatMap { $0.status == .cancelled ? $0.reason : nil })
  }

  /// Answers with the arguments, and confirms. Returns false if the question already has an answer. Throws if an
  /// argument is missing or doesn't fit; then the question remains.
  @discardableResult
  public func answer(_ arguments: Arguments = Arguments()) throws(Misfit) -> Bool {
    guard isWaiting else { return false }
    end(with: [try value(of: arguments)])
    return true
  }

  /// Ends the question if no person will see it after all: `ask` returns nil and "nobody can be asked".
  package func remainsUnseen() { giveUp() }

  /// Refuses, so that `ask` returns nil. Returns false if the question already has an answer.
  @discardableResult
  public func refuse() -> Bool {
    guard isWaiting else { return false }
    end(with: [.null])
    return true
  }

  /// Returns the value of `ask` for an answer: true if there is only a confirmation.
  func value(of arguments: Arguments) throws(Misfit) -> Value {
    guard let takes, let dispatcher else {
      if let (key, _) = arguments.members.first { throw Misfit(undeclared: key, of: action, taking: []) }
      return .bool(true)
    }
    let action = self.action
    let answers = dispatcher.comparing(arguments, with: takes, for: memory.subject) {
      comparing -> Result<Arguments, Misfit> in
      do throws(Misfit) {
        return .success(try Self.fitting(takes.fit(arguments, of: action, comparing), arguments))
      } catch { return .failure(error) }
    }
    return .object(try answers.get().members.map { ($0.key, $0.value) })
  }

  /// Returns the answers with their defaults.
  private static func fitting(_ fitting: Fitting, _ given: Arguments) throws(Misfit) -> Arguments {
    switch fitting {
    case .fits(let laid): return given.merging(Arguments(laid.values))
    case .unfit(let misfit): throw misfit
    case .asks(let missing, _):
      guard let first = missing.first(where: { $0.isRequired && given[$0.key]?.orNone == nil }) else { return given }
      throw Misfit(
        argument: first.key, expected: first.expected, reason: "'\(first.key)' is missing: \(first.expected)")
    case .failed(let failure, let misfit):
      throw misfit ?? Misfit(argument: "", expected: "", reason: failure.asReason)
    }
  }
}

/// An answer that a test prepares before a script asks.
enum ReadyAnswer {
  case arguments(Arguments)
  case no
}

extension Job {
  /// The open question of this action, or of the action that it waits for; nil if there is none.
  public var asks: PendingQuestion? {
    let last = last
    let question = last as? PendingQuestion ?? (last as? ClientCall)?.question as? PendingQuestion
    return question.flatMap { $0.isWaiting ? $0 : nil }
  }
}

extension Dispatcher {
  /// Compares answers with the arguments of a question, whose functions are read-only.
  func comparing<Answer>(
    _ answers: Arguments, with takes: Takes, for subject: Job.Subject, _ body: (Comparing) -> Answer
  ) -> Answer {
    allowing {
      if !secretHearers.isEmpty, takes.hasSecrets { takes.tell({ tell(secret: $0) }, of: answers) }
      let context = context(of: defaultWalk(), witness: nil)
      defer { context.end() }
      context.takerObject = subject.responder
      _ = context.put(Request(raw: subject.action, action: subject.action, prefix: "", arguments: answers))
      let comparing = comparing(for: subject.responder, subject.owner, in: context, for: .performing)
      defer { context.takeOut() }
      return engine?.copying("what '\(subject.action)' takes") { body(comparing) } ?? body(comparing)
    }
  }
}
