import Glibc
import LiveHost
import ScriptHost

// The person answers an action's questions, through the client. The assistant itself can't.

extension Assistant {
  /// Asks the person an action's question, or answers the call if the client can't ask.
  func ask(_ call: Call, _ asks: JSON) {
    guard let asked = try? AnswerReader().read(asks, as: Outcome.Question.self) else {
      return refuse(call, "the app's question can't be read.")
    }
    var call = call
    call.deed.about = call.deed.about ?? asked.about
    let fields = whole(asked.arguments, of: call)
    let missing = fields.filter(\.isRequired)
    if let secret = missing.first(where: \.isSecret) {
      return refuse(call, "it needs the secret '\(secret.key)', which only the person can enter, in the app.")
    }
    let unknown = missing.filter { $0.formSchema == nil || !call.era.canAsk }
    if !unknown.isEmpty {
      return refuse(call, "it needs \(unknown.map { "'\($0.key)'" }.joined(separator: ", ")).")
    }
    if !missing.isEmpty {
      return put(.arguments(fields.filter { $0.formSchema != nil }, title: call.deed.tool.title), of: call)
    }
    guard let question = asked.confirm else { return refuse(call, "the app asks an empty question.") }
    confirm(question, call)
  }

  /// Asks the person to confirm a call, or answers the call if the client can't ask.
  func confirm(_ question: String, _ call: Call) {
    guard call.era.canAsk else {
      return refuse(
        call, "it asks the person “\(question)”, and this client can't ask. The person can do it in the app.")
    }
    put(.confirm([question], title: call.deed.tool.title), of: call)
  }

  /// The fields of a call's form, once the values that they wait for have come; as they are after three seconds, because
  /// the server answers nothing meanwhile.
  private func whole(_ fields: [AskedArgument], of call: Call) -> [AskedArgument] {
    var fields = fields
    let members: [(String, JSON)] = [("ref", .text(call.deed.tool.action)), ("args", .object(call.deed.arguments))]
    for _ in 0..<60 where fields.contains(where: \.isAwaited) {
      poll(nil, 0, 50)
      guard let json = try? request("form", members), let form = try? AnswerReader().read(json, as: Form.self) else {
        break
      }
      fields = form.fields
    }
    return fields
  }

  /// - Parameter trouble: the error in the last answer.
  private func put(_ question: Question, of call: Call, after trouble: String? = nil) {
    guard call.deed.arguments.count <= Deed.mostShown else {
      return refuse(call, "it asks the person, who can see \(Deed.mostShown) arguments at most.")
    }
    let message = (trouble.map { "\($0.visibleBlanks). " } ?? "") + question.message + call.deed.shownArguments
    var form: [(String, JSON)] = [("message", .text(message)), ("requestedSchema", question.schema)]
    // The first revision with forms has no other mode.
    if call.era.revision != "2025-06-18" { form.insert(("mode", .text("form")), at: 0) }
    if call.era.isStateless {
      let request = JSON.object([("method", .text("elicitation/create")), ("params", .object(form))])
      return reply(
        to: call.request, call.era,
        [
          ("requestState", .text(sealed.seal(question, of: call.deed, call: call.request.key, at: now()))),
          ("inputRequests", .object([(question.name, request)])),
        ], isComplete: false)
    }
    lastQuestion += 1
    let id = "ask-\(lastQuestion)"
    asked[JSONText.text(.text(id))] = (call, question)
    askClient("elicitation/create", form, id: id)
  }

  // MARK: Questions in the middle of an action

  /// Asks the person a job's question, or cancels the job if the client can't ask.
  func heard(question asks: JSON, ofJob job: Int, of call: Call) throws(Unanswered) {
    if case .null = asks { return withdraw(questionOfJob: job) }
    var call = call
    (call.deed.job, call.deed.question) = (job, asks["number"]?.integer)
    let asked = try? AnswerReader().read(asks, as: Outcome.Question.self)
    let fields = asked?.arguments ?? []
    let unshown = fields.first { $0.isRequired && $0.formSchema == nil }
    if asked == nil || !call.era.canAsk || unshown != nil {
      running[job] = nil
      let whatFor = unshown.map { " for \($0.isSecret ? "the secret " : "")'\($0.key)'" } ?? ""
      stop(call, "it asks the person\(whatFor), which this client can't show. The person can do it in the app.")
      _ = try request("cancel", [("job", .integer(job))])
      return
    }
    if call.era.isStateless {
      running[job] = nil
      parked[job] = .some(nil)
    }
    // A plugin's title names the plugin, so the person sees who asks.
    let title = asks["title"]?.text ?? call.deed.tool.title
    let texts = [asks["title"]?.text, asks["help"]?.text, asked?.confirm].compactMap { $0 }
    let parts = texts.isEmpty ? [title] : texts
    if fields.isEmpty { return put(.confirm(parts, title: title), of: call) }
    put(.arguments(fields.filter { $0.formSchema != nil }, title: title, confirm: parts), of: call)
  }

