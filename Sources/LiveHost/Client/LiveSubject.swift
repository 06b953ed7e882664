import ScriptHost

/// The subject that reads from a live app over its socket.
package final class LiveSubject: Subject {
  package let client: LiveClient
  private var reader = AnswerReader()
  /// The lines of scripts that came with diagnostics and failures, by file and number.
  private var lines: [String: [Int: String]] = [:]
  /// Called for what scripts print and log, and for diagnostics, like the callbacks of a `ScriptHost`.
  package var onPrint: ((String) -> Void)?
  package var onLog: ((LogEntry) -> Void)?
  package var onDiagnostic: ((Diagnostic) -> Void)?

  /// The job of the deed that the subject waits for, and its outcome.
  private var job: Int?
  private var end: JSON?
  /// The outcome of keys that acted alone after the last deed.
  private var actedAlone: JSON?
  /// Shows the person a question that an action asks in the middle of its work; nil without a person.
  package var onQuestion: ((AskedInMiddle) -> AskedInMiddle.Answer?)?
  /// The questions of jobs by job number: a question may come before the answer that names its job.
  private var asked: [Int: JSON] = [:]
  private var onProgress: ((Job.Progress?) -> Void)?
  private var isInterrupted = false

  package init(_ client: LiveClient) {
    self.client = client
    client.onNotification = { [unowned self] name, parameters in told(name, parameters) }
    client.onAlarm = { [unowned self] in interrupted() }
    reader.onLine = { [unowned self] place, text in
      if (1...Self.mostLines).contains(place.line) { lines[place.file, default: [:]][place.line] = text }
    }
  }

  private static let mostLines = 1 << 17

  /// Returns the text of a script's file with only the known lines filled in; nil if no line is known.
  package func text(ofFile file: String) -> [UInt8]? {
    guard let known = lines[file], let last = known.keys.max() else { return nil }
    return Array((1...last).map { known[$0] ?? "" }.joined(separator: "\n").utf8)
  }

  /// The file from which the app was loaded.
  package var source: String { client.hello["app"]?["source"]?.text ?? "" }

  /// Subscribes to what scripts print and log, and to diagnostics.
  package func listen() throws(Unanswered) {
    _ = try client.request("subscribe", [("to", .list([.text("log"), .text("diagnostics")]))])
  }

  /// Whether the menus or the panel have changed since `follow` looked last.
  private var hasChanged = false

  /// Calls `look` now and after each change of the menus or the panel, until the app ends.
  package func follow(_ look: () throws(Unanswered) -> Void) throws(Unanswered) -> Never {
    _ = try client.request("subscribe", [("to", .list([.text("menus"), .text("panel")]))])
    while true {
      hasChanged = false
      try look()
      while !hasChanged { try client.hear() }
    }
  }

  // MARK: Asking

  package func app() throws(Unanswered) -> Answer.App {
    let json = try client.request("app")
    return try read { try reader.read(json) }
  }

  package func menus() throws(Unanswered) -> MenuElement {
    let json = try client.request("menus")
    let panel = try client.request("panel")
    return try read { MenuElement(rootOf: try reader.menus(json["menus"]), panel: try reader.menus(panel["panel"])) }
  }

  package func element(_ id: String) throws(Unanswered) -> MenuElement {
    let json = try client.request("menus", [("id", .text(id))])
    let elements = try read { try reader.menus(json["menus"]) }
    if let element = elements.first { return element }
    throw Unanswered(.silent, "the app sent no element '\(id)'")
  }

  package func validations(of names: [String]) throws(Unanswered) -> [Answer.Validated] {
    let json = try asking(names, "validate", [("ids", .list(names.map { .text($0) }))])
    return try read { try reader.list(json["items"]) }
  }

  package func form(of deed: Deed, _ answers: Arguments) throws(Unanswered) -> Form {
    let given = deed.arguments.merging(answers)
    var members = [("args", JSON.object(given.members.map { ($0.key, JSON($0.value)) }))]
    if case .choose(let id) = deed { members.append(("row", .text(id))) } else { members += parameters(of: deed) }
    let json = try client.request("form", members)
    return try read { try reader.read(json) }
  }

  package func explanation(of name: String, as kind: Answer.Validated.Kind?) throws(Unanswered) -> Explanation {
    let json = try asking(
      [name], "why", [("ask", .text(name))] + (kind.map { [("as", .text($0.rawValue))] } ?? []))
    return try read { try reader.read(json) }
  }

  package func chain(_ reference: String?) throws(Unanswered) -> Answer.Chain {
    let json = try asking(reference.map { [$0] } ?? [], "chain", of(reference))
    return try read { try reader.read(json) }
  }

  package func context(_ reference: String?) throws(Unanswered) -> [Answer.Entry] {
    let json = try asking(reference.map { [$0] } ?? [], "context", of(reference))
    return try read { try reader.read(json, as: Answer.Context.self).entries }
  }

  package func keys() throws(Unanswered) -> [KeyEntry] {
    let json = try client.request("keys")
    return try read { try reader.list(json["keys"]) }
  }

  package func findings() throws(Unanswered) -> [Diagnostic] {
    let json = try client.request("check")
    return try read { try reader.list(json["diagnostics"]) }
  }

  /// Sends a request about names. If a name can't be parsed, the error contains the place in it.
  private func asking(
    _ names: [String], _ method: String, _ members: [(String, JSON)]
  ) throws(Unanswered) -> JSON {
    do throws(Unanswered) { return try client.request(method, members) } catch {
      for name in names where error.message.hasPrefix("'\(name)': ") { try HostSubject.check(reference: name) }
      throw error
    }
  }

  private func of(_ reference: String?) -> [(String, JSON)] { reference.map { [("ref", .text($0))] } ?? [] }

  private func read<Result>(_ body: () throws -> Result) throws(Unanswered) -> Result {
    do { return try body() } catch {
      throw Unanswered(.gone, "the live app sent a message that this menuctl doesn't know")
    }
  }

  package func actions(_ reference: String?, everywhere: Bool) throws(Unanswered) -> [ActionEntry] {
    let members = of(reference) + (everywhere ? [("everywhere", .bool(true))] : [])
    let json = try asking(reference.map { [$0] } ?? [], "actions", members)
    return try read { try reader.list(json["actions"]) }
  }

  package func completions(ofLua line: String) throws(Unanswered) -> Completions {
    Completions(told: try client.request("complete", [("line", .text(line))]))
  }

  package func completions(of kinds: [AppName], begun: String) throws(Unanswered) -> Completions {
    let words = kinds.map { JSON.text($0.rawValue) }
    return Completions(
      told: try client.request("complete", [("line", .text(begun)), ("as", .text("name")), ("kinds", .list(words))]))
  }

  /// Reloads the app. Returns the reason if it can't be reloaded.
  package func reload() throws(Unanswered) -> Diagnostic? {
    let json = try client.request("reload")
    if json["reloaded"]?.bool ?? false { return nil }
    return try read { try (json["diagnostics"]?.list?.first).map { try reader.read($0) } }
  }

  /// Returns the loaded plugins, a line for each.
  package func plugins() throws(Unanswered) -> [String] {
    (try client.request("plugins")["plugins"]?.list ?? []).map { plugin in
      ["name", "version", "path", "trouble"].compactMap { plugin[$0]?.text }.joined(separator: "  ")
    }
  }

  // MARK: Doing

  /// Waits until this client's keys act alone (K12), and returns their outcome.
  package func letKeysActAlone() throws(Unanswered) -> Answer.Performed {
    while true {
      if let acted = actedAlone { return try read { try reader.read(acted, as: Answer.Performed.self) } }
      try client.hear()
    }
  }

  package func carryOut(_ deed: Deed, _ manner: Manner) throws(Unanswered) -> Answer.Done {
    (isInterrupted, actedAlone) = (false, nil)
    let before = try menus()
    var members: [(String, JSON)] = [("changes", .bool(true))]
    let answers: [(String, JSON)] = onQuestion == nil ? [] : [("answers", .bool(true))]
    switch deed {
    case .focus(let name):
      let json = try client.request("focus", [("name", .text(name))] + members)
      return .focused(try read { try reader.read(json, before: before) })
    case .evaluate(let line, let name):
      members += answers + [("line", .text(line)), ("wait", .bool(false))] + (name.map { [("name", .text($0))] } ?? [])
      let json = try ended(client.request("evaluate", members))
      var evaluated = try read { try reader.read(json, before: before, as: Answer.Evaluated.self) }
      if isInterrupted, evaluated.failure?.code == .cancelled { evaluated.failure?.message = "cancelled" }
      return .evaluated(evaluated)
    case .open(let url):
      let json = try client.request("open_urls", [("urls", .list([.text(url)]))])
      let outcome = json["outcomes"]?.list?.first ?? .null
      return .performed(try read { try reader.read(outcome, before: before, as: Answer.Performed.self) })
    case .perform, .press, .pick, .pickNumber, .choose, .mark, .filter, .select: break
    }
    members += [("owned", .bool(true))] + answers
    if manner.traces { members.append(("trace", .bool(true))) }
    let arguments = deed.arguments.merging(manner.answered.arguments)
    if !arguments.isEmpty || manner.answered.given != nil {
      members.append(("args", .object(arguments.members.map { ($0.key, JSON($0.value)) })))
    }
    if let confirmed = manner.answered.confirmed { members.append(("confirmed", .bool(confirmed))) }
    if let asked = manner.answered.asked { members.append(("asked", .text(asked))) }
    if let about = manner.answered.about { members.append(("about", .list(about.map { .text($0) }))) }
    onProgress = manner.onProgress
    defer {
      onProgress?(nil)
      onProgress = nil
    }
    let json = try ended(client.request(method(of: deed), members + parameters(of: deed)))
    let performed = try read { try reader.read(json, before: before, as: Answer.Performed.self) }
    // The person who interrupted the action gets the same outcome as from an app in this process.
    if isInterrupted, performed.outcome.status == .cancelled {
      performed.outcome = Outcome(.cancelled, by: performed.outcome.by, error: Failure(.cancelled, "cancelled"))
    }
    return .performed(performed)
  }

  private func method(of deed: Deed) -> String {
    switch deed {
    case .perform: "perform"
    case .press: "press"
    case .pick, .pickNumber: "pick"
    case .choose: "choose"
    case .mark: "mark"
    case .filter: "filter"
    case .select: "select"
    case .focus: "focus"
    case .open: "open_urls"
    case .evaluate: "evaluate"
    }
  }

  private func parameters(of deed: Deed) -> [(String, JSON)] {
    switch deed {
    case .perform(let reference, let performing):
      var members: [(String, JSON)] = [("ref", .text(reference))]
      if let from = performing.from { members.append(("from", .text(from))) }
      if let to = performing.to { members.append(("to", .text(to))) }
      if performing.skipsValidation { members.append(("skip_validation", .bool(true))) }
      return members
    case .press(let keys): return [("keys", .text(keys))]
    case .choose(let id): return [("id", .text(id))]
    case .mark(let ids, let pane):
      return [("ids", .list(ids.map { .text($0) }))] + (pane.map { [("pane", .text($0))] } ?? [])
    case .filter(let text, let pane): return [("pane", .text(pane)), ("text", .text(text))]
    case .select(let text, let from, let to):
      return [("text", .text(text)), ("from", .integer(from)), ("to", .integer(to))]
    case .pick(let id, let modifiers):
      return [("id", .text(id))]
        + (modifiers.isEmpty ? [] : [("modifiers", .list(modifiers.map { .text($0) }))])
    case .pickNumber(let number, let revision): return [("number", .integer(number)), ("of", .integer(revision))]
    case .focus, .open, .evaluate: return []
    }
  }

  /// Waits for the job that an answer names. Returns its outcome, or the answer itself if nothing is running.
  private func ended(_ answer: JSON) throws(Unanswered) -> JSON {
    guard answer["status"]?.text == "running", let number = answer["job"]?.integer else { return answer }
    job = number
    defer { (job, end, asked) = (nil, nil, [:]) }
    progressed(answer)
    // An interruption that came before the job's number was known is for this job.
    if isInterrupted { cancel() }
    while end == nil {
      if let asked = asked.removeValue(forKey: number) {
        try self.answer(asked, ofJob: number)
      } else {
        try client.hear()
      }
    }
    return end ?? answer
  }

  /// Shows the person a job's question until the app accepts the answer.
  private func answer(_ json: JSON, ofJob number: Int) throws(Unanswered) {
    guard let onQuestion else { return }
    let job = ("job", JSON.integer(number))
    let asked = AskedInMiddle(json) { [unowned self] answers in
      let given = JSON.object(answers.members.map { ($0.key, JSON($0.value)) })
      return try? read { try reader.read(try client.request("form", [job, ("args", given)])) }
    }
    while let asked, let answer = onQuestion(asked) {
      let given = answer.arguments.map { ("args", JSON.object($0.members.map { ($0.key, JSON($0.value)) })) }
      let told = try client.request("answer", [job, given ?? ("confirmed", .bool(false))])
      if told["answered"]?.bool == true || told["reason"] == nil { return }
    }
  }

  /// Cancels the action that the subject waits for.
  private func interrupted() {
    isInterrupted = true
    cancel()
  }

  private func cancel() {
    if let job { _ = try? client.send("cancel", [("job", .integer(job))]) }
  }

  // MARK: Notifications

  private func told(_ name: String, _ parameters: JSON) {
    switch name {
    case "log": log(parameters)
    case "menus", "panel", "resync": hasChanged = true
    case "outcome" where parameters["waited"] != nil: actedAlone = parameters
    case "diagnostic":
      if let json = parameters["diagnostic"], let diagnostic = try? reader.read(json, as: Diagnostic.self) {
        onDiagnostic?(diagnostic)
      }
    case "job":
      guard let number = parameters["job"]?.integer else { return }
      if let asks = parameters["asks"] { asked[number] = if case .null = asks { nil } else { asks } }
      guard number == job else { return }
      progressed(parameters)
      end = parameters["outcome"] ?? end
    default: break
    }
  }

  private func log(_ entry: JSON) {
    let text = entry["text"]?.text ?? ""
    guard let level = entry["level"]?.text.flatMap(LogLevel.init) else {
      onPrint?(text)
      return
    }
    onLog?(LogEntry(told: level, text, owner: entry["owner"]?.text ?? "", place: reader.place(entry)))
  }

  private func progressed(_ json: JSON) {
    guard let progress = json["progress"], let fraction = reader.fraction(progress["fraction"]) else { return }
    onProgress?(Job.Progress(told: fraction, text: progress["text"]?.text))
  }
}

extension JSON {
  /// Makes JSON from a value. A value without a JSON form is written by name.
  package init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = value.isFinite ? .number(value) : .object([("$", .text("\(value)"))])
    case .text(let value): self = .text(value)
    case .list(let values): self = .list(values.map { JSON($0) })
    case .object(let members): self = .object(members.map { ($0.key, JSON($0.value)) })
    case .opaque(let object as ClientObject): self = .object([("$", .text("object")), ("id", .integer(object.id))])
    case .opaque(let object): self = .object([("$", .text(Value.opaque(object).typeName))])
    }
  }
}
