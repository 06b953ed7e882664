import Glibc

/// The completions of the beginning of a path.
struct PathCompletion {
  /// The path as far as it is unique, with a slash after a folder that is the only candidate.
  let common: String
  /// All candidates, folders with a slash, in order.
  let paths: [String]

  /// The most candidates that are taken from a folder.
  private static let mostNames = 10_000

  /// Nil if there are no candidates.
  init?(_ text: String, foldersOnly: Bool) {
    let slash = text.lastIndex(of: "/")
    let folder = slash.map { String(text[...$0]) } ?? ""
    let begun = slash.map { String(text[text.index(after: $0)...]) } ?? text
    guard let stream = opendir(folder.isEmpty ? "." : folder) else { return nil }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream), found.count < Self.mostNames {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != "..", name.hasPrefix(begun), begun.hasPrefix(".") || !name.hasPrefix(".") else {
        continue
      }
      var status = stat()
      let isFolder = stat(folder + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      if isFolder || !foldersOnly { found.append(name + (isFolder ? "/" : "")) }
    }
    guard let first = found.first else { return nil }
    paths = found.sorted().map { folder + $0 }
    common =
      folder
      + found.dropFirst().reduce(first) { common, next in String(zip(common, next).prefix { $0 == $1 }.map(\.0)) }
  }
}
