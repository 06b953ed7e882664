import Glibc
import LiveHost
import ScriptHost
import Terminal

extension Session {
  /// Performs a deed on the app, adds it to the record, and returns the answer.
  ///
  /// A line of Lua gets a name if it has none, and its failure is shown. If the outcome is a question, `answering` or a
  /// person answers it, and the deed is performed again.
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
      manner.answered.about = manner.answered.about ?? question.about
      if let confirmed = answers.confirmed {
        (manner.answered.confirmed, manner.answered.asked) = (confirmed, answers.asked)
      }
      // A skipped argument must not keep its former value.
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

  /// If a string's spelling was read as another type, hints how to quote it.
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

  /// Registers the secret arguments of a deed and its answers with the record, which masks them everywhere.
  private func keepSecret(_ deed: Deed, _ answered: Answered) {
    keepSecret(of: answered.arguments, as: answered.masked(of: deed, by: host).arguments)
    guard case .perform(let text, let performing) = deed, let reference = try? Reference.parse(text) else { return }
    let arguments = Arguments(reference.arguments, under: performing.arguments)
    keepSecret(of: arguments, as: host.masked(arguments, of: text))
  }

  /// Registers masked values, and a person's secret answers, with the record.
  private func keepSecret(of arguments: Arguments, as masked: Arguments) {
    for (key, value) in arguments.members where secrets.contains(key) || masked[key]?.isSecret ?? false {
      record.keepSecret(value)
    }
  }

  /// Adds a deed to the record with its secrets masked. A live app masks them itself, since only it knows them.
  private func note(_ deed: Deed, _ answered: Answered, _ done: Answer.Done, isExpression: Bool = false) {
    var deed = deed.masked(by: host)
    if isLive, case .perform(_, let performing) = deed, case .performed(let performed) = done {
      deed = .perform(performed.name, performing)
    }
    var answered = answered.masked(of: deed, by: host)
    for key in secrets where answered.arguments.has(key) { answered.arguments[key] = Value(.secret) }
    record.add(deed, answered, done, isExpression: isExpression)
  }

  /// Returns true if a deed can be replayed: it wasn't interrupted, and a line is valid Lua.
  private func isRepeatable(_ deed: Deed, _ done: Answer.Done) -> Bool {
    if done.status == .interrupted { return false }
    if case .evaluate(let line, _) = deed { return (try? host.read(line: line)) != nil }
    return true
  }

  /// Makes the rows of `--choose` current in their order before the verb's own work. Throws if one can't be.
  func chooseRows() throws(Problem) {
    for row in invocation.values(.choose) {
      let done = try carryOut(.choose(row))
      guard done.status != .done, case .performed(let performed) = done else { continue }
      let root = try asking { subject throws(Unanswered) in try subject.menus() }
      let reason = performed.outcome.error?.message ?? performed.outcome.reason ?? "no responder handled its 'current'"
      throw Problem(
        root.find(row) == nil ? .usage : done.status, "can't choose '\(row.visible)': \(reason.visible)",
        help: "'menuctl load \(invocation.operands[0].shellWord)' shows the rows of the panel")
    }
  }

  /// Returns the deeds of the command line's options in their order. Throws if an option can't be read.
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

// Hints for unknown names on the command line, with likely known names.

extension Session {
  /// Hints that no responder handles an action, with the nearest name.
  func tellWhetherAnswered(_ name: String) throws(Problem) {
    guard let found = try asking({ subject throws(Unanswered) in try subject.validations(of: [name]) }).first,
      found.kind == .ref, !found.validation.isEnabled, found.validation.by == nil, let reason = found.validation.reason
    else { return }
    help(reason)
  }

  /// Hints at other meanings of an unhandled name: the title of an item, or an unbound key.
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

  /// Hints at the effect of unbound keys, unless the answer was about them.
  private func tellOfKeys(_ keys: KeySequence, named name: String, of app: String) throws(Problem) {
    let known = try asking { subject throws(Unanswered) in try subject.keys() }
    if known.contains(where: { $0.keys == keys.text }) { return }
    let begun = known.filter { $0.isReached && $0.keys.hasPrefix("\(keys.text) ") }.map { "'\($0.keys)'" }
    let takesText = known.contains { $0.keys == KeySequence.text.text && $0.isReached && $0.conflict == nil }
    if takesText, keys.strokes.count == 1, keys.strokes[0].typed != nil {
      help("as a key, '\(name)' is typed: menuctl why \(app) \(name.shellWord) --as key")
    } else if begun.isEmpty {
      help("nothing is bound to '\(name)' as a key; 'menuctl keys \(app)' lists those that are")
    } else if (try? Reference.parse(name)) != nil {
      help("as a key, '\(name)' is only the beginning of \(begun.joined(separator: ", "))")
    }
  }

  /// Returns the same problem. If APP and the other operand are swapped, its help is the right command line.
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

