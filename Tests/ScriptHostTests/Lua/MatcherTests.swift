import CMatchOracle
import Expectations
import Foundation
import Testing

/// The project's `find`, `match`, `gmatch`, `gsub` against those of the Lua library that the tests are linked with.
@Suite struct MatcherTests {
  @Test func aMillionRandomCasesGiveWhatStockLuaGives() {
    let cases: UInt64 = isUnoptimized ? 100_000 : 1_000_000
    var report = oracle_Report()
    oracle_compare(20_240_117, cases, &report)
    let first = withUnsafeBytes(of: &report.first) { text($0) }
    expect(report.differences, is: 0, "\(first)")
    expect(report.cases, is: cases)
    expect(report.matched >= cases * 30 / 100)
    expect(report.raised >= cases * 5 / 100)
    withUnsafeBytes(of: &report.kinds) { kinds in
      for (kind, count) in kinds.bindMemory(to: UInt64.self).enumerated() {
        expect(count >= cases / 100, "\(String(cString: oracle_kindName(Int32(kind)))) occurs \(count) times")
      }
    }
  }

  @Test(arguments: Expectation.manual)
  func theManualsRulesHoldInBoth(_ expectation: Expectation) {
    expect(run(expectation.chunk, ours: false), is: expectation.result, "stock Lua")
    expect(run(expectation.chunk, ours: true), is: expectation.result, "our matcher")
  }

  /// Stock 5.4.4 counts its depth wrongly after a loop raised, and then overflows the C stack.
  @Test func aLoopThatWasTooComplexRaisesAgainInsteadOfCrashing() {
    let chunk = """
      local turn = string.gmatch(('a'):rep(400), ('a?'):rep(400) .. 'b')
      local _, first = pcall(turn)
      for _ = 1, 1000 do assert(select(2, pcall(turn)) == first) end
      local deep = string.gmatch('x', ('()'):rep(1000000))
      for _ = 1, 3 do assert(select(2, pcall(deep)) == 'too many captures') end
      return first
      """
    expect(run(chunk, ours: true), is: "pattern too complex")
  }

  /// Another coroutine may run a loop than the one that made it, which may be dead by then.
  @Test func aLoopOutlivesTheCoroutineThatMadeIt() {
    let chunk = """
      local turn = coroutine.wrap(function() return string.gmatch('a b [', '%a') end)()
      collectgarbage()
      return coroutine.wrap(turn)(), turn(), turn()
      """
    expect(run(chunk, ours: true), is: "a b")
  }

  @Test(arguments: Hostile.all)
  func aHostileSearchIsBilledAllTheTime(_ hostile: Hostile) {
    let allowance: UInt64 = isUnoptimized ? 2_000_000 : 20_000_000
    // Far above the usual 0.1 ms, because a shared machine takes time from its threads too.
    let silence: UInt64 = isUnoptimized ? 100_000_000 : 20_000_000
    let bill = oracle_bill(hostile.chunk, hostile.payments == nil ? allowance : .max)
    expect(bill.raised, is: (hostile.payments == nil))
    expect(bill.payments >= hostile.payments ?? allowance / 2000)
    expect(bill.steps >= bill.payments * 1000)
    expect(bill.longestSilence < silence, "nanoseconds of the thread's time")
  }

  /// A step is about a byte: the result of a search in a megabyte must not depend on the number of matches.
  @Test(arguments: [
    "s:gsub(',', ';')", "s:gsub('a,b', ';')", "for _ in s:gmatch('[^,]+') do end", "s:find('no such thing', 1, true)",
    "local at = 1 while at do at = s:find(',', at + 1, true) end", "s:gsub('%a', string.upper)",
  ])
  func anOrdinarySearchIsBilledForWhatItLooksAt(_ search: String) {
    let bill = oracle_bill("local s = ('a,bcd,efgh'):rep(100000) \(search)", .max)
    expect(!bill.raised)
    expect(bill.steps < 5_000_000)
  }

  @Test func endingASearchAnywhereLeaksNothing() {
    let chunk = """
      local s, big = ('ab c'):rep(5000), ('x'):rep(100000)
      local set = '[' .. ('a-z'):rep(400) .. ']'
      local searches = {
        function() return s:find('.-.-d') end, function() return s:match('(' .. set .. ')(.-)x') end,
        function() return s:gsub('.', '%0%0') end, function() return s:gsub('%w', {a = big}) end,
        function() return s:gsub('%a', function() return big end) end, function() return s:find(big, 1, true) end,
        function() return s:gsub('()', '%1') end, function() for a in s:gmatch('.-b') do a = a .. a end end,
        function() return big:match('.*') end, function() return s:match(set:rep(40)) end,
      }
      local function round() for _, search in ipairs(searches) do pcall(search) end end
      round() collectgarbage() collectgarbage()
      local before = collectgarbage('count')
      for _ = 1, 300 do round() end
      collectgarbage() collectgarbage()
      assert(collectgarbage('count') - before < 4, collectgarbage('count') - before)
      """
    let bill = oracle_bill(chunk, 0)
    expect(!bill.raised)
    expect(bill.payments >= 2000)
  }

  /// Set MATCHER_SPEED to print how our matcher compares with stock Lua's.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["MATCHER_SPEED"] != nil))
  func usualPatternsTakeNoLonger() {
    var product = 1.0
    for usual in Usual.all {
      var stock: UInt64 = 0
      var ours: UInt64 = 0
      oracle_time(usual.chunk, &stock, &ours)
      let ratio = Double(ours) / Double(stock)
      product *= ratio
      let row = [String(format: "%5.2f", ratio), String(format: "%9.3f ms", Double(ours) / 1e6), usual.name]
      print(row.joined(separator: "  "))
    }
    let mean = pow(product, 1 / Double(Usual.all.count))
    print(String(format: "%5.2f  mean", mean))
    expect(mean < 1.2)
  }

  private func run(_ chunk: String, ours: Bool) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      _ = oracle_run(chunk, ours, buffer.baseAddress!, buffer.count)
      return text(UnsafeRawBufferPointer(buffer))
    }
  }

  private func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
