import Glibc
import LiveHost
import ScriptHost

/// A *command* is a line of the REPL that begins with ':': a verb on the running app, or a function of the session.
struct ReplCommand: Sendable {
  /// The operands of a command, for the completer.
  ///
  /// It is no enum with lists in its cases: the bits of the cases would hide the lists from the leak sanitizer.
  struct Takes: Sendable {
    enum Form: Sendable {
      case nothing, file, lua, words, names
    }

    let form: Form
    var choices: [String] = []
    var kinds: [AppName] = []

    static let nothing = Takes(form: .nothing)
    static let file = Takes(form: .file)
    static let lua = Takes(form: .lua)
    static func words(_ choices: [String]) -> Takes { Takes(form: .words, choices: choices) }
    static func names(_ kinds: [AppName]) -> Takes { Takes(form: .names, kinds: kinds) }
  }

  let name: String
  /// The operands in the notation of the help.
  let operands: String
  let takes: Takes
  let summary: String
  var options: [Option] = []
  let run: @Sendable (Repl, CommandWords) throws -> ExitStatus

  var usage: String { operands.isEmpty ? ":\(name)" : ":\(name) \(operands)" }
}

extension ReplCommand {
  static let all: [ReplCommand] =
    [
      verb(.menu, .names([.menus, .items])), verb(.perform, .names([.actions])), verb(.press, .names([.keys])),
      verb(.pick, .names([.items])), verb(.validate, .names([.actions, .ids])),
      verb(.why, .names([.actions, .ids, .keys])), verb(.chain, .names([.actions])),
      verb(.context, .names([.actions])), verb(.actions, .names([.actions])), verb(.keys, .nothing),
    ] + [focus, trace, undo, redo, load, reload, plugins, time, record, saveTest, help, quit]

  static func named(_ name: String) -> ReplCommand? { all.first { $0.name == name } }

  /// Makes a command from a verb, without the operand APP, which is the running app, and the options of loading.
  private static func verb(_ verb: Verb, _ takes: Takes) -> ReplCommand {
    let operands = verb.operands.dropFirst().map(\.usage)
    let options = verb.options.filter { [.json, .yes].contains($0) || !Option.loading.contains($0) }
    return ReplCommand(
      name: verb.name, operands: operands.joined(separator: " "), takes: takes, summary: verb.summary, options: options
    ) { repl, words in
      try repl.run(verb, words)
    }
  }

  static let focus = ReplCommand(
    name: "focus", operands: "NAME", takes: .names([.responders]), summary: "give a responder the focus"
  ) { repl, words in
    let name = try words.only("focus", "NAME")
    let done = try repl.session.carryOut(.focus(name))
    repl.session.output.answer(.done(done))
    return done.status
  }

  static let trace = ReplCommand(
    name: "trace", operands: "on|off", takes: .words(["on", "off"]),
    summary: "show for each action which responders the host asks, and their answers"
  ) { repl, words in
    switch try words.only("trace", "on|off") {
    case "on": repl.trace(true)
    case "off": repl.trace(false)
    case let other: throw Problem(.usage, "':trace' is on or off, not '\(other)'", help: "usage: :trace on|off")
    }
    return .done
  }

  static let undo = ReplCommand(name: "undo", operands: "", takes: .nothing, summary: "undo what was done last") {
    repl, words in
    try repl.perform("undo", words)
  }

  static let redo = ReplCommand(name: "redo", operands: "", takes: .nothing, summary: "do it again") { repl, words in
    try repl.perform("redo", words)
  }

  static let load = ReplCommand(
    name: "load", operands: "FILE", takes: .file, summary: "load another app, and show it"
  ) { repl, words in
    try repl.load(try words.only("load", "FILE"))
  }

