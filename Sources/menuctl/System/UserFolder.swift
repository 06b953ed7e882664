import Glibc

/// A *user folder* is a folder of the user's for this tool, as the XDG base directories say.
enum UserFolder {
  /// The path of `menuctl` in the folder that a variable names, else in one below HOME; nil if neither is set.
  static func path(_ variable: String, else below: String) -> String? {
    if let base = value(variable), base.utf8.first == UInt8(ascii: "/") { return "\(base)/menuctl" }
    return value("HOME").map { "\($0)/\(below)/menuctl" }
  }

  private static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
