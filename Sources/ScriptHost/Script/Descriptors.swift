import CLua
import Glibc

/// Opens descriptors that are not inherited by a program that is started at the same moment.
package enum Descriptor {
  /// Opens a file for reading; -1, with the reason in errno, if it can't.
  ///
  /// All files are opened by this. It refuses pipes and devices, because one that a stranger put in the place of a file could block whoever opens or
  /// reads it.
  package static func file(_ path: String, followingLinks: Bool = true) -> Int32 {
    regular(open(path, flagsForReading | (followingLinks ? 0 : O_NOFOLLOW)))
  }

  static let flagsForReading = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

  /// The descriptor if it is that of a regular file; else closes it and returns -1, with the reason in errno.
  static func regular(_ descriptor: Int32) -> Int32 {
    guard descriptor >= 0 else { return -1 }
    var status = stat()
    let reason: Int32? =
      if fstat(descriptor, &status) != 0 {
        errno
      } else {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: EISDIR
        default: EINVAL
        }
      }
    guard let reason else { return descriptor }
    close(descriptor)
    errno = reason
    return -1
  }

  /// A pipe; nil where there is none to be had, with the reason in errno.
  package static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    return clua_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
  }

  /// Writes all bytes; false, with the reason in errno, if it can't. After a write that falls short the next one tells
  /// the reason.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Makes a file of a name that ends in six 'X', which become its own; -1 where it can't be made, with the reason in errno.
  package static func temporaryFile(_ name: inout [CChar]) -> Int32 { clua_temporaryFile(&name) }
}
