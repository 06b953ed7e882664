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
  public var load: LuaAllowance
  /// For each perform and each question that the program asks; one that a script asks for has no more than is left of the script's own. What
  /// an action of the program's does takes nothing from it, unless a script asked for that, and what it performs is asked for by the program.
  public var perform: LuaAllowance
  /// For each scripted test, once its file is loaded, and for each time that a test's clock is driven: what ten performs may spend, so that a
  /// test outlives one that never ends.
  public var test: LuaAllowance
  /// Bytes that each script may print and log in one go: a load, a perform, a line, a test, with whatever they call.
  public var output: Int

  /// The limits that suit an app with a person in front of it.
  public init(
    memory: Int = 64 << 20, load: LuaAllowance = .milliseconds(2000, instructions: 200_000_000),
    perform: LuaAllowance = .milliseconds(1000, instructions: 200_000_000),
    test: LuaAllowance = .milliseconds(10_000, instructions: 2_000_000_000), output: Int = 1 << 20
  ) {
    self.memory = memory
    self.load = load
    self.perform = perform
    self.test = test
    self.output = output
  }
}

extension HostLimits {
  /// For reading a manifest only, since there may be many; never more than loading may spend.
  var listing: LuaAllowance {
    let most = LuaAllowance.milliseconds(200, instructions: 20_000_000)
    return LuaAllowance(
      nanoseconds: load.nanoseconds == 0 ? most.nanoseconds : min(load.nanoseconds, most.nanoseconds),
      instructions: load.instructions == 0 ? most.instructions : min(load.instructions, most.instructions))
  }
}
