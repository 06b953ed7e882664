import ScriptHost

/// A *subject* is an app that is asked: one that runs in this process, or a live one in another. Whoever asks can't tell which, and shows the
/// same.
package protocol Subject: AnyObject {
  /// The app at a glance.
  func app() throws(Unanswered) -> Answer.App
  /// The root, whose children are the menus.
  func menus() throws(Unanswered) -> MenuElement
  /// Whether actions or items can be done; every item where none is named.
  func validations(of names: [String]) throws(Unanswered) -> [Answer.Validated]
  func explanation(of name: String, as kind: Answer.Validated.Kind?) throws(Unanswered) -> Explanation
  func chain(_ reference: String?) throws(Unanswered) -> Answer.Chain
  func context(_ reference: String?) throws(Unanswered) -> [Answer.Entry]
  func keys() throws(Unanswered) -> [KeyEntry]
  /// What can be reached now; with a reference that alone.
  func actions(_ reference: String?) throws(Unanswered) -> [ActionEntry]
  /// What is most likely wrong with the app.
  func findings() throws(Unanswered) -> [Diagnostic]
  /// What may stand at the end of a line of Lua.
  func completions(ofLua line: String) throws(Unanswered) -> Completions
  /// What may be named by something that was begun.
  func completions(of kinds: [AppName], begun: String) throws(Unanswered) -> Completions
  /// Does something, waits for its end, and tells what came of it.
  func carryOut(_ deed: Deed, _ manner: Manner) throws(Unanswered) -> Answer.Done
}

/// How a deed is done.
package struct Manner {
  /// What a person said who was asked.
  package var answered: Answered
  /// Whether it is noted how it goes.
  package var traces = false
  /// Told how far it is.
  package var onProgress: ((Job.Progress?) -> Void)?

  package init(
    _ answered: Answered = Answered(), traces: Bool = false, onProgress: ((Job.Progress?) -> Void)? = nil
  ) {
    self.answered = answered
    self.traces = traces
    self.onProgress = onProgress
  }
}

/// Why a question can't be answered, or a deed can't be done at all.
package struct Unanswered: Error {
  package enum Kind: Sendable {
    /// What was asked can't be: nothing of that name, nothing that can be read.
    case asking
    case now
    /// Whoever was asked is there and doesn't answer.
    case silent
    /// Whoever was asked isn't there any more.
    case gone
  }

  package let kind: Kind
  /// One sentence.
  package let message: String
  /// Where a reference can't be read.
  package private(set) var reference: ReferenceError?

  /// Whether whoever was asked is not there any more.
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
