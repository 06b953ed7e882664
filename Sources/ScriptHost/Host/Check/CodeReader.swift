/// A *code reader* reads the text and the code of scripts, without running them, for `check`.
protocol CodeReader: AnyObject {
  /// The words in the code of scripts, read without running it.
  func words() -> CodeWords
  /// The first place of a word in a script, within some lines from a place; behind another word if that is found. If there is none, the
  /// place given.
  func place(of word: String, behind other: String?, from place: Place, lines: Int) -> Place
  /// The first place where a string stands in a script's text.
  func place(ofText text: String) -> Place?
  /// The first place where a method is called with a string.
  func place(ofCall name: String, with text: String) -> Place?
  /// The first place where a word stands on its own.
  func place(ofWord word: String) -> Place?
  /// The first line that begins with a word.
  func place(ofStatement word: String) -> Place?
  /// Fields that scripts assigned to responders and classes, which nobody reads and whose names resemble one of the host's.
  func misspeltFields(_ words: CodeWords) -> [MisspeltField]
  /// The functions in fields of these names, each with its responder and its place.
  func functions(named names: Set<String>) -> [(name: String, responder: Responder, place: Place?)]
  /// The host's globals that scripts hide by assigning them, and where.
  func hiddenWords() -> [(word: String, place: Place?)]
  /// The globals among these names that no script may read, each with where it is read and what was probably meant.
  func undefinedNames(among names: [String]) -> [(name: String, place: Place?, help: String?)]
  /// The globals among these names that no script defined while it loaded, each with where it is assigned and what was probably meant.
  func undefinedNames(assigned names: [String]) -> [(name: String, place: Place?, help: String?)]
  /// The codes of warnings that the app's script turns off.
  func allowedWarnings() -> [String]
}

/// A field of a script's whose name was probably meant to be one of the host's.
struct MisspeltField {
  let name: String
  let meant: String
  /// The responder or class that has it, as a person calls it.
  let holder: String
  let place: Place?
}
