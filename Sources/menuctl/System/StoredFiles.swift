import Glibc
import LiveHost
import ScriptHost

extension HostStorage {
  /// The storage in the user's state folder, a file for each owner. Without the folder, a write fails with a hint.
  static var files: HostStorage {
    guard let folder = StateFolder.path.map({ "\($0)/stores" }) else {
      return HostStorage(
        read: { _ in nil },
        write: { _, _ in
          throw Problem(
            .no,
            "it would be kept in '~/.local/state/menuctl/stores', but neither HOME nor XDG_STATE_HOME is set; set one of them to a folder"
          )
        })
    }
    return HostStorage(
      read: { place in
        let path = path(of: place, in: folder, place.ending)
        return access(path, F_OK) == 0 ? try Source(file: path, most: most).bytes : nil
      },
      write: { place, bytes in
        AtomicFile.makeFolder(folder)
        try AtomicFile.write(bytes, to: path(of: place, in: folder, place.ending), permissions: 0o600)
      },
      lock: { place in
        AtomicFile.makeFolder(folder)
        return try FileLock(path(of: place, in: folder, "lock")).map { lock in { lock.release() } }
      })
  }

  /// The same storage without writing to files: written data are forgotten with this process.
  var unwritten: HostStorage {
    let kept = Kept()
    return HostStorage(
      read: { [read] in try kept.bytes[$0] ?? read($0) }, write: { kept.bytes[$0] = $1 })
  }

  private final class Kept { var bytes: [Place: [UInt8]] = [:] }

  /// The most bytes of a stored file; the host never writes more.
  private static let most = 1 << 20

  private static func path(of place: Place, in folder: String, _ ending: String) -> String {
    let name = [place.app, place.plugin, place.history].compactMap { $0 }.joined(separator: "-")
    let known = name.utf8.prefix(40).map { byte -> Character in
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & ~0x20)
      return isPlain ? Character(Unicode.Scalar(byte)) : "_"
    }
    return "\(folder)/\(String(known))-\(place.digest.prefix(16)).\(ending)"
  }
}

extension HostStorage.Place {
  /// The ending of the file's name.
  fileprivate var ending: String { history == nil ? "json" : "undo" }
}

/// The user's folder for stores and the history: `$XDG_STATE_HOME/menuctl`, else `~/.local/state/menuctl`.
enum StateFolder {
  static var path: String? {
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/menuctl" }
    return environment("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/.local/state/menuctl" : nil }
  }

  private static func environment(_ name: String) -> String? { getenv(name).flatMap { String(validatingCString: $0) } }
}

extension Problem: CustomStringConvertible {
  var description: String { sentence }
}

/// Writes files whole or not at all: to a temporary file next to it, which is then renamed.
enum AtomicFile {
  /// Writes a recording or a recorded test. Refuses to replace a script that menuctl has not recorded.
  static func write(recorded text: String, to path: String) throws(Problem) {
    if Source.isScript(resolved(path) ?? path), let before = Source.text(ofRegular: path), !before.isEmpty,
      !recordings.contains(where: { before.starts(with: $0.utf8) })
    {
      throw Problem(
        .no, "'\(path)' is a script, and menuctl has not recorded it",
        help: "name another file, or remove that one")
    }
    try write(text.utf8, to: path)
  }

  /// The first bytes of recordings and of recorded tests.
  private static let recordings = [#"{"menuctl": "#, "-- Written by menuctl: "]

  /// Writes a file. An existing file keeps its permissions; a new file gets `permissions`, else the usual ones.
  static func write(_ bytes: some Collection<UInt8>, to path: String, permissions: mode_t? = nil) throws(Problem) {
    // Writes the target of a link, and keeps the link.
    let target = resolved(path) ?? path
    var status = stat()
    let isThere = stat(target, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG { return try writeThrough(Array(bytes), to: target) }
    var name = Array((target + ".XXXXXX").utf8CString)
    let descriptor = Descriptor.temporaryFile(&name)
    guard descriptor >= 0 else { throw failure(path) }
    let temporary = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let mode = isThere ? status.st_mode & 0o7777 : permissions ?? 0o666 & ~mask
    let isWritten = write(Array(bytes), to: descriptor) && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
    let number = errno
    close(descriptor)
    guard isWritten, rename(temporary, target) == 0 else {
      let reason = isWritten ? errno : number
      unlink(temporary)
      throw failure(path, reason)
    }
    settle(folderOf: target)
  }

  /// Makes a folder and its parents, accessible to their owner only.
  static func makeFolder(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    for count in parts.indices {
      mkdir((path.hasPrefix("/") ? "/" : "") + parts[...count].joined(separator: "/"), 0o700)
    }
  }

  private static var mask: mode_t {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }

  /// Writes to a pipe or a terminal directly, since no old content can be damaged. Opening fails for a pipe without a
  /// reader; writing waits for the reader.
  private static func writeThrough(_ bytes: [UInt8], to path: String) throws(Problem) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_WRONLY) == 0 else { throw failure(path) }
    defer { close(descriptor) }
    if !write(bytes, to: descriptor) { throw failure(path) }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Syncs the folder, since the new name is stored there and not in the file.
  private static func settle(folderOf path: String) {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let descriptor = open(folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func failure(_ path: String, _ number: Int32 = errno) -> Problem {
    Problem(.noSuchFile, "can't write '\(path)': \(systemMessage(number))")
  }
}

/// A *file lock* belongs to one process at a time, until it is released or the process ends. Its empty file is never
/// removed, because another process could be waiting for the lock on the removed file.
struct FileLock {
  private let descriptor: Int32

  /// Waits until the lock is free; nil if another process still has it after ten seconds, probably a stopped process.
  init?(_ path: String) throws(Problem) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw Problem(.noSuchFile, "can't write '\(path)': \(systemMessage(errno))") }
    let end = ContinuousClock.now + .seconds(10)
    var pause: UInt32 = 500
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      guard number == EWOULDBLOCK, ContinuousClock.now < end else {
        close(descriptor)
        if number == EWOULDBLOCK { return nil }
        throw Problem(.noSuchFile, "can't lock '\(path)': \(systemMessage(number))")
      }
      usleep(pause)
      pause = min(2 * pause, 10_000)
    }
  }

