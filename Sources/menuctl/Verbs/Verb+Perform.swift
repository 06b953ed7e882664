import LiveHost
import ScriptHost

extension Verb {
  static let perform = Verb(
    name: "perform", operands: [.app, .reference], summary: "perform one action and show its outcome",
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

extension Verb {
  static let pick = Verb(
    name: "pick", operands: [.app, Operand(name: "ID", isOptional: true, names: [.items])],
    summary: "pick an item as a person does, and show its outcome",
    options: [.number, .of, .argument] + Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let pick = VerbBody(.pick) { session in
    let picked = try session.picked()
    try session.load()
    let done = try session.carryOut(picked, with: try session.given())
    guard case .pick(let id, _) = picked, case .performed(let performed) = done, performed.outcome.status == .failed,
      performed.outcome.by == nil
    else { return Reply(answer: .done(done), status: done.status) }
    // It began no action: nothing has this id, or an element that can't be picked.
    let element = try session.asking { subject throws(Unanswered) in try subject.element(id) }
    return Reply(answer: .done(done), status: element.kind == .item ? done.status : .usage)
  }
}

extension Session {
  /// Returns the pick on the command line: by id, or by a live app's number.
  fileprivate func picked() throws(Problem) -> Deed {
    let id = invocation.operands.dropFirst().first
    guard invocation.has(.number) || invocation.has(.of) else {
      if let id { return .pick(id) }
      throw Problem(.usage, "ID is missing", help: invocation.hint)
    }
    if id != nil { throw Problem(.usage, "name an item by its id or by '--number', not both") }
    let name = invocation.operands[0]
    guard name.hasPrefix("@") else {
      throw Problem(.usage, "'--number' and '--of' are only for live apps")
    }
    guard let number = try whole(.number), let revision = try whole(.of) else {
      throw Problem(
        .usage, "'--number' and '--of' need each other",
        help: "menuctl pick \(name.shellWord) --number N --of REVISION")
    }
    return .pickNumber(number, of: revision)
  }

  private func whole(_ option: Option) throws(Problem) -> Int? {
    guard let word = invocation.values(option).last else { return nil }
    if let number = Int(word), number >= 0 { return number }
    throw Problem(.usage, "'\(option.name) \(word)': it must be a whole number")
  }
}

extension Option {
  static let number = Option(
    name: "--number", value: "N", summary: "pick by the number that a live app reported, from 1; with --of")
  static let of = Option(
    name: "--of", value: "REVISION",
    summary: "the revision of the number; if the menus have changed since, pick nothing")
}

extension Verb {
  static let press = Verb(
    name: "press", operands: [.app, Operand(name: "KEY", isRepeated: true, names: [.keys])],
    summary: "press keys one after the other, and show the outcome of the last",
    options: [.choose, .argument] + Option.loading,
    asksLive: true
  )
}

extension VerbBody {
  static let press = VerbBody(.press) { session in
    let keys: KeySequence
    do throws(Problem) {
      keys = try Session.read(keys: session.invocation.operands.dropFirst().joined(separator: " "))
    } catch {
      throw session.turned(error)
    }
    try session.load()
    try session.chooseRows()
    let done = try session.lettingKeysAct(try session.press(keys, with: try session.given()))
    return Reply(answer: .done(done), status: done.status)
  }
}

extension Session {
  /// Waits until pending keys act alone, since no other key follows (K12).
  fileprivate func lettingKeysAct(_ done: Answer.Done) throws(Problem) -> Answer.Done {
    guard case .performed(let pressed) = done, pressed.outcome.status == .pending else { return done }
    let before = try asking { subject throws(Unanswered) in try subject.menus() }
    let acted: (outcome: Outcome, result: LuaTree)
    if let live = subject as? LiveSubject {
      guard pressed.waits else { return done }
      let told = try asking { _ throws(Unanswered) in try live.letKeysActAlone() }
      acted = (told.outcome, told.result)
    } else {
      guard var outcome = interrupts.working({ host.letKeysActAlone() }) else { return done }
      if let job = outcome.job { outcome = interrupts.working { host.wait(for: job) } }
      acted = (outcome, host.tree(of: outcome.result))
    }
    let now = try asking { subject throws(Unanswered) in try subject.menus() }
    return .performed(
      Answer.Performed(
        name: pressed.name, outcome: acted.outcome, result: acted.result,
        changes: Answer.Changes(from: before, to: now), trace: pressed.trace))
  }

  /// Parses key strokes of the command line.
  @discardableResult
  static func read(keys: String) throws(Problem) -> KeySequence {
    do {
      return try KeySequence.parse(keys)
    } catch {
      throw Problem(.usage, "'\(keys)': \(error.message)")
    }
  }

  /// Presses keys in their order, like a person. A question is answered before the next key. After a failure the rest
  /// isn't pressed, since it was meant for another state. Returns the last outcome, and all changes.
  fileprivate func press(_ keys: KeySequence, with given: Answered) throws(Problem) -> Answer.Done {
    if keys.strokes.count == 1 { return try carryOut(.press(keys.text), with: given) }
    let before = try asking { subject throws(Unanswered) in try subject.menus() }
    var pressed = 0
    var performed: Answer.Performed
    repeat {
      let done = try carryOut(.press(keys.strokes[pressed].text), with: given)
      guard case .performed(let one) = done else { return done }
      performed = one
      pressed += 1
    } while pressed < keys.strokes.count && [.handled, .pending].contains(performed.outcome.status)
    let now = try asking { subject throws(Unanswered) in try subject.menus() }
    let whole = Answer.Performed(
      name: keys.strokes[..<pressed].map(\.text).joined(separator: " "), outcome: performed.outcome,
      result: performed.result, changes: Answer.Changes(from: before, to: now), undo: performed.undo,
      trace: performed.trace)
    whole.waits = performed.waits
    return .performed(whole)
  }
}
