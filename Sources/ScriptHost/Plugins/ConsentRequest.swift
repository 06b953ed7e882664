/// What a person is asked before a plugin may do something outside of the host.
public struct ConsentRequest: Sendable {
  /// What the plugin says of itself.
  public let manifest: Manifest
  /// The script that it was read from.
  public let path: String
  /// The folder that it lies in, all links followed; nil where that can't be told. A copy elsewhere is another plugin: what it finds beside
  /// itself is different, and so is who can change it.
  public let folder: String?
  /// Tells this plugin, with every script in its folder, from every other.
  public let digest: String
  /// What is not granted yet, as the manifest says it.
  public let capabilities: [Capability]
  /// What a yes grants: the same, each path with all its links followed. Whoever remembers a yes remembers this, because the manifest's own
  /// path may lead elsewhere by then.
  public let grants: [Capability]
  /// The same as a person is asked for it.
  public var sentences: [String] { grants.map(\.sentence) }
}

extension PluginFile {
  /// What is asked of a person: what isn't granted already.
  func request(without granted: [Capability]) -> ConsentRequest {
    let given = granted.map { Grant($0, folder: folder, relativeTo: nil) }
    let open = asked.filter { wish in !given.contains { $0.includes(wish) } }
    return ConsentRequest(
      manifest: manifest, path: path, folder: Grant.real(folder), digest: digest,
      capabilities: open.map(\.capability), grants: open.map(\.real))
  }
}
