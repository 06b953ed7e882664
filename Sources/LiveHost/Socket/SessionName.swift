/// What live apps can be called: `[A-Za-z0-9_.-]`, 64 of them at most.
package enum SessionName {
  static let longest = 64

  /// A name made of a text: whatever else stands in it becomes '-'.
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
