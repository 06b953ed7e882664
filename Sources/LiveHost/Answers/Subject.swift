import ScriptHost

/// A *subject* answers questions about an app in this process or a live app. Callers can't tell the difference.
package protocol Subject: AnyObject {
  /// Returns an overview of the app.
  func app() throws(Unanswered) -> Answer.App
  /// Returns the root element, whose children are the menus.
  func menus() throws(Unanswered) -> MenuElement
  /// Returns an element by its id; a row also by its id alone if one pane has it.
  func element(_ id: String) throws(Unanswered) -> MenuElement
  /// Validates actions or items; every item if `names` is empty.
  func validations(of names: [String]) throws(Unanswered) -> [Answer.Validated]
  /// Returns the form of a deed after some answers, without performing it.
  func form(of deed: Deed, _ answers: Arguments) throws(Unanswered) -> Form
  func explanation(of name: String, as kind: Answer.Validated.Kind?) throws(Unanswered) -> Explanation
  func chain(_ reference: String?) throws(Unanswered) -> Answer.Chain
  func context(_ reference: String?) throws(Unanswered) -> [Answer.Entry]
  func keys() throws(Unanswered) -> [KeyEntry]
  /// Returns the actions that can be reached now; with a reference, only this action.
  ///
  /// - Parameter everywhere: whether to return the actions of all responders instead.
  func actions(_ reference: String?, everywhere: Bool) throws(Unanswered) -> [ActionEntry]
  /// Returns the findings of `check`: likely mistakes in the app.
  func findings() throws(Unanswered) -> [Diagnostic]
  /// Returns the completions at the end of a line of Lua.
  func completions(ofLua line: String) throws(Unanswered) -> Completions
  /// Returns the names of some kinds that complete a word.
  func completions(of kinds: [AppName], begun: String) throws(Unanswered) -> Completions
  /// Performs a deed, waits for its end, and returns the answer.
  func carryOut(_ deed: Deed, _ manner: Manner) throws(Unanswered) -> Answer.Done
}

/// A question that an action asks in the middle of its work (A10).
package struct AskedInMiddle {
  package let title: String?
  package let help: String?
  package let question: Outcome.Question
  /// The form after some answers; nil if the app can't compute it.
  package let form: Forming

  package typealias Forming = (Arguments) -> Form?

  package init(
    title: String?, help: String?, question: Outcome.Question, form: @escaping Forming
  ) {
    (self.title, self.help, self.question, self.form) = (title, help, question, form)
  }

  /// Reads a job's question as clients get it; nil for null.
  package init?(_ json: JSON, form: @escaping Forming = { _ in nil }) {
    guard json.members != nil, let question = try? AnswerReader().read(json, as: Outcome.Question.self) else {
      return nil
    }
    self.init(title: json["title"]?.text, help: json["help"]?.text, question: question, form: form)
  }

  /// A person's answer.
  package struct Answer {
    /// The answers; nil if the person refuses.
    package let arguments: Arguments?

    package init(arguments: Arguments?) { self.arguments = arguments }
  }
}

/// How to perform a deed.
package struct Manner {
  /// The person's answers to the action's questions.
  package var answered: Answered
  /// Whether to keep a trace.
  package var traces = false
  /// Whether the answer includes the action's title.
  package var titles = false
  /// Whether an assistant acts for its person: the host asks what items ask, too, and looks for whole names only.
  package var isOfAssistant = false
  /// The title under which a face shows the deed to the person who does it; nil if no person does it.
  package var called: String?
  /// Called with the progress of the action, and with nil at its end.
  package var onProgress: ((Job.Progress?) -> Void)?

  package init(
    _ answered: Answered = Answered(), traces: Bool = false, onProgress: ((Job.Progress?) -> Void)? = nil
  ) {
    self.answered = answered
    self.traces = traces
    self.onProgress = onProgress
  }
}

/// The error of a subject that can't answer a question or begin a deed.
package struct Unanswered: Error {
  package enum Kind: Sendable {
    /// The question is wrong: it names something unknown, or can't be parsed.
    case asking
    case now
    /// The app exists, but doesn't answer.
    case silent
    /// The app has ended.
    case gone
  }

  package let kind: Kind
  /// One sentence.
  package let message: String
  /// The place and the reason, if a reference can't be parsed.
  package private(set) var reference: ReferenceError?

  /// Whether the app has ended.
  package var isGone: Bool { if case .gone = kind { true } else { false } }

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  init(_ error: ReferenceError, in text: String) {
    self.init(.asking, "'\(text)': \(error.message)")
    reference = error
  }

  init(_ error: KeyError, in text: String) { self.init(.asking, "'\(text)': \(error.message)") }
}

