import CLua
import CScript

// Reads scripts' tables `takes`, `confirm` and `about`.

extension ScriptEngine {
  /// Reads the arguments of an action from a table of types by key. A question has no action.
  func takes(_ value: LuaValue, _ action: String?, _ owner: ScriptOwner, _ place: Place?) throws -> Takes? {
    let what = action.map { "takes.\($0)" } ?? "'takes'"
    let path = action.map { "takes.\($0)" } ?? "takes"
    switch value {
    case .nil: return nil
    case .table(let table):
      var arguments: [DeclaredArgument] = []
      try lua.forEach(in: table) { key, value in
        guard case .text(let name) = key else {
          throw LuaMisuse("\(what) needs names of arguments, as in { text = \"string\" }: \(key.described) is none")
        }
        if arguments.count == Takes.most {
          throw LuaMisuse("\(what) can have \(Takes.most) arguments at most")
        }
        _ = try keptName(name, "the name of an argument of \(what)")
        arguments.append(try argument(name, value, "\(path).\(name)", owner, place))
        if let action, HostNames.contains(name) { warnOfShadowed(name, action, place) }
        return true
      }
      return Takes(arguments, source: ScriptValue(value), at: place)
    default:
      throw LuaMisuse("\(what) must be a table with a type for each argument, not \(value.described)")
    }
  }

  private func warnOfShadowed(_ name: String, _ action: String, _ place: Place?) {
    report(
      Diagnostic(
        .warning, "shadowed", "'\(name)' of '\(action)' hides behind a name of the host: read it as ctx.args.\(name)",
        place: place))
  }

  private func argument(
    _ name: String, _ value: LuaValue, _ what: String, _ owner: ScriptOwner, _ place: Place?
  ) throws -> DeclaredArgument {
    switch value {
    case .text(let type): return DeclaredArgument(AskedArgument(name, try kind(type, what)))
    case .table(let table):
      var reading = ArgumentReading(name, what, owner, place, self)
      try lua.forEach(in: table) { key, value in
        try reading.add(key, value)
        return true
      }
      return try reading.argument()
    default:
      throw LuaMisuse(
        "\(what) must be a type such as \"integer\", or a table that begins with one, not \(value.described)")
    }
  }

  fileprivate func kind(_ type: String, _ what: String) throws -> AskedArgument.Kind {
    let types = AskedArgument.Kind.allCases.filter { $0 != .oneOf }
    if let kind = types.first(where: { $0.rawValue.hasSameBytes(as: type) }) { return kind }
    let near = nearest(to: type, among: types.map(\.rawValue)).first.map { "did you mean '\($0)'?" }
    let all = "use one of \(types.map(\.rawValue).joined(separator: ", ")), or 'one_of'"
    throw LuaMisuse("\(what) has an unknown type '\(type.shortened(toBytes: 40))'; \(near ?? all)")
  }

  /// Returns the question to confirm before an action is done.
  func confirmation(_ value: LuaValue, _ action: String, _ owner: ScriptOwner, _ place: Place?) throws -> Handler? {
    switch value {
    case .nil: return nil
    case .text, .bytes:
      let text = try keptText(value, "confirm.\(action)", at: place, hasLines: true)
      return SaidConfirmation(text, owner: owner.owner)
    case .function(let function): return ScriptHandler(function, of: owner, engine: self)
    default:
      throw LuaMisuse("confirm.\(action) must be a question or a function that returns one, not \(value.described)")
    }
  }

