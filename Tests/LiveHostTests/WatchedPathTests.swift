import Expectations
import Glibc
import ScriptHost
import Testing

@testable import LiveHost

@Test("P20: The loop of a live app waits for the paths that a script watches, and runs its function")
func watchedPath() throws {
  let folder = try Folder()
  let app = try require(fopen("\(folder.path)/app.lua", "w"))
  fputs("local n = 0 watch('.', function() n = n + 1 end) function app.on:count() return n end", app)
  fclose(app)
  let host = ScriptHost()
  host.granted = [try Capability.parse("fs.read")]
  try host.load(path: "\(folder.path)/app.lua")
  let live = LiveHost(host)
  expect(live.descriptors.contains { $0.descriptor == host.changeDescriptor && $0.reads } && live.nextDeadline == nil)
  live.turn()
  expect(live.nextDeadline, is: nil)
  mkdir("\(folder.path)/new", 0o755)
  defer { rmdir("\(folder.path)/new") }
  live.turn()
  expect(live.nextDeadline != nil && count(host) == "integer(0)")
  usleep(110_000)
  live.turn()
  expect(count(host) == "integer(1)" && live.nextDeadline == nil)
}

private func count(_ host: ScriptHost) -> String { "\(host.perform("count").result)" }
