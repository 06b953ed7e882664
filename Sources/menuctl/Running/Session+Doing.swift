import LiveHost
import ScriptHost

extension Session {
  /// Carries out a deed on the app, adds it to the record, and gives the answer. A line of Lua without a name gets one, and if it fails the
  /// failure is shown.
  ///
  /// If the outcome is a question, a person is asked and the deed is carried out again with the answers, unless `answering` gives them.
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
    if waitingBefore == nil { waitingBefore = isLive ? [] : host.jobs }
    var manner = Manner(answering ?? given, traces: isTraced || traces)
    manner.onProgress = { [output] in output.show($0) }
    keepSecret(deed, manner.answered)
    record.beginStep()
    var done = try asking { subject throws(Unanswered) in try subject.carryOut(deed, manner) }
    var asked: [AskedArgument] = []
    while answering == nil, case .performed(let performed) = done,
      let question = performed.outcome.asks ?? again(performed.outcome, asked),
      let answers = answers(to: question, of: deed, besides: manner.answered.arguments),
      !answers.isEmpty || !question.arguments.isEmpty
    {
      asked += question.arguments
      note(deed, manner.answered, done)
      secrets.formUnion(question.arguments.filter(\.isSecret).map(\.key))
      if let confirmed = answers.confirmed {
        (manner.answered.confirmed, manner.answered.asked) = (confirmed, answers.asked)
      }
      // An argument that is left out this time must not keep its value of the time before.
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

  /// If an argument should be a string and its spelling reads as another type, says how to quote it.
  private func tellHowToQuote(_ done: Answer.Done) {
    guard case .performed(let performed) = done, let misfit = performed.outcome.misfit,
      misfit.expected.hasPrefix("a string")
    else { return }
    let name = misfit.argument + "="
    guard let word = invocation.values(.argument).last(where: { $0.hasPrefix(name) }) else { return }
    let text = String(word.dropFirst(name.count))
    if case .text = Value(spelling: text) { return }
    help("--arg \("\(name)\"\(text)\"".shellWord) gives it as a string")
  }

  /// Tells the record the secret arguments of a deed and of its answers, so that it leaves them out wherever they occur.
  private func keepSecret(_ deed: Deed, _ answered: Answered) {
    keepSecret(of: answered.arguments, as: answered.masked(of: deed, by: host).arguments)
    guard case .perform(let text, let performing) = deed, let reference = try? Reference.parse(text) else { return }
    let arguments = Arguments(reference.arguments, under: performing.arguments)
    keepSecret(of: arguments, as: host.masked(arguments, of: text))
  }

  /// Tells the record the values that are masked, and those that a person was asked for as secrets.
  private func keepSecret(of arguments: Arguments, as masked: Arguments) {
    for (key, value) in arguments.members where secrets.contains(key) || masked[key]?.isSecret ?? false {
      record.keepSecret(value)
    }
  }

  /// Adds a deed to the record with its secrets masked. A live app has masked them itself, since only it knows which arguments are secret.
  private func note(_ deed: Deed, _ answered: Answered, _ done: Answer.Done, isExpression: Bool = false) {
    var deed = deed.masked(by: host)
    if isLive, case .perform(_, let performing) = deed, case .performed(let performed) = done {
      deed = .perform(performed.name, performing)
    }
    var answered = answered.masked(of: deed, by: host)
    for key in secrets where answered.arguments.has(key) { answered.arguments[key] = Value(.secret) }
    record.add(deed, answered, done, isExpression: isExpression)
  }

  /// Whether a deed can be replayed: it can't if it was interrupted, or is a line that is no Lua.
  private func isRepeatable(_ deed: Deed, _ done: Answer.Done) -> Bool {
    if done.status == .interrupted { return false }
    if case .evaluate(let line, _) = deed { return (try? host.read(line: line)) != nil }
    return true
  }

  /// Makes the rows of `--choose` current, one after the other, before the verb does what it is for; throws if one can't be.
  func chooseRows() throws(Problem) {
    for row in invocation.values(.choose) {
      let done = try carryOut(.choose(row))
      guard done.status != .done, case .performed(let performed) = done else { continue }
      let root = try asking { subject throws(Unanswered) in try subject.menus() }
      let reason = performed.outcome.error?.message ?? performed.outcome.reason ?? "nobody handled its 'current'"
      throw Problem(
        root.find(row) == nil ? .usage : done.status, "can't choose '\(row.visible)': \(reason.visible)",
        help: "'menuctl load \(invocation.operands[0].shellWord)' shows the rows of the panel")
    }
  }

  /// The deeds of the command line's options, in their order; throws if one can't be read.
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
      case .choose: deeds.append(.choose(value))
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
