/// What the text of a script tells without running it. It is what `check` and hints guess by; nothing that a script does depends on it.
struct LuaReading {
  /// A local variable or a parameter.
  struct Local {
    let name: String
    /// The lines in which it can be used.
    var lines: ClosedRange<Int>
    /// The tokens that name it.
    var uses: [Int] = []
    /// Whether a table was made for it where it was declared.
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

  /// A word of which more is told than that it is there, and where it stands.
  struct Noted {
    let word: String
    let role: CodeWords.Roles
    let offset: Int
    let line: Int
  }

  let tokens: [LuaToken]
  var locals: [Local] = []
  /// The functions, by the line in which they begin.
  var functions: [Int: [Function]] = [:]
  var calls: [Call] = []
  /// The uses of globals.
  var globals: [Noted] = []
  /// Statements that make an element and drop it.
  var dropped: [Noted] = []
  /// The tokens of the keys under which something is assigned.
  var assigned: Set<Int> = []
  var words = CodeWords()

  init(_ tokens: [LuaToken]) { self.tokens = tokens }

  init(of source: [UInt8]) { self = LuaParser.read(LuaLexer.tokens(of: source)) }
}

/// What a function may return.
struct LuaAnswers {
  /// A string that some `return` of the function gives alone.
  var text: String?
  /// Whether it never returns anything, nor raises by `error`.
  var isNothing = true
  /// Whether it returns a table that it makes.
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
  /// Keys that it reads or asks for by `each`, `flag` and `has`, in order of first appearance.
  var reads: [String] = []
  /// Keys that it writes or appends to.
  var writes: [String] = []
  /// Methods that it calls.
  var calls: [String] = []
  /// Whether the lists are complete. If not, the parameter's value may reach other code, or a key is computed.
  var isComplete = true
}

extension LuaReading {
  /// The functions that begin and end in these lines and have these parameters.
  func functions(in lines: ClosedRange<Int>, taking names: [String]) -> [Function] {
    functions[lines.lowerBound, default: []].filter { function in
      function.lastLine == lines.upperBound && locals[function.parameters].map(\.name) == names
    }
  }

  /// The fields that a function uses of a parameter; parameters count from 1.
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

  /// Whether a line has calls of that name, all of which are used so.
  func calls(_ name: String, inLine line: Int, are use: Call.Use) -> Bool {
    let found = calls.filter { $0.name == name && $0.lines.contains(line) }
    return !found.isEmpty && found.allSatisfy { $0.use == use }
  }
}
