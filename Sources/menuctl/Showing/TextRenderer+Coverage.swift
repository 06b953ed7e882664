import LiveHost
import ScriptHost

extension TextRenderer {
  /// The coverage of a subject, with what was not covered.
  func text(_ coverage: ScriptCoverage) -> String {
    let heading =
      "coverage of \(coverage.subject.visible): \(coverage.share) % (\(coverage.seen) of \(coverage.total))"
    let items = coverage.items.compactMap { item -> (String, String)? in
      let lacks = lacks(item)
      return lacks.isEmpty ? nil : ("item \(item.id)", lacks.joined(separator: ", "))
    }
    let handlers = coverage.handlers.filter { !$0.hasRun }.map { ($0.name, "never ran") }
    let reasons = coverage.reasons.filter { !$0.isShown }.map { reason in
      (reason.name, reason.text.map { "never shown: \($0)" } ?? "never said no")
    }
    let rows = (items + handlers + reasons).map { ($0.0.visible, $0.1.visible) }
    let width = rows.map(\.0.count).max() ?? 0
    return ([palette(heading, .strong)] + rows.map { "  \($0.padded(to: width))  \($1)" }).joined(separator: "\n")
  }

  private func lacks(_ item: ScriptCoverage.Item) -> [String] {
    if item.action == nil { return item.isSeenDisabled ? [] : ["never seen"] }
    if !item.isSeenEnabled, !item.isSeenDisabled, !item.isPerformed { return ["never seen"] }
    return (item.isSeenEnabled ? [] : ["never enabled"]) + (item.isSeenDisabled ? [] : ["never disabled"])
      + (item.isPerformed ? [] : ["never performed"])
  }

  func problem(_ coverage: ScriptCoverage, least: Double) -> String {
    let sentence = "of \(coverage.subject) \(coverage.share) % was seen, and '--min-coverage' asks for \(least.plain) %"
    return problem(sentence, help: nil)
  }
}

extension ScriptCoverage {
  /// The percentage, rounded down, so that only complete coverage is 100.
  var share: Int { Int(percent) }
}

extension ScriptCoverage.Handler {
  /// The handler as a script names it.
  fileprivate var name: String { action.map { "\(responder).on.\($0)" } ?? "\(responder).unknown" }
}

extension ScriptCoverage.Reason {
  fileprivate var name: String { text == nil ? "\(responder).can.\(action)" : "\(responder).needs.\(action)" }
}

extension Double {
  /// The number without a point if it is whole.
  fileprivate var plain: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
