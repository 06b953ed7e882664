import Glibc

/// The identity of a file, to tell whether a path still leads to it or to another file by now.
struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t

  /// The file at a path; nil if there is none.
  init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }

  /// The file of an open descriptor.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }

  /// Removes the file at a path, if it is still this one.
  func remove(at path: String) { if FileIdentity(at: path) == self { unlink(path) } }
}
