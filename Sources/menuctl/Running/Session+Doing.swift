import Glibc
import LiveHost
import ScriptHost
import Terminal

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
      let answers = answers(to: question, of: deed, besides: manner.answered.arguments, form: form(of: deed)),
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

// Hints for a name of the command line that the app doesn't know: what was most likely meant.

extension Session {
  /// If nobody answers an action, says so, with the nearest name.
  func tellWhetherAnswered(_ name: String) throws(Problem) {
    guard let found = try asking({ subject throws(Unanswered) in try subject.validations(of: [name]) }).first,
      found.kind == .ref, !found.validation.isEnabled, found.validation.by == nil, let reason = found.validation.reason
    else { return }
    help(reason)
  }

  /// Says what else an unanswered name may mean: the title of an item, or a key that isn't bound.
  func tellOthers(of name: String) throws(Problem) {
    let titled = try asking { subject throws(Unanswered) in try subject.menus() }.allItems
      .filter { $0.title.lowercased() == name.lowercased() && $0.action != name }
    let app = invocation.operands[0].shellWord
    if let item = titled.first {
      help("'\(name)' is the title of an item: menuctl \(invocation.verb.name) \(app) \(item.id.shellWord)")
    } else if let keys = try? KeySequence.parse(name) {
      try tellOfKeys(keys, named: name, of: app)
    } else if let keys = try? KeySequence.parse(name.split(separator: "-").joined(separator: "+")), name.contains("-") {
      help("a key is written with '+': menuctl \(invocation.verb.name) \(app) \(keys.text.shellWord)")
    }
  }

  /// Says what keys come to to which nothing is bound, unless the answer was about them.
  private func tellOfKeys(_ keys: KeySequence, named name: String, of app: String) throws(Problem) {
    let known = try asking { subject throws(Unanswered) in try subject.keys() }
    if known.contains(where: { $0.keys == keys.text }) { return }
    let begun = known.filter { $0.isReached && $0.keys.hasPrefix("\(keys.text) ") }.map { "'\($0.keys)'" }
    if begun.isEmpty {
      help("nothing is bound to '\(name)' as a key; 'menuctl keys \(app)' lists those that are")
    } else if (try? Reference.parse(name)) != nil {
      help("as a key '\(name)' only begins \(begun.joined(separator: ", "))")
    }
  }

  /// The same problem; if APP and the other operand were written the wrong way around, with the right command line as help.
  func turned(_ problem: Problem) -> Problem {
    let operands = invocation.operands
    guard operands.count == 2, !operands[0].hasSuffix(".lua"), !operands[0].hasPrefix("@"),
      access(operands[0], F_OK) != 0, Self.isApp(operands[1])
    else { return problem }
    let words = ["menuctl", invocation.verb.name, operands[1], operands[0]].map(\.shellWord)
    return problem.helped("APP comes first: \(words.joined(separator: " "))\(invocation.options.isEmpty ? "" : " …")")
  }

  private static func isApp(_ word: String) -> Bool {
    word.hasPrefix("@") || access(word.hasSuffix(".lua") ? word : "\(word)/app.lua", F_OK) == 0
  }

  /// Says that the rest was not done, since `Patience.most` of the deeds spent their limits.
  func tellOfPatience() {
    help("\(Patience.most) of these spent what each may, and what stands behind the last of them was not done")
  }

  /// Writes a hint to stderr.
  func help(_ sentence: String) { output.remark { $0.help(sentence) } }
}

extension TextRenderer {
  func help(_ sentence: String) -> String { "\(palette("help", .strong)): \(sentence.visible)" }
}

extension MenuElement {
  fileprivate var allItems: [MenuElement] { items + (panel?.items ?? []) }
}

/// The answer of a person who was asked for one line.
enum Said {
  case line(String)
  /// The person doesn't want to answer.
  case nothing
  case nobody
}

