import Glibc
import ScriptHost

/// The script that APP names: a file, `-` for stdin, or a folder with `app.lua`.
struct Source {
  /// The name in messages: the path, or `stdin`.
  let name: String
  let bytes: [UInt8]

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Reads the script of an operand: stdin, a folder with `app.lua`, a file, or a shell's pipe.
  init(app: String) throws(Problem) {
    if app == "-" {
      self.init(name: "stdin", bytes: try Self.read(STDIN_FILENO, name: "stdin"))
      return
    }
    let app = Self.installed(app)
    try self.init(named: try Self.isFolder(app) ? Self.appFile(in: app) : app)
  }

  /// Reads a file of an operand, or a shell's pipe, as in 'menuctl load <(make-app)'.
  init(named path: String, most: Int = Self.most) throws(Problem) {
    guard Self.isHandedOver(path) else {
      try self.init(file: path, most: most)
      return
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(path) }
    defer { close(descriptor) }
    self.init(name: path, bytes: try Self.read(descriptor, name: path, most: most))
  }

  /// Reads a regular file, from any source of the name.
  init(file: String, most: Int = Self.most) throws(Problem) {
    name = file
    let descriptor = Descriptor.file(name)
    guard descriptor >= 0 else { throw Self.unreadable(name) }
    defer { close(descriptor) }
    bytes = try Self.read(descriptor, name: name, most: most)
  }

  /// The folder of the script; nil for stdin.
  var folder: String? {
    if name == "stdin" { return nil }
    guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == name.startIndex ? "/" : String(name[..<slash])
  }

  /// Returns a line, counted from 1, without its line end.
  func line(_ number: Int) -> [UInt8]? {
    guard number > 0 else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: number, omittingEmptySubsequences: false)
    guard lines.indices.contains(number - 1) else { return nil }
    let line = lines[number - 1]
    return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }
}

extension Source {
  /// Returns the file that APP names.
  static func path(of app: String) -> String {
    let app = installed(app)
    return (try? isFolder(app) ? appFile(in: app) : app) ?? app
  }

  /// Returns the path of APP: a file or a folder of that name, else the installed app.
  private static func installed(_ app: String) -> String {
    access(app, F_OK) == 0 ? app : InstalledApp.path(of: app) ?? app
  }

  /// The most bytes of a script file. A script has 128 KiB at most, so a few more bytes would do to refuse it.
  static let most = 1 << 20

  /// Returns the contents of a regular file; nil for any other, which a script may have named and which could block.
  static func text(ofRegular path: String) -> [UInt8]? {
    let descriptor = Descriptor.file(path)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return try? read(descriptor, name: path)
  }

  /// Returns true if a path is a descriptor that this process got at its start, so that reading it opens no new file.
  private static func isHandedOver(_ path: String) -> Bool {
    path == "/dev/stdin" || path.utf8.starts(with: "/dev/fd/".utf8) || path.utf8.starts(with: "/proc/self/fd/".utf8)
  }

  /// Returns true if a path ends in `.lua` or is a folder. A recording may name any path, and only these are read.
  static func isScript(_ path: String) -> Bool {
    path.utf8.suffix(4).elementsEqual(".lua".utf8) || (try? isFolder(path)) ?? false
  }

  private static func isFolder(_ path: String) throws(Problem) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { throw unreadable(path) }
    return status.st_mode & S_IFMT == S_IFDIR
  }

  private static func appFile(in folder: String) throws(Problem) -> String {
    let path = folder.utf8.last == UInt8(ascii: "/") ? "\(folder)app.lua" : "\(folder)/app.lua"
    if access(path, F_OK) == 0 { return path }
    let hasPlugin = access(path.dropLast("app.lua".count) + "plugin.lua", F_OK) == 0
    throw Problem(
      .noSuchFile, "the folder '\(folder)' has no app.lua",
      help: hasPlugin
        ? "it is a plugin, and is loaded with its app: menuctl load APP --plugin \(folder.shellWord)" : nil)
  }

  private static func read(_ descriptor: Int32, name: String, most: Int = Self.most) throws(Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    var isOver = false
    while !isOver, bytes.count <= most {
      // If the size is known, the rest of the file is read at once, with one more byte to find its end.
      var status = stat()
      let rest = fstat(descriptor, &status) == 0 ? Int(status.st_size) - bytes.count : 0
      let room = rest > 0 ? min(rest, most) + 1 : 64 << 10
      var got = 0
      let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        repeat { got = Glibc.read(descriptor, buffer.baseAddress, room) } while got < 0 && errno == EINTR
        count = max(0, got)
      }
      if got < 0 { throw unreadable(name) }
      isOver = got == 0 || rest > 0 && got < room
      if bytes.isEmpty { bytes = part } else { bytes += part }
    }
    return bytes
  }

  private static func unreadable(_ path: String) -> Problem {
    let number = errno
    var status = stat()
    let isOther = number == EINVAL && stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    return Problem(.noSuchFile, "can't read '\(path)': \(isOther ? "it is no file" : systemMessage(number))")
  }
}

extension String {
  /// The path without redundant parts: `././a//b` becomes `./a/b`. A '..' stays: the part before it may be a link.
  var withoutDots: String {
    var parts = ""
    for part in split(separator: "/") where part != "." { parts += parts.isEmpty ? part : "/" + part }
    let isWhole = utf8.first == UInt8(ascii: "/")
    if parts.isEmpty { return isWhole ? "/" : isEmpty ? "" : "." }
    let start = isWhole ? "/" : utf8.starts(with: "./".utf8) ? "./" : ""
    return start + parts
  }
}

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
