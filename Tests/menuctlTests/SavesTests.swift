import ScriptHost
import Testing

@testable import menuctl

@Test(
  "A face's files are looked at after its first moment, and what was saved before that since it was loaded is found")
func savedInFirstMoment() throws {
  let folder = try ScriptFolder(["app.lua": "-- one"])
  let path = "\(folder.path)/app.lua"
  let session = try Session(
    Invocation(["ui", path, "--alone"]), output: Output(), interrupts: RecordingCheck.interrupts)
  try session.load()
  // Who shows sources holds the host, which holds who shows.
  session.output.textOfFile = { _ in nil }
  let beginning = session.host.now + .milliseconds(50)
  let saves = try Saves(session, from: beginning)
  #expect(saves.deadline == beginning)
  try folder.write("app.lua", "-- two")
  // It may be half written, so it counts when it is quiet, too.
  #expect(saves.saved(by: beginning) == nil)
  let first = try #require(saves.deadline)
  #expect(saves.saved(by: first) == [path])
  #expect(saves.deadline == nil && saves.saved(by: beginning + .seconds(1)) == nil)
  // What is saved from then on is told by the system, and counts when it is quiet again.
  try folder.write("app.lua", "-- three")
  #expect(saves.saved(by: beginning + .seconds(2)) == nil)
  let quiet = try #require(saves.deadline)
  #expect(saves.saved(by: quiet) == [path])
}
