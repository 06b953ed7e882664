import LiveHost
import ScriptHost

extension Verb {
  static let pick = Verb(
    name: "pick", operands: [.app, Operand(name: "ID", isOptional: true, names: [.items])],
    summary: "pick an item as a person does, and show what came of it",
    options: [.number, .of, .argument] + Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let pick = VerbBody(.pick) { session in
    let picked = try session.picked()
    try session.load()
    var isItem = true
    if case .pick(let id, _) = picked {
      let root = try session.asking { subject throws(Unanswered) in try subject.menus() }
      guard let element = root.find(id) else { throw Problem(HostSubject.unknown(id, in: root)) }
      isItem = element.kind == .item
    }
    let done = try session.carryOut(picked, with: try session.given())
    return Reply(answer: .done(done), status: isItem ? done.status : .usage)
  }
}

extension Session {
  /// The pick that the command line asks for: by id, or by a number that a live app gave out.
  fileprivate func picked() throws(Problem) -> Deed {
    let id = invocation.operands.dropFirst().first
    guard invocation.has(.number) || invocation.has(.of) else {
      if let id { return .pick(id) }
      throw Problem(.usage, "ID is missing", help: invocation.hint)
    }
    if id != nil { throw Problem(.usage, "an item is picked by its id or by '--number', not by both") }
    let name = invocation.operands[0]
    guard name.hasPrefix("@") else {
      throw Problem(.usage, "'--number' and '--of' are for a live app, which gave it out")
    }
    guard let number = try whole(.number), let revision = try whole(.of) else {
      throw Problem(
        .usage, "a number is one of a revision: '--number' and '--of' stand together",
        help: "menuctl pick \(name.shellWord) --number N --of REVISION")
    }
    return .pickNumber(number, of: revision)
  }

  private func whole(_ option: Option) throws(Problem) -> Int? {
    guard let word = invocation.values(option).last else { return nil }
    if let number = Int(word), number >= 0 { return number }
    throw Problem(.usage, "'\(option.name) \(word)': a whole number is wanted")
  }
}

extension Option {
  static let number = Option(
    name: "--number", value: "N", summary: "pick by the number that a live app gave out, counted from 1; with --of")
  static let of = Option(
    name: "--of", value: "REVISION", summary: "of which revision the number is; where that is over, nothing is picked")
}
