import LiveHost
import ScriptHost

extension Verb {
  static let keys = Verb(
    name: "keys", operands: [.app], summary: "show every key, what it does, whose it is, and conflicts",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let keys = VerbBody(.keys) { session in
    try session.load()
    return Reply(answer: .keys(try session.asking { subject throws(Unanswered) in try subject.keys() }))
  }
}
