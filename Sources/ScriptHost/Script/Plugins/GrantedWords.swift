// A grant in a script's own words: `exec=./run.sh` is another program for each script, so the words grant only the first that asks in them.

extension ScriptHost {
  /// Whether a capability was granted in the words in which the script of a folder asks for it.
  func isGranted(inWords capability: Capability, to folder: String) -> Bool {
    guard granted.contains(capability) else { return false }
    guard capability.isRelative, let first = speakers[capability] else { return true }
    return first.hasSameBytes(as: folder)
  }

  /// Notes the script of a folder as the first that asks in the words of a grant.
  func noteWords(of request: ConsentRequest, in folder: String) {
    for wish in request.wishes where wish.capability.isRelative && granted.contains(wish.capability) {
      if speakers[wish.capability] == nil { speakers[wish.capability] = folder }
    }
  }
}

extension Capability {
  /// Whether it is for a path that leads to another place for each script.
  fileprivate var isRelative: Bool { hasPath && subject.map { $0.utf8.first != UInt8(ascii: "/") } ?? false }
}

extension PluginFile {
  /// The request for what this plugin asks for and isn't granted already.
  func request(in host: ScriptHost) -> ConsentRequest {
    ConsentRequest(
      .plugin(manifest), path: path, folder: folder, digest: digest, asked: asked,
      programs: Grant.digests(of: asked, below: folder), granted: host.granted,
      inWords: { host.isGranted(inWords: $0, to: folder) })
  }
}
