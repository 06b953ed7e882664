import LiveHost
import ScriptHost

/// The *inspector* is the page with the app's chain, context, jobs, histories, diagnostics, last trace and keys.
final class InspectorPage: Page {
  /// The lines of each part that the app has sent.
  private var parts: [InspectorPart: [String]] = [:]

  init() { super.init("Inspector", of: .inspector) }

  fileprivate func take(_ part: InspectorPart, _ json: JSON, of face: Face) {
    if let told = Self.lines(of: part, json) { parts[part] = told }
    let theme = face.settings.theme
    lines = [PageLine(face.source + (face.name.map { "   @\($0)" } ?? ""), theme.subtitle)]
    func add(_ title: String, _ shown: [String]) {
      lines += [PageLine(""), PageLine(title, theme.header)]
      lines += (shown.isEmpty ? ["  nothing"] : shown).map { PageLine($0, theme.row) }
    }
    for part in InspectorPart.allCases {
      // The error of a failed reload is listed too, because it isn't among the old version's diagnostics.
      let unread = part == .diagnostics ? face.broken.map { ["  not reloaded: \($0)"] } ?? [] : []
      add(part.title, unread + (parts[part] ?? []))
    }
    add("The last trace", face.lastTrace)
    add(
      "Keys",
      Self.columns(
        face.keys.map { [$0.sequence.text, $0.entry.isPane ? $0.entry.text : $0.entry.reference, $0.entry.by] }))
  }

  private static func lines(of part: InspectorPart, _ json: JSON) -> [String]? {
    let reader = AnswerReader()
    switch part {
    case .chain:
      guard let chain = try? reader.read(json, as: Answer.Chain.self) else { return nil }
      return chain.links.map { ($0.name == chain.focus ? "▸ " : "  ") + $0.name }
    case .context:
      guard let entries = try? reader.read(json, as: Answer.Context.self).entries else { return nil }
      return entries.map { "  \($0.key): \($0.value.text)   from \($0.by)" }
    case .jobs:
      return (json["jobs"]?.list ?? []).map { job in
        "  \(job["action"]?.text ?? "")   \(job["by"]?.text ?? "")   \(job["progress"]?["text"]?.text ?? "")"
      }
    case .history:
      return ["undo", "redo"].flatMap { name in
        (json[name]?.list ?? []).prefix(20).compactMap(\.text).map { "  \(name) \($0)" }
      }
    case .diagnostics:
      let diagnostics = (json["diagnostics"]?.list ?? []).compactMap { try? reader.read($0, as: Diagnostic.self) }
      return diagnostics.withoutRepeats.map { "  \($0.place.map { "\($0): " } ?? "")\($0.message)" }
    }
  }

  /// Returns the rows as lines with aligned columns.
  private static func columns(_ rows: [[String]]) -> [String] {
    let widths = (0..<2).map { column in min(32, rows.map { $0[column].columns }.max() ?? 0) }
    return rows.map { row in
      let padded = zip(row, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.columns)) }
      return "  " + (padded + row.suffix(1)).joined(separator: "   ")
    }
  }
}

extension Face {
  func openInspector() {
    over.append(InspectorPage())
    inspect()
  }

  /// Requests the inspector's parts from the app, if the inspector is open.
  func inspect() {
    guard over.contains(where: { $0 is InspectorPage }) else { return }
    for part in InspectorPart.allCases { ask(part.rawValue, for: .inspector(part)) }
  }

  func inspected(_ part: InspectorPart, _ json: JSON) {
    for case let page as InspectorPage in over { page.take(part, json, of: self) }
  }
}
