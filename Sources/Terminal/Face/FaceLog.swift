/// The *log* of a face: output and log of scripts, outcomes of deeds, and diagnostics.
final class FaceLog {
  struct Entry: Equatable {
    enum Kind {
      case print, log, outcome, refusal, warning, error
    }

    var text: String
    var kind: Kind
    /// How often it came lately, if it is a warning or an error.
    var times = 1
  }

  private(set) var entries: [Entry] = []
  /// Called with each entry that is added.
  var onAdd: ((Entry) -> Void)?
  /// The number of entries that were removed.
  private(set) var dropped = 0
  private var bytes = 0

  /// The most entries and bytes; older entries are removed.
  private static let mostEntries = 2000
  private static let mostBytes = 1 << 20
  /// The number of last entries among which a repeated error is counted.
  private static let recent = 20

  func add(_ entry: Entry) {
    // Each look at the menus may report the same failure of a function again.
    if entry.kind == .warning || entry.kind == .error,
      let known = entries.suffix(Self.recent).lastIndex(where: { $0.text == entry.text && $0.kind == entry.kind })
    {
      entries[known].times += 1
      return
    }
    onAdd?(entry)
    entries.append(entry)
    bytes += entry.text.utf8.count
    while entries.count > Self.mostEntries || bytes > Self.mostBytes, entries.count > 1 {
      bytes -= entries.removeFirst().text.utf8.count
      dropped += 1
    }
  }

  /// Adds an outcome. Replaces the last entry if that is the diagnostic `told` of the same failure.
  func add(_ entry: Entry, after told: String) {
    if let last = entries.last, last.text == told {
      entries.removeLast()
      bytes -= told.utf8.count
    }
    add(entry)
  }
}
