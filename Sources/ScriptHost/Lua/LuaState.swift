import CLua

/// A Lua interpreter that scripts can't break. It stays where it was created: it isn't `Sendable`, and its functions
/// must not run concurrently.
final class LuaState {
  /// The stack in use: the main one, or that of the coroutine that calls Swift now. Exclusivity isn't checked, because
  /// each call reads it, and a pointer can't be half written.
  @exclusivity(unchecked)
  fileprivate(set) var L: OpaquePointer
  let life = LuaLife()
  /// Cancels the current run, from a signal handler or another thread.
  let canceller = LuaCanceller()
  private(set) var limits: LuaLimits
  private let sourceLimit: Int
  var sources: [String: LuaSource] = [:]
  /// The names of the host's own code among them.
  private(set) var ownSources: Set<String> = []
  /// The readings of sources, with the texts.
  var readings: [String: (source: [UInt8], reading: LuaReading)] = [:]
  /// The lines of errors that scripts have seen, by the names of their chunks.
  private var toldLines: [String: Set<Int>] = [:]
  /// The bytes of texts that may still be copied to Swift; see `copying`.
  private(set) var copyable = Int.max
  /// The message of the last misuse by a script, to recognise it: scripts see an error like Lua's own.
  var lastMisuse = ""
  /// - Parameter above: the C layer above, which is opened together with the state.
  init(limits: LuaLimits = LuaLimits(), above: UnsafePointer<clua_Above>? = nil) throws(LuaError) {
    let c = limits.c
    guard let opened = clua_open(runSwift, releaseSwift, c, canceller.pulse, above) else {
      throw LuaError(.unavailable, "Lua can't be opened: there is no memory, or this library can't be made safe")
    }
    L = opened
    self.limits = limits
    sourceLimit = c.source
    life.state = self
  }

  deinit {
    life.state = nil
    clua_close(L)
  }

  /// Compiles the host's own code, which runs with its caller's rights.
  func load(own text: String, name: String) throws(LuaError) -> LuaFunction {
    ownSources.insert(name)
    return try load(bytes: Array(text.utf8), name: name, environment: nil, owner: .callers)
  }

