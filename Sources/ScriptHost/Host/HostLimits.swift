/// What the scripts of a host may spend before they are ended.
///
/// ```swift
/// let host = ScriptHost(limits: HostLimits(memory: 16 << 20, perform: .milliseconds(200)))
/// try host.load(text: "function app.on:spin() while true do end end", name: "spin.lua")
/// print(host.perform("spin").error?.limit == .time)  // true
/// ```
public struct HostLimits: Sendable, Equatable {
  /// Bytes that all scripts together may hold.
  public var memory: Int
  /// For loading one script.
  public var load: Allowance
  /// For each perform and each question that the program asks; one that a script asks for has no more than is left of the script's own. What
  /// an action of the program's does takes nothing from it, unless a script asked for that, and what it performs is asked for by the program.
  public var perform: Allowance
  /// For each scripted test, once its file is loaded, and for each time that a test's clock is driven: what ten performs may spend, so that a
  /// test outlives one that never ends.
  public var test: Allowance
  /// Bytes that each script may print and log in one go: a load, a perform, a line, a test, with whatever they call.
  public var output: Int

  /// The limits that suit an app with a person in front of it.
  public init(
    memory: Int = 64 << 20, load: Allowance = .milliseconds(2000, instructions: 200_000_000),
    perform: Allowance = .milliseconds(1000, instructions: 200_000_000),
    test: Allowance = .milliseconds(10_000, instructions: 2_000_000_000), output: Int = 1 << 20
  ) {
    self.memory = memory
    self.load = load
    self.perform = perform
    self.test = test
    self.output = output
  }
}

/// How much time and how many instructions a run may take; a run nested in it can't have more.
public struct Allowance: Sendable, Equatable {
  /// Time while it runs; none of its own when 0.
  public var nanoseconds: UInt64
  /// Instructions of Lua's; none of its own when 0.
  public var instructions: UInt64

  /// An allowance of both.
  public init(nanoseconds: UInt64 = 0, instructions: UInt64 = 0) {
    self.nanoseconds = nanoseconds
    self.instructions = instructions
  }

  /// So much time, and so many instructions.
  public static func milliseconds(_ count: UInt64, instructions: UInt64 = 0) -> Allowance {
    Allowance(nanoseconds: count.multipliedReportingOverflow(by: 1_000_000).partialValue, instructions: instructions)
  }
}

extension HostLimits {
  /// For reading a manifest only, since there may be many; never more than loading may spend.
  var listing: Allowance {
    let most = Allowance.milliseconds(200, instructions: 20_000_000)
    return Allowance(
      nanoseconds: load.nanoseconds == 0 ? most.nanoseconds : min(load.nanoseconds, most.nanoseconds),
      instructions: load.instructions == 0 ? most.instructions : min(load.instructions, most.instructions))
  }
}
