import ScriptHost

// The methods by which a client is a responder (R1 to R4), and takes part in the events of scripts (E5).

extension Method {
  private static let patience = 0.001...86_400.0

  static var responding: [Method] {
    [
      doing(
        "register",
        [
          .text("responder"), .text("next").orNone, .text("before").orNone, .bool("window").orNone,
          .object(
            "on",
            """
            {*: {takes?: [@asked-argument], about?: string|{title: string, help?: string, icon?: string, form?: boolean, looks?: boolean, internal?: boolean},
            confirm?: string, reads?: [string], reentrant?: boolean}}
            """
          ).orNone,
          .object(
            "keys", "{*: string|[string]|false|{first?: [string], all?: [string], title?: string, wait?: number}}"
          )
          .orNone, .bool("counts").orNone, .number("patience").orNone,
        ], returns: "{}"
      ) { live, client, given throws(CallError) in
        let declared = try ClientDeclaration(given, patience: patience)
        let part = live.part(of: client)
        try misuse { () throws(Misuse) in
          part.responders[declared.name] = try live.host.register(
            declared, of: part.owner,
            send: { [life = live.life, weak client] call, request, context in
              guard let live = life.object, let client else { return false }
              return live.send(call, request, context, to: client)
            },
            onEndWithoutAnswer: { [life = live.life, weak client] call in
              guard let live = life.object, let client else { return }
              live.sendCancel(of: call, to: client)
            })
        }
        return []
      },
      doing("unregister", [.text("responder")], returns: "{}") { live, client, given throws(CallError) in
        let responder = try client.responder(given)
        try misuse { () throws(Misuse) in
          try live.host.unregister(responder, of: live.part(of: client).owner)
        }
        client.part?.responders[responder.name] = nil
        return []
      },
      doing(
        "set",
        [
          .text("responder"), .object("context").orNone,
          .object(
            "actions",
            "{*: null|{enabled?: boolean|null, reason?: string|null, state?: on|off|mixed|null, title?: string|null}}"
          ).orNone,
        ], returns: "{}"
      ) { live, client, given throws(CallError) in
        let responder = try client.responder(given)
        let (context, actions) = (given.arguments("context"), given.arguments("actions"))
        try misuse { () throws(Misuse) in
          try responder.tell(context: context.members, actions: actions.members)
        }
        return []
      },
      Method(
        name: "done",
        parameters: [
          .integer("call"), .value("result").orNone, .text("reason").orNone,
          .value("error", "string|{message: string, ...}").orNone, .bool("pass").orNone,
          .value("undo", "{perform: string, args?: {*: any}, title?: string, coalesce?: string}").orNone,
        ], returns: "{}", isDeed: true
      ) { live, client, given, id throws(CallError) in
        defer { live.goOnWithAnswered() }
        let (answer, undoing): (ClientCall.Answer, ClientCall.Undoing?)
        do throws(CallError) { (answer, undoing) = (try given.answer, try given.undoing) } catch {
          // The client of a notification doesn't get the error, so it sends no other answer.
          if id == nil { try client.call(given) { $0.take($1) }.answer(.error(error.message)) }
          throw error
        }
        let call = try client.call(given) { $0.take($1) }
        do throws(CallError) { try misuse { () throws(Misuse) in try call.checkRoom(for: undoing) } } catch {
          call.answer(.error(error.message))
          throw error
        }
        call.answer(answer, undoing: undoing)
        return .result([])
      },
      doing(
        "ask",
        [
          .integer("call"), .text("title").orNone, .text("help").orNone, .text("confirm").orNone,
          .value("takes", "[@asked-argument]").orNone,
        ], returns: "{}"
      ) { live, client, given throws(CallError) in
        let call = try client.call(given) { $0.calls[$1] }
        let takes = try given.member("takes").map { json throws(CallError) in
          try ClientDeclaration.Action.takes(json, "'takes' of 'ask'")
        }
        try misuse { () throws(Misuse) in
          let question = try live.host.ask(
            for: call, title: given.text("title"), help: given.text("help"), confirm: given.text("confirm"),
            takes: takes ?? [])
          question.onEnd { [life = live.life, weak client, weak question] _ in
            guard let live = life.object, let client, let question else { return }
            live.sendAnswer(of: question, to: call, of: client)
          }
        }
        return []
      },
      doing("progress", [.integer("call"), .number("fraction").orNone, .text("text").orNone], returns: "{}") {
        _, client, given throws(CallError) in
        let fraction = given.number("fraction")
        if let fraction, !(0...1).contains(fraction) {
          throw CallError(.parameters, "'fraction' of 'progress' must be from 0 to 1")
        }
        _ = try client.call(given) { $0.calls[$1] }.report(fraction: fraction, text: given.text("text"))
        return []
      },
      doing("emit", [.text("event"), .value("data").orNone], returns: "{}") { live, _, given throws(CallError) in
        try misuse { () throws(Misuse) in try live.host.emit(given.needed("event"), given.value("data")) }
        return []
      },
    ]
  }

