import Dispatch
import Expectations
import Testing

@testable import ScriptHost

extension Outcome {
  /// The result, if it is a text or an integer.
  fileprivate var said: String? {
    switch result {
    case .text(let text): text
    case .integer(let number): "\(number)"
    default: nil
    }
  }
}

@Suite("Performs inside the program's actions cost scripts no allowance")
struct NativeAllowanceTests {
  /// `part` spends nearly half of a perform's allowance, `endless` all of it.
  private static let script = """
    heard = {}
    local function spend() for i = 1, 200000 do local x = i end end
    function app.on:part() spend() return "done" end
    function app.on:endless() while true do end end
    function app:failed(failure) heard[#heard + 1] = failure.message end
    function app.on:heard() local n = #heard heard = {} return n end
    menubar { menu "M" { item "All" { "all" } } }
    """

  private static let limits = HostLimits(perform: .milliseconds(60_000, instructions: 900_000))

  /// The ways in which a program performs an action.
  enum Way: CaseIterable {
    case first, again, observed, told, picked, pressed, given, supplied
  }

  private func perform(_ action: String, _ way: Way, _ host: ScriptHost) -> Outcome {
    switch way {
    case .first: return host.perform(action)
    case .again:
      host.perform(action)
      return host.perform(action)
    case .observed:
      host.observe { _ in }
      return host.perform(action)
    case .told:
      host.onTrace = { _ in }
      return host.perform(action)
    case .picked: return host.pick("M/All")
    case .pressed: return host.press("ctrl+a")
    case .given:
      var options = PerformOptions()
      options.arguments = ["n": 1]
      return host.perform(action, options)
    case .supplied:
      host["n"] = 1
      return host.perform(action)
    }
  }

  private func stage(_ more: String = "") throws -> ScriptStage {
    try ScriptStage(Self.script + more, limits: Self.limits)
  }

  @Test(
    "S4a: Each perform of a program's action has its own allowance, however the action itself is performed",
    arguments: Way.allCases)
  func eachItsOwn(_ way: Way) throws {
    let host = try stage("app.keys['ctrl+a'] = 'all'").host
    nonisolated(unsafe) var outcomes: [Outcome] = []
    host.on("all") { [unowned host] _ in
      outcomes = (0..<5).map { _ in host.perform("part") }
      return "all done"
    }
    expect(perform("all", way, host).said, is: "all done")
    expect(outcomes.count, is: 5)
    for outcome in outcomes { expect(outcome.said, is: "done", "\(outcome)") }
  }

  @Test(
    "S4a: If a script spends its allowance, its `failed` hooks run, and the next perform works",
    arguments: Way.allCases)
  func spent(_ way: Way) throws {
    let host = try stage("app.keys['ctrl+a'] = 'all'").host
    nonisolated(unsafe) var outcomes: [Outcome] = []
    host.on("all") { [unowned host] _ in
      outcomes = ["endless", "part", "endless", "part"].map { host.perform($0) }
      return .null
    }
    expect(perform("all", way, host).status, is: .handled)
    expect(outcomes.map(\.status), is: [.failed, .handled, .failed, .handled])
    expect(outcomes.compactMap(\.error?.limit), is: [.instructions, .instructions])
    expect(host.perform("heard").said, is: (way == .again ? "4" : "2"))
  }

  @Test(
    "S4a: If a script performs the program's action, performs inside have what is left of the script's allowance",
    arguments: [false, true])
  func calledByAScript(_ isObserved: Bool) throws {
    let host = try stage(
      """
      function app.on:calls() return app:perform("all").result end
      function app.on:calls_often() for i = 1, 5 do app:perform("all") end return "never" end
      """
    ).host
    if isObserved { host.observe { _ in } }
    host.on("all") { [unowned host] _ in
      .text("\(host.perform("part").status)")
    }
    for _ in 0..<2 {
      expect(host.perform("calls").said, is: "handled")
      let outcome = host.perform("calls_often")
      expect(outcome.status == .failed && outcome.error?.limit == .instructions)
    }
  }

  @Test("S4a: Performs inside cost the observers of the action nothing, before and after it")
  func heard() throws {
    let host = try stage("observe('all', function() for i = 1, 60000 do local x = i end end)").host
    host.on("all") { [unowned host] _ in
      for _ in 0..<5 { host.perform("part") }
      return "all done"
    }
    for _ in 0..<2 { expect(host.perform("all").said, is: "all done") }
    expect(host.diagnostics.isEmpty, "\(host.diagnostics)")
  }

  @Test("S4: The program's time is no script's: the host neither ends nor blames the next script for it")
  func timeOfTheProgram() throws {
    let host = try ScriptStage(
      """
      local function spend() for i = 1, 300000 do local x = i end end
      observe("*", spend)
      """, limits: HostLimits(perform: .milliseconds(300))
    ).host
    host.on("slow") { _ in
      let end = DispatchTime.now() + .milliseconds(400)
      while DispatchTime.now() < end {}
      return "slow"
    }
    for _ in 0..<4 { expect(host.perform("slow").said, is: "slow") }
    expect(host.diagnostics.isEmpty, "\(host.diagnostics)")
  }

