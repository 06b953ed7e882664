import Expectations
import Glibc
import Testing

@Test("An interrupt ends a running script, and the tool with 130")
func interrupt() throws {
  let process = try Process(
    "\(Program.folder)/menuctl", ["perform", "-", "spin"])
  process.write("function app.on:spin() print('spinning') while true do end end")
  expect(process.readSome(), is: "spinning\n")
  kill(process.id, SIGINT)
  let run = process.finish()
  expect(run.status, is: 130)
  expect(run.out, is: "cancelled by app: cancelled\n")
}
