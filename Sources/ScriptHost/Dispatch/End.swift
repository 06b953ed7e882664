/// The steps of a plan behind its providers, in order.
enum Step {
  /// What is asked is put over what was supplied.
  static let arguments = 0
  /// `needs`, what is taken, and `can`.
  static let ask = 1
  /// A person confirms it, and who observes is told.
  static let tell = 2
  static let act = 3
}

/// What a run of a plan came to.
enum End {
  /// A step of Swift's comes next.
  case step(Int)
  case did(Value)
  /// By its handler, or before that by its `can`.
  case passed(byHandler: Bool)
  case lacks(String)
  /// Who was asked whether it may be done said neither yes nor pass.
  case said(Verdict)
  case refused(String)
  /// A limit was spent while a provider ran: nobody else can be asked.
  case stopped(Failure)
  case failed(Failure)
  /// A person has to confirm it first, or did not.
  case ended(Outcome)
  /// Its handler waits.
  case waits(Suspension)
  /// Who has a say in who takes the action said something else than when it was prepared.
  case hookAnswers([HookAnswer])

  init(_ reply: Reply) {
    switch reply {
    case .value(let value): self = .did(value)
    case .pass: self = .passed(byHandler: true)
    case .refused(let reason): self = .refused(reason)
    case .failed(let failure): self = .failed(failure)
    case .waiting(let suspension): self = .waits(suspension)
    }
  }

  /// Nil where it may be done.
  init?(_ verdict: Verdict) {
    switch verdict {
    case .yes: return nil
    case .pass: self = .passed(byHandler: false)
    default: self = .said(verdict)
    }
  }
}
