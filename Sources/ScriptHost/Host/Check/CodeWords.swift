/// What `check` knows of the words in scripts' code. Without an interpreter there are none; `ScriptWords` has those of scripts.
class CodeWords {
  /// What a word does, by the numbers of 'clua_Word'.
  struct Roles: OptionSet {
    let rawValue: UInt32
    /// Something is assigned under this name, as a field of a table too.
    static let assigned = Roles(rawValue: 1)
    /// A string in none of the other roles.
    static let text = Roles(rawValue: 2)
    /// An action that is defined at run time.
    static let defined = Roles(rawValue: 4)
    /// The name of a field, a method or a global that is read.
    static let read = Roles(rawValue: 8)
    /// A field that `ctx:set` writes.
    static let stored = Roles(rawValue: 16)
    /// A word of menus, called in a statement that throws its result away.
    static let dropped = Roles(rawValue: 32)
    /// A reference that is performed on `app`.
    static let performed = Roles(rawValue: 64)
    /// A reference that is performed or validated on `app` without other arguments.
    static let asked = Roles(rawValue: 128)
    /// A field is assigned under this name, and may come to answer an action.
    static let answer = Roles(rawValue: 256)
    /// A global that a function reads.
    static let global = Roles(rawValue: 512)
    /// A global that a chunk assigns.
    static let made = Roles(rawValue: 1024)
    /// A global that a function assigns.
    static let changed = Roles(rawValue: 2048)
  }

  /// Whether code may perform actions by names that no string in it spells out.
  final let computesPerformed: Bool
  /// Whether code may define actions by names that no string in it spells out.
  final let computesDefined: Bool
  /// Whether a function moves the focus, or changes the order of responders.
  final let focusesLater: Bool
  /// Whether a function writes handlers under names that no string spells out.
  final let computesAnswers: Bool
  /// Whether code may make globals that no script assigns by their names.
  final let touchesGlobals: Bool

  init(
    computesPerformed: Bool = false, computesDefined: Bool = false, focusesLater: Bool = false,
    computesAnswers: Bool = false, touchesGlobals: Bool = false
  ) {
    self.computesPerformed = computesPerformed
    self.computesDefined = computesDefined
    self.focusesLater = focusesLater
    self.computesAnswers = computesAnswers
    self.touchesGlobals = touchesGlobals
  }

  /// Whether a word does one of these.
  func has(_ word: String, _ any: Roles) -> Bool { false }

  /// The words that do one of these, in the order of their bytes.
  func all(_ any: Roles) -> [String] { [] }
}
