/// Finds the order in which plugins are loaded: each after what it requires, else as they were named. Nothing runs before it is found.
struct PluginOrder {
  /// What is loaded already, by name: plugins, the app if it has a name, and `menuctl`.
  let present: [ByteText: Present]
  /// Whether there is an app without a name, which no plugin can require.
  var hasNamelessApp = false
  /// Finds a plugin that is required and was not named.
  let find: (String) throws -> PluginFile?

  struct Present {
    /// Its version; nil if it has none.
    let version: Version?
    /// What a person calls it.
    let described: String
  }

  /// A plugin whose requirements are being visited, and how many were.
  private struct Step {
    let file: PluginFile
    var count = 0
  }

  private var ordered: [PluginFile] = []
  /// The plugins that are being visited, each required by the one before. A loop is used rather than recursion, because the length of a
  /// chain of requirements depends on strangers' files, and the stack is limited.
  private var way: [Step] = []
  /// The plugins that are in `ordered` or `way`, each with its index in `way`, so that a circle is found without a search.
  private var met: [ByteText: Int] = [:]
  /// The plugins to load, by name: those that were named, and those found because they are required.
  private var wanted: [ByteText: PluginFile] = [:]

  init(present: [ByteText: Present], find: @escaping (String) throws -> PluginFile?) {
    self.present = present
    self.find = find
  }

  /// Puts plugins in the order in which they are loaded, and adds those that they require.
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

  /// Begins to visit a plugin, unless it is ordered already; throws if it is being visited, since that is a circle.
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

  /// The plugin to load for a requirement; nil if something that is loaded already meets it.
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
      let hint = near ?? (hasNamelessApp ? "; the app has no name: app.name = \"\(needed)\" gives it one" : "")
      throw ManifestMisuse(asking, .requires, "'\(name)' requires '\(needed)', which is not there\(hint)")
    }
    // A plugin is looked up by the name of its file, but goes by the name in its manifest.
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
