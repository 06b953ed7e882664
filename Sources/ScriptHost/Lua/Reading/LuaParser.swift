/// Follows the tokens of a script through its blocks, and records the role of each word.
///
/// It accepts valid Lua, and guesses at everything else. Each step advances by at least one token.
struct LuaParser {
  private var reading: LuaReading
  private var at = 0
  private var depth = 0
  /// The functions around this place, innermost last.
  private var functions: [LuaReading.Function] = []
  /// The visible locals, in order, and by name.
  private var declared: [Int] = []
  private var visible: [String: [Int]] = [:]

  private init(_ tokens: [LuaToken]) { reading = LuaReading(tokens) }

  static func read(_ tokens: [LuaToken]) -> LuaReading {
    var parser = LuaParser(tokens)
    while parser.token.kind != .end {
      parser.block()
      if parser.token.kind != .end { parser.at += 1 }
    }
    return parser.reading
  }

  // MARK: Tokens

  private var token: LuaToken { reading.tokens[at] }
  private var next: LuaToken { reading.tokens[min(at + 1, reading.tokens.count - 1)] }
  private var isInFunction: Bool { !functions.isEmpty }

  private func isAt(_ words: String...) -> Bool {
    (token.kind == .keyword || token.kind == .sign) && words.contains(token.word)
  }

  private mutating func accept(_ word: String) -> Bool {
    guard isAt(word) else { return false }
    at += 1
    return true
  }

  /// Lua's own parser also stops at 200.
  private mutating func deeper() -> Bool {
    depth += 1
    if depth > 200 { at = reading.tokens.count - 1 }
    return depth <= 200
  }

  // MARK: Blocks

  private mutating func block(_ names: [Int] = [], _ rest: (inout Self) -> Void = { _ in }) {
    let start = declared.count
    for name in names { declare(name) }
    while token.kind != .end, !isAt("end", "else", "elseif", "until") {
      let before = at
      statement()
      if at == before { at += 1 }
    }
    rest(&self)
    close(from: start, in: token.line)
  }

  private mutating func declare(_ name: Int, isTable: Bool = false) {
    let word = reading.tokens[name].word
    if word == "_ENV" { reading.words.touchesGlobals = true }
    visible[word, default: []].append(reading.locals.count)
    declared.append(reading.locals.count)
    reading.locals.append(.init(name: word, lines: token.line...token.line, isTable: isTable))
  }

  private mutating func close(from start: Int, in line: Int) {
    for local in declared[start...] {
      visible[reading.locals[local].name]?.removeLast()
      let first = reading.locals[local].lines.lowerBound
      reading.locals[local].lines = first...max(first, line)
    }
    declared.removeSubrange(start...)
  }

  private mutating func statement() {
    defer { depth -= 1 }
    guard deeper() else { return }
    switch token.kind == .keyword || token.kind == .sign ? token.word : "" {
    case "if":
      repeat {
        at += 1
        _ = expression()
        _ = accept("then")
        block()
      } while isAt("elseif")
      if accept("else") { block() }
      _ = accept("end")
    case "while":
      at += 1
      _ = expression()
      fallthrough
    case "do":
      _ = accept("do")
      block()
      _ = accept("end")
    case "for":
      at += 1
      let names = names()
      if accept("=") || accept("in") { _ = expressions() }
      _ = accept("do")
      block(names)
      _ = accept("end")
    case "repeat":
      at += 1
      block { parser in if parser.accept("until") { _ = parser.expression() } }
    case "function": namedFunction()
    case "local": local()
    case "return": answer()
    case "goto", "::": at = min(at + 2, reading.tokens.count - 1)
    default: assignment()
    }
  }

  /// Reads a list of names, each possibly with an attribute, as in `x <const>`.
  private mutating func names() -> [Int] {
    var names: [Int] = []
    repeat {
      guard token.kind == .name else { break }
      names.append(at)
      at += 1
      if accept("<") { at = min(at + 2, reading.tokens.count - 1) }
    } while accept(",")
    return names
  }

  private mutating func local() {
    at += 1
    if accept("function") {
      let name = at
      if token.kind == .name { at += 1 }
      if at > name { declare(name) }
      return body(from: reading.tokens[name - 1], isMethod: false)
    }
    let names = names()
    let values = accept("=") ? expressions() : []
    for (index, name) in names.enumerated() {
      declare(name, isTable: index < values.count && values[index].isTable)
    }
  }

