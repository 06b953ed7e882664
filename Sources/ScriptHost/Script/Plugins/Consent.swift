import CLua

// A person grants the requests of a plugin or an app, by name. Otherwise it isn't loaded, or loaded without them if the
// host doesn't ask for grants.

/// Thrown if nobody has granted a script's requests yet. You can load it once somebody has.
struct ConsentMissing: Error {
  let request: ConsentRequest
  let failure: Failure
}

extension ScriptHost {
  /// True if the app or a plugin has access to anything outside of the host.
  package var reachesOutside: Bool { scripts?.owners.contains { !$0.grants.isEmpty } ?? false }
}

extension ScriptEngine {
  /// Returns the text of a capability, shortened for an error.
  private static func short(_ capability: Capability) -> String {
    let text = capability.description.visibleBlanks
    return text.shortened(toBytes: 100)
  }

  /// Returns the grants of a plugin. Throws `ConsentMissing` if the host asks for grants and a grant is missing.
  func checkConsent(_ file: PluginFile) throws -> [Grant] {
    let request = file.request(in: host)
    host.noteWords(of: request, in: file.folder)
    if isGiven(request) { return request.sealed(file.asked) }
    if !host.asksForGrants { return zip(file.asked, request.wishes).filter(\.1.isGranted).map(\.0) }
    let elsewhere = file.elsewhere(request, granted: host.granted).map { ": \($0)" } ?? ""
    throw missing(request, "the plugin '\(file.manifest.name)'", elsewhere, at: file.manifest.place)
  }

  /// Grants the requests of an app's script after it has run, if a person consented.
  func checkWishes(of script: ScriptOwner, path: String) throws {
    let value = value(.allow, for: script)
    if case .nil = value { return }
    let wishes = try capabilities(value)
    // A script that was not read from a file has no folder, so its consent couldn't be recognized later.
    let folder = script.folder ?? ""
    let asked = wishes.map { Grant($0, folder: script.folder, relativeTo: script.folder) }
    let real = Grant.real(path) ?? path
    let digest = Digest.of(Array(([real] + wishes.map(\.description)).map { "\($0.utf8.count):\($0);" }.joined().utf8))
    let request = ConsentRequest(
      .app(name: text(.name, for: script) ?? text(.title, for: script) ?? path), path: real, folder: folder,
      digest: digest, asked: asked, seals: asked.map { $0.seal(below: folder) }, granted: host.granted,
      inWords: { [host] in host.isGranted(inWords: $0, to: folder) })
    host.noteWords(of: request, in: folder)
    if isGiven(request) { return script.grants += request.sealed(asked) }
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
      .capability, "\(who) asks for \(wishes), but has no grant for it\(elsewhere)", place: place, owner: request.name)
    return ConsentMissing(request: request, failure: failure)
  }
}

// A relative grant, as `exec=./run.sh`, is another program for each script. The first script that requests it gets it.

extension ScriptHost {
  /// Returns true if a capability was granted in the words of the script in a folder.
  func isGranted(inWords capability: Capability, to folder: String) -> Bool {
    guard granted.contains(capability) else { return false }
    guard capability.isRelative, let first = speakers[capability] else { return true }
    return first.hasSameBytes(as: folder)
  }

  /// Notes the script of a folder as the first that requests a grant in these words.
  func noteWords(of request: ConsentRequest, in folder: String) {
    for wish in request.wishes where wish.capability.isRelative && granted.contains(wish.capability) {
      if speakers[wish.capability] == nil { speakers[wish.capability] = folder }
    }
  }
}

extension Capability {
  /// True if the path leads to a different place for each script.
  fileprivate var isRelative: Bool {
    hasPath && !isBelowWorkingFolder && subject.map { $0.utf8.first != UInt8(ascii: "/") } ?? false
  }
}

extension PluginFile {
  /// Returns the request of this plugin, with its open wishes.
  func request(in host: ScriptHost) -> ConsentRequest {
    ConsentRequest(
      .plugin(manifest), path: path, folder: folder, digest: digest, asked: asked,
      seals: asked.map { $0.seal(below: folder) }, granted: host.granted,
      inWords: { host.isGranted(inWords: $0, to: folder) })
  }
}

// Reads a plugin's manifest, its first statement, in an otherwise empty environment, so that nothing runs before it.

/// Thrown to stop the plugin after its first statement.
private struct ManifestRead: Error {}

extension ScriptEngine {
  /// Returns the manifest of a plugin. Only the first statement of its script runs.
  func manifest(of bytes: [UInt8], name: String, within allowance: Allowance) throws -> Manifest {
    var found: Manifest?
    let environment = lua.newTable()
    let plugin = lua.function { [unowned self] call in
      guard case .table(let fields) = try call[0] else {
        throw LuaMisuse("plugin takes a table: plugin { name = …, version = … }")
      }
      found = try manifest(fields, at: place(call.place))
      throw ManifestRead()
    }
    let other = lua.function { _ in
      throw LuaMisuse("a plugin must begin with its manifest: plugin { name = …, version = … }")
    }
    try lua.rawSet("plugin", .function(plugin), of: environment)
    let behind = lua.newTable()
    try lua.rawSet("__index", .function(other), of: behind)
    try lua.rawSet("__newindex", .function(other), of: behind)
    try setMetatable(behind, of: environment)
    let chunk = try lua.load(bytes: bytes, name: name, environment: environment, owner: .nobody)
    do {
      _ = try within(allowance) { try lua.call(chunk) }
    } catch let error as LuaError where error.cause is ManifestRead {
      if let found { return found }
      throw error
    }
    throw Failure(
      .script, "a plugin must begin with its manifest: plugin { name = …, version = … }",
      place: Place(file: name, line: 1))
  }

