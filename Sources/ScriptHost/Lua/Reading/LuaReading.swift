/// The static analysis of a script's text. `check` and hints use it to guess; no script behaviour depends on it.
struct LuaReading {
  /// A local variable or a parameter.
  struct Local {
    let name: String
    /// The lines in which it is visible.
    var lines: ClosedRange<Int>
    /// The tokens that name it.
    var uses: [Int] = []
    /// Whether its declaration creates a table.
    var isTable = false
  }

  struct Function {
    let line: Int
    var lastLine: Int
    /// Its parameters among the locals.
    var parameters: Range<Int> = 0..<0
    var takesMore = false
    var answers = LuaAnswers()
  }

  /// A call of a function by its name.
  struct Call {
    enum Use { case dropped, returned, other }

    let name: String
    let lines: ClosedRange<Int>
    var use = Use.other
  }

  /// A word with its role and location.
  struct Noted {
    let word: String
    let role: CodeWords.Roles
    let offset: Int
    let line: Int
  }

  let tokens: [LuaToken]
  var locals: [Local] = []
  /// The functions, by their first line.
  var functions: [Int: [Function]] = [:]
  var calls: [Call] = []
  /// The uses of globals.
  var globals: [Noted] = []
  /// Statements that create an element and drop it.
  var dropped: [Noted] = []
  /// The tokens of keys to which something is assigned.
  var assigned: Set<Int> = []
  var words = CodeWords()

  init(_ tokens: [LuaToken]) { self.tokens = tokens }

  init(of source: [UInt8]) { self = LuaParser.read(LuaLexer.tokens(of: source)) }
}

/// The values that a function may return.
struct LuaAnswers {
  /// A string that a `return` returns alone.
  var text: String?
  /// A string that a `return` returns after `false` or `nil`.
  var denial: String?
  /// Whether it never returns a value, and never calls `error`.
  var isNothing = true
  /// Whether it returns a table that it creates.
  var isTable = false
}

/// The fields of one parameter that a function uses.
///
/// ```lua
/// function grid:provide(ctx)
///   ctx.photo = self.photos[ctx.index]      -- reads index, writes photo
///   ctx:append("observers", self)           -- calls append, writes observers
/// end
/// ```
struct LuaFieldUse: Equatable {
  /// Keys that it reads directly or with `each`, `flag` and `has`, in order of first appearance.
  var reads: [String] = []
  /// Keys that it writes or appends to.
  var writes: [String] = []
  /// Methods that it calls.
  var calls: [String] = []
  /// Whether the lists are complete. If not, the parameter's value may reach other code, or a key is computed.
  var isComplete = true
}

extension LuaReading {
  /// Returns the functions with these first and last lines and these parameters.
  func functions(in lines: ClosedRange<Int>, taking names: [String]) -> [Function] {
    functions[lines.lowerBound, default: []].filter { function in
      function.lastLine == lines.upperBound && locals[function.parameters].map(\.name) == names
    }
  }

  /// Adds the fields of a parameter that a function uses; parameters count from 1.
  func fieldUse(of function: Function, parameter: Int, _ use: inout LuaFieldUse) {
    guard parameter >= 1, parameter <= function.parameters.count else {
      if function.takesMore { use.isComplete = false }
      return
    }
    for token in locals[function.parameters.lowerBound + parameter - 1].uses { note(token, &use) }
  }

  private func note(_ token: Int, _ use: inout LuaFieldUse) {
    func word(_ ahead: Int) -> String { tokens[min(token + ahead, tokens.count - 1)].word }
    func kind(_ ahead: Int) -> LuaToken.Kind { tokens[min(token + ahead, tokens.count - 1)].kind }
    func add(_ key: String, _ list: WritableKeyPath<LuaFieldUse, [String]>) {
      if !use[keyPath: list].contains(key) { use[keyPath: list].append(key) }
    }
    switch (kind(1), word(1)) {
    case (.sign, ".") where kind(2) == .name, (.sign, "[") where kind(2) == .text && word(3) == "]":
      add(word(2), assigned.contains(token + 2) ? \.writes : \.reads)
    case (.sign, ":") where kind(2) == .name:
      add(word(2), \.calls)
      let key = kind(3) == .sign && word(3) == "(" ? 4 : 3
      let isKey = kind(key) == .text && (key == 3 || kind(5) == .sign && [",", ")"].contains(word(5)))
      switch word(2) {
      case "append", "each", "flag", "has":
        if isKey { add(word(key), word(2) == "append" ? \.writes : \.reads) } else { use.isComplete = false }
      case "set", "insert", "remove", "undo", "refuse": break
      default: use.isComplete = false
      }
    default: use.isComplete = false
    }
  }

  /// Returns true if a line has calls of this name, and all have this use.
  func calls(_ name: String, inLine line: Int, are use: Call.Use) -> Bool {
    let found = calls.filter { $0.name == name && $0.lines.contains(line) }
    return !found.isEmpty && found.allSatisfy { $0.use == use }
  }
}

/// The words in the text of scripts and their roles, found without running them. Only messages may depend on it.
struct CodeWords {
  struct Roles: OptionSet {
    let rawValue: UInt16
    /// Something is assigned to this name, which may be a table's field.
    static let assigned = Roles(rawValue: 1)
    /// A string that isn't a key.
    static let text = Roles(rawValue: 2)
    /// An action that is defined at run time.
    static let defined = Roles(rawValue: 4)
    /// The name of a field, method or global that is read.
    static let read = Roles(rawValue: 8)
    /// A field that `ctx:set` writes.
    static let stored = Roles(rawValue: 16)
    /// A menu function, called in a statement that drops its result.
    static let dropped = Roles(rawValue: 32)
    /// A reference that is performed on `app`.
    static let performed = Roles(rawValue: 64)
    /// A reference that is performed or validated on `app` without other arguments.
    static let asked = Roles(rawValue: 128)
    /// A field of this name is assigned, and may handle an action.
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
  /// Whether code may perform actions whose names aren't string literals.
  var computesPerformed = false
  /// Whether code may define actions whose names aren't string literals.
  var computesDefined = false
  /// Whether code may emit events whose names aren't string literals.
  var computesEmitted = false
  /// Whether a function moves the focus, or changes the order of responders.
  var focusesLater = false
  /// Whether a function writes handlers whose names aren't string literals.
  var computesAnswers = false
  /// Whether code may create globals that no script assigns by name.
  var touchesGlobals = false

  /// Returns true if a word has one of these roles.
  func has(_ word: String, _ any: Roles) -> Bool { !(roles[word] ?? []).isDisjoint(with: any) }

  /// Returns the words with one of these roles, in the order of their bytes.
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
