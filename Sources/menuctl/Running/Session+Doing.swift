import LiveHost
import ScriptHost

extension Session {
  /// Does something to the app, tells what came of it, and notes both. A line that nobody has named gets a name of its own, and why it
  /// was not evaluated to its end is shown.
  ///
  /// A question is an outcome: what asks is done again with what a person answers, unless the answers are given here.
  func carryOut(
    _ deed: Deed, traced isTraced: Bool = false, with given: Answered = Answered(), answering: Answered? = nil
  ) throws(Problem) -> Answer.Done {
    var deed = deed
    var isUnnamed = false
    if case .evaluate(let line, nil) = deed {
      deed = .evaluate(line, name: nextLineName(line))
      isUnnamed = true
    }
    if !record.hasBegun {
      record.begin(try asking { subject throws(Unanswered) in try subject.menus() }, globals: host.globals)
    }
    var manner = Manner(answering ?? given, traces: isTraced || traces)
    manner.onProgress = { [output] in output.show($0) }
    keepSecret(deed, manner.answered)
    record.beginStep()
    var done = try asking { subject throws(Unanswered) in try subject.carryOut(deed, manner) }
    var asked: [AskedArgument] = []
    while answering == nil, case .performed(let performed) = done,
      let question = performed.outcome.asks ?? again(performed.outcome, asked),
      let answers = answers(to: question, of: deed), !answers.isEmpty || !question.arguments.isEmpty
    {
      asked += question.arguments
      note(deed, manner.answered, done)
      secrets.formUnion(question.arguments.filter(\.isSecret).map(\.key))
      manner.answered.confirmed = answers.confirmed ?? manner.answered.confirmed
      // What is left out this time was no answer the time before.
      for argument in question.arguments { manner.answered.arguments[argument.key] = answers.arguments[argument.key] }
      keepSecret(deed, manner.answered)
      record.beginStep()
      done = try asking { subject throws(Unanswered) in try subject.carryOut(deed, manner) }
    }
    if isUnnamed, case .evaluated(let evaluated) = done, let failure = evaluated.failure {
      output.show(Diagnostic(.error, failure.code.rawValue, failure.message, place: failure.place))
    }
    if case .focused(let focused) = done, let reason = focused.reason { throw Problem(.no, reason) }
    if isRepeatable(deed, done) {
      let isExpression = if case .evaluate(let line, _) = deed { isExpression(line) } else { false }
      note(deed, manner.answered, done, isExpression: isExpression)
    }
    tellHowToQuote(done)
    return done
  }

  /// Says how a text is given that looks like something else.
  private func tellHowToQuote(_ done: Answer.Done) {
    guard case .performed(let performed) = done, let misfit = performed.outcome.misfit,
      misfit.expected.hasPrefix("a string")
    else { return }
    let name = misfit.argument + "="
    guard let word = invocation.values(.argument).last(where: { $0.hasPrefix(name) }) else { return }
    let text = String(word.dropFirst(name.count))
    guard !text.isEmpty, case .text = Value(spelling: text) else {
      return help("--arg \("\(name)\"\(text)\"".shellWord) gives it as a string")
    }
  }

  /// Remembers what is secret of what is given, so that it stands nowhere in what scripts are given in turn.
  private func keepSecret(_ deed: Deed, _ answered: Answered) {
    keepSecret(of: answered.arguments, as: answered.masked(of: deed, by: host).arguments)
    guard case .perform(let text, let performing) = deed, let reference = try? Reference.parse(text) else { return }
    let arguments = Arguments(reference.arguments).merging(performing.arguments)
    keepSecret(of: arguments, as: host.masked(arguments, of: text))
  }

  /// Keeps secret the arguments that are masked and those that were asked for as secrets.
  private func keepSecret(of arguments: Arguments, as masked: Arguments) {
    for (key, value) in arguments.members where secrets.contains(key) || masked[key]?.isSecret ?? false {
      record.keepSecret(value)
    }
  }

  /// Writes down what was done, without what is secret: a live app knows what that is better than who asked it.
  private func note(_ deed: Deed, _ answered: Answered, _ done: Answer.Done, isExpression: Bool = false) {
    var deed = deed.masked(by: host)
    if isLive, case .perform(_, let performing) = deed, case .performed(let performed) = done {
      deed = .perform(performed.name, performing)
    }
    var answered = answered.masked(of: deed, by: host)
    for key in secrets where answered.arguments.has(key) { answered.arguments[key] = Value(.secret) }
    record.add(deed, answered, done, isExpression: isExpression)
  }

  /// Whether a deed can be done again: not what can't be read, or a person ended.
  private func isRepeatable(_ deed: Deed, _ done: Answer.Done) -> Bool {
    if done.status == .interrupted { return false }
    if case .evaluate(let line, _) = deed { return (try? host.read(line: line)) != nil }
    return true
  }

  /// The deeds that the options of a command line say, in their order. All of them can be read.
  func deeds() throws(Problem) -> [Deed] {
    var deeds: [Deed] = []
    for (option, value) in invocation.options {
      switch option {
      case .perform:
        try Self.check(value)
        deeds.append(.perform(value))
      case .press:
        try Self.read(keys: value)
        deeds.append(.press(value))
      case .pick: deeds.append(.pick(value))
      case .focus: deeds.append(.focus(value))
      case .eval:
        try check(line: value)
        deeds.append(.evaluate(value))
      default: continue
      }
    }
    return deeds
  }
}