  /// Returns the title, help and icon of an action.
  func about(_ value: LuaValue, _ action: String, _ place: Place?) throws -> About? {
    switch value {
    case .nil: return nil
    case .text, .bytes: return About(try keptText(value, "about.\(action)", at: place))
    case .table(let table):
      var about = About("")
      try lua.forEach(in: table) { key, value in
        func text(_ field: String, hasLines: Bool = false) throws -> String {
          try keptText(value, "about.\(action).\(field)", at: place, hasLines: hasLines)
        }
        func flag(_ field: String) throws -> Bool {
          guard case .bool(let flag) = value else {
            throw LuaMisuse("about.\(action).\(field) must be true or false, not \(value.described)")
          }
          return flag
        }
        switch key {
        case .text("title"): about.title = try text("title")
        case .text("help"): about.help = try text("help", hasLines: true)
        case .text("icon"): about.icon = try text("icon")
        case .text("form"): about.showsForm = try flag("form")
        case .text("looks"): about.onlyLooks = try flag("looks")
        case .text("internal"): about.isInternal = try flag("internal")
        case .text(let name):
          let near = nearest(to: name, among: ["title", "help", "icon", "form", "looks", "internal"]).first
          throw LuaMisuse("about.\(action) has no field '\(name)'\(near.map { "; did you mean '\($0)'?" } ?? "")")
        default: throw LuaMisuse("about.\(action) must have named fields: \(key.described) can't be a name")
        }
        return true
      }
      if about.title.isEmpty { throw LuaMisuse("about.\(action) has no 'title'") }
      return about
    default: throw LuaMisuse("about.\(action) must be a title or a table with one, not \(value.described)")
    }
  }

  /// Returns the title, help and icon of an action in the form of scripts.
  func read(_ about: About) throws -> LuaValue {
    let table = lua.newTable()
    try lua.rawSet("title", .text(about.title), of: table)
    if let help = about.help { try lua.rawSet("help", .text(help), of: table) }
    if let icon = about.icon { try lua.rawSet("icon", .text(icon), of: table) }
    if about.showsForm { try lua.rawSet("form", true, of: table) }
    if about.onlyLooks { try lua.rawSet("looks", true, of: table) }
    if about.isInternal { try lua.rawSet("internal", true, of: table) }
    return .table(table)
  }

  func elements(of value: Value, most: Int) -> [Value]? {
    guard case .opaque(let object) = value, let script = object as? ScriptValue, case .table(let table) = script.value,
      let count = try? lua.rawCount(of: table), count <= most
    else { return nil }
    charge(count)
    let L = lua.L
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    guard clua_room(L, 24), (try? lua.push(table.reference, on: L)) != nil else { return nil }
    var elements = [Value](repeating: .null, count: count)
    var met = 0
    let before = lua.copyable
    clua_pushNil(L)
    while clua_next(L, top + 1) {
      // A table with any other key is no list, apart from `n`, which `table.pack` adds.
      if clua_type(L, -2) == CLUA_TSTRING.rawValue, lua.text(at: -2, on: L) == "n", clua_isInteger(L, -1) {
        clua_pop(L, 1)
        continue
      }
      guard clua_isInteger(L, -2), 1...Int64(max(1, count)) ~= clua_integer(L, -2) else { return nil }
      elements[Int(clua_integer(L, -2)) - 1] = self.value(at: -1, on: L)
      met += 1
      clua_pop(L, 1)
    }
    charge(before - lua.copyable)
    return met == count ? elements : nil
  }

  func copy(ofList value: Value) -> Value? {
    guard case .opaque(let object) = value, let script = object as? ScriptValue, case .table(let table) = script.value,
      (try? lua.push(table.reference, on: lua.L)) != nil
    else { return nil }
    charge((try? lua.rawCount(of: table)) ?? 0)
    clua_copyTable(lua.L)
    return .opaque(ScriptValue(.table(LuaTable(reference: lua.takeReference()))))
  }
}

extension ScriptValue: Representing {
  func standsForSame(as other: AnyObject) -> Bool {
    guard let other = other as? ScriptValue, let one = value.reference, let two = other.value.reference,
      one.life === two.life, let lua = one.life.state, clua_room(lua.L, 2)
    else { return false }
    clua_pushReference(lua.L, one.id)
    clua_pushReference(lua.L, two.id)
    defer { clua_pop(lua.L, 2) }
    return clua_rawEqual(lua.L, -1, -2)
  }
}

extension LuaValue {
  /// The reference to a value without a copy in Swift.
  fileprivate var reference: LuaReference? {
    switch self {
    case .table(let table): table.reference
    case .function(let function): function.reference
    case .thread(let thread): thread.reference
    default: nil
    }
  }
}