  /// Withdraws a question that another client has answered, or whose job has ended.
  func withdraw(questionOfJob job: Int) {
    guard let (id, _) = asked.first(where: { $0.value.call.deed.job == job }) else { return }
    asked[id] = nil
    notify("notifications/cancelled", [("requestId", .written(id))])
  }

  /// Passes the person's answer to a job. If it doesn't fit, asks the person again.
  func answer(job: Int, _ call: Call, _ question: Question, _ response: JSON?) throws(Unanswered) {
    var members: [(String, JSON)] = [("job", .integer(job))]
    if let number = call.deed.question { members.append(("number", .integer(number))) }
    let content = response?["content"]
    switch question {
    case .confirm where content?["yes"]?.bool == true && response?["action"]?.text == "accept": break
    case .arguments(let fields, _, _) where response?["action"]?.text == "accept":
      let given = fields.compactMap { field in content?[field.key].map { (field.key, field.value(inForm: $0)) } }
      members.append(("args", .object(given)))
    default: members.append(("confirmed", .bool(false)))
    }
    let answer = try request("answer", members)
    guard answer["answered"]?.bool != true, let reason = answer["reason"]?.text else { return }
    if call.era.isStateless {
      running[job] = nil
      parked[job] = .some(nil)
    }
    put(question, of: call, after: reason)
  }

  /// Continues a call after the person has answered.
  func answered(_ call: Call, _ question: Question, _ response: JSON?) throws(RPCError) {
    var call = call
    if let job = call.deed.job {
      do throws(Unanswered) { return try answer(job: job, call, question, response) } catch {
        // The job has its answer from another client. Its next question or its end comes to this call.
        if case .asking = error.kind { return }
        throw RPCError(error)
      }
    }
    guard response?["action"]?.text == "accept" else {
      let isNo = response?["action"]?.text == "decline"
      return refuse(call, isNo ? "the person said no." : "the person gave no answer.")
    }
    let content = response?["content"]
    switch question {
    case .confirm(let texts, _):
      guard content?["yes"]?.bool == true else { return refuse(call, "the person said no.") }
      call.deed.confirmed = texts.joined(separator: "\n")
    case .arguments(let fields, _, _):
      for field in fields {
        guard let value = content?[field.key] else { continue }
        call.deed.arguments.removeAll { $0.0 == field.key }
        call.deed.arguments.append((field.key, field.value(inForm: value)))
      }
      if let missing = fields.first(where: { $0.isRequired && content?[$0.key] == nil }) {
        return refuse(call, "the person didn't give '\(missing.key)'.")
      }
    }
    try perform(call)
  }
}

extension Question {
  /// The sentence for the person. It may contain texts of the assistant, so each part is one line without invisible
  /// characters.
  fileprivate var message: String {
    switch self {
    case .confirm(let texts, _), .arguments(_, _, let texts?): texts.map(\.visibleBlanks).joined(separator: "\n")
    case .arguments(let fields, let title, _):
      "An assistant wants to do “\(title.visibleBlanks)”, and asks for: "
        + fields.filter(\.isRequired).map { ($0.title ?? $0.key).visibleBlanks }.joined(separator: ", ")
    }
  }

  /// The form: one box to tick, or the arguments with their types.
  fileprivate var schema: JSON {
    switch self {
    case .confirm(_, let title):
      .object([
        ("type", .text("object")),
        (
          "properties",
          .object([("yes", .object([("type", .text("boolean")), ("title", .text(title.visibleBlanks))]))])
        ),
        ("required", .list([.text("yes")])),
      ])
    case .arguments(let fields, _, _):
      InputSchema.object(
        fields.compactMap { field in field.formSchema.map { (field.key, $0) } },
        required: fields.filter(\.isRequired).map(\.key), isClosed: false)
    }
  }
}

/// The deed that an assistant requests, with the person's answers so far.
struct Deed {
  let tool: Tool
  /// The name of the called tool, which is `menuctl.perform` in large apps.
  let called: String
  /// All arguments of the call.
  let given: JSON
  /// The arguments of the action.
  var arguments: [(String, JSON)]
  /// The question that the person confirmed.
  var confirmed: String?
  /// The rows and lines that the first question named.
  var about: [String]?
  /// The undo step that `undo` may take back.
  var step: Int?
  /// The job that asks in the middle of its work; nil if the question comes before the action.
  var job: Int?
  /// The number of the job's question.
  var question: Int?

