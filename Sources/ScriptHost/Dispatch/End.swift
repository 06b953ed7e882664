/// The numbers of a plan's steps after its providers, in order.
enum Step {
  /// The arguments are put over what providers supplied.
  static let arguments = 0
  /// `needs`, the declared arguments and `can` are checked.
  static let ask = 1
  /// A person confirms the action, and observers are told.
  static let tell = 2
  static let act = 3
}

/// What a run of a plan came to.
enum End {
  /// The run stopped at a step that Swift takes next.
  case step(Int)
  case did(Value)
  /// The handler passed, or `can` did before it.
  case passed(byHandler: Bool)
  case lacks(String)
  /// `can`, or the check of arguments, answered neither yes nor pass.
  case said(Verdict)
  case refused(String)
  /// The allowance was spent while a provider ran, so nobody else can be asked.
  case stopped(Failure)
  case failed(Failure)
  /// The action ended with an outcome before its handler was asked: for example, a person has to confirm it.
  case ended(Outcome)
  /// Its handler waits.
  case waits(Suspension)
  /// A hook gave another answer than the one that the plan was made for.
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
