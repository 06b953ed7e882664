import CLua

/// A Swift error on its way through a script.
final class LuaFailure {
  let error: any Error
  /// The description, computed once, because describing an error by its fields takes microseconds.
  let text: String

  init(_ error: any Error) {
    self.error = error
    text = "\(error)"
  }
}

// Creates errors from the records that failed calls into Lua leave on the stack.

extension LuaState {
  /// Throws if a call into Lua failed, and pops its record.
  func check(_ status: Int32, on L: OpaquePointer) throws(LuaError) {
    if status > CLUA_YIELDED.rawValue { throw takeError(status, on: L) }
  }

  /// Pops the record on top, and returns it as an error.
  func takeError(_ status: Int32, on L: OpaquePointer) -> LuaError {
    defer { clua_pop(L, 1) }
    guard clua_room(L, 4) else { return LuaError(.runtime, "stack overflow") }
    if let passed = passedError(on: L) { return passed }
    if clua_isRefusalRecord(L) { return LuaError(.refused, "the handler refused") }
    let raised = raisedTable(on: L)
    let message: String
    do throws(LuaError) {
      if let said = part(CLUA_ERROR_MESSAGE, on: L) ?? raised?.message {
        message = said
      } else {
        message = try describedValue(on: L)
      }
    } catch {
      return error
    }
    let place = raised?.place ?? place(message: message, on: L)
    switch clua_Status(UInt32(bitPattern: status)) {
    case CLUA_SYNTAX: return LuaError(.syntax, message, place: place)
    case CLUA_LIMIT:
      guard let limit = LuaLimit(Int32(clamping: number(CLUA_ERROR_LIMIT, on: L))) else { break }
      return error(for: limit, place: place)
    case CLUA_MEMORY:
      return LuaError(
        .block(limit: limits.block),
        "not enough memory: one table, string or stack can have \(limits.block) bytes at most",
        place: place)
    default: break
    }
    return LuaError(.runtime, message, place: place, traceback: part(CLUA_ERROR_TRACEBACK, on: L))
  }

  func error(for limit: LuaLimit, place: LuaError.Place? = nil) -> LuaError {
    let message =
      switch limit {
      case .time: "the limit of \(seconds(clua_allowed(L))) s is spent: does a loop never end?"
      case .instructions:
        "the limit of \(amount(clua_allowed(L))) instructions is spent: does a loop never end?"
      case .memory: "the scripts' memory limit of \(limits.memory) bytes is spent"
      case .cancelled: "cancelled"
      }
    return LuaError(.limit(limit), message, place: place)
  }

  /// Shows a number of instructions. Round ones are complete. The rest of an outer allowance varies, so two digits are
  /// enough.
  private func amount(_ count: UInt64) -> String {
    if count % 1000 == 0 { return "\(count)" }
    var unit: UInt64 = 1
    while count / unit >= 100 { unit *= 10 }
    return "\((count / unit + (count % unit >= unit - count % unit ? 1 : 0)) * unit)"
  }

