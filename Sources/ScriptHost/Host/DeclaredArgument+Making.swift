// How a program declares an action's arguments: a kind first, then modifiers.

extension DeclaredArgument {
  /// A string; with a range, of so many characters.
  public static func string(_ key: String, length: ClosedRange<Int>? = nil, title: String? = nil) -> Self {
    make(key, .string, title, from: length.map { .integer($0.lowerBound) }, to: length.map { .integer($0.upperBound) })
  }

  /// A whole number.
  public static func integer(_ key: String, in range: ClosedRange<Int>? = nil, title: String? = nil) -> Self {
    make(key, .integer, title, from: range.map { .integer($0.lowerBound) }, to: range.map { .integer($0.upperBound) })
  }

  /// A number.
  public static func number(_ key: String, in range: ClosedRange<Double>? = nil, title: String? = nil) -> Self {
    make(key, .number, title, from: range.map { .number($0.lowerBound) }, to: range.map { .number($0.upperBound) })
  }

  /// True or false.
  public static func boolean(_ key: String, title: String? = nil) -> Self { make(key, .boolean, title) }

  /// The path of a file.
  public static func file(_ key: String, title: String? = nil) -> Self { make(key, .file, title) }

  /// The path of a folder.
  public static func folder(_ key: String, title: String? = nil) -> Self { make(key, .folder, title) }

  /// Whatever is given.
  public static func any(_ key: String, title: String? = nil) -> Self { make(key, .any, title) }

  /// One of these values.
  public static func oneOf(_ key: String, _ values: [Value], title: String? = nil) -> Self {
    oneOf(key, values.map { AskedArgument.Choice($0) }, title: title)
  }

  /// One of these values, each with what a person calls it.
  public static func oneOf(_ key: String, _ choices: [AskedArgument.Choice], title: String? = nil) -> Self {
    var argument = make(key, .oneOf, title)
    argument.facts.choices = choices
    return argument
  }

  /// One of several values, which a closure lists each time.
  public static func oneOf(
    _ key: String, title: String? = nil, _ body: @escaping (Command) throws -> [AskedArgument.Choice]
  ) -> Self {
    var argument = make(key, .oneOf, title)
    argument.choosing = listing(body)
    return argument
  }

  private static func listing(_ body: @escaping (Command) throws -> [AskedArgument.Choice]) -> Handler {
    NativeValue { command in
      .list(try body(command).map { .list([$0.value, .text($0.title ?? $0.value.plainText)]) })
    }
  }

  private static func make(
    _ key: String, _ kind: AskedArgument.Kind, _ title: String?, from: Value? = nil, to: Value? = nil
  ) -> Self {
    var facts = AskedArgument(key, kind)
    facts.title = title
    facts.from = from
    facts.to = to
    return DeclaredArgument(facts)
  }

  /// It can be left out.
  public func optional() -> Self { with { $0.facts.isOptional = true } }
  /// It is a list of such values.
  public func many() -> Self { with { $0.facts.isMany = true } }
  /// Only the action's handler sees it.
  public func secret() -> Self { with { $0.facts.isSecret = true } }
  /// It is a text of several lines, of which a form shows so many; what exceeds `wide` columns in the first is highlighted.
  public func lines(_ lines: Int, wide: Int? = nil) -> Self {
    with { ($0.facts.lines, $0.facts.wide) = (lines, wide) }
  }
  /// A sentence about it.
  public func help(_ text: String) -> Self { with { $0.facts.help = text } }
  /// Its position among the arguments that are asked for.
  public func order(_ order: Double) -> Self { with { $0.facts.order = order } }
  /// The value that is used if none is given.
  public func preset(_ value: Value) -> Self { with { $0.facts.preset = value.orNone } }
  /// A closure for the value that is used if none is given, called each time.
  public func preset(_ body: @escaping (Command) throws -> Value) -> Self { with { $0.presetting = NativeValue(body) } }
  /// The value with which a form begins, if a person is asked.
  public func proposal(_ value: Value) -> Self { with { $0.facts.proposal = value.orNone } }
  /// A closure for the value with which a form begins, if a person is asked; called each time.
  public func proposal(_ body: @escaping (Command) throws -> Value) -> Self {
    with { $0.proposing = NativeValue(body) }
  }
  /// Values that forms suggest. Others may be given too.
  public func suggesting(_ values: [Value]) -> Self {
    with { $0.facts.suggestions = values.map { AskedArgument.Choice($0) } }
  }
  /// A closure for values that forms suggest, called each time. Others may be given too.
  public func suggesting(_ body: @escaping (Command) throws -> [AskedArgument.Choice]) -> Self {
    with { $0.suggesting = Self.listing(body) }
  }
  /// A closure that says whether it is wanted, after the arguments known so far. Where it isn't, it can be left out, and forms do so.
  public func when(_ body: @escaping (Command) throws -> Bool) -> Self {
    with { $0.applying = NativeValue { .bool(try body($0)) } }
  }
  /// A closure that a string has to satisfy, with words that say what it requires.
  public func matching(_ words: String, _ body: @escaping (String) throws -> Bool) -> Self {
    with {
      $0.facts.pattern = words
      $0.isMatching = body
    }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var changed = self
    change(&changed)
    return changed
  }
}

extension Value {
  /// A value as a person reads it.
  fileprivate var plainText: String { if case .text(let text) = self { text } else { shown } }
}

