import LiveHost
import ScriptHost

extension Verb {
  static let perform = Verb(
    name: "perform", operands: [.app, .reference], summary: "perform one action and show what came of it",
    options: [.choose, .from, .to, .argument, .skipValidation, .trace] + Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let perform = VerbBody(.perform) { session in
    let reference = try session.references()[0]
    let performing = Deed.Performing(
      from: session.invocation.values(.from).last, to: session.invocation.values(.to).last,
      arguments: try session.invocation.pairs(.argument), skipsValidation: session.invocation.has(.skipValidation))
    try session.load()
    try session.chooseRows()
    let done = try session.carryOut(.perform(reference, performing), traced: session.invocation.has(.trace))
    return Reply(answer: .done(done), status: done.status)
  }
}