extension Session {
  /// The answers that the command line gives in advance, by `--arg`.
  func given() throws(Problem) -> Answered {
    let given = try invocation.pairs(.argument)
    return Answered(arguments: given.isEmpty ? nil : given)
  }

  /// A person's answers to a question; nil if nobody answers. With `--yes` confirmations are answered without asking.
  ///
  /// - Parameters:
  ///   - deed: the deed that is carried out with the answers; nil for a question in the middle of an action.
  ///   - given: the arguments that were given before.
  ///   - form: the form after some answers; nil if the app can't say it.
  func answers(
    to question: Outcome.Question, of deed: Deed?, besides given: Arguments = Arguments(),
    form: AskedInMiddle.Forming
  ) -> Answered? {
    openQuestion = (question, deed)
    defer { openQuestion = nil }
    var answered = Answered()
    var fields = question.arguments.filter(\.isForPeople)
    var left = fields.map(\.key)
    // Only the app knows about a pattern, and what the other arguments may be after an answer. A secret is given to the action alone.
    var heard = given
    while let key = left.first, let field = fields.first(where: { $0.key == key }) {
      guard let value = answer(to: field) else { return nil }
      answered.arguments[key] = value.isNull ? nil : value
      if !field.isSecret { heard[key] = answered.arguments[key] }
      if !field.isSecret, let form = form(heard) {
        fields = form.fields
        if let misfit = form.validation.misfit, misfit.argument == key {
          output.ask("  \(misfit.reason.visible)\n")
          (answered.arguments[key], heard[key]) = (nil, nil)
          continue
        }
      }
      left.removeFirst()
    }
    if let confirm = question.confirm {
      guard let isConfirmed = isConfirmed(confirm) else { return nil }
      answered.confirmed = isConfirmed
      // '--yes' is for whatever is asked.
      if !invocation.has(.yes) { answered.asked = confirm }
    }
    return answered
  }

  private func form(of deed: Deed) -> AskedInMiddle.Forming {
    { [unowned self] answers in try? asking { subject throws(Unanswered) in try subject.form(of: deed, answers) } }
  }

  /// Asks the person what an action asks in the middle of its work (A10). Returns whether there is a person.
  func ask(_ question: PendingQuestion) -> Bool {
    let asked = AskedInMiddle(title: question.title, help: question.help, question: question.question) {
      question.form(answers: $0)
    }
    while true {
      guard let answer = answer(to: asked) else { return false }
      guard let arguments = answer.arguments else { return question.refuse() }
      do throws(Misfit) { return try question.answer(arguments) } catch { output.ask("  \(error.reason.visible)\n") }
    }
  }

  /// A person's answer to a question in the middle of an action; nil if there is no person.
  func answer(to asked: AskedInMiddle) -> AskedInMiddle.Answer? {
    guard mayAsk || invocation.has(.yes) && asked.question.arguments.isEmpty else { return nil }
    for text in [asked.title, asked.help] { if let text { output.ask("\(text.visible)\n") } }
    let answered = answers(to: asked.question, of: nil, form: asked.form)
    guard let answered, answered.confirmed ?? true else { return .init(arguments: nil) }
    return .init(arguments: answered.arguments)
  }

  /// The question to ask again, because the app refused the answer for a reason that only the app knows; shows that reason.
  func again(_ outcome: Outcome, _ asked: [AskedArgument]) -> Outcome.Question? {
    guard outcome.status == .disabled, let misfit = outcome.misfit,
      let argument = asked.last(where: { $0.key == misfit.argument })
    else { return nil }
    output.ask("  \(misfit.reason.visible)\n")
    return Outcome.Question(arguments: [argument])
  }

  private func isConfirmed(_ question: String) -> Bool? {
    if invocation.has(.yes) { return true }
    switch asksPerson(self, "\(question.visible) (y/N) ", false) {
    case .line(let answer): return ["y", "yes"].contains(answer.lowercased())
    case .nothing: return false
    case .nobody: return nil
    }
  }

