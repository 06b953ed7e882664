import CLua

// Reads a plugin's manifest, its first statement, in an environment that has nothing else, so that nothing can run before it.

/// Thrown to stop the plugin after its first statement.
private struct ManifestRead: Error {}

extension ScriptEngine {
  /// The manifest of a plugin. Only the first statement of its script runs.
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
      throw LuaMisuse("the first statement of a plugin is its manifest: plugin { name = …, version = … }")
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
      .script, "a plugin begins with its manifest: plugin { name = …, version = … }", place: Place(file: name, line: 1))
  }

  private func manifest(_ fields: LuaTable, at place: Place?) throws -> Manifest {
    guard let version = Version(try required("version", in: fields)) else {
      throw LuaMisuse("'version' is numbers between dots, as in \"1.2.0\"")
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

  /// Visits the entries of a table in the manifest, and throws if it holds more than a manifest may.
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
    if Manifest.reserved.contains(name) { throw LuaMisuse("a plugin can't be named '\(name)', which is another") }
    if name.utf8.contains(UInt8(ascii: "/")) || name.hasPrefix(".") || name.hasPrefix("-") {
      throw LuaMisuse("the name of a plugin can't have a '/' and can't begin with '.' or '-'")
    }
    return name
  }

  private func requirements(_ value: LuaValue) throws -> [Manifest.Requirement] {
    guard case .table(let table) = value else {
      throw LuaMisuse("'requires' is a table of names and versions, { photos = \">=1\" }, not \(value.described)")
    }
    var requires: [Manifest.Requirement] = []
    try forEachEntry(of: "'requires'", in: table) { key, value in
      guard case .text(let name) = key, case .text(let text) = value else {
        throw LuaMisuse("'requires' names plugins with their versions: { photos = \">=1\" }")
      }
      guard let versions = VersionRange(text) else {
        throw LuaMisuse("'\(text)' is no range of versions, as in \">=1.2 <2\", for '\(name)'")
      }
      requires.append(Manifest.Requirement(name: name, versions: versions))
    }
    // Lua's tables have no order that anybody could rely on.
    return requires.sorted { $0.name.precedesByBytes($1.name) }
  }

  /// The capabilities that the `allow` of a manifest or an app asks for.
  func capabilities(_ value: LuaValue) throws -> [Capability] {
    guard case .table(let table) = value else {
      throw LuaMisuse("'allow' is a list of capabilities, { \"fs.read\" }, not \(value.described)")
    }
    let noList = LuaMisuse("'allow' is a list of capabilities, { \"fs.read\" }")
    var texts: [Int: String] = [:]
    try forEachEntry(of: "'allow'", in: table, most: Manifest.wishLimit) { key, value in
      guard case .integer(let index) = key, case .text(let text) = value else { throw noList }
      texts[index] = text
    }
    var allow: [Capability] = []
    for index in 0..<texts.count {
      guard let text = texts[index + 1] else { throw noList }
      let capability = try allowing { try Capability.parse(text) }
      if !allow.contains(capability) { allow.append(capability) }
    }
    return allow
  }
}

extension LuaValue {
  fileprivate var shownText: String? { if case .text(let text) = self { text } else { nil } }
}
