/// What a client can be told of.
enum Topic: String, CaseIterable {
  case menus, panel, outcomes, jobs, focus, log, diagnostics, app

  /// The name of its notifications.
  var notification: String {
    switch self {
    case .outcomes: "outcome"
    case .jobs: "job"
    case .diagnostics: "diagnostic"
    default: rawValue
    }
  }
}
