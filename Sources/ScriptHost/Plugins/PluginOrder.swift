/// Finds the order in which plugins are loaded: each after what it requires, else as they were named. Nothing runs before it is found.
struct PluginOrder {
  /// Who is there already, by name: plugins, the app where it has a name, and `menuctl`.
  let present: [String: Present]
  /// Finds a plugin that is required and was not named.
  let find: (String) throws -> PluginFile?

  struct Present {
    /// Nil where it doesn't say.
    let version: Version?
    /// What a person calls it.
    let described: String
  }

  private var ordered: [PluginFile] = []
  /// The names of those who are being looked at, each required by the one before.
  private var way: [String] = []
  private var wanted: [PluginFile] = []

  init(present: [String: Present], find: @escaping (String) throws -> PluginFile?) {
    self.present = present
    self.find = find
  }

  /// The plugins in the order in which they are loaded, with those that they require and that are found.
  mutating func order(_ files: [PluginFile]) throws -> [PluginFile] {
    for (index, file) in files.enumerated() {
      let name = file.manifest.name
      if let other = files[..<index].first(where: { $0.manifest.name.hasSameBytes(as: name) }) {
        throw Misuse(
          .nameTaken, "two plugins are named '\(name)': '\(other.path)' and '\(file.path)'", other: other.manifest.place
        )
      }
    }
    wanted = files
    for file in files { try visit(file) }
    return ordered
  }

  private mutating func visit(_ file: PluginFile) throws {
    let name = file.manifest.name
    if ordered.contains(where: { $0.manifest.name.hasSameBytes(as: name) }) { return }
    if let start = way.firstIndex(where: { $0.hasSameBytes(as: name) }) {
      throw Misuse(
        .cycle, "plugins require each other in a circle: \((way[start...] + [name]).joined(separator: " → "))")
    }
    if let other = present[name] { throw Misuse(.nameTaken, "there is \(other.described) already") }
    way.append(name)
    for requirement in file.manifest.requires { try satisfy(requirement, of: name) }
    way.removeLast()
    ordered.append(file)
  }

  private mutating func satisfy(_ requirement: Manifest.Requirement, of name: String) throws {
    let needed = requirement.name
    if let known = present[needed] {
      guard known.version.map(requirement.versions.contains) ?? (requirement.versions.description == "*") else {
        let version = known.version.map { "is \($0)" } ?? "doesn't say its version"
        throw Misuse(
          .refused, "'\(name)' requires \(needed) \(requirement.versions), and \(known.described) \(version)")
      }
      return
    }
    guard let file = try wanted.first(where: { $0.manifest.name.hasSameBytes(as: needed) }) ?? find(needed) else {
      let known = Array(present.keys) + wanted.map(\.manifest.name)
      let near = nearest(to: needed, among: known).first.map { "; did you mean '\($0)'?" } ?? ""
      throw Misuse(.unknownName, "'\(name)' requires '\(needed)', which is not there\(near)")
    }
    guard requirement.versions.contains(file.manifest.version) else {
      throw Misuse(
        .refused, "'\(name)' requires \(needed) \(requirement.versions), and '\(file.path)' is \(file.manifest.version)"
      )
    }
    try visit(file)
  }
}
