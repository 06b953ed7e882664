/// A plugin that was loaded.
public struct PluginInfo: Sendable {
  /// Its manifest.
  public let manifest: Manifest
  /// The script that it was read from.
  public let path: String
  /// What it has registered, by kind, as it is now.
  public let holds: Receipt
  /// Why it was set aside; nil as long as it works.
  public let trouble: String?
}

/// A *receipt* counts what an owner has, or had, by kind: `responders`, `handlers`, `observers` and so on. Kinds with none are left out.
public struct Receipt: Sendable, Equatable {
  /// How many there are of each kind, in the order of their names.
  public let counts: [(kind: String, count: Int)]

  init(_ counts: [String: Int]) {
    self.counts = counts.filter { $0.value > 0 }.map { ($0.key, $0.value) }.sorted { $0.kind.precedesByBytes($1.kind) }
  }

  /// How many there are of a kind.
  public subscript(kind: String) -> Int { counts.first { $0.kind == kind }?.count ?? 0 }

  public static func == (left: Receipt, right: Receipt) -> Bool {
    left.counts.elementsEqual(right.counts) { $0 == $1 }
  }
}
