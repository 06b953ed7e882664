import Glibc
import LiveHost
import ScriptHost

/// A *REPL* reads lines, runs them on one app, and shows the results and the changes of the menus.
final class Repl {
  private(set) var session: Session
  private let invocation: Invocation
  private let lines: ReplLines
  private let isStrict: Bool
  /// The highest status of an entry so far.
  private var highest = ExitStatus.done
  private var isOver = false
  private var isTracing = false
  /// The path of the recording, written at the end; nil without a recording.
  private var recording: String?

  /// A command, or Lua of one or more lines.
  private struct Entry {
    let text: String
    /// The number of its first line.
    let line: Int
  }

  init(_ session: Session) {
    self.session = session
    invocation = session.invocation
    lines = ReplLines()
    isStrict = session.invocation.has(.strict)
    lines.completer = { [unowned self] line, cursor in
      Completer(subject: self.session.subject, commands: ReplCommand.all).completions(of: line, at: cursor)
    }
    answer()
  }

  /// Runs all entries. Returns the highest status of an entry, or `done` if a person typed them.
  func run() -> ExitStatus {
    if let interrupter = lines.interrupter, let restorer = lines.restorer {
      session.interrupts.stay(whileIdle: interrupter, leaving: restorer)
    }
    while !isOver, let entry = next() {
      let status = run(entry)
      highest = max(highest, status)
      // The live app has ended.
      if session.isGone { break }
      if isStrict, status.isError { break }
      // An interrupt ends all lines of a file or a pipe.
      if status == .interrupted, !lines.isTerminal { break }
    }
    endRecording()
    return lines.isTerminal ? .done : highest
  }

  func quit() { isOver = true }

  /// Makes the session ask its questions with the line editor. Without a terminal there is no answer.
  private func answer() {
    session.asksPerson = { [unowned self] session, prompt, isSecret in
      guard lines.isTerminal else { return .nobody }
      if isSecret { return session.askAtTerminal(prompt, isSecret: true) }
      session.interrupts.isIdle = true
      defer { session.interrupts.isIdle = false }
      guard case .line(let answer) = lines.ask(prompt) else { return .nothing }
      return .line(answer)
    }
  }

  // MARK: Entries

  /// Reads the next entry, with as many lines as Lua's parser needs.
  private func next() -> Entry? {
    var text = ""
    var first = 0
    while true {
      session.interrupts.isIdle = true
      let read = lines.next(isContinued: first > 0)
      session.clearInterrupt()
      session.interrupts.isIdle = false
      switch read {
      // An unfinished entry of a file or a pipe runs, and causes an error. A person who ends the input wants to leave.
      case .end: return first > 0 && !lines.isTerminal ? entry(text, first) : nil
      case .interrupted:
        text = ""
        first = 0
      case .line(let line):
        text = first > 0 ? "\(text)\n\(line)" : line
        if first == 0 { first = lines.number }
        if line.allSatisfy(\.isBlank), first == lines.number {
          first = 0
        } else if isCommand(text) || isQuestion(text) || isComplete(text) {
          return entry(text, first)
        }
      }
    }
  }

  private func entry(_ text: String, _ line: Int) -> Entry {
    if let remembered = session.remembered(text) { lines.remember(remembered) }
    return Entry(text: text, line: line)
  }

