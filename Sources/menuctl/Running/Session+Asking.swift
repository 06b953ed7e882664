import Glibc
import LiveHost
import ScriptHost
import Terminal

/// The answer of a person who was asked for one line.
enum Said {
  case line(String)
  /// The person doesn't want to answer.
  case nothing
  case nobody
}

extension Session {
  /// The answers that the command line gives in advance, by `--arg`.
  func given() throws(Problem) -> Answered { Answered(arguments: try invocation.pairs(.argument)) }

  /// A person's answers to a question; nil if nobody answers. With `--yes` confirmations are answered without asking.
  ///
  /// - Parameter given: the arguments that were given before.
  func answers(to question: Outcome.Question, of deed: Deed, besides given: Arguments) -> Answered? {
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
      if !field.isSecret, let form = try? asking({ subject throws(Unanswered) in try subject.form(of: deed, heard) }) {
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
    var facts = [help, expectedByTitle].compactMap { $0 }
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
      let verb = invocation.verb.options.contains(.argument) ? nil : openQuestion.flatMap { self.verb(doing: $0.deed) }
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
