/// The words in the text of scripts and what they do, as far as that can be told without running them. Only what is said may depend on it.
struct CodeWords {
  struct Roles: OptionSet {
    let rawValue: UInt16
    /// Something is assigned under this name, as a field of a table too.
    static let assigned = Roles(rawValue: 1)
    /// A string that is no key.
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
    /// The name of an event that is emitted.
    static let emitted = Roles(rawValue: 4096)
  }

  private var roles: [String: Roles] = [:]
  /// Whether code may perform actions by names that no string in it spells out.
  var computesPerformed = false
  /// Whether code may define actions by names that no string in it spells out.
  var computesDefined = false
  /// Whether code may emit events under names that no string in it spells out.
  var computesEmitted = false
  /// Whether a function moves the focus, or changes the order of responders.
  var focusesLater = false
  /// Whether a function writes handlers under names that no string spells out.
  var computesAnswers = false
  /// Whether code may make globals that no script assigns by their names.
  var touchesGlobals = false

  /// Whether a word does one of these.
  func has(_ word: String, _ any: Roles) -> Bool { !(roles[word] ?? []).isDisjoint(with: any) }

  /// The words that do one of these, in the order of their bytes.
  func all(_ any: Roles) -> [String] {
    roles.filter { !$0.value.isDisjoint(with: any) }.keys.sorted { $0.precedesByBytes($1) }
  }

  mutating func note(_ word: String, _ role: Roles) { roles[word, default: []].formUnion(role) }

  mutating func merge(_ other: CodeWords) {
    roles.merge(other.roles) { $0.union($1) }
    computesPerformed = computesPerformed || other.computesPerformed
    computesDefined = computesDefined || other.computesDefined
    computesEmitted = computesEmitted || other.computesEmitted
    focusesLater = focusesLater || other.focusesLater
    computesAnswers = computesAnswers || other.computesAnswers
    touchesGlobals = touchesGlobals || other.touchesGlobals
  }
}
