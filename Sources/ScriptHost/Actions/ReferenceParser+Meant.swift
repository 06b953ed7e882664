// What was most likely meant by what can't be read.

extension ReferenceParser {
  /// Why no colon follows what was read as a key: where nothing but it is the argument of an action, the key is missing.
  func noColon(behind written: UnsafeBufferPointer<UInt8>, at start: Int, of id: String?) -> ReferenceError {
    guard let id, cursor.byte == UInt8(ascii: ",") || cursor.byte == UInt8(ascii: ")") else {
      return unexpected(.colon)
    }
    return nameless(clipped(String(decoding: written, as: UTF8.self)), at: start, of: id)
  }

  /// The error that an argument has no name.
  func nameless(_ argument: String, at start: Int, of id: String) -> ReferenceError {
    failure(.namelessArgument(meant: "\(clipped(id))(name: \(argument))"), at: start)
  }

  /// Why neither a comma nor what closes follows a value: where it is a word and more words follow, it is a text with blanks.
  func noComma(before closing: ReferenceError.Closing, behind start: Int) -> ReferenceError {
    var ahead = cursor
    guard ahead.take(where: \.beginsBareWord) != nil else { return unexpected(.commaOr(closing)) }
    ahead.skip { $0.continuesBareWord || $0.isBlank }
    var words = String(decoding: ahead.bytes(from: start), as: UTF8.self).unicodeScalars[...]
    // Behind a missing comma stands another key.
    guard words.allSatisfy({ $0.continuesBareWord || $0.isBlank }), ahead.byte != UInt8(ascii: ":") else {
      return unexpected(.commaOr(closing))
    }
    while words.last?.isBlank ?? false { words.removeLast() }
    // It is shown on one line, whatever its blanks are.
    let line = String(String.UnicodeScalarView(words.map { $0.isBlank ? " " : $0 }))
    return failure(.blankInValue(meant: "\"\(clipped(line))\""), at: start)
  }

  /// Why neither an argument nor the end follows the name of an action.
  func noEnd(behind id: String) -> ReferenceError {
    var ahead = cursor
    let isBehindBlank = ahead.bytes(from: 0).last.map { $0 <= UInt8(ascii: " ") } ?? false
    let start = ahead.offset
    guard isBehindBlank, ahead.take(where: \.beginsBareWord) != nil else { return unexpected(.openingOrEnd) }
    ahead.skip(while: \.continuesBareWord)
    let word = clipped(String(decoding: ahead.bytes(from: start), as: UTF8.self))
    // As '.b' would be, it belongs to the name.
    if word.hasPrefix(".") { return unexpected(.openingOrEnd) }
    return failure(.blankInName(meant: "\(clipped(id))(name: \(word))"))
  }
}
