// Declares an action's arguments in a program: a kind first, then modifiers.

extension DeclaredArgument {
  /// A string; with a range, the length in characters is in the range.
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

  /// Any value.
  public static func any(_ key: String, title: String? = nil) -> Self { make(key, .any, title) }

  /// One of these values.
  public static func oneOf(_ key: String, _ values: [Value], title: String? = nil) -> Self {
    oneOf(key, values.map { AskedArgument.Choice($0) }, title: title)
  }

  /// One of these values, each with a title.
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

  /// Makes the argument optional.
  public func optional() -> Self { with { $0.facts.isOptional = true } }
  /// Makes the argument a list of these values.
  public func many() -> Self { with { $0.facts.isMany = true } }
  /// Lets only the action's handler see the value.
  public func secret() -> Self { with { $0.facts.isSecret = true } }
  /// Makes a form show a text of so many lines. Text beyond `wide` columns in the first line is highlighted.
  public func lines(_ lines: Int, wide: Int? = nil) -> Self {
    with { ($0.facts.lines, $0.facts.wide) = (lines, wide) }
  }
  /// Adds a sentence about the argument.
  public func help(_ text: String) -> Self { with { $0.facts.help = text } }
  /// Sets the position in the form.
  public func order(_ order: Double) -> Self { with { $0.facts.order = order } }
  /// Sets the default value.
  public func preset(_ value: Value) -> Self { with { $0.facts.preset = value.orNone } }
  /// Sets a closure that returns the default value, called each time.
  public func preset(_ body: @escaping (Command) throws -> Value) -> Self { with { $0.presetting = NativeValue(body) } }
  /// Sets the value with which a form begins.
  public func proposal(_ value: Value) -> Self { with { $0.facts.proposal = value.orNone } }
  /// Sets a closure that returns the value with which a form begins, called each time.
  public func proposal(_ body: @escaping (Command) throws -> Value) -> Self {
    with { $0.proposing = NativeValue(body) }
  }
  /// Sets values that forms suggest. A caller may pass others.
  public func suggesting(_ values: [Value]) -> Self {
    with { $0.facts.suggestions = values.map { AskedArgument.Choice($0) } }
  }
  /// Sets a closure that returns values for forms to suggest, called each time. A caller may pass others.
  public func suggesting(_ body: @escaping (Command) throws -> [AskedArgument.Choice]) -> Self {
    with { $0.suggesting = Self.listing(body) }
  }
  /// Sets a closure that decides from earlier arguments whether this argument is wanted. If not, it is optional.
  public func when(_ body: @escaping (Command) throws -> Bool) -> Self {
    with { $0.applying = NativeValue { .bool(try body($0)) } }
  }
  /// Sets a closure that a string has to satisfy, and words that describe the requirement.
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
  /// The value as plain text for people.
  fileprivate var plainText: String { if case .text(let text) = self { text } else { shown } }
}

/// A closure that returns a value.
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
  /// Declares the arguments of an action: wrong ones are refused, and a form asks for missing ones. No arguments: it
  /// takes none.
  @discardableResult
  public func takes(_ action: String, _ arguments: DeclaredArgument...) -> Registration {
    set(\.takes, action, Takes(arguments))
  }

  /// Sets the question that a person confirms before an action is done.
  @discardableResult
  public func confirm(_ action: String, _ question: String) -> Registration {
    set(.confirm, action, SaidConfirmation(question, owner: owner))
  }

  /// Registers a closure that returns the question to confirm before an action is done; nil to skip it.
  @discardableResult
  public func confirm(_ action: String, _ body: @escaping (Command) throws -> String?) -> Registration {
    set(.confirm, action, NativeValue(owner: owner) { try body($0).map { .text($0) } ?? .null })
  }

  /// Sets the title of an action, for use where no item has one.
  @discardableResult
  public func about(
    _ action: String, _ title: String, help: String? = nil, icon: String? = nil, showsForm: Bool = false,
    onlyLooks: Bool = false, isInternal: Bool = false
  ) -> Registration {
    let about = About(
      title, help: help, icon: icon, showsForm: showsForm, onlyLooks: onlyLooks, isInternal: isInternal)
    return set(\.about, action, about)
  }
}

extension ScriptHost {
  /// Declares the arguments of an action that the program does itself.
  @discardableResult
  public func takes(_ action: String, _ arguments: DeclaredArgument...) -> Registration {
    ownEditor.set(\.takes, action, Takes(arguments))
  }

  /// Sets the question to confirm before an action that the program does itself.
  @discardableResult
  public func confirm(_ action: String, _ question: String) -> Registration { ownEditor.confirm(action, question) }

  /// Sets the title of an action that the program does itself, for use where no item has one.
  @discardableResult
  public func about(
    _ action: String, _ title: String, help: String? = nil, icon: String? = nil, showsForm: Bool = false,
    onlyLooks: Bool = false, isInternal: Bool = false
  ) -> Registration {
    ownEditor.about(
      action, title, help: help, icon: icon, showsForm: showsForm, onlyLooks: onlyLooks, isInternal: isInternal)
  }

  private var ownEditor: ResponderEditor {
    ResponderEditor(responder: dispatcher.hostResponder, host: self, owner: program)
  }
}

// Initializers for clients of the live protocol, which make these values from decoded JSON.

extension MenuElement {
  /// An empty tree.
  package static var nothing: MenuElement { MenuElement(nothingOf: "root") }

  /// Creates the root of a tree with these children.
  package init(rootOf children: [MenuElement], panel: [MenuElement] = []) {
    self.init(nothingOf: "root")
    self.children = children
    if !panel.isEmpty { extras = Extras(look: Look(), alternates: [], panel: MenuElement(panelOf: panel)) }
  }

  /// Creates a panel with these rows.
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
    isItem: Bool, isPane: Bool, isReached: Bool, isOfKeymap: Bool, conflict: String?, isOff: Bool
  ) {
    self.init(
      keys: keys, reference: reference, others: others, isWhole: isWhole, title: title, wait: wait, by: by,
      isOfKeymap: isOfKeymap,
      isItem: isItem, isPane: isPane, place: nil, isReached: isReached, conflict: conflict)
    if isOff { holds = false }
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
