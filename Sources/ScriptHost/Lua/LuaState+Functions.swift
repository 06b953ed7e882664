import CLua
import Glibc

/// A script's call of a Swift function, with its arguments. Valid only during the call.
struct LuaCall {
  let L: OpaquePointer
  let state: LuaState

  /// The place of the call in the script.
  var place: LuaError.Place? { state.place(level: 1, on: L) }

  /// The number of arguments.
  var count: Int { Int(clua_top(L)) }

  /// The argument at an index, from 0; nil if there is none.
  subscript(index: Int) -> LuaValue {
    get throws(LuaError) {
      guard index >= 0, index < count, let index = Int32(exactly: index + 1) else { return .nil }
      return try state.value(at: index, on: L)
    }
  }

  var arguments: [LuaValue] {
    get throws(LuaError) { try state.values(from: 1, on: L) }
  }
}

/// The result of a Swift function for a script.
enum LuaReturn {
  case values([LuaValue])
  /// This many results are already on the stack.
  case pushed(Int)
  /// A function and this many arguments are on the stack. Its results are the results.
  case call(Int)
  /// Suspends the calling coroutine, which gets the values with which it is resumed.
  case yield([LuaValue])

  static var nothing: LuaReturn { .values([]) }
}

/// A Swift function that Lua holds.
final class LuaFunctionBox {
  unowned let state: LuaState
  let body: (LuaCall) throws -> LuaReturn

  init(state: LuaState, body: @escaping (LuaCall) throws -> LuaReturn) {
    self.state = state
    self.body = body
  }
}

extension LuaState {
  /// Creates a function for scripts. Its errors travel through the script and arrive unchanged.
  func function(_ body: @escaping (LuaCall) throws -> LuaReturn) -> LuaFunction {
    function(body) { clua_pushFunction($0, $1) }
  }

  /// Creates a function that `push` pushes itself. C calls the body only for cases that C doesn't handle.
  func function(
    _ body: @escaping (LuaCall) throws -> LuaReturn, pushed push: (OpaquePointer, UnsafeMutableRawPointer) -> Void
  ) -> LuaFunction {
    self.push(function: body, on: L, by: push)
    return LuaFunction(reference: takeReference())
  }

  /// Pushes a function for scripts.
  func push(
    function body: @escaping (LuaCall) throws -> LuaReturn, on L: OpaquePointer,
    by push: (OpaquePointer, UnsafeMutableRawPointer) -> Void = { clua_pushFunction($0, $1) }
  ) {
    push(L, Unmanaged.passRetained(LuaFunctionBox(state: self, body: body)).toOpaque())
  }
}

/// Runs a Swift function for Lua. It catches all errors, because only C may raise, after this frame is gone.
func runSwift(_ L: OpaquePointer?, _ object: UnsafeMutableRawPointer?) -> Int32 {
  guard let L, let object else { return 0 }
  let box = Unmanaged<LuaFunctionBox>.fromOpaque(object).takeUnretainedValue()
  return box.state.run(box.body, on: L)
}

/// Releases an object that Lua held.
func releaseSwift(_ object: UnsafeMutableRawPointer?) {
  guard let object else { return }
  Unmanaged<AnyObject>.fromOpaque(object).release()
}

extension LuaState {
  fileprivate func run(_ body: (LuaCall) throws -> LuaReturn, on L: OpaquePointer) -> Int32 {
    settleDropped()
    do {
      switch try copying({ try on(L, { try body(LuaCall(L: L, state: self)) }) }) {
      case .values(let values):
        try push(values, on: L)
        return Int32(values.count)
      case .pushed(let count):
        return Int32(clamping: count)
      case .call(let count):
        clua_pushInteger(L, Int64(count))
        return Int32(CLUA_CALL)
      case .yield(let values):
        try push(values, on: L)
        clua_pushInteger(L, Int64(values.count))
        return Int32(CLUA_YIELD)
      }
    } catch let misuse as LuaMisuse {
      lastMisuse = misuse.message
      clua_setTop(L, 0)  // the results so far may have left no room
      push(text: misuse.message, on: L)
      return Int32(CLUA_RAISE_AT)
    } catch let error as LuaError where error.kind == .refused {
      clua_setTop(L, 0)
      clua_pushRefusal(L)
      return Int32(CLUA_RAISE)
    } catch {
      clua_setTop(L, 0)
      push(LuaFailure(error), on: L)
      return Int32(CLUA_RAISE)
    }
  }
}

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