  /// The arguments from the assistant, as a line below the question; empty without arguments.
  fileprivate var shownArguments: String {
    let secrets = tool.takes.filter(\.isSecret).map(\.key)
    let shown = arguments.map { key, value in
      let name = key.isName ? key : JSONText.quoted(key.visibleBlanks.shortened(toBytes: 60))
      let text = secrets.contains(key) ? "•••" : JSONText.text(value).visibleBlanks.shortened(toBytes: 200)
      return "\(name): \(text)"
    }
    return shown.isEmpty ? "" : "\nThe assistant gives \(shown.joined(separator: ", "))."
  }

  /// The most arguments that a question shows.
  fileprivate static let mostShown = 20

  /// The reference of the action, with its arguments. It shows no secret that the assistant sent in vain.
  var reference: String {
    let secrets = tool.takes.filter(\.isSecret).map(\.key)
    let members = arguments.map { key, value in
      LiteralObject.Member(key: key, value: secrets.contains(key) ? .secret : Literal(value))
    }
    return Reference(id: tool.action, arguments: members.isEmpty ? nil : LiteralObject(members)).format()
  }
}

extension String {
  /// Whether a question can show it as the name of an argument without quotes.
  fileprivate var isName: Bool {
    utf8.count <= 60 && !isEmpty
      && utf8.allSatisfy {
        $0 == UInt8(ascii: "_") || Character(UnicodeScalar($0)).isLetter && $0 < 128 || 48...57 ~= $0
      }
  }
}

/// A question to a person before an action is performed.
enum Question {
  /// The parts of the text to confirm, and the action's title.
  case confirm([String], title: String)
  /// The missing arguments, the action's title, and the parts of the text to confirm with them.
  case arguments([AskedArgument], title: String, confirm: [String]? = nil)

  /// The name of the question among the `inputRequests`.
  var name: String { if case .confirm = self { "confirm" } else { "arguments" } }
}

/// The *sealed questions* wait until a client without a session comes back with the answers. Its `requestState` is a
/// random word that names a question here. It is valid for one try, for a limited time, with the same tool and
/// arguments.
struct SealedQuestions {
  private struct Sealed {
    let state: String
    let deed: Deed
    let question: Question
    /// The id of the call that was answered with the question, as JSON.
    let call: String
    let expiry: Duration
  }

  private var sealed: [Sealed] = []
  /// The time that a person has for an answer.
  static let patience = Duration.seconds(300)
  /// The most questions; another question replaces the oldest.
  private static let most = 64

  /// Keeps a question. Returns its `requestState`.
  mutating func seal(_ question: Question, of deed: Deed, call: String, at now: Duration) -> String {
    dropOld(at: now)
    var random = SystemRandomNumberGenerator()
    let words = (0..<4).map { _ in String(random.next(), radix: 16) }
    let state = words.map { String(repeating: "0", count: 16 - $0.utf8.count) + $0 }.joined()
    if sealed.count == Self.most { drop(sealed.removeFirst()) }
    sealed.append(Sealed(state: state, deed: deed, question: question, call: call, expiry: now + Self.patience))
    return state
  }

  /// Removes and returns the question for which a client comes back.
  mutating func open(
    _ state: String, tool: String, given: JSON, at now: Duration
  ) throws(RPCError) -> (deed: Deed, question: Question) {
    guard let place = sealed.firstIndex(where: { $0.state == state }) else {
      throw RPCError(.parameters, "this 'requestState' is unknown or used: call the tool again without it")
    }
    let found = sealed.remove(at: place)
    var isOpen = false
    defer { if !isOpen { drop(found) } }
    guard found.deed.called == tool, found.deed.given == given else {
      throw RPCError(.parameters, "this 'requestState' belongs to another call: call the tool again without it")
    }
    guard now < found.expiry else {
      throw RPCError(.parameters, "this 'requestState' is too old: call the tool again without it")
    }
    isOpen = true
    return (found.deed, found.question)
  }

  /// The jobs that wait for a question that can't be answered any more.
  private var lost: [Int] = []

  private mutating func drop(_ gone: Sealed) { if let job = gone.deed.job { lost.append(job) } }

  /// Drops the question with which a call was answered, because the client cancels it.
  mutating func cancel(_ call: String) {
    for old in sealed where old.call == call { drop(old) }
    sealed.removeAll { $0.call == call }
  }

  private mutating func dropOld(at now: Duration) {
    for old in sealed where old.expiry <= now { drop(old) }
    sealed.removeAll { $0.expiry <= now }
  }

  /// The time at which the oldest question expires; nil if there is none.
  var expiry: Duration? { sealed.first?.expiry }

  /// Removes and returns the jobs whose question was dropped.
  mutating func takeLost(at now: Duration) -> [Int] {
    dropOld(at: now)
    defer { lost = [] }
    return lost
  }
}
