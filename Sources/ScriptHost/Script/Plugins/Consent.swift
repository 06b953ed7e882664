// A person grants what a plugin or an app asks for, by name. Without that it isn't loaded, if the host asks for grants,
// else it is loaded without them.

/// Thrown when nobody granted yet what a script asks for: it isn't loaded, and may be once somebody has.
struct ConsentMissing: Error {
  let request: ConsentRequest
  let failure: Failure
}

extension ScriptEngine {
  /// The text of a capability, shortened for an error.
  private static func short(_ capability: Capability) -> String {
    let text = capability.description.visibleBlanks
    return text.shortened(toBytes: 100)
  }

  /// The grants that a plugin gets; throws `ConsentMissing` if the host asks for grants and one is missing.
  func checkConsent(_ file: PluginFile) throws -> [Grant] {
    let request = file.request(in: host)
    host.noteWords(of: request, in: file.folder)
    if isGiven(request) { return file.asked }
    if !host.asksForGrants { return zip(file.asked, request.wishes).filter(\.1.isGranted).map(\.0) }
    let elsewhere = file.elsewhere(request, granted: host.granted).map { ": \($0)" } ?? ""
    throw missing(request, "the plugin '\(file.manifest.name)'", elsewhere, at: file.manifest.place)
  }

  /// Looks, after an app's script has run, at what it asks for, and grants that if a person consented.
  func checkWishes(of script: ScriptOwner, path: String) throws {
    let object = LuaTable(reference: object(chain.app, for: script).reference)
    let value = try lua.rawGet("allow", of: object)
    if case .nil = value { return }
    let wishes = try capabilities(value)
    // A script that was not read from a file has no folder, so nobody would recognize it again.
    let folder = script.folder ?? ""
    let asked = wishes.map { Grant($0, folder: script.folder, relativeTo: script.folder) }
    let real = Grant.real(path) ?? path
    let digest = Digest.of(Array(([real] + wishes.map(\.description)).map { "\($0.utf8.count):\($0);" }.joined().utf8))
    let request = ConsentRequest(
      .app(name: appField("name", script) ?? appField("title", script) ?? path), path: real, folder: folder,
      digest: digest, asked: asked, programs: Grant.digests(of: asked, below: folder), granted: host.granted,
      inWords: { [host] in host.isGranted(inWords: $0, to: folder) })
    host.noteWords(of: request, in: folder)
    if isGiven(request) { return script.grants += asked }
    if host.asksForGrants { throw missing(request, "the app", "", at: nil) }
  }

  private func isGiven(_ request: ConsentRequest) -> Bool {
    request.capabilities.isEmpty || host.consents.contains { $0.covers(request) }
  }

  private func missing(
    _ request: ConsentRequest, _ who: String, _ elsewhere: String, at place: Place?
  ) -> ConsentMissing {
    let wishes = request.capabilities.map { "'\(Self.short($0))'" }.joined(separator: ", ")
    let failure = Failure(
      .capability, "\(who) asks for \(wishes), which nobody granted\(elsewhere)", place: place, owner: request.name)
    return ConsentMissing(request: request, failure: failure)
  }
}

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
