extension String {
  /// A path without the parts that lead nowhere: `././a//b` is `./a/b`. A '..' stays, since a link may stand before it.
  var withoutDots: String {
    var parts = ""
    for part in split(separator: "/") where part != "." { parts += parts.isEmpty ? part : "/" + part }
    let isWhole = utf8.first == UInt8(ascii: "/")
    if parts.isEmpty { return isWhole ? "/" : isEmpty ? "" : "." }
    let start = isWhole ? "/" : utf8.starts(with: "./".utf8) ? "./" : ""
    return start + parts
  }
}
