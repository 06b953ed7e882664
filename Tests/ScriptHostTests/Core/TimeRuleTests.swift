import Expectations
import Testing

@testable import ScriptHost

/// A handler that waits a given number of times, without an interpreter.
private final class Waiter: Handler {
  let pauses: [Int64]
  let end: Reply
  var log: (String) -> Void = { _ in }

  init(_ pauses: [Int64], then end: Reply, owner: Owner) {
    self.pauses = pauses
    self.end = end
    super.init(owner: owner)
  }

  override func perform(for responder: Responder, in context: Context) -> Reply {
    log("begins")
    return Wait(self).next()
  }

  private final class Wait: Suspension {
    let waiter: Waiter
    var index = 0

    init(_ waiter: Waiter) { self.waiter = waiter }

    func next() -> Reply {
      guard index < waiter.pauses.count else { return waiter.end }
      nanoseconds = waiter.pauses[index]
      index += 1
      return .waiting(self)
    }

    override func resume() -> Reply {
      waiter.log("goes on")
      return next()
    }

    override func unwind() { waiter.log("is unwound") }
  }
}

@Suite("Time")
struct TimeRuleTests {
  private func stage(_ pauses: [Int64], then end: Reply, isObserved: Bool) throws -> (
    ScriptHost, Waiter, () -> [String]
  ) {
    let host = ScriptHost(clock: TestClock())
    let waiter = Waiter(pauses, then: end, owner: host.program)
    var heard: [String] = []
    waiter.log = { heard.append($0) }
    let responder = try host.responder("r")
    _ = host.chain.set(.on, "x", waiter, in: responder.behaviour, of: responder.responder)
    host.on("x") { _ -> Value in .text("native") }
    try host.focus(responder)
    if isObserved { host.observe { heard.append("\($0.stage)") } }
    return (
      host, waiter,
      {
        defer { heard = [] }
        return heard
      }
    )
  }

  @Test("T1, T2: A handler of any kind can wait; its outcome comes once", arguments: [false, true])
  func native(isObserved: Bool) throws {
    let (host, _, heard) = try stage([1_000_000, 0, 2_000_000], then: .value(.integer(7)), isObserved: isObserved)
    let job = try require(host.perform("x").job)
    expect(host.perform("x").reason, is: "running")
    expect(heard(), is: (isObserved ? ["will", "begins"] : ["begins"]))
    try host.advance(by: .milliseconds(3))
    expect(heard() == ["goes on", "goes on"] && job.outcome == nil)
    try host.advance(by: .milliseconds(1))
    expect(heard(), is: (isObserved ? ["goes on", "did"] : ["goes on"]))
    expect(job.outcome?.line, is: "handled by r via on → integer(7)")
  }

  @Test(
    "T2: A pass, a refusal or a failure after a wait has the same outcome as without a wait", arguments: [false, true])
  func ends(isObserved: Bool) throws {
    for (reply, line) in [
      (Reply.pass, "handled by host via native → text(\"native\")"),
      (.refused(""), "disabled by r via on: 'r' refuses it"),
      (.failed(Failure(.script, "broken")), "failed by r via on! broken"),
    ] {
      let (host, _, heard) = try stage([1], then: reply, isObserved: isObserved)
      expect(host.perform("x", wait: true).line, is: line)
      expect(heard().filter { $0 == "did" || $0 == "failed" }.count, is: (isObserved ? 1 : 0))
    }
  }

  @Test(
    "T3, T4: A cancelled job, or a job of a removed responder, is unwound and doesn't go on", arguments: [false, true])
  func cancelled(isObserved: Bool) throws {
    let (host, _, heard) = try stage([1], then: .value(.null), isObserved: isObserved)
    let job = try require(host.perform("x").job)
    job.cancel()
    expect(job.outcome?.line, is: "cancelled by r via on: it was cancelled")
    let removed = try require(host.perform("x").job)
    try host.remove(try require(host.find("r")))
    expect(removed.outcome?.line, is: "cancelled by r via on: 'r' was removed")
    try host.advance(by: .seconds(1))
    let one = isObserved ? ["will", "begins", "is unwound", "failed"] : ["begins", "is unwound"]
    expect(heard(), is: one + one)
  }

  @Test("A question can cancel a job, but the job ends only after the question")
  func whileAsking() throws {
    let (host, _, heard) = try stage([1_000_000_000], then: .value(.null), isObserved: false)
    let job = try require(host.perform("x").job)
    try host.responder("asked").can("y") { [unowned host] _ in
      job.cancel()
      host.run()
      return .yes
    }
    let asked = try require(host.find("asked"))
    host.edit(asked).on("y") { _ in }
    var options = PerformOptions()
    options.from = asked
    expect(host.validate("y", options).isEnabled && job.isWaiting)
    expect(heard(), is: ["begins"])
    host.run()
    expect(heard() == ["is unwound"] && job.outcome?.status == .cancelled)
  }

  @Test("The scheduler wakes jobs in order of time, then of their beginning, even after others were removed")
  func order() throws {
    for seed: UInt64 in 0..<200 {
      var random = Chance(seed: seed)
      let clock = TestClock()
      let scheduler = Scheduler(clock: clock)
      let responder = Responder(name: "r", kind: .responder, owner: Owner(name: "o"), place: nil, number: 1)
      var expected: [(time: Int64, number: Int, job: Job)] = []
      var jobs: [Job] = []
      for number in 0..<Int.random(in: 1...60, using: &random) {
        let job = Job(
          Job.Subject(
            action: "a\(number)", responder: responder, owner: responder.owner, isReentrant: number % 3 == 0))
        let wait = Int64.random(in: 1...9, using: &random) * 1_000_000
        scheduler.add(job, nanoseconds: wait)
        expected.append((wait, number, job))
        jobs.append(job)
        if Int.random(in: 0..<4, using: &random) == 0, let gone = expected.indices.randomElement(using: &random) {
          scheduler.leave(expected[gone].job)
          expected.remove(at: gone)
        }
      }
      expect(scheduler.jobs.count, is: expected.count)
      let waiting = expected.filter { !$0.job.memory.subject.isReentrant }
      expect(scheduler.waiting, is: waiting.count)
      for (number, job) in jobs.enumerated() {
        expect(scheduler.isWaiting("a\(number)", of: responder), is: waiting.contains { $0.job === job })
      }
      expected.sort { ($0.time, $0.number) < ($1.time, $1.number) }
      for one in expected {
        expect(scheduler.deadline, is: one.time)
        expect(scheduler.takeNext(until: one.time - 1) == nil)
        expect(scheduler.takeNext(until: one.time) === one.job)
      }
      expect(scheduler.deadline == nil && scheduler.waiting == 0, "seed \(seed)")
    }
  }

  @Test("The largest and smallest times don't trap")
  func ends() throws {
    expect(Duration.seconds(Int64.max).hostNanoseconds == .max && Duration.seconds(Int64.min).hostNanoseconds == .min)
    expect(Int64.max.addingTime(1), is: .max)
    let host = ScriptHost(clock: TestClock())
    try host.advance(by: .seconds(Int64.max))
    try host.advance(by: .seconds(1))
    host.run(until: .seconds(-5))
    let clock = SystemClock()
    let deadline = clock.nanoseconds + 1000
    _ = clock.wait(until: deadline) { false }
    expect(clock.nanoseconds >= deadline)
    expect(clock.wait(until: .max) { true } < .max, "who is told to stop is not kept")
  }
}
