import LiveHost
import ScriptHost

// Calls of tools: an action is performed like a person's pick, and its outcome is the result.

extension Assistant {
  func call(_ request: Request, _ era: Era) throws(RPCError) {
    let name = try request.text("name")
    let given = request.parameters["arguments"] ?? .object([])
    guard let arguments = given.members else { throw RPCError(.parameters, "'arguments' must be an object") }
    if let own = OwnTool(named: name) {
      guard table.own.contains(own) || own == .find || own == .perform && !settings.isReadOnly else {
        throw unknown(name)
      }
      return try call(own, given, request, era)
    }
    guard let tool = try tool({ $0.tool(name) }) else { throw unknown(name) }
    try call(Deed(tool: tool, called: name, given: given, arguments: arguments), request, era)
  }

  private func unknown(_ name: String) -> RPCError {
    if table.excluded.contains(name) {
      return RPCError(.parameters, "Unknown tool: \(name); the options of 'menuctl mcp' exclude it")
    }
    let near = nearest(toID: name, among: table.tools.map(\.name) + table.own.map(\.name)).first
    return RPCError(.parameters, "Unknown tool: \(name)" + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }

  private func call(_ deed: Deed, _ request: Request, _ era: Era) throws(RPCError) {
    let call = Call(request: request, era: era, deed: deed, progress: Progress(of: request.parameters))
    if let state = request.parameters["requestState"] {
      let (deed, question) = try sealed.open(state.text ?? "", tool: deed.called, given: deed.given, at: now())
      var again = call
      again.deed = deed
      let response = request.parameters["inputResponses"]?[question.name]
      guard let job = deed.job else { return try answered(again, question, response) }
      return try comeBack(again, question, response, job)
    }
    if deed.arguments.contains(where: { $0.0 == Arguments.skipping }) {
      return refuse(call, "\(Self.noSkipping). Do what is missing first.")
    }
    // The host compares declared arguments, and asks the person for missing ones.
    if !deed.tool.isDeclared, let misfit = InputSchema.misfit(deed.arguments, deed.tool.schema) {
      return refuse(call, misfit)
    }
    try perform(call)
  }

  private static let noSkipping = "'\(Arguments.skipping)' is for the app's own scripts, and no assistant can use it"

  /// Returns true if a reference has the argument that skips `needs` and `can`.
  static func skipsValidation(_ reference: String) -> Bool {
    (try? Reference.parse(reference))?.arguments?[Arguments.skipping] != nil
  }

  /// Performs the action of a call, and answers the call if the action is over.
  func perform(_ call: Call) throws(RPCError) {
    let deed = call.deed
    var members: [(String, JSON)] = [("ref", .text(deed.tool.action)), ("args", .object(deed.arguments))]
    if let step = deed.step { members.append(("of", .integer(step))) }
    if let question = deed.confirmed { members += [("confirmed", .bool(true)), ("asked", .text(question))] }
    if let about = deed.about { members.append(("about", .list(about.map { .text($0) }))) }
    do throws(Unanswered) {
      try take(try perform(members, for: call), of: call)
    } catch {
      guard case .asking = error.kind else { throw RPCError(error) }
      refuse(call, "\(error.message).")
    }
  }

  private func take(_ outcome: JSON, of call: Call) throws(Unanswered) {
    switch outcome["status"]?.text.flatMap(Outcome.Status.init) {
    case .running?:
      guard let job = outcome["job"]?.integer else { break }
      running[job] = call
      // The progress that the action reported before it waited.
      if let progress = outcome["progress"] { tell(progress, ofJob: job) }
    case .asks?: ask(call, outcome["asks"] ?? .null)
    case .handled? where call.deed.called == OwnTool.undo.name: undone(call)
    case .handled?:
      if let step = outcome["step"]?.integer { undo.did(step, joined: outcome["joined"]?.integer) }
      finish(call, outcome)
    default: finish(call, outcome, failure: try failure(outcome, of: call.deed))
    }
  }

  /// Returns the reason why an action failed, with the place or the origin.
  private func failure(_ outcome: JSON, of deed: Deed) throws(Unanswered) -> String {
    if let error = outcome["error"] {
      let line = error["line"]?.integer.map { ":\($0)" } ?? ""
      let place = error["file"]?.text.map { " (\($0)\(line))" } ?? ""
      return "'\(deed.reference)' failed: \(error["message"]?.text ?? "it doesn't say why")\(place)"
    }
    var reason = outcome["reason"]?.text ?? "nobody answers it"
    if outcome["elsewhere"] != nil {
      reason += ". If a pane is meant, choose one of its rows first: \(OwnTool.choose.name)"
    }
    let why: JSON
    do throws(Unanswered) { why = try request("why", [("ask", .text(deed.reference)), ("as", .text("ref"))]) } catch {
      // The call has its answer even if the app is gone.
      if error.kind != .asking, !error.isGone { throw error }
      return "'\(deed.reference)' can't be done now: \(reason)"
    }
    return "'\(deed.reference)' can't be done now: \(reason)\n\n\(why["text"]?.text ?? "")"
  }

  /// The members of an outcome that a result has.
  private static let told: Set<String> = ["action", "status", "by", "via", "result", "reason", "undo", "error"]

  private func finish(_ call: Call, _ outcome: JSON, failure: String? = nil) {
    let members = (outcome.members ?? []).filter { Self.told.contains($0.0) }
    // Written and read again, because a value of the app's process may have parts that write themselves.
    let structured = JSON.written(JSONText.text(.object(members)))
    result(
      call.request, call.era, failure ?? JSONText.text(structured), isError: failure != nil, structured: structured)
  }

  /// Answers a call whose action was cancelled in the middle.
  func stop(_ call: Call, _ reason: String) {
    result(call.request, call.era, "'\(call.deed.reference)' was cancelled: \(reason)", isError: true)
  }

  /// Answers a call with an error: nothing was done.
  func refuse(_ call: Call, _ reason: String) {
    result(call.request, call.era, "'\(call.deed.reference)' was not done: \(reason)", isError: true)
  }

  private func result(
    _ request: Request, _ era: Era, _ text: String, isError: Bool = false, structured: JSON? = nil
  ) {
    reply(
      to: request, era,
      [
        ("content", .list([.object([("type", .text("text")), ("text", .text(text))])])), ("isError", .bool(isError)),
      ] + (structured.map { [("structuredContent", $0)] } ?? []))
  }

  /// Handles news of a job: progress, a question, or its end.
  func heard(ofJob job: Int, _ told: JSON) throws(Unanswered) {
    guard let call = running[job] else {
      guard parked.keys.contains(job) else { return }
      if let outcome = told["outcome"] { parked[job] = outcome }
      if let asks = told["asks"], asks["number"] != nil { askedNext[job] = asks }
      return
    }
    if let asks = told["asks"] { return try heard(question: asks, ofJob: job, of: call) }
    if let outcome = told["outcome"] {
      running[job] = nil
      withdraw(questionOfJob: job)
      return try take(outcome, of: call)
    }
    if let progress = told["progress"] { tell(progress, ofJob: job) }
  }

  /// Sends the client the progress of a job, if it gave a token.
  private func tell(_ progress: JSON, ofJob job: Int) {
    guard let parameters = running[job]?.progress?.notification(progress) else { return }
    notify("notifications/progress", parameters)
  }

  /// Continues a call of a client without a session whose job has asked.
  private func comeBack(_ call: Call, _ question: Question, _ response: JSON?, _ job: Int) throws(RPCError) {
    turn()
    let next = askedNext.removeValue(forKey: job)
    guard let parked = parked.removeValue(forKey: job) else {
      throw RPCError(.parameters, "this 'requestState' belongs to an action that has ended")
    }
    do throws(Unanswered) {
      if let outcome = parked { return try take(outcome, of: call) }
      running[job] = call
      if let next { return try heard(question: next, ofJob: job, of: call) }
      try answer(job: job, call, question, response)
    } catch {
      // Another client has answered the question by now. The job's next question or its end comes to this call.
      if case .asking = error.kind { return turn() }
      // The call gets the error, so nobody waits for its job.
      running[job] = nil
      _ = try? self.request("cancel", [("job", .integer(job))])
      throw RPCError(error)
    }
    turn()
  }

  // MARK: The server's own tools

  private func call(_ own: OwnTool, _ given: JSON, _ request: Request, _ era: Era) throws(RPCError) {
    if let misfit = InputSchema.misfit(given.members ?? [], own.schema) {
      return result(request, era, misfit, isError: true)
    }
    do throws(Unanswered) {
      switch own {
      case .find:
        try refreshForSearch()
        let from = given["from"]?.integer ?? 1
        result(request, era, JSONText.text(table.found(given["text"]?.text ?? "", from: from)))
      case .choose: try choose(given, request, era)
      case .menus:
        let members: [(String, JSON)] = given["id"]?.text.map { [("id", .text($0))] } ?? []
        let menus = try self.request("menus", members)["menus"]
        result(request, era, MenuOutline.text(of: (try? AnswerReader().menus(menus)) ?? []))
      case .why:
        let reference = given["ref"]?.text ?? ""
        if Self.skipsValidation(reference) { return result(request, era, Self.noSkipping, isError: true) }
        let why = try self.request("why", [("ask", .text(reference))])
        result(request, era, why["text"]?.text ?? "")
      case .undo: try takeBack(request, era)
      case .perform: try performFound(given, request, era)
      }
    } catch {
      guard case .asking = error.kind else { throw RPCError(error) }
      result(request, era, "\(error.message)", isError: true)
    }
  }

  /// Makes a row current, focuses a pane, or marks rows, as a person does.
  private func choose(_ given: JSON, _ request: Request, _ era: Era) throws(Unanswered) {
    var done: [String] = []
    var deeds: [(method: String, members: [(String, JSON)], done: String)] = []
    if let id = given["id"]?.text { deeds.append(("choose", [("id", .text(id))], "'\(id)' is chosen")) }
    if let ids = given["marked"]?.list {
      let pane: [(String, JSON)] = given["pane"].map { [("pane", $0)] } ?? []
      deeds.append(("mark", [("ids", .list(ids))] + pane, "\(ids.count) rows are marked"))
    }
    guard !deeds.isEmpty else { return result(request, era, "give 'id' or 'marked'", isError: true) }
    for deed in deeds {
      let outcome = try self.request(deed.method, deed.members)
      if let reason = outcome["reason"]?.text ?? outcome["error"]?["message"]?.text {
        return result(request, era, (done + [reason]).joined(separator: "; "), isError: true)
      }
      done.append(deed.done)
    }
    result(
      request, era, done.joined(separator: "; "), structured: .object([("status", .text("handled"))]))
  }

  private func refreshForSearch() throws(Unanswered) {
    do throws(RPCError) { try refresh() } catch { throw Unanswered(.gone, error.message) }
  }

  private func performFound(_ given: JSON, _ request: Request, _ era: Era) throws(Unanswered) {
    let action = given["action"]?.text ?? ""
    do throws(RPCError) {
      guard let arguments = (given["arguments"] ?? .object([])).members else {
        throw RPCError(.parameters, "'arguments' must be an object")
      }
      guard let tool = try tool({ $0.tool(ofAction: action) ?? $0.tool(action) }) else {
        let near = nearest(toID: action, among: table.tools.map(\.action)).first.map { "; did you mean '\($0)'?" }
        throw RPCError(.parameters, "there is no action '\(action)'\(near ?? "")")
      }
      try call(Deed(tool: tool, called: OwnTool.perform.name, given: given, arguments: arguments), request, era)
    } catch {
      throw Unanswered(error.code == .parameters ? .asking : .gone, error.message)
    }
  }

  /// Undoes the assistant's last deed, if undo would take that back now.
  private func takeBack(_ request: Request, _ era: Era) throws(Unanswered) {
    turn()
    let history = try self.request("undo_stack")
    guard let title = history["undo"]?.list?.first?.text, let step = history["step"]?.integer else {
      return result(request, era, "nothing was undone: there is nothing to undo", isError: true)
    }
    guard undo.isOwn(step) else {
      return result(
        request, era, "nothing was undone: undo would take back '\(title)', which you didn't do", isError: true)
    }
    // An undo may take as long as the deed.
    var deed = Deed(tool: Tool(undoing: title), called: OwnTool.undo.name, given: .object([]), arguments: [])
    deed.step = step
    do throws(RPCError) {
      try perform(Call(request: request, era: era, deed: deed, progress: Progress(of: request.parameters)))
    } catch { throw Unanswered(.gone, error.message) }
  }

  private func undone(_ call: Call) {
    undo.undid()
    let title = call.deed.tool.title
    let structured = JSON.object([("status", .text("handled")), ("undo", .text(title))])
    result(call.request, call.era, "undone: \(title)", structured: structured)
  }
}

/// The progress of a call, for a client that gave a token. Its numbers only rise, as the protocol requires.
struct Progress {
  let token: JSON
  private var last = 0.0
  private var hasFraction = false

