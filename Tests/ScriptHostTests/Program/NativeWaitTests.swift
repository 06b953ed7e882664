import Expectations
import Glibc
import Testing

@testable import ScriptHost

/// Runs each step of a task on a new thread.
private final class Threads: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let step = UnownedJob(job)
    do {
      _ = try TestThread { step.runSynchronously(on: self.asUnownedTaskExecutor()) }
    } catch {
      Issue.record(error)
    }
  }
}

private let threads = Threads()

/// Waits on a new thread: a task's timer would wait for a thread of tasks.
private func pause(_ milliseconds: UInt32) async {
  await withCheckedContinuation { continuation in
    do {
      _ = try TestThread {
        usleep(milliseconds * 1000)
        continuation.resume()
      }
    } catch {
      Issue.record(error)
      continuation.resume()
    }
  }
}

@Suite("Functions of the embedding program that take time")
struct NativeWaitTests {
  struct Lost: Error, CustomStringConvertible { let description = "the connection was lost" }

  /// A host whose functions wait for real time.
  private func host(_ clock: HostClock = TestClock()) -> ScriptHost {
    let host = ScriptHost(clock: clock)
    host.madeNatives?.executor = threads
    host.function("net.get", "url", "milliseconds") { (url: String, milliseconds: Int?) async throws -> [String] in
      await pause(UInt32(milliseconds ?? 5))
      if url.isEmpty { throw Lost() }
      return [url, "body"]
    }
    return host
  }

  @Test("N5: A script waits for an async function as in sleep, by either clock", arguments: [true, false])
  func waits(isTest: Bool) async throws {
    try await besideTasks {
      let host = host(isTest ? TestClock() : SystemClock())
      try host.load(
        text: """
          function app.on:get(ctx)
            local page = net.get(ctx.url)
            return page[1] .. page[2]
          end
          """, name: "app.lua")
      let outcome = host.perform("get(url: x)")
      expect(outcome.status == .running && host.wakeDescriptor != nil)
      let job = try require(outcome.job)
      expect(host.wait(for: job).result.shown, is: "xbody")
      expect(host.wakeDescriptor, is: nil)
      let lost = host.perform("get(url: \"\")", wait: true)
      expect(lost.error?.message == "the connection was lost" && lost.error?.place?.line == 2)
      expect(host.perform("get(url: y)", wait: true).result.shown, is: "ybody")
    }
  }

  @Test("N5: Several calls can follow each other while a test's clock stops")
  func calledAgain() async throws {
    try await besideTasks {
      let host = host()
      try host.load(
        text: "function app.on:get() return net.get('x')[1] .. net.get('y')[1] .. net.get('z')[1] end", name: "app.lua")
      expect(host.perform("get", wait: true).result.shown, is: "xyz")
      let line = try host.evaluate("net.get('x')[1] .. net.get('y')[1] .. net.get('z')[1]")
      expect(line.first?.shown, is: "xyz")
    }
  }

  @Test("N5: The descriptor wakes a program's loop")
  func descriptor() async throws {
    try await besideTasks {
      let host = host(SystemClock())
      try host.load(text: "function app.on:get() return net.get('x')[1] end", name: "app.lua")
      let job = try require(host.perform("get").job)
      var polled = pollfd(fd: try require(host.wakeDescriptor), events: Int16(POLLIN), revents: 0)
      expect(poll(&polled, 1, 120_000), is: 1)
      expect(job.outcome == nil)
      host.run()
      expect(job.outcome?.result.shown == "x" && host.wakeDescriptor == nil)
    }
  }

  @Test("N5: A test's clock stops until the function has ended")
  func clock() async throws {
    try await besideTasks {
      let host = host()
      try host.load(
        text: """
          local done = 0
          every(0.01, function() done = done + 1 end)
          function app.on:get() net.get("x", 20) return done end
          """, name: "app.lua")
      let job = try require(host.perform("get").job)
      try host.advance(by: .seconds(1))
      expect(job.outcome?.result.shown, is: "0")
    }
  }

  @Test("N5: Cancelling the action cancels the function")
  func cancelled() async throws {
    let host = ScriptHost(clock: SystemClock())
    host.madeNatives?.executor = threads
    let ends = Ends()
    host.function("net.hang") { () async throws -> Int in
      do { try await Task.sleep(for: .seconds(60)) } catch { await ends.note() }
      return 1
    }
    try host.load(text: "function app.on:hang() net.hang() end", name: "app.lua")
    let job = try require(host.perform("hang").job)
    job.cancel()
    expect(job.outcome?.status == .cancelled && host.wakeDescriptor == nil)
    while await ends.count == 0 { await Task.yield() }
    // Its late result belongs to nobody.
    host.run()
    expect(host.jobs.isEmpty)
    try host.load(text: "function app.on:hang() net.hang() end", name: "app.lua")
    _ = host.perform("hang")
  }

  @Test("N5: A script can't call an async function where nothing can wait, and then the function doesn't begin")
  func whereNothingWaits() async throws {
    let host = ScriptHost()
    let ends = Ends()
    host.function("net.note", reads: true) { () async in await ends.note() }
    try host.load(
      text: """
        function app.on:can() end
        function app.can:can() net.note() return true end
        function app.on:coroutine()
          local ok, why = coroutine.resume(coroutine.create(function() return net.note() end))
          return why
        end
        function app.on:sort() table.sort({ 2, 1 }, function(a, b) net.note() return a < b end) end
        """, name: "app.lua")
    expect(host.validate("can").reason?.contains("nothing can wait here"), is: true)
    expect(host.perform("coroutine").result.shown.contains("a coroutine that a script made can't"))
    expect(host.perform("sort").error?.message.contains("can't wait"), is: true)
    await expect(ends.count, is: 0)
  }

  @Test("N5: Many functions run at once, and each script gets its own result")
  func many() async throws {
    try await besideTasks {
      let host = host(SystemClock())
      try host.load(
        text: """
          app:define("get", {
            reentrant = true,
            on = function(self, ctx) return net.get(ctx.url, ctx.wait)[1] end,
          })
          """, name: "app.lua")
      let jobs = (0..<50).compactMap { host.perform("get(url: u\($0), wait: \(50 - $0))").job }
      expect(jobs.count, is: 50)
      expect(jobs.map { host.wait(for: $0).result.shown }, is: (0..<50).map { "u\($0)" })
    }
  }

  /// Runs a body on a new thread: waiting for a task here would block a thread of tasks.
  private func besideTasks(_ body: @escaping @Sendable () throws -> Void) async throws {
    let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
      do {
        _ = try TestThread { continuation.resume(returning: Result(catching: body)) }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    try result.get()
  }

  private actor Ends {
    private(set) var count = 0
    func note() { count += 1 }
  }
}
