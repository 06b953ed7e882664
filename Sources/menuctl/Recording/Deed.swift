import ScriptHost

/// A *deed* is one thing that a person does to an app.
enum Deed {
  case perform(String, Performing = Performing())
  case press(String)
  case pick(String)
  case focus(String)
  /// A line of Lua.
  case evaluate(String)

  /// How an action is performed, where it is otherwise than usual.
  struct Performing {
    var from: String?
    var to: String?
    var arguments = Arguments()
    var skipsValidation = false
  }

  /// As a person would say it.
  var text: String {
    switch self {
    case .perform(let reference, _): "perform \(reference)"
    case .press(let keys): "press \(keys)"
    case .pick(let id): "pick \(id)"
    case .focus(let name): "focus \(name)"
    case .evaluate(let line): line
    }
  }
}

extension Session {
  /// Does something to the app, tells what came of it, and notes both.
  func carryOut(_ deed: Deed, named lineName: String? = nil) throws(Problem) -> Answer.Done {
    record.begin(host)
    let confirms = host.onConfirm
    if let confirms {
      host.onConfirm = { [record] item in
        let answer = confirms(item)
        if let answer { record.answered(answer, of: item) }
        return answer
      }
    }
    defer { host.onConfirm = confirms }
    let done: Answer.Done
    switch deed {
    case .perform(let reference, let performing):
      let options = try options(performing)
      done = .performed(doing(reference) { host.perform(reference, options) })
    case .press(let keys): done = .performed(doing(keys) { host.press(keys) })
    case .pick(let id): done = .performed(doing(id) { host.pick(id) })
    case .focus(let name): done = .focused(try focusing(name))
    case .evaluate(let line): done = .evaluated(evaluating(line, as: lineName))
    }
    if isRepeatable(deed, done) {
      let isExpression = if case .evaluate(let line) = deed { isExpression(line) } else { false }
      record.add(deed, done, isExpression: isExpression)
    }
    return done
  }

  /// Nothing is done again that could not be read, or that a person ended.
  private func isRepeatable(_ deed: Deed, _ done: Answer.Done) -> Bool {
    if done.status == .interrupted { return false }
    if case .evaluate(let line) = deed { return (try? host.read(line: line)) != nil }
    return true
  }

  private func options(_ performing: Deed.Performing) throws(Problem) -> PerformOptions {
    var options = PerformOptions()
    options.arguments = performing.arguments
    options.skipValidation = performing.skipsValidation
    options.from = try performing.from.map { name throws(Problem) in try responder(name) }
    options.to = try performing.to.map { name throws(Problem) in try responder(name) }
    return options
  }

  private func focusing(_ name: String) throws(Problem) -> Answer.Focused {
    let responder = try responder(name)
    let before = host.menus()
    do {
      let hasFocus = try host.focus(responder)
      return Answer.Focused(
        name: name, hasFocus: hasFocus, changes: Answer.Changes(before: before, all: host.changes()))
    } catch {
      throw Problem(.no, error.message)
    }
  }

  /// What the options of a command line say is to be done, in their order. All of it can be read.
  func deeds() throws(Problem) -> [Deed] {
    var deeds: [Deed] = []
    for (option, value) in invocation.options {
      switch option {
      case .perform:
        try Self.check(value)
        deeds.append(.perform(value))
      case .press:
        try Self.check(keys: value)
        deeds.append(.press(value))
      case .pick: deeds.append(.pick(value))
      case .focus: deeds.append(.focus(value))
      case .eval:
        try check(line: value)
        deeds.append(.evaluate(value))
      default: continue
      }
    }
    return deeds
  }
}

extension Answer {
  /// Who was given the focus, and whether that one has it now.
  struct Focused {
    var name: String
    var hasFocus: Bool
    var changes: Changes
  }
}

extension Answer.Done {
  /// What it means for the shell.
  var status: ExitStatus {
    switch self {
    case .performed(let performed): ExitStatus(performed.outcome)
    case .evaluated(let evaluated): evaluated.failure.map(ExitStatus.init) ?? .done
    case .focused(let focused): focused.hasFocus ? .done : .no
    }
  }

  var changes: Answer.Changes {
    switch self {
    case .performed(let performed): performed.changes
    case .evaluated(let evaluated): evaluated.changes
    case .focused(let focused): focused.changes
    }
  }
}
