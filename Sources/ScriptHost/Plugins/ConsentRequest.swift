/// What a person is asked before a plugin, or an app, may do something outside of the host.
public struct ConsentRequest: Sendable {
  /// Who asks.
  package enum Asker: Sendable {
    case plugin(Manifest)
    /// The app, by its name or else that of its file.
    case app(name: String)
  }

  /// Who asks.
  package let asker: Asker
  /// The path of the script that asks.
  public let path: String
  /// The folder of that script, all links followed; nil if that can't be resolved. A copy elsewhere is another plugin, because it finds
  /// other files beside itself, and other people can change it.
  public let folder: String?
  /// A plugin's digest is of every script in its folder. An app's is of its script's path and of what it asks for, so that whoever works on
  /// the app isn't asked again after each change. The programs below the folder that it asks to run are part of both.
  public let digest: String
  /// Whether it asks to run programs below its folder.
  package let hasOwnPrograms: Bool
  /// All that it asks for.
  package let wishes: [Wish]

  /// One thing that a plugin asks for.
  package struct Wish: Sendable {
    /// As the manifest says it.
    package let capability: Capability
    /// What a yes grants: the same, its path with all links followed.
    package let grant: Capability
    /// Whether its path leads somewhere; if not, a yes grants nothing.
    package let leadsSomewhere: Bool
    /// Whether it was granted by name.
    package let isGranted: Bool

    /// What a person is asked whether it may be done.
    package var sentence: String { grant.sentence + (leadsSomewhere ? "" : ", which leads nowhere") }
  }

  /// What is not granted yet, as the manifest says it.
  public var capabilities: [Capability] { open.map(\.capability) }
  /// What a yes grants: the same, each path with all its links followed. Whoever remembers a yes remembers this, because the manifest's own
  /// path may lead elsewhere by then.
  public var grants: [Capability] { open.map(\.grant) }
  /// The same as a person is asked for it.
  public var sentences: [String] { open.map(\.sentence) }

  private var open: [Wish] { wishes.filter { !$0.isGranted } }

  /// What it is called.
  public var name: String {
    switch asker {
    case .plugin(let manifest): manifest.name
    case .app(let name): name
    }
  }

  /// A yes to this request; nil if its folder can't be resolved, because it couldn't be recognised later.
  public var yes: GivenConsent? {
    folder.map { GivenConsent(digest: digest, folder: $0, grants: Set(grants.map(\.description))) }
  }
}

/// A person's yes to what was asked, which can be remembered: it is for this very plugin or app, in its folder, and for the paths that were shown.
public struct GivenConsent: Sendable, Hashable {
  /// The digest of the request.
  public var digest: String
  /// The folder of whoever asked, all links followed.
  public var folder: String
  /// What was granted, its paths with all links followed.
  public var grants: Set<String>

  /// A yes that was given before.
  public init(digest: String, folder: String, grants: Set<String>) {
    self.digest = digest
    self.folder = folder
    self.grants = grants
  }

  /// Whether nobody has to be asked again.
  package func covers(_ request: ConsentRequest) -> Bool {
    digest == request.digest && request.folder.map(folder.hasSameBytes) ?? false
      && request.grants.allSatisfy { grants.contains($0.description) }
  }
}

extension ConsentRequest {
  /// Makes a request for what a script asks for; `programs` are the digests of those below its folder. A wish counts as granted if its path was granted, or the very words of the script were.
  init(
    _ asker: Asker, path: String, folder: String, digest: String, asked: [Grant], programs: [String],
    granted: [Capability],
    inWords isGrantedInWords: (Capability) -> Bool
  ) {
    let given = granted.map { Grant($0, folder: folder, relativeTo: nil) }
    let real = Grant.real(folder)
    self.asker = asker
    self.path = path
    self.folder = real
    hasOwnPrograms = !programs.isEmpty
    self.digest = programs.isEmpty ? digest : Digest.of(Array(([digest] + programs).joined(separator: ";").utf8))
    wishes = asked.map { wish in
      Wish(
        capability: wish.capability, grant: wish.real, leadsSomewhere: wish.path != nil || !wish.capability.hasPath,
        isGranted: isGrantedInWords(wish.capability) || given.contains { $0.includes(wish) })
    }
  }
}

extension PluginFile {
  /// For the first wish whose kind was granted for another path: a sentence with where both paths lead. Nil if there is none.
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