  /// An argument's value from a person; null if it is left out, nil if nobody answers.
  func answer(to argument: AskedArgument) -> Value? {
    while true {
      guard case .line(let line) = asksPerson(self, argument.prompt, argument.isSecret) else { return nil }
      if line.isEmpty, let proposed = argument.proposed { return proposed }
      if line.isEmpty, !argument.isRequired { return .null }
      do throws(Misfit) {
        return try argument.read(line)
      } catch {
        output.ask("  \(error.reason.visible)\n")
      }
    }
  }

  /// Asks whoever sits at the terminal.
  func askAtTerminal(_ prompt: String, isSecret: Bool) -> Said {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      tellHowToAnswer()
      return .nobody
    }
    // No script runs meanwhile, so an interrupt ends the tool.
    let answer =
      isSecret
      ? interrupts.readHidden { output.ask(prompt) }
      : interrupts.asking {
        output.ask(prompt)
        return readLine()
      }
    if answer == nil || isSecret { output.ask("\n") }
    return answer.map { .line($0) } ?? .nothing
  }
}

extension Interrupts {
  /// Reads a line with the terminal's echo off. It is off before the prompt is shown, and is turned on again however this ends.
  fileprivate func readHidden(_ ask: () -> Void) -> String? {
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
    let shown = before
    var hidden = before
    hidden.c_lflag &= ~tcflag_t(ECHO)
    let show: @Sendable () -> Void = {
      var shown = shown
      tcsetattr(STDIN_FILENO, TCSADRAIN, &shown)
    }
    return asking(leaving: show) {
      tcsetattr(STDIN_FILENO, TCSADRAIN, &hidden)
      defer { show() }
      ask()
      return readLine()
    }
  }
}

extension AskedArgument {
  /// The text before the answer: the title, and what may be given.
  fileprivate var prompt: String {
    var facts = [help, expectedByTitle, suggested].compactMap { $0 }
    if let preset, !isSecret { facts.append("by default \(preset.shown)") }
    if let proposed { facts.append("an empty line is \(proposed.shown)") }
    if isOptional { facts.append("can be left out") }
    if isSecret { facts.append("not shown") }
    return "\((title ?? key).visible) (\(facts.joined(separator: "; ").visible)): "
  }

  /// One line for a list of arguments: the key, and what may be given.
  var line: String {
    var facts = [expectedByTitle]
    if let title { facts.insert(title, at: 0) }
    if let preset, !isSecret { facts.append("by default \(preset.shown)") }
    if isOptional { facts.append("can be left out") }
    if isSecret { facts.append("secret") }
    if let help { facts.append(help) }
    return "\(key.visible): \(facts.joined(separator: ", ").visible)"
  }
}

extension Session {
  /// Says which options answer a question that nobody is there to answer.
  fileprivate func tellHowToAnswer() {
    let keys = openQuestion?.question.arguments.filter { $0.isForPeople && $0.isRequired }.map(\.key) ?? []
    let given = keys.map { "--arg \($0.shellWord)=…" }.joined(separator: " ")
    var ways: [String] = []
    if !given.isEmpty {
      let verb = invocation.verb.options.contains(.argument) ? nil : openQuestion?.deed.flatMap(self.verb(doing:))
      ways.append(verb.map { "'menuctl \($0)' takes '\(given)'" } ?? "'\(given)' answers")
    }
    if openQuestion?.question.confirm != nil { ways.append("'--yes' says yes") }
    help(["nobody can be asked here", ways.joined(separator: ", ")].filter { !$0.isEmpty }.joined(separator: "; "))
  }

  /// The verb that does only this deed.
  private func verb(doing deed: Deed) -> String? {
    switch deed {
    case .perform: Verb.perform.name
    case .press: Verb.press.name
    case .pick: Verb.pick.name
    default: nil
    }
  }
}
