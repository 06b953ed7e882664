import ScriptHost

/// An *answer* is what a subject knows about an app, or the outcome of a deed. The types are the same for an app in
/// this process and for a live app.
package enum Answer {
  /// The app at a glance.
  package struct App {
    package var title: String?
    package var source: String
    package var focus: String
    /// The outcomes of the deeds performed before the question about the app.
    package var outcomes: [Done]
    package var chain: [Node]
    /// The responders outside the chain.
    package var others: [Node]
    package var menus: [MenuElement]
    /// The elements of the panel; nil if none is declared.
    package var panel: [MenuElement]?
    package var diagnostics: [Diagnostic]

    package init(
      title: String?, source: String, focus: String, outcomes: [Done] = [], chain: [Node], others: [Node],
      menus: [MenuElement], panel: [MenuElement]? = nil, diagnostics: [Diagnostic]
    ) {
      self.title = title
      self.source = source
      self.focus = focus
      self.outcomes = outcomes
      self.chain = chain
      self.others = others
      self.menus = menus
      self.panel = panel
      self.diagnostics = diagnostics
    }
  }

  package struct Node {
    package var name: String
    package var owner: String
    package var isWindow: Bool
    package var isKey: Bool
    package var isMain: Bool
    /// The responder's actions, if they are shown.
    package var actions: [Action] = []
    /// Whether the responder has more actions than are shown.
    package var hasMore = false
  }

  package struct Action {
    package var name: String
    package var validation: Validation
  }

  /// A validation of an action, by its reference, or of an item, by its id.
  package struct Validated {
    package enum Kind: String, CaseIterable, Sendable {
      case id, key, ref
    }

    package var name: String
    package var kind: Kind
    /// The item's title now.
    package var title: String
    package var validation: Validation
  }

  /// A key of the context, with its value and the name of its provider.
  package struct Entry {
    package var key: String
    package var value: LuaTree
    package var by: String
  }

  /// The keys of the context, each with its value and its provider.
  package struct Context {
    package var entries: [Entry]

    package init(entries: [Entry]) { self.entries = entries }
  }

  /// The responders that get an action, nearest first.
  package struct Chain {
    package var links: [ChainLink]
    package var focus: String
  }

  /// The changes of the menus and the panel. A class without mutable state, since calls pass it on.
  package final class Changes {
    package let before: MenuElement
    package let all: [MenuChange]

    package init(before: MenuElement, all: [MenuChange]) {
      self.before = before
      self.all = all
    }

    /// Compares two snapshots. If either has a panel, both get an element `panel` with its rows.
    package convenience init(from before: MenuElement, to now: MenuElement) {
      let hasPanel = before.panel != nil || now.panel != nil
      self.init(
        before: before,
        all: MenuChanges(from: hasPanel ? before.withPanel : before, to: hasPanel ? now.withPanel : now).all)
    }
  }

  /// The outcome of one deed.
  package enum Done {
    case performed(Performed)
    case evaluated(Evaluated)
    case focused(Focused)

    package var isWell: Bool {
      switch self {
      case .performed(let performed): performed.outcome.status == .handled
      case .evaluated(let evaluated): evaluated.failure == nil
      case .focused(let focused): focused.hasFocus
      }
    }
  }

  /// The outcome of an action. Its maker sets all properties before passing it on.
  package class Performed {
    /// The reference, the item id or the keys that were performed.
    package final let name: String
    /// The action's title when it began, if the caller wants it and no item has it.
    package internal(set) final var title: String?
    package internal(set) final var outcome: Outcome
    package internal(set) final var result: LuaTree
    /// The changes of the menus; nil if the caller didn't want them.
    package internal(set) final var changes: Changes?
    /// The name of the undo step recorded by this action; nil if there is none.
    package internal(set) final var undo: String?
    /// The number of that step, and the number of the older step with which it was merged; nil if the caller didn't want
    /// them.
    package internal(set) final var step: (number: Int, joined: Int?)?
    /// The steps of the trace; nil if the caller didn't want them.
    package internal(set) final var trace: [Traced]?
    /// Whether keys that are pending act alone after a time (K12).
    package final var waits = false

    package init(
      name: String, outcome: Outcome, result: LuaTree = .nil, changes: Changes? = nil, undo: String? = nil,
      trace: [Traced]? = nil
    ) {
      self.name = name
      self.outcome = outcome
      self.result = result
      self.changes = changes
      self.undo = undo
      self.trace = trace
    }
  }

  /// A step of a trace, and the nesting level of its perform.
  package struct Traced {
    package var level: Int
    package var step: Trace.Step

    package init(level: Int, step: Trace.Step) {
      self.level = level
      self.step = step
    }
  }

  /// A line of Lua, and its values.
  package struct Evaluated {
    package var line: String
    package var values: [LuaTree] = []
    /// The same values, in the form that the REPL's inspector shows.
    package var inspected: [Inspection] = []
    /// The error that ended the line; nil without an error.
    package var failure: Failure?
    package var changes: Changes?
  }

  /// The responder that should get the focus, and whether it has it now.
  package struct Focused {
    package var name: String
    package var hasFocus: Bool
    /// Why the focus can't move.
    package var reason: String?
    package var changes: Changes?
  }
}

