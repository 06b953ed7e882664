/// The names that live apps can have: at most 64 of `[A-Za-z0-9_.-]`.
package enum SessionName {
  static let longest = 64

  /// Makes a name from a text: every other character becomes '-'.
  package static func made(of text: String) -> String {
    let name = text.unicodeScalars.prefix(longest).map { isPart($0) ? Character($0) : "-" }
    return name.isEmpty ? "app" : String(name)
  }

  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longest && text.unicodeScalars.allSatisfy(isPart)
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "-": true
    default: false
    }
  }
}