  private mutating func namedFunction() {
    let start = token
    at += 1
    var access = Access.none
    if token.kind == .name {
      access = .variable(at)
      at += 1
    }
    var holder = reading.tokens[at - 1].word
    var isMethod = false
    while isAt(".", ":"), next.kind == .name {
      isMethod = isAt(":")
      read(access)
      access = .field(at + 1, of: holder)
      holder = next.word
      at += 2
    }
    assign(access, mayAnswer: true)
    body(from: start, isMethod: isMethod)
  }

  /// Reads the parameters and the block of a function whose keyword is `start`.
  private mutating func body(from start: LuaToken, isMethod: Bool) {
    var function = LuaReading.Function(line: start.line, lastLine: start.line)
    let first = declared.count
    let firstLocal = reading.locals.count
    if isMethod {
      visible["self", default: []].append(firstLocal)
      declared.append(firstLocal)
      reading.locals.append(.init(name: "self", lines: start.line...start.line))
    }
    if accept("(") {
      for name in names() { declare(name) }
      function.takesMore = accept("...")
      _ = accept(")")
    }
    function.parameters = firstLocal..<reading.locals.count
    functions.append(function)
    block()
    function = functions.removeLast()
    function.lastLine = token.line
    close(from: first, in: token.line)
    _ = accept("end")
    reading.functions[function.line, default: []].append(function)
  }

  private mutating func answer() {
    at += 1
    let values = token.kind == .end || isAt("end", "else", "elseif", "until", ";") ? [] : expressions()
    if values.count == 1, values[0].isCall { reading.calls[reading.calls.count - 1].use = .returned }
    guard isInFunction, !values.isEmpty else { return }
    let (last, value) = (functions.count - 1, values[0])
    functions[last].answers.isNothing = false
    if values.count == 2, value.isNo, let text = values[1].text { functions[last].answers.denial = text }
    guard values.count == 1 else { return }
    functions[last].answers.text = value.text ?? functions[last].answers.text
    if value.isTable { functions[last].answers.isTable = true }
  }

  /// Reads an assignment, or a call that is a statement.
  private mutating func assignment() {
    let start = at
    guard token.kind == .name || isAt("(") else {
      // A line that a person entered may be a value.
      _ = expression()
      return
    }
    let first = suffixed()
    if !isAt("=", ","), first.isCall {
      reading.calls[reading.calls.count - 1].use = .dropped
      let word = reading.tokens[start].word
      if first.isOnlyCalls, reading.tokens[start].kind == .name, visible[word]?.last == nil,
        ["menu", "item", "section", "label", "pane"].contains(word)
      {
        reading.dropped.append(noted(start, .dropped))
      }
      return
    }
    var targets = [first.access]
    while accept(",") { targets.append(suffixed().access) }
    guard accept("=") else { return targets.forEach { read($0) } }
    let values = expressions(in: braces(of: first.access))
    for target in targets { assign(target, mayAnswer: values.contains(where: \.mayAnswer)) }
  }

  // MARK: Reading and assigning

  /// The last step to a value: a variable, or a field of the value before it.
  private enum Access {
    case none, variable(Int), field(Int, of: String), computed(of: String)
  }

  private mutating func read(_ access: Access) {
    switch access {
    case .variable(let name):
      let word = reading.tokens[name].word
      if word == "_ENV" { reading.words.touchesGlobals = true }
      if let local = visible[word]?.last { return reading.locals[local].uses.append(name) }
      noteGlobal(name, isInFunction ? [.read, .global] : .read)
      // Through these, a script may create globals that no code assigns by name.
      if word == "_G" || word == "load" { reading.words.touchesGlobals = true }
      if word == "error", isInFunction { functions[functions.count - 1].answers.isNothing = false }
      let isCalled = at == name + 1 && (isAt("(", "{") || token.kind == .text)
      if word == "focus" || word == "modal", isInFunction || !isCalled { reading.words.focusesLater = true }
    case .field(let key, _):
      let word = reading.tokens[key].word
      reading.words.note(word, .read)
      // Code that uses these as values may call them with any name.
      if word == "perform" { reading.words.computesPerformed = true }
      if word == "define" { reading.words.computesDefined = true }
    case .computed, .none: break
    }
  }

  private mutating func noteGlobal(_ name: Int, _ role: CodeWords.Roles) {
    reading.globals.append(noted(name, role))
  }

  private mutating func noted(_ index: Int, _ role: CodeWords.Roles) -> LuaReading.Noted {
    let token = reading.tokens[index]
    reading.words.note(token.word, role)
    return .init(word: token.word, role: role, offset: token.offset, line: token.line)
  }

