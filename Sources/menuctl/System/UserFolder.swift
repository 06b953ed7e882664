import Glibc

/// A *user folder* is the user's folder for this tool, according to the XDG base directories.
enum UserFolder {
  /// Returns the path of `menuctl` in the folder of a variable, else in a folder below HOME; nil if neither is set.
  static func path(_ variable: String, else below: String) -> String? {
    if let base = value(variable), base.utf8.first == UInt8(ascii: "/") { return "\(base)/menuctl" }
    return value("HOME").map { "\($0)/\(below)/menuctl" }
  }

  private static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