/// A closure that is called for a value.
final class NativeValue: Handler {
  private let body: (Command) throws -> Value

  init(owner: Owner = Owner(name: Outcome.hostName), _ body: @escaping (Command) throws -> Value) {
    self.body = body
    super.init(owner: owner)
  }

  override func value(for responder: Responder, in context: Context) -> Result<Value, Failure> {
    Result { try body(Command(context: context, responder: responder)) }.mapError { Failure(native: $0, of: owner) }
  }
}

extension ResponderEditor {
  /// Declares what arguments an action takes; what doesn't fit is refused, and what is missing is asked for. None at all: it takes none.
  @discardableResult
  public func takes(_ action: String, _ arguments: DeclaredArgument...) -> Registration {
    set(\.takes, action, Takes(arguments))
  }

  /// Says what a person is asked before an action is done.
  @discardableResult
  public func confirm(_ action: String, _ question: String) -> Registration {
    set(.confirm, action, SaidConfirmation(question, owner: owner))
  }

  /// Registers a closure that says what a person is asked before an action is done; nil if nothing is asked.
  @discardableResult
  public func confirm(_ action: String, _ body: @escaping (Command) throws -> String?) -> Registration {
    set(.confirm, action, NativeValue(owner: owner) { try body($0).map { .text($0) } ?? .null })
  }

  /// Sets the title of an action, for where no item gives one.
  @discardableResult
  public func about(
    _ action: String, _ title: String, help: String? = nil, icon: String? = nil, showsForm: Bool = false
  ) -> Registration {
    set(\.about, action, About(title, help: help, icon: icon, showsForm: showsForm))
  }
}

extension ScriptHost {
  /// Declares the arguments of an action that the program does itself.
  @discardableResult
  public func takes(_ action: String, _ arguments: DeclaredArgument...) -> Registration {
    ownEditor.set(\.takes, action, Takes(arguments))
  }

  /// Sets what a person is asked before an action that the program does itself.
  @discardableResult
  public func confirm(_ action: String, _ question: String) -> Registration { ownEditor.confirm(action, question) }

  /// Sets the title of an action that the program does itself, for where no item gives one.
  @discardableResult
  public func about(
    _ action: String, _ title: String, help: String? = nil, icon: String? = nil, showsForm: Bool = false
  ) -> Registration {
    ownEditor.about(action, title, help: help, icon: icon, showsForm: showsForm)
  }

  private var ownEditor: ResponderEditor {
    ResponderEditor(responder: dispatcher.hostResponder, host: self, owner: program)
  }
}

// Initializers for clients of the live protocol, which make these values from decoded JSON.

extension MenuElement {
  /// An empty tree.
  package static var nothing: MenuElement { MenuElement(nothingOf: "root") }

  /// The root of a tree with these children.
  package init(rootOf children: [MenuElement], panel: [MenuElement] = []) {
    self.init(nothingOf: "root")
    self.children = children
    if !panel.isEmpty { extras = Extras(look: Look(), alternates: [], panel: MenuElement(panelOf: panel)) }
  }

  /// A panel with these rows.
  package init(panelOf rows: [MenuElement]) {
    self = .emptyPanel
    children = rows
  }
}

extension Explanation {
  package init(enabled: Bool, by: String?, reason: String?, toldSteps: [Step], toldKeys: [Key]) {
    self.init(isEnabled: enabled, by: by, reason: reason, steps: toldSteps, keys: toldKeys)
  }
}

extension Explanation.Key {
  package init(told key: String, by: String?, candidates: [String]) {
    self.init(key: key, by: by, candidates: candidates)
  }
}

extension Trace.Step {
  package init(told node: String, asked: String, answer: String, place: Place?) {
    self.init(node: node, asked: asked, answer: answer, place: place)
  }
}

extension ChainLink {
  package init(told name: String, owner: String, answer: String?) {
    self.init(name: name, owner: owner, answer: answer)
  }
}

extension KeyEntry {
  package init(
    told keys: String, reference: String, others: [String], isWhole: Bool, title: String?, wait: Double?, by: String,
    isItem: Bool,
    isReached: Bool, isOfKeymap: Bool, conflict: String?
  ) {
    self.init(
      keys: keys, reference: reference, others: others, isWhole: isWhole, title: title, wait: wait, by: by,
      isOfKeymap: isOfKeymap,
      isItem: isItem, place: nil, isReached: isReached, conflict: conflict)
  }
}

extension Validation {
  package init(
    told isEnabled: Bool, reason: String?, by: String?, look: Look, asks: Outcome.Question?, misfit: Misfit?,
    elsewhere: String?
  ) {
    self.init(enabled: isEnabled, reason: reason, by: by, look: look)
    self.asks = asks
    self.misfit = misfit
    self.elsewhere = elsewhere
  }
}

extension ActionEntry {
  package init(told name: String, title: String?, enabled: Bool) {
    self.init(name: name, title: title ?? name, isEnabled: enabled)
  }
}

extension LuaTree.Entry {
  package init(told key: LuaTree, _ value: LuaTree) { self.init(key: key, value: value) }
}

extension LogEntry {
  package init(told level: LogLevel, _ text: String, owner: String, place: Place?) {
    self.init(level: level, text: text, owner: owner, place: place)
  }
}

extension Job.Progress {
  package init(told fraction: Double, text: String?) { self.init(fraction: fraction, text: text) }
}
