/// A *version* is one to three numbers between dots: `1`, `1.2`, `1.2.3`.
public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
  private let numbers: [Int]

  /// The version that a text spells; nil where it spells none.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil }
    guard numbers.count == parts.count, (1...3).contains(parts.count) else { return nil }
    self.numbers = numbers + [Int](repeating: 0, count: 3 - numbers.count)
  }

  public static func < (left: Version, right: Version) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }

  public var description: String { numbers.map(String.init).joined(separator: ".") }

  /// The version of this library and of the tool.
  package static let menuctl = Version(major: 0, 1, 0)

  private init(major: Int, _ minor: Int, _ patch: Int) { numbers = [major, minor, patch] }
}

/// A *range* is what a version must be: comparisons with versions that all hold, as `>=1.2 <2`.
package struct VersionRange: Sendable, Hashable, CustomStringConvertible {
  private enum Comparison: String, CaseIterable {
    // The longer ones first: each begins with a shorter one.
    case notBelow = ">="
    case notAbove = "<="
    case above = ">"
    case below = "<"
    case equal = "="
  }

  private struct Bound: Hashable {
    let comparison: Comparison
    let version: Version
  }

  private let bounds: [Bound]
  package let description: String

  /// The range that a text spells, `*` for any; nil where it spells none.
  package init?(_ text: String) {
    description = text
    guard text != "*" else {
      bounds = []
      return
    }
    let words = text.split { $0 == " " || $0 == "," }
    let bounds = words.compactMap { word -> Bound? in
      let comparison = Comparison.allCases.first { word.hasPrefix($0.rawValue) }
      let version = Version(String(word.dropFirst(comparison?.rawValue.utf8.count ?? 0)))
      return version.map { Bound(comparison: comparison ?? .equal, version: $0) }
    }
    guard !words.isEmpty, bounds.count == words.count else { return nil }
    self.bounds = bounds
  }

  /// Whether a version is in it.
  package func contains(_ version: Version) -> Bool {
    bounds.allSatisfy { bound in
      switch bound.comparison {
      case .notBelow: version >= bound.version
      case .notAbove: version <= bound.version
      case .above: version > bound.version
      case .below: version < bound.version
      case .equal: version == bound.version
      }
    }
  }
}
