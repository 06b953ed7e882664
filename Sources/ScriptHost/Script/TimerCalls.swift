import CLua
import CScript

// after and every: functions that run later, once or again and again.

extension ScriptEngine {
  static let timerNames: [ScriptName] = [
    ScriptName("after") { try $0.time($1, $2, repeated: false) },
    ScriptName("every") { try $0.time($1, $2, repeated: true) },
  ]

  /// How many an owner may have at once.
  private static let mostTimers = 1000

  private func time(_ call: LuaCall, _ owner: ScriptOwner, repeated isRepeated: Bool) throws -> LuaReturn {
    let name = isRepeated ? "every" : "after"
    try refuseWhileAsking("'\(name)'")
    try owner.checkIsThere()
    let seconds: Double
    switch try call[0] {
    case .integer(let value): seconds = Double(value)
    case .number(let value): seconds = value
    default: throw LuaMisuse("\(name) takes seconds and a function, not \(try call[0].described)")
    }
    guard seconds >= 0, seconds <= 1e9 else { throw LuaMisuse("\(name) takes between 0 and 1000000000 seconds") }
    let function = try call.function(1, "what \(name) runs")
    guard owner.timerCount < Self.mostTimers else {
      throw LuaMisuse("'\(owner.owner.name)' has \(Self.mostTimers) timers already, which is the most")
    }
    let handler = ScriptHandler(try withoutArguments(function), of: owner, engine: self)
    handler.isReentrant = true
    let timing = Timing(
      dispatcher, handler, every: Int64(seconds * 1e9), repeated: isRepeated, at: place(call.place))
    owner.timerCount += 1
    timing.onRemove = { [life = owner.life] in life.script?.timerCount -= 1 }
    // A `failed` hook or an observer begins its timers for what failed, so these stay.
    if clua_phase(lua.L) == CLUA_DOING.rawValue { dispatcher.undo.registerForFailure(TimingReversal(timing)) }
    if host.isLoading { owner.newTimers.append(timing) } else { timing.start() }
    // The registration holds the timing weakly: else a script that keeps the handle would keep the function, and the
    // function the script.
    return .values([try handle(Registration { [weak timing] in timing?.remove() })])
  }

  /// A function that calls another without arguments.
  private func withoutArguments(_ function: LuaFunction) throws -> LuaFunction {
    let maker = try timerMaker ?? lua.load(own: "local run = ... return function() return run() end", name: "timer")
    timerMaker = maker
    guard case .function(let made)? = try lua.call(maker, .function(function)).first else { return function }
    return made
  }

  /// Starts the timers that were declared while a script was loaded.
  func startTimers(of owner: Owner) {
    guard let script = script(of: owner) else { return }
    let timers = script.newTimers
    script.newTimers = []
    for timing in timers { timing.start() }
  }
}