  static let reload = ReplCommand(
    name: "reload", operands: "", takes: .nothing, summary: "load the app again, and show what changed"
  ) { repl, words in
    try words.none("reload")
    if let live = repl.session.subject as? LiveSubject {
      let before = try repl.session.asking { _ throws(Unanswered) in try live.menus() }
      let problem = try repl.session.asking { _ throws(Unanswered) in try live.reload() }
      if problem != nil {
        repl.session.output.answer(.text("the old version goes on"))
        return .unloadable
      }
      let focus = try repl.session.asking { subject throws(Unanswered) in try subject.chain(nil).focus }
      repl.session.record.startOver(focus: focus)
      let changes = Answer.Changes(
        from: before, to: try repl.session.asking { _ throws(Unanswered) in try live.menus() })
      repl.session.output.say { $0.reloaded(repl.session.invocation.operands[0], changes) }
      return .done
    }
    repl.session.record.forgetGiven()
    let status = repl.session.reload()
    if status == .done { repl.session.record.startOver(focus: repl.session.host.focused.name) }
    return status
  }

  static let plugins = ReplCommand(
    name: "plugins", operands: "", takes: .nothing, summary: "show the plugins that are loaded"
  ) { repl, words in
    try words.none("plugins")
    if let live = repl.session.subject as? LiveSubject {
      let plugins = try repl.session.asking { _ throws(Unanswered) in try live.plugins() }
      repl.session.output.answer(.text(plugins.isEmpty ? "no plugins" : plugins.joined(separator: "\n")))
      return .done
    }
    repl.session.output.answer(.plugins(repl.session.loadedPlugins))
    return .done
  }

  static let time = ReplCommand(
    name: "time", operands: "LUA", takes: .lua, summary: "evaluate a line, and show how long it took"
  ) { repl, words in
    let line = words.text(behind: words.words[0])
    guard !line.isEmpty else { throw Problem(.usage, "LUA is missing", help: "usage: :time LUA") }
    return repl.time(line)
  }

  static let record = ReplCommand(
    name: "record", operands: "FILE|off", takes: .file,
    summary: "record the session since the app was loaded, up to ':record off' or its end"
  ) { repl, words in
    try repl.record(to: try words.only("record", "FILE|off"))
    return .done
  }

  static let saveTest = ReplCommand(
    name: "save-test", operands: "FILE", takes: .file, summary: "write the session so far as a scripted test"
  ) { repl, words in
    try repl.saveTest(to: try words.only("save-test", "FILE"))
  }

  static let help = ReplCommand(
    name: "help", operands: "[COMMAND]", takes: .words([]), summary: "show the commands, or one of them"
  ) { repl, words in
    let name = words.words.count > 1 ? try words.only("help", "[COMMAND]") : nil
    repl.session.output.answer(.text(try ReplHelp.text(name)))
    return .done
  }

  static let quit = ReplCommand(name: "quit", operands: "", takes: .nothing, summary: "leave, as Ctrl-D does") {
    repl, words in
    try words.none("quit")
    repl.quit()
    return .done
  }
}

extension CommandWords {
  /// Returns the text after a command as one word, which may contain blanks.
  func only(_ command: String, _ name: String) throws(Problem) -> String {
    guard let first = words.dropFirst().first, let last = words.last else {
      throw Problem(.usage, "\(name) is missing", help: "usage: :\(command) \(name)")
    }
    return words.count == 2 ? first.text : text(from: first, to: last)
  }

  func none(_ command: String) throws(Problem) {
    if let first = words.dropFirst().first {
      throw Problem(.usage, "'\(first.text)' is one argument too many", help: "usage: :\(command)")
    }
  }
}

/// The text of `:help`, made from the table of commands.
enum ReplHelp {
  static func text(_ name: String?) throws(Problem) -> String {
    guard let name else { return all }
    let word = name.hasPrefix(":") ? String(name.dropFirst()) : name
    guard let command = ReplCommand.named(word) else { throw unknown(word) }
    let summary = command.summary.wrapped(to: Help.columns).joined(separator: "\n")
    var text = "\(command.usage)\(command.options.isEmpty ? "" : " [OPTIONS]")\n\n\(summary)"
    if !command.options.isEmpty {
      text += "\n\n" + Rows(command.options.map { ($0.usage, $0.summary) }).text(columns: Help.columns)
    }
    return text
  }

