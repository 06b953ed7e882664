import LiveHost
import ScriptHost

extension TextRenderer {
  /// A line for each action, with its responder, its keys and its reason, and below it its arguments.
  func text(_ actions: [ActionEntry]) -> String {
    if actions.isEmpty { return "no actions" }
    let width = actions.map(\.name.visible.width).max() ?? 0
    return actions.map { action in
      let below = action.takes.map(\.line) + confirmation(action) + items(of: action)
      return ([line(action, width)] + below.map { "      \($0)" }).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func line(_ action: ActionEntry, _ width: Int) -> String {
    var parts = [action.name.visible.padded(to: width)]
    if action.title != action.name { parts.append("“\(action.title.visible)”") }
    parts.append(action.by.map { "by \($0.visible)" } ?? "nobody")
    if !action.keys.isEmpty { parts.append(action.keys.map(\.visible).joined(separator: ", ")) }
    if let reason = action.reason { parts.append(palette("— \(reason.visibleBlock())", .faint)) }
    return "\(action.isEnabled ? "✓" : "✗") \(parts.joined(separator: "  "))"
  }

  private func confirmation(_ action: ActionEntry) -> [String] {
    switch action.confirm {
    case .said(let text)?: ["asks: \(text.visible)"]
    case .asked?: ["may ask to be confirmed"]
    case nil: []
    }
  }

  private static let mostItems = 4

  /// The ids of an action's items.
  private func items(of action: ActionEntry) -> [String] {
    if action.items.isEmpty { return [] }
    let shown = action.items.prefix(Self.mostItems).map(\.visible).joined(separator: ", ")
    let more = action.items.count - Self.mostItems
    return ["in the menus: \(shown)\(more > 0 ? " and \(more) more" : "")"]
  }
}
