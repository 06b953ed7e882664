import LiveHost
import ScriptHost

extension Verb {
  static let actions = Verb(
    name: "actions", operands: [.app, Operand(name: "REF|ID", isOptional: true, names: [.names, .ids])],
    summary: "show every action that can be reached now, its arguments, its responder, and why not",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let actions = VerbBody(.actions) { session in
    let reference = session.invocation.operands.dropFirst().first
    try session.load()
    let actions = try session.asking { subject throws(Unanswered) in try subject.actions(reference, everywhere: false) }
    if let reference, actions.isEmpty { try session.tellWhetherAnswered(reference) }
    return Reply(answer: .actions(actions))
  }
}

extension Verb {
  static let chain = Verb(
    name: "chain", operands: [.app, Operand(name: "REF|ID", isOptional: true, names: [.names, .ids])],
    summary: "show the responder chain; with a reference, the answer of each",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let chain = VerbBody(.chain) { session in
    let reference = session.invocation.operands.dropFirst().first
    try session.load()
    let chain = try session.asking { subject throws(Unanswered) in try subject.chain(reference) }
    if let reference { try session.tellWhetherAnswered(reference) }
    return Reply(answer: .chain(chain))
  }
}

extension Verb {
  static let context = Verb(
    name: "context", operands: [.app, Operand(name: "REF|ID", isOptional: true, names: [.names, .ids])],
    summary: "show the context and who supplied each key; with a reference, its arguments too",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let context = VerbBody(.context) { session in
    let reference = session.invocation.operands.dropFirst().first
    try session.load()
    let context = try session.asking { subject throws(Unanswered) in try subject.context(reference) }
    if let reference { try session.tellWhetherAnswered(reference) }
    return Reply(answer: .context(context))
  }
}

extension Verb {
  static let keys = Verb(
    name: "keys", operands: [.app], summary: "show every key, its action, its owner, and conflicts",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let keys = VerbBody(.keys) { session in
    try session.load()
    return Reply(answer: .keys(try session.asking { subject throws(Unanswered) in try subject.keys() }))
  }
}

extension Verb {
  static let validate = Verb(
    name: "validate",
    operands: [.app, Operand(name: "REF|ID", isOptional: true, isRepeated: true, names: [.names, .ids])],
    summary: "show whether actions or items can be done now, and why not; by default all items",
    options: Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let validate = VerbBody(.validate) { session in
    let names = Array(session.invocation.operands.dropFirst())
    try session.load()
    let validated = try session.asking { subject throws(Unanswered) in try subject.validations(of: names) }
    if names.isEmpty { return Reply(answer: .validations(validated, named: false)) }
    return Reply(
      answer: .validations(validated, named: true), status: validated.allSatisfy(\.validation.isEnabled) ? .done : .no)
  }
}

extension Verb {
  static let why = Verb(
    name: "why", operands: [.app, .target],
    summary: "show why an action, an item or a key can be done or can't, and which responder gets it",
    options: [.choose, .as] + Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let why = VerbBody(.why) { session in
    let name = session.invocation.operands[1]
    let kind = try session.invocation.choice(.as, of: Answer.Validated.Kind.self)
    try session.load()
    try session.chooseRows()
    let explanation = try session.asking { subject throws(Unanswered) in try subject.explanation(of: name, as: kind) }
    if !explanation.isEnabled, explanation.by == nil, kind == nil { try session.tellOthers(of: name) }
    return Reply(answer: .explanation(explanation))
  }
}

extension Verb {
  static let menu = Verb(
    name: "menu", operands: [.app, Operand(name: "ID", isOptional: true, names: [.ids])],
    summary: "show one menu or all, validated", legend: legendOfMenus,
    options: [.follow] + Option.loading, asksLive: true
  )
}

extension VerbBody {
  static let menu = VerbBody(.menu) { session in
    let name = session.invocation.operands[0]
    if session.invocation.has(.follow), !name.hasPrefix("@") {
      throw Problem(
        .usage, "'--follow' is only for live apps", help: "menuctl load \(name.shellWord) --watch follows what is saved"
      )
    }
    try session.load()
    if session.invocation.has(.follow) { return try session.followMenus() }
    return Reply(answer: try session.asking { subject throws(Unanswered) in try session.shown(of: subject) })
  }
}

extension Session {
  fileprivate var menuID: String? { invocation.operands.dropFirst().first }

  /// Returns the menus that the command line names: all, or one element.
  fileprivate func shown(of subject: any Subject) throws(Unanswered) -> Shown {
    let root = try subject.menus()
    guard let id = menuID, id != root.id else { return .menus(root.children, named: false) }
    let element = if let known = root.find(id) { known } else { try subject.element(id) }
    return .menus([element], named: true)
  }

  /// Shows the named menus after each change, until the live app ends. A missing element is no error: it may come back.
  fileprivate func followMenus() throws(Problem) -> Reply {
    guard let live = subject as? LiveSubject else { return Reply() }
    var last: [MenuElement]?
    let end = interrupts.endingAtOnce { () -> Unanswered in
      do throws(Unanswered) {
        try live.follow { () throws(Unanswered) in
          let answer: Shown
          do throws(Unanswered) { answer = try shown(of: live) } catch {
            if last == nil || error.isGone { throw error }
            return
          }
          guard case .menus(let menus, _) = answer, menus != last else { return }
          last = menus
          output.answer(answer)
        }
      } catch { return error }
    }
    if end.isGone { return Reply() }
    throw Problem(end)
  }
}

extension Option {
  static let follow = Option(
    name: "--follow", summary: "show it again after each change, until the live app ends or ctrl-c")
}
