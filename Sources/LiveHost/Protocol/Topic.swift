/// A topic of notifications, to which a client can subscribe.
enum Topic: String, CaseIterable {
  case menus, panel, outcomes, jobs, focus, log, diagnostics, app

  var bit: Int {
    switch self {
    case .menus: 1
    case .panel: 2
    case .outcomes: 4
    case .jobs: 8
    case .focus: 16
    case .log: 32
    case .diagnostics: 64
    case .app: 128
    }
  }

  /// Whether its notifications have outcomes or texts about actions in them, which may contain secrets.
  var tellsOutcomes: Bool { self == .outcomes || self == .jobs || self == .diagnostics }

  /// The method's name in its notifications.
  var notification: String {
    switch self {
    case .outcomes: "outcome"
    case .jobs: "job"
    case .diagnostics: "diagnostic"
    default: rawValue
    }
  }
}
