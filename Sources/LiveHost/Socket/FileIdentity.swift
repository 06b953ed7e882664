import Glibc

/// The file that lies at a path: another one may be put there meanwhile.
struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t

  /// The file at a path; nil where there is none.
  init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }

  /// The file that is open.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }

  /// Takes the file away, where it is the one that lies at the path still.
  func remove(at path: String) { if FileIdentity(at: path) == self { unlink(path) } }
}
