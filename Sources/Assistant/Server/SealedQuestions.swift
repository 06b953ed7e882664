import LiveHost
import ScriptHost

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
  /// The undo step that `undo` may take back.
  var step: Int?
  /// The job that asks in the middle of its work; nil if the question comes before the action.
  var job: Int?
  /// The number of the job's question.
  var question: Int?

  /// The reference of the action, with its arguments. It shows no secret that the assistant sent in vain.
  var reference: String {
    let secrets = tool.takes.filter(\.isSecret).map(\.key)
    let members = arguments.map { key, value in
      LiteralObject.Member(key: key, value: secrets.contains(key) ? .secret : Literal(value))
    }
    return Reference(id: tool.action, arguments: members.isEmpty ? nil : LiteralObject(members)).format()
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
    let expiry: Duration
  }

  private var sealed: [Sealed] = []
  /// The time that a person has for an answer.
  static let patience = Duration.seconds(300)
  /// The most questions; another question replaces the oldest.
  private static let most = 64

  /// Keeps a question. Returns its `requestState`.
  mutating func seal(_ question: Question, of deed: Deed, at now: Duration) -> String {
    dropOld(at: now)
    var random = SystemRandomNumberGenerator()
    let words = (0..<4).map { _ in String(random.next(), radix: 16) }
    let state = words.map { String(repeating: "0", count: 16 - $0.utf8.count) + $0 }.joined()
    if sealed.count == Self.most { drop(sealed.removeFirst()) }
    sealed.append(Sealed(state: state, deed: deed, question: question, expiry: now + Self.patience))
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
