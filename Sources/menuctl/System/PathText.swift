extension String {
  /// The path without redundant parts: `././a//b` becomes `./a/b`. A '..' stays, since the part before it may be a link.
  var withoutDots: String {
    var parts = ""
    for part in split(separator: "/") where part != "." { parts += parts.isEmpty ? part : "/" + part }
    let isWhole = utf8.first == UInt8(ascii: "/")
    if parts.isEmpty { return isWhole ? "/" : isEmpty ? "" : "." }
    let start = isWhole ? "/" : utf8.starts(with: "./".utf8) ? "./" : ""
    return start + parts
  }
}
