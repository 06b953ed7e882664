import CLua
import Expectations
import Glibc
import Testing

@testable import ScriptHost

/// Address space can't be limited under the address and thread sanitizers, which reserve most of it.
private let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

@Suite("Exhaustion of the system's memory")
struct ExhaustionTests {
  @Test("In host code, exhaustion ends the process with one clear line", .disabled(if: isSanitized))
  func inHostMode() async throws {
    let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
      let lua = try LuaState()
      let text = [UInt8](repeating: 0x61, count: 64 << 20)
      var limit = rlimit(rlim_cur: 64 << 20, rlim_max: 64 << 20)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      _ = try lua.describe(.bytes(text))
    }
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let said = error.split(separator: "\n").filter { $0.hasPrefix("menuctl:") }
    expect(said.count, is: 1)
    expect(said.first?.hasPrefix("menuctl: out of memory: the system has no block of 671"), is: true, "\(error)")
  }

  @Test("In a script, exhaustion is an error of the script", .disabled(if: isSanitized))
  func inScriptMode() async throws {
    await #expect(processExitsWith: .success) {
      let lua = try LuaState(limits: LuaLimits(memory: 1 << 40, block: 1 << 40))
      let function = try lua.load("return #('x'):rep(1 << 30)", name: "t")
      var limit = rlimit(rlim_cur: 64 << 20, rlim_max: 64 << 20)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      for _ in 1...10 { #expect(throws: LuaError.self) { try lua.call(function) } }
      try expect(lua.call(lua.load("return 1", name: "t")).shown, is: "1")
    }
  }
}
