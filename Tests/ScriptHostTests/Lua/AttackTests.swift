import CLua
import Expectations
import Testing

@testable import ScriptHost

@Suite("Hostile scripts", .serialized)
struct AttackTests {
  static let all: [Attack] =
    Attack.patterns + Attack.endless + Attack.loops + Attack.slow + Attack.swallowers + Attack.memory
    + Attack.metatables + Attack.library
    + Attack.escapes + Attack.bytecode + Attack.recursion + Attack.source + Attack.coroutines + Attack.callbacks

  /// How much slower this machine is than the machine of the bounds, where a round of Lua's simplest loop took 5 ns.
  /// The sanitizers slow down the code that they check.
  static func slowdown() throws -> Int64 {
    if isUnoptimized { return 20 }
    let lua = try LuaState()
    let loop = try lua.load("local n = 0 for i = 1, 1000000 do n = n + i % 7 end", name: "loop")
    let before = threadTime()
    try lua.call(loop)
    return max((Int64(threadTime() - before) + 4_999_999) / 5_000_000, 1)
  }

  /// Whether a script that ran this far beyond its allowance kept its bound.
  static func keeps(_ attack: Attack, _ overshoot: Int64) throws -> Bool {
    let bound = Int64(attack.bound.nanoseconds)
    return try overshoot <= bound || overshoot <= bound * slowdown()
  }

  /// A script that ends by itself gets the time that it needs on this machine.
  static let patience: UInt64 = isUnoptimized ? 200 : 1

  /// Runs an attack, and again a few times if it ran beyond its bound:
  /// other processes and the system's paging also cost time.
  static func leastOvershoot(of attack: Attack, in run: AttackRun) throws -> (outcome: Attack.Outcome, overshoot: Int64)
  {
    var least = run.run(attack)
    for _ in 1...6 {
      if try keeps(attack, least.1) { break }
      let again = run.run(attack)
      if again.1 < least.1 { least = again }
    }
    return least
  }

  // One test for all of them: with a test for each, every script would wait for its turn among all other tests.
  @Test("A hostile script ends within its bound, with the expected outcome, and leaves a state that works")
  func attacks() throws { for attack in Self.all { try check(attack) } }

  private func check(_ attack: Attack) throws {
    try onThread(stack: 16 << 10) {
      let run = try AttackRun()
      var attack = attack
      if attack.outcome != .limit(.time) { attack.allowance.nanoseconds *= Self.patience }
      // A script with a result reaches the end of its stack first, however long that takes.
      if case .result = attack.outcome { attack.allowance.nanoseconds *= isUnoptimized ? 100 : 10 }
      let (outcome, overshoot) = try Self.leastOvershoot(of: attack, in: run)
      expect(Self.matches(outcome, attack.outcome), "\(attack.name): \(outcome)")
      try expect(Self.keeps(attack, overshoot), "\(attack.name): \(overshoot / 1000) µs")
      run.checkUnharmed(after: attack.name)
    }
  }

  @Test("One state on a small stack survives all hostile scripts in sequence, and its memory stays flat")
  func oneState() throws {
    try onThread(stack: 512) {
      let run = try AttackRun()
      var memory: [Int] = []
      // Lua's tables of strings and references keep their greatest size.
      // A script that the clock cuts off may need that size only in a later round. A leak grows in each round.
      repeat {
        for var attack in Self.all {
          attack.allowance.nanoseconds = min(attack.allowance.nanoseconds, 20_000_000)
          let (_, overshoot) = try Self.leastOvershoot(of: attack, in: run)
          try expect(Self.keeps(attack, overshoot), "\(attack.name): \(overshoot / 1000) µs")
          run.checkUnharmed(after: attack.name)
        }
        memory.append(run.lua.memory)
      } while memory.count < 3 || (memory.count < 6 && !Self.isFlat(memory))
      expect(Self.isFlat(memory), "memory must be flat: \(memory)")
    }
  }

  /// Whether the last round left no more memory than those before.
  private static func isFlat(_ memory: [Int]) -> Bool {
    memory.last ?? 0 <= (memory.dropLast().max() ?? 0) + 1 << 20
  }

  static func matches(_ outcome: Attack.Outcome, _ expected: Attack.Outcome) -> Bool {
    switch (outcome, expected) {
    case (.limit, .limitOrEnd), (.result, .limitOrEnd): true
    case (.error(let message), .error(let part)): part.isEmpty || message.contains(part)
    case (.refused(let message), .refused(let part)): part.isEmpty || message.contains(part)
    default: outcome == expected
    }
  }
}
