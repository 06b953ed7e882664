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

/// Finds the load order of plugins before any runs: each plugin after its requirements, else as they were named.
struct PluginOrder {
  /// The loaded plugins by name, with the app if it has a name, and `menuctl`.
  let present: [ByteText: Present]
  /// True if there is an app without a name, which no plugin can require.
  var hasNamelessApp = false
  /// The name of the app, for messages; nil without an app, or if it has no name.
  var appName: String?
  /// Finds a required plugin that was not named.
  let find: (String) throws -> PluginFile?

  struct Present {
    /// The version; nil if it has none.
    let version: Version?
    /// The name for messages.
    let described: String
  }

  /// A plugin whose requirements are being visited, and the number of visited requirements.
  private struct Step {
    let file: PluginFile
    var count = 0
  }

  private var ordered: [PluginFile] = []
  /// The plugins that are being visited, each required by the previous plugin. A loop visits them, because strangers'
  /// files decide the length of this chain, and the stack is limited.
  private var way: [Step] = []
  /// The plugins in `ordered` or `way`, each with its index in `way`, so that a circle is found without a search.
  private var met: [ByteText: Int] = [:]
  /// The plugins to load, by name: the named plugins, and those that they require.
  private var wanted: [ByteText: PluginFile] = [:]

  init(present: [ByteText: Present], find: @escaping (String) throws -> PluginFile?) {
    self.present = present
    self.find = find
  }

  /// Returns plugins in their load order, with the plugins that they require.
  mutating func order(_ files: [PluginFile]) throws -> [PluginFile] {
    for file in files {
      let name = file.manifest.name
      if let other = wanted.updateValue(file, forKey: ByteText(name)) {
        throw ManifestMisuse(file, .name, "two plugins are named '\(name)': '\(other.path)' and '\(file.path)'")
      }
    }
    for file in files { try visit(file) }
    return ordered
  }

  private mutating func visit(_ file: PluginFile) throws {
    try enter(file)
    while let step = way.last {
      let requires = step.file.manifest.requires
      if step.count < requires.count {
        way[way.count - 1].count += 1
        if let needed = try whoMeets(requires[step.count], of: step.file) { try enter(needed) }
      } else {
        way.removeLast()
        ordered.append(step.file)
      }
    }
  }

  /// Begins to visit a plugin, unless it is ordered already. Throws for a plugin under visit: that is a circle.
  private mutating func enter(_ file: PluginFile) throws {
    let name = file.manifest.name
    if let start = met[ByteText(name)] {
      guard start < way.count, way[start].file.manifest.name.hasSameBytes(as: name) else { return }
      let circle = (way[start...].map(\.file.manifest.name) + [name]).joined(separator: " → ")
      throw ManifestMisuse(way[start].file, .requires, "plugins require each other in a circle: \(circle)")
    }
    if let other = present[ByteText(name)] {
      throw ManifestMisuse(file, .name, "there is \(other.described) already")
    }
    met[ByteText(name)] = way.count
    way.append(Step(file: file))
  }

  /// Returns the plugin to load for a requirement; nil if a loaded plugin, the app or `menuctl` meets it.
  private mutating func whoMeets(_ requirement: Manifest.Requirement, of asking: PluginFile) throws -> PluginFile? {
    let (name, needed, versions) = (asking.manifest.name, requirement.name, requirement.versions)
    if let known = present[ByteText(needed)] {
      guard known.version.map(versions.contains) ?? (versions.description == "*") else {
        let version = known.version.map { "is \($0)" } ?? "doesn't say its version"
        throw ManifestMisuse(
          asking, .requires, "'\(name)' requires \(needed) \(versions), and \(known.described) \(version)")
      }
      return nil
    }
    guard let file = try wanted[ByteText(needed)] ?? find(needed) else {
      let known = (Array(present.keys) + wanted.keys).map(\.text)
      let near = nearest(to: needed, among: known).first.map { "; did you mean '\($0)'?" }
      let app = appName.map { "; the app is named '\($0)'" } ?? ""
      let hint = near ?? (hasNamelessApp ? "; the app has no name: add app.name = \"\(needed)\"" : app)
      throw ManifestMisuse(asking, .requires, "'\(name)' requires '\(needed)', but there is no such plugin\(hint)")
    }
    // A plugin is looked up by the name of its file, but its manifest decides its name.
    guard file.manifest.name.hasSameBytes(as: needed) else {
      throw ManifestMisuse(
        asking, .requires, "'\(name)' requires '\(needed)', and '\(file.path)' is named '\(file.manifest.name)'")
    }
    guard versions.contains(file.manifest.version) else {
      throw ManifestMisuse(
        asking, .requires, "'\(name)' requires \(needed) \(versions), and '\(file.path)' is \(file.manifest.version)")
    }
    wanted[ByteText(needed)] = file
    return file
  }
}