  /// Runs a body, and turns its misuse into an error in the parameters.
  private static func misuse(_ body: () throws(Misuse) -> Void) throws(CallError) {
    do throws(Misuse) { try body() } catch { throw CallError(.parameters, error.message) }
  }
}

extension Client {
  /// Returns the responder of this client that a request names.
  fileprivate func responder(_ given: Parameters) throws(CallError) -> ClientResponder {
    let name = given.needed("responder")
    if let responder = part?.responders[name] { return responder }
    let near = nearest(to: name, among: (part?.responders.keys).map(Array.init) ?? []).first
    throw CallError(
      .parameters,
      "you have no responder '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ": register it first"))
  }

  /// Returns the call that a request names.
  fileprivate func call(
    _ given: Parameters, _ find: (ClientPart, Int) -> ClientCall?
  ) throws(CallError) -> ClientCall {
    let number = given.integer("call") ?? 0
    if let part, let call = find(part, number) { return call }
    throw CallError(.parameters, "no call \(number) waits for your answer: it has ended, or was another client's")
  }
}

extension Parameters {
  /// The answer to a call: one of `result`, `reason`, `error` and `pass`.
  fileprivate var answer: ClientCall.Answer {
    get throws(CallError) {
      var answers: [ClientCall.Answer] = []
      if member("result") != nil { answers.append(.result(value("result"))) }
      if let reason = text("reason") { answers.append(.reason(reason)) }
      if let error = member("error") {
        guard let message = error.text ?? error["message"]?.text else {
          throw CallError(.parameters, "'error' of 'done' must be a sentence, or an object with 'message'")
        }
        answers.append(.error(message))
      }
      if isSet("pass") { answers.append(.pass) }
      guard answers.count < 2 else {
        throw CallError(.parameters, "'done' needs one of 'result', 'reason', 'error' and 'pass'")
      }
      return answers.first ?? .result(.null)
    }
  }