/// A *deed* is one change that a client or a person makes in an app.
package enum Deed {
  case perform(String, Performing = Performing())
  case press(String)
  case pick(String, modifiers: [String] = [])
  /// Picks an item by its number in a live app's snapshot of a revision.
  case pickNumber(Int, of: Int)
  /// Makes a row of the panel the current one.
  case choose(String)
  /// Marks exactly these rows of a pane.
  case mark([String], pane: String?)
  /// Narrows the rows of a pane.
  case filter(String, pane: String)
  /// Selects lines of a text.
  case select(text: String, from: Int, to: Int)
  case focus(String)
  /// Opens a URL, with the responder that handles 'openURL'.
  case open(String)
  /// Evaluates a line of Lua. Errors call it `name`.
  case evaluate(String, name: String? = nil)

  /// The options of a perform that differ from the usual options.
  package struct Performing {
    /// The options, shared by copies because calls pass a deed on; nil if all are as usual.
    private var given: Given?

    private final class Given {
      let from, to: String?
      let arguments: Arguments
      let skipsValidation: Bool

      init(_ from: String?, _ to: String?, _ arguments: Arguments, _ skipsValidation: Bool) {
        self.from = from
        self.to = to
        self.arguments = arguments
        self.skipsValidation = skipsValidation
      }
    }

    package init(
      from: String? = nil, to: String? = nil, arguments: Arguments = Arguments(), skipsValidation: Bool = false
    ) {
      if from == nil, to == nil, arguments.isEmpty, !skipsValidation { return }
      given = Given(from, to, arguments, skipsValidation)
    }

    package var from: String? { given?.from }
    package var to: String? { given?.to }
    package var skipsValidation: Bool { given?.skipsValidation ?? false }
    package var arguments: Arguments {
      get { given?.arguments ?? Arguments() }
      set { self = Performing(from: from, to: to, arguments: newValue, skipsValidation: skipsValidation) }
    }
  }
}

extension Deed {
  /// The arguments that override those of the reference.
  package var arguments: Arguments {
    if case .perform(_, let performing) = self { performing.arguments } else { Arguments() }
  }
}

extension Deed {
  /// Returns the deed as JSON, for recordings.
  package func json(_ answered: Answered = Answered()) -> JSON {
    var members = members
    let arguments = arguments.merging(answered.arguments)
    if !arguments.isEmpty || answered.given != nil {
      members.append(("args", .object(arguments.members.map { ($0.key, JSON($0.value)) })))
    }
    if let isConfirmed = answered.confirmed { members.append(("confirmed", .bool(isConfirmed))) }
    return .object(members)
  }

  private var members: [(String, JSON)] {
    switch self {
    case .perform(let reference, let performing):
      var members: [(String, JSON)] = [("perform", .text(reference))]
      if let from = performing.from { members.append(("from", .text(from))) }
      if let to = performing.to { members.append(("to", .text(to))) }
      if performing.skipsValidation { members.append(("skip_validation", .bool(true))) }
      return members
    case .press(let keys): return [("press", .text(keys))]
    case .pick(let id, let modifiers):
      return [("pick", .text(id))]
        + (modifiers.isEmpty ? [] : [("modifiers", .list(modifiers.map { .text($0) }))])
    case .pickNumber(let number, let revision): return [("number", .integer(number)), ("of", .integer(revision))]
    case .choose(let id): return [("choose", .text(id))]
    case .mark(let ids, let pane):
      return [("mark", .list(ids.map { .text($0) }))] + (pane.map { [("pane", .text($0))] } ?? [])
    case .filter(let text, let pane): return [("filter", .text(text)), ("pane", .text(pane))]
    case .select(let text, let from, let to):
      return [("select", .text(text)), ("from", .integer(from)), ("to", .integer(to))]
    case .focus(let name): return [("focus", .text(name))]
    case .open(let url): return [("open", .text(url))]
    case .evaluate(let line, _): return [("eval", .text(line))]
    }
  }

  /// Returns the deed without secrets, for clients and recordings.
  package func masked(by host: ScriptHost) -> Deed {
    guard case .perform(let reference, var performing) = self else { return self }
    performing.arguments = host.masked(performing.arguments, of: reference)
    return .perform(host.masked(reference), performing)
  }

  /// Returns the deed with the answers to its questions, without secrets, as JSON for clients.
  func described(_ answered: Answered, by host: ScriptHost) -> JSON {
    masked(by: host).json(answered.masked(of: self, by: host))
  }
}

extension Answered {
  /// Returns the answers without secrets.
  package func masked(of deed: Deed, by host: ScriptHost) -> Answered {
    let reference: String? = if case .perform(let reference, _) = deed { reference } else { nil }
    return Answered(
      confirmed: confirmed, asked: asked, about: about, arguments: given.map { host.masked($0, of: reference) })
  }
}
