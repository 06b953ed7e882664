import CLua
import Glibc

/// A file or folder that is opened once, by its path with all links followed. Opening it follows no link, so nobody can
/// redirect it by replacing a part of the path.
final class OpenedFile {
  let descriptor: Int32

  enum Kind {
    /// A regular file, for reading.
    case file
    /// A folder, for listing.
    case folder
    /// A folder, for looking up names.
    case parent
    /// Anything, for its status only.
    case any
  }

  /// `O_PATH`, which Swift's libc module lacks: opens a file without reading it, despite its permissions.
  private static let pathOnly: Int32 = 0o10_000_000

  /// Opens a path; nil on failure, with the reason in errno.
  init?(_ real: String, _ kind: Kind = .file) {
    let flags =
      switch kind {
      case .file: Descriptor.flagsForReading
      case .folder: O_RDONLY | O_DIRECTORY
      case .parent: Self.pathOnly | O_DIRECTORY
      case .any: Self.pathOnly
      }
    var opened = clua_openWithoutLinks(real, flags)
    if opened < 0, errno == ENOSYS || errno == EPERM { opened = Self.walk(real, flags) }
    descriptor = kind == .file ? Descriptor.regular(opened) : opened
    if descriptor < 0 { return nil }
  }

  /// Opens a whole path part by part, for systems without the call that refuses links. Returns a descriptor, or a
  /// negative number with the reason in errno.
  static func walk(_ path: String, _ flags: Int32) -> Int32 {
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count < Int(PATH_MAX) else {
      errno = path.utf8.first == UInt8(ascii: "/") ? ENAMETOOLONG : EINVAL
      return -1
    }
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    var opened = open("/", pathOnly | O_DIRECTORY | O_CLOEXEC)
    for (place, part) in (parts.isEmpty ? ["."] : parts).enumerated() where opened >= 0 {
      let isLast = place >= parts.count - 1
      let next = openat(opened, part, (isLast ? flags : pathOnly | O_DIRECTORY) | O_NOFOLLOW | O_CLOEXEC)
      let reason = errno
      close(opened)
      (opened, errno) = (next, reason)
    }
    var status = stat()
    // With `O_PATH`, the system opens a link itself.
    if opened >= 0, fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      close(opened)
      (opened, errno) = (-1, ELOOP)
    }
    return opened
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads the whole content, up to a little more than a script can hold.
  func read(most: Int = 1 << 20) -> [UInt8]? { ScriptFile.read(descriptor, most: most) }

  /// Returns the status of a name in this folder, or of a link itself; nil if nothing is there.
  func status(of name: String) -> stat? {
    var status = stat()
    return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }
}
