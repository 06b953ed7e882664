extension VerbBody {
  private static let all: [VerbBody] = [
    load, menu, perform, press, pick, validate, why, chain, context, actions, keys, check, test, repl, record, replay,
    plugin, ui, serve, mcp, sessions, stop, apps, new, stubs, completions, help, version, complete,
  ]

  static func of(_ verb: Verb) -> VerbBody { all.first { $0.verb.name == verb.name } ?? overview }
}
