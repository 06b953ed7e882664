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
  /// A copy of a script's list; nil for any other value.
  func copy(ofList value: Value) -> Value?
  /// Releases the scripts of an owner that was removed from everything else.
  func forget(_ owner: Owner)
  /// Excludes time in which the host slept from all allowances.
  func rested(_ nanoseconds: Int64)
  /// The interruption, checked whenever time passes; it lives as long as the engine.
  var interruption: Interruption { get }
}
