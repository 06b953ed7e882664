import Glibc

/// An *installed app* has a name that works anywhere: a folder with `app.lua` or a file, in a folder of apps.
struct InstalledApp {
  let name: String
  /// The path of its folder, or of its file.
  let path: String

  /// The folders of apps: the user's, which comes first, then the tool's, where `make install` puts apps.
  private static var folders: [String] {
    let tool = String(unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { max(0, readlink("/proc/self/exe", $0, text.count)) } ?? 0
      }
    }
    let beside = tool.split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
    let own = UserFolder.path("XDG_DATA_HOME", else: ".local/share").map { ["\($0)/apps"] } ?? []
    return own + ["\(beside)/share/menuctl/apps"]
  }

  /// All installed apps, by name.
  static var all: [InstalledApp] {
    var found: [String: InstalledApp] = [:]
    for folder in folders {
      for entry in entries(of: folder) {
        let name = entry.hasSuffix(".lua") ? String(entry.dropLast(4)) : entry
        guard found[name] == nil, let path = path(of: name, in: folder) else { continue }
        found[name] = InstalledApp(name: name, path: path)
      }
    }
    return found.values.sorted { $0.name < $1.name }
  }

  /// Returns the path of an installed app; nil if there is none, or if the name is a path.
  static func path(of name: String) -> String? {
    let isPath = name.isEmpty || name.hasPrefix(".") || name.hasPrefix("-") || name.utf8.contains(UInt8(ascii: "/"))
    if isPath { return nil }
    return folders.lazy.compactMap { path(of: name, in: $0) }.first
  }

  private static func path(of name: String, in folder: String) -> String? {
    if access("\(folder)/\(name)/app.lua", F_OK) == 0 { return "\(folder)/\(name)" }
    return access("\(folder)/\(name).lua", F_OK) == 0 ? "\(folder)/\(name).lua" : nil
  }

  private static func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var entries: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      if let name, !name.hasPrefix(".") { entries.append(name) }
    }
    return entries
  }
}
