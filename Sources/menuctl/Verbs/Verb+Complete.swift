import LiveHost
import ScriptHost
import Terminal

extension Verb {
  /// Writes the names of an app, a line each, for a shell's completion. It isn't for people, so no list of verbs has it. If anything fails it
  /// writes no names; it grants nothing, and its limits are short.
  static let complete = Verb(
    name: "complete", operands: [Operand(name: "KINDS"), .app], summary: "write names of an app, for shells",
    options: [.plugin, .plugins]
  )

  fileprivate static let most = 2000
  /// The milliseconds that a live app has for each answer.
  fileprivate static let patience: Int32 = 400
  fileprivate static let completing = HostLimits(
    memory: 32 << 20, load: .milliseconds(400, instructions: 40_000_000),
    perform: .milliseconds(200, instructions: 20_000_000))
}

extension VerbBody {
  static let complete = VerbBody(.complete) { session in
    let (kinds, app) = (session.invocation.operands[0], session.invocation.operands[1])
    let names = kinds == "live" ? liveApps : try session.names(of: app, kinds.split(separator: ",").map(String.init))
    var known: Set<String> = []
    // Names with control characters are left out.
    let words = names.filter { !$0.isEmpty && $0.visible == $0 && known.insert($0).inserted }
    return words.isEmpty ? Reply() : Reply(answer: .text(words.prefix(Verb.most).joined(separator: "\n")))
  }

  private static var liveApps: [String] { ((try? LiveSession.names()) ?? []).map { "@\($0)" } }
}

extension Session {
  /// The names of the given kinds in an app, which is a live one or is loaded for that.
  fileprivate func names(of app: String, _ words: [String]) throws -> [String] {
    let kinds = words.compactMap(AppName.init)
    if kinds.isEmpty { return [] }
    if app.hasPrefix("@") { return (try? Self.names(ofLive: String(app.dropFirst()), kinds)) ?? [] }
    let host = ScriptHost(limits: Verb.completing)
    // An app and its plugins are loaded without what they ask for: nobody is asked while a word is completed.
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
