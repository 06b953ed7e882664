/// A *manifest* is what a plugin says of itself before it runs: its name and version, what it requires, and what it asks for.
public struct Manifest: Sendable, Equatable {
  /// What a plugin builds on: another, the app, or `menuctl` itself.
  package struct Requirement: Sendable, Equatable {
    /// The name of what is required.
    package let name: String
    /// The versions that will do.
    package let versions: VersionRange
  }

  /// Its name, which no other plugin of the host has.
  public var name: String
  /// Its version.
  public var version: Version
  /// What it does, in a sentence.
  public var summary: String?
  /// What it builds on, by name in the order of their bytes.
  package var requires: [Requirement] = []
  /// What it asks to be granted.
  public var allow: [Capability] = []
  /// Where it stands.
  public var place: Place?

  /// How many entries a manifest and `requires` may have each.
  static let entryLimit = 256

  /// How many capabilities may be asked for, because nobody reads through more before saying yes.
  static let wishLimit = 12

  /// How many bytes each text may have.
  static let textLimit = 4096

  /// The names that plugins can't have, because they mean something else.
  static let reserved: Set<String> = ["app", "host", "menuctl"]
}

/// A plugin that could be loaded: its manifest, and what was read.
struct PluginFile {
  let manifest: Manifest
  /// The script.
  let path: String
  /// The folder of the script.
  let folder: String
  let bytes: [UInt8]
  /// What it asks for. Paths are resolved when the manifest is read, so that it gets what a person consented to, even if a link changes.
  let asked: [Grant]
  /// The digests of the scripts below its folder, by their paths there, if it asks for capabilities; only these scripts count as its own.
  var modules: [String: String]?

  /// Whether it is a folder: what is below belongs to it.
  var hasFolder: Bool { path.hasSuffix("/plugin.lua") || path == "plugin.lua" }

  /// A digest of this plugin with every script in its folder.
  var digest: String {
    var digest = Digest()
    for (name, content) in (modules ?? [:]).sorted(by: { $0.key.precedesByBytes($1.key) }) {
      digest.add(Array("\(name.utf8.count):\(name):\(content);".utf8))
    }
    digest.add(bytes)
    return digest.finish()
  }
}

/// A *manifest misuse* is a field of a plugin's manifest that doesn't fit what is there, as another plugin or the version of the app.
struct ManifestMisuse: Error {
  /// The fields that may be to blame.
  enum Field: String {
    case name, version, requires
  }

  let manifest: Manifest
  let field: Field
  /// Why it doesn't fit, in one sentence.
  let message: String

  init(_ file: PluginFile, _ field: Field, _ message: String) {
    manifest = file.manifest
    self.field = field
    self.message = message
  }
}

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

/// A *version* is one to three numbers between dots: `1`, `1.2`, `1.2.3`.
public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
  private let numbers: [Int]

  /// The version that a text spells; nil where it spells none.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil }
    guard numbers.count == parts.count, (1...3).contains(parts.count) else { return nil }
    self.numbers = numbers + [Int](repeating: 0, count: 3 - numbers.count)
  }

  public static func < (left: Version, right: Version) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }

  public var description: String { numbers.map(String.init).joined(separator: ".") }

  /// The version of this library and of the tool.
  package static let menuctl = Version(major: 0, 1, 0)

  private init(major: Int, _ minor: Int, _ patch: Int) { numbers = [major, minor, patch] }
}

/// A *range* is what a version must be: comparisons with versions that all hold, as `>=1.2 <2`.
package struct VersionRange: Sendable, Hashable, CustomStringConvertible {
  private enum Comparison: String, CaseIterable {
    // The longer ones first: each begins with a shorter one.
    case notBelow = ">="
    case notAbove = "<="
    case above = ">"
    case below = "<"
    case equal = "="
  }

  private struct Bound: Hashable {
    let comparison: Comparison
    let version: Version
  }

  private let bounds: [Bound]
  package let description: String

  /// The range that a text spells, `*` for any; nil where it spells none.
  package init?(_ text: String) {
    description = text
    guard text != "*" else {
      bounds = []
      return
    }
    let words = text.split { $0 == " " || $0 == "," }
    let bounds = words.compactMap { word -> Bound? in
      let comparison = Comparison.allCases.first { word.hasPrefix($0.rawValue) }
      let version = Version(String(word.dropFirst(comparison?.rawValue.utf8.count ?? 0)))
      return version.map { Bound(comparison: comparison ?? .equal, version: $0) }
    }
    guard !words.isEmpty, bounds.count == words.count else { return nil }
    self.bounds = bounds
  }

  /// Whether a version is in it.
  package func contains(_ version: Version) -> Bool {
    bounds.allSatisfy { bound in
      switch bound.comparison {
      case .notBelow: version >= bound.version
      case .notAbove: version <= bound.version
      case .above: version > bound.version
      case .below: version < bound.version
      case .equal: version == bound.version
      }
    }
  }
}
