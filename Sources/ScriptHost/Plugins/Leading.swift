import Glibc

// Resolves a path whose last parts may not exist. A path outside of what was granted is refused in the same words whether it exists or not.

extension Grant {
  /// How many links are followed: as many as the system follows.
  private static let linkLimit = 40
  /// How long a path can be, its end included.
  private static let pathLimit = 4096

  /// Resolves a path: follows all links, and keeps parts that don't exist as they are written. If links form a circle the result is one of them, and
  /// if the path gets too long it is a path that is too long. Nil if a link's target isn't UTF-8.
  static func lead(_ path: String) -> String? {
    if let real = real(path) { return real }
    guard let start = real(path.utf8.first == UInt8(ascii: "/") ? "/" : ".") else { return nil }
    var place = start == "/" ? "" : start
    var rest = Array(path.split(separator: "/").reversed())
    var links = 0
    while let part = rest.popLast() {
      if part == "." { continue }
      if part == ".." {
        place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
        continue
      }
      let next = "\(place)/\(part)"
      if next.utf8.count >= pathLimit { return next }
      guard let bytes = target(next) else {
        place = next
        continue
      }
      guard let target = String(validating: bytes, as: UTF8.self) else { return nil }
      links += 1
      if links > linkLimit { return next }
      if target.utf8.first == UInt8(ascii: "/") { place = "" }
      rest += target.split(separator: "/").reversed()
    }
    return place.isEmpty ? "/" : place
  }

  /// Whether there is a link at a path.
  static func isLink(_ path: String) -> Bool { target(path) != nil }

  /// The target of a link; nil if the path is no link.
  private static func target(_ path: String) -> ArraySlice<UInt8>? {
    var bytes = [UInt8](repeating: 0, count: pathLimit)
    let count = readlink(path, &bytes, bytes.count)
    return count > 0 ? bytes.prefix(count) : nil
  }

  /// A script's path without each part that a '..' follows. It works on the text alone, so it doesn't tell whether such a part exists.
  static func withoutDetours(_ path: String) -> String {
    let isWhole = path.utf8.first == UInt8(ascii: "/")
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part != ".." || (parts.last ?? "..") == ".." && !isWhole {
        parts.append(part)
      } else {
        _ = parts.popLast()
      }
    }
    let inside = parts.joined(separator: "/")
    return isWhole ? "/\(inside)" : inside.isEmpty ? "." : inside
  }
}
