import LiveHost
import ScriptHost

extension Verb {
  static let help: Verb = Verb(
    name: "help", operands: [Operand(name: "VERB|TOPIC|CODE", isOptional: true, kind: .subject)],
    summary: "explain a verb, a topic, a name of the script language or the code of a diagnostic",
    options: [.subject, .form, .help]
  )
}

extension VerbBody {
  static let help = VerbBody(.help) { session in
    let form = try session.invocation.choice(.form, of: HelpForm.self) ?? .text
    let subject = try session.invocation.choice(.subject, of: HelpSubject.self)
    guard let word = session.invocation.operands.first else {
      switch form {
      case .text: return Reply(answer: .text(Help.all(columns: Help.columns)))
      case .man: return Reply(answer: .text(ManualPage.text.withoutLastLineEnd))
      case .schema: return Reply(answer: .text(Definition.schema.pretty()))
      case .markdown: throw Problem(.usage, "'--form markdown' needs a word", help: Help.hint)
      }
    }
    return Reply(answer: .text(try Help.text(of: word, subject, form).withoutLastLineEnd))
  }
}

extension Verb {
  /// The verb of an empty command line: shows the help, with the status of a usage error.
  static let overview = Verb(name: "", operands: [], summary: "", options: [])
}

extension VerbBody {
  static let overview = VerbBody(.overview) { _ in
    Reply(answer: .text(Help.all(columns: Help.columns)), status: .usage)
  }
}

extension Option {
  static let subject = Option(
    name: "--kind", value: "KIND", choices: HelpSubject.allCases.map(\.rawValue),
    summary: "read the word as a verb, a topic, a name or a code")
  static let form = Option(
    name: "--form", value: "FORM", choices: HelpForm.allCases.map(\.rawValue),
    summary: "text (the default), markdown, man (the page of the tool or of a verb) or, without a word, schema")
}

extension Verb {
  static let versionNumber = "0.1.0"

  static let version = Verb(name: "version", operands: [], summary: "show the version", options: [.json, .help])
}

extension VerbBody {
  static let version = VerbBody(.version) { _ in
    Reply(answer: .version(Verb.versionNumber))
  }
}

extension Verb {
  static let completions = Verb(
    name: "completions", operands: [Operand(name: "SHELL", kind: .oneOf(Shell.allCases.map(\.rawValue)))],
    summary: "write the completions of a shell: bash, zsh or fish", options: [.help]
  )
}

extension VerbBody {
  static let completions = VerbBody(.completions) { session in
    let word = session.invocation.operands[0]
    guard let shell = Shell(rawValue: word) else {
      let near = didYouMean(word, among: Shell.allCases.map(\.rawValue))
      throw Problem(.usage, "there are no completions for '\(word)'\(near)", help: "bash, zsh or fish")
    }
    return Reply(answer: .text(shell.completions))
  }
}

extension Verb {
  /// Writes the names of an app, a line each, for a shell's completion. It isn't for people, so no list has it.
  /// After any failure it writes no names. It grants nothing, and its limits are short.
  static let complete = Verb(
    name: "complete", operands: [Operand(name: "KINDS"), .app], summary: "write names of an app, for shells",
    options: [.plugin, .plugins]
  )

  fileprivate static let most = 2000
  /// The time limit for each answer of a live app in milliseconds.
  fileprivate static let patience: Int32 = 400
  fileprivate static let completing = HostLimits(
    memory: 32 << 20, load: .milliseconds(400, instructions: 40_000_000),
    perform: .milliseconds(200, instructions: 20_000_000))
}

extension VerbBody {
  static let complete = VerbBody(.complete) { session in
    let (kinds, app) = (session.invocation.operands[0], session.invocation.operands[1])
    let names =
      switch kinds {
      case "live": liveApps
      case "installed": InstalledApp.all.map(\.name)
      default: try session.names(of: app, kinds.split(separator: ",").map(String.init))
      }
    var known: Set<String> = []
    // Skips names with control characters.
    let words = names.filter { !$0.isEmpty && $0.visible == $0 && known.insert($0).inserted }
    return words.isEmpty ? Reply() : Reply(answer: .text(words.prefix(Verb.most).joined(separator: "\n")))
  }

  private static var liveApps: [String] { ((try? LiveSession.names()) ?? []).map { "@\($0)" } }
}

extension Session {
  /// Returns the names of these kinds in an app, which is live or loaded for this.
  fileprivate func names(of app: String, _ words: [String]) throws -> [String] {
    let kinds = words.compactMap(AppName.init)
    if kinds.isEmpty { return [] }
    if app.hasPrefix("@") { return (try? Self.names(ofLive: String(app.dropFirst()), kinds)) ?? [] }
    let host = ScriptHost(limits: Verb.completing)
    // An app and its plugins are loaded without their requested capabilities: completion asks no person.
    host.asksForGrants = false
    host.pluginFolders = try invocation.pluginFolders()
    guard let source = try? Source(file: Source.path(of: app)),
      (try? host.load(bytes: source.bytes, name: source.name, folder: source.folder)) != nil
    else { return [] }
    try? host.load(plugins: invocation.values(.plugin))
    return kinds.flatMap { $0.names(in: host) }
  }

  private static func names(ofLive name: String, _ kinds: [AppName]) throws(Unanswered) -> [String] {
    guard let live = try LiveClient(at: RuntimeFolder.socket(of: name), within: Verb.patience) else { return [] }
    live.patience = Verb.patience
    try live.greet(as: "menuctl complete")
    return try LiveSubject(live).completions(of: kinds, begun: "").candidates
  }
}

extension Verb {
  static let stubs = Verb(
    name: "stubs", operands: [Operand(name: "APP", isOptional: true, kind: .file)],
    summary: "write annotations for editors (LuaCATS): the language, and an app's own names",
    options: Option.loading
  )
}

extension VerbBody {
  static let stubs = VerbBody(.stubs) { session in
    guard !session.invocation.operands.isEmpty else { return Reply(answer: .text(Stubs().text.withoutLastLineEnd)) }
    // Scripts print to stderr, because their output is no annotation.
    session.output.isData = true
    try session.load()
    let names = session.host.quietly { AppNames(of: session.host, source: session.source?.name ?? "") }
    return Reply(answer: .text(Stubs(app: names).text.withoutLastLineEnd))
  }
}

extension String {
  /// The text without its last newline, which `Output` adds.
  var withoutLastLineEnd: String { utf8.last == UInt8(ascii: "\n") ? String(dropLast()) : self }
}
