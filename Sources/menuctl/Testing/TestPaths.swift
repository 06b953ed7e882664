import Glibc
import ScriptHost

/// A file of tests that the command line names: all of its tests, or those at some lines.
struct TestPath: Equatable {
  let file: String
  /// The lines of the tests to run; nil for all.
  var lines: [Int]?
}

extension TestPath {
  private static let suffix = "_test.lua"
  /// The deepest nesting that is searched; deeper folders are taken for a cycle.
  private static let deepest = 64

  /// The files that a word means: `*_test.lua` below a folder, a file, or FILE:LINE. Files whose names are not UTF-8 are added to the problems.
  static func find(_ word: String, _ problems: inout [Problem]) throws(Problem) -> [TestPath] {
    switch kind(of: word) {
    case .folder:
      let known = problems.count
      let found = files(below: word == "." ? "" : word, depth: 0, &problems)
      if found.isEmpty, problems.count == known {
        throw Problem(.noSuchFile, "there are no tests below '\(word)': no *\(suffix)")
      }
      return found.map { TestPath(file: $0) }
    case .file: return [TestPath(file: word)]
    case nil: break
    }
    let missing = Problem(.noSuchFile, "can't read '\(word)': \(systemMessage(errno))")
    guard let colon = word.lastIndex(of: ":"), let line = Int(word[word.index(after: colon)...]), line > 0 else {
      throw missing
    }
    let file = String(word[..<colon])
    switch kind(of: file) {
    case .file: return [TestPath(file: file, lines: [line])]
    case .folder: throw Problem(.usage, "'\(file)' is a folder, and FILE:LINE names a line of a file")
    case nil: throw missing
    }
  }

  /// Each file once, with the lines of all its paths; a file that one path names as a whole is run as a whole.
  static func merged(_ paths: [TestPath]) -> [TestPath] {
    var merged: [TestPath] = []
    for path in paths {
      guard let index = merged.firstIndex(where: { $0.file.utf8.elementsEqual(path.file.utf8) }) else {
        merged.append(path)
        continue
      }
      merged[index].lines = merged[index].lines.flatMap { before in path.lines.map { before + $0 } }
    }
    return merged
  }

  private enum Kind { case file, folder }

  private static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  /// The test files below a folder, sorted by bytes; hidden folders and links to folders are skipped.
  private static func files(below folder: String, depth: Int, _ problems: inout [Problem]) -> [String] {
    guard depth < deepest, let stream = opendir(folder.isEmpty ? "." : folder) else { return [] }
    var names: [(name: String, isFolder: Bool)] = []
    var unnamed: [String] = []
    while let entry = readdir(stream) {
      let name = FileName(entry)
      var status = stat()
      guard !name.isHidden, lstat(name.path(in: folder.isEmpty ? "." : folder), &status) == 0 else { continue }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      guard isFolder || name.hasSuffix(suffix) else { continue }
      if let text = name.text {
        names.append((joined(folder, text), isFolder))
      } else {
        unnamed.append(joined(folder, name.shown))
      }
    }
    closedir(stream)
    unnamed.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    problems += unnamed.map { Problem(.noSuchFile, "can't read '\($0)': its name is not UTF-8") }
    names.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    var found: [String] = []
    for (name, isFolder) in names {
      found += isFolder ? files(below: name, depth: depth + 1, &problems) : [name]
    }
    return found
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
  }
}
