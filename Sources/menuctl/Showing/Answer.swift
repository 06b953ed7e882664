import ScriptHost

/// What a verb found out, before it is shown as text or as JSON.
enum Answer {
  case text(String)
  case app(App)
  case menus([MenuElement])
  case validations([Validated])
  case explanation(Explanation)
  case chain([ChainLink], focus: String)
  case keys([KeyEntry])
  case context([Entry])
  case findings([Diagnostic], in: [Source])
  case tests(TestReport)
  case plugins([Plugin])
  case done(Done)
  case replay(Replay)
}

extension Answer {
  struct App {
    var title: String?
    var source: String
    var focus: String
    /// What was done first.
    var outcomes: [Done]
    var chain: [Node]
    /// The responders that are not asked now.
    var others: [Node]
    var menus: [MenuElement]
    var diagnostics: [Diagnostic]
  }

  /// A plugin that is installed, or one that was looked at.
  struct Plugin {
    var path: String
    /// Nil where it can't be read.
    var manifest: Manifest?
    var problem: String?
    /// Whether it was consented to what it asks for.
    var isGranted = false
    /// What it has registered, where it was loaded.
    var holds: Receipt?
  }

  struct Node {
    var name: String
    var owner: String
    var kind: Responder.Kind
    var isKey: Bool
    var isMain: Bool
    /// What it answers, where that is shown.
    var actions: [Action] = []
  }

  struct Action {
    var name: String
    var validation: Validation
  }

  /// One thing that was done before the app is shown.
  enum Done {
    case performed(Performed)
    case evaluated(Evaluated)
    case focused(Focused)

    var isWell: Bool {
      switch self {
      case .performed(let performed): performed.outcome.status == .handled
      case .evaluated(let evaluated): evaluated.failure == nil
      case .focused(let focused): focused.hasFocus
      }
    }
  }

  /// A line of Lua, and what it gave.
  struct Evaluated {
    var line: String
    var values: [LuaTree] = []
    /// The same as a person who explores looks at it.
    var inspected: [Inspection] = []
    /// Why it was not evaluated to its end.
    var failure: Failure?
    var changes: Changes
  }

  struct Performed {
    /// What was asked for: a reference, the id of an item, a key.
    var name: String
    var outcome: Outcome
    var result: LuaTree
    var changes: Changes
    /// What can be undone since.
    var undo: String?
    /// How it went, where that is wanted.
    var traces: [Trace]?
  }

  /// What changed in the menus.
  struct Changes {
    var before: MenuElement
    var all: [MenuChange]
  }

  /// What was validated: an action by its reference, or an item by its id.
  struct Validated {
    enum Kind: String, CaseIterable {
      case id, key, ref
    }

    var name: String
    var kind: Kind
    /// What it is called now.
    var title: String
    var validation: Validation
  }

  struct Entry {
    var key: String
    var value: LuaTree
    var by: String
  }
}