  /// Compiles an owner's script after a prefix that errors don't show. Errors show the name unchanged.
  ///
  /// - Parameter environment: the table for its globals; nil for the state's own.
  func load(
    bytes: [UInt8], name: String, environment: LuaTable? = nil, owner: LuaOwner = .first, behind prefix: String = ""
  ) throws(LuaError) -> LuaFunction {
    guard !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw LuaError(.badName, "a script's name can't have control characters")
    }
    // An error of the whole script has no line, but its reader has to know the file.
    let whole = LuaError.Place(source: name, line: 1)
    guard bytes.count <= sourceLimit else {
      throw LuaError(
        .tooLong(bytes: bytes.count, limit: sourceLimit),
        "the script has \(bytes.count) bytes, and can have \(sourceLimit) at most", place: whole)
    }
    let source = LuaSource(bytes)
    if let offset = source.firstNonText {
      let line = source.bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
      throw LuaError(
        .notText(offset: offset), "the script is no text: byte \(offset + 1) can't be in one",
        place: LuaError.Place(source: name, line: line))
    }
    let globals = try self.globals(environment)
    sources[name] = source
    let status = (prefix.isEmpty ? source.bytes : prefix.utf8 + source.bytes).withUnsafeBytes {
      clua_load(L, $0.baseAddress, $0.count, "=" + name, globals, owner.number)
    }
    do throws(LuaError) { try check(status, on: L) } catch { throw error.placed(at: whole) }
    return LuaFunction(reference: takeReference())
  }

  /// Returns the number of a chunk's table of globals; 0 for the state's own.
  private func globals(_ environment: LuaTable?) throws(LuaError) -> Int32 {
    guard let environment else { return 0 }
    return try id(of: environment.reference)
  }

  /// Returns the compiled code of a loaded script; nil if it is too large to keep.
  func program(of chunk: LuaFunction, name: String) throws(LuaError) -> LuaProgram? {
    try push(chunk.reference, on: L)
    defer { clua_pop(L, 1) }
    guard let source = sources[name], let code = clua_code(L, -1, source.bytes.count) else { return nil }
    return LuaProgram(name: name, source: source, code: code)
  }

  /// Loads code that a state of this process compiled.
  func load(_ program: LuaProgram, environment: LuaTable? = nil, owner: LuaOwner = .first) throws(LuaError)
    -> LuaFunction
  {
    let globals = try self.globals(environment)
    sources[program.name] = program.source
    try check(clua_loadCode(L, program.code, "=" + program.name, globals, owner.number), on: L)
    return LuaFunction(reference: takeReference())
  }

  /// Calls a function, and returns all its results.
  @discardableResult
  func call(_ function: LuaFunction, _ arguments: LuaValue...) throws(LuaError) -> [LuaValue] {
    try call(function, arguments: arguments)
  }

  @discardableResult
  func call(_ function: LuaFunction, arguments: [LuaValue]) throws(LuaError) -> [LuaValue] {
    settleDropped()
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    try push(function.reference, on: L)
    try push(arguments, on: L)
    try check(clua_call(L, Int32(arguments.count), -1), on: L)
    return try values(from: top + 1, on: L)
  }

  /// The globals of scripts that are loaded without an environment.
  var globals: LuaTable {
    clua_pushGlobals(L)
    return LuaTable(reference: takeReference())
  }

  /// Collects all garbage, to release Swift objects that no script holds.
  func collect() {
    settleDropped()
    clua_collect(L)
    // Collecting may have dropped references.
    settleDropped()
    clua_collect(L)
    settleDropped()
  }

  /// Returns the result of `tostring` for a value, which may run a script's `__tostring`.
  func describe(_ value: LuaValue) throws(LuaError) -> String {
    let top = clua_top(L)
    defer { clua_setTop(L, top) }
    try push(value, on: L)
    return try describeTop(on: L)
  }

  /// Pops the value on top of the stack, and describes it.
  func describeTop(on L: OpaquePointer) throws(LuaError) -> String {
    let top = clua_top(L)
    defer { clua_setTop(L, top - 1) }
    try check(clua_describe(L, -1), on: L)
    try copy(Int(clamping: clua_rawLength(L, -1)), on: L)
    return text(at: -1, on: L) ?? ""
  }

  /// The bytes that the interpreter holds.
  var memory: Int { clua_counters(L).live }

  /// Runs a coroutine's call on the coroutine's stack, because Lua counts nested C calls there.
  func on<Result>(_ running: OpaquePointer, _ body: () throws -> Result) rethrows -> Result {
    let outer = L
    L = running
    defer { L = outer }
    return try body()
  }

  /// Returns a line of a loaded script.
  func line(_ number: Int, of name: String) -> String? { sources[name]?.line(number) }

  /// Records that a script saw an error in a line, which it may raise again. Only existing lines count, which bounds
  /// the set.
  func noteTold(line number: Int, of name: String) {
    guard toldLines[name]?.contains(number) != true, line(number, of: name) != nil else { return }
    toldLines[name, default: []].insert(number)
  }

  func wasTold(line number: Int, of name: String) -> Bool { toldLines[name]?.contains(number) ?? false }
}

// Limits copies to Swift. Lua holds a text once. Swift would hold a copy for each mention, long before anything checks
// the size.

extension LuaState {
  /// Runs a body that may copy as many bytes of texts as scripts may hold. Each call from a script to Swift is one.
  func copying<Result, Thrown>(_ body: () throws(Thrown) -> Result) throws(Thrown) -> Result {
    let outer = copyable
    copyable = min(outer, limits.memory)
    defer { copyable = outer }
    return try body()
  }

  /// Counts the bytes of a text before a copy. Above the limit, the current script has exceeded its memory.
  @inline(__always)
  func copy(_ bytes: Int, on L: OpaquePointer) throws(LuaError) {
    copyable -= bytes
    if copyable < 0 { try spendMemory(on: L) }
  }

  /// Ends the current script if scripts can't hold that many more bytes, even after garbage collection.
  func checkRoom(for bytes: Int) throws(LuaError) {
    if memory + bytes <= limits.memory { return }
    collect()
    if memory + bytes > limits.memory { try spendMemory(on: L) }
  }

  private func spendMemory(on L: OpaquePointer) throws(LuaError) {
    clua_spendMemory(L)
    throw error(for: .memory)
  }
}

extension LuaState {
  /// Runs `body` within an allowance of time and instructions, where 0 means none. A script that spends it ends, no
  /// matter what it catches. Code outside continues, unless its allowance is spent too.
  func within<Result>(
    nanoseconds: UInt64 = 0, instructions: UInt64 = 0, _ body: () throws -> Result
  ) throws -> Result {
    _ = clua_begin(L, nanoseconds, instructions)
    let result: Result
    do {
      result = try body()
    } catch {
      // Code that was unwound may have replaced the error of the spent allowance.
      let limit = LuaLimit(clua_end(L))
      if let limit, (error as? LuaError)?.limit == nil { throw self.error(for: limit) }
      throw error
    }
    if let limit = LuaLimit(clua_end(L)) { throw error(for: limit) }
    return result
  }
}
