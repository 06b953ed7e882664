import CLua
import CScript

// ask { … }: a question to a person in the middle of an action (A10, A11).

extension ScriptEngine {
  static let askNames: [ScriptName] = [
    ScriptName("ask") { engine, script in
      if case .given(let give) = engine.host.outside { return try engine.pushGiven("ask", give) }
      engine.lua.push(function: script.own { [unowned engine] in try engine.ask($0, $1) }, on: engine.lua.L)
    }
  ]

  private func ask(_ call: LuaCall, _ owner: ScriptOwner) throws -> LuaReturn {
    try refuseWhileAsking("'ask'")
    try refuseWhileLoading("'ask'")
    try owner.checkIsThere()
    if let reason = whyNoReturn(call.L) { throw LuaMisuse(reason) }
    let question = try question(call, owner)
    let noted = try noted("ask", call)
    if let answer = try readyAnswer(to: question) {
      let given = try pushed(answer)
      try noted?.end([given])
      return .values([given])
    }
    // A test answers its questions itself.
    guard host.onQuestion != nil || dispatcher.scheduler.clock is TestClock else {
      let values: [LuaValue] = [.nil, .text(PendingQuestion.nobody)]
      try noted?.end(values)
      return .values(values)
    }
    try host.checkRoomForQuestion(of: owner.owner)
    if let noted {
      question.onAnswer = { [unowned self] values in
        try noted.end(waitingFor: try values.map(pushed))
      }
    }
    host.keep(question)
    return try wait(forValuesOf: question, call)
  }

  private static let questionFields = ["title", "help", "takes", "confirm"]

  private func question(_ call: LuaCall, _ owner: ScriptOwner) throws -> PendingQuestion {
    guard case .table(let table) = try call[0] else {
      throw LuaMisuse("ask takes a table: ask { takes = { name = \"string\" } } or ask { confirm = \"Go on?\" }")
    }
    let place = place(call.place)
    var (title, help, confirm): (String?, String?, String?)
    var takes: Takes?
    try lua.forEach(in: table) { key, value in
      switch key {
      case .text("title"): title = try keptText(value, "the title of a question", at: place)
      case .text("help"): help = try keptText(value, "the help of a question", at: place, hasLines: true)
      case .text("confirm"): confirm = try keptText(value, "'confirm' of a question", at: place, hasLines: true)
      case .text("takes"): takes = try self.takes(value, nil, owner, place)
      default:
        let named = if case .text(let name) = key { name } else { key.described }
        let near = nearest(to: named, among: Self.questionFields).first.map { "; did you mean '\($0)'?" }
        throw LuaMisuse("a question has no field '\(named)'\(near ?? "; it has title, help, takes and confirm")")
      }
      return true
    }
    guard takes?.arguments.isEmpty == false || confirm != nil else {
      throw LuaMisuse("a question needs 'takes', 'confirm' or both")
    }
    // The person sees that a plugin asks, and not the app.
    if owner.plugin != nil { title = [owner.owner.name, title].compactMap { $0 }.joined(separator: ": ") }
    let action = runningJob(call.L)?.action ?? dispatcher.actions.names.last ?? "ask"
    return PendingQuestion(
      Job.Subject(action: action, responder: host.chain.app, owner: owner.owner, isReentrant: true), title: title,
      help: help, confirm: confirm, takes: takes, in: dispatcher,
      hear: host.hearingQuestions)
  }

  /// Returns an answer that a test has prepared; nil if there is none.
  private func readyAnswer(to question: PendingQuestion) throws -> Value? {
    guard !host.readyAnswers.isEmpty else { return nil }
    switch host.readyAnswers.removeFirst() {
    case .no: return .null
    case .arguments(let arguments):
      do throws(Misfit) { return try question.value(of: arguments) } catch {
        throw LuaMisuse("the test's answer doesn't fit: \(error.reason)")
      }
    }
  }

  private func pushed(_ value: Value) throws -> LuaValue {
    push(value, on: lua.L)
    defer { clua_pop(lua.L, 1) }
    return try lua.value(at: -1, on: lua.L)
  }

  // MARK: Answers

  /// app:answer(answers): sets a test's answer to the next question.
  func answer(_ call: LuaCall) throws -> LuaReturn {
    _ = try receiver(call, "answer")
    guard dispatcher.scheduler.clock is TestClock else {
      throw LuaMisuse("app:answer is for tests; to answer a job, call job:answer")
    }
    guard host.readyAnswers.count < ScriptHost.mostQuestions else {
      throw LuaMisuse("\(ScriptHost.mostQuestions) answers are stored already, and that is the limit")
    }
    host.readyAnswers.append(try readyAnswer(call))
    return .nothing
  }

  /// job:answer(answers)
  func answerJob(_ call: LuaCall, _ job: Job) throws -> LuaReturn {
    try refuseWhileAsking("answering")
    let answer = try readyAnswer(call)
    guard let question = job.asks else { return .values([false, .text("'\(job.action)' asks nothing")]) }
    switch answer {
    case .no: question.refuse()
    case .arguments(let arguments):
      do throws(Misfit) { try question.answer(arguments) } catch { throw LuaMisuse(error.reason) }
    }
    return .values([true])
  }

  private func readyAnswer(_ call: LuaCall) throws -> ReadyAnswer {
    switch try call[1] {
    case .bool(true): return .arguments(Arguments())
    case .bool(false): return .no
    case .table(let table): return .arguments(try arguments(table))
    case let other: throw LuaMisuse("answer takes a table of answers, true or false, not \(other.described)")
    }
  }

  /// Returns the open question of a job for scripts; nil if there is none.
  func asks(of job: Job) -> Value? {
    guard let question = job.asks else { return nil }
    var members: [(key: String, value: Value)] = []
    func add(_ key: String, _ text: String?) { if let text { members.append((key, .text(text))) } }
    add("title", question.title)
    add("help", question.help)
    add("confirm", question.confirm)
    members.append(("arguments", .list(question.form().fields.map(\.value))))
    return .object(members)
  }
}
