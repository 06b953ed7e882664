import CLua
import Glibc

/// The text of a chunk, kept so that an error can show the line.
struct LuaSource {
  let bytes: [UInt8]

  /// Reads a file as editors write it: drops a byte order mark, and makes a `#!` line a comment.
  init(_ bytes: [UInt8]) {
    var bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    if bytes.starts(with: [UInt8(ascii: "#"), UInt8(ascii: "!")]) { bytes.replaceSubrange(0..<2, with: [0x2D, 0x2D]) }
    self.bytes = bytes
  }

  /// The offset of the first byte that isn't allowed in text. Bytecode begins with this kind of byte.
  var firstNonText: Int? { [UInt8(0), 0x1B].compactMap { offset(of: $0, from: 0) }.min() }

  /// Returns a line by its number, from 1, without its end.
  func line(_ number: Int) -> String? {
    first(from: number, most: 1) { _, line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
  }

  /// Calls `find` for at most `most` lines from a number on, until it returns a result. Reads the text only once.
  func first<Found>(from number: Int, most: Int, _ find: (Int, ArraySlice<UInt8>) -> Found?) -> Found? {
    guard number > 0 else { return nil }
    let newline = UInt8(ascii: "\n")
    var start = 0
    for _ in 1..<number {
      guard let end = offset(of: newline, from: start) else { return nil }
      start = end + 1
    }
    var count = 0
    while count < most, start <= bytes.count {
      let end = offset(of: newline, from: start) ?? bytes.count
      if let found = find(number + count, bytes[start..<end]) { return found }
      start = end + 1
      count += 1
    }
    return nil
  }

  private func offset(of byte: UInt8, from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start < bytes.count else { return nil }
      return memchr(base + start, Int32(byte), bytes.count - start).map { UnsafeRawPointer($0) - base }
    }
  }
}

extension String {
  /// Whether it is a Lua identifier and not a keyword.
  package var isLuaWord: Bool {
    guard let first = utf8.first, !(0x30...0x39).contains(first), !Self.luaWords.contains(self) else { return false }
    return utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & ~0x20) || $0 == 0x5F }
  }

  /// Lua's keywords.
  static let luaWords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]
}

/// A script compiled by one state, which other states load without compiling it again.
///
/// Only C creates and reads it. Bytecode from anywhere else is never loaded.
final class LuaProgram: @unchecked Sendable {
  let name: String
  let source: LuaSource
  let code: OpaquePointer

  init(name: String, source: LuaSource, code: OpaquePointer) {
    self.name = name
    self.source = source
    self.code = code
  }

  deinit { clua_freeCode(code) }
}