  private func manifest(_ fields: LuaTable, at place: Place?) throws -> Manifest {
    guard let version = Version(try required("version", in: fields)) else {
      throw LuaMisuse("'version' must be numbers between dots, such as \"1.2.0\"")
    }
    var manifest = Manifest(name: try pluginName(try required("name", in: fields)), version: version, place: place)
    try forEachEntry(of: "the manifest", in: fields) { key, value in
      switch key {
      case .text("name"), .text("version"): break
      case .text("summary"):
        guard case .text(let text) = value else {
          throw LuaMisuse("'summary' must be a string, not \(value.described)")
        }
        manifest.summary = text
      case .text("requires"): manifest.requires = try requirements(value)
      case .text("allow"): manifest.allow = try capabilities(value)
      default:
        let near = key.shownText.flatMap {
          nearest(to: $0, among: ["name", "version", "summary", "requires", "allow"]).first
        }
        let help = near.map { "; did you mean '\($0)'?" } ?? ""
        throw LuaMisuse("a manifest has no field \(key.shownText.map { "'\($0)'" } ?? key.described)\(help)")
      }
    }
    return manifest
  }

  /// Visits the entries of a table in the manifest. Throws if it has more than a manifest may.
  private func forEachEntry(
    of what: String, in table: LuaTable, most: Int = Manifest.entryLimit, _ visit: (LuaValue, LuaValue) throws -> Void
  ) throws {
    var count = 0
    try lua.forEach(in: table) { key, value in
      count += 1
      if count > most { throw LuaMisuse("\(what) can have \(most) entries at most") }
      for text in [key, value].compactMap(\.shownText) where text.utf8.count > Manifest.textLimit {
        throw LuaMisuse(
          "a text in \(what) can have \(Manifest.textLimit) bytes at most, this one has \(text.utf8.count)")
      }
      try visit(key, value)
      return true
    }
  }

  private func required(_ name: String, in fields: LuaTable) throws -> String {
    switch try lua.rawGet(.text(name), of: fields) {
    case .text(let text): return text
    case .nil: throw LuaMisuse("the manifest has no '\(name)': plugin { name = …, version = … }")
    case let value: throw LuaMisuse("'\(name)' must be a string, not \(value.described)")
    }
  }

  private func pluginName(_ name: String) throws -> String {
    try allowing { try Chain.checkName(name, of: "plugin") }
    if Manifest.reserved.contains(name) { throw LuaMisuse("a plugin can't be named '\(name)': the name is reserved") }
    if name.utf8.contains(UInt8(ascii: "/")) || name.hasPrefix(".") || name.hasPrefix("-") {
      throw LuaMisuse("the name of a plugin can't have a '/' and can't begin with '.' or '-'")
    }
    return name
  }

  private func requirements(_ value: LuaValue) throws -> [Manifest.Requirement] {
    guard case .table(let table) = value else {
      throw LuaMisuse("'requires' must be a table of names and versions, { photos = \">=1\" }, not \(value.described)")
    }
    var requires: [Manifest.Requirement] = []
    try forEachEntry(of: "'requires'", in: table) { key, value in
      guard case .text(let name) = key, case .text(let text) = value else {
        throw LuaMisuse("'requires' must have names of plugins with their versions: { photos = \">=1\" }")
      }
      guard let versions = VersionRange(text) else {
        throw LuaMisuse("'\(name)' requires '\(text)', which is no range of versions: write \">=1.2 <2\"")
      }
      requires.append(Manifest.Requirement(name: name, versions: versions))
    }
    // Lua's tables have no reliable order.
    return requires.sorted { $0.name.precedesByBytes($1.name) }
  }

  /// Returns the capabilities in the `allow` of a manifest or an app.
  func capabilities(_ value: LuaValue) throws -> [Capability] {
    guard case .table(let table) = value else {
      throw LuaMisuse("'allow' must be a list of capabilities, { \"fs.read\" }, not \(value.described)")
    }
    let noList = LuaMisuse("'allow' must be a list of capabilities, { \"fs.read\" }")
    var texts: [Int: String] = [:]
    try forEachEntry(of: "'allow'", in: table, most: Manifest.wishLimit) { key, value in
      guard case .integer(let index) = key, case .text(let text) = value else { throw noList }
      texts[index] = text
    }
    var allow: [Capability] = []
    for index in 0..<texts.count {
      guard let text = texts[index + 1] else { throw noList }
      let own = natives?.natives
      let capability =
        try own?.capability(text)
        ?? allowing { try Capability.parse(text, among: own?.capabilities.sorted { $0.precedesByBytes($1) } ?? []) }
      if !allow.contains(capability) { allow.append(capability) }
    }
    return allow
  }
}

extension LuaValue {
  fileprivate var shownText: String? { if case .text(let text) = self { text } else { nil } }
}
