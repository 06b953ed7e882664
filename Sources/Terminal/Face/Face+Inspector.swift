import LiveHost
import ScriptHost

extension Face {
  func openInspector() {
    over.append(.page(.init(kind: .inspector, title: "Inspector", lines: [])))
    inspect()
  }

  /// Asks the app for the inspector's parts, if it is open.
  func inspect() {
    guard over.contains(where: \.isInspector) else { return }
    for part in InspectorPart.allCases { ask(part.method, for: .inspector(part)) }
  }

  func inspected(_ part: InspectorPart, _ json: JSON) {
    let reader = AnswerReader()
    switch part {
    case .chain:
      guard let chain = try? reader.chain(json) else { return }
      inspection[.chain] = chain.links.map { ($0.name == chain.focus ? "▸ " : "  ") + $0.name }
    case .context:
      guard let entries = try? reader.context(json) else { return }
      inspection[.context] = entries.map { "  \($0.key): \($0.value.text)   from \($0.by)" }
    case .jobs:
      inspection[.jobs] = (json["jobs"]?.list ?? []).map { job in
        "  \(job["action"]?.text ?? "")   \(job["by"]?.text ?? "")   \(job["progress"]?["text"]?.text ?? "")"
      }
    case .history:
      func titles(_ name: String, _ what: String) -> [String] {
        (json[name]?.list ?? []).prefix(20).compactMap(\.text).map { "  \(what) \($0)" }
      }
      inspection[.history] = titles("undo", "undo") + titles("redo", "redo")
    case .diagnostics:
      let diagnostics = (json["diagnostics"]?.list ?? []).compactMap { try? reader.diagnostic($0) }
      inspection[.diagnostics] = diagnostics.withoutRepeats.map {
        "  \($0.place.map { "\($0): " } ?? "")\($0.message)"
      }
    }
    for index in over.indices where over[index].isInspector {
      if case .page(var page) = over[index] {
        page.lines = inspectorLines
        over[index] = .page(page)
      }
    }
  }

  private var inspectorLines: [PageView.Line] {
    let theme = settings.theme
    var lines = [PageView.Line(text: source + (name.map { "   @\($0)" } ?? ""), style: theme.subtitle)]
    func add(_ title: String, _ shown: [String]) {
      lines += [PageView.Line(text: ""), PageView.Line(text: title, style: theme.header)]
      lines += (shown.isEmpty ? ["  nothing"] : shown).map { PageView.Line(text: $0, style: theme.row) }
    }
    for part in InspectorPart.allCases {
      // The error of a failed reload is listed too: the version that goes on doesn't have it among its diagnostics.
      let unread = part == .diagnostics ? broken.map { ["  not read anew: \($0)"] } ?? [] : []
      add(part.title, unread + (inspection[part] ?? []))
    }
    add("The last trace", lastTrace)
    add("Keys", columns(keys.map { [$0.sequence.text, $0.entry.reference, $0.entry.by] }))
    return lines
  }

  /// The rows as lines, with their columns aligned.
  private func columns(_ rows: [[String]]) -> [String] {
    let widths = (0..<2).map { column in min(32, rows.map { $0[column].columns }.max() ?? 0) }
    return rows.map { row in
      let padded = zip(row, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.columns)) }
      return "  " + (padded + row.suffix(1)).joined(separator: "   ")
    }
  }
}

extension Overlay {
  fileprivate var isInspector: Bool { if case .page(let page) = self { page.kind == .inspector } else { false } }
}