  func release() { close(descriptor) }
}

/// A *user folder* is the user's folder for this tool, according to the XDG base directories.
enum UserFolder {
  /// Returns the path of `menuctl` in the folder of a variable, else in a folder below HOME; nil if neither is set.
  static func path(_ variable: String, else below: String) -> String? {
    if let base = value(variable), base.utf8.first == UInt8(ascii: "/") { return "\(base)/menuctl" }
    return value("HOME").map { "\($0)/\(below)/menuctl" }
  }

  private static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// The user's *settings*: the grants of plugins and apps, in a JSON file, which is replaced as a whole.
struct Settings {
  private(set) var members: [LiteralObject.Member] = []

  /// The path of the settings file; nil if neither XDG_CONFIG_HOME nor HOME is set.
  static var path: String? { UserFolder.path("XDG_CONFIG_HOME", else: ".config").map { "\($0)/settings.json" } }

  /// The folder of the user's plugins; empty if neither XDG_DATA_HOME nor HOME is set.
  static var pluginFolders: [String] {
    UserFolder.path("XDG_DATA_HOME", else: ".local/share").map { ["\($0)/plugins"] } ?? []
  }

  /// Reads the settings; a missing file has none. An unreadable file is an error, so that it isn't overwritten.
  static func read() throws(Problem) -> Settings {
    guard let path, access(path, F_OK) == 0 else { return Settings() }
    let bytes = try Source(file: path).bytes
    guard let text = String(validating: bytes, as: UTF8.self),
      let literal = (try? Reference.parse("settings(all: \(text))"))?.arguments?["all"],
      case .object(let object) = literal
    else { throw Problem(.no, "'\(path)' is not what menuctl wrote: it can't be read as JSON") }
    var settings = Settings()
    settings.members = object.members
    return settings
  }

  private var text: String { JSONText.text(.object(members.map { ($0.key, JSON($0.value)) })) + "\n" }

  subscript(key: String) -> Literal? {
    get { members.first { $0.key == key }?.value }
    set {
      let place = members.firstIndex { $0.key == key }
      if let place { members.remove(at: place) }
      if let newValue {
        members.insert(LiteralObject.Member(key: key, value: newValue), at: place ?? members.count)
      }
    }
  }

  /// Throws if the settings are too long for `read`.
  func checkLength() throws(Problem) {
    guard text.utf8.count > Source.most else { return }
    throw Problem(
      .no, "'\(Self.path ?? "")' would have \(text.utf8.count) bytes, and settings can have \(Source.most) at most",
      help: "'menuctl plugin forget NAME' withdraws what was consented to, and makes room")
  }

  /// Reads the settings under the file lock, changes and writes them. Another process may have changed them since.
  static func change(_ body: (inout Settings) -> Void) throws(Problem) {
    guard let path, let folder = UserFolder.path("XDG_CONFIG_HOME", else: ".config") else {
      throw Problem(.no, "there is no folder for settings: neither XDG_CONFIG_HOME nor HOME is set")
    }
    AtomicFile.makeFolder(folder)
    guard let lock = try FileLock("\(folder)/settings.lock") else {
      throw Problem(.no, "another process holds '\(folder)/settings.lock'", help: "end that process, and try again")
    }
    defer { lock.release() }
    var settings = try read()
    body(&settings)
    try settings.checkLength()
    try AtomicFile.write(Array(settings.text.utf8), to: path, permissions: 0o600)
  }
}
