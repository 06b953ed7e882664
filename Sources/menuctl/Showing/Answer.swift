import ScriptHost

/// What a verb found out, before it is shown as text or as JSON.
enum Answer {
  case text(String)
  case app(App)
  case outcome(Performed)
  case validations([(reference: String, validation: Validation)])
  case explanation(Explanation)
  case chain([ChainLink], focus: String)
  case context([Entry])
  case tests(TestReport)
}

extension Answer {
  struct App {
    var title: String?
    var source: String
    var focus: String
    /// What was performed first.
    var outcomes: [Performed]
    var chain: [Node]
    /// The responders that are not asked now.
    var others: [Node]
    var diagnostics: [Diagnostic]
  }

  struct Node {
    var name: String
    var owner: String
    var kind: Responder.Kind
    var isKey: Bool
    var isMain: Bool
    var actions: [Action]
  }

  struct Action {
    var name: String
    var validation: Validation
  }

  struct Performed {
    var reference: String
    var outcome: Outcome
    var result: LuaTree
  }

  struct Entry {
    var key: String
    var value: LuaTree
    var by: String
  }
}
