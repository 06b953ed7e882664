import Glibc

/// What the beginning of a path goes on with.
enum PathCompletion {
  /// The path as far as it can be told, with a slash behind a folder that is the only one; nil where nothing begins so.
  static func completed(_ text: String, foldersOnly: Bool) -> String? {
    let slash = text.lastIndex(of: "/")
    let folder = slash.map { String(text[...$0]) } ?? ""
    let begun = slash.map { String(text[text.index(after: $0)...]) } ?? text
    var names: [(name: String, isFolder: Bool)] = []
    guard let stream = opendir(folder.isEmpty ? "." : folder) else { return nil }
    defer { closedir(stream) }
    while let entry = readdir(stream), names.count < 10_000 {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != "..", name.hasPrefix(begun), begun.hasPrefix(".") || !name.hasPrefix(".") else {
        continue
      }
      var status = stat()
      let isFolder = stat(folder + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      if isFolder || !foldersOnly { names.append((name, isFolder)) }
    }
    guard let first = names.first else { return nil }
    let common = names.dropFirst().reduce(first.name) { common, next in
      String(zip(common, next.name).prefix { $0 == $1 }.map(\.0))
    }
    return folder + common + (names.count == 1 && first.isFolder ? "/" : "")
  }
}