  private mutating func assign(_ access: Access, mayAnswer: Bool) {
    switch access {
    case .variable(let name):
      if let local = visible[reading.tokens[name].word]?.last { return reading.locals[local].uses.append(name) }
      noteGlobal(name, isInFunction ? [.assigned, .changed] : [.assigned, .made])
    case .field(let key, let holder): assignField(key, in: braces(named: holder), mayAnswer: mayAnswer)
    case .computed(let holder):
      if holder == "on", isInFunction { reading.words.computesAnswers = true }
    case .none: break
    }
  }

  /// The tables of a responder in whose braces a field has a special meaning.
  private enum Braces { case on, needs, other, plain }

  private func braces(named name: String) -> Braces {
    switch name {
    case "on": .on
    case "needs": .needs
    case "can", "look", "takes", "confirm", "about", "build", "keys": .other
    default: .plain
    }
  }

  /// Returns the kind of a table assigned to a field, for fields inside its braces. Everything in `needs` is `needs`.
  private func braces(of access: Access) -> Braces {
    guard case .field(let key, let holder) = access else { return .plain }
    return holder == "needs" ? .needs : braces(named: reading.tokens[key].word)
  }

  /// Records an assignment to a key. If a function assigns a link of the chain, any responder may enter the chain.
  private mutating func assignField(_ key: Int, in braces: Braces, mayAnswer: Bool, isDeclared: Bool = false) {
    let word = reading.tokens[key].word
    reading.assigned.insert(key)
    if braces != .needs || !isDeclared { reading.words.note(word, .assigned) }
    if isInFunction, ["next", "before", "delegate", "redirect"].contains(word) { reading.words.focusesLater = true }
    if braces == .on || braces == .plain && mayAnswer { reading.words.note(word, .answer) }
  }

  // MARK: Expressions

  private struct Expression {
    /// The text of a string, or of one that it may evaluate to, as in `x or "text"`.
    var text: String?
    var isText = false
    var isNo = false
    var isTable = false
    var isCall = false
    /// Whether it may be a function, and so may handle an action.
    var mayAnswer = false
  }

  private mutating func expressions(in braces: Braces = .plain) -> [Expression] {
    var found = [expression(in: braces)]
    while accept(",") { found.append(expression(in: braces)) }
    return found
  }

  private mutating func expression(in braces: Braces = .plain) -> Expression {
    var found = Expression()
    defer { depth -= 1 }
    guard deeper() else { return found }
    var (count, isWhole) = (0, true)
    repeat {
      while isAt("not", "-", "#", "~") {
        at += 1
        isWhole = false
      }
      let value = operand(in: braces)
      let isChoice = isAt("and", "or")
      if isWhole, isChoice || !isOperator {
        found.text = value.text ?? found.text
        found.mayAnswer = found.mayAnswer || value.mayAnswer
        if count == 0, !isChoice {
          (found.isText, found.isNo) = (value.isText, value.isNo)
          (found.isTable, found.isCall) = (value.isTable, value.isCall)
        }
      }
      count += 1
      isWhole = isChoice
    } while skipOperator()
    return found
  }

  private static let operators: Set<String> = [
    "and", "or", "+", "-", "*", "/", "//", "%", "^", "&", "|", "~", "<<", ">>", "..", "==", "~=", "<", "<=", ">", ">=",
  ]
  private var isOperator: Bool {
    (token.kind == .keyword || token.kind == .sign) && Self.operators.contains(token.word)
  }

  private mutating func skipOperator() -> Bool {
    guard isOperator else { return false }
    at += 1
    return true
  }

  private mutating func operand(in braces: Braces) -> Expression {
    let start = token
    switch start.kind {
    case .text:
      at += 1
      reading.words.note(start.word, .text)
      return Expression(text: start.word, isText: true)
    case .number: at += 1
    case .name: return value()
    case .keyword where ["nil", "true", "false"].contains(start.word):
      at += 1
      return Expression(isNo: start.word != "true")
    case .keyword where start.word == "function":
      at += 1
      body(from: start, isMethod: false)
      return Expression(mayAnswer: true)
    case .sign where start.word == "...":
      at += 1
      return Expression(mayAnswer: true)
    case .sign where start.word == "(": return value()
    case .sign where start.word == "{":
      table(braces)
      return Expression(isTable: true)
    default: break
    }
    return Expression()
  }

