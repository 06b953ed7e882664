import Expectations
import ScriptHost
import Testing

@testable import LiveHost

@Test("L11: A waiting action with a trace may end after the live host is gone")
func tracedJobOutlives() throws {
  let host = ScriptHost(clock: TestClock())
  try host.load(text: "function app.on:nap() sleep(10) end", name: "app.lua")
  do {
    let live = LiveHost(host)
    let client = LiveClient(at: try live.faceEnd())
    _ = try client.send("perform", [("ref", .text("nap")), ("trace", .bool(true))])
    for _ in 0..<100 where host.jobs.isEmpty { live.turn() }
    expect(host.jobs.count, is: 1)
    live.stop()
  }
  try host.advance(by: .seconds(20))
  expect(host.jobs.isEmpty)
}
