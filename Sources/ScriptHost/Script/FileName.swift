import Glibc

/// A name as a folder has it: bytes, which need not be text.
package struct FileName {
  private let bytes: [UInt8]

  package init(_ entry: UnsafeMutablePointer<dirent>) {
    bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
  }

  /// The name, where it is UTF-8.
  package var text: String? { String(validating: bytes, as: UTF8.self) }

  package var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

  package func hasSuffix(_ suffix: String) -> Bool { bytes.reversed().starts(with: suffix.utf8.reversed()) }

  /// The path of this name in a folder, and of another below it, as the system takes it.
  package func path(in folder: String, _ rest: String = "") -> [CChar] {
    (Array("\(folder)/".utf8) + bytes + Array(rest.utf8) + [0]).map(CChar.init(bitPattern:))
  }

  /// The name, with `\xFF` for each byte that is part of no character.
  package var shown: String {
    var result = ""
    var rest = bytes[...]
    while let first = rest.first {
      let character = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }.first
      result += character ?? "\\x" + String(first, radix: 16, uppercase: true)
      rest = rest.dropFirst(character?.utf8.count ?? 1)
    }
    return result
  }
}
