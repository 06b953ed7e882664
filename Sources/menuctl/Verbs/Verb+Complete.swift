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
  fileprivate static let completing = HostLimits(
    memory: 32 << 20, load: .milliseconds(400, instructions: 40_000_000),
    perform: .milliseconds(200, instructions: 20_000_000))
}

extension VerbBody {
  static let complete = VerbBody(.complete) { session in
    let kinds = session.invocation.operands[0].split(separator: ",").compactMap { AppName(rawValue: String($0)) }
    let host = ScriptHost(limits: Verb.completing)
    host.pluginFolders = try session.invocation.pluginFolders()
    guard let source = try? Source(file: Source.path(of: session.invocation.operands[1])),
      (try? host.load(bytes: source.bytes, name: source.name, folder: source.folder)) != nil
    else { return Reply() }
    try? host.load(plugins: session.invocation.values(.plugin))
    var known: Set<String> = []
    // A name of which a terminal would obey something is no word.
    let names = kinds.flatMap { $0.names(in: host) }.filter {
      !$0.isEmpty && $0.visible == $0 && known.insert($0).inserted
    }
    return names.isEmpty ? Reply() : Reply(answer: .text(names.prefix(Verb.most).joined(separator: "\n")))
  }
}
