import Expectations
import ScriptHost
import Testing

@testable import menuctl

@Test(
  "A face checks its files after its first moment, and finds a save made between the load and then")
func savedInFirstMoment() throws {
  let folder = try ScriptFolder(["app.lua": "-- one"])
  let path = "\(folder.path)/app.lua"
  let session = try Session(
    Invocation(["ui", path, "--alone"]), output: Output(), interrupts: RecordingCheck.interrupts)
  try session.load()
  // The function for sources would hold the host, which holds the output.
  session.output.textOfFile = { _ in nil }
  let beginning = session.host.now + .milliseconds(50)
  let saves = try Saves(session, from: beginning)
  expect(saves.deadline, is: beginning)
  try folder.write("app.lua", "-- two")
  // The file may be half written, so it counts after a quiet time.
  expect(saves.saved(by: beginning), is: nil)
  let first = try require(saves.deadline)
  expect(saves.saved(by: first), is: [path])
  expect(saves.deadline == nil && saves.saved(by: beginning + .seconds(1)) == nil)
  // From then on the system reports saves, and they count after a quiet time too.
  try folder.write("app.lua", "-- three")
  expect(saves.saved(by: beginning + .seconds(2)), is: nil)
  let quiet = try require(saves.deadline)
  expect(saves.saved(by: quiet), is: [path])
}
