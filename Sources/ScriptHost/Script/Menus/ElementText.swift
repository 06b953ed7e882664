// Texts of elements: what can't be shown is replaced, and a text that is too long is cut; both with a warning.

extension String {
  /// The most bytes of a text that a script gives to be shown.
  static let longestShown = 4096

  /// The text as the host keeps and shows what scripts say: its first 4 KiB, with U+FFFD in place of control characters.
  func shown(hasLines: Bool) -> String {
    guard needsCare else { return self }
    return cut(toBytes: Self.longestShown).withoutControls(hasLines: hasLines).cut(toBytes: Self.longestShown)
  }

  fileprivate var needsCare: Bool {
    withBytes { bytes in
      // 0xC2 begins the control characters beyond ASCII, and a few others.
      bytes.count > Self.longestShown || bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }
    }
  }
}

extension ScriptEngine {
  /// A text that a script gives an element, made fit to be shown; some may have several lines.
  func shownText(
    _ value: LuaValue, _ what: @autoclosure () -> String, at place: Place?, hasLines: Bool = false
  ) -> String? {
    switch value {
    case .text(let text):
      guard text.needsCare else { return text }
      return careful(text, what(), at: place, hasLines)
    case .bytes(let bytes):
      warnOnce("text", "\(what()) is not UTF-8: what can't be read is shown as U+FFFD", at: place)
      return careful(String(decoding: bytes, as: UTF8.self), what(), at: place, hasLines)
    default: return nil
    }
  }

  private func careful(_ text: String, _ what: String, at place: Place?, _ hasLines: Bool) -> String {
    let cut = text.cut(toBytes: Element.textLimit)
    let shown = cut.shown(hasLines: hasLines)
    if !shown.hasSameBytes(as: cut) {
      warnOnce("text", "\(what) has control characters: they are shown as U+FFFD", at: place)
    }
    if text.utf8.count > Element.textLimit {
      warnOnce("text", "\(what) is longer than \(Element.textLimit) bytes: it is cut", at: place)
    }
    return shown
  }

  /// A text that a script declares and the host keeps; throws for any other value.
  func keptText(
    _ value: LuaValue, _ what: @autoclosure () -> String, at place: Place?, hasLines: Bool = false
  ) throws -> String {
    if let text = shownText(value, what(), at: place, hasLines: hasLines) { return text }
    throw LuaMisuse("\(what()) must be a string, not \(value.described)")
  }

  /// A name that a script declares and the host keeps. A cut one would be another name.
  func keptName(_ name: String, _ what: @autoclosure () -> String) throws -> String {
    guard name.utf8.count > Element.idLimit else { return name }
    throw LuaMisuse("\(what()) can have \(Element.idLimit) bytes at most, this one has \(name.utf8.count)")
  }

  /// An id that a script gives, which must be a text that people can read and write.
  func elementID(_ value: LuaValue, _ what: @autoclosure () -> String) throws -> String {
    switch value {
    case .text(let id):
      if id.isEmpty { throw LuaMisuse("\(what()) can't be empty") }
      if id.utf8.count > Element.idLimit {
        throw LuaMisuse("\(what()) can have \(Element.idLimit) bytes at most, this one has \(id.utf8.count)")
      }
      if id.unicodeScalars.contains(where: \.isControl) { throw LuaMisuse("\(what()) can't have control characters") }
      return id
    case .integer(let number): return String(number)
    case .bytes: throw LuaMisuse("\(what()) must be UTF-8")
    default: throw LuaMisuse("\(what()) must be a string, not \(value.described)")
    }
  }
}
