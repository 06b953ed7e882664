import CLua
import Glibc

extension ScriptHost {
  /// Loads plugins, each a folder with `plugin.lua` or a lone file: all of them with their requirements, or none.
  ///
  /// Versions, requirements and consent are checked before any plugin runs. A bare name is found in `pluginFolders`.
  public func load(plugins paths: [String]) throws(LoadError) {
    try checkMayLoad()
    do {
      let engine = try scriptEngine()
      let files = try paths.map { try engine.pluginFile($0) }
      var order = PluginOrder(present: engine.present) { [unowned self] name in try foundPlugin(name, engine) }
      order.appName = engine.app.flatMap { engine.text(.name, for: $0) }
      order.hasNamelessApp = engine.app != nil && order.appName == nil
      let ordered = try order.order(files)
      try engine.checkAreOut(ordered)
      let grants = try ordered.map(engine.checkConsent)
      let before = chain.arrangement
      var loaded: [Int] = []
      for (file, grants) in zip(ordered, grants) {
        let owner = newOwner(file.manifest.name)
        try load(owner, with: loaded, before: before) { engine, script in
          try engine.run(file, of: script, granted: grants)
        }
        loaded.append(owner.number)
      }
    } catch {
      throw pluginError(error)
    }
  }

  /// Removes the plugins of these numbers, the last first. A plugin that has replaced one has its number, and goes too.
  func takeOut(plugins numbers: [Int]) {
    let numbers = Set(numbers)
    for script in scripts?.plugins.reversed() ?? [] where numbers.contains(script.owner.number) {
      removeAll(of: script.owner)
    }
  }

  /// Returns the manifest of a plugin. Nothing else of the plugin runs.
  public func manifest(path: String) throws(LoadError) -> Manifest {
    do {
      return try scriptEngine().pluginFile(path, within: limits.listing).manifest
    } catch {
      throw pluginError(error)
    }
  }

  /// Returns the consent question for a plugin. Only the plugin's manifest runs.
  package func consentRequest(path: String) throws(LoadError) -> ConsentRequest {
    do {
      return try scriptEngine().pluginFile(path, within: limits.listing).request(in: self)
    } catch {
      throw pluginError(error)
    }
  }

  /// The loaded plugins, in load order.
  public var plugins: [PluginInfo] {
    scripts?.stayingPlugins.compactMap { script in
      script.plugin.map {
        PluginInfo(
          manifest: $0.manifest, path: $0.path, holds: receipt(of: script.owner), trouble: script.owner.whySetAside)
      }
    } ?? []
  }

  /// Removes a plugin with all its registrations, and returns their counts. Throws if another plugin requires it.
  @discardableResult
  public func unload(plugin name: String) throws(Misuse) -> Receipt {
    try checkNotAsking("a plugin can't be unloaded")
    if isLoading { throw Misuse(.notNow, "a plugin can't be unloaded while a script loads") }
    let script = try plugin(named: name)
    let dependants = (scripts?.plugins ?? []).filter { other in
      other.plugin?.manifest.requires.contains { $0.name.hasSameBytes(as: name) } ?? false
    }
    if !dependants.isEmpty {
      let names = dependants.map { "'\($0.owner.name)'" }.joined(separator: ", ")
      throw Misuse(.refused, "'\(name)' is required by \(names)")
    }
    let receipt = receipt(of: script.owner)
    removeAll(of: script.owner)
    menuTrees.invalidate()
    menuTrees.panes.leaveMissing()
    endTurn()
    return receipt
  }

  /// Reads a plugin anew. All of it replaces the old version, or the old version stays.
  public func reload(plugin name: String) throws(LoadError) {
    try checkMayLoad()
    do {
      let engine = try scriptEngine()
      let old = try plugin(named: name)
      guard let known = old.plugin else { return }
      let file = try engine.pluginFile(known.path)
      try engine.checkReplaces(file, known)
      let grants = try engine.checkConsent(file)
      try replace(old) { engine, script in try engine.run(file, of: script, granted: grants) }
    } catch {
      throw pluginError(error)
    }
  }

