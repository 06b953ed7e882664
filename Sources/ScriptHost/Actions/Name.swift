/// A *name* is an identifier that was given a number, so that comparing, hashing and looking it up cost as much as
/// with an integer.
///
/// Names of one host can be compared with each other, those of two hosts can't.
struct Name: Hashable, Sendable {
  let index: Int32
}

/// The names of one host: each sequence of bytes is one name.
///
/// `é` and `e` with an accent after it are two names, although Swift's strings take them for equal. A name stays for
/// the host's life, so only what is declared is interned; what a script merely asks for is looked up with
/// `name(of:)`.
final class NameTable {
  /// How many names scripts may make.
  static let limit = 65_536
  /// How many of them one plugin may make.
  static let limitOfPlugin = 8192
  private let index = TextIndex()
  private var texts: ContiguousArray<String> = []

  /// How many names there are.
  var count: Int { texts.count }

  /// The name of these bytes, a new one the first time.
  func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> Name {
    let number = index.insert(bytes)
    if number == texts.count { texts.append(String(decoding: bytes, as: UTF8.self)) }
    return Name(index: Int32(truncatingIfNeeded: number))
  }

  /// The name of this text, a new one the first time.
  func intern(_ text: String) -> Name {
    text.withBytes(intern)
  }

  /// The name of these bytes, or nil when nobody interned them.
  @inline(__always)
  func name(of bytes: UnsafeBufferPointer<UInt8>) -> Name? {
    index.find(bytes).map { Name(index: Int32(truncatingIfNeeded: $0)) }
  }

  /// The name of this text, or nil when nobody interned it.
  @inline(__always)
  func name(of text: String) -> Name? {
    text.withBytes { bytes in name(of: bytes) }
  }

  /// The text that was interned as this name; empty for a name of another host that has no equal here.
  func text(of name: Name) -> String {
    let index = Int(name.index)
    return texts.indices.contains(index) ? texts[index] : ""
  }
}
