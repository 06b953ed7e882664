/// Finds the load order of plugins before any runs: each plugin after its requirements, else as they were named.
struct PluginOrder {
  /// The loaded plugins by name, with the app if it has a name, and `menuctl`.
  let present: [ByteText: Present]
  /// True if there is an app without a name, which no plugin can require.
  var hasNamelessApp = false
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
      let hint = near ?? (hasNamelessApp ? "; the app has no name: add app.name = \"\(needed)\"" : "")
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