  private func plugin(named name: String) throws(Misuse) -> ScriptOwner {
    let plugins = scripts?.stayingPlugins ?? []
    if let script = plugins.first(where: { $0.owner.name.hasSameBytes(as: name) }) { return script }
    let near = nearest(to: name, among: plugins.map(\.owner.name)).first.map { "; did you mean '\($0)'?" } ?? ""
    throw Misuse(.unknownName, "there is no plugin '\(name)'\(near)")
  }

  private func pluginError(_ error: any Error) -> LoadError {
    switch error {
    case let failure as Failure: LoadError(kind: .failed, failure: failure)
    case let misuse as ManifestMisuse:
      LoadError(
        kind: .failed,
        failure: Failure(.misuse, misuse.message, place: place(of: misuse), owner: misuse.manifest.name))
    default: loadError(error, program)
    }
  }

  /// Returns the place of a manifest's field, if its word is found; else the place where the manifest begins.
  private func place(of misuse: ManifestMisuse) -> Place? {
    misuse.manifest.place.map { scripts?.place(of: misuse.field.rawValue, from: $0, lines: 50) ?? $0 }
  }
}

// MARK: Finding

extension ScriptHost {
  /// Returns the plugin of that name in the plugin folders.
  private func foundPlugin(_ name: String, _ engine: ScriptEngine) throws -> PluginFile? {
    guard let path = pluginPath(named: name) else { return nil }
    return try engine.pluginFile(path)
  }

  /// Returns the path of a plugin by its name, in the first plugin folder that has it.
  func pluginPath(named name: String) -> String? {
    guard !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0), !name.hasPrefix("."), !name.isEmpty else {
      return nil
    }
    for folder in pluginFolders {
      for path in ["\(folder)/\(name)/plugin.lua", "\(folder)/\(name).lua"] where access(path, R_OK) == 0 {
        return path
      }
    }
    return nil
  }

  /// Returns the plugins in the plugin folders, by their paths.
  package func installedPlugins() -> [String] {
    pluginFolders.flatMap { folder in
      ScriptFile.names(in: folder).compactMap { name in
        if access("\(folder)/\(name)/plugin.lua", R_OK) == 0 { return "\(folder)/\(name)/plugin.lua" }
        return name.hasSuffix(".lua") ? "\(folder)/\(name)" : nil
      }
    }
  }

  /// Returns the printable paths of plugins in those folders whose names aren't UTF-8, which can't be loaded.
  package func unnamedPlugins() -> [String] {
    pluginFolders.flatMap { folder in
      ScriptFile.entries(of: folder).filter { name in
        let hasScript = access(name.path(in: folder, "/plugin.lua"), R_OK) == 0
        return name.text == nil && (hasScript || name.hasSuffix(".lua"))
      }.map { "\(folder)/\($0.shown)" }.sorted { $0.precedesByBytes($1) }
    }
  }
}

extension ScriptEngine {
  /// The plugins, in load order.
  var plugins: [ScriptOwner] {
    owners.filter { $0.plugin != nil }.sorted { $0.owner.number < $1.owner.number }
  }

  /// The plugins that aren't leaving. A leaving plugin is still there while its actions are undone.
  var stayingPlugins: [ScriptOwner] { plugins.filter { !$0.owner.isLeaving } }

  /// Throws if plugins of the same names are still leaving.
  func checkAreOut(_ files: [PluginFile]) throws {
    let leaving = Set(plugins.filter(\.owner.isLeaving).map { ByteText($0.owner.name) })
    guard let file = files.first(where: { leaving.contains(ByteText($0.manifest.name)) }) else { return }
    throw Misuse(.notNow, "the plugin '\(file.manifest.name)' is being unloaded: load it again when that is done")
  }

  /// The plugins, with the app and `menuctl`, that others can require now.
  var present: [ByteText: PluginOrder.Present] {
    var present = [ByteText("menuctl"): PluginOrder.Present(version: .menuctl, described: "menuctl")]
    if let app, let name = text(.name, for: app) {
      present[ByteText(name)] = PluginOrder.Present(
        version: text(.version, for: app).flatMap(Version.init), described: "the app '\(name)'")
    }
    for script in stayingPlugins {
      guard let manifest = script.plugin?.manifest else { continue }
      present[ByteText(manifest.name)] = PluginOrder.Present(
        version: manifest.version, described: "the plugin '\(manifest.name)' \(manifest.version)")
    }
    return present
  }

