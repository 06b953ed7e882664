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
  /// All that it asks for.
  public let wishes: [Wish]

  /// One thing that a plugin asks for.
  public struct Wish: Sendable {
    /// As the manifest says it.
    public let capability: Capability
    /// What a yes grants: the same, its path with all links followed.
    public let grant: Capability
    /// Whether its path leads somewhere; a yes grants nothing else.
    public let leadsSomewhere: Bool
    /// Whether it was granted by name.
    public let isGranted: Bool

    /// What a person is asked whether it may be done.
    public var sentence: String { grant.sentence + (leadsSomewhere ? "" : ", which leads nowhere") }
  }

  /// What is not granted yet, as the manifest says it.
  public var capabilities: [Capability] { open.map(\.capability) }
  /// What a yes grants: the same, each path with all its links followed. Whoever remembers a yes remembers this, because the manifest's own
  /// path may lead elsewhere by then.
  public var grants: [Capability] { open.map(\.grant) }
  /// The same as a person is asked for it.
  public var sentences: [String] { open.map(\.sentence) }

  private var open: [Wish] { wishes.filter { !$0.isGranted } }
}

extension PluginFile {
  /// What is asked of a person: what isn't granted already, by the path where it is or in the manifest's own words.
  func request(without granted: [Capability]) -> ConsentRequest {
    let given = granted.map { Grant($0, folder: folder, relativeTo: nil) }
    let wishes = asked.map { wish in
      ConsentRequest.Wish(
        capability: wish.capability, grant: wish.real, leadsSomewhere: wish.path != nil || !wish.capability.hasPath,
        isGranted: granted.contains(wish.capability) || given.contains { $0.includes(wish) })
    }
    return ConsentRequest(
      manifest: manifest, path: path, folder: Grant.real(folder), digest: digest, wishes: wishes)
  }

  /// Where a wish and what was granted by name lead, for each wish that was granted for another path; nil where there is none.
  func elsewhere(_ request: ConsentRequest, granted: [Capability]) -> String? {
    for wish in request.wishes where !wish.isGranted {
      let other = granted.first { $0.kind == wish.capability.kind && $0.hasPath && wish.capability.hasPath }
      guard let other else { continue }
      let path = Grant(other, folder: folder, relativeTo: nil).real.subject ?? ""
      return "'\(wish.capability)' is '\(wish.grant.subject ?? "")' to it, and '\(other)' grants '\(path)'"
    }
    return nil
  }
}
