import LiveHost
import ScriptHost

extension [Diagnostic] {
  /// Whether there is an error or a warning; notes don't count.
  var findsFault: Bool { contains { $0.severity != .note } }
}

extension Verb {
  static let check = Verb(
    name: "check", operands: [.app],
    summary: "show what is most likely wrong with an app, without performing anything; 'help CODE' explains",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let check = VerbBody(.check) { session in
    try session.load(quietly: true)
    let findings = try session.asking { subject throws(Unanswered) in try subject.findings() }
    // The text of a live app's script comes with its findings.
    if let live = session.subject as? LiveSubject, let text = live.text(ofFile: live.source) {
      session.output.add(Source(name: live.source, bytes: text))
    }
    findings.forEach(session.output.addText)
    return Reply(answer: .findings(findings, in: session.output.sources), status: findings.findsFault ? .no : .done)
  }
}
