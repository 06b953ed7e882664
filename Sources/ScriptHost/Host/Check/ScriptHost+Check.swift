extension ScriptHost {
  /// Finds what is most likely wrong with what scripts declare, and adds what was reported when they were loaded. Performs no action.
  ///
  /// Menus are made and validated for this, so functions that answer questions are called. Codes that a script lists in
  /// `app.allow_warnings` are left out, and so are notes reported before. A note is no reason to change anything.
  ///
  /// ```swift
  /// let host = ScriptHost()
  /// try host.load(
  ///   text: #"menubar { menu "Edit" { item "Copy" { "cpy" } } } function app.on:copy() end"#, name: "app.lua")
  /// for finding in host.check() {
  ///   print(finding.code)  // unanswered-action, unnamed-handler
  /// }
  /// ```
  public func check() -> [Diagnostic] {
    engine?.beginAllowance()
    defer { dispatcher.endAllowance() }
    _ = snapshot()
    let check = Check(self)
    let found =
      check.mistakes() + check.strayKeymap() + check.undefined() + check.unanswered() + check.unfit()
      + check.unchoosable() + check.unnamed()
      + check.strays() + check.unemitted() + check.fallingBack()
      + check.unsupplied()
      + check.shadowed()
      + check.duplicates() + check.strayMnemonics() + check.listlessSections(onlyCertain: false) + check.unexplained()
      + keyConflicts()
      + check.rareKeys()
    return allowed(
      diagnostics.filter { $0.severity != .note } + found + check.unknownCodes(engine?.allowedWarnings() ?? []))
  }

  /// The findings of `check` that are almost certainly mistakes, which a program that shows an app shows along with it.
  package func mistakes() -> [Diagnostic] {
    engine?.beginAllowance()
    defer { dispatcher.endAllowance() }
    // No snapshot is made: menus are validated when they are shown, and here it is enough to know what they hold.
    deliverBeforeSnapshot()
    return allowed(Check(self).mistakes())
  }

  /// Whether functions of scripts walk tables in Lua's order, which is another in each host.
  package var walksTables: Bool {
    let words = engine?.words()
    return ["pairs", "next"].contains { words?.has($0, .global) ?? false }
  }

  /// The findings that no script allows in `app.allow_warnings`, sorted.
  private func allowed(_ findings: [Diagnostic]) -> [Diagnostic] {
    let allowed = engine?.allowedWarnings() ?? []
    return Check.sorted(
      findings.filter { finding in
        finding.severity == .error || !allowed.contains { $0.hasSameBytes(as: finding.code) }
      })
  }
}

/// A *check* is one look at everything that is declared, for `ScriptHost.check`. What only some findings need is computed lazily.
final class Check {
  let host: ScriptHost
  let words: CodeWords
  /// The items and keys that perform actions.
  private(set) lazy var uses = Check.uses(of: host)
  /// The names of actions that somebody answers.
  private(set) lazy var answered: Set<String> = {
    var answered = dispatcher.lastNames
    for behaviour in behaviours { answered.formUnion(behaviour.on.keys) }
    return Set(answered.map(host.names.text))
  }()
  /// The behaviours of responders and classes, each once.
  let behaviours: [Behaviour]
  /// The responders that have each behaviour, in order.
  private let holders: [ObjectIdentifier: [Responder]]
  /// The responders whose hooks may answer actions that aren't in a table.
  private(set) lazy var dynamic = host.responders.filter { $0.stack.contains(where: \.hasDynamicAnswers) }

  /// Something that a person picks or presses, and what it performs.
  struct Use {
    let reference: Reference
    let given: Arguments
    var arguments: [String] { given.members.map(\.key) }
    /// What a person calls it.
    let what: String
    let place: Place?
    /// Whose keys it is bound by; nil for items.
    var holder: Responder?
    /// How the reference is written.
    var raw = ""
    /// The text that stands before it in the script, by which its place is found: the item's title, or the key.
    var anchor: String?
    /// The call on `app` that it stands in; nil for items and keys.
    var call: String?
    /// The field that holds the reference, if it may stand many lines below the declaration.
    var field: String?
  }

  /// The findings that are almost certainly mistakes.
  func mistakes() -> [Diagnostic] {
    unreached() + selfless() + overloaded() + textsOfCan() + tablesOfProvide() + listlessSections(onlyCertain: true)
      + misspelt()
      + unread() + thrownAway()
      + hidden()
  }

  var dispatcher: Dispatcher { host.dispatcher }

  init(_ host: ScriptHost) {
    self.host = host
    words = host.engine?.words() ?? CodeWords()
    // Made first, because it may ask sections for rows, and their functions may register anything.
    _ = host.menuTrees.snapshotTree()
    var holders: [ObjectIdentifier: [Responder]] = [:]
    var behaviours: [Behaviour] = []
    for responder in host.responders {
      for behaviour in responder.stack {
        if holders[ObjectIdentifier(behaviour)] == nil { behaviours.append(behaviour) }
        holders[ObjectIdentifier(behaviour), default: []].append(responder)
      }
    }
    behaviours += host.chain.classes.map(\.behaviour).filter { holders[ObjectIdentifier($0)] == nil }
    self.holders = holders
    self.behaviours = behaviours
  }

