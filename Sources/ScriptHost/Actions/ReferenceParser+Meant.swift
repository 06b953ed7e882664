// Errors with a guess at what was meant by a reference that can't be parsed.

extension ReferenceParser {
  /// The error when no colon follows a key: if `,` or `)` follows, an action's argument has no key.
  func noColon(behind written: UnsafeBufferPointer<UInt8>, at start: Int, of id: String?) -> ReferenceError {
    let key = clipped(String(decoding: written, as: UTF8.self))
    if cursor.byte == UInt8(ascii: "=") {
      var ahead = cursor
      _ = ahead.take(UInt8(ascii: "="))
      return failure(.equalsForColon(meant: "\(key): \(ahead.takeWord() ?? "…")"))
    }
    guard let id, cursor.byte == UInt8(ascii: ",") || cursor.byte == UInt8(ascii: ")") else {
      return unexpected(.colon)
    }
    return nameless(key, at: start, of: id)
  }

  /// The error that an argument has no name.
  func nameless(_ argument: String, at start: Int, of id: String) -> ReferenceError {
    failure(.namelessArgument(meant: "\(clipped(id))(name: \(argument))"), at: start)
  }

  /// The error when neither a comma nor the closing bracket follows a value: if more words follow, a text lacks quotes.
  func noComma(before closing: ReferenceError.Closing, behind start: Int) -> ReferenceError {
    var ahead = cursor
    guard ahead.take(where: \.beginsBareWord) != nil else { return unexpected(.commaOr(closing)) }
    ahead.skip { $0.continuesBareWord || $0.isBlank }
    var words = String(decoding: ahead.bytes(from: start), as: UTF8.self).unicodeScalars[...]
    // If a key follows, the comma is missing instead.
    guard words.allSatisfy({ $0.continuesBareWord || $0.isBlank }), ahead.byte != UInt8(ascii: ":") else {
      return unexpected(.commaOr(closing))
    }
    while words.last?.isBlank ?? false { words.removeLast() }
    // Any kind of blank is shown as a space, so that the text stays on one line.
    let line = String(String.UnicodeScalarView(words.map { $0.isBlank ? " " : $0 }))
    return failure(.blankInValue(meant: "\"\(clipped(line))\""), at: start)
  }

  /// The error when neither arguments nor the end follow the name of an action.
  func noEnd(behind id: String) -> ReferenceError {
    var ahead = cursor
    let isBehindBlank = ahead.bytes(from: 0).last.map { $0 <= UInt8(ascii: " ") } ?? false
    if ahead.take(UInt8(ascii: ":")) {
      let isAddress = !isBehindBlank && !(ahead.byte.map { $0 <= UInt8(ascii: " ") } ?? true)
      guard let word = ahead.takeWord() else { return unexpected(.openingOrEnd) }
      return failure(isAddress ? .addressed(action: word) : .colonInName(meant: "\(clipped(id))(name: \(word))"))
    }
    // A word like '.b' would belong to the name.
    guard isBehindBlank, let word = ahead.takeWord(), !word.hasPrefix(".") else { return unexpected(.openingOrEnd) }
    ahead.skipBlanks()
    let isKey = ahead.take(UInt8(ascii: ":")) || ahead.take(UInt8(ascii: "="))
    let argument = isKey ? "\(word): \(ahead.takeWord() ?? "…")" : "name: \(word)"
    return failure(.blankInName(meant: "\(clipped(id))(\(argument))"))
  }
}

extension ByteCursor {
  /// Skips blanks and a bare word, and returns the beginning of the word; nil if there is none.
  fileprivate mutating func takeWord() -> String? {
    skipBlanks()
    let start = offset
    guard take(where: \.beginsBareWord) != nil else { return nil }
    skip(while: \.continuesBareWord)
    return clipped(String(decoding: bytes(from: start), as: UTF8.self))
  }
}
