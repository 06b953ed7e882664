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