  init?(of parameters: JSON) {
    switch parameters["_meta"]?["progressToken"] {
    case .text(let text)?: token = .text(text)
    case .integer(let number)?: token = .integer(number)
    default: return nil
    }
  }

  /// Returns the notification of a job's progress; nil if the number wouldn't rise.
  mutating func notification(_ progress: JSON) -> [(String, JSON)]? {
    let text: [(String, JSON)] = progress["text"]?.text.map { [("message", .text($0))] } ?? []
    guard let fraction = progress["fraction"]?.double else {
      if hasFraction || text.isEmpty { return nil }
      last += 1
      return [("progressToken", token), ("progress", .number(last))] + text
    }
    guard fraction > last || !hasFraction && last == 0 else { return nil }
    (last, hasFraction) = (fraction, true)
    return [("progressToken", token), ("progress", .number(fraction)), ("total", .integer(1))] + text
  }
}

/// Remembers the undo steps of the assistant's deeds, so that it takes back nothing of anybody else.
///
/// The host numbers each change of a step. A step that somebody else's deed has joined has another number than before.
struct OwnUndo {
  /// The numbers of the steps, newest last.
  private var steps: [Int] = []

  /// Notes the step of a deed of the assistant.
  ///
  /// - Parameter joined: the number that the step had before, if the deed was merged with it.
  mutating func did(_ step: Int, joined: Int?) {
    if let joined {
      // The rest of a step of somebody else isn't the assistant's.
      guard steps.last == joined else { return }
      steps.removeLast()
    }
    steps.append(step)
  }

  /// Forgets all deeds, because another client has done or undone a deed that undo takes back.
  mutating func lost() { steps.removeAll() }

  /// Returns true if a step is the assistant's last one.
  func isOwn(_ step: Int) -> Bool { steps.last == step }

  /// Notes that the last deed was taken back.
  mutating func undid() { if !steps.isEmpty { steps.removeLast() } }
}