  /// Hints that the rest was not performed, since `Patience.most` deeds spent their limits.
  func tellOfPatience() {
    help("\(Patience.most) of these spent their limits, so the rest was not performed")
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

/// A person's answer to a one-line question.
enum Said {
  case line(String)
  /// The person doesn't want to answer.
  case nothing
  case nobody
}

extension Session {
  /// Returns the answers in `--arg` options.
  func given() throws(Problem) -> Answered {
    let given = try invocation.pairs(.argument)
    return Answered(arguments: given.isEmpty ? nil : given)
  }

  /// Returns a person's answers to a question; nil without an answer. `--yes` answers all confirmations.
  ///
  /// - Parameters:
  ///   - deed: the deed for the answers; nil for a question in the middle of an action.
  ///   - given: the arguments before the question.
  ///   - form: the form after some answers; nil if the app can't compute it.
  func answers(
    to question: Outcome.Question, of deed: Deed?, besides given: Arguments = Arguments(),
    form: AskedInMiddle.Forming
  ) -> Answered? {
    openQuestion = (question, deed)
    defer { openQuestion = nil }
    var answered = Answered()
    var fields = whole(question.arguments, form, given).filter(\.isForPeople)
    var left = fields.map(\.key)
    // Only the app can check a pattern, and the other arguments after an answer. A secret goes to the action alone.
    var heard = given
    while let key = left.first, let field = fields.first(where: { $0.key == key }) {
      guard let value = answer(to: field) else { return nil }
      answered.arguments[key] = value.isNull ? nil : value
      if !field.isSecret { heard[key] = answered.arguments[key] }
      if !field.isSecret, let made = form(heard) {
        fields = whole(made.fields, form, heard)
        if let misfit = made.validation.misfit, misfit.argument == key {
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
      // '--yes' answers any question.
      if !invocation.has(.yes) { answered.asked = confirm }
    }
    return answered
  }

  /// The fields of a form, once the values that they wait for have come; as they are after ten seconds.
  private func whole(
    _ fields: [AskedArgument], _ form: AskedInMiddle.Forming, _ heard: Arguments
  ) -> [AskedArgument] {
    var fields = fields
    for _ in 0..<200 where fields.contains(where: \.isAwaited) {
      if isLive {
        usleep(50_000)
      } else {
        interrupts.working { for job in host.jobsOfForms { _ = host.wait(for: job) } }
      }
      fields = form(heard)?.fields ?? fields
    }
    return fields
  }

  private func form(of deed: Deed) -> AskedInMiddle.Forming {
    { [unowned self] answers in try? asking { subject throws(Unanswered) in try subject.form(of: deed, answers) } }
  }

  /// Shows a person a question from the middle of an action (A10). Returns false without a person.
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

  /// Returns a person's answer to a question in the middle of an action; nil without a person.
  func answer(to asked: AskedInMiddle) -> AskedInMiddle.Answer? {
    guard mayAsk || invocation.has(.yes) && asked.question.arguments.isEmpty else { return nil }
    for text in [asked.title, asked.help] { if let text { output.ask("\(text.visible)\n") } }
    let answered = answers(to: asked.question, of: nil, form: asked.form)
    guard let answered, answered.confirmed ?? true else { return .init(arguments: nil) }
    return .init(arguments: answered.arguments)
  }

  /// Returns the question to repeat after the app refused an answer, and shows its reason.
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

  /// Returns an argument's value from a person; null if skipped, nil without an answer.
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

  /// Asks the person at the terminal.
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
  /// Reads a line with the terminal's echo off from before the prompt until the end in any case.
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
  /// The text before the answer: the title, and the allowed values.
  fileprivate var prompt: String {
    var facts = [help, expectedByTitle, suggested].compactMap { $0 }
    if let preset, !isSecret { facts.append("by default \(preset.shown)") }
    if let proposed { facts.append("an empty line is \(proposed.shown)") }
    if isOptional { facts.append("can be left out") }
    if isSecret { facts.append("not shown") }
    return "\((title ?? key).visible) (\(facts.joined(separator: "; ").visible)): "
  }

  /// The line of an argument in a list: the key, and the allowed values.
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
  /// Hints at the options that answer a question without a person.
  fileprivate func tellHowToAnswer() {
    let keys = openQuestion?.question.arguments.filter { $0.isForPeople && $0.isRequired }.map(\.key) ?? []
    let given = keys.map { "--arg \($0.shellWord)=…" }.joined(separator: " ")
    var ways: [String] = []
    if !given.isEmpty {
      let verb = invocation.verb.options.contains(.argument) ? nil : openQuestion?.deed.flatMap(self.verb(doing:))
      ways.append(verb.map { "'menuctl \($0)' takes '\(given)'" } ?? "'\(given)' answers")
    }
    if openQuestion?.question.confirm != nil { ways.append("'--yes' says yes") }
    help(
      ["there is no terminal to ask on", ways.joined(separator: ", ")].filter { !$0.isEmpty }.joined(separator: "; "))
  }

  /// Returns the verb for just this deed.
  private func verb(doing deed: Deed) -> String? {
    switch deed {
    case .perform: Verb.perform.name
    case .press: Verb.press.name
    case .pick: Verb.pick.name
    default: nil
    }
  }
}