  /// The action that takes back what the client did.
  fileprivate var undoing: ClientCall.Undoing? {
    get throws(CallError) {
      guard let undo = member("undo") else { return nil }
      guard let text = undo["perform"]?.text else {
        throw CallError(.parameters, "'undo' of 'done' needs 'perform', the action that undoes it")
      }
      let reference: Reference
      do throws(ReferenceError) { reference = try Reference.parse(text) } catch {
        throw CallError(Unanswered(error, in: text))
      }
      let members = undo["args"]?.members ?? []
      guard let arguments = LiteralObject(members.map { .init(key: $0.0, value: Literal($0.1)) }) else {
        throw CallError(.parameters, "'args' of 'undo' has a key twice")
      }
      return ClientCall.Undoing(reference, arguments, title: undo["title"]?.text, coalesce: undo["coalesce"]?.text)
    }
  }
}

extension ClientDeclaration {
  fileprivate init(_ given: Parameters, patience: ClosedRange<Double>) throws(CallError) {
    self.init(given.needed("responder"))
    next = given.text("next")
    before = given.text("before")
    isWindow = given.isSet("window")
    if next != nil, before != nil {
      throw CallError(
        .parameters,
        "'register' takes 'next' or 'before', not both: a responder before another has that one as its next")
    }
    if let seconds = given.number("patience") {
      guard patience.contains(seconds) else {
        throw CallError(.parameters, "'patience' of 'register' must be seconds from 0.001 to 86400")
      }
      self.patience = seconds
    }
    bytes = [given.member("on"), given.member("keys")].compactMap(\.self).reduce(0) {
      $0 + JSONText.text($1).utf8.count
    }
    for (name, declared) in given.member("on")?.members ?? [] { actions.append(try Action(name, declared)) }
    for (strokes, bound) in given.member("keys")?.members ?? [] { keys.append(try Key(strokes, bound)) }
    if given.member("counts") != nil { counts = given.isSet("counts") }
  }
}

extension ClientDeclaration.Key {
  fileprivate init(_ strokes: String, _ bound: JSON) throws(CallError) {
    self.init(strokes)
    if bound.bool == false { return }
    let members = bound.members
    let known = ["first", "all", "title", "wait"]
    if let (name, _) = members?.first(where: { !known.contains($0.0) }) {
      throw CallError(
        .parameters, "'\(strokes)' of 'keys' has no '\(name)': it has 'first' or 'all', 'title' and 'wait'")
    }
    isWhole = bound["all"] != nil
    let list = isWhole ? bound["all"] : members == nil ? bound : bound["first"]
    references = list?.text.map { [$0] } ?? list?.list?.compactMap(\.text) ?? []
    guard !references.isEmpty, list?.list.map({ $0.count == references.count }) ?? true,
      !isWhole || bound["first"] == nil
    else {
      throw CallError(
        .parameters,
        "'\(strokes)' of 'keys' must be an action, a list of actions, false, or an object with 'first' or 'all'")
    }
    title = bound["title"]?.text
    guard let seconds = bound["wait"] else { return }
    guard let seconds = seconds.double, (0...60).contains(seconds) else {
      throw CallError(.parameters, "'wait' of '\(strokes)' must be seconds from 0 to 60")
    }
    wait = .seconds(seconds)
  }
}

extension ClientDeclaration.Action {
  fileprivate init(_ name: String, _ json: JSON) throws(CallError) {
    self.init(name)
    guard let members = json.members else {
      throw CallError(.parameters, "'\(name)' of 'on' must be an object, which can be empty")
    }
    for (field, value) in members {
      let what = "'\(field)' of '\(name)'"
      switch field {
      case "takes": takes = try Self.takes(value, what)
      case "about":
        guard let title = value.text ?? value["title"]?.text else {
          throw CallError(.parameters, "\(what) is a title, or an object with 'title'")
        }
        about = About(
          title, help: value["help"]?.text, icon: value["icon"]?.text, showsForm: value["form"]?.bool ?? false,
          onlyLooks: value["looks"]?.bool ?? false, isInternal: value["internal"]?.bool ?? false)
      case "confirm":
        guard let question = value.text else { throw CallError(.parameters, "\(what) is a question") }
        confirm = question
      case "reads":
        let keys = (value.list ?? []).compactMap(\.text)
        guard keys.count == value.list?.count else { throw CallError(.parameters, "\(what) is a list of strings") }
        reads = keys
      case "reentrant":
        guard let value = value.bool else { throw CallError(.parameters, "\(what) must be true or false") }
        isReentrant = value
      default:
        let near = nearest(to: field, among: ["takes", "about", "confirm", "reads", "reentrant"]).first
        throw CallError(
          .parameters, "'\(name)' of 'on' has no '\(field)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
      }
    }
  }

  fileprivate static func takes(_ json: JSON, _ what: String) throws(CallError) -> [AskedArgument] {
    let misuse = CallError(.parameters, "\(what) must be a list of arguments, each with 'key' and 'type'")
    guard let list = json.list else { throw misuse }
    var arguments: [AskedArgument] = []
    for json in list {
      guard let key = json["key"]?.text, let type = json["type"]?.text else { throw misuse }
      guard AskedArgument.Kind(rawValue: type) != nil else { throw unknown(type, of: key, what) }
      guard var argument = try? MemberReader.read(json, AskedArgument.self, Coding()) else { throw misuse }
      // A form asks in the order in which the client lists them.
      argument.order = Double(arguments.count)
      arguments.append(argument)
    }
    return arguments
  }

  private static func unknown(_ type: String, of key: String, _ what: String) -> CallError {
    let types = AskedArgument.Kind.allCases.map(\.rawValue)
    let near = nearest(to: type, among: types).first.map { "; did you mean '\($0)'?" }
    let which = near ?? "; the types are \(types.joined(separator: ", "))"
    return CallError(.parameters, "\(what): there is no type '\(type)', the type of '\(key)'\(which)")
  }
}