  private mutating func value() -> Expression {
    let start = token
    let found = suffixed()
    read(found.access)
    guard case .variable = found.access, let local = visible[start.word]?.last else {
      return Expression(isCall: found.isCall, mayAnswer: true)
    }
    return Expression(isTable: reading.locals[local].isTable, mayAnswer: true)
  }

  private mutating func table(_ braces: Braces) {
    at += 1
    while token.kind != .end, !isAt("}") {
      let before = at
      if token.kind == .name, next.kind == .sign, next.word == "=" {
        field(at, behind: 2, in: braces)
      } else if isAt("["), next.kind == .text, isKey(at + 2) {
        field(at + 1, behind: 4, in: braces)
      } else if accept("[") {
        _ = expression()
        _ = accept("]") && accept("=")
        _ = expression()
        if braces == .on, isInFunction { reading.words.computesAnswers = true }
      } else {
        _ = expression()
      }
      if at == before { return }
      if !accept(",") { _ = accept(";") }
    }
    _ = accept("}")
  }

  /// Returns true if the text before this token is the whole key of a field in braces.
  private func isKey(_ end: Int) -> Bool {
    let tokens = reading.tokens
    return end + 1 < tokens.count && tokens[end].word == "]" && tokens[end + 1].word == "="
  }

  private mutating func field(_ key: Int, behind count: Int, in braces: Braces) {
    at += count
    let value = expression(in: braces == .needs ? .needs : self.braces(named: reading.tokens[key].word))
    assignField(key, in: braces, mayAnswer: value.mayAnswer, isDeclared: true)
  }

  // MARK: Fields and calls

  /// Reads a name or a value in parentheses, with the fields, methods and calls after it.
  private mutating func suffixed() -> (access: Access, isCall: Bool, isOnlyCalls: Bool) {
    let start = at
    var (access, isCall, isOnlyCalls) = (Access.none, false, true)
    var name = ""
    if token.kind == .name {
      (access, name) = (.variable(at), token.word)
      at += 1
    } else if accept("(") {
      _ = expression()
      _ = accept(")")
    }
    while true {
      if isAt("."), next.kind == .name {
        read(access)
        (access, name) = (.field(at + 1, of: name), next.word)
        at += 2
      } else if isAt("[") {
        read(access)
        at += 1
        if token.kind == .text, next.kind == .sign, next.word == "]" {
          (access, name) = (.field(at, of: name), token.word)
          at += 2
        } else {
          _ = expression()
          _ = accept("]")
          (access, name) = (.computed(of: name), "")
        }
      } else if isAt(":"), next.kind == .name {
        let isOfApp = name == "app" && at == start + 1 && visible["app"]?.last == nil
        read(access)
        let method = next
        reading.words.note(method.word, .read)
        at += 2
        call(method.word, from: start, isMethod: true, isOfApp: isOfApp)
        (access, name, isCall, isOnlyCalls) = (.none, "", true, false)
        continue
      } else if isAt("(", "{") || token.kind == .text {
        read(access)
        call(name, from: start, isMethod: false, isOfApp: false)
        (access, name, isCall) = (.none, "", true)
        continue
      } else {
        return (access, isCall, isOnlyCalls)
      }
      (isCall, isOnlyCalls) = (false, false)
    }
  }

  private mutating func call(_ name: String, from start: Int, isMethod: Bool, isOfApp: Bool) {
    let lines = reading.tokens[start].line...token.line
    let given = arguments()
    reading.calls.append(.init(name: name, lines: lines))
    let text = given.first.flatMap { $0.isText ? $0.text : nil }
    if !isMethod, name == "emit" {
      if let text { reading.words.note(text, .emitted) } else { reading.words.computesEmitted = true }
    }
    guard isMethod else { return }
    switch name {
    case "make_key", "make_main": if isInFunction { reading.words.focusesLater = true }
    case "set":
      if given.count > 1, given[1].isText, let text = given[1].text { reading.words.note(text, .stored) }
    case "define":
      if let text { reading.words.note(text, .defined) } else { reading.words.computesDefined = true }
    case "perform", "validate":
      guard let text else {
        if name == "perform" { reading.words.computesPerformed = true }
        return
      }
      if isOfApp, name == "perform" { reading.words.note(text, .performed) }
      if isOfApp, given.count == 1 { reading.words.note(text, .asked) }
    default: break
    }
  }

  private mutating func arguments() -> [Expression] {
    guard accept("(") else { return [operand(in: .plain)] }
    let given = isAt(")") ? [] : expressions()
    _ = accept(")")
    return given
  }
}
