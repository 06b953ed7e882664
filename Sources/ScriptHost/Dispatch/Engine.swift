/// Runs the functions of scripts.
protocol Engine: AnyObject {
  /// A number that is below zero while a script is being asked a question. It is looked at with every perform.
  var phase: UnsafePointer<Int32> { get }
  /// Whether what runs now has spent its allowance, so that nothing of a script's can be run.
  var isSpent: Bool { get }
  /// The failure of an owner's function that spent it; nil where there is some left.
  func spent(by owner: Owner) -> Failure?
  /// How many allowances have ended that were in no other: another number, another turn.
  var turns: UInt64 { get }
  /// Gives what runs from now on an allowance of its own, until its end.
  func beginAllowance()
  /// Gives what runs from now on a small part of that, until its end: enough for what ends by itself, and little where there is much that
  /// doesn't.
  func beginSmallAllowance()
  /// Gives what runs from now on what a test has, until its end.
  func beginTest()
  func endAllowance()
  /// Gives what runs another allowance in the place of its own, which it spent, as far as what it is a part of has any left. What could
  /// not be done for that is done in between.
  func renewAllowance()
  /// Charges what runs for steps of the host's own.
  func charge(_ steps: Int)
  /// Bounds one of many questions, so that the others can still be asked when it is endless.
  func beginQuestion()
  func endQuestion()
  /// Prepares how a candidate takes an action; nil where nothing on the way is its own.
  func prepare(_ candidate: Candidate, _ resolution: Resolution) -> Plan?
  /// Builds the context of a walk in one go, until a failure by which the allowance is spent; nil where something on the way is not its own.
  func context(of walk: Walk, _ stopped: inout Failure?) -> Context?
  /// The elements of a script's list; nil where it is none.
  func elements(of value: Value) -> [Value]?
  /// Another list of a script's with the same elements; nil where a value is none.
  func copy(ofList value: Value) -> Value?
  /// Whether a question can be asked in one go with others.
  func canAsk(_ question: QuickQuestions.Entry) -> Bool
  /// Prepares questions that can be.
  func prepare(_ questions: [QuickQuestions.Entry]) -> QuickQuestions
  /// Lets go of the scripts of an owner of whom all else is taken out.
  func forget(_ owner: Owner)
  /// Charges no allowance for time in which nothing was done.
  func rested(_ nanoseconds: Int64)
  /// The words in the code of scripts, read without running it.
  func words() -> CodeWords
  /// The first place where a word stands on its own in a script's text, from a place on and within so many lines, behind another where
  /// that is found; else that place.
  func place(of word: String, behind other: String?, from place: Place, lines: Int) -> Place
  /// The first place where a string stands in a script's text.
  func place(ofText text: String) -> Place?
  /// The first place where a method is called with a string.
  func place(ofCall name: String, with text: String) -> Place?
  /// The first place where a word stands on its own.
  func place(ofWord word: String) -> Place?
  /// The first line that begins with a word.
  func place(ofStatement word: String) -> Place?
  /// Fields that scripts gave to responders and classes, which are called nearly like one of the host's and read by nobody.
  func misspeltFields(_ words: CodeWords) -> [MisspeltField]
  /// The functions that lie on responders under such names, each with the responder and where it stands.
  func functions(named names: Set<String>) -> [(name: String, responder: Responder, place: Place?)]
  /// The host's words that scripts assign, and where.
  func hiddenWords() -> [(word: String, place: Place?)]
  /// Those of some globals that no script may read, each with where it is read and what was most likely meant.
  func undefinedNames(among names: [String]) -> [(name: String, place: Place?, help: String?)]
  /// The codes of warnings that the app's script doesn't want to hear.
  func allowedWarnings() -> [String]
  /// What is looked at whenever time passes; it lives as long as this.
  var interruption: Interruption { get }
}

/// A field of a script's that was most likely meant to be the host's.
struct MisspeltField {
  let name: String
  let meant: String
  /// Whose it is, as a person calls it.
  let holder: String
  let place: Place?
}

/// Takes the steps of a plan's run that are Swift's, while an engine takes the others.
class StepTaker {
  /// Takes a step; false where that ended the run.
  func take(_ step: Int) -> Bool { false }
}
