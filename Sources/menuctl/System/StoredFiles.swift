import Glibc
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
