import Glibc

/// The script that a test file names as its subject, or a plugin for it: beside the file, or in a folder there; or a script below the
/// folder in which the tests are run.
struct SubjectPath {
  /// The path at which it is read.
  let path: String
  /// Its name in messages.
  let name: String

  /// Links are followed, and what they lead to counts.
  init(
    _ wanted: String, beside file: String, below root: String?, calledIn folder: String = "app.lua",
    as kind: String = "a subject"
  ) throws {
    let parts = wanted.split(separator: "/", omittingEmptySubsequences: false)
    let leadsUp = parts.contains("..")
    guard !wanted.isEmpty, !wanted.utf8.contains(0), parts[0] != "", root != nil || !leadsUp else {
      throw LuaMisuse("\(kind) is beside its test file, as in \"photos.lua\", not at '\(wanted)'")
    }
    let around = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let prefix = file.contains("/") ? around + "/" : ""
    let base = prefix.isEmpty ? "." : prefix
    guard let home = Self.resolved(base) else { throw LuaMisuse("can't read '\(base)'") }
    var found = prefix + wanted
    if Self.isFolder(found) { found += wanted.utf8.last == UInt8(ascii: "/") ? folder : "/\(folder)" }
    let real = Self.resolved(found)
    let reason = errno
    if let real, Self.rest(of: real, below: home) != nil, !leadsUp {
      path = real
      name = found
      return
    }
    // Only scripts below the folder in which the person runs the tests: a test file is a script, and may see nothing else of the disk.
    if let root, let real, real.hasSuffix(".lua"), let top = Self.resolved(root),
      let rest = Self.rest(of: real, below: top)
    {
      path = real
      name = root == "." ? rest : "\(root)/\(rest)"
      return
    }
    if leadsUp { throw LuaMisuse("'\(wanted)' leads to no script below the folder in which the tests are run") }
    if real == nil { throw LuaMisuse(Self.missing(wanted, found, reason, in: base)) }
    throw LuaMisuse("\(kind) is beside its test file, and '\(wanted)' leads out of its folder")
  }

  /// The rest of a path below a folder; nil if it isn't below that.
  private static func rest(of path: String, below folder: String) -> String? {
    let start = folder == "/" ? folder : folder + "/"
    return path.utf8.starts(with: start.utf8)
      ? String(decoding: path.utf8.dropFirst(start.utf8.count), as: UTF8.self) : nil
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func missing(_ wanted: String, _ path: String, _ number: Int32, in folder: String) -> String {
    let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    let near = nearest(to: wanted, among: scripts(in: folder)).first.map { "; did you mean '\($0)'?" } ?? ""
    return "can't read '\(path)': \(reason)\(near)"
  }

  private static func scripts(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < 1000, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".lua") { names.append(name) }
    }
    return names
  }
}
