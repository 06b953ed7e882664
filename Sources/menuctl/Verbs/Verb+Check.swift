import ScriptHost

extension Verb {
  static let check = Verb(
    name: "check", operands: [.app],
    summary: "show what is most likely wrong with an app, without performing anything; 'help CODE' explains",
    options: Option.loading
  ) { session in
    try session.load(quietly: true)
    let findings = session.host.check()
    return Reply(answer: .findings(findings, in: session.output.sources), status: findings.isEmpty ? .done : .no)
  }
}
