/// A part of the inspector, each with its own request to the app.
enum InspectorPart: CaseIterable {
  case chain, context, jobs, history, diagnostics

  var method: String {
    switch self {
    case .chain: "chain"
    case .context: "context"
    case .jobs: "jobs"
    case .history: "undo_stack"
    case .diagnostics: "diagnostics"
    }
  }

  var title: String {
    switch self {
    case .chain: "Chain, the first is asked first"
    case .context: "Context, and who supplies it"
    case .jobs: "What goes on"
    case .history: "What can be undone, and done again"
    case .diagnostics: "What is wrong"
    }
  }
}