  /// The responders that have a behaviour, in order.
  func holders(of behaviour: Behaviour) -> [Responder] { holders[ObjectIdentifier(behaviour)] ?? [] }

  private static func uses(of host: ScriptHost) -> [Use] {
    var uses: [Use] = []
    forEachNode(of: host) { node in
      let holder = node.currentHolder ?? node
      if let current = holder.ownCurrent {
        // A `current` action is performed with the arguments of the row's own action.
        let given = node.element.action?.arguments ?? Arguments()
        uses.append(
          Use(
            reference: current.reference, given: current.arguments.merging(given),
            what: "'current' of \(holder.element.described)", place: holder.element.place, raw: current.raw,
            field: "current"))
      }
      guard let action = node.element.action else { return }
      uses.append(
        Use(
          reference: action.reference, given: action.arguments, what: node.element.described,
          place: node.element.place, raw: action.raw, anchor: node.element.title))
    }
    for responder in host.responders {
      let ofUser = (host.chain.keymap?.bindings(for: responder) ?? []).map { ($0, $1[0]) }
      for (keys, binding) in ofUser + responder.bindings {
        for (reference, raw) in binding.all {
          uses.append(
            Use(
              reference: reference, given: Arguments(reference.arguments),
              what: "'\(keys.text)' of '\(responder.name)'",
              place: binding.place, holder: responder, raw: raw, anchor: keys.text))
        }
      }
    }
    return uses
  }

  /// Visits what stands in the menus, in the panel and in the last context menu.
  static func forEachNode(of host: ScriptHost, withPanel: Bool = true, _ visit: (MenuNode) -> Void) {
    for tree in [host.menuTrees.snapshotTree(), host.menuTrees.contextMenu?.tree].compactMap({ $0 }) {
      tree.root.forEach(visit)
      if withPanel { tree.panel?.forEach(visit) }
    }
  }

  /// A place with the column where a word stands.
  func place(of word: String, behind other: String? = nil, at place: Place?, lines: Int = 4) -> Place? {
    place.map { host.engine?.place(of: word, behind: other, from: $0, lines: lines) ?? $0 }
  }

  /// The place of a use, with its column, since several may be written on one line.
  func place(of use: Use) -> Place? {
    if let call = use.call { return host.engine?.place(ofCall: call, with: use.raw) }
    guard let place = use.place, let engine = host.engine else { return use.place }
    for quote in ["\"", "'"] {
      let word = "\(quote)\(use.raw)\(quote)"
      var found = engine.place(
        of: word, behind: use.field ?? use.anchor.map { use.holder == nil ? "\(quote)\($0)\(quote)" : $0 }, from: place,
        lines: use.field == nil ? 4 : 32)
      guard let column = found.column, found != place else { continue }
      found.column = column + 1
      return found
    }
    return self.place(of: use.reference.id, behind: use.anchor, at: place)
  }

  func near(_ word: String, _ known: @autoclosure () -> some Sequence<String>) -> String? {
    dispatcher.names(near: word, among: known()).first.map(Self.didYouMean)
  }

  /// Help that names the nearest references that are known.
  func near(_ reference: Reference, _ known: @autoclosure () -> some Sequence<String>) -> String? {
    dispatcher.names(near: reference, among: known()).first.map(Self.didYouMean)
  }

  static func didYouMean(_ name: String) -> String { "did you mean '\(name)'?" }

  /// Warnings about codes in `app.allow_warnings` that no diagnostic has.
  func unknownCodes(_ allowed: [String]) -> [Diagnostic] {
    let known = DiagnosticKind.all.map(\.code)
    return allowed.filter { code in !known.contains { $0.hasSameBytes(as: code) } }.map { code in
      Diagnostic(
        .warning, "unknown-code", "app.allow_warnings names '\(code)', which no warning is called",
        place: host.engine?.place(ofText: code), help: near(code, known))
    }
  }

  /// The findings, each once, in the order of their places; those without a place first.
  static func sorted(_ all: [Diagnostic]) -> [Diagnostic] {
    var met: Set<String> = []
    let each = all.filter { finding in
      met.insert("\(finding.code) \(finding.place.map { "\($0.file):\($0.line)" } ?? "") \(finding.message)").inserted
    }
    return each.enumerated().sorted { left, right in
      switch (left.element.place, right.element.place) {
      case (nil, nil): return left.offset < right.offset
      case (nil, _?): return true
      case (_?, nil): return false
      case (let one?, let other?):
        if !one.file.hasSameBytes(as: other.file) { return one.file.precedesByBytes(other.file) }
        if one.line != other.line { return one.line < other.line }
        let columns = (one.column ?? 0, other.column ?? 0)
        return columns.0 != columns.1 ? columns.0 < columns.1 : left.offset < right.offset
      }
    }.map(\.element)
  }
}

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
