import Glibc

/// Reads files and folders of scripts.
enum ScriptFile {
  /// Reads the content of a file.
  static func read(_ path: String) throws(LoadError) -> [UInt8] {
    let descriptor = Descriptor.file(path)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    guard let bytes = read(descriptor) else { throw unreadable(path) }
    return bytes
  }

  /// Reads everything up to a limit. A script that is too long is refused later, for which its first bytes suffice.
  static func read(_ descriptor: Int32, most: Int = 1 << 20) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= most {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }

  private static func unreadable(_ path: String) -> LoadError {
    let number = errno
    return LoadError(
      kind: .unreadable(errno: number), failure: Failure(.misuse, "can't read '\(path)': \(systemMessage(number))"))
  }

  /// Returns the folder of a path.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func isFolder(_ path: String, followingLinks: Bool = true) -> Bool {
    var status = stat()
    let result = followingLinks ? stat(path, &status) : lstat(path, &status)
    return result == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the names in a folder, sorted, without hidden names and names that are not UTF-8.
  static func names(in folder: String) -> [String] {
    entries(of: folder).compactMap(\.text).sorted { $0.precedesByBytes($1) }
  }

  /// Returns the names in a folder without hidden names, in any encoding.
  static func entries(of folder: String) -> [FileName] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [FileName] = []
    while let entry = readdir(stream) { names.append(FileName(entry)) }
    return names.filter { !$0.isHidden }
  }

  private static let scriptLimit = 10_000

  /// Returns the digests of the scripts below a folder, by their paths in it. Links to folders are not followed.
  static func digests(below folder: String) throws -> [String: String] {
    var found: [String: String] = [:]
    var waiting = [""]
    while let prefix = waiting.popLast() {
      for name in names(in: folder + prefix) {
        let path = "\(prefix)/\(name)"
        if isFolder(folder + path, followingLinks: false) { waiting.append(path) }
        if name.hasSuffix(".lua"), !isFolder(folder + path) {
          found[String(path.dropFirst())] = Digest.of(try read(folder + path))
        }
        if found.count + waiting.count > scriptLimit {
          throw Misuse(.refused, "the folder '\(folder)' of the plugin has more than \(scriptLimit) files")
        }
      }
    }
    return found
  }
}

/// Returns the system's message for an error number.
func systemMessage(_ number: Int32) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}

/// The name of an entry in a folder: bytes, which need not be text.
package struct FileName {
  private let bytes: [UInt8]

  package init(_ entry: UnsafeMutablePointer<dirent>) {
    bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
  }

  /// The name; nil if it isn't UTF-8.
  package var text: String? { String(validating: bytes, as: UTF8.self) }

  package var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

  package func hasSuffix(_ suffix: String) -> Bool { bytes.reversed().starts(with: suffix.utf8.reversed()) }

  /// Returns the path of this name in a folder, and optionally of a path below it, for the system.
  package func path(in folder: String, _ rest: String = "") -> [CChar] {
    (Array("\(folder)/".utf8) + bytes + Array(rest.utf8) + [0]).map(CChar.init(bitPattern:))
  }

  /// The name, with `\xFF` for each byte that is part of no character.
  package var shown: String {
    var result = ""
    var rest = bytes[...]
    while let first = rest.first {
      let character = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }.first
      result += character ?? "\\x" + String(first, radix: 16, uppercase: true)
      rest = rest.dropFirst(character?.utf8.count ?? 1)
    }
    return result
  }
}

/// The error of a script that could not be loaded.
public struct LoadError: Error, CustomStringConvertible {
  /// Whether the script could be read.
  public enum Kind: Sendable, Equatable {
    /// The file is missing, or can't be read.
    case unreadable(errno: Int32)
    case failed
  }

  /// Whether the script could be read.
  public var kind: Kind
  /// The failure with its place.
  public var failure: Failure
  /// The consent question, if the script wasn't loaded because nobody has granted its requests. After a yes, add it to
  /// the host's `consents` and load again.
  public var asks: ConsentRequest?

  public var description: String { failure.description }
}