/// The table of an argument, read field by field.
private struct ArgumentReading {
  private let what: String
  private let owner: ScriptOwner
  private let place: Place?
  private unowned let engine: ScriptEngine
  private var declared: DeclaredArgument
  private var kind: AskedArgument.Kind?
  private var hasChoices = false
  private var pattern: String?

  static let fields = [
    "one_of", "title", "help", "from", "to", "matches", "many", "order", "optional", "default", "proposal",
    "secret", "lines", "wide", "when", "suggest",
  ]

  init(_ name: String, _ what: String, _ owner: ScriptOwner, _ place: Place?, _ engine: ScriptEngine) {
    self.what = what
    self.owner = owner
    self.place = place
    self.engine = engine
    declared = DeclaredArgument(AskedArgument(name, .any))
  }

  mutating func add(_ key: LuaValue, _ value: LuaValue) throws {
    switch key {
    case .integer(1):
      guard case .text(let type) = value else {
        throw LuaMisuse("\(what) must begin with a type, not \(value.described)")
      }
      kind = try engine.kind(type, what)
    case .text(let field): try add(field, value)
    default: throw LuaMisuse("\(what) must have a type and named fields: \(key.described) can't be a name")
    }
  }

  /// Names of some fields in other programs.
  private static let elsewhere = [
    "choices": "one_of", "options": "one_of", "values": "one_of", "enum": "one_of", "oneOf": "one_of", "min": "from",
    "max": "to", "label": "title", "name": "title", "description": "help", "hint": "help", "pattern": "matches",
    "required": "optional", "multiple": "many", "list": "many", "value": "default", "password": "secret",
    "initial": "proposal",
    "placeholder": "proposal", "suggestions": "suggest", "complete": "suggest", "completions": "suggest",
    "multiline": "lines", "rows": "lines", "width": "wide",
  ]

  private mutating func add(_ field: String, _ value: LuaValue) throws {
    switch field {
    case "one_of":
      hasChoices = true
      (declared.facts.choices, declared.choosing) = try choices(value, field)
    case "suggest": (declared.facts.suggestions, declared.suggesting) = try choices(value, field)
    case "title": declared.facts.title = try engine.keptText(value, "\(what).title", at: place)
    case "help": declared.facts.help = try engine.keptText(value, "\(what).help", at: place, hasLines: true)
    case "from": declared.facts.from = try number(value, field)
    case "to": declared.facts.to = try number(value, field)
    case "order":
      if case .integer(let order) = try number(value, field) { declared.facts.order = Double(order) }
      if case .number(let order) = try number(value, field) { declared.facts.order = order }
    case "matches":
      guard case .text(let text) = value else {
        throw LuaMisuse("\(what).matches must be a string, not \(value.described)")
      }
      guard text.utf8.count <= Element.textLimit else {
        throw LuaMisuse("\(what).matches can have \(Element.textLimit) bytes at most, this one has \(text.utf8.count)")
      }
      pattern = text
    case "many": declared.facts.isMany = try flag(value, field)
    case "optional": declared.facts.isOptional = try flag(value, field)
    case "secret": declared.facts.isSecret = try flag(value, field)
    case "lines": declared.facts.lines = try count(value, field, most: 100)
    case "wide": declared.facts.wide = try count(value, field, most: 1000)
    case "when":
      guard case .function(let function) = value else {
        throw LuaMisuse("\(what).when must be a function, not \(value.described)")
      }
      declared.applying = ScriptArgumentCondition(
        ElementFunction(function, owner: owner.owner, at: place, engine: engine))
    case "default":
      if case .function(let function) = value {
        declared.presetting = ScriptHandler(function, of: owner, engine: engine)
      } else {
        declared.facts.preset = engine.value(value).orNone
      }
    case "proposal":
      if case .function(let function) = value {
        declared.proposing = ScriptHandler(function, of: owner, engine: engine)
      } else {
        declared.facts.proposal = engine.value(value).orNone
      }
    default:
      if ["type", "kind"].contains(field) {
        throw LuaMisuse("\(what) has no field '\(field)': write the type first, without a name: { \"string\" }")
      }
      let meant = Self.elsewhere[field] ?? nearest(to: field, among: Self.fields).first
      throw LuaMisuse("\(what) has no field '\(field)'\(meant.map { "; did you mean '\($0)'?" } ?? "")")
    }
  }