extension [Trace] {
  /// The steps of these traces in their order.
  package var steps: [Answer.Traced] {
    flatMap { trace in trace.steps.map { Answer.Traced(level: $0.level, step: $0.step) } }
  }
}

/// A kind of name in an app, which completes a word of a command line.
package enum AppName: String, CaseIterable, Sendable {
  /// Names of actions. `actions` has the references of items too, for the REPL; a shell would split these.
  case actions, names, ids, items, menus, keys, responders
  /// The arguments of actions, as `KEY=`.
  case arguments

  /// Returns the kinds with these names; all if the list is empty.
  static func all(_ words: [String]) throws(Unanswered) -> [AppName] {
    if words.isEmpty { return allCases }
    var kinds: [AppName] = []
    for word in words {
      guard let kind = AppName(rawValue: word) else {
        let near = nearest(to: word, among: allCases.map(\.rawValue)).first
        throw Unanswered(.asking, "there is no kind of name '\(word)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
      }
      kinds.append(kind)
    }
    return kinds
  }

  /// Returns the names of this kind that the app has now.
  package func names(in host: ScriptHost) -> [String] {
    switch self {
    case .actions:
      Self.actions(of: host) + host.menus().children.flatMap(\.items).filter { !$0.isHidden }.map(\.action)
    case .names: Self.actions(of: host)
    case .ids: Self.drawn(of: host).flatMap(\.ids)
    case .items: Self.drawn(of: host).flatMap(\.items).map(\.id)
    case .arguments: (try? host.actions())?.flatMap(\.takes).map { "\($0.key)=" } ?? []
    case .menus: host.menus().children.flatMap(\.menuIDs)
    case .keys: host.keys().map(\.keys)
    case .responders: host.responders.map(\.name)
    }
  }

  /// Returns the menus, and the elements of the panel.
  private static func drawn(of host: ScriptHost) -> [MenuElement] {
    let root = host.menus()
    return root.children + (root.panel?.children ?? [])
  }

  private static func actions(of host: ScriptHost) -> [String] {
    host.shown(host.answeredActions(by: 1).map(\.action) + host.nativeActions)
  }
}

extension MenuElement {
  /// The ids of this menu and the menus in it, outermost first.
  fileprivate var menuIDs: [String] { kind == .menu ? [id] + children.flatMap(\.menuIDs) : [] }
}

/// The completions of an unfinished word in a line.
package struct Completions: Equatable {
  /// All candidates, sorted.
  package var candidates: [String] = []
  /// The text to add to the word: the candidates' common beginning, and the ending if there is one candidate.
  package var addition = ""

  /// No completions.
  package init() {}

  /// - Parameters:
  ///   - begun: the typed beginning of the word.
  ///   - ending: the text that follows a single candidate.
  package init(
    _ candidates: some Sequence<String>, begun: some StringProtocol, ending: (String) -> String = { _ in "" }
  ) {
    let begun = Array(begun.utf8)
    var seen: Set<[UInt8]> = []
    let fitting = candidates.filter { $0.utf8.starts(with: begun) && seen.insert(Array($0.utf8)).inserted }
    self.candidates = fitting.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard let first = self.candidates.first else { return }
    let common = self.candidates.dropFirst().reduce(Array(first.unicodeScalars)) { common, other in
      zip(common, other.unicodeScalars).prefix { $0 == $1 }.map(\.0)
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: common)
    addition = String(decoding: String(text).utf8.dropFirst(begun.count), as: UTF8.self)
    if self.candidates.count == 1 { addition += ending(first) }
  }

  /// Reads the completions from a live app's answer.
  init(told json: JSON) {
    candidates = (json["candidates"]?.list ?? []).compactMap(\.text)
    addition = json["addition"]?.text ?? ""
  }
}