  @Test("S4: A memory limit reached inside ends that perform, and not the next")
  func memory() throws {
    let host = try ScriptStage(
      """
      heard = 0
      function app.on:fills() local all = {} for i = 1, 1e9 do all[i] = ("x"):rep(1000) .. i end end
      observe("*", function(event) if event.action == "all" then heard = heard + 1 end end)
      function app.on:heard() return heard end
      """, limits: HostLimits(memory: 16 << 20, perform: .milliseconds(60_000, instructions: 2_000_000_000))
    ).host
    nonisolated(unsafe) var limits: [Failure.Limit?] = []
    host.on("all") { [unowned host] _ in
      limits = (0..<2).map { _ in host.perform("fills").error?.limit }
      return .null
    }
    for _ in 0..<2 {
      expect(host.perform("all").status, is: .handled)
      expect(limits, is: [.memory, .memory])
    }
    expect(host.perform("heard").said, is: "4")
  }

  @Test("S4: Cancelling ends the current perform; the program continues, and later observers run")
  func cancelled() throws {
    let host = try stage("observe('all', function() heard[#heard + 1] = 'told' end)").host
    let canceller = try host.canceller()
    nonisolated(unsafe) var outcomes: [Outcome.Status] = []
    host.on("all") { [unowned host] _ in
      canceller.cancel()
      outcomes = ["endless", "part"].map { host.perform($0).status }
      return .null
    }
    for _ in 0..<2 {
      expect(host.perform("all").status, is: .handled)
      expect(outcomes, is: [.cancelled, .handled])
    }
    expect(host.perform("heard").said, is: "4")
  }

  @Test(
    "S4: An endless observer of a cancelled action ends too, whether or not a program's action cancels it"
  )
  func cancelling() throws {
    let host = try stage(
      """
      function app.on:works() sleep(10) end
      observe("works", function(event) if event.stage == "failed" then while true do end end end)
      """
    ).host
    nonisolated(unsafe) var job: Job?
    host.on("stop") { _ -> Void in job?.cancel() }
    for way in 0..<4 {
      if way == 3 { host.observe { _ in } }
      job = host.perform("works").job
      if way == 0 { job?.cancel() } else { expect(host.perform("stop").status, is: .handled) }
      expect(job?.outcome?.status, is: .cancelled)
    }
    expect(host.diagnostics.count, is: 4, "\(host.diagnostics)")
  }

  @Test("S4: Strokes pressed at once share one allowance, also if the program's actions perform", arguments: [1, 2])
  func askedAtOnce(_ time: Int) throws {
    let host = try stage("app.keys.a = 'all'").host
    nonisolated(unsafe) var done: [Outcome.Status] = []
    host.on("all") { [unowned host] _ -> Void in done.append(host.perform("part").status) }
    for _ in 0..<time {
      done = []
      host.press("a a a")
      expect(done.first == .handled && done.last == .failed, "\(done)")
    }
  }

  @Test(
    "S4a: A script that performs one program action inside another has its own allowance for it, and no more"
  )
  func nested() throws {
    let stage = try stage("function app.on:calls(ctx) return app:perform(ctx.what).status end")
    let host = stage.host
    nonisolated(unsafe) var inner: [Outcome.Status] = []
    host.on("inner") { [unowned host] _ -> Void in inner += (0..<3).map { _ in host.perform("part").status } }
    host.on("outer") { [unowned host] _ -> Void in for _ in 0..<2 { host.perform("calls(what: inner)") } }
    for _ in 0..<2 {
      inner = []
      expect(host.perform("outer").status, is: .handled)
      expect(inner, is: [.handled, .handled, .failed, .handled, .handled, .failed])
      expect(host.perform("part").said, is: "done")
    }
  }

  @Test(
    "S4, U3: The `failed` hooks run for an undo whose reversal never ends, observed or not", arguments: [false, true])
  func undone(_ isObserved: Bool) throws {
    let host = try stage(
      """
      app.undo = true
      function app.on:does(ctx) ctx:undo("Does", function() while true do end end) end
      """
    ).host
    if isObserved { host.observe { _ in } }
    for _ in 0..<3 {
      expect(host.perform("does").status, is: .handled)
      expect(host.perform("undo").error?.limit, is: .instructions)
      expect(host.perform("heard").said, is: "1")
    }
  }

  @Test(
    "S4, U3: The `failed` hooks run for an undo whose reversal waits, and then never ends", arguments: [false, true])
  func undoneAfterAWait(_ isObserved: Bool) throws {
    let host = try stage(
      """
      app.undo = true
      function app.on:does(ctx) ctx:undo("Does", function() sleep(1) while true do end end) end
      """
    ).host
    if isObserved { host.observe { _ in } }
    for _ in 0..<3 {
      expect(host.perform("does").status, is: .handled)
      let job = try require(host.perform("undo").job)
      try host.advance(by: .seconds(1))
      expect(job.outcome?.error?.limit, is: .instructions)
      expect(host.perform("heard").said, is: "1")
    }
  }

