/// An *engine* runs the functions of scripts.
protocol Engine: AnyObject {
  /// Makes an empty context.
  func makeContext() -> Context
  /// Below zero while a script is asked a question; each perform reads it.
  var phase: UnsafePointer<Int32> { get }
  /// Whether the current allowance is spent, so that no script can be run.
  var isSpent: Bool { get }
  /// The failure for an owner's function if the allowance is spent; nil if some is left.
  func spent(by owner: Owner) -> Failure?
  /// How many outermost allowances have ended. It stays the same within one call from outside.
  var turns: UInt64 { get }
  /// Begins an allowance, nested in the current one if there is one.
  func beginAllowance()
  /// Begins the allowance of one perform, which rests while an action of the program's runs.
  func beginPerform()
  /// Begins a small allowance: enough for a function that ends by itself, and little to waste on many that don't.
  func beginSmallAllowance()
  /// Begins the allowance of a test.
  func beginTest()
  /// Ends the current allowance; called by the dispatcher's own.
  func endAllowance()
  /// Whether the current allowance is that of a call from outside, with no other around it.
  var isOutermost: Bool { get }
  /// Lets the allowances rest of the performs for which the program is called; false if there are none, or if what is around
  /// them is spent.
  func stepOutside() -> Bool
  /// Goes on with the allowances that rest.
  func stepBack()
  /// Replaces a perform's allowance, which is spent, by a new one, as far as the one around it has any left. Postponed work is done in
  /// between.
  func renewAllowance()
  /// Charges the current allowance for steps of the host's own.
  func charge(_ steps: Int)
  /// Begins a limit for one of many questions, so that the others can still be asked if it never ends.
  func beginQuestion()
  func endQuestion()
  /// The elements of a script's list of at most so many; nil for any other value.
  func elements(of value: Value, most: Int) -> [Value]?
  /// Runs a body that copies texts of scripts, as many bytes as they may hold; reports that the rest is left out.
  func copying<Result>(_ what: @autoclosure () -> String, _ body: () -> Result) -> Result
  /// A copy of a script's list; nil for any other value.
  func copy(ofList value: Value) -> Value?
  /// Releases the scripts of an owner that was removed from everything else.
  func forget(_ owner: Owner)
  /// Excludes time in which the host slept from all allowances.
  func rested(_ nanoseconds: Int64)
  /// The interruption, checked whenever time passes; it lives as long as the engine.
  var interruption: Interruption { get }
}

/// A budget for "did you mean" searches, renewed with each call from outside: with thousands of actions and thousands of items that
/// nobody answers, searching would take minutes.
struct Nearing {
  var turn: UInt64?
  var steps = mostStepsOfNearing
}

/// *Postponed* work could not be done at once, because the script allowance was spent.
enum Postponed {
  /// An action failed: what it registered is taken back.
  case takingBack(ContiguousArray<Recording.Entry>, of: String)
  /// An owner was set aside: what it has under way ends.
  case settingAside(Owner)
}

/// The *focus moves* are the moves that are under way, nested because one may cause another.
final class FocusMoves {
  /// How many moves are under way, one within the other.
  var depth = 0
  /// The responder that is asked to give up the focus; nobody else moves it meanwhile.
  var resigning: Responder?
  /// The responder that listeners were last told has the focus.
  var told: Responder?
  /// Whether listeners are not told of moves for now.
  var isHeld = false
  /// Told of every move that happened, with the responder that has the focus and the one that had it.
  var onMove: ((_ new: Responder, _ old: Responder) -> Void)?
  /// Whether no move is under way and nobody listens.
  var isUnheard: Bool { depth == 0 && onMove == nil && onSettled == nil }
  /// Told when the outermost move has ended.
  var onSettled: (() -> Void)?
}

/// Something that a person should know about a script: how bad, what, and where.
public struct Diagnostic: Sendable {
  /// How bad it is.
  public enum Severity: String, Sendable, CaseIterable {
    case error, warning, note
  }

  /// How bad it is.
  public var severity: Severity
  /// What kind it is, for programs.
  public var code: String
  /// What is wrong, in one sentence.
  public var message: String
  /// Where, if a script's line is to blame.
  public var place: Place?
  /// What may help.
  public var help: String?

  /// A diagnostic of these facts.
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
