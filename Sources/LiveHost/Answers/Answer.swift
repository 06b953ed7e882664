import ScriptHost

/// An *answer* is what was found out about an app, or what came of something done to it, whoever was asked: an app of this process or a live one.
package enum Answer {
  /// The app at a glance.
  package struct App {
    package var title: String?
    package var source: String
    package var focus: String
    /// What was done first.
    package var outcomes: [Done]
    package var chain: [Node]
    /// The responders that are not asked now.
    package var others: [Node]
    package var menus: [MenuElement]
    /// What stands in the body of a face; nil where no panel is declared.
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
    /// What it answers, where that is shown.
    package var actions: [Action] = []
    /// Whether it answers more than is shown.
    package var hasMore = false
  }

  package struct Action {
    package var name: String
    package var validation: Validation
  }

  /// What was validated: an action by its reference, or an item by its id.
  package struct Validated {
    package enum Kind: String, CaseIterable, Sendable {
      case id, key, ref
    }

    package var name: String
    package var kind: Kind
    /// What it is called now.
    package var title: String
    package var validation: Validation
  }

  /// A key of the context, with who supplied it.
  package struct Entry {
    package var key: String
    package var value: LuaTree
    package var by: String
  }

  /// Who is asked, nearest first.
  package struct Chain {
    package var links: [ChainLink]
    package var focus: String
  }

  /// What changed in the menus and the panel. It is handed on from call to call, and never changed.
  package final class Changes {
    package let before: MenuElement
    package let all: [MenuChange]

    package init(before: MenuElement, all: [MenuChange]) {
      self.before = before
      self.all = all
    }

    /// The rows of the panel are told of as standing in `panel`. Where there is none, none of its rows is there.
    package convenience init(from before: MenuElement, to now: MenuElement) {
      let hasPanel = before.panel != nil || now.panel != nil
      self.init(
        before: before,
        all: MenuChanges(from: hasPanel ? before.withPanel : before, to: hasPanel ? now.withPanel : now).all)
    }
  }

  /// One thing that was done.
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

  /// What came of an action. Who makes it says all of it before anybody else has it.
  package class Performed {
    /// What was asked for: a reference, the id of an item, a key.
    package final let name: String
    @exclusivity(unchecked) package internal(set) final var outcome: Outcome
    @exclusivity(unchecked) package internal(set) final var result: LuaTree
    /// Nil where nobody wants to know.
    @exclusivity(unchecked) package internal(set) final var changes: Changes?
    /// What can be undone since.
    @exclusivity(unchecked) package internal(set) final var undo: String?
    /// How it went, where that is wanted.
    @exclusivity(unchecked) package internal(set) final var trace: [Traced]?

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

  /// A step of a trace, and how deep performs are nested there.
  package struct Traced {
    package var level: Int
    package var step: Trace.Step

    package init(level: Int, step: Trace.Step) {
      self.level = level
      self.step = step
    }
  }

  /// A line of Lua, and what it gave.
  package struct Evaluated {
    package var line: String
    package var values: [LuaTree] = []
    /// The same as a person who explores looks at it.
    package var inspected: [Inspection] = []
    /// Why it was not evaluated to its end.
    package var failure: Failure?
    package var changes: Changes?
  }

  /// Who was given the focus, and whether that one has it now.
  package struct Focused {
    package var name: String
    package var hasFocus: Bool
    /// Why nobody could be given it now.
    package var reason: String?
    package var changes: Changes?
  }
}

extension [Trace] {
  /// Their steps, one after another.
  package var steps: [Answer.Traced] {
    flatMap { trace in trace.steps.map { Answer.Traced(level: $0.level, step: $0.step) } }
  }
}
