/// What a bare word stands for in the place of a value.
///
/// Only `true`, `false`, `null` and JSON's own spelling of a number are more than text: `01`, `1.`, `.5` and `+1` are
/// words.
enum BareWord: Equatable {
  case null
  case bool(Bool)
  case integer
  case fraction
  case text

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    if let keyword = BareWord(keyword: bytes) {
      self = keyword
    } else {
      self = BareWord(number: bytes) ?? .text
    }
  }

  private init?(keyword bytes: UnsafeBufferPointer<UInt8>) {
    switch bytes.count {
    case 4 where bytes.elementsEqual("true".utf8): self = .bool(true)
    case 4 where bytes.elementsEqual("null".utf8): self = .null
    case 5 where bytes.elementsEqual("false".utf8): self = .bool(false)
    default: return nil
    }
  }

  /// Follows JSON's grammar: `-`? (`0` | digit without 0, digits) (`.` digits)? (`e` sign? digits)?
  private init?(number bytes: UnsafeBufferPointer<UInt8>) {
    var cursor = ByteCursor(bytes)
    _ = cursor.take(UInt8(ascii: "-"))
    if !cursor.take(UInt8(ascii: "0")), !cursor.takeDigits() { return nil }
    guard cursor.byte != nil else {
      self = .integer
      return
    }
    if cursor.take(UInt8(ascii: ".")), !cursor.takeDigits() { return nil }
    if cursor.take(UInt8(ascii: "e")) || cursor.take(UInt8(ascii: "E")) {
      _ = cursor.take(UInt8(ascii: "+")) || cursor.take(UInt8(ascii: "-"))
      guard cursor.takeDigits() else { return nil }
    }
    guard cursor.byte == nil else { return nil }
    self = .fraction
  }
}

extension ByteCursor {
  /// Goes past ASCII digits and says whether there was one.
  fileprivate mutating func takeDigits() -> Bool {
    let start = offset
    skip { $0.isASCII && $0.isDigit }
    return offset > start
  }
}
