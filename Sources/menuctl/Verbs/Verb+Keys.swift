import ScriptHost

extension Verb {
  static let keys = Verb(
    name: "keys", operands: [.app], summary: "show every key, what it does, whose it is, and conflicts",
    options: Option.loading
  ) { session in
    try session.load()
    return Reply(answer: .keys(session.host.keys()))
  }
}
