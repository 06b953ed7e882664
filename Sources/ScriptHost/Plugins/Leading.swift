import Glibc

// Where a path leads of which something isn't there. What may not be looked at is refused by that, in the same words be it there or not.

extension Grant {
  /// How many links are followed, as many as the system does.
  private static let linkLimit = 40
  /// How long a path can be, its end included.
  private static let pathLimit = 4096

  /// Where a path leads: all links followed, and what is not there taken as it is written. Of links that lead in a circle, and of what is too
  /// long, it is the place where it ends; nil where a link says what is no text.
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
      if next.utf8.count >= pathLimit { break }
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

  /// A link's target; nil where there is none.
  private static func target(_ path: String) -> ArraySlice<UInt8>? {
    var bytes = [UInt8](repeating: 0, count: pathLimit)
    let count = readlink(path, &bytes, bytes.count)
    return count > 0 ? bytes.prefix(count) : nil
  }

  /// A path as a script writes it, in which a part and the '..' behind it are none: what lies beside the way, and whether it is there, is not
  /// looked at.
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
