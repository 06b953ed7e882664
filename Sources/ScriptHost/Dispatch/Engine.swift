/// Runs script functions for the dispatcher.
protocol Engine: AnyObject {
  /// Creates an empty context.
  func makeContext() -> Context
  /// Below zero while a script answers a question. Each perform reads it.
  var phase: UnsafePointer<Int32> { get }
  /// Whether the current allowance is spent, so that no script can run.
  var isSpent: Bool { get }
  /// Returns the failure for an owner's function if the allowance is spent; nil otherwise.
  func spent(by owner: Owner) -> Failure?
  /// The number of outermost allowances that have ended. Constant within one call from outside.
  var turns: UInt64 { get }
  /// Begins an allowance, nested in the current one, if any.
  func beginAllowance()
  /// Begins a perform's allowance, which pauses while an action of the program runs.
  func beginPerform()
  /// Begins a small allowance: enough for a function that ends by itself, little waste on many that don't.
  func beginSmallAllowance()
  /// Begins a test's allowance.
  func beginTest()
  /// Ends the current allowance. Only the dispatcher's `endAllowance` calls this.
  func endAllowance()
  /// Whether the current allowance is that of a call from outside, not nested in another.
  var isOutermost: Bool { get }
  /// Pauses the performs' allowances while the program runs. Returns false if there are none, or the outer one is
  /// spent.
  func stepOutside() -> Bool
  /// Lets all allowances rest, those of calling scripts too. Returns false if that is impossible.
  func stepAside() -> Bool
  /// Resumes the paused allowances.
  func stepBack()
  /// Replaces a perform's spent allowance with a new one, within the outer allowance. Does postponed work first.
  func renewAllowance()
  /// Charges the current allowance for the host's own steps.
  func charge(_ steps: Int)
  /// Begins a limit for one of many questions, so that the host can ask the others even if this question never ends.
  func beginQuestion()
  func endQuestion()
  /// Returns the elements of a script's list, if at most `most`; nil for any other value.
  func elements(of value: Value, most: Int) -> [Value]?
  /// Runs a body that copies texts of scripts, up to a byte limit. Reports if it drops the rest.
  func copying<Result>(_ what: @autoclosure () -> String, _ body: () -> Result) -> Result
  /// Returns a copy of a script's list; nil for any other value.
  func copy(ofList value: Value) -> Value?
  /// Releases the scripts of an owner that has been removed everywhere else.
  func forget(_ owner: Owner)
  /// Excludes time that the host slept from all allowances.
  func rested(_ nanoseconds: Int64)
  /// The interruption, checked whenever time passes. It lives as long as the engine.
  var interruption: Interruption { get }
}

/// A budget for "did you mean" searches, renewed at each call from outside.
///
/// With thousands of actions and of unhandled items, searches would take minutes.
struct Nearing {
  var turn: UInt64?
  var steps = mostStepsOfNearing
}

/// Work that has to wait because the script allowance was spent.
enum Postponed {
  /// An action failed: undo what it registered.
  case takingBack(ContiguousArray<Recording.Entry>, of: String)
  /// The host set an owner aside: end its jobs and sessions.
  case settingAside(Owner)
}

/// The focus moves in progress, nested because one may cause another.
final class FocusMoves {
  /// The number of nested moves in progress.
  var depth = 0
  /// The responder that is resigning the focus; nothing else moves the focus meanwhile.
  var resigning: Responder?
  /// The responder whose hook ran last. If the hook refused the move, this responder did.
  weak var asked: Responder?
  /// The focused responder as listeners know it.
  var told: Responder?
  /// Whether notifications of moves are held back.
  var isHeld = false
  /// Called for every move, with the new and the old focused responder.
  var onMove: ((_ new: Responder, _ old: Responder) -> Void)?
  /// Whether no move is in progress and nobody listens.
  var isUnheard: Bool { depth == 0 && onMove == nil && onSettled == nil }
  /// Called when the outermost move has ended.
  var onSettled: (() -> Void)?
}

/// A problem in a script that a person should know about.
public struct Diagnostic: Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Sendable, CaseIterable {
    case error, warning, note
  }

  /// How serious the problem is.
  public var severity: Severity
  /// The kind of problem, for programs.
  public var code: String
  /// The problem, in one sentence.
  public var message: String
  /// The location, if a line of a script is the cause.
  public var place: Place?
  /// A hint for fixing it.
  public var help: String?

  /// Creates a diagnostic.
  public init(_ severity: Severity, _ code: String, _ message: String, place: Place? = nil, help: String? = nil) {
    self.severity = severity
    self.code = code
    self.message = message
    self.place = place
    self.help = help
  }

  init(_ failure: Failure) {
    self.init(.error, failure.code.rawValue, failure.message, place: failure.place)
  }
}
