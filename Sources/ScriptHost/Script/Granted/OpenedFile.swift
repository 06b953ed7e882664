import Glibc

/// A file or folder that was opened by its path with all links followed. What is at the path is checked again after opening, so that nobody can swap
/// it in between.
final class OpenedFile {
  let descriptor: Int32

  enum Kind {
    case file, folder
    /// Whatever it is; it is only looked at.
    case any
  }

  /// `O_PATH`, which Swift's libc module lacks: opens a file without reading it, whatever its permissions.
  private static let pathOnly: Int32 = 0o10_000_000

  /// Nil where it can't be opened, with the reason in errno.
  init?(_ real: String, _ kind: Kind = .file) throws {
    descriptor =
      switch kind {
      case .file: Descriptor.file(real, followingLinks: false)
      case .folder: open(real, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY)
      case .any: open(real, Self.pathOnly | O_CLOEXEC | O_NOFOLLOW)
      }
    guard descriptor >= 0 else { return nil }
    guard Self.path(of: descriptor)?.hasSameBytes(as: real) ?? false else {
      throw LuaMisuse("'\(real)' was changed while it was opened")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The whole content, up to a little more than a script can hold.
  func read(most: Int = 1 << 20) -> [UInt8]? { ScriptFile.read(descriptor, most: most) }

  /// The path of an open file at this moment.
  private static func path(of descriptor: Int32) -> String? {
    var bytes = [CChar](repeating: 0, count: 4097)
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count - 1)
    guard count > 0 else { return nil }
    return String(validating: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