  /// Reads a plugin: a folder with `plugin.lua`, a lone file, or a name in the plugin folders.
  func pluginFile(_ wanted: String, within allowance: Allowance? = nil) throws -> PluginFile {
    var path = wanted
    if !wanted.utf8.contains(UInt8(ascii: "/")), access(wanted, F_OK) != 0, let found = host.pluginPath(named: wanted) {
      path = found
    }
    if ScriptFile.isFolder(path) { path = path.hasSuffix("/") ? "\(path)plugin.lua" : "\(path)/plugin.lua" }
    files.insert(path)
    let bytes = try ScriptFile.read(path)
    let manifest = try manifest(of: bytes, name: path, within: allowance ?? host.limits.load)
    let folder = ScriptFile.folder(of: path)
    let asked = manifest.allow.map { Grant($0, folder: folder, relativeTo: folder) }
    var file = PluginFile(manifest: manifest, path: path, folder: folder, bytes: bytes, asked: asked)
    if !file.manifest.allow.isEmpty { file.modules = file.hasFolder ? try ScriptFile.digests(below: file.folder) : [:] }
    return file
  }

  /// Throws if a new version of a plugin can't replace the present version.
  func checkReplaces(_ file: PluginFile, _ known: PluginFile) throws {
    let name = known.manifest.name
    guard file.manifest.name.hasSameBytes(as: name) else {
      throw ManifestMisuse(file, .name, "'\(file.path)' is now named '\(file.manifest.name)' instead of '\(name)'")
    }
    for script in plugins {
      for requirement in script.plugin?.manifest.requires ?? [] where requirement.name.hasSameBytes(as: name) {
        guard !requirement.versions.contains(file.manifest.version) else { continue }
        throw ManifestMisuse(
          file, .version,
          "'\(script.owner.name)' requires \(name) \(requirement.versions), and '\(file.path)' is \(file.manifest.version)"
        )
      }
    }
    if let circle = circle(of: name, requiring: file.manifest.requires) {
      throw ManifestMisuse(
        file, .requires, "plugins require each other in a circle: \(circle.joined(separator: " → "))")
    }
    var others = present
    others[ByteText(name)] = nil
    var order = PluginOrder(present: others) { _ in nil }
    _ = try order.order([file])
  }

  /// Returns the path by which a plugin would require itself, perhaps through others; nil if it wouldn't. Each plugin
  /// is visited once.
  private func circle(of name: String, requiring requires: [Manifest.Requirement]) -> [String]? {
    var known: [ByteText: [Manifest.Requirement]] = [:]
    for script in plugins { known[ByteText(script.owner.name)] = script.plugin?.manifest.requires }
    known[ByteText(name)] = requires
    // For each found plugin, the plugin that requires it. The search is breadth-first.
    var askers: [ByteText: ByteText] = [:]
    var waiting = [ByteText(name)]
    var count = 0
    while count < waiting.count, askers[ByteText(name)] == nil {
      for requirement in known[waiting[count]] ?? [] where askers[ByteText(requirement.name)] == nil {
        askers[ByteText(requirement.name)] = waiting[count]
        waiting.append(ByteText(requirement.name))
      }
      count += 1
    }
    guard var asker = askers[ByteText(name)] else { return nil }
    var circle = [name]
    while asker != ByteText(name), let next = askers[asker] {
      circle.append(asker.text)
      asker = next
    }
    return [name] + circle.reversed()
  }

  /// Runs a plugin, whose manifest was read.
  func run(_ file: PluginFile, of script: ScriptOwner, granted grants: [Grant]) throws {
    script.plugin = file
    watchViews()
    script.folder = file.folder
    script.grants = grants
    var isRead = false
    let plugin = lua.function { _ in
      if isRead { throw LuaMisuse("a plugin has two manifests: remove the second 'plugin { … }'") }
      isRead = true
      return .nothing
    }
    try lua.rawSet("plugin", .function(plugin), of: script.language)
    try run(file.bytes, name: file.path, of: script, in: script.environment)
  }
}
