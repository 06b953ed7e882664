import ScriptHost

/// A *subject* answers for an app, which runs in this process or is live in another. The caller can't tell which, and shows the same.
package protocol Subject: AnyObject {
  /// The app at a glance.
  func app() throws(Unanswered) -> Answer.App
  /// The root element, whose children are the menus.
  func menus() throws(Unanswered) -> MenuElement
  /// Validates actions or items; every item if no name is given.
  func validations(of names: [String]) throws(Unanswered) -> [Answer.Validated]
  /// The form of what a deed performs, after some answers; nothing is performed.
  func form(of deed: Deed, _ answers: Arguments) throws(Unanswered) -> Form
  func explanation(of name: String, as kind: Answer.Validated.Kind?) throws(Unanswered) -> Explanation
  func chain(_ reference: String?) throws(Unanswered) -> Answer.Chain
  func context(_ reference: String?) throws(Unanswered) -> [Answer.Entry]
  func keys() throws(Unanswered) -> [KeyEntry]
  /// The actions that can be reached now; with a reference, that one alone.
  func actions(_ reference: String?) throws(Unanswered) -> [ActionEntry]
  /// The findings of `check`: what is most likely wrong with the app.
  func findings() throws(Unanswered) -> [Diagnostic]
  /// The completions at the end of a line of Lua.
  func completions(ofLua line: String) throws(Unanswered) -> Completions
  /// The names of some kinds that complete a word.
  func completions(of kinds: [AppName], begun: String) throws(Unanswered) -> Completions
  /// Carries out a deed, waits for its end, and returns the answer.
  func carryOut(_ deed: Deed, _ manner: Manner) throws(Unanswered) -> Answer.Done
}

/// How a deed is done.
package struct Manner {
  /// The person's answers to the action's questions.
  package var answered: Answered
  /// Whether a trace is kept.
  package var traces = false
  /// Whether the answer says what the action is called.
  package var titles = false
  /// The title under which a face shows the deed to the person who does it; nil if no person does it.
  package var called: String?
  /// Called with the progress of the action; with nil at its end.
  package var onProgress: ((Job.Progress?) -> Void)?

  package init(
    _ answered: Answered = Answered(), traces: Bool = false, onProgress: ((Job.Progress?) -> Void)? = nil
  ) {
    self.answered = answered
    self.traces = traces
    self.onProgress = onProgress
  }
}

/// The error of a subject that can't answer a question or can't even begin a deed.
package struct Unanswered: Error {
  package enum Kind: Sendable {
    /// The question is wrong: it names something that isn't there, or can't be parsed.
    case asking
    case now
    /// The app is there, but doesn't answer.
    case silent
    /// The app isn't there any more.
    case gone
  }

  package let kind: Kind
  /// One sentence.
  package let message: String
  /// The place and the reason, if a reference can't be parsed.
  package private(set) var reference: ReferenceError?

  /// Whether the app isn't there any more.
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
