extension String {
  /// The text, or as many whole characters of its beginning as fit into so many bytes.
  func cut(toBytes most: Int) -> String {
    guard utf8.count > most else { return self }
    var end = utf8.index(startIndex, offsetBy: max(0, most))
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }

  /// The same, with an ellipsis where something is missing.
  func shortened(toBytes most: Int) -> String { utf8.count > most ? cut(toBytes: most) + "…" : self }
}
