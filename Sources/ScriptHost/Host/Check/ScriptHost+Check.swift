extension ScriptHost {
  /// Finds likely mistakes in the declarations of scripts, and adds the diagnostics of loading. Performs no action.
  ///
  /// It makes and validates menus, so it calls functions that answer questions. Codes that a script lists in
  /// `app.allow_warnings` are skipped, and so are notes that were reported before. You can ignore a note.
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

  /// The findings of `check` that are almost certainly mistakes. A program that shows an app shows them too.
  package func mistakes() -> [Diagnostic] {
    engine?.beginAllowance()
    defer { dispatcher.endAllowance() }
    // No snapshot is needed: a face validates the menus when it shows them, and here only their content matters.
    deliverBeforeSnapshot()
    return allowed(Check(self).mistakes())
  }

  /// True if functions of scripts walk tables in Lua's order, which differs in each host.
  package var walksTables: Bool { scriptsName("pairs") || scriptsName("next") }

  /// True if functions of scripts name a global.
  package func scriptsName(_ global: String) -> Bool { engine?.words().has(global, .global) ?? false }

  /// Returns the findings that no script allows in `app.allow_warnings`, sorted.
  private func allowed(_ findings: [Diagnostic]) -> [Diagnostic] {
    let allowed = engine?.allowedWarnings() ?? []
    return Check.sorted(
      findings.filter { finding in
        finding.severity == .error || !allowed.contains { $0.hasSameBytes(as: finding.code) }
      })
  }
}

/// A *check* looks once at all declarations, for `ScriptHost.check`. It computes lazily what only some findings need.
final class Check {
  let host: ScriptHost
  let words: CodeWords
  /// The items and keys that perform actions.
  private(set) lazy var uses = Check.uses(of: host)
  /// The names of actions that have a handler.
  private(set) lazy var answered: Set<String> = {
    var answered = dispatcher.lastNames
    for behaviour in behaviours { answered.formUnion(behaviour.on.keys) }
    return Set(answered.map(host.names.text))
  }()
  /// The behaviours of responders and classes, each once.
  let behaviours: [Behaviour]
  /// The responders that have each behaviour, in order.
  private let holders: [ObjectIdentifier: [Responder]]
  /// The responders whose hooks may handle actions that aren't in a table.
  private(set) lazy var dynamic = host.responders.filter { $0.stack.contains(where: \.hasDynamicAnswers) }

  /// An item, a key or a call that performs an action.
  struct Use {
    let reference: Reference
    let given: Arguments
    var arguments: [String] { given.members.map(\.key) }
    /// The name for messages.
    let what: String
    let place: Place?
    /// The responder that binds the key; nil for items.
    var holder: Responder?
    /// The reference as it is written.
    var raw = ""
    /// The text before the reference in the script, which helps to find the place: the item's title, or the key.
    var anchor: String?
    /// The method of `app` that is called; nil for items and keys.
    var call: String?
    /// The field that holds the reference, if it may be many lines below the declaration.
    var field: String?
  }

  /// Returns the findings that are almost certainly mistakes.
  func mistakes() -> [Diagnostic] {
    unreached() + selfless() + overloaded() + textsOfCan() + denialsOfOn() + tablesOfProvide()
      + listlessSections(onlyCertain: true) + misspelt()
      + unread() + thrownAway()
      + hidden()
  }

  var dispatcher: Dispatcher { host.dispatcher }

  init(_ host: ScriptHost) {
    self.host = host
    words = host.engine?.words() ?? CodeWords()
    // This comes first, because it may call sections for rows, and their functions may register anything.
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

  /// Returns the responders that have a behaviour, in order.
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

  /// Visits all nodes of the menus, of the panel and of the last context menu.
  static func forEachNode(of host: ScriptHost, withPanel: Bool = true, _ visit: (MenuNode) -> Void) {
    for tree in [host.menuTrees.snapshotTree(), host.menuTrees.contextMenu?.tree].compactMap({ $0 }) {
      tree.root.forEach(visit)
      if withPanel { tree.panel?.forEach(visit) }
    }
  }

  /// Returns a place with the column of a word.
  func place(of word: String, behind other: String? = nil, at place: Place?, lines: Int = 4) -> Place? {
    place.map { host.engine?.place(of: word, behind: other, from: $0, lines: lines) ?? $0 }
  }

  /// Returns the place of a use, with its column, since a line may have several.
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

  /// Returns help with the nearest known reference.
  func near(_ reference: Reference, _ known: @autoclosure () -> some Sequence<String>) -> String? {
    dispatcher.names(near: reference, among: known()).first.map(Self.didYouMean)
  }

  static func didYouMean(_ name: String) -> String { "did you mean '\(name)'?" }

  /// Returns warnings about codes in `app.allow_warnings` that no diagnostic has.
  func unknownCodes(_ allowed: [String]) -> [Diagnostic] {
    let known = DiagnosticKind.all.map(\.code)
    return allowed.filter { code in !known.contains { $0.hasSameBytes(as: code) } }.map { code in
      Diagnostic(
        .warning, "unknown-code", "app.allow_warnings names '\(code)', but no warning has that code",
        place: host.engine?.place(ofText: code), help: near(code, known))
    }
  }

  /// Returns the findings, each once, in the order of their places. Findings without a place come first.
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

/// A *code reader* reads the text and the code of scripts for `check`, without running them.
protocol CodeReader: AnyObject {
  /// Returns the words in the code of scripts.
  func words() -> CodeWords
  /// Returns the first place of a word within some lines from a place, if possible behind another word. Without any, it
  /// returns the given place.
  func place(of word: String, behind other: String?, from place: Place, lines: Int) -> Place
  /// Returns the first place of a string in a script's text.
  func place(ofText text: String) -> Place?
  /// Returns the first place where a method is called with a string.
  func place(ofCall name: String, with text: String) -> Place?
  /// Returns the first place of a whole word.
  func place(ofWord word: String) -> Place?
  /// Returns the first line that begins with a word.
  func place(ofStatement word: String) -> Place?
  /// Returns fields that scripts assigned to responders and classes, that nobody reads, and that resemble the host's.
  func misspeltFields(_ words: CodeWords) -> [MisspeltField]
  /// Returns the functions in fields of these names, each with its responder and its place.
  func functions(named names: Set<String>) -> [(name: String, responder: Responder, place: Place?)]
  /// Returns the host's globals that scripts hide by assigning them, and where.
  func hiddenWords() -> [(word: String, place: Place?)]
  /// Returns the globals among these names that no script may read, each with its place and a suggestion.
  func undefinedNames(among names: [String]) -> [(name: String, place: Place?, help: String?)]
  /// Returns the globals among these names that no script defined while it loaded, each with its place and a
  /// suggestion.
  func undefinedNames(assigned names: [String]) -> [(name: String, place: Place?, help: String?)]
  /// Returns the codes of warnings that the app's script turns off.
  func allowedWarnings() -> [String]
}

/// A field of a script whose name was probably meant to be one of the host's.
struct MisspeltField {
  let name: String
  let meant: String
  /// The name of the responder or class that has it, for messages.
  let holder: String
  let place: Place?
}
