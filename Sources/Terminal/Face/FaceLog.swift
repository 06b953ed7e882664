/// The *log* of a face: what scripts print and log, outcomes of deeds, and diagnostics.
final class FaceLog {
  struct Entry: Equatable {
    enum Kind {
      case print, log, outcome, refusal, warning, error
    }

    var text: String
    var kind: Kind
  }

  private(set) var entries: [Entry] = []
  /// Called with each entry that is added.
  var onAdd: ((Entry) -> Void)?
  /// The number of entries that were removed.
  private(set) var dropped = 0
  private var bytes = 0

  /// The most entries and bytes that are kept; older entries are removed.
  private static let mostEntries = 2000
  private static let mostBytes = 1 << 20

  func add(_ entry: Entry) {
    onAdd?(entry)
    entries.append(entry)
    bytes += entry.text.utf8.count
    while entries.count > Self.mostEntries || bytes > Self.mostBytes, entries.count > 1 {
      bytes -= entries.removeFirst().text.utf8.count
      dropped += 1
    }
  }

  /// Adds an outcome. If the last entry is the diagnostic `told` of the same failure, it is replaced.
  func add(_ entry: Entry, after told: String) {
    if let last = entries.last, last.text == told {
      entries.removeLast()
      bytes -= told.utf8.count
    }
    add(entry)
  }

  func lines(_ theme: Theme) -> [PageView.Line] {
    let earlier = dropped > 0 ? [PageView.Line(text: "… \(dropped) earlier", style: theme.subtitle)] : []
    if entries.isEmpty { return [PageView.Line(text: "nothing was said so far", style: theme.subtitle)] }
    return earlier
      + entries.map { entry in
        switch entry.kind {
        case .print: PageView.Line(text: entry.text.withTabsFilled, style: theme.row)
        case .log: PageView.Line(text: entry.text, style: theme.subtitle)
        case .outcome: PageView.Line(text: "✓ \(entry.text)", style: theme.row)
        case .refusal: PageView.Line(text: "✗ \(entry.text)", style: theme.reason)
        case .warning: PageView.Line(text: "! \(entry.text)", style: theme.reason)
        case .error: PageView.Line(text: "! \(entry.text)", style: theme.destructive)
        }
      }
  }
}

extension String {
  /// The text with tabs expanded to blanks, as a terminal does: 'print' puts tabs between its values.
  fileprivate var withTabsFilled: String {
    if !utf8.contains(0x09) { return self }
    return split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      return parts.dropFirst().reduce(into: String(parts.first ?? "")) { filled, part in
        filled += String(repeating: " ", count: 8 - filled.columns % 8) + part
      }
    }.joined(separator: "\n")
  }
}

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
