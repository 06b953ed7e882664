import Glibc

/// The completions of the beginning of a path.
struct PathCompletion {
  /// The path as far as it is unique, with a slash after a folder that is the only candidate; the beginning itself if
  /// the folder has more names than are read.
  let common: String
  /// The candidates, folders with a slash, in order.
  let paths: [String]

  /// Nil if there are no candidates.
  ///
  /// - Parameter most: the most names that are read, matching or not, because a person waits.
  init?(_ text: String, foldersOnly: Bool, most: Int = 20_000) {
    let slash = text.lastIndex(of: "/")
    let folder = slash.map { String(text[...$0]) } ?? ""
    let begun = slash.map { String(text[text.index(after: $0)...]) } ?? text
    guard let stream = opendir(folder.isEmpty ? "." : folder) else { return nil }
    defer { closedir(stream) }
    var found: [String] = []
    var rest = most
    while rest > 0, let entry = readdir(stream) {
      rest -= 1
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
    let shared = found.dropFirst().reduce(first) { shared, next in
      String(zip(shared, next).prefix { $0 == $1 }.map(\.0))
    }
    common = rest > 0 ? folder + shared : text
  }
}