  @Test(
    "S4, S6: After an observer spent everything, performs inside have their own allowance, and the refused get no blame"
  )
  func spentBefore() throws {
    let stage = try PluginStage(
      [
        "greedy.lua": "plugin { name = 'greedy', version = '1' } observe('all', function() while true do end end)",
        "innocent.lua": "plugin { name = 'innocent', version = '1' } observe('all', function() end)",
        "third.lua": "plugin { name = 'third', version = '1' } function app.on:third() while true do end end",
      ], app: Self.script, limits: Self.limits)
    try stage.load("greedy.lua", "innocent.lua", "third.lua")
    let host = stage.host
    nonisolated(unsafe) var outcomes: [Outcome] = []
    host.on("all") { [unowned host] _ -> Void in outcomes = ["part", "third", "part"].map { host.perform($0) } }
    for _ in 1...3 {
      expect(host.plugins.map(\.trouble), is: [nil, nil, nil])
      expect(host.perform("all").status, is: .handled)
      expect(outcomes.map(\.status), is: [.handled, .failed, .handled])
      expect(outcomes[1].error?.owner, is: "third")
    }
    expect(host.plugins.map { $0.trouble == nil }, is: [false, true, false], "\(host.plugins.map(\.trouble))")
    expect(Set(host.takeDiagnostics().compactMap(\.place?.file)), is: ["\(stage.path)/greedy.lua"])
  }

  @Test("S4, U8: Changes by an observer that spent everything are taken back before the action runs")
  func takenBackBefore() throws {
    let host = try stage(
      """
      app.undo = true
      x, was = 1, 0
      function app.on:increment() x = x + 1 return x end
      function app.on:does(ctx)
        x = x + 10
        ctx:undo("Does", function() x = x - 10 was = x end)
        while true do end
      end
      observe("all", function(event) if event.stage == "will" then app:perform("does") end end)
      function app.on:tells() return "x " .. x .. ", taken back to " .. tostring(was) end
      """
    ).host
    host.on("all") { [unowned host] _ -> Void in host.perform("increment") }
    expect(host.perform("all").status, is: .handled)
    expect(host.perform("tells").said, is: "x 2, taken back to 1")
  }

  @Test("S4: Cancelling an endless observer cancels all performs inside the action")
  func cancelledBefore() throws {
    let host = try stage("observe('all', function(event) while event.stage == 'will' do end end)").host
    nonisolated(unsafe) var outcomes: [Outcome.Status] = []
    host.on("all") { [unowned host] _ -> Void in outcomes = ["part", "part", "part"].map { host.perform($0).status } }
    try host.canceller().cancel()
    expect(host.perform("all").status, is: .handled)
    expect(outcomes, is: [.cancelled, .cancelled, .cancelled])
    expect(host.perform("part").status, is: .handled)
  }

  @Test("S6: A memory limit that an observer reached counts once, and later performs have room")
  func memoryBefore() throws {
    let stage = try PluginStage(
      [
        "greedy.lua": """
        plugin { name = 'greedy', version = '1' }
        local all = {}
        observe('all', function(event) if event.stage == 'will' then
          for i = 1, 1e9 do all[#all + 1] = ("x"):rep(1000) .. i end
        end end)
        """
      ], app: Self.script,
      limits: HostLimits(memory: 16 << 20, perform: .milliseconds(60_000, instructions: 2_000_000_000)))
    try stage.load("greedy.lua")
    let host = stage.host
    nonisolated(unsafe) var outcomes: [Outcome.Status] = []
    host.on("all") { [unowned host] _ -> Void in outcomes = (0..<3).map { _ in host.perform("part").status } }
    for time in 1...3 {
      expect(host.perform("all").status, is: .handled)
      expect(outcomes, is: [.handled, .handled, .handled])
      expect((host.plugins[0].trouble != nil) == (time == 3))
    }
  }

  @Test("C5: A handler that performs itself and passes hands on its own writes, and none of the inner one")
  func performsItself() throws {
    let host = try stage("function app:unknown(ctx) return tostring(ctx.outer) .. ' ' .. tostring(ctx.inner) end").host
    nonisolated(unsafe) var isInner = false
    nonisolated(unsafe) var inner: Outcome?
    host.on("turns") { [unowned host] command -> Value in
      if isInner {
        command.context["inner"] = 1
        throw Pass()
      }
      isInner = true
      defer { isInner = false }
      inner = host.perform("turns")
      command.context["outer"] = 1
      throw Pass()
    }
    for _ in 0..<3 {
      expect(host.perform("turns").said, is: "1 nil")
      expect(inner?.said, is: "nil 1")
    }
  }
}
