import LiveHost
import ScriptHost

extension JSONRenderer {
  static func coverage(_ coverage: ScriptCoverage) -> JSON {
    .object([
      ("subject", .text(coverage.subject)), ("percent", .integer(coverage.share)),
      ("seen", .integer(coverage.seen)), ("total", .integer(coverage.total)),
      ("items", .list(coverage.items.map(item))), ("handlers", .list(coverage.handlers.map(handler))),
      ("reasons", .list(coverage.reasons.map(reason))),
    ])
  }

  private static func item(_ item: ScriptCoverage.Item) -> JSON {
    .object([
      ("id", .text(item.id)), ("enabled", .bool(item.isSeenEnabled)), ("disabled", .bool(item.isSeenDisabled)),
      ("performed", .bool(item.isPerformed)),
    ])
  }

  private static func handler(_ handler: ScriptCoverage.Handler) -> JSON {
    let action: [(String, JSON)] = handler.action.map { [("action", .text($0))] } ?? []
    return .object([("responder", .text(handler.responder))] + action + [("ran", .bool(handler.hasRun))])
  }

  private static func reason(_ reason: ScriptCoverage.Reason) -> JSON {
    let text: [(String, JSON)] = reason.text.map { [("reason", .text($0))] } ?? []
    return .object(
      [("responder", .text(reason.responder)), ("action", .text(reason.action))] + text
        + [("shown", .bool(reason.isShown))])
  }
}