  /// Shows seconds with as many digits as matter to a person.
  private func seconds(_ nanoseconds: UInt64) -> String {
    let thousandths = max(1, (nanoseconds + 500_000) / 1_000_000)
    var digits = String(1000 + thousandths % 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(thousandths / 1000)\(digits.isEmpty ? "" : ".")\(digits)"
  }

  /// Returns the Swift error in the record: a `LuaError` unchanged, others with the place in the script.
  private func passedError(on L: OpaquePointer) -> LuaError? {
    _ = clua_errorPart(L, Int32(CLUA_ERROR_VALUE.rawValue))
    let failure = failure(at: -1, on: L)
    clua_pop(L, 1)
    guard let failure else { return nil }
    if let error = failure.error as? LuaError { return error }
    return LuaError(
      .thrown, failure.text, place: place(message: "", on: L), traceback: part(CLUA_ERROR_TRACEBACK, on: L),
      cause: failure.error)
  }

  private func part(_ part: clua_ErrorPart, on L: OpaquePointer) -> String? {
    _ = clua_errorPart(L, Int32(part.rawValue))
    defer { clua_pop(L, 1) }
    return text(at: -1, on: L)
  }

  private func number(_ part: clua_ErrorPart, on L: OpaquePointer) -> Int {
    _ = clua_errorPart(L, Int32(part.rawValue))
    defer { clua_pop(L, 1) }
    return Int(clua_integer(L, -1))
  }

  private func place(message: String, on L: OpaquePointer) -> LuaError.Place? {
    guard let source = part(CLUA_ERROR_SOURCE, on: L) else { return nil }
    return place(source: source, line: number(CLUA_ERROR_LINE, on: L), message: message)
  }

  /// Returns the place in the running script, `level` calls up. `withText` searches the source for the line.
  func place(level: Int32, on L: OpaquePointer, withText: Bool = true) -> LuaError.Place? {
    place(withText: withText) { clua_where(L, level, $0, $1) }
  }

  /// Returns where a function is written; nil for Swift and C functions.
  func place(of function: LuaFunction, withText: Bool = true) -> LuaError.Place? {
    guard (try? push(function.reference, on: L)) != nil else { return nil }
    defer { clua_pop(L, 1) }
    return place(withText: withText) { clua_functionPlace(L, -1, $0, $1) }
  }

  /// Returns the range of lines of a function; nil for Swift and C functions.
  func lines(of function: LuaFunction) -> ClosedRange<Int>? {
    guard (try? push(function.reference, on: L)) != nil else { return nil }
    defer { clua_pop(L, 1) }
    var first: Int32 = 0
    var last: Int32 = 0
    guard clua_functionLines(L, -1, &first, &last), first <= last else { return nil }
    return Int(first)...Int(last)
  }

  private func place(
    withText: Bool, _ ask: (UnsafeMutablePointer<CChar>, Int) -> Int32
  ) -> LuaError.Place? {
    var line: Int32 = 0
    let source = String(unsafeUninitializedCapacity: 1024) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { bytes in
        guard let start = bytes.baseAddress else { return 0 }
        line = ask(start, bytes.count)
        return bytes.firstIndex(of: 0) ?? 0
      }
    }
    guard line > 0 else { return nil }
    return withText
      ? place(source: source, line: Int(line), message: "") : LuaError.Place(source: named(source), line: Int(line))
  }

  /// Returns the name of a chunk without Lua's mark, `=` or `@`.
  private func named(_ source: String) -> String {
    source.hasPrefix("=") || source.hasPrefix("@") ? String(source.dropFirst()) : source
  }

  func place(source: String, line: Int, message: String) -> LuaError.Place {
    let name = named(source)
    let text = self.line(line, of: name)
    let column = text.flatMap { LuaColumn.find(message: message, line: $0) }
    return LuaError.Place(source: name, line: line, column: column, text: text)
  }

  /// Returns the `message` of a raised table, with `file` and `line` if a script saw an error there. Other places
  /// aren't trusted: a script may have written them to blame another script's line.
  private func raisedTable(on L: OpaquePointer) -> (message: String, place: LuaError.Place?)? {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    _ = clua_errorPart(L, Int32(CLUA_ERROR_VALUE.rawValue))
    guard clua_type(L, -1) == CLUA_TTABLE.rawValue, let message = rawText("message", on: L) else { return nil }
    guard let file = rawText("file", on: L), let line = rawInteger("line", on: L), wasTold(line: line, of: file) else {
      return (message, nil)
    }
    var place = place(source: file, line: line, message: message)
    if let column = rawInteger("column", on: L), 1...(place.text?.unicodeScalars.count ?? 0) + 1 ~= column {
      place.column = column
    }
    return (message, place)
  }

  private func rawText(_ key: String, on L: OpaquePointer) -> String? {
    push(text: key, on: L)
    clua_rawGet(L, -2)
    defer { clua_pop(L, 1) }
    return text(at: -1, on: L)
  }

  private func rawInteger(_ key: String, on L: OpaquePointer) -> Int? {
    push(text: key, on: L)
    clua_rawGet(L, -2)
    defer { clua_pop(L, 1) }
    return clua_isInteger(L, -1) ? Int(clua_integer(L, -1)) : nil
  }

  /// The nanoseconds for describing an error. This allowance is separate, because that of the raising code may be
  /// spent.
  private static let saying: UInt64 = 200_000_000

  /// Returns the text of a raised value that isn't a string, from its `__tostring` if any. Throws if that exceeds a
  /// limit.
  private func describedValue(on L: OpaquePointer) throws(LuaError) -> String {
    _ = clua_errorPart(L, Int32(CLUA_ERROR_VALUE.rawValue))
    defer { clua_pop(L, 1) }
    _ = clua_begin(L, Self.saying, 0)
    let status = clua_describeRaised(L, -1)
    _ = clua_end(L)
    switch clua_Status(UInt32(bitPattern: status)) {
    case CLUA_LIMIT, CLUA_MEMORY: throw takeError(status, on: L)
    default: break
    }
    defer { clua_pop(L, 1) }
    guard status == CLUA_OK.rawValue, let text = text(at: -1, on: L) else {
      return "the script raised a value that can't be shown"
    }
    return text
  }
}
