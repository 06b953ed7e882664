/// A *seal* is what a program in a script's folder was when a person said yes to it: only that program is run.
package struct ProgramSeal: Sendable {
  /// A file that the system reads to start the program.
  struct File: Sendable {
    let path: String
    let digest: String
    /// Nil for a file that was written so shortly before that another write may leave it as it is.
    let stamp: Stamp?
  }

  /// What the system knows of a file, by which most files are known to be the same without reading them.
  struct Stamp: Sendable, Equatable {
    let device: UInt
    let inode: UInt
    let size: Int
    let written: Moment
    let changed: Moment
  }

  /// A time of the system's files.
  struct Moment: Sendable, Equatable {
    let seconds: Int
    let nanoseconds: Int
  }

  /// The program itself first; empty for a program elsewhere.
  let files: [File]
  /// The folder that they are in, all links followed.
  let folder: String

  /// The words of the variable that names the program; nil if none does.
  let words: [String]?

  /// What tells it from every other.
  var digest: String {
    (files.map(\.digest) + (words.map { ["$"] + $0 } ?? [])).joined(separator: ",")
  }
}
