/// Finds the column of an error. Lua tells only its line and, in the message, the name or the token.
enum LuaColumn {
  /// The column of what the message names, if that stands exactly once in the line.
  static func find(message: String, line: String) -> Int? {
    if message.hasSuffix("near <eof>") { return line.unicodeScalars.count + 1 }
    guard let name = named(in: message) ?? first(in: message), !name.isEmpty else { return nil }
    let isGlobal =
      message.contains("' is not defined") || message.contains("' was not defined") || message.contains("(global '")
    return onlyPlace(of: Array(name.unicodeScalars), in: Array(line.unicodeScalars), isFree: isGlobal)
  }

  /// The column of a method's name, if it is called exactly once in the line.
  static func find(method: String, line: String) -> Int? {
    onlyPlace(of: Array(":\(method)".unicodeScalars), in: Array(line.unicodeScalars)).map { $0 + 1 }
  }

  /// The text in quotes at the end of a message: `… near 'x'`, `… (global 'x')`, `… (field 'x')`. A token behind `near` may contain quotes.
  private static func named(in message: String) -> Substring? {
    var text = message[...]
    if text.last == ")" { text.removeLast() }
    guard text.last == "'" else { return nil }
    text.removeLast()
    for quote in text.indices where text[quote] == "'" && text[..<quote].hasSuffix("near ") {
      return text[text.index(after: quote)...]
    }
    guard let quote = text.lastIndex(of: "'") else { return nil }
    return text[text.index(after: quote)...]
  }

  /// The text in quotes with which a message of the host's begins: `'x' is not defined; did you mean 'y'?`
  private static func first(in message: String) -> Substring? {
    guard message.first == "'", let end = message.dropFirst().firstIndex(of: "'") else { return nil }
    return message[message.index(after: message.startIndex)..<end]
  }

  /// - Parameter isFree: whether the name is a global's, so that places behind a dot or a colon don't count.
  private static func onlyPlace(of name: [Unicode.Scalar], in line: [Unicode.Scalar], isFree: Bool = false) -> Int? {
    let startsWord = isWordScalar(name[0])
    let endsWord = isWordScalar(name[name.count - 1])
    var found: Int?
    var at = 0
    while at + name.count <= line.count {
      defer { at += 1 }
      guard line[at..<at + name.count].elementsEqual(name) else { continue }
      if startsWord, at > 0, isWordScalar(line[at - 1]) { continue }
      if isFree, isField(at, in: line) { continue }
      if endsWord, at + name.count < line.count, isWordScalar(line[at + name.count]) { continue }
      if found != nil { return nil }
      found = at + 1
    }
    return found
  }

  /// Whether a dot or a colon stands before an index; two dots don't count, because they concatenate.
  private static func isField(_ at: Int, in line: [Unicode.Scalar]) -> Bool {
    at > 0 && (line[at - 1] == ":" || line[at - 1] == "." && !(at > 1 && line[at - 2] == "."))
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }
}
