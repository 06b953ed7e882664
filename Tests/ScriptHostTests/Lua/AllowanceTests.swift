import CLua
import Expectations
import Glibc
import Testing

@testable import ScriptHost

/// The allowance that a script spends.
private enum Spent: String, CaseIterable, Sendable {
  case time, instructions, memory

  /// A part of the outer allowance, or the outer allowance itself:
  /// it has so much more that a busy machine doesn't spend it.
  func allowance(inner: Bool) -> Allowance {
    switch self {
    case .time: .milliseconds(inner ? 20 : 1000)
    case .instructions: .milliseconds(20_000, instructions: inner ? 200_000 : 4_000_000)
    case .memory: .milliseconds(20_000)
    }
  }

  var limit: LuaLimit {
    switch self {
    case .time: .time
    case .instructions: .instructions
    case .memory: .memory
    }
  }

  var script: String {
    self == .memory ? "local t = {} while true do t[#t + 1] = ('x'):rep(100000) end" : "while true do end"
  }
}

@Suite("Allowances", .serialized)
struct AllowanceTests {
  /// A state with a function `inner`, which runs its argument within an allowance and swallows the end.
  private static func state(_ spent: Spent, ends: @escaping (LuaLimit?) -> Void) throws -> LuaState {
    let lua = try LuaState()
    let inner = lua.function { call in
      guard case .function(let body) = try call[0] else { throw LuaMisuse("a function is wanted") }
      do {
        _ = try call.state.within(spent.allowance(inner: true)) { try call.state.call(body) }
        ends(nil)
        return .values(["returned"])
      } catch let error as LuaError {
        ends(error.limit)
        return .values(["ended"])
      }
    }
    try lua.rawSet("inner", .function(inner), of: lua.globals)
    return lua
  }

  @Test("Spending an inner allowance ends only the code in it", arguments: Spent.allCases)
  private func innerSpent(_ spent: Spent) throws {
    var ends: [LuaLimit?] = []
    let lua = try Self.state(spent) { ends.append($0) }
    let script = try lua.load(
      "local a = inner(function() \(spent.script) end) local b = inner(function() end) return a, b", name: "outer")
    let results = try lua.within(spent.allowance(inner: false)) { try lua.call(script) }
    expect(results.map { "\($0)" }, is: ["text(\"ended\")", "text(\"returned\")"])
    expect(ends, is: [spent.limit, nil])
    expect(clua_trip(lua.L) == CLUA_TRIP_NONE.rawValue)
  }

  @Test(
    "Spending the outer allowance unwinds both, even if callbacks catch it", arguments: [Spent.time, .instructions])
  private func outerSpent(_ spent: Spent) throws {
    let lua = try Self.state(spent) { _ in }
    let script = try lua.load(
      "while true do pcall(inner, function() pcall(inner, function() \(spent.script) end) end) end", name: "outer")
    #expect(throws: LuaError.self) { try lua.within(spent.allowance(inner: false)) { try lua.call(script) } }
    let error = limit { try lua.within(spent.allowance(inner: false)) { try lua.call(script) } }
    expect(error, is: spent.limit)
    try stillWorks(lua)
  }

  @Test("Memory that the outer script holds ends the outer script too")
  func outerMemory() throws {
    let lua = try Self.state(.memory) { _ in }
    // The inner script may end with exactly as much as scripts may hold: then the next string is one too many.
    let fill = "t[#t + 1] = ('x'):rep(100000)"
    let script = try lua.load(
      "local t = {} while true do inner(function() while true do \(fill) end end) \(fill) end", name: "outer")
    // For the thread sanitizer a block of this size is a separate mapping: it takes a hundred times as long.
    expect(limit { try lua.within(.milliseconds(120_000)) { try lua.call(script) } }, is: .memory)
    try stillWorks(lua)
  }

  @Test("An allowance isn't charged for memory taken before it began")
  func takenBefore() throws {
    let lua = try LuaState()
    try lua.run("s = ('x'):rep(30000)")
    let taking = try lua.load("return s .. s", name: "taking")
    let counting = try lua.load("for i = 1, 1000 do end", name: "counting")
    for _ in 0..<3 { _ = try lua.within(instructions: 60_000) { try lua.call(taking) } }
    #expect(throws: Never.self) { try lua.within(instructions: 5_000) { try lua.call(counting) } }
  }

  @Test("An allowance is charged for memory taken between checks, after any cause of a check")
  func takenBetween() throws {
    let lua = try LuaState()
    try lua.run("s = ('x'):rep(30000)")
    // Repeating a text counts its bytes, and makes the host check the limits.
    let taking = try lua.load("for i = 1, 100 do local x = s .. s local y = ('y'):rep(4000) end", name: "taking")
    expect(limit { try lua.within(instructions: 600_000) { try lua.call(taking) } }, is: .instructions)
    #expect(throws: Never.self) { try lua.within(instructions: 1_000_000) { try lua.call(taking) } }
  }

