import LiveHost
import ScriptHost
import Terminal

extension Verb {
  /// What a shell asks while a person types: the names of an app, a line each. It is no verb for people, so no list has it. Whatever goes wrong,
  /// there are no names; nothing is granted, and nobody waits long.
  static let complete = Verb(
    name: "complete", operands: [Operand(name: "KINDS"), .app], summary: "write names of an app, for shells",
    options: [.plugin, .plugins]
  )

  fileprivate static let most = 2000
  /// How many milliseconds a live app has for each answer.
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
    // A name of which a terminal would obey something is no word.
    let words = names.filter { !$0.isEmpty && $0.visible == $0 && known.insert($0).inserted }
    return words.isEmpty ? Reply() : Reply(answer: .text(words.prefix(Verb.most).joined(separator: "\n")))
  }

  private static var liveApps: [String] { ((try? LiveSession.names()) ?? []).map { "@\($0)" } }
}

extension Session {
  /// The names of some kinds that an app has, a live one or one that is read for it.
  fileprivate func names(of app: String, _ words: [String]) throws -> [String] {
    let kinds = words.compactMap(AppName.init)
    if kinds.isEmpty { return [] }
    if app.hasPrefix("@") { return (try? Self.names(ofLive: String(app.dropFirst()), kinds)) ?? [] }
    let host = ScriptHost(limits: Verb.completing)
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
