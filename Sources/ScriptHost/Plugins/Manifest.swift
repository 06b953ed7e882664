/// A *manifest* describes a plugin before it runs: its name, version, requirements, and requested capabilities.
public struct Manifest: Sendable, Equatable {
  /// A requirement of a plugin: another plugin, the app, or `menuctl` itself.
  package struct Requirement: Sendable, Equatable {
    /// The required name.
    package let name: String
    /// The accepted versions.
    package let versions: VersionRange
  }

  /// The name, unique among the plugins of the host.
  public var name: String
  /// The version.
  public var version: Version
  /// A sentence about the plugin.
  public var summary: String?
  /// The requirements by name, in the order of their bytes.
  package var requires: [Requirement] = []
  /// The requested capabilities.
  public var allow: [Capability] = []
  /// The line of the manifest.
  public var place: Place?

  /// The most entries of a manifest, and of `requires`.
  static let entryLimit = 256

  /// The most requested capabilities: nobody reads through more before consenting.
  static let wishLimit = 12

  /// The most bytes of each text.
  static let textLimit = 4096

  /// The names that plugins can't have, because they have another meaning.
  static let reserved: Set<String> = ["app", "host", "menuctl"]
}

/// A plugin that could be loaded: its manifest, and its content.
struct PluginFile {
  let manifest: Manifest
  /// The path of the script.
  let path: String
  /// The folder of the script.
  let folder: String
  let bytes: [UInt8]
  /// The requested grants. Paths are resolved with the manifest, so that consented paths can't change with a link.
  let asked: [Grant]
  /// The digests of the scripts below its folder, by path, if it requests capabilities. Only these scripts are its own.
  var modules: [String: String]?

  /// True if the plugin is a folder, whose content belongs to it.
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

/// A *manifest misuse* is a field that conflicts with the present plugins, or with the version of the app.
struct ManifestMisuse: Error {
  /// The fields that may be wrong.
  enum Field: String {
    case name, version, requires
  }

  let manifest: Manifest
  let field: Field
  /// The reason, in one sentence.
  let message: String

  init(_ file: PluginFile, _ field: Field, _ message: String) {
    manifest = file.manifest
    self.field = field
    self.message = message
  }
}

/// A loaded plugin.
public struct PluginInfo: Sendable {
  /// The manifest of the plugin.
  public let manifest: Manifest
  /// The path of its script.
  public let path: String
  /// The present registrations, by kind.
  public let holds: Receipt
  /// The reason why it was set aside; nil as long as it works.
  public let trouble: String?
}

/// A *receipt* counts an owner's holdings by kind: `responders`, `handlers` and so on. Empty kinds are omitted.
public struct Receipt: Sendable, Equatable {
  /// The count of each kind, in the order of their names.
  public let counts: [(kind: String, count: Int)]

  init(_ counts: [String: Int]) {
    self.counts = counts.filter { $0.value > 0 }.map { ($0.key, $0.value) }.sorted { $0.kind.precedesByBytes($1.kind) }
  }

  /// Returns the count of a kind.
  public subscript(kind: String) -> Int { counts.first { $0.kind == kind }?.count ?? 0 }

  public static func == (left: Receipt, right: Receipt) -> Bool {
    left.counts.elementsEqual(right.counts) { $0 == $1 }
  }
}

/// A *version* is one to three numbers between dots: `1`, `1.2`, `1.2.3`.
public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
  private let numbers: [Int]

  /// Parses a version; nil for an invalid text.
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

/// A *range* is a set of comparisons that a version must all satisfy, as `>=1.2 <2`.
package struct VersionRange: Sendable, Hashable, CustomStringConvertible {
  private enum Comparison: String, CaseIterable {
    // The longer comparisons first: each begins with a shorter comparison.
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

  /// Parses a range, `*` for any version; nil for an invalid text.
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

  /// Returns true if a version is in the range.
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