  @Test("An inner allowance can't exceed the rest of the outer allowance")
  func clamped() throws {
    let lua = try LuaState()
    let loop = try lua.load("while true do end", name: "loop")
    let before = threadTime()
    let found = limit {
      try lua.within(.milliseconds(30)) { try lua.within(.milliseconds(60_000)) { try lua.call(loop) } }
    }
    expect(found, is: .time)
    expect(threadTime() - before < 200_000_000)
    try stillWorks(lua)
  }

  @Test("A Swift caller that swallows the end of a script gets it again at the end of the allowance")
  func swallowedOutside() throws {
    let lua = try LuaState()
    let loop = try lua.load("while true do end", name: "loop")
    let found = limit {
      try lua.within(.milliseconds(20)) {
        for _ in 0..<3 { _ = try? lua.call(loop) }
      }
    }
    expect(found, is: .time)
    try stillWorks(lua)
  }

  @Test("Three hundred nested allowances work, even those beyond the deepest level")
  func manyLevels() throws {
    let lua = try LuaState()
    let loop = try lua.load("while true do end", name: "loop")
    func nest(_ count: Int) throws {
      if count == 0 {
        _ = try lua.call(loop)
      } else {
        try lua.within(.milliseconds(50)) { try nest(count - 1) }
      }
    }
    expect(limit { try nest(300) }, is: .time)
    try stillWorks(lua)
  }

  @Test("Allowances beyond the deepest level end without ending an outer one")
  func levelsEndExactly() throws {
    let lua = try LuaState()
    let counting = try lua.load("for i = 1, 20000 do end", name: "counting")
    let found = limit {
      try lua.within(instructions: 50_000) {
        for _ in 0..<300 { _ = clua_begin(lua.L, 0, 1_000) }
        for _ in 0..<300 { clua_end(lua.L) }
        for _ in 0..<3 { try lua.call(counting) }
      }
    }
    expect(found, is: .instructions)
    #expect(throws: Never.self) { try lua.within(instructions: 50_000) { try lua.call(counting) } }
  }

  @Test("Another thread can cancel a script through everything that catches, and the state goes on")
  func cancelledFromAThread() throws {
    let lua = try LuaState()
    let loop = try lua.load(
      "while true do pcall(coroutine.wrap(function() while true do pcall(error) end end)) end", name: "loop")
    for _ in 0..<3 {
      let canceller = lua.canceller
      let other = try TestThread {
        usleep(20_000)
        canceller.cancel()
      }
      expect(limit { try lua.within(.milliseconds(20_000)) { try lua.call(loop) } }, is: .cancelled)
      try other.join()
      try stillWorks(lua)
    }
  }

  @Test("Cancelling outside every allowance ends one call only")
  func cancelledWithoutAllowance() throws {
    let lua = try LuaState()
    let loop = try lua.load("while true do end", name: "loop")
    lua.canceller.cancel()
    expect(limit { try lua.call(loop) }, is: .cancelled)
    try stillWorks(lua)
  }

  @Test("A signal handler can cancel a script")
  func cancelledFromASignal() throws {
    let lua = try LuaState()
    let loop = try lua.load("while true do pcall(function() while true do end end) end", name: "loop")
    signalledPulse = lua.canceller.pulse
    let before = signal(SIGALRM) { _ in clua_cancel(signalledPulse) }
    var interval = itimerval()
    interval.it_value.tv_usec = 20_000
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &interval, nil)
    expect(limit { try lua.within(.milliseconds(20_000)) { try lua.call(loop) } }, is: .cancelled)
    signal(SIGALRM, before)
    try stillWorks(lua)
  }

  @Test("S4: The host checks time between its long calls, although Lua counts each as one instruction")
  func longCalls() throws {
    let host = ScriptHost(limits: HostLimits(perform: .milliseconds(40)))
    host.on("slow") { _ in }
    host.can("slow") { _ in
      usleep(5000)
      return .yes
    }
    let text = "function app.on:go() for i = 1, 120 do app:validate 'slow' end end"
    try host.load(text: text, name: "app.lua")
    expect(host.perform("go").error?.limit, is: .time)
  }

  private func limit<Result>(_ body: () throws -> Result) -> LuaLimit? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? LuaError)?.limit
    }
  }

  private func stillWorks(_ lua: LuaState) throws {
    let results = try lua.call(try lua.load("return 6 * 7", name: "after"))
    expect(results.map { "\($0)" }, is: ["integer(42)"])
    expect(clua_counters(lua.L).hostDepth, is: 1)
  }
}

/// The pulse that the signal handler cancels; a handler can't capture it.
nonisolated(unsafe) private var signalledPulse: UnsafeMutablePointer<clua_Pulse>?