  private func isCommand(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: ":") }

  private func isQuestion(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "?") }

  /// Returns true if Lua's parser needs no further line. The added newline shows unfinished strings.
  private func isComplete(_ text: String) -> Bool {
    do {
      try session.host.read(line: text + "\n")
      return true
    } catch {
      return error.kind != .incomplete
    }
  }

  private func run(_ entry: Entry) -> ExitStatus {
    let output = session.output
    output.startOver()
    session.host.run()
    if isQuestion(entry.text) { return answer(entry.text) }
    return isCommand(entry.text) ? run(command: entry.text) : evaluate(entry.text, as: lines.name(entry.line))
  }

  // MARK: Lua

  /// Evaluates an entry of Lua, and shows its values and the changes of the menus.
  private func evaluate(_ text: String, as name: String) -> ExitStatus {
    let output = session.output
    do {
      let done = try session.carryOut(.evaluate(text, name: name))
      guard case .evaluated(let evaluated) = done else { return done.status }
      for value in evaluated.inspected { output.say { $0.text(value) } }
      if let failure = evaluated.failure {
        output.remark { $0.text(failure, at: failure.place.map(lines.place)) }
        tellCommand(meantBy: text, failure)
      }
      output.say { renderer in renderer.lines(evaluated.changes).map { "  \($0)" } }
      return done.status
    } catch {
      output.show(error)
      return error.status
    }
  }

  /// If a failed line begins with the name of a command, hints that commands need a ':'.
  private func tellCommand(meantBy text: String, _ failure: Failure) {
    guard let word = CommandWords(text).words.first?.text,
      let command = ReplCommand.named(word == "exit" ? "quit" : word),
      failure.message.contains("'\(word)' is not defined") || (try? session.host.read(line: text)) == nil
    else { return }
    session.help("':\(command.name)' is a command; a line without ':' is Lua")
  }

  func time(_ text: String) -> ExitStatus {
    let began = Self.seconds
    let status = evaluate(text, as: lines.name(lines.number))
    let seconds = Self.seconds - began
    session.output.say { _ in "took \(seconds.duration)" }
    return status
  }

  private static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: Commands

  private func answer(_ question: String) -> ExitStatus {
    do {
      session.output.answer(.text(try ReplHelp.page(question)))
      return .done
    } catch {
      session.output.show(error)
      return error.status
    }
  }

  private func run(command text: String) -> ExitStatus {
    let output = session.output
    defer { output.isJSON = false }
    do {
      let words = CommandWords(text)
      let name = String(words.words[0].text.dropFirst())
      guard let command = ReplCommand.named(name) else { throw ReplHelp.unknown(name) }
      return try command.run(self, words)
    } catch let problem as Problem {
      output.show(problem)
      return problem.status
    } catch {
      output.show(Problem(.raised, "\(error)"))
      return .raised
    }
  }

  /// Runs a verb of the tool on the running app.
  func run(_ verb: Verb, _ words: CommandWords) throws -> ExitStatus {
    let command = ReplCommand.named(verb.name)
    let invocation = try Invocation(
      verb, of: session.source?.name ?? "", try operands(of: verb, words), usage: command?.usage ?? verb.usage)
    let output = session.output
    if invocation.verb.name == Verb.help.name {
      output.answer(.text(try ReplHelp.text(verb.name)))
      return .done
    }
    let known = command?.options ?? []
    if let other = invocation.options.map(\.option).first(where: { !known.contains($0) }) {
      throw Problem(.usage, "':\(verb.name)' has no option '\(other.name)': the app is loaded already")
    }
    output.isJSON = invocation.has(.json)
    let reply = try VerbBody.of(verb).run(Session(invocation, of: session))
    if let answer = reply.answer { output.answer(answer) }
    return reply.status
  }

  /// Returns a verb's operands. A single operand gets all words, because ids may contain blanks.
  private func operands(of verb: Verb, _ words: CommandWords) throws(Problem) -> [String] {
    let given = words.words.dropFirst()
    let options = given.filter { $0.text.utf8.first == UInt8(ascii: "-") && !$0.isQuoted }
    guard verb.operands.count == 2, verb.operands.last?.isRepeated != true, options.isEmpty, given.count > 1,
      let first = given.first, let last = given.last
    else { return given.map(\.text) }
    return [words.text(from: first, to: last)]
  }

  func perform(_ action: String, _ words: CommandWords) throws -> ExitStatus {
    try words.none(action)
    let done = try session.carryOut(.perform(action))
    session.output.answer(.done(done))
    return done.status
  }

  /// Turns the trace of performs on or off.
  func trace(_ isWanted: Bool) {
    isTracing = isWanted
    let output = session.output
    if session.isLive {
      session.traces = isWanted
      return
    }
    session.host.onTrace = isWanted ? { trace in output.say { $0.lines([trace].steps) } } : nil
  }

  /// Loads another app and continues with it; if it doesn't load, keeps the current app.
  func load(_ path: String) throws -> ExitStatus {
    let kept = invocation.options.filter { Option.loading.contains($0.option) }
    let other = try Session(
      Invocation(
        .load, of: path, kept.map { $0.option.value == nil ? $0.option.name : "\($0.option.name)=\($0.value)" },
        usage: Verb.load.usage),
      output: session.output, interrupts: session.interrupts)
    let reply: Reply
    do {
      reply = try VerbBody.load.run(other)
    } catch {
      try session.takeInterrupts()
      throw error
    }
    endRecording()
    session = other
    answer()
    if isTracing { trace(true) }
    if let answer = reply.answer { session.output.answer(answer) }
    return reply.status
  }

  // MARK: Recordings

  func record(to path: String) throws(Problem) {
    if path == "off" {
      if recording == nil { throw Problem(.no, "nothing is being recorded") }
      return endRecording()
    }
    endRecording()
    // Writes the file at once, so that an error is visible before the session and not after it.
    try writeRecording(to: path)
    recording = path
  }

  private func writeRecording(to path: String) throws(Problem) {
    let text = try RecordingText.text(session.record, of: session.appSource, settings: session.host.settings)
    try AtomicFile.write(recorded: text, to: path)
  }

  /// Writes the recording, if there is one, and ends it.
  private func endRecording() {
    guard let path = recording else { return }
    recording = nil
    do {
      try writeRecording(to: path)
      session.output.remark { $0.remark("\(session.record.steps.counted) recorded in '\(path)'") }
    } catch {
      session.output.show(error)
      highest = max(highest, error.status)
    }
  }

  func saveTest(to path: String) throws(Problem) -> ExitStatus {
    if session.isLive {
      throw Problem(
        .no, "a live app's session can't become a test: its earlier actions aren't known",
        help: "to record from now on: :record FILE")
    }
    let output = session.output
    let test = try RecordedTest(session.record, of: session.source, in: session.host, at: path)
    try AtomicFile.write(recorded: test.text, to: path)
    output.remark { $0.remark("\(session.record.steps.counted) written to '\(path)'") }
    guard let failure = test.failures(with: session.host.limits, settings: session.host.settings).first else {
      return .done
    }
    output.remark { $0.problem("the test does not pass: \(failure)", help: nil) }
    session.tellOfOrder()
    return .no
  }
}

extension [Record.Step] {
  fileprivate var counted: String { "\(count) step\(count == 1 ? "" : "s")" }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

extension ExitStatus {
  /// Whether the status is an error, not only a no.
  var isError: Bool { self > .no }
}

extension Double {
  /// A number of seconds, for people.
  fileprivate var duration: String {
    let (value, unit) = self < 0.001 ? (self * 1e6, "µs") : self < 1 ? (self * 1e3, "ms") : (self, "s")
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}