  static func unknown(_ word: String) -> Problem {
    let near = didYouMean(word, among: ReplCommand.all.map(\.name))
    return Problem(.usage, "there is no command ':\(word)'\(near)", help: "':help' lists them")
  }

  private static var all: String {
    let columns = Help.columns
    return """
      \(beginning.flatMap { $0.wrapped(to: columns) }.joined(separator: "\n"))

      \(Rows(ReplCommand.all.map { ($0.usage, $0.summary) }).text(columns: columns))

      \(end.wrapped(to: columns).joined(separator: "\n"))
      """
  }

  private static let beginning = [
    "A line is Lua, in the globals of the app's script: an expression is shown, a statement run, what is not complete goes on.",
    "'_' is the last value. A line that begins with ':' is a command:",
  ]
  private static let end =
    "':help COMMAND' shows its options, '?NAME' what there is to read of a name of the language. Tab completes, Ctrl-C ends a line or what runs, Ctrl-D leaves."
}

extension ReplHelp {
  /// Returns the help for a line that begins with '?': on a name of the language, a topic or a code.
  static func page(_ line: String) throws(Problem) -> String {
    let word = line.dropFirst().split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    guard !word.isEmpty else { throw Problem(.usage, "NAME is missing", help: hint) }
    if let page = subjects.lazy.compactMap({ $0.page(of: word) }).first { return page.text(columns: Help.columns) }
    let near = didYouMean(word, among: subjects.flatMap(\.known) + LanguageReference.shortNames)
    throw Problem(.usage, "there is no name, topic or code '\(word)'\(near)", help: hint)
  }

  /// The words that may follow '?'.
  static var words: [String] { subjects.flatMap(\.known) }

  private static let subjects: [HelpSubject] = [.name, .topic, .code]

  private static let hint = "usage: ?NAME, as in ?app:perform; '?language' lists the names, '?topics' the topics"
}

/// Reads the lines of a REPL: from a terminal with a prompt, editing and a history, or plainly from a file or a pipe.
final class ReplLines {
  private enum Content {
    case terminal(LineEditor)
    case stream
  }

  private let content: Content
  private var stream = LineStream()
  private var history = History()
  /// The number of lines that were read.
  private(set) var number = 0

  init() {
    if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let editor = LineEditor() {
      content = .terminal(editor)
      for entry in history.entries { editor.remember(entry) }
    } else {
      content = .stream
    }
  }

  var isTerminal: Bool { editor != nil }

  private var editor: LineEditor? { if case .terminal(let editor) = content { editor } else { nil } }

  /// Returns the completions at a place of a line.
  var completer: ((String, Int) -> Completions)? {
    get { editor?.completer }
    set { editor?.completer = newValue }
  }

  /// Returns a function that drops the unfinished line, on any thread.
  var interrupter: (@Sendable () -> Void)? { editor?.interrupter }
  /// Returns a function that restores the terminal.
  var restorer: (@Sendable () -> Void)? { editor?.restorer }

  func next(isContinued: Bool) -> LineRead {
    let read: LineRead
    switch content {
    case .terminal(let editor): read = editor.read(isContinued ? LineEditor.continued : "> ")
    case .stream: read = stream.next().map(LineRead.line) ?? .end
    }
    if case .line = read { number += 1 }
    return read
  }

  /// Asks a person for an answer, which doesn't count as an entry.
  func ask(_ question: String) -> LineRead { editor?.read(question) ?? .end }

  func remember(_ entry: String) {
    guard let editor else { return }
    editor.remember(entry)
    history.add(entry)
  }

  // MARK: Names of lines in errors

  private var title: String { isTerminal ? "repl" : "stdin" }

  /// Returns the chunk name of the entry at a line. Each entry has its own, so that its functions keep their text.
  func name(_ line: Int) -> String { "\(title):\(line)" }

  /// Returns a place for output: a place in an entry counts from the first line of the session.
  func place(_ place: Place) -> Place {
    guard place.file.hasPrefix("\(title):"), let first = Int(place.file.dropFirst(title.count + 1)) else {
      return place
    }
    return Place(file: title, line: first + place.line - 1, column: place.column)
  }
}