  /// Returns the values of a field, or the function that lists them.
  private func choices(_ value: LuaValue, _ field: String) throws -> ([AskedArgument.Choice]?, Handler?) {
    switch value {
    case .function(let function): return (nil, ScriptHandler(function, of: owner, engine: engine))
    case .table:
      guard let all = engine.elements(of: engine.value(value), most: AskedArgument.mostElements) else { fallthrough }
      try checkChoices(value, field)
      let choices = try AskedArgument.choices(all, elements: engine.elements(of:most:)) {
        try engine.dispatcher.spend($0, by: owner.owner)
      }
      return (choices, nil)
    default:
      let hint = if case .table = value { "; for titles write { { \"png\", \"PNG\" }, … }" } else { "" }
      throw LuaMisuse("\(what).\(field) must be a list of values or a function, not \(value.described)\(hint)")
    }
  }

  /// Refuses a choice whose value and title have names: a table with names would itself be a value.
  private func checkChoices(_ list: LuaValue, _ field: String) throws {
    guard case .table(let list) = list else { return }
    for index in 0..<(try engine.lua.rawCount(of: list)) {
      guard case .table(let choice) = try engine.lua.rawGet(.integer(index + 1), of: list) else { continue }
      guard case .text(let title) = try engine.lua.rawGet("title", of: choice),
        case .text(let value) = try engine.lua.rawGet("value", of: choice)
      else { continue }
      throw LuaMisuse(
        "\(what).\(field) has a choice with named fields; write the value first, then the title: { \"\(value.visible)\", \"\(title.visible)\" }"
      )
    }
  }

  private func number(_ value: LuaValue, _ field: String) throws -> Value {
    switch value {
    case .integer(let number): return .integer(number)
    case .number(let number) where !number.isNaN: return .number(number)
    default: throw LuaMisuse("\(what).\(field) must be a number, not \(value.described)")
    }
  }

  private func count(_ value: LuaValue, _ field: String, most: Int) throws -> Int {
    if case .integer(let count) = value, 1...most ~= count { return count }
    throw LuaMisuse("\(what).\(field) must be a whole number from 1 to \(most), not \(value.measured)")
  }

  private func flag(_ value: LuaValue, _ field: String) throws -> Bool {
    if case .bool(let flag) = value { return flag }
    throw LuaMisuse("\(what).\(field) must be true or false, not \(value.described)")
  }

  func argument() throws -> DeclaredArgument {
    var declared = declared
    guard let kind = hasChoices ? .oneOf : kind else {
      throw LuaMisuse("\(what) has no type: begin with one, as in { \"integer\" }, or add 'one_of'")
    }
    if hasChoices, self.kind != nil { throw LuaMisuse("\(what) has a type and 'one_of': remove one of the two") }
    declared.facts.kind = kind
    if declared.facts.from != nil || declared.facts.to != nil, ![.integer, .number, .string].contains(kind) {
      throw LuaMisuse("\(what) has bounds, but only numbers and strings can have them")
    }
    if let from = declared.facts.from, let to = declared.facts.to, Value.order(from, to) ?? 0 > 0 {
      throw LuaMisuse("\(what) goes from \(from.shown) to \(to.shown), so no value fits")
    }
    if declared.facts.isMany {
      declared.presetList = declared.facts.preset
      // Forms show the elements.
      for path in [\AskedArgument.preset, \.proposal] {
        guard let value = declared.facts[keyPath: path] else { continue }
        let list = engine.elements(of: value, most: AskedArgument.mostElements)
        declared.facts[keyPath: path] = list.map { .list($0) } ?? value
      }
    }
    try checkLines(declared.facts, kind)
    if declared.facts.suggestions != nil || declared.suggesting != nil {
      try declared.facts.checkSuggesting { LuaMisuse("\(what) \($0)") }
    }
    let hasDefault = declared.facts.preset != nil || declared.presetting != nil
    if hasDefault, declared.facts.proposal != nil || declared.proposing != nil {
      throw LuaMisuse("\(what) is required, so it can't have a default: write 'proposal' instead")
    }
    if let pattern {
      guard kind == .string else { throw LuaMisuse("\(what).matches is only for strings") }
      declared.facts.pattern = pattern
      declared.isMatching = try engine.matcher(pattern, what, of: owner, at: place)
    }
    return declared
  }
}

extension ArgumentReading {
  /// Throws if `lines` is declared for anything but a single visible text.
  fileprivate func checkLines(_ facts: AskedArgument, _ kind: AskedArgument.Kind) throws {
    guard facts.lines != nil else {
      if facts.wide != nil { throw LuaMisuse("\(what) has 'wide' without 'lines': add how many lines a form shows") }
      return
    }
    guard kind == .string else { throw LuaMisuse("\(what) has 'lines', but only strings can have them") }
    if facts.isMany { throw LuaMisuse("\(what) has 'lines' and is a list: remove one of the two") }
    if facts.isSecret { throw LuaMisuse("\(what) has 'lines' and is secret: remove 'lines', a secret has one line") }
  }
}

extension ScriptEngine {
  /// Returns a closure that matches a text with a Lua pattern of an owner. Throws if the pattern isn't valid.
  fileprivate func matcher(
    _ pattern: String, _ what: String, of owner: ScriptOwner, at place: Place?
  ) throws -> (String) throws -> Bool {
    let matching = try owner.matching ?? makeMatching(for: owner)
    owner.matching = matching
    do { _ = try matches("", pattern, by: matching) } catch let error as LuaError {
      throw LuaMisuse("\(what).matches is no pattern: \(error.message)")
    }
    return { [unowned self] text in
      do { return try matches(text, pattern, by: matching) } catch let error as LuaError {
        throw failure(error, ofMatching: what, owner, at: place)
      }
    }
  }

  private func matches(_ text: String, _ pattern: String, by matching: LuaFunction) throws -> Bool {
    let found = try lua.inPhase(CLUA_ASKING) { Result { try lua.call(matching, .text(text), .text(pattern)) } }.get()
    return found.first?.isTrue ?? false
  }

  /// Returns a function that matches texts with patterns. The code is the owner's, who is charged for it.
  private func makeMatching(for owner: ScriptOwner) throws -> LuaFunction {
    let text = "local find = string.find return function(text, pattern) return find(text, pattern) ~= nil end"
    let chunk = try lua.load(
      bytes: Array(text.utf8), name: "matches", environment: owner.language, owner: owner.code)
    guard case .function(let matching)? = try lua.call(chunk).first else { throw LuaMisuse("'string.find' is missing") }
    return matching
  }

  /// Returns the failure of matching a pattern, at the place of its declaration.
  private func failure(
    _ error: LuaError, ofMatching what: String, _ owner: ScriptOwner, at place: Place?
  ) -> Failure {
    var failure = failure(error, owner: owner.owner)
    failure.place = place
    failure.text = place.flatMap { lua.line($0.line, of: $0.file) }
    failure.message =
      switch error.limit {
      case .time, .instructions: "\(what).matches takes too long: write a pattern with fewer '*', '+' and '-'"
      default: "\(what).matches: \(error.message)"
      }
    return failure
  }
}

/// The `when` of an argument, which gets the context alone, like the `when` of a key.
final class ScriptArgumentCondition: Handler {
  private let function: ElementFunction

  override var place: Place? { function.place }
  override var parameters: [String] { function.engine.lua.parameters(of: function.function) }

  init(_ function: ElementFunction) {
    self.function = function
    super.init(owner: function.owner)
  }

  override func value(for responder: Responder, in context: Context) -> Result<Value, Failure> {
    if let failure = function.ask(context as? ScriptContext, hasValue: false) { return .failure(failure) }
    let L = function.engine.lua.L
    defer { clua_pop(L, 1) }
    return .success(.bool(clua_bool(L, -1)))
  }
}
